//! Sources: the ways to see a reply.
//!
//! A reply is read unchanged first, unless it shows another source from its beginning. If the value
//! needed repairs, each row of the table makes another text of the reply: without a transport
//! encoding, without the frame of its lines, from joined parts, or up to a turn. Each text is read
//! like a reply. The cost of its source, the prices of its repairs and the cost of fitting its value
//! to a schema are added, and the cheapest reading is the result. A reply that needs no repairs,
//! other than for text around its value, has no other source unless it violates the schema.

pub(crate) mod codes;
pub(crate) mod decoders;
pub(crate) mod escapes;
pub(crate) mod frames;
mod glance;
pub(crate) mod map;
pub(crate) mod parts;
pub(crate) mod punctuation;
mod reader;
pub(crate) mod repeats;
pub(crate) mod state;
pub(crate) mod strings;
pub(crate) mod wraps;

use alloc::vec::Vec;
use core::cell::Cell;
use core::mem;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::repair_set::RepairSet;
use crate::base::span::Span;
use crate::base::work::Work;
use crate::parser::search::price;
use crate::parser::state::reader::Reader;
use crate::reply::sources::glance::Lines;
use crate::reply::sources::map::Derived;
use crate::reply::sources::reader::SourceReader;
use crate::tape::graft::{TextSource, graft};
use crate::tape::readings::Readings;
use crate::tape::source_map::SourceMap;
use crate::tape::{NONE, Tag, Tape};
use crate::view::ValueRef;

/// One way to see a reply.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Source {
    /// The stable name.
    pub name: &'static str,
    /// The cost that it adds to the cost of the repairs: less where the evidence is strong.
    pub cost: u32,
    /// Bytes that every text of this source contains.
    pub needs: &'static [u8],
    /// Evidence in the lines of every text of this source.
    lines: Lines,
    /// The encoding or damage that it undoes, with an example.
    pub undoes: &'static str,
    /// The repair that makes its text, unless that is a part of the reply.
    kind: Option<RepairKind>,
    pub(crate) make: Make,
}

type Make = fn(&str) -> Option<Derived>;

const fn row(
    (name, cost, needs): (&'static str, u32, &'static [u8]),
    kind: Option<RepairKind>,
    make: Make,
    undoes: &'static str,
) -> Source {
    Source {
        name,
        cost,
        needs,
        lines: Lines::Any,
        undoes,
        kind,
        make,
    }
}

const fn in_lines(lines: Lines, source: Source) -> Source {
    Source { lines, ..source }
}

use RepairKind::{
    CsvQuotes, EscapedDocument, HtmlEntities, JoinedParts, LinePrefixes, TransportEncoding,
};

/// The sources after the unchanged reply, in any order.
#[rustfmt::skip]
pub const SOURCES: &[Source] = &[
    in_lines(Lines::Words, row(("before_turn", 1, b""), None, parts::before_turn, "a made-up turn after the value: `User: And then?`")),
    row(("from_restart", 1, b""), None, parts::from_restart, "a value that restarts: `{\"a\": \"x Sorry, again: {\"a\": \"xy\"}`"),
    in_lines(Lines::Events, row(("events", 1, b"{\n"), Some(TransportEncoding), strings::events, "the events of a stream: `data: {\"choices\":[…]}`")),
    in_lines(Lines::Words, row(("joined_parts", 1, b"\n"), Some(JoinedParts), parts::joined, "a truncated value that continues in the next fence, turn or message")),
    row(("repeats", 1, b"\""), Some(JoinedParts), repeats::without_repeats, "text that is written again: `{\"boats\": [\"Al{\"boats\": [\"Alma\"]}`"),
    row(("literals", 1, b""), Some(EscapedDocument), strings::literals, "literals of a program: `'{\"a\": ' + '\"it\\'s\"}'`"),
    row(("markdown", 1, b"\\"), Some(EscapedDocument), escapes::markdown, "escapes of Markdown or LaTeX: `\\{\"a\\_b\": \\[1\\]\\}`"),
    row(("windows", 1, b"\xC3"), Some(TransportEncoding), decoders::windows, "UTF-8 that was read as Windows-1252: `{â€œaâ€: 1}`"),
    row(("carets", 2, b"^"), Some(TransportEncoding), decoders::carets, "control characters shown with a caret: `^I\"a\": 1,^M`"),
    row(("colors", 1, b"[m"), Some(TransportEncoding), decoders::colors, "terminal colors: `[32m\"a\"[0m`"),
    in_lines(Lines::Broken, row(("wrapped", 1, b"\n"), Some(TransportEncoding), wraps::columns, "lines that end within a word because they reached the last column")),
    row(("frames", 2, b"\n"), Some(LinePrefixes), frames::framed, "the frame of each line: `12:00:01 INFO {`, ` 1: {`, `│ {  │`, `// {`, `{$`"),
    in_lines(Lines::Words, row(("diff", 2, b"\n"), Some(LinePrefixes), frames::changes, "the markers of a diff: `+  \"a\": 2,`")),
    in_lines(Lines::Words, row(("bullets", 2, b"\n"), Some(LinePrefixes), frames::bullets, "the marks of a list: `• \"a\": 1`")),
    row(("zeros", 2, b"\0"), Some(TransportEncoding), decoders::zeros, "a zero byte next to each character"),
    row(("page", 2, b""), Some(HtmlEntities), decoders::page, "entities and tags of a web page: `{<br>&nbsp;&quot;a&quot;: 1}`"),
    row(("doubled_quotes", 2, b"\""), Some(CsvQuotes), escapes::doubled_quotes, "the quotes of a CSV field: `{\"\"a\"\": 1}`"),
    row(("backslashes", 2, b"\\"), Some(EscapedDocument), escapes::backslashes, "the escapes of a string: `{\\\"a\\\": 1}`"),
    row(("email", 0, b"="), Some(TransportEncoding), codes::email, "quoted-printable: `{=22a=22: 1}`"),
    row(("codes", 3, b""), Some(TransportEncoding), codes::codes, "numeric codes: `{\\x22a\\x22: 1}`, `%7B%22a%22%3A1%7D`, `{_x0022_a_x0022_: 1}`"),
    row(("byte_tokens", 2, b"\xC4"), Some(TransportEncoding), decoders::byte_tokens, "tokens with a letter for each byte: `{Ċ\"a\":Ġ1}`"),
    row(("bars", 2, b"\xE2\x96\x81"), Some(TransportEncoding), decoders::bars, "tokens with bars for spaces: `{<0x0A>▁▁\"a\":▁1}`"),
    row(("power_shell", 2, b"`\""), Some(EscapedDocument), decoders::power_shell, "the escapes of PowerShell: `` \"{`\"a`\": 1}\" ``"),
    row(("shell", 3, b"'"), Some(EscapedDocument), decoders::shell, "single quotes of a shell: `'{\"a\": \"it'\\''s\"}'`"),
    row(("full_width", 3, b"\xEF"), Some(TransportEncoding), decoders::full_width, "full-width characters: `｛＂ａ＂：１｝`"),
    row(("other_punctuation", 3, b""), Some(TransportEncoding), punctuation::other_punctuation, "JSON in other punctuation: `{⟨a⟩ → 1 ¦ ⟨b⟩ → 2}`, ``` {``a'': 1, ``b'': 2} ```"),
    row(("invisible", 3, b""), Some(TransportEncoding), decoders::invisible, "zero-width spaces, marks of direction, overstruck characters"),
    in_lines(Lines::Broken, row(("wrapped_words", 1, b"\n"), Some(TransportEncoding), wraps::words, "lines that end between words, since the writer may have ended them")),
];

/// The parts of the work budget with which a text is read: at first, which is enough for a text
/// without damage, and again if that was not enough.
const FIRST_PART: u64 = 24;
const LAST_PART: u64 = 1;

/// The cost of a source without a value.
const NO_VALUE: u32 = 1 << 30;

/// The ratio of a reply's length to an array of scalars at which the array counts as a fragment.
const FRAGMENT: u32 = 4;

/// A source with its text.
type Layer = (&'static Source, Derived);

/// The reading of a source.
struct Seen {
    tape: Tape,
    readings: Readings,
    complete: bool,
    /// `true` if its part of the work budget was used up.
    is_capped: bool,
    cost: u32,
    /// The text made of the reply first, and the text that was read last.
    layers: Vec<Layer>,
}

impl Source {
    /// Returns the cost of a text of this source.
    fn cost_of(&self, derived: &Derived) -> u32 {
        self.cost + price::ONE_OF_SEVERAL_TEXTS * u32::from(derived.is_guess)
    }
}

impl Seen {
    /// The cost of the reading, and the names of its sources, which decide if two cost the same.
    fn rank(&self) -> (u32, Vec<&'static str>) {
        (
            self.cost,
            self.layers.iter().map(|(source, _)| source.name).collect(),
        )
    }

    /// The cost if no other text were as likely.
    fn least(&self) -> u32 {
        let guesses = self.layers.iter().filter(|(_, derived)| derived.is_guess);
        self.cost
            .saturating_sub(price::ONE_OF_SEVERAL_TEXTS * guesses.count() as u32)
    }

    /// The cost of its sources.
    fn sources(&self) -> u32 {
        let costs = self
            .layers
            .iter()
            .map(|(source, derived)| source.cost_of(derived));
        costs.sum()
    }

    fn text(&self) -> &str {
        self.layers.last().map_or("", |(_, derived)| &derived.text)
    }

    /// Returns `true` if its text is a part of the reply, whose end truncates no value.
    fn is_part(&self) -> bool {
        self.layers
            .last()
            .is_some_and(|(source, _)| source.kind.is_none())
    }

    fn value(&self) -> ValueRef<'_> {
        ValueRef::new(&self.tape, self.text(), self.tape.root)
    }
}

/// Returns the cost of fitting a value read from a text to a schema, and the rest of the work
/// budget.
type Ask<'j> = &'j dyn Fn((&str, &Tape, &Readings, bool), Work) -> (u32, Work);

/// Judges the values of sources by a schema.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'j> {
    /// The cost of fitting the value of the unchanged reply, if that is known.
    pub(crate) own: Option<u32>,
    pub(crate) ask: Ask<'j>,
}

impl Reader<'_> {
    /// Reads the whole reply, from another source if that costs less. Returns `true` if the text of
    /// the value is complete.
    pub(crate) fn reply_of_any_source(&mut self, judge: Option<Judge<'_>>) -> bool {
        if let Some(name) = evident_source(self.look.text)
            && let Some(complete) = self.reply_of_source(name, judge)
        {
            return complete;
        }
        let complete = self.reply();
        if self.tape.repairs.is_empty() && self.tape.root == 0 || self.limit.is_some() {
            return complete;
        }
        self.other_sources(complete, judge)
    }

    /// Reads a reply from an evident source if its text is strict JSON and costs least. The
    /// unchanged reply costs more and would take a long search, so it is not read.
    #[cold]
    #[inline(never)]
    fn reply_of_source(&mut self, name: &str, judge: Option<Judge<'_>>) -> Option<bool> {
        // The text within frames may be encoded, which takes long to find out.
        if name == "frames" {
            let derived = frames::framed(self.look.text)?;
            self.look.charge(self.look.text.len() + derived.text.len());
            if !strings::is_strict(&mut Tape::default(), &derived.text) {
                return None;
            }
        }
        let reader = self.source_reader(judge);
        let mut all = reader.readings(self.look, NO_VALUE, 1);
        all.sort_by_cached_key(Seen::rank);
        let best = all.first()?;
        let [(source, _)] = best.layers[..] else {
            return None;
        };
        let is_exact = source.name == name && best.cost == source.cost;
        let is_strict = best.tape.repairs.is_empty() && best.tape.root == 0 && best.complete;
        let is_sure = is_exact && is_strict && !all.iter().any(|seen| seen.is_capped);
        is_sure.then(|| self.accept_first(all))
    }

    fn source_reader<'j>(&self, judge: Option<Judge<'j>>) -> SourceReader<'j>
    where
        Self: 'j,
    {
        SourceReader {
            limits: self.limits,
            is_reversed: self.scratch.reversed_sources,
            judge,
            has_texts: Cell::new(false),
        }
    }

    /// Reads a reply that needed repairs from other sources.
    #[cold]
    #[inline(never)]
    fn other_sources(&mut self, complete: bool, judge: Option<Judge<'_>>) -> bool {
        let reader = self.source_reader(judge);
        let seen = (self.look.text, &*self.tape, &self.readings, complete);
        let own = judge.and_then(|judge| judge.own);
        let verdict = own.unwrap_or_else(|| reader.verdict(self.look, seen));
        let odd = self.fragment() + self.framed() + verdict;
        if odd == 0 && self.is_as_written(complete) {
            return complete;
        }
        let cost = cost_of(self.look.text, self.tape, complete) + odd;
        let mut all = reader.readings(self.look, cost, 1);
        self.readings.is_only_source = !reader.has_texts.get();
        let best = all.iter().map(|seen| seen.cost).min().unwrap_or(cost);
        let capped = all.iter_mut().filter(|seen| seen.is_capped);
        let mut capped: Vec<&mut Seen> = capped.filter(|seen| seen.sources() < best).collect();
        capped.sort_by_key(|seen| seen.sources());
        for seen in capped {
            if self.look.work_is_used_up() {
                break;
            }
            *seen = reader.read(self.look, mem::take(&mut seen.layers), LAST_PART);
        }
        all.retain(|seen| seen.cost < NO_VALUE);
        all.sort_by_cached_key(Seen::rank);
        if all.first().is_none_or(|best| best.cost >= cost) {
            let rival = |one: &&Seen| one.least() < cost + price::LEAST_MARGIN;
            if let Some(rival) = all.iter().find(rival) {
                self.make_guesses(rival);
            }
            return complete;
        }
        // Characters without width between tokens.
        let certain = self
            .tape
            .repairs
            .iter()
            .all(|one| one.class == Class::Certain);
        if certain && self.tape.root != NONE && self.own_value() == all[0].value() {
            return complete;
        }
        self.accept_first(all)
    }

    /// Replaces the reading of the unchanged reply by the first of these. It is a guess if another
    /// value costs as little.
    fn accept_first(&mut self, mut all: Vec<Seen>) -> bool {
        let best = all.remove(0);
        let near = |cost: u32| cost < best.cost + price::LEAST_MARGIN;
        let differs = |other: &Seen| near(other.cost) && other.value() != best.value();
        let is_guess = all.iter().any(differs);
        self.accept(best, is_guess)
    }

    fn own_value(&self) -> ValueRef<'_> {
        ValueRef::new(self.tape, self.look.text, self.tape.root)
    }

    /// Makes guesses of the repairs without which a rival reads another value.
    fn make_guesses(&mut self, rival: &Seen) {
        if self.tape.root == NONE || self.own_value() == rival.value() {
            return;
        }
        self.readings.is_changed = true;
        let kept = RepairSet::in_records(&rival.tape.repairs);
        for one in &mut self.tape.repairs {
            if !kept.has(one.kind) && price_of(self.look.text, one) > 0 {
                one.class = Class::Guess;
            }
        }
    }

    /// Returns `true` if the records show that the reply needs no other source: all of them are
    /// typical of writers or lie around the value, or they do up to the point where the reply is
    /// truncated.
    fn is_as_written(&self, complete: bool) -> bool {
        let Some(root) = self.tape.nodes.get(self.tape.root as usize) else {
            return false;
        };
        let ends = || root.end as usize >= self.look.text.trim_ascii_end().len();
        // A restarted value may be taken for a member of the one before it.
        let restarts = || {
            self.look.charge_search(self.look.text.len());
            parts::from_restart(self.look.text).is_some()
        };
        let is_cut = !complete && root.is_container() && ends() && !restarts();
        let free = |one: &Repair| {
            price_of(self.look.text, one) == 0 || is_cut && RepairSet::UNFINISHED.has(one.kind)
        };
        (complete || is_cut) && self.tape.repairs.iter().all(free)
    }

    /// Returns the cost of a string that contains the frames of its lines, which are not part of
    /// it. A string with line breaks costs less, and is a guess without its frames.
    fn framed(&self) -> u32 {
        let root = self.tape.nodes.get(self.tape.root as usize);
        let broken = RepairSet::of(&[RepairKind::ControlCharacter]).among(&self.tape.repairs);
        let Some(root) = root.filter(|root| broken && root.is_container()) else {
            return 0;
        };
        self.look.charge_search(root.end as usize);
        let framed = frames::in_frames(self.look.text, root.start as usize, root.end as usize);
        price::FRAMES_INSIDE * u32::from(framed)
    }

    /// Returns the cost of a value that covers almost none of the reply: of `[1]` within encoded
    /// text.
    fn fragment(&self) -> u32 {
        let root = self.tape.nodes.get(self.tape.root as usize);
        let Some(root) = root.filter(|root| root.is_container()) else {
            return 0;
        };
        let inside = self.tape.root as usize + 1..self.tape.after(self.tape.root) as usize;
        let flat = self.tape.nodes.get(inside).unwrap_or_default();
        let named = root.tag == Tag::Object && root.count > 0;
        let scalars = !named && !flat.iter().any(|node| node.is_container());
        let small = FRAGMENT * root.end.saturating_sub(root.start) < self.look.bytes.len() as u32;
        if scalars && small { price::FRAGMENT } else { 0 }
    }

    /// Replaces the reading of the unchanged reply by the reading of another source.
    fn accept(&mut self, seen: Seen, is_guess: bool) -> bool {
        let Seen {
            mut tape,
            readings,
            complete,
            mut layers,
            cost,
            ..
        } = seen;
        self.tape.clear();
        self.readings = Readings::default();
        if let [(Source { kind: None, .. }, derived)] = &layers[..] {
            let complete = self.reply_in(derived.ends());
            self.readings.is_changed = true;
            return complete;
        }
        let (_, start) = self.look.skip_space(0);
        let span = Span::of(start, self.look.text.trim_ascii_end().len());
        let notes = !tape.notes.is_empty();
        let record = |(source, derived): &(&Source, Derived)| {
            let kind = source.kind?;
            // Parts that belong together have each key once, and are complete together.
            let odd = kind == JoinedParts && (notes || cost > source.cost);
            let doubtful = derived.is_guess || is_guess || odd;
            let class = if doubtful { Class::Guess } else { kind.class() };
            Some(Repair::of(kind, class, span))
        };
        let records = layers.iter().filter_map(record).collect();
        let text = layers.last_mut().map(|(_, last)| mem::take(&mut last.text));
        let map = SourceMap {
            records,
            text: text.unwrap_or_default(),
            layers: layers
                .into_iter()
                .map(|(_, derived)| derived.parts)
                .collect(),
        };
        let (side, side_end) = self.tape.put_side(&map.text);
        let place = TextSource::Side(Span::new(side, side_end));
        self.tape.root = graft(self.tape, &tape, place);
        self.tape.repairs = mem::take(&mut tape.repairs);
        self.tape.notes = mem::take(&mut tape.notes);
        map.place(self.tape);
        self.readings = readings;
        self.readings.source = Some(map.into());
        self.readings.is_changed = true;
        complete
    }
}

/// Returns the name of the source that a reply shows from its beginning: `{\"`, `12:00:01 INFO {`.
fn evident_source(text: &str) -> Option<&'static str> {
    let bytes = text.trim_ascii_start().as_bytes();
    if *bytes.first()? != b'{' && frames::are_evident(text) {
        return Some("frames");
    }
    if !matches!(bytes[0], b'{' | b'[') {
        return None;
    }
    let is_outside = |byte: &u8| matches!(byte, b'{' | b'[') || byte.is_ascii_whitespace();
    let start = bytes.iter().position(|byte| !is_outside(byte))?;
    let is_escaped = [b"\\\"", b"\\n"]
        .iter()
        .any(|code| bytes[start..].starts_with(*code));
    is_escaped.then_some("backslashes")
}

/// Returns the cost of a reading: the sum over its repairs.
fn cost_of(text: &str, tape: &Tape, complete: bool) -> u32 {
    if tape.nodes.get(tape.root as usize).is_none() {
        return NO_VALUE;
    }
    let repairs: u32 = tape.repairs.iter().map(|one| price_of(text, one)).sum();
    repairs + if complete { 0 } else { price::INCOMPLETE }
}

/// Returns the cost of a repair: nothing if it is typical of writers, and nothing around the value.
fn price_of(text: &str, one: &Repair) -> u32 {
    let inside = || &text[one.span.range()];
    let is_odd = match one.kind {
        // `Let me start over: {`: the key may be something else.
        RepairKind::UnquotedKey => !inside().bytes().all(|sign| sign.is_ascii_graphic()),
        // Characters without width are in strings, too.
        RepairKind::OddSpace => inside().contains(decoders::is_invisible),
        _ => false,
    };
    price::of_repair(one) + price::NAME_OF_WORDS * u32::from(is_odd)
}
