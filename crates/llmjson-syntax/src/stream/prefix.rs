//! Tests whether one value is the beginning of another.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::base::repair::{Class, Note, NoteKind};
use crate::scan::escape;
use crate::tape::{Escaping, NONE, Node, Tag, Tape, flag};
use crate::view::{Entries, Key, ValueRef};

/// Returns `true` if one value continues the one in `shown`, a tape over `text`: containers have at
/// least the same children in the same order, truncated strings begin with the shown ones, and all
/// others are equal. Members replaced by a later one with the same key are compared too. Only the
/// last string may grow, and only if `growing` is its place.
pub(crate) fn continues(shown: (&Tape, &str), growing: Option<u32>, later: (&Tape, &str)) -> bool {
    continues_from(0, shown, growing, later)
}

/// Returns `true` if, of a repeated key, another value counts than the one shown, in an object
/// closed by the end of the text: the stream has not seen any such object closed.
pub(crate) fn replaces(shown: &Tape, later: &Tape) -> bool {
    let mut replaced = later.replaced.iter();
    replaced.any(|(first, last)| {
        let place = |index: u32| index.wrapping_sub(later.root);
        let is_known = shown
            .replaced
            .binary_search(&(place(*first), place(*last)))
            .is_ok();
        (place(*first) as usize) < shown.nodes.len() && !is_known
    }) && has_other_values(&later.notes)
}

/// Returns `true` if members with the same key have different values.
pub(crate) fn has_other_values(notes: &[Note]) -> bool {
    let mut notes = notes.iter();
    notes.any(|note| note.kind == NoteKind::DuplicateKey && note.class != Class::Certain)
}

/// Compares only the nodes from `from` on.
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
        // Equal positions of the next sibling imply equal nesting. The root may turn out to
        // continue after its apparent closer.
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
            && value_continues(
                node,
                &value(shown, text, node),
                &value(later, later_text, new),
                last,
            )
    })
}

/// Compares values whose nodes need not be contiguous, as they are shown. Members that were held
/// back may have been added among those of an object that was open.
pub(crate) fn begins(shown: ValueRef<'_>, growing: Option<u32>, whole: ValueRef<'_>) -> bool {
    let root = shown.index;
    // The remaining parts of the containers being compared, and `true` if the first may continue.
    let mut open: Vec<(Entries<'_>, Entries<'_>, bool)> = Vec::new();
    let mut next = Some((shown, whole));
    loop {
        if let Some((old, new)) = next.take() {
            let same = core::ptr::eq(old.tape, new.tape) && old.index == new.index;
            let last = growing == Some(old.index);
            let alike = || {
                kind(old.node()) == kind(new.node())
                    && value_continues(old.node(), &value_of(old), &value_of(new), last)
            };
            if !same && !alike() {
                return false;
            }
            if !same && old.node().is_container() {
                let continues = old.index == root || old.tape.is_open(old.index);
                open.push((old.entries(), new.entries(), continues));
            }
        }
        let Some((old, new, continues)) = open.last_mut() else {
            return true;
        };
        let Some((key, old)) = old.next() else {
            if !*continues && new.next().is_some() {
                return false;
            }
            open.pop();
            continue;
        };
        let name = key.map(Key::decoded);
        let mut same = |(other, _): &(Option<Key<'_>>, _)| other.map(Key::decoded) == name;
        let found = match *continues {
            true => new.find(same),
            false => new.next().filter(&mut same),
        };
        let Some((_, new)) = found else { return false };
        next = Some((old, new));
    }
}

fn value_of(value: ValueRef<'_>) -> Cow<'_, str> {
    match value.node().tag {
        Tag::String => value.as_str().unwrap_or_default(),
        Tag::Integer | Tag::Float => Cow::Borrowed(value.raw()),
        _ => Cow::Borrowed(""),
    }
}

fn kind(node: &Node) -> Tag {
    match node.tag {
        Tag::Float => Tag::Integer,
        tag => tag,
    }
}

fn value_continues(node: &Node, shown: &str, later: &str, last: bool) -> bool {
    if node.tag == Tag::String && last {
        return later.starts_with(shown);
    }
    shown == later
}

fn key<'t>(tape: &'t Tape, text: &'t str, node: &Node) -> Cow<'t, str> {
    let source = match node.has(flag::KEY_SIDE) {
        true => &tape.side,
        false => text,
    };
    part(source, node.key_escaping(), node.key_start, node.key_end)
}

/// Returns the text of a scalar, or nothing for a container.
fn value<'t>(tape: &'t Tape, text: &'t str, node: &Node) -> Cow<'t, str> {
    match node.tag {
        Tag::String | Tag::Integer | Tag::Float => {
            let source = match node.has(flag::SIDE) {
                true => &tape.side,
                false => text,
            };
            part(source, node.escaping(), node.start, node.end)
        }
        _ => Cow::Borrowed(""),
    }
}

fn part(source: &str, escaping: Escaping, start: u32, end: u32) -> Cow<'_, str> {
    let raw = source.get(start as usize..end as usize).unwrap_or_default();
    if escaping == Escaping::Escaped {
        Cow::Owned(escape::decode(raw))
    } else {
        Cow::Borrowed(raw)
    }
}
