//! Streamed text that may contain calls: text that is certainly not part of a call is released, and
//! a call waits until it is judged.

use std::collections::BTreeSet;

use llmjson::stream::{CallEvent, Calls};
use llmjson::syntax::{RepairKind, json_object};
use llmjson::tools::CallReader;

use super::judge::Extracted;
use super::release::released;
use super::request::Plan;

/// Divides streamed text into text and calls.
#[derive(Debug)]
pub(super) struct Splitter {
    calls: Calls,
    /// The number of bytes that are certainly text.
    pub(super) kept: usize,
    /// The calls that may be extracted, by their event index.
    begun: BTreeSet<usize>,
    /// `true` if no tool allows a call to be extracted from a quotation.
    keeps_quoted: bool,
}

/// A call, or a part of one, for the delta of a chunk.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) index: usize,
    /// The id and the name; `None` for more of a call that the client knows.
    pub(super) first: Option<(String, String)>,
    pub(super) arguments: String,
}

impl Piece {
    /// Returns the call as JSON, for a delta with its index.
    pub(super) fn to_json(&self, index: Option<usize>) -> String {
        let (id, name) = self.first.as_ref().map(|(id, name)| (id, name)).unzip();
        json_object!({
            "index"?: index,
            "id"?: id,
            "type"?: id.map(|_| "function"),
            "function": { "name"?: name, "arguments": &self.arguments },
        })
    }
}

impl Splitter {
    pub(super) fn new(plan: &Plan) -> Option<Self> {
        let tools = plan.tools.as_ref()?;
        Some(Self {
            calls: CallReader::new(&tools.registry).stream(),
            kept: 0,
            begun: BTreeSet::new(),
            keeps_quoted: (tools.registry.contracts())
                .all(|one| !one.policy().allows_repair(RepairKind::ThoughtValue)),
        })
    }

    /// Takes the next piece, at the end of the text.
    pub(super) fn push(&mut self, plan: &Plan, text: &str, piece: &str) {
        let Some(tools) = &plan.tools else {
            return;
        };
        self.calls.push(piece);
        for event in self.calls.events() {
            match event {
                CallEvent::Started { call, name }
                    if plan.allows(&name) && tools.registry.get(&name).is_some() =>
                {
                    self.begun.insert(call);
                }
                // A call that turned out to be text is released.
                CallEvent::Finished { call, .. } if !self.calls.is_call(call) => {
                    self.begun.remove(&call);
                }
                _ => {}
            }
        }
        let first = self.begun.first();
        let kept = match first.and_then(|call| self.calls.start(*call)) {
            Some(start) => start,
            None if self.keeps_quoted && self.calls.is_quoted() => text.len(),
            None => released(text, self.kept, self.calls.searched(), &tools.registry),
        };
        // White space before a call is removed with it.
        if kept > self.kept && !text[..kept].trim().is_empty() {
            self.kept = kept;
        }
    }
}

/// The pieces of calls that were found in text, or next to others: from a position in a choice on.
pub(super) fn pieces_of(
    plan: &Plan,
    extracted: &[Extracted],
    id: &str,
    (choice, first): (u32, usize),
) -> Vec<Piece> {
    let piece = |(index, call): (usize, &Extracted)| Piece {
        index,
        first: Some((plan.call_id(id, choice, index), call.name.clone())),
        arguments: call.arguments.clone(),
    };
    (first..).zip(extracted).map(piece).collect()
}
