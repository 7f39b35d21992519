//! Replies in strings: the literals of a program, and the events or lines in which a server sent a
//! reply piece by piece.

use alloc::vec::Vec;

use crate::base::limits::Limits;
use crate::base::provider::{Holds, ITEM, paths};
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::reply::sources::map::Derived;
use crate::reply::sources::state::is_cut;
use crate::scan::lines;
use crate::tape::Tape;
use crate::view::ValueRef;

/// Maximum length of the text between two literals.
const JOINT_BYTES: usize = 64;

/// Joins the literals of a program that contain a value, and decodes their escapes:
/// `'{"a":' + ' "it\'s"}'`.
pub(crate) fn literals(text: &str) -> Option<Derived> {
    let (first, quote) = opening(text)?;
    let mut derived = Derived::default();
    derived.push(0, &text[..first]);
    let (mut at, mut count, mut escapes) = (first, 0, false);
    let mut joint = None;
    let end = loop {
        let length = literal(&text[at + 1..], quote)?;
        let inside = &text[at + 1..at + 1 + length];
        // A shell has no escapes between single quotes, and a program does not escape double ones
        // there.
        let bare = |at: usize| at == 0 || inside.as_bytes()[at - 1] != b'\\';
        let quotes = || inside.match_indices("\\\"").any(|(at, _)| bare(at));
        let end = at + length + 2;
        if text[end..].starts_with("\\'") || quote == b'\'' && quotes() {
            return None;
        }
        escapes |= inside.contains('\\');
        let begun = derived.text.len();
        derived.push_unescaped(at + 1, inside);
        let next = next(text, end, quote, &mut joint);
        // None of several literals contains all of a value.
        let part = &derived.text[begun..];
        if count == 0 && next.is_some() && part.contains(['{', '[']) && !is_cut(part) {
            return None;
        }
        count += 1;
        match next {
            Some(next) => at = next,
            None => break end,
        }
    };
    (count > 1 || quote == b'\'' && escapes).then(|| derived.finish(text, end))
}

/// Returns the place and kind of the first quote before a bracket if a value begins directly after
/// it, or if it opens an assigned literal.
fn opening(text: &str) -> Option<(usize, u8)> {
    let bytes = text.as_bytes();
    // Within a value it is a string.
    let brace = memchr::memchr(b'{', bytes).unwrap_or(bytes.len());
    let mut quotes = memchr::memchr2_iter(b'"', b'\'', &bytes[..brace]);
    let found = quotes.find(|at| {
        let rest = text[at + 1..].trim_start_matches([' ', '\\', 'n']);
        rest.starts_with(['{', '[']) || text[..*at].trim_end().ends_with(['=', '('])
    })?;
    Some((found, bytes[found]))
}

/// Returns the length of a literal up to its closing quote on the same line.
fn literal(inside: &str, quote: u8) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', inside.get(at..)?.as_bytes()) {
        match inside.as_bytes()[at + found] {
            b'\\' => at += found + 2,
            b'\n' => return None,
            _ => return Some(at + found),
        }
    }
    None
}

/// Returns the place of the next literal, after an operator, or after the text that also follows
/// the other literals: `);\nprint(`.
fn next<'t>(text: &'t str, end: usize, quote: u8, joint: &mut Option<&'t str>) -> Option<usize> {
    let rest = &text[end..];
    let near = &rest.as_bytes()[..rest.len().min(JOINT_BYTES)];
    let between = &rest[..memchr::memchr(quote, near)?];
    // `0:"…"` in the lines of a stream.
    let operator = |sign: char| sign.is_whitespace() || "+\\.&,".contains(sign);
    let number = between
        .strip_prefix('\n')
        .and_then(|part| part.strip_suffix(':'));
    let is_operator = between.trim_matches(operator).is_empty()
        || number.is_some_and(|part| part.bytes().all(|one| one.is_ascii_digit()));
    let is_statement = between.starts_with(')') && between.ends_with('(');
    let joins = is_operator || is_statement && joint.is_none_or(|joint| joint == between);
    *joint = Some(between);
    (!between.is_empty() && joins).then(|| end + between.len())
}

/// Keys of chunks. Every chunk has at least one of these.
const NAMES: &[&str] = &["choices", "candidates", "type", "done"];

/// Fields of events other than their data.
const FIELDS: &[&str] = &["event:", "id:", "retry:", ":"];

/// Offsets between which a string lies.
type Place = (usize, usize);

/// Joins the texts of the recorded chunks of a stream, or their arguments of calls.
pub(crate) fn events(text: &str) -> Option<Derived> {
    let occurs = |name: &str| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    let events = lines(text).filter(|line| is_event(line));
    if events.take(2).count() < 2 || !NAMES.iter().any(|name| occurs(name)) {
        return None;
    }
    let mut tape = Tape::default();
    let (mut texts, mut arguments): (Vec<Place>, Vec<Place>) = (Vec::new(), Vec::new());
    let (mut at, mut chunks, mut first, mut last) = (0, 0, None, 0);
    for line in lines(text) {
        // Text before the stream.
        if first.is_none() && !is_event(line) {
            at += line.len();
            continue;
        }
        let data = line.strip_prefix("data:").unwrap_or(line).trim();
        let start = data.as_ptr() as usize - text.as_ptr() as usize;
        let is_field =
            data.is_empty() || data == "[DONE]" || FIELDS.iter().any(|name| line.starts_with(name));
        let is_json = !is_field && data.starts_with('{') && is_strict(&mut tape, data);
        let found = is_json.then(|| ValueRef::new(&tape, data, 0));
        let found = found.filter(|value| NAMES.iter().any(|name| value.get(name).is_some()));
        let is_chunk = found.is_some();
        if let Some(chunk) = found {
            let place = |(from, to): Place| (start + from, start + to);
            texts.extend(
                piece(chunk, "output_text.delta", |one| {
                    matches!(one, Holds::Piece | Holds::AnyText)
                })
                .map(place),
            );
            arguments
                .extend(piece(chunk, "arguments.delta", |one| one == Holds::CallPiece).map(place));
            chunks += 1;
        }
        if is_chunk || is_field_of_event(line) {
            first = first.or(Some(at));
        }
        at += line.len();
        match is_field || is_chunk {
            true if first.is_some() => last = at,
            // A line of text, before or after the stream or within it.
            _ if first.is_some() && at < text.len() => return None,
            _ => {}
        }
    }
    let blank = |place: &Place| text[place.0..place.1].trim().is_empty();
    let chosen = if texts.iter().all(blank) {
        arguments
    } else {
        texts
    };
    let mut derived = Derived::default();
    derived.push(0, &text[..first?]);
    for &(from, to) in &chosen {
        derived.push_unescaped(from, &text[from..to]);
    }
    (chunks > 1 && !chosen.is_empty()).then(|| derived.finish(text, last))
}

/// Returns `true` for a line that may begin a stream: a field of an event, or its data by itself.
fn is_event(line: &str) -> bool {
    let data = line.trim_ascii();
    data.starts_with('{') && data.ends_with('}') || is_field_of_event(line)
}

fn is_field_of_event(line: &str) -> bool {
    let mut names = ["event:", "data:"].iter();
    names.any(|name| line.starts_with(name))
}

/// Returns the place of the string in a chunk that holds a piece of a reply.
fn piece(chunk: ValueRef<'_>, kind: &str, holds: fn(Holds) -> bool) -> Option<Place> {
    let place = |path: &str| {
        let mut steps = path.split(' ');
        let found = steps.try_fold(chunk, |value, step| match step {
            ITEM => value.item(0),
            name => value.get(name),
        });
        let span = found.filter(|one| one.raw_str().is_some())?.span()?;
        Some((span.start as usize, span.end as usize))
    };
    let typed = chunk.get("type").and_then(|kind| kind.raw_str());
    let is_typed = typed.is_some_and(|(typed, _)| typed.ends_with(kind));
    let delta = || is_typed.then(|| place("delta"))?;
    paths(holds).find_map(place).or_else(delta)
}

/// Reads a text onto the tape. Returns `true` if it is strict JSON.
pub(crate) fn is_strict(tape: &mut Tape, body: &str) -> bool {
    // Damaged text is not a chunk: the work budget allows no search.
    let limits = Limits::DEFAULT.with_work(0);
    let account = limits.account(0);
    let mut scratch = Scratch::default();
    tape.clear();
    let mut reader = Reader::new(Look::new(body, &account), tape, &limits, &mut scratch);
    let read = reader.value(0);
    let whole = read.complete && reader.limit.is_none() && body[read.end..].trim().is_empty();
    whole && tape.repairs.is_empty()
}
