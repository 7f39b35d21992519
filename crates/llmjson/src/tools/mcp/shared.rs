//! What both directions know: requests that are not answered yet, and the tools that were listed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::arguments::Listed;

/// How many requests may be unanswered at once and still be told apart.
const REQUESTS_MAX: usize = 65_536;

/// An `id` as JSON, written in one way only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(String);

/// What an answer to a request has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The first page of the tools, or all of them.
    Tools,
    /// Another page of them.
    MoreTools,
    /// Something that is nobody's concern here.
    Else,
}

/// The part of the state that both directions hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<State>>);

#[derive(Debug, Default)]
pub(super) struct State {
    unanswered: HashMap<Id, Request>,
    /// How many requests there were, to bring the unanswered ones into order.
    requests: u64,
    /// How many answers about tools are awaited.
    lists_awaited: usize,
    tools: HashMap<String, Known>,
    list: u64,
    /// Why the server answers no longer.
    ended: Option<String>,
}

#[derive(Debug)]
struct Request {
    number: u64,
    asked: Asked,
}

/// A tool as the server last listed it.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The whole entry of the list, as JSON.
    pub(super) source: Arc<str>,
    /// None if its schema cannot be used.
    pub(super) contract: Option<Listed>,
    /// The list that had it last.
    list: u64,
}

impl Id {
    /// `None` for what cannot be one.
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
        // Nothing in here is left half done by a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Notes that a request went to the server.
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

    /// Notes that a request was answered, and tells what it had asked.
    pub(super) fn answer(&mut self, id: &Id) -> Option<Asked> {
        let Request { asked, .. } = self.unanswered.remove(id)?;
        self.lists_awaited -= usize::from(asked != Asked::Else);
        Some(asked)
    }

    /// Whether some request for tools is not answered yet.
    pub(super) fn awaits_tools(&self) -> bool {
        self.lists_awaited > 0
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Known> {
        self.tools.get(name)
    }

    /// Takes a page of tools in. The tools of lists before stay until the last page of this one.
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

    /// Notes that the server answers no longer. All that were not answered, in order.
    pub(super) fn end(&mut self, reason: &str) -> Vec<Id> {
        self.ended = Some(reason.to_owned());
        let mut left: Vec<_> = self.unanswered.drain().collect();
        self.lists_awaited = 0;
        left.sort_unstable_by_key(|(_, request)| request.number);
        left.into_iter().map(|(id, _)| id).collect()
    }

    /// Why the server answers no longer, if so.
    pub(super) fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }
}
