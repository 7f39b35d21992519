//! Texts that are made to cost time, of any length, and the schemas that they are held against.
//!
//! One table for all uses: the tests of this directory check the result, the benchmarks measure the time. A
//! text is a few bytes repeated; where those matter, the name says what a parser of the text might do at each
//! of them.

use std::sync::LazyLock;

use llmjson_testutil::table::rows;

use Against::{
    Alike, Anything, Branches, Demands, Flags, List, Patterns, Record, Rows, Steps, Tags, Text,
    Tree, Untagged, Wide, Words,
};
use Make::{Nested, Own, Row};

/// What stands where a repeated text shall have a number of its own.
const COUNTER: char = '§';

/// A way of making texts of any length.
pub(crate) struct Shape {
    /// What it is made of, as a table of results shows it.
    pub(crate) name: &'static str,
    /// The schema that makes the most of it.
    pub(crate) against: Against,
    make: Make,
}

/// How a text is made.
enum Make {
    /// A beginning, the same again and again, an end.
    Row(&'static str, &'static str, &'static str),
    /// What opens as often as what closes, and what stands between.
    Nested(&'static str, &'static str, &'static str),
    /// Anything else.
    Own(fn(usize) -> String),
}

impl Shape {
    /// A text of this shape, of about that many bytes.
    pub(crate) fn text(&self, size: usize) -> String {
        match self.make {
            Row(start, unit, end) => {
                let mut text = String::with_capacity(size + 64);
                text.push_str(start);
                for number in 0.. {
                    push(&mut text, unit, number);
                    if text.len() + end.len() >= size {
                        break;
                    }
                }
                text.push_str(end);
                text
            }
            Nested(open, middle, close) => {
                let times = size / (open.len() + close.len());
                open.repeat(times) + middle + &close.repeat(times)
            }
            Own(make) => make(size),
        }
    }
}

fn push(text: &mut String, unit: &str, number: usize) {
    for (index, part) in unit.split(COUNTER).enumerate() {
        if index > 0 {
            text.push_str(&number.to_string());
        }
        text.push_str(part);
    }
}

/// A schema that texts are held against.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Against {
    /// Refers to itself, takes everything.
    Anything,
    /// An object with a number, a list of texts, and another of its kind.
    Record,
    /// Unions within unions, told apart by a tag.
    Tree,
    /// Branches that only their members' types tell apart.
    Untagged,
    /// An object with a thousand properties and no others.
    Wide,
    /// A list of such objects.
    Rows,
    /// Lists within lists, and numbers in them.
    Steps,
    /// Objects and lists within each other, and booleans in them.
    Flags,
    /// A list of objects with a thousand members that may not be missing.
    Demands,
    /// A list of numbers is wanted, and nothing else.
    List,
    /// Any text will do.
    Text,
    /// A list of texts out of five thousand.
    Words,
    /// A list of objects of two hundred kinds, told apart by the names of their members.
    Branches,
    /// The same, told apart by nothing that is there.
    Alike,
    /// A list of objects of a thousand kinds that say which they are.
    Tags,
    /// Lists of objects, and objects, whose names have to match one of two hundred patterns.
    Patterns,
}

impl Against {
    /// All schemas.
    const ALL: [Self; 16] = [
        Anything, Record, Tree, Untagged, Wide, Rows, Steps, Flags, Demands, List, Text, Words,
        Branches, Alike, Tags, Patterns,
    ];

    fn named(name: &str) -> Self {
        let found = Self::ALL.into_iter().find(|one| one.name() == name);
        found.unwrap_or_else(|| panic!("there is no schema {name}"))
    }

    /// The name that a table shows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Anything => "anything",
            Record => "record",
            Tree => "tree",
            Untagged => "untagged",
            Wide => "wide",
            Rows => "rows",
            Steps => "steps",
            Flags => "flags",
            Demands => "demands",
            List => "list",
            Text => "text",
            Words => "words",
            Branches => "branches",
            Alike => "alike",
            Tags => "tags",
            Patterns => "patterns",
        }
    }

    /// The JSON Schema.
    pub(crate) fn json(self) -> String {
        match self {
            Anything => r##"{"$ref": "#/$defs/any", "$defs": {"any": {"anyOf": [
                {"type": "array", "items": {"$ref": "#/$defs/any"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/any"}},
                {"type": ["string", "number", "boolean", "null"]}]}}}"##
                .to_owned(),
            Record => r##"{"type": "object", "properties": {
                "a": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}},
                "next": {"$ref": "#"}}, "required": ["a"]}"##
                .to_owned(),
            Tree => r##"{"$ref": "#/$defs/node", "$defs": {
                "node": {"anyOf": [{"$ref": "#/$defs/leaf"}, {"$ref": "#/$defs/pair"},
                    {"type": "array", "items": {"$ref": "#/$defs/node"}}]},
                "leaf": {"type": "object", "required": ["kind", "value"], "properties": {
                    "kind": {"const": "leaf"}, "value": {"type": ["integer", "null"]}}},
                "pair": {"type": "object", "required": ["kind", "left"], "properties": {
                    "kind": {"const": "pair"}, "left": {"$ref": "#/$defs/node"},
                    "right": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}}}"##
                .to_owned(),
            Untagged => r##"{"$ref": "#/$defs/node", "$defs": {
                "node": {"oneOf": [{"$ref": "#/$defs/one"}, {"$ref": "#/$defs/other"},
                    {"type": "array", "items": {"$ref": "#/$defs/node"}}, {"type": "integer"}]},
                "one": {"type": "object", "required": ["a", "x"], "properties": {
                    "a": {"$ref": "#/$defs/node"}, "x": {"type": "string"}}},
                "other": {"type": "object", "required": ["a", "x"], "properties": {
                    "a": {"$ref": "#/$defs/node"}, "x": {"type": "number"}}}}}"##
                .to_owned(),
            Wide => {
                let property = |index| format!(r#""key_{index}": {{"type": "integer"}}"#);
                let properties: Vec<_> = (0..1000).map(property).collect();
                format!(
                    r#"{{"type": "object", "properties": {{{}}}, "additionalProperties": false}}"#,
                    properties.join(", ")
                )
            }
            Rows => format!(r#"{{"type": "array", "items": {}}}"#, Wide.json()),
            Steps => r##"{"type": ["array", "integer"], "items": {"$ref": "#"}}"##.to_owned(),
            Flags => r##"{"type": ["object", "array", "boolean"],
                "additionalProperties": {"$ref": "#"}, "items": {"$ref": "#"}}"##
                .to_owned(),
            Demands => {
                let names: Vec<_> = (0..1000).map(|index| format!(r#""key_{index}""#)).collect();
                format!(
                    r#"{{"type": "array", "items": {{"required": [{}]}}}}"#,
                    names.join(", ")
                )
            }
            List => r#"{"type": "array", "items": {"type": "number", "minimum": 0}}"#.to_owned(),
            Text => r#"{"type": "string"}"#.to_owned(),
            Words => {
                let words = (0..5_000).map(|at| format!(r#""value of the schema number {at}""#));
                let words: Vec<_> = words.collect();
                format!(
                    r#"{{"type": "array", "items": {{"enum": [{}]}}}}"#,
                    words.join(", ")
                )
            }
            Branches => any_of(200, |at| {
                format!(
                    r#""properties": {{"a{at}": {{"type": "integer"}}, "b{at}": {{"type": "string"}}}},
                       "required": ["a{at}"]"#
                )
            }),
            Alike => any_of(200, |at| {
                format!(
                    r#""properties": {{"h": {{"type": "integer"}}, "i": {{"type": "string"}},
                       "p{at}": {{"type": "string"}}}}, "required": ["h", "i"]"#
                )
            }),
            Tags => any_of(1_000, |at| {
                format!(
                    r#""properties": {{"kind": {{"const": "kind_{at}"}}, "n": {{"type": "integer"}}}},
                       "required": ["kind", "n"]"#
                )
            }),
            Patterns => {
                let pattern = |at| format!(r#""^x{at}_[a-z0-9]+$": {{"type": "integer"}}"#);
                let patterns: Vec<_> = (0..200).map(pattern).collect();
                format!(
                    r##"{{"type": ["array", "object"], "items": {{"$ref": "#"}},
                        "patternProperties": {{{}}}, "additionalProperties": false}}"##,
                    patterns.join(", ")
                )
            }
        }
    }
}

/// Returns the schema of a list of objects of `count` kinds.
fn any_of(count: usize, rules: impl Fn(usize) -> String) -> String {
    let branches = (0..count).map(|at| format!(r#"{{"type": "object", {}}}"#, rules(at)));
    let branches: Vec<_> = branches.collect();
    format!(
        r#"{{"type": "array", "items": {{"anyOf": [{}]}}}}"#,
        branches.join(", ")
    )
}

fn own(name: &'static str, against: Against, make: fn(usize) -> String) -> Shape {
    let make = Own(make);
    Shape {
        name,
        against,
        make,
    }
}

/// The shapes that a function makes.
#[rustfmt::skip] // A row is a line.
fn made() -> Vec<Shape> {
    vec![
        own("closers that fit nothing around them", Record, |size| "{\"a\":".repeat(400) + &repeat("\"x\"] ", size)),
        own("single quotes far down", Anything, |size| "[".repeat(400) + &repeat("'a', ", size)),
        own("levels of text in text", Record, levels),
        own("white space behind a name again and again", Record, spaces_behind_names),
        own("runs of values", Record, |size| repeat(&("{\"a\": \"1\"}".repeat(40) + "; and "), size)),
        own("values behind white space", Record, |size| " \n".repeat(size / 4) + &repeat("{}", size / 2)),
        own("many names twice", Record, names_twice),
        own("trees as deep as may be", Tree, |size| { deep(size, r#"{"kind":"pair","left":"#, r#"{"kind":"leaf"}"#) }),
        own("untagged as deep as may be", Untagged, |size| { deep(size, r#"{"x":"1","a":"#, "true") }),
        own("records as deep as may be", Record, |size| { deep(size, r#"{"a":"1","next":"#, "{}") }),
        own("wrong far down", Anything, |size| "[".repeat(400) + &repeat("\"x\", ", size)),
        own("wrong far down, all of it", Steps, |size| "[".repeat(400) + &repeat("\"x\", ", size)),
        own("lists in each other, the last closers swapped", Record, |size| {
                let one = r#"[{"next":"#.repeat(200) + "1" + &"}]".repeat(199) + "]}, ";
                repeat(&one, size)
            }),
        own("one long name above much that is wrong", Flags, |size| { format!("{{\"{}\": [{}0]}}", "n".repeat(size / 2), repeat("1, ", size / 2)) }),
        own("long names at every depth, and wrong at each", Flags, long_names),
        own("anything as deep as may be", Anything, |size| { deep(size, r#"{"a":"#, "[{'b': 1}]") }),
    ]
}

/// All shapes.
pub(crate) static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let rows = rows(include_str!("shapes.txt")).into_iter();
    let written = rows.map(|[make, name, against, start, unit, end]| Shape {
        name,
        against: Against::named(against),
        make: match make {
            "nested" => Nested(start, unit, end),
            _ => Row(start, unit, end),
        },
    });
    written.chain(made()).collect()
});

/// The same again and again, at least once.
fn repeat(unit: &str, size: usize) -> String {
    unit.repeat((size / unit.len()).max(1))
}

/// JSON in a string in JSON in a string; each level nearly doubles the backslashes.
fn levels(size: usize) -> String {
    let mut text = r#"{"a": "1"}"#.to_owned();
    while text.len() < size {
        text = format!("{text:?}");
    }
    let mut end = size.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// Every name twice, far from each other.
fn names_twice(size: usize) -> String {
    let mut text = "{".to_owned();
    let count = size / 26;
    for number in (0..count).chain(0..count) {
        text += &format!("\"k{number}\": {number}, ");
    }
    text + "}"
}

/// An object with a repeated name, and white space for as long.
fn spaces_behind_names(size: usize) -> String {
    let members = repeat("\"a\": 1, ", size / 2);
    format!("{{{members}\"b\": 2}}{}", " ".repeat(size / 2))
}

/// Objects a hundred deep, in each a number and a long name.
fn long_names(size: usize) -> String {
    let open = format!("{{\"a\": 1, \"{}\": ", "n".repeat(size / 100));
    open.repeat(100) + "1" + &"}".repeat(100)
}

/// A list of values that are nested 500 deep.
fn deep(size: usize, open: &str, middle: &str) -> String {
    let one = open.repeat(500) + middle + &"}".repeat(500);
    let count = (size / one.len()).max(1);
    format!("[{}]", vec![one; count].join(","))
}
