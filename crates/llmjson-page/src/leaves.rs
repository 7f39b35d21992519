//! The names and values of a reply by their places in the text and in the value.
//!
//! A place that is linked lights up on both sides. In a small value all are; in a large one only
//! those at which something was changed or is wrong, so that a page stays light.

use std::collections::HashMap;

use llmjson::syntax::{Items, Key, Members, NodeId, ValueRef};
use llmjson::{
    report::{Found, Path, Step},
    syntax::Span,
};

use crate::Reply;
use crate::marks::Mark;
use crate::words::{before_and_after, clip, found_of};

/// All names and values of a value that is not larger are linked.
const LINKED_MAX: usize = 3_000;
/// Maximum number of changes and violations that are shown.
const NOTES_MAX: usize = 2_000;
/// Maximum number of steps to find the places of what is missing.
const STEPS_MAX: usize = 2_000_000;

/// A name or scalar in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The number of the value, in the order of the value.
    pub(crate) value: usize,
}

/// A note about a value, shown beside it.
#[derive(Clone, Debug)]
pub(crate) struct LeafNote {
    /// The style in which it is marked.
    pub(crate) tone: &'static str,
    pub(crate) text: String,
}

/// The names, scalars and notes of a reply.
pub(crate) struct Leaves {
    /// The places in the order of the text.
    pub(crate) places: Vec<Leaf>,
    /// `true` for each value that is linked, by its number.
    pub(crate) linked: Vec<bool>,
    /// The numbers at which the values within each one end, by its number.
    pub(crate) ends: Vec<usize>,
    pub(crate) notes: HashMap<usize, Vec<LeafNote>>,
    /// Number of changes and violations that are not shown.
    pub(crate) left_out: usize,
}

/// The members or items of a container that are still to come.
pub(crate) enum Inside<'d> {
    Members(Members<'d>),
    Items(Items<'d>),
}

impl<'d> Inside<'d> {
    pub(crate) fn of(value: ValueRef<'d>, is_object: bool) -> Self {
        match is_object {
            true => Self::Members(value.members()),
            false => Self::Items(value.items()),
        }
    }

    pub(crate) fn next(&mut self) -> Option<(Option<Key<'d>>, ValueRef<'d>)> {
        match self {
            Self::Members(members) => members.next_keyed().map(|(key, value)| (Some(key), value)),
            Self::Items(items) => items.next().map(|value| (None, value)),
        }
    }
}

/// Returns `Some` for a container: `true` if its values have names.
pub(crate) fn container(value: ValueRef<'_>) -> Option<bool> {
    use llmjson::syntax::Kind;
    match value.kind() {
        Kind::Object => Some(true),
        Kind::Array => Some(false),
        _ => None,
    }
}

impl Leaves {
    pub(crate) fn of(reply: &Reply<'_>, marks: &[Mark]) -> Self {
        let mut leaves = Self {
            places: Vec::new(),
            linked: Vec::new(),
            ends: Vec::new(),
            notes: HashMap::new(),
            left_out: 0,
        };
        let Some(root) = reply.root() else {
            return leaves;
        };
        let numbers = leaves.number(root, reply);
        leaves.linked = vec![leaves.ends.len() <= LINKED_MAX; leaves.ends.len()];
        leaves.note(reply, root, &numbers);
        for value in leaves.notes.keys() {
            leaves.linked[*value] = true;
        }
        leaves.places.sort_by_key(|leaf| (leaf.start, leaf.end));
        // Places that share text, such as a value that was read twice, are linked once.
        let mut end = 0;
        leaves.places.retain(|leaf| {
            let is_apart = leaf.start >= end;
            if is_apart {
                end = leaf.end;
            }
            is_apart
        });
        for mark in marks {
            if let Some(leaf) = leaves.at(mark.span.start, mark.span.end) {
                leaves.linked[leaf.value] = true;
            }
        }
        leaves
    }

    /// The name or scalar that a part of the text is about: the first that it touches.
    pub(crate) fn at(&self, start: usize, end: usize) -> Option<Leaf> {
        let next = self.places.partition_point(|leaf| leaf.end < start);
        let near = self.places.get(next..)?.iter().take(2);
        let mut near = near.filter(|leaf| leaf.start <= end);
        near.next().copied()
    }

    /// Numbers the values in their order, and finds their places.
    fn number(&mut self, root: ValueRef<'_>, reply: &Reply<'_>) -> HashMap<NodeId, usize> {
        let mut numbers = HashMap::new();
        let text = reply.document.text();
        let mut open: Vec<(usize, Inside<'_>)> = Vec::new();
        let mut next = Some((None, root));
        loop {
            if let Some((key, value)) = next.take() {
                let number = self.ends.len();
                self.ends.push(number + 1);
                numbers.insert(value.id(), number);
                let key: Option<Key<'_>> = key;
                self.put(key.and_then(Key::span), number, text);
                match container(value) {
                    Some(is_object) => open.push((number, Inside::of(value, is_object))),
                    None => self.put(value.span(), number, text),
                }
            }
            let Some((number, inside)) = open.last_mut() else {
                return numbers;
            };
            next = inside.next();
            if next.is_none() {
                self.ends[*number] = self.ends.len();
                open.pop();
            }
        }
    }

    /// Adds a place, with the quotes around it.
    fn put(&mut self, span: Option<Span>, value: usize, text: &str) {
        let Some(span) = span.map(Span::range) else {
            return;
        };
        let (mut start, mut end) = (span.start, span.end);
        if end > text.len() || !text.is_char_boundary(start) || !text.is_char_boundary(end) {
            return;
        }
        let bytes = text.as_bytes();
        let quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\'' | b'`'));
        if start > 0 && quote(bytes.get(start - 1)) && quote(bytes.get(end)) {
            (start, end) = (start - 1, end + 1);
        }
        if start < end {
            self.places.push(Leaf { start, end, value });
        }
    }

    fn note(&mut self, reply: &Reply<'_>, root: ValueRef<'_>, numbers: &HashMap<NodeId, usize>) {
        let document = reply.document;
        let mut steps = 0;
        let mut near = |path: &Path| {
            let found = nearest(root, path, &mut steps);
            numbers.get(&found.id()).copied().unwrap_or(0)
        };
        let mut all: Vec<(usize, LeafNote)> = Vec::new();
        for coercion in reply.coercions.iter().take(NOTES_MAX) {
            let after = coercion.after.map(|after| document.node(after).id());
            let known = after.and_then(|after| numbers.get(&after).copied());
            let value = known.unwrap_or_else(|| near(&coercion.path));
            let (before, after) = before_and_after(coercion, document);
            let (kind, class) = (coercion.kind, coercion.class);
            let text = format!("{before} → {after}: {} ({kind}, {class})", kind.sentence());
            let text = match known {
                Some(_) => text,
                None => format!("{}: {text}", clip(&coercion.path.to_string())),
            };
            let tone = class.name();
            all.push((value, LeafNote { tone, text }));
            // What a changed value was read from lights up with it.
            let before = document.node(coercion.before);
            if container(before).is_none() {
                self.put(before.span(), value, document.text());
            }
        }
        for violation in reply.violations.iter().take(NOTES_MAX) {
            let expected = clip(&violation.expected);
            let found = match violation.found {
                Found::Value(found) => Some(document.node(found).id()),
                Found::Missing => None,
            };
            let known = found.and_then(|found| numbers.get(&found).copied());
            let value = known.unwrap_or_else(|| near(&violation.path));
            let path = || clip(&violation.path.to_string());
            let text = match known {
                // A sentence of a check besides the schema.
                _ if violation.keyword == "check_failed" => format!("{}: {expected}", path()),
                Some(_) => format!("expected {expected}"),
                None => {
                    let found = found_of(violation, document);
                    format!("{}: found {found}, expected {expected}", path())
                }
            };
            all.push((
                value,
                LeafNote {
                    tone: "wrong",
                    text,
                },
            ));
        }
        for rejected in reply.rejected.iter().take(NOTES_MAX) {
            let path = Path::parse(&rejected.path);
            let value = path.map_or(0, |path| near(&path));
            let (path, message) = (clip(&rejected.path), clip(&rejected.message));
            let text = format!("{path}: {message}");
            all.push((
                value,
                LeafNote {
                    tone: "wrong",
                    text,
                },
            ));
        }
        let given = reply.coercions.len() + reply.violations.len() + reply.rejected.len();
        self.left_out = given - all.len();
        for (value, note) in all {
            self.notes.entry(value).or_default().push(note);
        }
    }
}

/// The value at a path, or the last one on the way there.
fn nearest<'d>(root: ValueRef<'d>, path: &Path, steps: &mut usize) -> ValueRef<'d> {
    let mut value = root;
    for step in path.steps() {
        *steps += match step {
            Step::Member(_) => value.len(),
            Step::Index(at) => *at as usize,
        };
        if *steps > STEPS_MAX {
            break;
        }
        let inner = match step {
            Step::Member(name) => value.get(name),
            Step::Index(at) => value.item(*at as usize),
        };
        let Some(inner) = inner else { break };
        value = inner;
    }
    value
}
