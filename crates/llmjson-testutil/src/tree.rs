//! JSON as a plain tree.

use std::fmt::{self, Write as _};

/// A value with its members in order and its numbers as they are written.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// The text of a number.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    Array(Vec<Self>),
    /// An object.
    Object(Vec<(String, Self)>),
}

impl Tree {
    /// Returns a string.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns a number with this text.
    pub fn number(number: impl ToString) -> Self {
        Self::Number(number.to_string())
    }

    /// Returns an array of strings.
    pub fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|text| Self::text(text.as_ref()));
        Self::Array(texts.collect())
    }

    /// Returns an object.
    #[must_use]
    pub fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        let members = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Self::Object(members.collect())
    }

    /// Adds a member at the end of an object.
    ///
    /// # Panics
    ///
    /// If the value is not an object.
    pub fn push(&mut self, name: &str, value: Self) {
        match self {
            Self::Object(members) => members.push((name.to_owned(), value)),
            other => panic!("{other:?} has no members"),
        }
    }

    /// Returns the JSON text, on one line.
    #[must_use]
    pub fn write(&self) -> String {
        self.to_string()
    }

    /// Returns the JSON text, with each member and item on its own line.
    #[must_use]
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        self.write_to(Some(0), &mut out)
            .expect("a string can be written");
        out
    }

    fn write_to(&self, indent: Option<usize>, out: &mut impl fmt::Write) -> fmt::Result {
        let inner = indent.map(|indent| indent + 1);
        match self {
            Self::Null => out.write_str("null"),
            Self::Bool(value) => write!(out, "{value}"),
            Self::Number(text) => out.write_str(text),
            Self::Text(text) => out.write_str(&quoted(text, false)),
            Self::Array(items) => {
                out.write_char('[')?;
                for (at, item) in items.iter().enumerate() {
                    step(at > 0, inner, out)?;
                    item.write_to(inner, out)?;
                }
                step(false, indent.filter(|_| !items.is_empty()), out)?;
                out.write_char(']')
            }
            Self::Object(members) => {
                out.write_char('{')?;
                for (at, (name, value)) in members.iter().enumerate() {
                    step(at > 0, inner, out)?;
                    let space = if indent.is_some() { " " } else { "" };
                    write!(out, "{}:{space}", quoted(name, false))?;
                    value.write_to(inner, out)?;
                }
                step(false, indent.filter(|_| !members.is_empty()), out)?;
                out.write_char('}')
            }
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(None, f)
    }
}

/// Writes what separates two children, or a child from its bracket.
fn step(has_comma: bool, indent: Option<usize>, out: &mut impl fmt::Write) -> fmt::Result {
    if has_comma {
        out.write_char(',')?;
    }
    match indent {
        Some(indent) => write!(out, "\n{}", "  ".repeat(indent)),
        None => Ok(()),
    }
}

/// Returns a JSON string, in ASCII on request.
#[must_use]
pub fn quoted(text: &str, ascii: bool) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' || ascii && !c.is_ascii() => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out + "\""
}
