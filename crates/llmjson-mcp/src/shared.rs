//! State shared by both directions: unanswered requests and listed tools.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::arguments::Listed;
use llmjson_tools::letters;

/// Maximum length of a line that is parsed, in bytes.
pub(super) const LINE_BYTES_MAX: usize = 10_000_000;

/// Maximum number of unanswered requests that are tracked. Responses to further ones are forwarded,
/// but a tool list in them is not parsed, and they get no error if the server ends.
pub(super) const REQUESTS_MAX: usize = 65_536;

/// Maximum number of tool list pages that the proxy requests itself.
pub(super) const PAGES_MAX: u32 = 256;

/// Maximum total size of the kept tool entries, in bytes. Further tools are unknown.
const TOOLS_BYTES_MAX: usize = 16 << 20;

/// The `id` of a request as JSON, with strings in a canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(String);

/// The kind of answer that a request expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The first page of the tool list.
    Tools,
    /// A further page of the tool list.
    MoreTools,
    /// The first page of the tool list, for the proxy itself.
    OwnTools,
    /// A further page of the tool list, for the proxy itself.
    MoreOwnTools,
    /// Another kind of answer.
    Else,
}

impl Asked {
    /// Returns `true` if the proxy itself asked.
    pub(super) fn is_own(self) -> bool {
        matches!(self, Self::OwnTools | Self::MoreOwnTools)
    }
}

/// A handle to the shared state.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<State>>);

#[derive(Debug, Default)]
pub(super) struct State {
    unanswered: HashMap<Id, Request>,
    /// The number of requests so far.
    requests: u64,
    /// The number of unanswered requests for tools.
    lists_awaited: usize,
    tools: HashMap<String, Known>,
    /// The total size of their entries, in bytes.
    tools_bytes: usize,
    /// The number of the current tool list.
    list: u64,
    /// `true` once a list was read to its end.
    is_whole: bool,
    /// The tool list that the proxy requests itself.
    own: OwnList,
    /// The reason why the server ended, once it has.
    ended: Option<String>,
}

/// The tool list that the proxy requests before the first call, if the client has requested none.
#[derive(Debug, Default)]
struct OwnList {
    /// Number of its pages that were requested.
    pages: u32,
    /// Number of lists that were requested.
    lists: u64,
    is_awaited: bool,
    /// The members of `_meta` that requests of this client need, as JSON; empty if none.
    meta: String,
    /// The lines with calls that wait for it, with their line breaks.
    waiting: Vec<Vec<u8>>,
}

#[derive(Debug)]
struct Request {
    /// The position among all requests.
    number: u64,
    asked: Asked,
}

/// A tool as the server last listed it.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The whole entry of the list, as JSON.
    pub(super) source: Arc<str>,
    /// The reason if its schema is unusable.
    pub(super) contract: Result<Listed, Arc<str>>,
    /// The number of the last list that contained it.
    list: u64,
}

impl Id {
    /// Parses an `id`. Returns `None` for JSON that is neither a string nor a number.
    pub(super) fn read(json: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(json).ok()?;
        if text.is_ascii() && !text.contains('\\') {
            let quoted = text.len() >= 2 && text.starts_with('"') && text.ends_with('"');
            let number = text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
            return (quoted || number && !text.is_empty()).then(|| Self(text.to_owned()));
        }
        let document = llmjson_syntax::parse(text);
        let id = document.root().filter(|_| document.repairs().is_empty())?;
        id.as_str().map(|_| Self(id.to_json()))
    }

    /// The `id` as JSON.
    pub(super) fn as_json(&self) -> &str {
        &self.0
    }
}

impl Known {
    pub(super) fn new(source: Arc<str>, contract: Result<Listed, Arc<str>>) -> Self {
        let list = 0;
        Self {
            source,
            contract,
            list,
        }
    }
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // A panic cannot leave the state inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Records a request to the server.
    pub(super) fn ask(&mut self, id: Id, asked: Asked) {
        if self.unanswered.len() >= REQUESTS_MAX && !self.unanswered.contains_key(&id) {
            return;
        }
        let number = self.requests;
        self.requests += 1;
        let before = self.unanswered.insert(id, Request { number, asked });
        self.lists_awaited += usize::from(asked != Asked::Else);
        self.lists_awaited -=
            usize::from(before.is_some_and(|request| request.asked != Asked::Else));
    }

    /// Records a response and returns what the request asked for.
    pub(super) fn answer(&mut self, id: &Id) -> Option<Asked> {
        let Request { asked, .. } = self.unanswered.remove(id)?;
        self.lists_awaited -= usize::from(asked != Asked::Else);
        Some(asked)
    }

    /// Returns `true` if calls must wait for the tool list that the proxy requested.
    pub(super) fn awaits_own_list(&self) -> bool {
        self.own.is_awaited
    }

    /// Returns `true` if the tool list has not been requested yet.
    pub(super) fn lacks_list(&self) -> bool {
        self.list == 0 && self.own.pages == 0 && self.lists_awaited == 0
    }

    /// Returns `true` if no tool list is known, and the proxy has not requested one itself.
    pub(super) fn knows_no_list(&self) -> bool {
        self.list == 0 && self.own.pages == 0
    }

    /// Forgets that the proxy has requested the tool list itself, so that it does so again.
    pub(super) fn forget_own_list(&mut self) {
        self.own.pages = 0;
    }

    /// Forgets the requests that do not ask for a list.
    pub(super) fn keep_lists_alone(&mut self) {
        self.unanswered
            .retain(|_, request| request.asked != Asked::Else);
    }

    /// Lets a line with a call wait for the tool list.
    pub(super) fn wait(&mut self, line: Vec<u8>) {
        self.own.waiting.push(line);
    }

    /// Requests the tool list, or its page at a cursor, and returns the request as a line.
    pub(super) fn ask_for_tools(&mut self, meta: String) -> String {
        self.own.meta = meta;
        self.own.lists += 1;
        self.ask_for_page(None)
    }

    /// Requests the page at a cursor, as JSON; `None` if there were too many pages, or if nothing
    /// waits for the list.
    pub(super) fn ask_for_next_page(&mut self, cursor: &str) -> Option<String> {
        (self.own.is_awaited && self.own.pages < PAGES_MAX).then(|| self.ask_for_page(Some(cursor)))
    }

    fn ask_for_page(&mut self, cursor: Option<&str>) -> String {
        self.own.pages += 1;
        self.own.is_awaited = true;
        let id = Id(format!("\"llmjson-mcp-proxy/{}\"", self.own.pages));
        let meta = Some(self.own.meta.as_str()).filter(|meta| !meta.is_empty());
        let members = [("cursor", cursor), ("_meta", meta)];
        let members: Vec<_> = members
            .iter()
            .filter_map(|(name, json)| json.map(|json| format!("\"{name}\":{json}")))
            .collect();
        let params = members.join(",");
        let line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/list\",\"params\":{{{params}}}}}\n",
            id.as_json()
        );
        let asked = cursor.map_or(Asked::OwnTools, |_| Asked::MoreOwnTools);
        self.ask(id, asked);
        line
    }

    /// Ends the wait for the tool list that the proxy requested, and returns the waiting lines.
    pub(super) fn release(&mut self) -> Vec<Vec<u8>> {
        self.own.is_awaited = false;
        std::mem::take(&mut self.own.waiting)
    }

    pub(super) fn awaits_tools(&self) -> bool {
        self.lists_awaited > 0
    }

    /// Returns `true` if a list was read to its end, so that an unknown tool does not exist on the
    /// server.
    pub(super) fn knows_all_tools(&self) -> bool {
        self.is_whole
    }

    /// Returns `true` if the server may still send a page of a list that the proxy requested.
    pub(super) fn is_owed_own_list(&self) -> bool {
        self.lists_awaited > 0 && self.unanswered.values().any(|one| one.asked.is_own())
    }

    /// Returns `true` if a response is a page of a list that the proxy requested.
    pub(super) fn is_own(&self, id: &Id) -> bool {
        let request = self.unanswered.get(id);
        request.is_some_and(|request| request.asked.is_own())
    }

    /// Returns the number of the list that calls wait for, if they do.
    pub(super) fn awaited_list(&self) -> Option<u64> {
        self.own.is_awaited.then_some(self.own.lists)
    }

    /// Records that a list was not read, so that there may be unknown tools.
    pub(super) fn lack_tools(&mut self) {
        self.is_whole = false;
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Known> {
        self.tools.get(name)
    }

    /// Returns the name of the only tool that has the same letters and digits as a name.
    pub(super) fn spelled_like(&self, name: &str) -> Option<&str> {
        let letters = letters(name);
        let mut alike = self
            .tools
            .keys()
            .filter(|tool| self::letters(tool) == letters);
        let first = alike.next().filter(|_| !letters.is_empty())?;
        alike.next().is_none().then_some(first)
    }

    pub(super) fn tools_bytes(&self) -> usize {
        self.tools_bytes
    }

    /// Adds a page of tools. The tools of the previous list are kept until the last page.
    pub(super) fn learn(&mut self, page: Vec<(String, Known)>, asked: Asked, is_last: bool) {
        if matches!(asked, Asked::Tools | Asked::OwnTools) {
            self.list += 1;
        }
        let list = self.list;
        let mut is_whole = true;
        for (name, known) in page {
            let before = self.tools.remove(&name);
            let bytes = known.source.len();
            self.tools_bytes -= before.map_or(0, |before| before.source.len());
            if self.tools_bytes + bytes > TOOLS_BYTES_MAX {
                is_whole = false;
                continue;
            }
            self.tools_bytes += bytes;
            self.tools.insert(name, Known { list, ..known });
        }
        self.is_whole = is_whole && (is_last || self.is_whole);
        if is_last {
            self.tools.retain(|_, known| known.list == list);
            let left = self.tools.values().map(|known| known.source.len());
            self.tools_bytes = left.sum();
        }
    }

    /// Records that the server has ended. Returns the unanswered requests in order.
    pub(super) fn end(&mut self, reason: &str) -> Vec<Id> {
        self.ended = Some(reason.to_owned());
        let mut left: Vec<_> = self.unanswered.drain().collect();
        left.retain(|(_, request)| !request.asked.is_own());
        self.release();
        self.lists_awaited = 0;
        left.sort_unstable_by_key(|(_, request)| request.number);
        left.into_iter().map(|(id, _)| id).collect()
    }

    /// Returns the reason why the server ended, if it has.
    pub(super) fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }
}
