//! Whether one value is the beginning of another.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::escape;
use crate::node::{NONE, Node, Tag, Tape, flag};
use crate::view::{Entries, Key, ValueRef};

/// Whether one value goes on from what `shown` holds, a tape over `text`: containers have at least
/// the same children in the same order, strings that were cut begin with what was shown, all else
/// is the same. Members that a later one of the same name replaces count. Only the last string may
/// grow, and only if `growing` is its place.
pub(crate) fn continues(shown: (&Tape, &str), growing: Option<u32>, later: (&Tape, &str)) -> bool {
    continues_from(0, shown, growing, later)
}

/// The same, of the nodes from `from` on alone.
pub(crate) fn continues_from(
    from: usize,
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
    let mut nodes = shown.nodes.iter().enumerate().skip(from);
    nodes.all(|(index, node)| {
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
                node,
                &value(shown, text, node),
                &value(later, later_text, new),
                last,
            )
    })
}

/// The same for a later value whose nodes need not lie in a row, and of which what is shown counts.
pub(crate) fn begins(
    (shown, text): (&Tape, &str),
    growing: Option<u32>,
    whole: ValueRef<'_>,
) -> bool {
    // The containers that hold the node at hand, with what the whole value has in them.
    let mut open: Vec<(u32, Entries<'_>)> = Vec::new();
    let ends_with = |index: u32, rest: &mut Entries<'_>| {
        index == 0 || shown.is_open(index) || rest.next().is_none()
    };
    for (index, node) in (0..).zip(&shown.nodes) {
        while let Some((container, rest)) = open.last_mut()
            && *container > 0
            && shown.after(*container) <= index
        {
            if !ends_with(*container, rest) {
                return false;
            }
            open.pop();
        }
        let new = match open.last_mut() {
            None => (index == 0).then_some((None, whole)),
            Some((_, rest)) => rest.next(),
        };
        let Some((name, new)) = new else {
            return false;
        };
        let name = name.map(Key::decoded).unwrap_or_default();
        let last = index as usize + 1 == shown.nodes.len() && growing == Some(index);
        let (shown_value, new_value) = (
            value(shown, text, node),
            value(new.tape, new.text, new.node()),
        );
        if kind(node) != kind(new.node())
            || index > 0 && key(shown, text, node) != name
            || !goes_on(node, &shown_value, &new_value, last)
        {
            return false;
        }
        if node.is_container() {
            open.push((index, new.entries()));
        }
    }
    let mut open = open.into_iter();
    open.all(|(container, mut rest)| ends_with(container, &mut rest))
}

fn kind(node: &Node) -> Tag {
    match node.tag {
        Tag::Float => Tag::Integer,
        tag => tag,
    }
}

fn goes_on(node: &Node, shown: &str, later: &str, last: bool) -> bool {
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
