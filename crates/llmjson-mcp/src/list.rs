//! Parsing the tool lists that servers send.

use std::sync::Arc;

use llmjson_syntax::{Kind, Parser, ValueRef};

use super::arguments;
use super::shared::{Asked, Id, Known, LINE_BYTES_MAX, Shared};
use super::unchecked;
use llmjson_reply::Policy;

/// A page of a server's tool list.
struct Page {
    tools: Vec<(String, Known)>,
    /// The cursor of the next page, as JSON.
    next: Option<String>,
}

/// The outcome of reading a response to a request for tools.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Learned {
    /// The server listed no tools.
    Nothing,
    /// The next page is at this cursor, as JSON.
    More(String),
    /// The page was the last one.
    All,
}

/// Learns the tools from the response with the given `id` in a line; `None` stands for a line that
/// was too long to keep.
pub(super) fn learn(
    line: Option<&[u8]>,
    id: &Id,
    asked: Asked,
    shared: &Shared,
    policy: &Policy,
    notices: &mut Vec<String>,
) -> Learned {
    if line.is_none() {
        notices.push(format!(
            "a list of tools was not parsed, since it is longer than {LINE_BYTES_MAX} bytes"
        ));
    }
    let Some(page) = line.and_then(|line| read(line, id, shared, policy, notices)) else {
        shared.lock().lack_tools();
        return Learned::Nothing;
    };
    let learned = page.next.map_or(Learned::All, Learned::More);
    let is_last = learned == Learned::All;
    shared.lock().learn(page.tools, asked, is_last);
    learned
}

/// Parses the tools in the response with the given `id` in a line. Returns `None` if the line has
/// no such response or the response has no tool list.
fn read(
    line: &[u8],
    id: &Id,
    shared: &Shared,
    policy: &Policy,
    notices: &mut Vec<String>,
) -> Option<Page> {
    let text = std::str::from_utf8(line).ok()?;
    let document = Parser::new().parse(text);
    let result = response_with(document.root()?, id)?.get("result")?;
    let listed = result
        .get("tools")
        .filter(|tools| tools.kind() == Kind::Array)?;
    let tools = listed.items().filter_map(|tool| {
        let name = tool.get("name")?.as_str()?.into_owned();
        let known = known(&name, tool, shared, policy, notices);
        Some((name, known))
    });
    let tools = tools.collect();
    let next = result.get("nextCursor").filter(|next| !next.is_null());
    Some(Page {
        tools,
        next: next.map(ValueRef::to_json),
    })
}

fn response_with<'d>(root: ValueRef<'d>, id: &Id) -> Option<ValueRef<'d>> {
    let answers = |message: &ValueRef<'d>| {
        let json = message.get("id").map(|id| id.to_json());
        json.and_then(|json| Id::read(json.as_bytes())).as_ref() == Some(id)
    };
    match root.kind() {
        Kind::Array => root.items().find(answers),
        _ => Some(root).filter(answers),
    }
}

/// Compiles the contract of a tool, unless its entry in the list is unchanged.
fn known(
    name: &str,
    tool: ValueRef<'_>,
    shared: &Shared,
    policy: &Policy,
    notices: &mut Vec<String>,
) -> Known {
    let source: Arc<str> = tool.to_json().into();
    let before = shared.lock().tool(name).cloned();
    if let Some(before) = before.filter(|before| before.source == source) {
        return before;
    }
    let contract = arguments::compile(name, tool, policy);
    let contract = contract.map_err(|error| {
        let done = unchecked::done_with_calls(policy);
        notices.push(format!(
            "calls of the tool {name:?} are {done}, since its schema cannot be used: {error}"
        ));
        Arc::from(error.to_string())
    });
    Known::new(source, contract)
}
