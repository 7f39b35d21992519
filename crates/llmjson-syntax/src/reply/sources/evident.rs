//! Sources that a reply shows from its beginning, which are read before the unchanged reply.

use crate::parser::state::reader::Reader;
use crate::reply::sources::{Judge, NO_VALUE, Seen};

/// Number of lines below the first one that show a frame.
const FRAMED: usize = 4;

/// Returns the name of the source that a reply shows from its beginning: `{\"`, or lines that begin
/// with digits, below a line with the bracket of a value.
pub(super) fn source(text: &str) -> Option<&'static str> {
    let text = text.trim_ascii_start();
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'{' | b'[' => {
            let is_outside = |byte: &u8| matches!(byte, b'{' | b'[' | b' ');
            let start = bytes.iter().position(|byte| !is_outside(byte))?;
            let is_escaped = [b"\\\"", b"\\n"]
                .iter()
                .any(|code| bytes[start..].starts_with(*code));
            is_escaped.then_some("backslashes")
        }
        b'0'..=b'9' => {
            let mut lines = text.lines();
            let opens = lines.next()?.trim_end().ends_with(['{', '[']);
            let is_framed = |line: &&str| line.starts_with(|one: char| one.is_ascii_digit());
            let framed = || lines.take(FRAMED).filter(is_framed).count();
            (opens && framed() == FRAMED).then_some("frames")
        }
        _ => None,
    }
}

impl Reader<'_> {
    /// Reads a reply from an evident source if its text is strict JSON and costs least. The
    /// unchanged reply costs more and would take a long search, so it is not read.
    #[cold]
    #[inline(never)]
    pub(super) fn reply_of_source(&mut self, name: &str, judge: Option<Judge<'_>>) -> Option<bool> {
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
}
