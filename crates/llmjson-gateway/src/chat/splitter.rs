//! A text in which calls may stand, while it comes: what is text goes on, calls are announced.

use std::collections::HashMap;

use llmjson::stream::{CallEvent, Calls};
use llmjson::syntax::{JsonOut, JsonText};
use llmjson::tools::CallReader;

use super::grow::Grow;
use super::judge::{Bound, GivenCall, Lifted, bind};
use super::release::released;
use super::request::Plan;
use super::tools::is_careful;
use super::whole::call_id;

/// Divides a text that comes in pieces.
#[derive(Debug)]
pub(super) struct Splitter {
    calls: Calls,
    /// Number of bytes of the text that are surely text.
    pub(super) kept: usize,
    /// `true` if a call was announced, so that what follows waits for the end of the text.
    pub(super) has_called: bool,
    /// `true` if a call came that is not to be announced, so that none behind it is.
    is_waiting: bool,
    /// The announced calls by the places of their events.
    places: HashMap<usize, usize>,
    announced: Vec<Announced>,
}

/// A call that the client knows.
#[derive(Debug)]
struct Announced {
    name: String,
    /// The arguments as the model wrote them.
    written: String,
    grow: Grow,
    is_finished: bool,
}

/// A piece of `tool_calls`, as the delta of a chunk has it.
fn piece(place: usize, arguments: &str) -> String {
    JsonText::object_of(|out| {
        out.name("index");
        out.number(&place.to_string());
        out.object_in("function", |out| out.member("arguments", arguments));
    })
}

/// The first piece of a call.
fn first_piece(place: usize, id: &str, name: &str, arguments: &str) -> String {
    JsonText::object_of(|out| {
        out.name("index");
        out.number(&place.to_string());
        out.member("id", id);
        out.member("type", "function");
        out.object_in("function", |out| {
            out.member("name", name);
            out.member("arguments", arguments);
        });
    })
}

impl Splitter {
    pub(super) fn new(plan: &Plan) -> Option<Self> {
        let tools = plan.tools.as_ref()?;
        Some(Self {
            calls: CallReader::new(&tools.registry).stream(),
            kept: 0,
            has_called: false,
            is_waiting: plan.holds(),
            places: HashMap::new(),
            announced: Vec::new(),
        })
    }

    /// Returns the number of calls that were announced.
    pub(super) fn announced(&self) -> usize {
        self.announced.len()
    }

    /// Takes the next piece of a text that ends with it, and adds what the client is told of calls.
    pub(super) fn push(
        &mut self,
        plan: &Plan,
        (text, piece): (&str, &str),
        (id, choice): (&str, u32),
        out: &mut Vec<String>,
    ) {
        self.calls.push(piece);
        let mut begun = None;
        for event in self.calls.events() {
            match event {
                CallEvent::Started { call, name } => {
                    let is_announced = self.start(plan, call, &name, (id, choice), out);
                    if is_announced || self.is_waiting && plan.allows(&name) {
                        begun = begun.or(self.calls.start(call));
                    }
                }
                CallEvent::Arguments { call, text } => self.grow(call, &text, out),
                CallEvent::Finished {
                    call,
                    complete: true,
                } => self.end(plan, call, out),
                _ => {}
            }
        }
        if self.has_called || self.is_waiting && self.is_begun() {
            self.stop_at(begun);
            return;
        }
        let Some(tools) = &plan.tools else {
            return;
        };
        let searched = self.calls.searched();
        let kept = released(text, self.kept, searched, &tools.registry);
        // White space before a call goes with it.
        if kept > self.kept && !text[..kept].trim().is_empty() {
            self.kept = kept;
        }
        self.stop_at(begun);
    }

    /// Returns `true` if a call was seen that is held until it is judged.
    fn is_begun(&self) -> bool {
        self.calls.start(0).is_some()
    }

    fn stop_at(&mut self, begun: Option<usize>) {
        // The text before the first call is text.
        if let Some(begun) = begun.filter(|begun| *begun > self.kept && self.announced.len() <= 1) {
            let before = &self.calls.text()[..begun];
            if !before.trim().is_empty() {
                self.kept = begun;
            }
        }
    }

    fn start(
        &mut self,
        plan: &Plan,
        call: usize,
        name: &str,
        (id, choice): (&str, u32),
        out: &mut Vec<String>,
    ) -> bool {
        let contract = plan
            .tools
            .as_ref()
            .and_then(|tools| tools.registry.get(name));
        let Some(contract) = contract.filter(|_| plan.allows(name)) else {
            return false;
        };
        self.is_waiting |= is_careful(contract.policy());
        let place = self.announced.len();
        if self.is_waiting || place > 0 && !plan.is_parallel {
            return false;
        }
        let mut grow = Grow::new(Some(contract.schema()), contract.policy());
        grow.is_other = true;
        self.has_called = true;
        self.places.insert(call, place);
        self.announced.push(Announced {
            name: name.to_owned(),
            written: String::new(),
            grow,
            is_finished: false,
        });
        out.push(first_piece(place, &call_id(id, choice, place), name, ""));
        true
    }

    fn grow(&mut self, call: usize, text: &str, out: &mut Vec<String>) {
        let Some(place) = self.places.get(&call) else {
            return;
        };
        let announced = &mut self.announced[*place];
        announced.written.push_str(text);
        announced.grow.push(text, &announced.written);
        let fresh = announced.grow.fresh();
        if !fresh.is_empty() {
            out.push(piece(*place, &fresh));
        }
    }

    /// Ends a call whose end has been read.
    fn end(&mut self, plan: &Plan, call: usize, out: &mut Vec<String>) {
        let Some(place) = self.places.get(&call) else {
            return;
        };
        let announced = &mut self.announced[*place];
        let given = GivenCall {
            name: announced.name.clone(),
            arguments: announced.written.clone(),
            ..GivenCall::default()
        };
        let whole = match bind(plan, &given, None) {
            Bound::Ok(bind) => Some(bind.canonical_arguments()),
            _ => None,
        };
        announced.is_finished = true;
        announced
            .grow
            .finish(&given.arguments, false, whole.as_deref());
        let fresh = announced.grow.fresh();
        if !fresh.is_empty() {
            out.push(piece(*place, &fresh));
        }
    }

    /// Ends the text with what the whole reply gives. Returns `true` if the client was told something else.
    pub(super) fn finish(
        &mut self,
        lifted: &[Lifted],
        (id, choice): (&str, u32),
        out: &mut Vec<String>,
    ) -> bool {
        let mut is_other = false;
        for (place, announced) in self.announced.iter_mut().enumerate() {
            let whole = lifted.get(place).filter(|one| one.name == announced.name);
            let whole = whole.map(|one| one.arguments.as_str());
            if announced.is_finished || whole.is_none() {
                is_other |=
                    whole.is_none_or(|whole| !crate::json::is_same(whole, announced.grow.json()));
                continue;
            }
            is_other |= announced.grow.finish(&announced.written, false, whole);
            let fresh = announced.grow.fresh();
            if !fresh.is_empty() {
                out.push(piece(place, &fresh));
            }
        }
        for (place, call) in lifted.iter().enumerate().skip(self.announced.len()) {
            let id = call_id(id, choice, place);
            out.push(first_piece(place, &id, &call.name, &call.arguments));
        }
        is_other
    }
}

/// The pieces of calls that are told at once.
pub(super) fn pieces_of(lifted: &[Lifted], id: &str, choice: u32) -> Vec<String> {
    let pieces = lifted.iter().enumerate();
    let piece = |(place, call): (usize, &Lifted)| {
        first_piece(
            place,
            &call_id(id, choice, place),
            &call.name,
            &call.arguments,
        )
    };
    pieces.map(piece).collect()
}

/// A further piece of the arguments of a call.
pub(super) fn piece_of(place: usize, arguments: &str) -> String {
    piece(place, arguments)
}
