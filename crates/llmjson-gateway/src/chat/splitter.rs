//! A text in which calls may stand, while it comes: what is text goes on, calls are announced.

use std::collections::{BTreeMap, HashMap};

use llmjson::stream::{CallEvent, Calls};
use llmjson::syntax::JsonOut;
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
    /// The calls that began and of which nothing was sent, by the places of their events: text that only begins as a call
    /// does has no arguments, and is to stay text.
    begun: BTreeMap<usize, Call>,
    /// The announced calls by the places of their events.
    places: HashMap<usize, usize>,
    announced: Vec<Call>,
}

/// A call that began. Once it is announced, the client knows it.
#[derive(Debug)]
struct Call {
    name: String,
    /// The arguments as the model wrote them.
    written: String,
    grow: Grow,
    is_finished: bool,
}

/// A piece of `tool_calls`, as the delta of a chunk has it.
#[derive(Debug)]
pub(super) struct Piece {
    place: usize,
    /// The id and the name, in the first piece of a call.
    first: Option<(String, String)>,
    arguments: String,
}

impl Piece {
    /// A further piece of the arguments of a call.
    pub(super) fn of(place: usize, arguments: String) -> Self {
        Self {
            place,
            first: None,
            arguments,
        }
    }

    pub(super) fn first(place: usize, id: String, name: &str, arguments: &str) -> Self {
        Self {
            place,
            first: Some((id, name.to_owned())),
            arguments: arguments.to_owned(),
        }
    }

    /// Adds a piece to others that go out with it.
    pub(super) fn add_to(self, pieces: &mut Vec<Self>) {
        match pieces.last_mut() {
            _ if self.first.is_none() && self.arguments.is_empty() => {}
            Some(last) if last.place == self.place && self.first.is_none() => {
                last.arguments.push_str(&self.arguments);
            }
            _ => pieces.push(self),
        }
    }

    /// Writes the members of the piece.
    pub(super) fn put<O: JsonOut>(&self, out: &mut O) {
        out.name("index");
        out.number(&self.place.to_string());
        if let Some((id, _)) = &self.first {
            out.member("id", id.as_str());
            out.member("type", "function");
        }
        out.object_in("function", |out| {
            if let Some((_, name)) = &self.first {
                out.member("name", name.as_str());
            }
            out.member("arguments", self.arguments.as_str());
        });
    }
}

impl Splitter {
    pub(super) fn new(plan: &Plan) -> Option<Self> {
        let tools = plan.tools.as_ref()?;
        Some(Self {
            calls: CallReader::new(&tools.registry).stream(),
            kept: 0,
            has_called: false,
            is_waiting: plan.holds(),
            begun: BTreeMap::new(),
            places: HashMap::new(),
            announced: Vec::new(),
        })
    }

    /// Returns the number of calls that were announced.
    pub(super) fn announced(&self) -> usize {
        self.announced.len()
    }

    /// Returns the number of announced calls of a tool.
    pub(super) fn announced_of(&self, name: &str) -> usize {
        self.announced.iter().filter(|one| one.name == name).count()
    }

    /// Takes the next piece of a text that ends with it, and adds what the client is told of calls.
    pub(super) fn push(
        &mut self,
        plan: &Plan,
        (text, piece): (&str, &str),
        (id, choice): (&str, u32),
        out: &mut Vec<Piece>,
    ) {
        self.calls.push(piece);
        let mut begun = None;
        for event in self.calls.events() {
            match event {
                CallEvent::Started { call, name } => {
                    let is_begun = self.start(plan, call, &name);
                    if is_begun || self.is_waiting && plan.allows(&name) {
                        begun = begun.or(self.calls.start(call));
                    }
                }
                CallEvent::Arguments { call, text } => self.grow(call, &text, out),
                CallEvent::Finished {
                    call,
                    complete: true,
                } => self.end(plan, call, out),
                // A call that was none after all is text.
                CallEvent::Finished { call, .. } => {
                    self.begun.remove(&call);
                }
                _ => {}
            }
            self.announce((id, choice), out);
        }
        let waits = self.has_called || !self.begun.is_empty();
        if waits || self.is_waiting && self.is_begun() {
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
        let is_first = self.announced.len() + self.begun.len() <= 1;
        if let Some(begun) = begun.filter(|begun| is_first && *begun > self.kept) {
            let before = &self.calls.text()[..begun];
            if !before.trim().is_empty() {
                self.kept = begun;
            }
        }
    }

    /// Returns `true` if the call may be announced, which is done once it has arguments.
    fn start(&mut self, plan: &Plan, call: usize, name: &str) -> bool {
        let contract = plan
            .tools
            .as_ref()
            .and_then(|tools| tools.registry.get(name));
        let Some(contract) = contract.filter(|_| plan.allows(name)) else {
            return false;
        };
        self.is_waiting |= is_careful(contract.policy());
        let is_further = self.announced.len() + self.begun.len() > 0;
        if self.is_waiting || is_further && !plan.is_parallel {
            return false;
        }
        let mut grow = Grow::new(Some(contract.schema()), contract.policy());
        grow.is_other = true;
        let begun = Call {
            name: name.to_owned(),
            written: String::new(),
            grow,
            is_finished: false,
        };
        self.begun.insert(call, begun);
        true
    }

    fn grow(&mut self, call: usize, text: &str, out: &mut Vec<Piece>) {
        if let Some(begun) = self.call(call) {
            begun.written.push_str(text);
            begun.grow.push(text, &begun.written);
            self.tell(call, out);
        }
    }

    /// Ends a call whose end has been read.
    fn end(&mut self, plan: &Plan, call: usize, out: &mut Vec<Piece>) {
        let is_announced = self.places.contains_key(&call);
        let Some(begun) = self.call(call) else {
            return;
        };
        let given = GivenCall {
            name: begun.name.clone(),
            arguments: begun.written.clone(),
            ..GivenCall::default()
        };
        let whole = match bind(plan, &given, None) {
            Bound::Ok(bind) => Some(bind.canonical_arguments()),
            _ => None,
        };
        if whole.is_some() || is_announced {
            begun.is_finished = true;
            begun.grow.finish(&given.arguments, false, whole.as_deref());
            self.tell(call, out);
        }
    }

    /// Returns a call that began, whether it is announced or not.
    fn call(&mut self, call: usize) -> Option<&mut Call> {
        match self.places.get(&call) {
            Some(place) => self.announced.get_mut(*place),
            None => self.begun.get_mut(&call),
        }
    }

    /// Tells the client what is new of the arguments of a call that it knows.
    fn tell(&mut self, call: usize, out: &mut Vec<Piece>) {
        if let Some(place) = self.places.get(&call) {
            Piece::of(*place, self.announced[*place].grow.fresh()).add_to(out);
        }
    }

    /// Announces the calls that have arguments, in the order in which they began.
    fn announce(&mut self, (id, choice): (&str, u32), out: &mut Vec<Piece>) {
        while let Some(first) = self.begun.first_entry() {
            if first.get().grow.json().is_empty() {
                return;
            }
            let (call, mut begun) = first.remove_entry();
            let place = self.announced.len();
            let id = call_id(id, choice, place);
            Piece::first(place, id, &begun.name, &begun.grow.fresh()).add_to(out);
            self.has_called = true;
            self.places.insert(call, place);
            self.announced.push(begun);
        }
    }

    /// Ends the text with what the whole reply gives. Returns `true` if the client was told something else.
    pub(super) fn finish(
        &mut self,
        lifted: &[Lifted],
        (id, choice): (&str, u32),
        out: &mut Vec<Piece>,
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
            Piece::of(place, announced.grow.fresh()).add_to(out);
        }
        for (place, call) in lifted.iter().enumerate().skip(self.announced.len()) {
            let id = call_id(id, choice, place);
            Piece::first(place, id, &call.name, &call.arguments).add_to(out);
        }
        is_other
    }
}

/// The pieces of calls that are told at once.
pub(super) fn pieces_of(lifted: &[Lifted], id: &str, choice: u32) -> Vec<Piece> {
    let piece = |(place, call): (usize, &Lifted)| {
        Piece::first(
            place,
            call_id(id, choice, place),
            &call.name,
            &call.arguments,
        )
    };
    lifted.iter().enumerate().map(piece).collect()
}
