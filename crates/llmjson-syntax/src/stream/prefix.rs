//! Whether one value is the beginning of another.

use alloc::borrow::Cow;

use crate::escape;
use crate::node::{NONE, Node, Tag, Tape, flag};

/// Whether one value goes on from what `shown` holds, a tape over `text`: containers have at least
/// the same children in the same order, strings that were cut begin with what was shown, all else
/// is the same. Members that a later one of the same name replaces count. Only the last string may
/// grow, and only if `growing` is its place.
pub(crate) fn continues(
    (shown, text): (&Tape, &str),
    growing: Option<u32>,
    (later, later_text): (&Tape, &str),
) -> bool {
    if shown.root == NONE {
        return true;
    }
    if later.root == NONE {
        return false;
    }
    let base = later.root as usize;
    shown.nodes.iter().enumerate().all(|(index, node)| {
        let Some(new) = later.nodes.get(base + index) else {
            return false;
        };
        // Where the next sibling stands tells that both are nested in the same way. The root may
        // turn out to go on behind what seemed to close it.
        let closed = index > 0 && !shown.is_open(index as u32);
        let nested = !node.is_container()
            || if closed {
                later.after((base + index) as u32) == base as u32 + node.next
            } else {
                later.after((base + index) as u32) as usize >= base + shown.nodes.len()
            };
        let last = index + 1 == shown.nodes.len() && growing == Some(index as u32);
        nested
            && kind(node) == kind(new)
            && (index == 0 || key(shown, text, node) == key(later, later_text, new))
            && goes_on(
                (&value(shown, text, node), node),
                (&value(later, later_text, new), new),
                last,
            )
    })
}

fn kind(node: &Node) -> Tag {
    match node.tag {
        Tag::Float => Tag::Integer,
        tag => tag,
    }
}

fn goes_on((shown, node): (&str, &Node), (later, _): (&str, &Node), last: bool) -> bool {
    if node.tag == Tag::String && last {
        return later.starts_with(shown);
    }
    shown == later
}

fn key<'t>(tape: &'t Tape, text: &'t str, node: &Node) -> Cow<'t, str> {
    let (side, escaped) = (node.has(flag::KEY_SIDE), node.has(flag::KEY_ESCAPED));
    part(tape, text, side, escaped, node.key_start, node.key_end)
}

/// The text of a scalar; nothing for a container.
fn value<'t>(tape: &'t Tape, text: &'t str, node: &Node) -> Cow<'t, str> {
    match node.tag {
        Tag::String | Tag::Integer | Tag::Float => {
            let (side, escaped) = (node.has(flag::SIDE), node.has(flag::ESCAPED));
            part(tape, text, side, escaped, node.start, node.end)
        }
        _ => Cow::Borrowed(""),
    }
}

fn part<'t>(
    tape: &'t Tape,
    text: &'t str,
    side: bool,
    escaped: bool,
    start: u32,
    end: u32,
) -> Cow<'t, str> {
    let source = if side { &tape.side } else { text };
    let raw = source.get(start as usize..end as usize).unwrap_or_default();
    if escaped {
        Cow::Owned(escape::decode(raw))
    } else {
        Cow::Borrowed(raw)
    }
}
