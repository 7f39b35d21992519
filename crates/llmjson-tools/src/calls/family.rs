//! The model families and the markers around their calls: one row for each.

mod own;
mod rows;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use llmjson_syntax::UnknownName;

use super::families::Families;
use super::tag::key_of;

#[cfg(test)]
pub(super) use own::OWN_MAX;
pub(super) use own::kept;
use rows::rows;

/// The form of calls inside their markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `{"name": …, "arguments": {…}}`, a single one, in an array or several in sequence.
    Json,
    /// `<function=name><parameter=key>value</parameter></function>` and similar formats.
    Xml,
    /// `[name(key=value)]`.
    Python,
    /// A name, separators, and the arguments as JSON.
    Named,
    /// A name, then alternating `<arg_key>` and `<arg_value>`.
    Pairs,
    /// `call:name{key:value}`.
    Braces,
    /// Messages with a header that names their recipient.
    Channel,
    /// `Action: name` and `Action Input: {…}`.
    Action,
}

/// The delimiters of calls whose arguments are in brackets after the name.
#[derive(Debug)]
pub(super) struct Signs {
    /// Alternative words before the name.
    pub(super) leads: &'static [&'static str],
    pub(super) open: &'static [char],
    /// Marks around strings, in addition to quotes.
    pub(super) marks: &'static [&'static str],
}

impl Signs {
    /// Returns `true` if names and values are written as in a program: `f(a="x", 5)`.
    pub(super) const fn has_names(&self) -> bool {
        self.marks.is_empty()
    }
}

/// The tags of pairs of a key and a value, by their normalized names.
#[derive(Debug)]
pub(super) struct Pairs {
    pub(super) key: &'static str,
    /// The tag around the type of the value.
    pub(super) hint: &'static str,
    pub(super) value: &'static str,
    /// The tag after a value, if it does not close the tag before it.
    pub(super) end: &'static str,
}

/// `name(key=value)`
pub(super) static PYTHON: Signs = Signs {
    leads: &[""],
    open: &['('],
    marks: &[],
};

/// `call:name{key:<|"|>value<|"|>}`
pub(super) static GEMMA: Signs = Signs {
    leads: &["call:", ":"],
    open: &['{', '('],
    marks: &["<|\"|>", "<escape>"],
};

/// `<arg_key>key</arg_key><arg_value>value</arg_value>`
pub(super) const PAIRS: Pairs = Pairs {
    key: "argkey",
    hint: "argtype",
    value: "argvalue",
    end: "",
};

/// The pairs of other elements, without the words before their names: `<x_arg_key>`.
pub(super) const ANY_PAIRS: Pairs = Pairs {
    key: "key",
    hint: "type",
    value: "value",
    end: "",
};

/// The end of the normalized names of elements around calls.
const CALL: &str = "toolcall";

pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// The beginnings of the names of its models, with spaces between them.
    pub(super) models: &'static str,
    /// The markers that begin calls. The same marker may belong to several rows: the shape decides.
    pub(super) open: Vec<&'static str>,
    /// A text with one call.
    pub(super) example: &'static str,
    /// `true` if values use the XML entities for `<` and `&`.
    pub(super) has_entities: bool,
    pub(super) pairs: Pairs,
    pub(super) signs: &'static Signs,
    /// The namespace of its tags.
    pub(super) space: Option<&'static str>,
    /// The text before a name that more text must follow.
    pub(super) lead: Option<&'static str>,
    /// `true` if it stands for calls of its shape without a known marker.
    pub(super) is_default: bool,
}

impl Row {
    /// Creates a row for calls of a shape, without markers.
    pub(super) const fn new(name: &'static str, shape: Shape) -> Self {
        Self {
            name,
            shape,
            models: "",
            open: Vec::new(),
            example: "",
            has_entities: false,
            pairs: PAIRS,
            signs: &GEMMA,
            space: None,
            lead: None,
            is_default: false,
        }
    }
}

impl Shape {
    /// Returns the shape that the table calls by a name.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "json" => Self::Json,
            "xml" => Self::Xml,
            "python" => Self::Python,
            "named" => Self::Named,
            "pairs" => Self::Pairs,
            "braces" => Self::Braces,
            "channel" => Self::Channel,
            "action" => Self::Action,
            _ => return None,
        })
    }
}

/// A family of models that write tool calls in the same format.
///
/// ```
/// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::Family;
///
/// let family: Family = "hermes".parse()?;
/// assert_eq!(family.name(), "hermes");
/// assert!(Family::all().count() >= 30);
/// # Ok::<(), llmjson::syntax::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Family(u8);

impl Family {
    /// Returns all families.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..rows().len()).map(|at| Self(at as u8))
    }

    /// Returns the stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns an example text with a call in the family's format; empty for a family made from a
    /// response template.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Family, Registry, calls_in};
    ///
    /// let registry = Registry::builder().build()?;
    /// for family in Family::all() {
    ///     let found = calls_in(family.example(), &registry);
    ///     assert_eq!(found.calls()[0].family(), family);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn example(self) -> &'static str {
        self.row().example
    }

    /// Returns the index in the table.
    pub(super) const fn place(self) -> u8 {
        self.0
    }

    /// Returns the family at an index in the table, or of a row that was read at run time.
    pub(super) fn at(place: u8) -> Self {
        Self(place)
    }

    fn row(self) -> &'static Row {
        let at = usize::from(self.0);
        let own = || own::row(at - rows().len());
        rows().get(at).or_else(own).unwrap_or(&rows()[0])
    }

    /// Returns the delimiters of its brackets.
    pub(super) fn signs(self) -> &'static Signs {
        self.row().signs
    }

    /// Returns `true` if calls of the family begin with a marker.
    fn begins_with(self, opener: &str) -> bool {
        let mut open = self.row().open.iter();
        open.any(|one| key_of(one) == opener)
    }

    /// Returns the length of the prefix that a model's name shares with the family's models.
    pub(super) fn begins_model(self, model: &str) -> Option<usize> {
        let begins = self.row().models.split(' ').filter(|one| !one.is_empty());
        begins
            .filter(|one| model.starts_with(one))
            .map(str::len)
            .max()
    }

    pub(super) fn has_entities(self) -> bool {
        self.row().has_entities
    }

    /// Returns the tags of its pairs.
    pub(super) fn pairs(self) -> &'static Pairs {
        &self.row().pairs
    }

    pub(super) fn named(name: &str) -> Self {
        Self::find(|row| row.name == name).unwrap_or(Self((rows().len() - 1) as u8))
    }

    /// Returns the first family of a kind.
    fn find(is_one: impl Fn(&Row) -> bool) -> Option<Self> {
        let at = rows().iter().position(is_one)?;
        Some(Self(at as u8))
    }

    /// Returns the text before a name that more text must follow.
    pub(super) fn lead(self) -> Option<&'static str> {
        self.row().lead
    }

    /// Returns `true` if the calls of both begin with the same marker, or equally without one.
    pub(super) fn shares_marker(self, other: Self) -> bool {
        let (row, of_other) = (self.row(), other.row());
        if row.open.is_empty() && of_other.open.is_empty() && row.shape == of_other.shape {
            return true;
        }
        let of_other: Vec<_> = other.row().open.iter().map(|one| key_of(one)).collect();
        let mut own = self.row().open.iter().map(|one| key_of(one));
        own.any(|one| of_other.contains(&one))
    }

    /// Returns the family whose calls begin with a marker and have a format; the format's default
    /// family if no marker matches. A family read at run time counts if it is named.
    pub(super) fn of(opener: Option<&str>, shape: Shape, only: Option<Families>) -> Self {
        let mut own = only.into_iter().flat_map(Families::own);
        let key = opener.map(key_of);
        if let Some(own) = own.find(|own| key.as_ref().is_some_and(|key| own.begins_with(key))) {
            return own;
        }
        let is_exact = |one: &Self| opener.is_some_and(|opener| one.row().open.contains(&opener));
        let known = |key: String| {
            let own = openers().get(&key);
            own.or_else(|| openers().get(CALL).filter(|_| key.ends_with(CALL)))
        };
        let families = key.and_then(known).into_iter().flatten();
        let found = families.min_by_key(|one| (!is_exact(one), one.row().shape != shape));
        let default = || Self::find(|row| row.shape == shape && row.is_default);
        let found = found.copied().or_else(default);
        found.unwrap_or_else(|| Self::named("json"))
    }

    /// Returns the family whose tags of calls have a namespace.
    pub(super) fn of_space(space: &str) -> Option<Self> {
        Self::find(|row| row.space.is_some_and(|own| space.starts_with(own)))
    }

    /// Returns `true` if a tool's name may follow a marker without arguments.
    pub(super) fn names_alone(opener: &str) -> bool {
        let name = key_of(opener);
        let mut families = openers().get(&name).into_iter().flatten();
        name.ends_with(CALL)
            || families.any(|family| matches!(family.row().shape, Shape::Named | Shape::Pairs))
    }

    /// Returns `true` if a marker begins the calls of some family, or of one of the named families. A name that ends in
    /// the word for a call is a marker like that word.
    pub(super) fn opens(opener: &str, only: Option<Families>) -> bool {
        let is_named = |marker: &str| {
            let named = |only: Families| {
                let families = openers().get(marker).into_iter().flatten();
                families.copied().any(|family| only.contains(family))
            };
            only.map_or_else(|| openers().contains_key(marker), named)
        };
        let mut own = only.into_iter().flat_map(Families::own);
        opener.ends_with(CALL) && is_named(CALL)
            || is_named(opener)
            || own.any(|own| own.begins_with(opener))
    }
}

/// The families of each marker, by its normalized name.
fn openers() -> &'static HashMap<String, Vec<Family>> {
    static OPENERS: OnceLock<HashMap<String, Vec<Family>>> = OnceLock::new();
    OPENERS.get_or_init(|| {
        let mut openers: HashMap<String, Vec<Family>> = HashMap::new();
        for family in Family::all() {
            for open in &family.row().open {
                openers.entry(key_of(open)).or_default().push(family);
            }
        }
        openers
    })
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Family {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let all: Vec<Self> = Self::all().collect();
        UnknownName::find(name, &all, Self::name)
    }
}
