//! Texts that are made to cost time, of any length, and the schemas that they are held against.
//!
//! One table for all uses: the tests of this directory check the result, the benchmarks measure the time. A
//! text is a few bytes repeated; where those matter, the name says what a parser of the text might do at each
//! of them.

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

const fn row(
    name: &'static str,
    against: Against,
    start: &'static str,
    unit: &'static str,
    end: &'static str,
) -> Shape {
    Shape {
        name,
        against,
        make: Row(start, unit, end),
    }
}

const fn nested(
    name: &'static str,
    against: Against,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
) -> Shape {
    Shape {
        name,
        against,
        make: Nested(open, middle, close),
    }
}

const fn own(name: &'static str, against: Against, make: fn(usize) -> String) -> Shape {
    Shape {
        name,
        against,
        make: Own(make),
    }
}

/// All shapes, by what they are made of.
#[rustfmt::skip] // A row is a line.
pub(crate) const SHAPES: &[Shape] = &[
    // Brackets.
    row("braces opened", Record, "", "{", ""),
    row("brackets opened", Anything, "", "[", ""),
    row("members opened", Anything, "", r#"{"a":"#, ""),
    row("braces and brackets opened", Anything, "", "[{", ""),
    row("lists and members opened", Anything, "", r#"[{"a":"#, ""),
    row("parentheses opened", Anything, "", "(", ""),
    row("braces closed", Record, "", "}", ""),
    row("brackets closed", Anything, "[1", "]", ""),
    row("closers that do not fit", Record, r#"{"a": [1"#, "}])", ""),
    row("members after surplus closers", Record, r#"{"a": 1"#, r#"}, "k§": 1"#, ""),
    row("closers in each other's place", Anything, "[", r#"{"a": [1}], "#, "]"),
    row("closers left out", Anything, "[", r#"{"a": [1, {"b": 2}, "#, ""),
    nested("nested far too deep", Anything, "[", "1", "]"),
    nested("objects nested far too deep", Record, r#"{"next":"#, "1", "}"),
    row("empty objects", Record, "", "{}", ""),
    row("empty lists", List, "[", "[],", "]"),
    row("closers left out of lines", Record, "{\n", " \"k§\": {\n  \"a\": 1\n", "}"),
    row("closers left out of nested lines", Record, "{\n", " \"k§\": [\n  [\n   1,\n", "}"),
    row("wrong closers in lines", Record, "", "{\n1]\n", ""),
    row("objects that go on in lines", Record, "", "{\n \"a\": 1},\n \"b\"]\n}\n", ""),
    row("objects whose lines never end", Record, "", "{\n \"a\": {\n  1}},\n ", "}"),
    row("strings without quotes in lines", List, "[\n", " \"a, {b,\n", "]"),
    row("strings of many lines", Record, "{\n", " \"k§\": \"(\n }\n },\n }\n \" x\",\n", "}"),
    row("lists closed too early", Record, "{", r#""k§": [[1]], 2], "#, "}"),
    row("objects closed too early", Anything, "[", r#"{"a": {"b": 1}}, "c": 2}, "#, "]"),
    row("openers left out", Record, "{", r#""k§": "a": 1}, "#, "}"),
    row("openers of lists left out", Record, "{", r#""k§": 1, 2], "#, "}"),
    row("openers in a string", Record, r#"{"a": ""#, "{[(", r#""}"#),
    own("closers that fit nothing around them", Record, |size| "{\"a\":".repeat(400) + &repeat("\"x\"] ", size)),
    // Quotes.
    row("double quotes", Text, "", "\"", ""),
    row("single quotes", Text, "", "'", ""),
    row("curly quotes", Text, "", "“", ""),
    row("curly quotes in pairs", List, "[", "“a”, ", "]"),
    row("backticks", Text, "", "`", ""),
    row("double quotes in an object", Record, "{", "\"", ""),
    row("double quotes in a list", List, "[", "\"", "]"),
    row("pairs of doubled quotes", Record, r#"{"a": "#, r#"""x"", "#, "}"),
    row("triple quotes", Record, r#"{"a": "#, "\"\"\"x", "}"),
    row("strings side by side", List, "[", r#""a" "b" "#, "]"),
    row("strings side by side in an object", Record, "{", r#""a" "b" "#, "}"),
    row("words in quotes inside a string", Record, r#"{"a": ""#, r#"he said "no", "#, r#""}"#),
    row("quote and comma inside a string", List, r#"[""#, r#"x", y "#, r#""]"#),
    row("names inside a string", Record, r#"{"a": "x "b"#, r#"": "c "d"#, r#""}"#),
    row("apostrophes in single quotes", Record, "{'a': '", "it's, ", "'}"),
    row("opening quotes left out", Record, "{", r#"a§": b","#, "}"),
    row("closing quotes left out", Record, "{", r#""a§": "b, "#, "}"),
    row("closing quotes of names left out", Record, "{", r#""a§: 1, "#, "}"),
    row("closing quotes left out in lines", Record, "{", "\"a§\": \"b,\n", "}"),
    row("closing quotes left out in a list", List, "[", "\"b, ", "]"),
    row("quotes doubled at the end", List, "[", r#""a"", "#, "]"),
    row("quotes opened as others", List, "[", r#"'a", "#, "]"),
    row("quotes opened as others in an object", Record, "{", r#""k§": 'a", "#, "}"),
    row("marked strings", List, "[", "u'a', ", "]"),
    row("words behind items", List, "[", r#""a" b, "#, "]"),
    row("words behind strings", Record, "{", r#""k§": "a" b, "#, "}"),
    row("words between items", List, "[", "\"a\", and\n", "]"),
    row("numbers behind an open string", List, r#"["a"#, ", 1", "]"),
    row("closers and numbers behind an open string", List, r#"[["a"#, "], 1", r#", "b"]"#),
    row("quotations in items", List, "[", r#""a "b", "c" d", "#, "]"),
    row("an item of quotations", List, r#"["a "b""#, r#", "c" d"#, "]"),
    row("an item of code", List, r#"["{"#, r#""k": [1, "#, r#""]"#),
    row("a string of code", Record, r#"{"a": "{"#, "b: \"c\",\n", r#""}"#),
    row("quotes of mixed styles", List, "[", r#""a', 'b", "#, "]"),
    row("quotes and backslashes", Text, "", "\\\"", ""),
    row("text joined by plus on lines", Record, r#"{"tags": ["x""#, " +\n\"b1\"", ""),
    row("expected names inside a string", Record, r#"{"note": ""#, r#"the "tags": is "#, ""),
    row("strings cut at the ends of their lines", Record, "", "{\"a\": \"x\n}\n", ""),
    row("fences in strings without end", Record, "", "```\n{\"a\":[{\"b\":\"x\n```\n", ""),
    own("single quotes far down", Anything, |size| "[".repeat(400) + &repeat("'a', ", size)),
    row("text joined by plus", Record, r#"{"a": "x""#, r#" + "y""#, "}"),
    row("line breaks in a string without end", Record, r#"{"a": ""#, "\n", ""),
    row("raw newlines in a string", Record, r#"{"a": ""#, "line\n", r#""}"#),
    row("a string without end", Record, r#"{"a": ""#, "lorem ipsum, ", ""),
    row("a string without end, in lines", Record, r#"{"a": ""#, "b,\n\"c d\", ", ""),
    // Escapes.
    row("backslashes", Text, "", "\\", ""),
    row("backslashes in a string", Record, r#"{"a": ""#, "\\\\", r#""}"#),
    row("regular expressions in a string", Record, r#"{"a": ""#, r"\d+\.\w ", r#""}"#),
    row("unicode escapes", Record, r#"{"a": ""#, r"\u00e9", r#""}"#),
    row("unicode escapes cut short", Record, r#"{"a": ""#, r"\u0 ", r#""}"#),
    row("high surrogates", Record, r#"{"a": ""#, r"\ud83d", r#""}"#),
    row("surrogate pairs", Record, r#"{"a": ""#, r"\ud83d\ude00", r#""}"#),
    row("escaped JSON", Record, "", r#"{\"a\": \"1\"}"#, ""),
    row("escaped quotes", Record, r#"{"a": 1, "#, r#"\"k§\": \"a\", "b§": 2, "#, "}"),
    row("escaped members", Record, r"{\n", r#"\"k§\": \"1\",\n"#, "}"),
    row("escaped space between tokens", List, "[", r"\n1,", "]"),
    row("escaped lists", List, "", r"\[1\] ", ""),
    own("levels of text in text", Record, levels),
    row("JSON in strings", Record, r#"{"tags": ["#, r#""{\"a\": 1}", "#, "]}"),
    row("openers in strings", Record, r#"{"tags": ["#, r#""[{\"", "#, "]}"),
    row("entities", Record, "{", "&quot;a§&quot;: 1, ", "}"),
    row("entities in a string", Record, r#"{"a": ""#, "&amp;&lt;", r#""}"#),
    // Comments and other gaps.
    row("slashes", Text, "", "/", ""),
    row("line comments", List, "[", "1, // one\n", "]"),
    row("line comment openers", List, "[", "// ", ""),
    row("comments that end in quotes", List, "[", "#a\", ", "]"),
    row("comments behind strings that end in quotes", List, "[", "\"5\" //a\", ", "]"),
    row("block comment openers", List, "[", "/* ", ""),
    row("block comments", List, "[", "/*1*/ 2, ", "]"),
    row("block comment openers outside", List, "", "/*\n", ""),
    row("hashes", Text, "", "#", ""),
    row("hashes between items", List, "[", "1 # one\n", "]"),
    row("markup comment openers", Record, "{", "<!-- ", ""),
    row("markup comments", List, "[", "<!--1--> 2, ", "]"),
    row("white space", Text, "", " \n", ""),
    row("white space behind a value", Record, r#"{"a": 1}"#, "\n", ""),
    row("white space before a value", Record, "", " ", r#"{"a": 1}"#),
    row("white space behind a word", Record, "{a: x", "\n", "y}"),
    own("white space behind a name again and again", Record, spaces_behind_names),
    row("white space after a quote", Record, r#"{"a": "x" "#, "\n ", "y"),
    row("spaces before every quote", Record, r#"{"a": ""#, "\"          ", ""),
    row("unusual spaces", List, "[1", "\u{a0}", ""),
    // Separators.
    row("commas", Text, "", ",", ""),
    row("commas in a list", List, "[", ",", "]"),
    row("commas in an object", Record, "{", ",", "}"),
    row("colons", Text, "", ":", ""),
    row("colons in an object", Record, "{", ":", "}"),
    row("colons in a list", List, "[1", ":", "]"),
    row("colons left out", Record, "{", r#""k§" 1, "#, "}"),
    row("colons for commas", Record, r#"{"a": 1"#, r#": "k§": 2"#, "}"),
    row("commas for colons", Record, "{", r#""k§", 1, "l§": 2, "#, "}"),
    row("commas for colons before lists", Record, "{", r#""k§", [1, 2], "l§": 2, "#, "}"),
    row("commas for colons before a list", Record, "{", r#""k§", [[1, "#, "}"),
    row("colons inside names", Record, "{", r#""k§:" 1, "#, "}"),
    row("commas left out", Record, "{", r#""k§": 1 "#, "}"),
    row("values left out", Record, "{", r#""k§": , "#, "}"),
    row("names alone", Record, "{", r#""k§", "#, "}"),
    row("equals signs", Record, "{", "k§ = 1, ", "}"),
    row("arrows", Record, "{", r#""k§" => 1, "#, "}"),
    row("semicolons", Record, "{", r#""k§": 1; "#, "}"),
    row("equals signs alone", Record, "{", "=", "}"),
    row("ellipses", List, "[", "1, ..., ", "]"),
    row("dots", Text, "", ".", ""),
    row("dots in a list", List, "[", ".", "]"),
    row("plus signs", List, r#"["a""#, "+", "]"),
    // Words and numbers.
    row("bare words", Record, "{a: ", "word ", "}"),
    row("bare words in a list", List, "[", "word, ", "]"),
    row("one bare word", Record, "{a: ", "w", "}"),
    row("bare names", Record, "{", "k§: v, ", "}"),
    row("bare names and quoted words", Record, "{", "k§: v \"w\" x, ", "}"),
    row("names of many words", Record, "{", "k § l: 1, ", "}"),
    row("many items", List, "[1", ",1", "]"),
    row("digits", Text, "", "1", ""),
    row("digits in a list", List, "[", "9", "]"),
    row("minus signs", List, "[", "-", "]"),
    row("numbers side by side", List, "[", "1 2 ", "]"),
    row("numbers with grouped digits", List, "[1", ",000", "]"),
    row("sums", List, "[", "1 + 2, ", "]"),
    row("keywords cut short", List, "[", "tru, ", "]"),
    row("Python's keywords", List, "[", "True, None, ", "]"),
    // Calls and runs of values.
    row("calls opened", Record, "", "Name(", ""),
    row("calls", List, "[", "Name(1), ", "]"),
    nested("calls within calls", Record, "Name(", "{\"a\": 1}", ")"),
    row("objects one after another", Record, "", r#"{"a": "1"}"#, ""),
    row("objects parted by commas", Record, "", r#"{"a": "1"}, "#, ""),
    row("objects on lines", Record, "", "{\"a\": \"1\"}\n", ""),
    row("lists on lines", List, "", "[\"1\"]\n", ""),
    row("scalars on lines", List, "", "1\n", ""),
    row("objects with words between", Record, "", "and {\"a\": \"1\"} or ", ""),
    row("sets", Record, "", "{x} ", ""),
    row("sets in prose", Record, "Use ", "the {x} and ", "{\"a\": 1}"),
    row("objects that break off", Record, "", "see {\"a\": [1, \n\n", ""),
    row("strings that break off", Record, "", "see {\"a\": \"b \n\n", ""),
    own("runs of values", Record, |size| repeat(&("{\"a\": \"1\"}".repeat(40) + "; and "), size)),
    own("values behind white space", Record, |size| " \n".repeat(size / 4) + &repeat("{}", size / 2)),
    row("members without braces", Record, "", "\"k§\": 1,\n", ""),
    row("bare members without braces", Record, "", "k§: 1\n", ""),
    row("an object lost among members", Record, "{", r#""a": 1 "next": {"a": 2 "#, ""),
    row("objects without boundary", Record, "[", r#"{"a": 1, "x": 2, "#, "]"),
    // Replies.
    row("fences", Record, "", "```\n", ""),
    row("values in fences on one line", Record, "{", "\"k§\": ```a```, ", "}"),
    row("fences on one line", Text, "", "```", ""),
    row("fences of tildes", Record, "", "~~~\n", ""),
    row("fences in turns", Record, "", "```\n~~~\n", ""),
    row("fences around values", Record, "", "```json\n{\"a\": \"1\"}\n```\n", ""),
    row("fences opened", Record, "", "```json\n{\"a\": \"1\"\n", ""),
    row("fences in a string", Record, r#"{"a": ""#, "```js\nx\n```\n", r#""}"#),
    row("thinking opened", Record, "", "<think>", "{\"a\": 1}"),
    row("thinking closed", Record, "", "</think>", "{\"a\": 1}"),
    row("thinking opened and closed", Record, "", "<think>x</think>", "{\"a\": 1}"),
    nested("thinking nested", Record, "<think>", "{\"a\": 1}", "</think>"),
    row("drafts in thinking", Record, "<think>", "{\"a\": \"1\"} ", "</think>{\"a\": 1}"),
    row("values after thinking opened", Record, "<think>", "{\"a\": \"1\"} ", ""),
    row("values and tags after thinking opened", Record, "<think>", "</a>{\"a\": \"1\"} ", ""),
    row("thinking about every value", Record, "", "<think>{\"a\": </think>{\"b\": 1}", ""),
    row("tags", Record, "", "<answer>", "{\"a\": 1}"),
    row("tags around values", Record, "", "<tool_call>{\"a\": \"1\"}</tool_call>\n", ""),
    row("tags opened", Record, "", "<a", ""),
    row("angle brackets", Text, "", "<", ""),
    row("closing tags in an object", Record, "{\"a\": \"", "</a>\"", ""),
    row("special tokens", Record, "", "<|im_end|>", "{\"a\": 1}"),
    row("special tokens around values", Record, "", "<|start|>{\"a\": \"1\"}<|end|>", ""),
    row("special tokens opened", Record, "", "<|", ""),
    row("prose in brackets", Record, "", "see [note §] below. ", "{\"a\": 1}"),
    row("prose in braces", Record, "", "write {name} here. ", "{\"a\": 1}"),
    row("prose with apostrophes", Record, "", "it's the user's [turn, ", "{\"a\": 1}"),
    row("prose with open brackets", Record, "", "so [that ", "{\"a\": 1}"),
    row("prose with quotations", Record, "", "he said \"{\" and ", "{\"a\": 1}"),
    row("list numbers", Record, "", "1. first [2]\n", "{\"a\": 1}"),
    row("addresses", Text, "", "https://a.b/c?d=[e]&f={g} ", ""),
    row("code", Text, "", "if (a[0] == \"b\") { c('d'); }\n", ""),
    // Names.
    row("names without colon and comma", Record, "{", r#""a1" "#, ""),
    row("a name without end", Record, r#"{""#, "abc ", ""),
    row("one name again and again", Record, "{", r#""a": 1, "#, "}"),
    row("many names", Record, "{", r#""k§": 1, "#, "}"),
    row("many names in other letters", Record, "{", "\"K \\u00e9 §\": 1, ", "}"),
    own("many names twice", Record, names_twice),
    row("small objects with a name twice", List, "[", r#"{"a": 1, "a": 2}, "#, "]"),
    // Schemas.
    row("a thousand properties", Wide, "{", r#""key_§": "1", "#, "}"),
    row("a thousand properties, spelled otherwise", Wide, "{", r#""Key-§": "1", "#, "}"),
    row("objects with a thousand properties", Wide, "", r#"{"key_1": 1, "x": 2} "#, ""),
    row("a list of objects with a thousand properties", Rows, "[", "{}, ", "]"),
    row("one number as list", List, "[", "[1], ", "]"),
    row("lists wanted, objects given", List, "{", r#""k§": "1", "#, "}"),
    row("texts as numbers", List, "[", r#""1,000", "#, "]"),
    row("texts as numbers, wrong", List, "[", r#""x§", "#, "]"),
    row("a list of tags in one text", Record, r#"{"a": 1, "tags": ""#, "x, ", r#""}"#),
    row("leaves of a tree", Tree, "[", r#"{"kind": "leaf", "value": "1"}, "#, "]"),
    row("leaves with a wrong tag", Tree, "[", r#"{"kind": "loaf", "value": 1}, "#, "]"),
    row("leaves without tag", Tree, "[", r#"{"value": 1}, "#, "]"),
    own("trees as deep as may be", Tree, |size| { deep(size, r#"{"kind":"pair","left":"#, r#"{"kind":"leaf"}"#) }),
    own("untagged as deep as may be", Untagged, |size| { deep(size, r#"{"x":"1","a":"#, "true") }),
    row("untagged branches", Untagged, "[", r#"{"a": "1", "x": true}, "#, "]"),
    own("records as deep as may be", Record, |size| { deep(size, r#"{"a":"1","next":"#, "{}") }),
    own("wrong far down", Anything, |size| "[".repeat(400) + &repeat("\"x\", ", size)),
    own("wrong far down, all of it", Steps, |size| "[".repeat(400) + &repeat("\"x\", ", size)),
    // Much that may be meant.
    row("texts like one of many", Words, "[", "\"value of the schmea number §\", ", "]"),
    row("texts that are none of many", Words, "[", "\"a\", ", "]"),
    row("texts in another spelling", Words, "[", "\"Value Of The Schema Number 4999\", ", "]"),
    row("members that all branches declare", Alike, "[", r#"{"h": "1", "i": 2}, "#, "]"),
    row("members that no branch likes", Alike, "[", r#"{"h": "x", "i": []}, "#, "]"),
    row("members of one branch of many", Branches, "[", r#"{"a199": "1", "b199": 2}, {"q": 1}, "#, "]"),
    row("envelopes around one branch of many", Branches, "[", r#"{"data": {"a7": "1"}}, "#, "]"),
    row("texts that hold one branch of many", Branches, "[", r#""{\"a7\": \"1\"}", "#, "]"),
    row("tags of many branches", Tags, "[", r#"{"kind": "Kind 998", "n": "1"}, {"kind": "kin_7"}, "#, "]"),
    row("names by pattern", Patterns, "{", r#""x7_a§": "1", "y§": 2, "#, "}"),
    row("names by pattern that come again", Patterns, "[", r#"{"x199_ab": "1", "q": 2}, "#, "]"),
    own("lists in each other, the last closers swapped", Record, |size| {
        let one = r#"[{"next":"#.repeat(200) + "1" + &"}]".repeat(199) + "]}, ";
        repeat(&one, size)
    }),
    own("one long name above much that is wrong", Flags, |size| { format!("{{\"{}\": [{}0]}}", "n".repeat(size / 2), repeat("1, ", size / 2)) }),
    own("long names at every depth, and wrong at each", Flags, long_names),
    row("wrong members", Flags, "{", r#""k§": 1, "#, "}"),
    row("a thousand members missing from each object", Demands, "[", "{}, ", "]"),
    row("digits behind a point", List, "[-0.", "1", "]"),
    own("anything as deep as may be", Anything, |size| { deep(size, r#"{"a":"#, "[{'b': 1}]") }),
];

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
