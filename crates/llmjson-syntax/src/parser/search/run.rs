//! Runs the hypotheses until a single one is left.

use alloc::vec::Vec;

use crate::base::expected_names::ExpectedValue;
use crate::parser::search::beam::{ROOM, Search, Step};
use crate::parser::search::reading::{Event, Kind, Move, Reading, TextRole, UNRIVALLED, Want};
use crate::parser::search::text::Text;
use crate::parser::search::text::quotes::Quote;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;

/// The margin over all other hypotheses at which one continues by itself.
const LEAVES: u32 = 10;

/// Runs the search until the single remaining hypothesis is past `doubt`, at the beginning of a
/// member or item in containers that the loop knows, or until the value has ended. Returns `None`
/// if that exceeds the work budget, or if all hypotheses are past `known`.
pub(crate) fn run(search: &mut Search<'_>, doubt: usize, known: usize) -> Option<Reading> {
    loop {
        if let Some((leader, begun)) = search.leader(doubt) {
            search.go_alone(leader);
            let margin = search.live[0].margin;
            return Some(Reading { margin, ..begun });
        }
        let beyond = |one: &Reading| one.at as usize > known;
        if search.is_spent() || known != usize::MAX && search.live.iter().all(beyond) {
            return None;
        }
        if !search.advance() {
            return search
                .best_with_margin()
                .or_else(|| Some(Reading::nothing()));
        }
    }
}

/// Returns `true` if the text ends inside the value.
pub(crate) fn is_cut(path: &[Event]) -> bool {
    let cut = |event: &Event| {
        matches!(
            event,
            Event::DropName | Event::Close(_, true) | Event::Bare(_, _, true)
        )
    };
    path.iter().any(cut)
}

/// Returns the end of the last quoted part if its closing quote is missing, or 0 if it has one.
/// Returns `None` if nothing is quoted.
pub(crate) fn unquoted(path: &[Event]) -> Option<usize> {
    let quoted = |event: &Event| matches!(event, Event::Text(_, quote, _) | Event::Name(_, quote, _) if *quote != Quote::Bare);
    let last = path.iter().rposition(quoted)?;
    match path[..=last].last_chunk::<2>() {
        Some([Event::Made(Move::MissingQuote, _, end), Event::Text(..)]) => Some(*end as usize),
        _ => Some(0),
    }
}

impl Search<'_> {
    /// Returns the index of the hypothesis that is so much cheaper than all others that it may
    /// continue by itself, and the hypothesis at the beginning of its last member or item, if that is
    /// past `doubt`.
    fn leader(&self, doubt: usize) -> Option<(usize, Reading)> {
        let costs = self.live.iter().map(|one| one.cost);
        let (leader, cost) = costs.enumerate().min_by_key(|(_, cost)| *cost)?;
        let reading = self.begun(&self.live[leader])?;
        let is_known = reading.at < self.live[leader].at && reading.at as usize == doubt;
        if reading.at as usize <= doubt && !is_known {
            return None;
        }
        let others = self.live.iter().chain(&self.ended);
        let close = others.filter(|one| one.cost < cost + LEAVES).count();
        (close == 1 && self.may_leave(&reading)).then_some((leader, reading))
    }

    /// Returns a hypothesis rewound to the beginning of its member or item, if it is there, or before
    /// the colon of a member that a missing comma precedes.
    fn begun(&self, reading: &Reading) -> Option<Reading> {
        let want = self.frame(reading).kind.member();
        if reading.open.is_none() && reading.want == want {
            return Some(*reading);
        }
        let Step { before, event } = self.trail[reading.trail as usize];
        let made = self.trail[before as usize].event;
        let lacks_comma = matches!(made, Event::Made(Move::MissingComma, ..));
        let has_colon = || self.text.at(self.text.space(reading.at as usize).0) == b':';
        match event {
            Event::Name(place, Quote::Double, 0)
                if lacks_comma && reading.want == Want::Colon && has_colon() =>
            {
                Some(Reading {
                    at: place.begin,
                    trail: before,
                    want,
                    ..*reading
                })
            }
            _ => None,
        }
    }

    /// Returns `true` if every open container is on the tape with its own brackets.
    fn may_leave(&self, reading: &Reading) -> bool {
        let mut frame = self.frame(reading);
        while frame.kind != Kind::Root {
            self.charge(1);
            if !matches!(frame.kind, Kind::Object | Kind::Array) {
                return false;
            }
            frame = self.frames[frame.parent as usize];
        }
        // Implied containers are nested in others; the usual ones are recognized by their brackets.
        reading.frame != 0
    }

    /// Ends the cheapest hypothesis at its current position, before the string that may be open
    /// there.
    pub(crate) fn cut_short(&mut self) -> Option<Reading> {
        let furthest = |one: &&Reading| (one.cost, u32::MAX - one.at);
        let mut best = *self.live.iter().min_by_key(furthest)?;
        if let Some(open) = best.open.take() {
            best.at = open.begin;
            best.want = match open.role {
                TextRole::Name => Want::NameOrEnd,
                TextRole::Value => Want::Value,
            };
        }
        self.finish(best);
        self.out.pop()
    }

    /// Returns the events of a hypothesis, in order.
    pub(crate) fn path(&self, reading: &Reading) -> Vec<Event> {
        let mut at = reading.trail;
        let mut path = Vec::with_capacity(ROOM.min(at as usize));
        while at != 0 {
            let step = self.trail[at as usize];
            path.push(step.event);
            at = step.before;
        }
        path.reverse();
        with_lists(path)
    }

    /// Returns the cheapest ended hypothesis, with its margin over those with another value.
    fn best_with_margin(&self) -> Option<Reading> {
        let mut best = self.best()?;
        for other in &self.ended {
            if other.value != best.value {
                best.margin = best.margin.min(other.cost - best.cost);
            }
        }
        Some(best)
    }
}

impl Reader<'_> {
    /// Returns `true` if the text after an ended value continues it, as after the first brace of
    /// `{"a": 1}, "b": 2}`.
    ///
    /// Only for the first value of a reply: each of several values is followed by the next.
    pub(crate) fn goes_on_behind(&self, here: Container, end: usize) -> bool {
        let (look, start) = (self.look, self.value_start);
        let (byte, at) = look.skip_space(end);
        // The next of several values follows directly or on another line.
        let space = &look.bytes[end..at];
        let apart = !space.is_empty() && memchr::memchr(b'\n', space).is_none();
        let next = matches!(byte, b'{' | b'[') && !apart || at >= look.bytes.len();
        if self.value_node != 0 || next || look.work_is_used_up() {
            return false;
        }
        // `"[0]" and`: the quote closes the one before the value.
        let quoted = byte == b'"' && start > 0 && peek(look.bytes, start - 1) == byte;
        if quoted {
            return false;
        }
        // After a fence or a word, only a closer continues the value.
        if (byte == b'`' || byte.is_ascii_alphabetic())
            && memchr::memchr2(b'}', b']', &look.bytes[at..]).is_none()
        {
            look.charge_search(look.bytes.len() - at);
            return false;
        }
        let text = Text::new(look.text, look.names);
        let search = Search::new(text, 0, Vec::new());
        let goes_on = search.rest_goes_on(end);
        look.charge(search.spent());
        // `},\n    "b": 2\n  }\n}`: one surplus closer, and the columns show that it is not the
        // last one.
        let closer = matches!(byte, b'}' | b']');
        goes_on || closer && self.misplaced(here, end - 1).is_some()
    }
}

impl Reading {
    /// The hypothesis for a text without a value.
    fn nothing() -> Self {
        Self::new(0, 0, Want::Done)
    }

    /// Creates a hypothesis that begins at `at`, within the container `frame`.
    pub(crate) fn new(at: usize, frame: u32, want: Want) -> Self {
        Self {
            at: at as u32,
            cost: 0,
            frame,
            trail: 0,
            want,
            ragged: 0,
            made: 0,
            open: None,
            value: 0,
            expected: ExpectedValue::ANY,
            margin: UNRIVALLED,
        }
    }
}

/// Returns `true` if an event, counted back from the last, begins the value that ended last.
/// `depth` counts the containers around the event that ended after it.
pub(crate) fn begins_value(event: &Event, depth: &mut i32) -> bool {
    match event {
        Event::Close(..) => *depth += 1,
        Event::Object(_) | Event::Array(_) | Event::List => *depth -= 1,
        _ => {}
    }
    *depth == 0 && matches!(event.value(), Some((0 | 1 | 4 | 6, ..)))
}

/// Opens each implicit array, recognized after its first item, before that item: `"p", "q"`.
fn with_lists(mut path: Vec<Event>) -> Vec<Event> {
    let mut from = 0;
    while let Some(list) = path[from..].iter().position(|event| *event == Event::List) {
        let list = from + list;
        from = list;
        let mut depth = 0;
        let before = path[..list].iter();
        let first = { before }.rposition(|event| begins_value(event, &mut depth));
        let mut first = first.unwrap_or(list);
        // `"p" + "q", "r"`: the value begins with its first piece.
        while path[..first]
            .iter()
            .rev()
            .take_while(|event| matches!(event, Event::Made(..)))
            .any(|event| matches!(event, Event::Made(Move::Join, ..)))
        {
            let before = path[..first].iter();
            first = before
                .clone()
                .rposition(|event| matches!(event, Event::Text(..)))
                .unwrap_or(0);
        }
        let mut at = path[first].place().unwrap_or(0);
        // `(1, 2)`: the supposed call parenthesis belongs to the array.
        let tuple = matches!(path[..list], [.., Event::Made(Move::Tuple, ..)]);
        let before = path[..first].iter().rev();
        let mut made = before.take_while(|event| matches!(event, Event::Made(..)));
        if let Some(back) = made.position(|event| matches!(event, Event::Made(Move::Wrapper, ..)))
            && let Event::Made(called, start, end) = &mut path[first - 1 - back]
            && tuple
            && *end == *start + 1
        {
            (*called, at, first) = (Move::Tuple, *start, first - back);
            path[list - 1] = Event::Start;
        }
        path[first..=list].rotate_right(1);
        path[first] = Event::Array(at);
    }
    path
}
