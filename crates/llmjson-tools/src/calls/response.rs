//! Families described by a model's tokenizer, in a form that Hugging Face templates call a response
//! template, or formerly a response schema.

use std::borrow::Cow;
use std::fmt;

use llmjson_syntax::{Kind, ValueRef};

use super::Budget;
use super::family::{Family, GEMMA, PAIRS, Pairs, Row, Shape, Signs, kept};
use super::search::is_thought;
use super::tag::{Tag, key_of};

/// The reason why a response template cannot be turned into a family: the location and the
/// unsupported feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyError {
    what: String,
}

impl FamilyError {
    pub(super) fn new(place: &str, what: impl fmt::Display) -> Self {
        Self {
            what: format!("{place}: {what}"),
        }
    }
}

impl fmt::Display for FamilyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for FamilyError {}

impl Family {
    /// Makes a family from a tokenizer's description of the model's replies: the
    /// `response_template` of `tokenizer_config.json`, or a response schema with regular
    /// expressions. Only readers that [name the family](super::CallReader::with_family) look for
    /// its calls.
    ///
    /// The same name and text give the same family. A process can have 16, which are kept until it
    /// exits.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{CallReader, Family, Registry};
    ///
    /// let template = r#"{"start_anchor": "<|turn|>", "fields": {"tool_calls": {
    ///     "open_pattern": "<acme:call>(?P<name>\\w+)", "close": "</acme:call>", "repeats": true,
    ///     "content": "xml-inline", "content_args": {
    ///         "tag_pattern": "<acme:key>(?P<key>.*?)</acme:key>\\s*<acme:value>(?P<value>.*?)</acme:value>"}}}}"#;
    /// let family = Family::from_response_schema("acme", template)?;
    /// let registry = Registry::builder().build()?;
    /// let reader = CallReader::new(&registry).with_family(family);
    /// let found = reader.read("<acme:call>add<acme:key>a</acme:key><acme:value>1</acme:value></acme:call>");
    /// assert_eq!((found.calls()[0].name(), found.calls()[0].arguments()), ("add", r#"{"a":1}"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the description uses a feature that a family cannot express: markers that are not tags,
    /// patterns with alternatives, arguments of another kind.
    pub fn from_response_schema(name: &str, text: &str) -> Result<Self, FamilyError> {
        Self::own(name, text, || Description::read(text)?.row(name))
    }
}

/// The beginning of messages whose header names their recipient.
const CHANNEL: &str = "<|channel|>";

/// The arguments of calls.
enum Arguments {
    /// A JSON object; the whole call, unless the name is elsewhere.
    Json,
    /// A JSON object with marks around its strings.
    Marked(Vec<String>),
    /// Pairs, each of which this pattern describes.
    Pairs(Vec<Part>),
}

/// The description of calls in this template.
struct Description {
    /// The texts with which a call begins.
    open: Vec<String>,
    /// The texts before and after the name, if it precedes the arguments.
    name: Option<(String, String)>,
    arguments: Arguments,
}

impl Description {
    fn read(text: &str) -> Result<Self, FamilyError> {
        let document = llmjson_syntax::parse(text);
        let is_strict = document.is_complete() && document.repairs().is_empty();
        let root = document
            .root()
            .filter(|root| is_strict && root.kind() == Kind::Object);
        let root =
            root.ok_or_else(|| FamilyError::new("response template", "expected a JSON object"))?;
        match root.get("fields") {
            Some(fields) => Self::of_template(fields),
            None => Self::of_schema(root),
        }
    }

    /// Reads the fields of a response template.
    fn of_template(fields: ValueRef<'_>) -> Result<Self, FamilyError> {
        for (name, field) in fields.members() {
            let open = member(field, "open");
            if let Some(open) = open.filter(|_| name.contains("think") || name.contains("reason"))
                && !is_thought(&open)
            {
                let what = format!("no marker of thoughts is written {open:?}");
                return Err(FamilyError::new(&format!("fields.{name}.open"), what));
            }
        }
        let place = "fields.tool_calls";
        let field = fields.get("tool_calls");
        let field = field.ok_or_else(|| FamilyError::new(place, "expected a field"))?;
        let text = |name: &str| member(field, name).map(String::from);
        let (mut open, mut name) = (Vec::new(), None);
        match (field.get("open"), text("open_pattern")) {
            (Some(list), _) if list.kind() == Kind::Array => {
                open = list
                    .items()
                    .filter_map(|one| one.as_str().map(String::from))
                    .collect();
            }
            (Some(one), _) => open.extend(one.as_str().map(String::from)),
            (None, Some(pattern)) => {
                let parts = parts(&pattern, &format!("{place}.open_pattern"))?;
                name = around(&parts, "name");
                open.extend(first_text(&parts));
            }
            (None, None) => {
                return Err(FamilyError::new(place, "expected `open` or `open_pattern`"));
            }
        }
        let option = |name: &str| field.get("content_args").and_then(|given| given.get(name));
        let arguments = match text("content").as_deref() {
            Some("json") => match option("string_delims") {
                Some(marks) => Arguments::Marked(marks_of(marks)?),
                None => Arguments::Json,
            },
            Some("xml-inline") => {
                let place = format!("{place}.content_args.tag_pattern");
                let pattern = option("tag_pattern").and_then(|one| one.as_str());
                let pattern =
                    pattern.ok_or_else(|| FamilyError::new(&place, "expected a pattern"))?;
                Arguments::Pairs(parts(&pattern, &place)?)
            }
            other => {
                let what = format!("no arguments are read as {:?}", other.unwrap_or("text"));
                return Err(FamilyError::new(&format!("{place}.content"), what));
            }
        };
        Ok(Self {
            open,
            name,
            arguments,
        })
    }

    /// Reads a response schema, whose members have patterns.
    fn of_schema(root: ValueRef<'_>) -> Result<Self, FamilyError> {
        let place = "properties.tool_calls";
        let calls = root.get("properties").and_then(|all| all.get("tool_calls"));
        let calls = calls.ok_or_else(|| FamilyError::new(place, "expected a schema"))?;
        let own = member(calls, "x-regex-iterator").or_else(|| member(calls, "x-regex"));
        let own = own.map(|one| parts(&one, place)).transpose()?;
        let all = member(root, "x-regex")
            .map(|one| parts(&one, "x-regex"))
            .transpose()?;
        let own = own.filter(|parts| first_text(parts).is_some());
        let open = match (&own, &all) {
            (Some(own), _) => first_text(own),
            (None, Some(all)) => around(all, "tool_calls").map(|(before, _)| before),
            (None, None) => None,
        };
        let open = open.filter(|open| !open.is_empty());
        let open =
            open.ok_or_else(|| FamilyError::new(place, "expected a marker before the calls"))?;
        let function = ["items", "properties", "function", "properties"];
        let function = function
            .iter()
            .try_fold(calls, |value, name| value.get(name));
        let name = function
            .and_then(|all| all.get("name"))
            .and_then(|one| member(one, "x-regex"));
        let name = name.map(|one| parts(&one, "name.x-regex")).transpose()?;
        let name = name.and_then(|parts| around(&parts, ""));
        let given = function.and_then(|all| all.get("arguments"));
        let pairs = given.and_then(|given| member(given, "x-regex-key-value"));
        let parser = given.and_then(|given| member(given, "x-parser"));
        let parser = parser.or_else(|| member(calls, "x-parser"));
        let arguments = match (pairs, parser.as_deref()) {
            (Some(pattern), _) => Arguments::Pairs(parts(&pattern, "arguments.x-regex-key-value")?),
            (None, Some("json")) => Arguments::Json,
            (None, Some("gemma4-tool-call")) => Arguments::Marked(vec!["<|\"|>".to_owned()]),
            (None, other) => {
                let what = format!("no arguments are read by {:?}", other.unwrap_or_default());
                return Err(FamilyError::new("arguments.x-parser", what));
            }
        };
        Ok(Self {
            open: vec![open],
            name,
            arguments,
        })
    }

    /// Returns the equivalent row.
    fn row(mut self, name: &str) -> Result<Row, FamilyError> {
        let is_call = |(before, behind): &(String, String)| {
            let sample = format!("{before}f{behind}");
            tag_of(&sample).is_some_and(|tag| tag.is_call())
        };
        let in_tag = self.name.as_ref().is_some_and(is_call);
        if let Some((_, behind)) = self.name.as_ref().filter(|_| !in_tag)
            && !behind.trim().is_empty()
            && !matches!(&*key_of(behind), "args" | "toolsep" | "content" | "message")
        {
            let what = format!("no calls are read with {behind:?} behind the name");
            return Err(FamilyError::new("name", what));
        }
        // `<|channel|>commentary to=functions.`: the header of a message, which is parsed
        // separately.
        let in_channel = self.open.iter().any(|open| open.starts_with(CHANNEL));
        let (mut own, mut tags) = (Vec::new(), PAIRS);
        let shape = match self.arguments {
            Arguments::Json if in_tag => Shape::Xml,
            Arguments::Json if self.name.is_some() => Shape::Named,
            Arguments::Json => Shape::Json,
            Arguments::Marked(marks) => {
                own = marks.into_iter().map(kept).collect();
                Shape::Braces
            }
            Arguments::Pairs(parts) => match pairs(&parts)? {
                Some(pairs) if !in_tag => {
                    tags = pairs;
                    Shape::Pairs
                }
                None if in_tag => Shape::Xml,
                _ => {
                    let what = "no such calls have such arguments";
                    return Err(FamilyError::new("name", what));
                }
            },
        };
        // `<function=` is the tag of the call rather than a marker before it.
        self.open
            .retain(|open| !(in_channel || in_tag && tag_of(open).is_none()));
        for open in &mut self.open {
            // `<|tool_call>call:`
            let lead = GEMMA.leads.iter().find_map(|lead| open.strip_suffix(lead));
            let marker = lead.filter(|_| shape == Shape::Braces).unwrap_or(open);
            if tag_of(marker).is_none() {
                let what = format!("the marker {open:?} is no tag in angle or square brackets");
                return Err(FamilyError::new("open", what));
            }
            *open = marker.to_owned();
        }
        let shape = if in_channel { Shape::Channel } else { shape };
        let signs = Signs {
            marks: Vec::leak(own),
            ..GEMMA
        };
        Ok(Row {
            open: self.open.into_iter().map(kept).collect(),
            pairs: tags,
            signs: Box::leak(Box::new(signs)),
            ..Row::new(kept(name.to_owned()), shape)
        })
    }
}

/// Returns the text of a member.
fn member<'d>(value: ValueRef<'d>, name: &str) -> Option<Cow<'d, str>> {
    value.get(name)?.as_str()
}

/// Returns the tag that a text forms.
fn tag_of(text: &str) -> Option<Tag<'_>> {
    let mut budget = Budget::new(u32::MAX, text.len(), 0);
    Tag::look(text, 0, &mut budget).filter(|tag| tag.end == text.len())
}

/// Returns the tags around keys, around values and after them; `None` if one tag names the key, as
/// in `<parameter=key>`.
fn pairs(parts: &[Part]) -> Result<Option<Pairs>, FamilyError> {
    let error = || FamilyError::new("arguments", "expected tags around `key` and around `value`");
    let (before, between) = around(parts, "key").ok_or_else(error)?;
    let (opener, behind) = around(parts, "value").ok_or_else(error)?;
    let sample = format!("{before}k{between}");
    if tag_of(&sample).is_some_and(|tag| tag.parameter().is_some()) {
        return Ok(None);
    }
    // `</of_key><of_value>`
    let begin = |text: &str| text.rfind('<').unwrap_or(0);
    let end = behind.find('>').map_or(behind.len(), |at| at + 1);
    let tags = [
        &before[begin(&before)..],
        &opener[begin(&opener)..],
        &behind[..end],
    ];
    let tags = tags.map(|text| tag_of(text).map(|tag| (tag.normalized(), tag.is_closing)));
    let [
        Some((key, false)),
        Some((value, false)),
        Some((end, is_closing)),
    ] = tags
    else {
        return Err(error());
    };
    let end = if is_closing && end == value {
        String::new()
    } else {
        end
    };
    Ok(Some(Pairs {
        key: kept(key),
        value: kept(value),
        end: kept(end),
        hint: "",
    }))
}

/// Returns marks, each of which closes its own opener.
fn marks_of(list: ValueRef<'_>) -> Result<Vec<String>, FamilyError> {
    let mark = |pair: ValueRef<'_>| {
        let mut marks = pair
            .items()
            .filter_map(|one| one.as_str().map(String::from));
        let (open, close) = (marks.next()?, marks.next()?);
        (open == close && !open.is_empty()).then_some(open)
    };
    let marks: Option<Vec<_>> = list.items().map(mark).collect();
    let place = "content_args.string_delims";
    marks.ok_or_else(|| FamilyError::new(place, "expected marks that close what they open"))
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A named group, or an unnamed one.
    Group(String),
    Space,
    Any,
}

/// Returns the first text of a pattern.
fn first_text(parts: &[Part]) -> Option<String> {
    match parts.iter().find(|part| **part != Part::Space)? {
        Part::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the texts directly before and after a group.
fn around(parts: &[Part], name: &str) -> Option<(String, String)> {
    let at = parts
        .iter()
        .position(|part| matches!(part, Part::Group(one) if one == name))?;
    let text = |part: Option<&Part>| match part {
        Some(Part::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let mut before = parts[..at]
        .iter()
        .rev()
        .skip_while(|part| **part == Part::Space);
    let mut behind = parts[at + 1..]
        .iter()
        .skip_while(|part| **part == Part::Space);
    Some((text(before.next()), text(behind.next())))
}

/// Parses a pattern: literal texts, groups, space, and wildcards between them.
fn parts(pattern: &str, place: &str) -> Result<Vec<Part>, FamilyError> {
    let error = |what: &str| Err(FamilyError::new(place, format!("{what} in {pattern:?}")));
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(one) = rest.chars().next() {
        let mut length = one.len_utf8();
        let part = match one {
            '^' | '$' => None,
            '.' => Some(Part::Any),
            '|' => return error("no alternatives are read"),
            '[' => {
                length = rest[1..].find(']').map_or(rest.len(), |end| end + 2);
                Some(Part::Any)
            }
            '(' => {
                let Some(end) = group_end(rest) else {
                    return error("a group without an end");
                };
                length = end + 1;
                let inner = &rest[1..end];
                if let Some(inner) = inner.strip_prefix("?:") {
                    // `(?:</tool_call>|$)`
                    let first = inner.split('|').next().unwrap_or_default();
                    parts.extend(self::parts(first, place)?);
                    None
                } else if inner.starts_with("?=") || inner.starts_with("?!") {
                    None
                } else {
                    let named = inner
                        .strip_prefix("?P<")
                        .or_else(|| inner.strip_prefix("?<"));
                    let name = named.and_then(|named| named.split('>').next());
                    Some(Part::Group(name.unwrap_or_default().to_owned()))
                }
            }
            '\\' => {
                let sign = rest[1..].chars().next().unwrap_or('\\');
                length += sign.len_utf8();
                match sign {
                    's' | 'n' | 'r' | 't' => Some(Part::Space),
                    sign if sign.is_alphanumeric() => Some(Part::Any),
                    sign => Some(Part::Text(sign.to_string())),
                }
            }
            one if one.is_whitespace() => Some(Part::Space),
            one => Some(Part::Text(one.to_string())),
        };
        rest = &rest[length.min(rest.len())..];
        let behind = rest.trim_start_matches(['*', '+', '?']);
        let is_text = matches!(part, Some(Part::Text(_)));
        if behind.len() < rest.len() && is_text {
            return error("a character that may be missing or repeated");
        }
        rest = behind;
        match (parts.last_mut(), part) {
            (Some(Part::Text(text)), Some(Part::Text(one))) => text.push_str(&one),
            (_, Some(part)) => parts.push(part),
            (_, None) => {}
        }
    }
    Ok(parts)
}

/// Returns the end of the group at the beginning of a pattern.
fn group_end(pattern: &str) -> Option<usize> {
    let (mut depth, mut is_escaped) = (0_u32, false);
    for (at, one) in pattern.char_indices() {
        match one {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
