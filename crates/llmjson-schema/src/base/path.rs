//! Paths to places in a value.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr;
use std::sync::Arc;

use llmjson_syntax::{Span, ValueRef};

/// Length beyond which paths are truncated in debug output.
const DEBUG_BYTES_MAX: usize = 1024;

/// One step into a container.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// The member with this key.
    Member(Box<str>),
    /// The item at this index, from 0.
    Index(u32),
}

/// A place in a value: the steps from the root to it.
///
/// Displays in typia's notation, `$input.items[0]["x-y"]`, because prompts and models are tuned to
/// that; [`to_pointer`](Self::to_pointer) gives a JSON Pointer (RFC 6901).
///
/// ```
/// use llmjson_schema::Path;
///
/// let path = Path::parse(r#"$input.items[0]["x-y"]"#).expect("a path");
/// assert_eq!(path.to_string(), r#"$input.items[0]["x-y"]"#);
/// assert_eq!(path.to_pointer(), "/items/0/x-y");
/// ```
///
/// Adding a step costs the same at any depth, and paths below the same place share their steps,
/// because a deep array may have a great many annotated places.
#[derive(Clone, Default)]
pub struct Path {
    last: Option<Arc<Link>>,
}

/// A step, with a link to its parent.
struct Link {
    above: Option<Arc<Link>>,
    step: Step,
    /// The number of steps up to this one.
    depth: usize,
}

impl Path {
    /// Creates the path of the root.
    #[must_use]
    pub const fn root() -> Self {
        Self { last: None }
    }

    /// The span of the innermost value on the way to this place that has a span in the text.
    pub(crate) fn span_in(&self, root: ValueRef<'_>) -> Option<Span> {
        let (mut value, mut span) = (root, root.span());
        for step in self.steps() {
            let inner = match step {
                Step::Member(name) => value.get(name),
                Step::Index(at) => value.item(*at as usize),
            };
            let Some(inner) = inner else { break };
            value = inner;
            span = inner.span().or(span);
        }
        span
    }

    /// Returns the steps from the root.
    #[must_use]
    pub fn steps(&self) -> Vec<&Step> {
        self.steps_from(0)
    }

    /// The steps from the given depth on.
    pub(crate) fn steps_from(&self, depth: usize) -> Vec<&Step> {
        let below = self.links().take_while(|link| link.depth > depth);
        let mut steps: Vec<_> = below.map(|link| &link.step).collect();
        steps.reverse();
        steps
    }

    /// The number of steps.
    pub(crate) fn depth(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.depth)
    }

    /// The number of steps from the root that two paths share.
    pub(crate) fn common(&self, other: &Self) -> usize {
        let mut common = self.depth().min(other.depth());
        let ours = self.links().skip(self.depth() - common);
        let theirs = other.links().skip(other.depth() - common);
        for (one, other) in ours.zip(theirs) {
            if ptr::eq(one, other) {
                break;
            }
            if one.step != other.step {
                common = one.depth - 1;
            }
        }
        common
    }

    /// Returns the links from the last step to the first.
    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.last.as_deref(), |link| link.above.as_deref())
    }

    /// Adds a step.
    pub fn push(&mut self, step: Step) {
        let depth = self.depth() + 1;
        let above = self.last.take();
        self.last = Some(Arc::new(Link { above, step, depth }));
    }

    /// Removes the last step and returns it, or `None` at the root.
    pub fn pop(&mut self) -> Option<Step> {
        let step = self.last.as_ref().map(|link| link.step.clone());
        self.leave();
        step
    }

    /// Removes the last step.
    pub(crate) fn leave(&mut self) {
        if let Some(link) = self.last.take() {
            self.last.clone_from(&link.above);
        }
    }

    /// Returns the path of the member with this key.
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        let mut path = self.clone();
        path.push(Step::Member(name.into()));
        path
    }

    /// Returns the path of the item at this index.
    #[must_use]
    pub fn index(&self, index: u32) -> Self {
        let mut path = self.clone();
        path.push(Step::Index(index));
        path
    }

    /// Returns the path as a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn to_pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.steps() {
            pointer.push('/');
            match step {
                Step::Member(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }

    /// Parses a path as [`Display`](fmt::Display) writes it. Returns `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix("$input")?;
        let mut path = Self::root();
        while let Some(first) = rest.chars().next() {
            let step;
            (step, rest) = match first {
                '.' => {
                    let name = &rest[1..];
                    let end = name.find(['.', '[']).unwrap_or(name.len());
                    if !is_identifier(&name[..end]) {
                        return None;
                    }
                    (Step::Member(name[..end].into()), &name[end..])
                }
                '[' if rest[1..].starts_with('"') => {
                    let mut names = serde_json::Deserializer::from_str(&rest[1..]).into_iter();
                    let name: String = names.next()?.ok()?;
                    let end = 1 + names.byte_offset();
                    (Step::Member(name.into()), rest[end..].strip_prefix(']')?)
                }
                '[' => {
                    let end = rest.find(']')?;
                    (Step::Index(rest[1..end].parse().ok()?), &rest[end + 1..])
                }
                _ => return None,
            };
            path.push(step);
        }
        Some(path)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$input")?;
        self.steps().into_iter().try_for_each(|step| step.fmt(f))
    }
}

/// Drops the steps that are not shared one by one: depth costs no native stack.
impl Drop for Path {
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(link) = next.and_then(Arc::into_inner) {
            next = link.above;
        }
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.depth() == other.depth() && self.common(other) == self.depth()
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.steps().hash(state);
    }
}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.steps().cmp(&other.steps())
    }
}

/// Formats the beginning of a long path, so that a list of records is readable regardless of the
/// keys in the value.
impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = String::from("$input");
        for step in self.steps() {
            match step {
                Step::Member(name) if name.len() > DEBUG_BYTES_MAX => shown.push_str(".…"),
                step => shown.push_str(&step.to_string()),
            }
            if shown.len() > DEBUG_BYTES_MAX {
                shown.truncate(shown.floor_char_boundary(DEBUG_BYTES_MAX));
                shown.push('…');
                break;
            }
        }
        f.debug_tuple("Path").field(&shown).finish()
    }
}

/// Writes the step in path notation: `.name`, `["x-y"]`, `[0]`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(name) if is_plain(name) => write!(f, ".{name}"),
            Self::Member(name) => write!(f, "[{}]", llmjson_syntax::JsonText::of(&**name)),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'))
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

/// Returns `true` if typia writes a key after a point: an ASCII identifier that ECMAScript does not
/// reserve, including strict mode and modules.
fn is_plain(name: &str) -> bool {
    is_identifier(name) && RESERVED.binary_search(&name).is_err()
}

/// Reserved words, in ascending order.
const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "module",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];
