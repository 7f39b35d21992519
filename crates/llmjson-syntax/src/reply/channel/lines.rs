//! Boxes that terminals and tables draw around a reply.

use crate::base::repair::RepairKind;
use crate::reply::channel::decoded::DecodedText;

/// The signs of an upright line.
const SIDES: [char; 4] = ['│', '┃', '║', '|'];

/// Takes a box off: a side before and behind each line between two edges.
pub(crate) fn boxes(text: &str) -> Option<DecodedText> {
    let is_edge = |line: &str| {
        let line = line.trim();
        line.chars().count() > 2
            && line
                .chars()
                .all(|sign| matches!(sign, '\u{2500}'..='\u{257f}' | '+' | '-' | '='))
            && !SIDES
                .iter()
                .any(|side| line.starts_with(*side) && line.ends_with(*side))
    };
    let mut taken = DecodedText::of(RepairKind::LineMarks);
    let (mut at, mut inside, mut boxed) = (0, false, 0);
    for line in text.split_inclusive('\n') {
        let place = at;
        at += line.len();
        let body = line.trim();
        if is_edge(body) {
            inside = !inside || boxed > 0 && !ends_box(body);
            continue;
        }
        if !inside {
            taken.push(place, line);
            continue;
        }
        let side = SIDES.iter().find(|side| body.starts_with(**side))?;
        let without = body.strip_prefix(*side)?.strip_suffix(*side)?;
        let start = place + (line.len() - line.trim_start().len()) + side.len_utf8();
        let without = without.trim_end();
        taken.push(start, without);
        taken.push(start + without.len(), "\n");
        boxed += 1;
    }
    taken.end(text.len());
    (boxed > 0).then_some(taken)
}

/// Returns whether an edge is the lower one of its box: that of ASCII may be any.
fn ends_box(edge: &str) -> bool {
    !edge.starts_with(['╭', '┌', '┏', '╔', '├', '┣', '╠'])
}
