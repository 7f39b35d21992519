//! State that both directions share: unanswered requests and listed tools.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::arguments::Listed;

/// Maximum length of a line that is parsed, in bytes. Longer ones are forwarded unchanged.
pub(super) const LINE_BYTES_MAX: usize = 10_000_000;

/// Maximum number of unanswered requests that are tracked. Responses to further ones are forwarded, but a
/// list of tools in them is not parsed, and they get no error if the server ends.
const REQUESTS_MAX: usize = 65_536;

/// The `id` of a request as JSON, with strings in a canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(String);

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The first page of the list of tools.
    Tools,
    /// A further page of the list of tools.
    MoreTools,
    /// Anything else.
    Else,
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
    /// The number of the current list of tools.
    list: u64,
    /// The reason why the server ended, once it has.
    ended: Option<String>,
}

#[derive(Debug)]
struct Request {
    /// The position in the order of requests.
    number: u64,
    asked: Asked,
}

/// A tool as the server last listed it.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The whole entry of the list, as JSON.
    pub(super) source: Arc<str>,
    /// `None` if its schema cannot be used.
    pub(super) contract: Option<Listed>,
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
    pub(super) fn new(source: Arc<str>, contract: Option<Listed>) -> Self {
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

    pub(super) fn awaits_tools(&self) -> bool {
        self.lists_awaited > 0
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Known> {
        self.tools.get(name)
    }

    /// Adds a page of tools. The tools of the previous list are kept until the last page.
    pub(super) fn learn(&mut self, page: Vec<(String, Known)>, asked: Asked, is_last: bool) {
        if asked == Asked::Tools {
            self.list += 1;
        }
        let list = self.list;
        let page = page
            .into_iter()
            .map(|(name, known)| (name, Known { list, ..known }));
        self.tools.extend(page);
        if is_last {
            self.tools.retain(|_, known| known.list == list);
        }
    }

    /// Records that the server has ended. Returns the unanswered requests in order.
    pub(super) fn end(&mut self, reason: &str) -> Vec<Id> {
        self.ended = Some(reason.to_owned());
        let mut left: Vec<_> = self.unanswered.drain().collect();
        self.lists_awaited = 0;
        left.sort_unstable_by_key(|(_, request)| request.number);
        left.into_iter().map(|(id, _)| id).collect()
    }

    /// Returns the reason why the server ended, if it has.
    pub(super) fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }
}
