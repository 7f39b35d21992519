//! Recorded streams: the events or lines in which a server sent a reply piece by piece.

use alloc::vec::Vec;

use crate::base::limits::Limits;
use crate::base::provider::{Holds, ITEM, paths};
use crate::base::repair::RepairKind;
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::reply::channel::decoded::DecodedText;
use crate::scan::escape::{Piece, Pieces};
use crate::tape::Tape;
use crate::view::ValueRef;

/// Keys at least one of which every chunk has.
const NAMES: &[&str] = &["choices", "candidates", "type", "done"];

/// Offsets in the text between which a piece lies, as the content of a string.
type Place = (usize, usize);

/// The lines of a recorded stream.
#[derive(Default)]
struct Lines {
    tape: Tape,
    /// Number of chunks.
    chunks: usize,
    texts: Vec<Place>,
    arguments: Vec<Place>,
    /// The places of texts after `data:` that are not chunks.
    plain: Vec<Place>,
}

/// Joins the texts of recorded chunks, or the texts after `data:` in lines without chunks.
pub(crate) fn pieces(text: &str) -> Option<DecodedText> {
    let (first, last) = region(text)?;
    let mut lines = Lines::default();
    let mut at = first;
    for line in text[first..last].split_inclusive('\n') {
        lines.read(line, at)?;
        at += line.len();
    }
    let blank = |place: &Place| text[place.0..place.1].trim().is_empty();
    let chosen = match lines.texts.iter().all(blank) {
        true => &lines.arguments,
        false => &lines.texts,
    };
    let mut taken = DecodedText::of(RepairKind::TransportEncoding);
    taken.push(0, &text[..first]);
    match lines.chunks {
        0 if lines.plain.len() > 1 => {
            for &(from, to) in &lines.plain {
                taken.push(from, &text[from..to]);
                taken.push(to, "\n");
            }
        }
        2.. if lines.plain.is_empty() && !chosen.is_empty() => {
            for &(from, to) in chosen {
                let mut inside = Pieces::new(&text[from..to]);
                while let Some((at, piece, _)) = inside.next() {
                    match piece {
                        Piece::Text(text) => taken.push(from + at, text),
                        Piece::Char(sign) => taken.push(from + at, sign.encode_utf8(&mut [0; 4])),
                    }
                }
            }
            taken.end(last);
        }
        _ => return None,
    }
    taken.push(last, &text[last..]);
    taken.end(text.len());
    Some(taken)
}

impl Lines {
    /// Reads the line at `at`. Returns `None` if no stream has such a line.
    fn read(&mut self, line: &str, at: usize) -> Option<()> {
        let data = line.strip_prefix("data:");
        let body = data.unwrap_or(line);
        let body = body.strip_prefix(' ').unwrap_or(body);
        let start = at + line.len() - body.len();
        let body = body.trim_end();
        let mut fields = ["event:", "id:", "retry:", ":"].into_iter();
        let is_field = fields.any(|name| line.starts_with(name));
        if is_field || body == "[DONE]" || body.is_empty() && data.is_none() {
            return Some(());
        }
        let is_json = body.starts_with('{') && is_strict(&mut self.tape, body);
        let value = is_json.then(|| ValueRef::new(&self.tape, body, 0));
        let named = |value: &ValueRef<'_>| NAMES.iter().any(|name| value.get(name).is_some());
        let Some(chunk) = value.filter(named) else {
            data?;
            self.plain.push((start, start + body.len()));
            return Some(());
        };
        self.chunks += 1;
        let place = |path: &str| {
            let mut steps = path.split(' ');
            let found = steps.try_fold(chunk, |value, step| match step {
                ITEM => value.item(0),
                name => value.get(name),
            });
            let found = found.filter(|one| one.raw_str().is_some());
            let span = found?.span()?;
            Some((start + span.start as usize, start + span.end as usize))
        };
        let kind = chunk.get("type").and_then(|kind| kind.raw_str());
        let typed = |end: &str| kind.is_some_and(|(kind, _)| kind.ends_with(end));
        let delta = || place("delta");
        let text = paths(|one| matches!(one, Holds::Piece | Holds::AnyText)).find_map(place);
        let text = text.or_else(|| delta().filter(|_| typed("output_text.delta")));
        let arguments = paths(|one| one == Holds::CallPiece).find_map(place);
        let arguments = arguments.or_else(|| delta().filter(|_| typed("arguments.delta")));
        self.texts.extend(text);
        self.arguments.extend(arguments);
        Some(())
    }
}

/// Returns the offsets between which the fields of events or the chunks lie.
fn region(text: &str) -> Option<(usize, usize)> {
    let begins = |line: &str| {
        ["data:", "event:", "{\""]
            .iter()
            .any(|field| line.starts_with(field))
    };
    let (mut at, mut first, mut last) = (0, None, 0);
    for line in text.split_inclusive('\n') {
        if begins(line) {
            first = first.or(Some(at));
            last = at + line.len();
        }
        at += line.len();
    }
    Some((first?, last))
}

/// Reads a chunk onto the tape. Returns `true` if it is strict JSON.
fn is_strict(tape: &mut Tape, body: &str) -> bool {
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
