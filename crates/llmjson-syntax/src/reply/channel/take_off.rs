//! The table of transport encodings, which are removed from a reply if that makes it cheaper to
//! parse.

use alloc::vec::Vec;
use core::mem;

use crate::base::limits::Limits;
use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::repair_set::RepairSet;
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::reply::channel::decoded::DecodedText;
use crate::reply::channel::{
    diff, escapes, events, lines, literals, page, parts, signs, wide, wraps,
};
use crate::tape::carried::Carried;
use crate::tape::graft::{TextSource, graft};
use crate::tape::readings::Readings;
use crate::tape::{Tag, Tape};

/// A transport encoding: a change to the text of replies in transit.
struct Carrier {
    /// Bytes that every text in the encoding contains.
    leaves: &'static [u8],
    /// The cost of removing it, added to the cost of reading: less where the evidence is strong.
    price: u32,
    /// Removes it from a text that shows its traces.
    take_off: fn(&str) -> Option<DecodedText>,
}

const fn row(
    leaves: &'static [u8],
    price: u32,
    take_off: fn(&str) -> Option<DecodedText>,
) -> Carrier {
    Carrier {
        leaves,
        price,
        take_off,
    }
}

/// The transport encodings. If two lead to the same cost, the earlier one counts.
const CARRIERS: &[Carrier] = &[
    // `data: {"choices":[{"delta":{"content":"{\"a\""}}]}`
    row(b"{\n", 1, events::pieces),
    // Line prefixes of logs, numbered listings, boxes and comments: `12:00:01 INFO {`,
    // `app-1  | {`, ` 1: {`, `│ {        │`, `// {`, `{$`
    row(b"\n", 2, lines::margins),
    // A zero byte next to each character.
    row(b"\0", 2, signs::zeros),
    // `{&quot;a&quot;: 1}`
    row(b"&;", 2, page::entities),
    // `{<br>&nbsp;<span class="s">"a"</span>: 1}`
    row(b"<>", 3, page::markup),
    // `%7B%22a%22%3A1%7D`
    row(b"%", 2, signs::percent),
    // `{=22a=22: 1}`
    row(b"=", 1, signs::quoted_printable),
    // `'{"a": ' + '"it\'s"}'`
    row(b"\"", 1, literals::literals),
    row(b"'\\", 1, literals::literals),
    // `+  "a": 2,`
    row(b"\n", 2, diff::changes),
    // `{""a"": 1}`
    row(b"\"", 2, escapes::doubled_quotes),
    // `{\u0022a\u0022: \u0022b\\nc\u0022}`, also with other characters unescaped.
    row(b"\\u02", 2, escapes::escapes),
    row(b"\\u02", 2, escapes::unicode_escapes),
    // `{\x22a\x22: 1}`
    row(b"\\x2", 2, signs::hex_escapes),
    // `{Ċ"a":Ġ1}`
    row(b"\xC4", 2, signs::byte_tokens),
    // `{<0x0A>▁▁"a":▁1}`
    row(b"\xE2\x96\x81", 2, signs::bars),
    // `{â€œaâ€: 1}`
    row(b"\xC3", 1, signs::windows),
    // `｛＂ａ＂：１｝`
    row(b"\xEF", 3, wide::full_width),
    // `{\"a\": 1}`
    row(b"\\\"", 3, escapes::backslashes),
    // `'{"a": "it'\''s"}'`
    row(b"'", 3, signs::shell),
    // ``"{`"a`": 1}"``
    row(b"`\"", 2, signs::power_shell),
    // `\{"a\_b": \[1\]\}`
    row(b"\\", 1, signs::markdown),
    // `{``a'': 1}`
    row(b"`'", 3, signs::latex_quotes),
    // Terminal colors.
    row(b"m", 1, signs::colours),
    // A truncated value that continues in the next fence, turn or message.
    row(b"\n", 1, parts::joined),
    // Lines that end within a word because they reached the last column.
    row(b"\n", 1, wraps::columns),
    // Guesses for a single wrapped line, and for lines that end between words, since the writer may
    // have ended them.
    row(b"\n", CUT, wraps::guessed),
];

/// Maximum number of nested encodings that are removed.
const LAYERS_MAX: usize = 3;

/// The cost of a reply without a value that may have a transport encoding.
const NO_VALUE: u32 = 1 << 20;

/// The cost of a truncated value.
const CUT: u32 = 24;

/// The ratio of a reply's length to an array of scalars at which the array counts as a fragment.
const FRAGMENT: u32 = 4;

/// The cost of repairs by class.
const PRICES: [u32; 3] = [2, 8, 32];

/// Repairs typical of writers, which no transport encoding causes and which cost nothing where
/// their meaning is certain: lines that end with comments may be equally long without being
/// wrapped.
const OF_WRITERS: RepairSet = RepairSet::of(&[
    RepairKind::Comment,
    RepairKind::ExtraComma,
    RepairKind::OddSpace,
    RepairKind::OtherKeyword,
    RepairKind::OtherNumber,
    RepairKind::OtherQuotes,
    RepairKind::Tuple,
    RepairKind::UnquotedKey,
]);

/// Records of the surroundings of a value, which cost nothing unless they make the value a guess.
const AROUND: RepairSet = RepairSet::of(&[
    RepairKind::CodeFence,
    RepairKind::ReasoningBlock,
    RepairKind::SurroundingText,
    RepairKind::TemplateToken,
]);

/// The repairs that cost nothing, by kind and class (1), and those that cost nothing at the end of
/// a truncated text (2).
const FREE: [[u8; 4]; RepairKind::ALL.len()] = {
    let mut free = [[0; 4]; RepairKind::ALL.len()];
    let mut at = 0;
    while at < free.len() {
        let kind = RepairKind::ALL[at];
        let mut class = 0;
        while class < 3 {
            let around = AROUND.has(kind) && class < Class::Guess as usize;
            let comment = matches!(kind, RepairKind::Comment);
            let written = OF_WRITERS.has(kind) && (class == 0 || comment);
            let complete = around || written;
            let cut = around || written || RepairSet::UNFINISHED.has(kind);
            free[kind as usize][class] = complete as u8 | (cut as u8) << 1;
            class += 1;
        }
        at += 1;
    }
    free
};

/// A reply without its transport encodings, and the result of reading it.
struct Arrived {
    tape: Tape,
    readings: Readings,
    complete: bool,
    price: u32,
    /// The texts, from the first one decoded from the reply to the one that was read.
    layers: Vec<DecodedText>,
}

impl Reader<'_> {
    /// Reads the whole reply, without its transport encodings if that costs less. Returns `true` if
    /// the text of the value is complete.
    pub(crate) fn carried_reply(&mut self) -> bool {
        let complete = self.reply();
        if self.tape.repairs.is_empty() && self.tape.root == 0 || self.limit.is_some() {
            return complete;
        }
        self.without_carriers(complete)
    }

    /// Removes the transport encodings of a reply that needed repairs.
    #[cold]
    #[inline(never)]
    fn without_carriers(&mut self, complete: bool) -> bool {
        if self.is_as_written(complete) {
            return complete;
        }
        let price = price(self.tape, complete);
        let price = price + self.fragment() + self.misread() + self.margined();
        match cheapest(self.look, self.limits, price, 1) {
            Some(arrived) => self.accept(arrived),
            None => complete,
        }
    }

    /// Returns `true` if the records show that the value has no transport encoding: all of them are
    /// typical of writers or lie around the value, or they show so up to the point where the reply
    /// is truncated.
    fn is_as_written(&self, complete: bool) -> bool {
        let Some(root) = self.tape.nodes.get(self.tape.root as usize) else {
            return false;
        };
        let free = self.tape.repairs.iter().fold(3, |free, repair| {
            free & FREE[repair.kind as usize][repair.class as usize]
        });
        let breaks_off = || root.end as usize >= self.look.text.trim_ascii_end().len();
        let free = match complete {
            true => free & 1 == 1,
            false => free & 2 == 2 && root.is_container() && breaks_off(),
        };
        free && self.fragment() == 0 && self.misread() == 0
    }

    /// Returns the cost of repairs that only a wrong encoding causes: it makes quotes part of keys.
    fn misread(&self) -> u32 {
        if !RepairSet::of(&[RepairKind::UnquotedKey]).among(&self.tape.repairs) {
            return 0;
        }
        let mut letters = memchr::memchr_iter(0xC3, self.look.bytes);
        let quote = |at: usize| self.look.bytes[at..].starts_with("â€œ".as_bytes());
        if letters.any(quote) { PRICES[2] } else { 0 }
    }

    /// Returns the cost of a string that contains the margins of its lines, which are not part of
    /// it.
    fn margined(&self) -> u32 {
        let root = self.tape.nodes.get(self.tape.root as usize);
        let broken = RepairSet::of(&[RepairKind::ControlCharacter]).among(&self.tape.repairs);
        let Some(root) = root.filter(|root| broken && root.is_container()) else {
            return 0;
        };
        self.look.charge_search(root.end as usize);
        let span = root.start as usize..root.end as usize;
        // More than the cost of a string with line breaks, whose class without its margins is a
        // guess.
        let held = lines::in_margins(self.look.text, span);
        if held { 2 * PRICES[2] } else { 0 }
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
        if scalars && small { PRICES[2] } else { 0 }
    }

    /// Replaces the result with transport encodings by the result without them.
    fn accept(&mut self, arrived: Arrived) -> bool {
        let Arrived {
            mut tape,
            readings,
            complete,
            mut layers,
            ..
        } = arrived;
        let (_, start) = self.look.skip_space(0);
        let span = Span::of(start, self.look.text.trim_ascii_end().len());
        let record = |layer: &DecodedText| Repair::of(layer.kind, layer.class, span);
        let carried = Carried {
            records: layers.iter().map(record).collect(),
            text: layers
                .last_mut()
                .map(|last| mem::take(&mut last.text))
                .unwrap_or_default(),
            layers: layers.into_iter().map(|layer| layer.parts).collect(),
        };
        self.tape.clear();
        let (side, side_end) = self.tape.put_side(&carried.text);
        let place = TextSource::Side(Span::new(side, side_end));
        self.tape.root = graft(self.tape, &tape, place);
        self.tape.repairs = mem::take(&mut tape.repairs);
        self.tape.notes = mem::take(&mut tape.notes);
        carried.place(self.tape);
        self.readings = readings;
        self.readings.carried = Some(carried.into());
        complete
    }
}

/// Finds the transport encodings whose removal makes reading cheapest, if that costs less than
/// `below`.
fn cheapest(look: Look<'_>, limits: &Limits, mut below: u32, depth: usize) -> Option<Arrived> {
    let text = look.text;
    if below == 0 {
        return None;
    }
    let mut stands = [false; 256];
    for byte in text.bytes() {
        stands[usize::from(byte)] = true;
    }
    look.charge_search(text.len());
    let mut best = None;
    for carrier in CARRIERS {
        let leaves = || carrier.leaves.iter().all(|byte| stands[usize::from(*byte)]);
        if look.work_is_used_up() || carrier.price >= below || !leaves() {
            continue;
        }
        look.charge_search(text.len());
        let Some(layer) = (carrier.take_off)(text) else {
            continue;
        };
        look.charge(text.len());
        let mut arrived = read(look, limits, layer);
        if arrived.price > 0 && depth < LAYERS_MAX {
            let inner = Look::new(&arrived.layers[0].text, look.work).with_names(look.names);
            if let Some(mut further) = cheapest(inner, limits, arrived.price, depth + 1) {
                further.layers.insert(0, arrived.layers.remove(0));
                arrived = further;
            }
        }
        arrived.price += carrier.price;
        if arrived.price < below {
            below = arrived.price;
            best = Some(arrived);
        }
    }
    best
}

/// Reads a text from which a transport encoding was removed.
fn read(look: Look<'_>, limits: &Limits, layer: DecodedText) -> Arrived {
    let (mut tape, mut scratch) = (Tape::default(), Scratch::default());
    let inner = Look::new(&layer.text, look.work).with_names(look.names);
    let mut reader = Reader::new(inner, &mut tape, limits, &mut scratch);
    let complete = reader.reply();
    let limit = reader.limit.is_some();
    let mut readings = mem::take(&mut reader.readings);
    let root = tape.nodes.get(tape.root as usize);
    // `\"so\"`: an escaped string is the whole reply.
    let is_text =
        layer.kind == RepairKind::EscapedDocument && layer.text.trim_start().starts_with('"');
    let is_value = root.is_some_and(|root| match root.is_container() {
        true => root.count > 0,
        false => is_text && root.tag == Tag::String,
    });
    let price = match is_value && !limit {
        true => price(&tape, complete),
        false => NO_VALUE,
    };
    if readings.all.is_empty() {
        readings.chosen = tape.root;
    }
    let mut layer = layer;
    // Parts that belong together have each key once, and are complete together.
    if layer.kind == RepairKind::JoinedParts && (price > 0 || !tape.notes.is_empty()) {
        layer.class = Class::Guess;
    }
    Arrived {
        tape,
        readings,
        complete,
        price,
        layers: alloc::vec![layer],
    }
}

/// Returns the cost of a reply that was read: the sum over its repairs, except those around the
/// value.
fn price(tape: &Tape, complete: bool) -> u32 {
    if tape.nodes.get(tape.root as usize).is_none() {
        return NO_VALUE;
    }
    let cost = |repair: &Repair| {
        match FREE[repair.kind as usize][repair.class as usize] & 1 == 1 {
            true => 0,
            // If there are several such strings, a web page transported the reply.
            false if repair.kind == RepairKind::HtmlEntities => 1,
            false => PRICES[repair.class as usize],
        }
    };
    let repairs: u32 = tape.repairs.iter().map(cost).sum();
    repairs + if complete { 0 } else { CUT }
}
