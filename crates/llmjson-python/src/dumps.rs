//! Values as JSON text, as Python's `json.dumps` writes it.

use std::fmt::Write as _;
use std::mem;

use llmjson::syntax::cursor::{Cursor, Entry, EntryKind};
use pyo3::prelude::*;
use pyo3::types::PyFloat;

/// Maximum number of digits of an integer that is converted here. Longer ones are left to Python, which has a
/// limit of its own.
const DIGITS_MAX: usize = 640;

/// Writes a value with `", "` and `": "` between its parts.
pub(crate) struct Writer<'py> {
    py: Python<'py>,
    text: String,
    ensure_ascii: bool,
}

/// A container that is being written.
struct DumpedContainer<'s, 'd> {
    /// The children that are not written yet.
    rest: Cursor<'s, 'd>,
    /// The text before the next child: an opening bracket or a comma.
    before: &'static str,
    closer: char,
}

impl<'py> Writer<'py> {
    /// A writer of a text that is about as long as the one that was read.
    pub(crate) fn new(py: Python<'py>, length: usize, ensure_ascii: bool) -> Self {
        let text = String::with_capacity(length + length / 8);
        Self {
            py,
            text,
            ensure_ascii,
        }
    }

    /// Returns the text written so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Writes a value, without recursion: threads of Python may have small stacks. Returns whether
    /// all of it could be written.
    pub(crate) fn write(&mut self, root: Entry<'_, '_>) -> PyResult<bool> {
        let mut open: Vec<DumpedContainer<'_, '_>> = Vec::new();
        let mut entry = root;
        loop {
            match entry.kind() {
                EntryKind::Array | EntryKind::Object => open.push(self.open(entry)),
                _ if self.scalar(entry)? => {}
                _ => return Ok(false),
            }
            entry = loop {
                let Some(inner) = open.last_mut() else {
                    return Ok(true);
                };
                if let Some(child) = inner.rest.next() {
                    self.text.push_str(mem::replace(&mut inner.before, ", "));
                    if inner.closer == '}' {
                        self.string(&child.name());
                        self.text.push_str(": ");
                    }
                    break child;
                }
                self.text.push(inner.closer);
                open.pop();
            };
        }
    }

    fn open<'s, 'd>(&mut self, entry: Entry<'s, 'd>) -> DumpedContainer<'s, 'd> {
        let (opener, closer) = match entry.kind() {
            EntryKind::Object => ('{', '}'),
            _ => ('[', ']'),
        };
        self.text.push(opener);
        let (rest, before) = (entry.children(), "");
        DumpedContainer {
            rest,
            before,
            closer,
        }
    }

    fn scalar(&mut self, entry: Entry<'_, '_>) -> PyResult<bool> {
        match entry.kind() {
            EntryKind::False => self.text.push_str("false"),
            EntryKind::True => self.text.push_str("true"),
            EntryKind::Integer => return Ok(self.integer(entry.raw())),
            EntryKind::Float => self.float(entry)?,
            EntryKind::String => match entry.is_escaped() {
                false => self.string(entry.raw()),
                true => self.string(&entry.decoded()),
            },
            EntryKind::Null | EntryKind::Array | EntryKind::Object => self.text.push_str("null"),
        }
        Ok(true)
    }

    fn integer(&mut self, digits: &str) -> bool {
        self.text
            .push_str(if digits == "-0" { "0" } else { digits });
        digits.len() <= DIGITS_MAX
    }

    fn float(&mut self, entry: Entry<'_, '_>) -> PyResult<()> {
        if is_shortest(entry.raw()) {
            self.text.push_str(entry.raw());
            return Ok(());
        }
        let float = match entry.as_f64() {
            Some(float) => PyFloat::new(self.py, float),
            None => {
                let float = self.py.get_type::<PyFloat>().call1((entry.raw(),))?;
                float.cast_into().map_err(PyErr::from)?
            }
        };
        let value = float.value();
        if value.is_finite() {
            self.text.push_str(float.repr()?.to_str()?);
        } else {
            let name = if value > 0.0 { "Infinity" } else { "-Infinity" };
            self.text.push_str(name);
        }
        Ok(())
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut plain = 0;
        for (at, byte) in text.bytes().enumerate() {
            // The first byte of a character stands for all of it.
            let is_plain = match self.ensure_ascii {
                true => matches!(byte, b' '..=b'~' | 0x80..=0xbf) && !matches!(byte, b'"' | b'\\'),
                false => byte >= b' ' && !matches!(byte, b'"' | b'\\'),
            };
            if is_plain {
                continue;
            }
            self.text.push_str(text.get(plain..at).unwrap_or_default());
            let rest = text.get(at..).unwrap_or_default();
            let Some(character) = rest.chars().next() else {
                break;
            };
            self.escape(character);
            plain = at + character.len_utf8();
        }
        self.text.push_str(text.get(plain..).unwrap_or_default());
        self.text.push('"');
    }

    fn escape(&mut self, character: char) {
        let short = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a String cannot fail.
                    let _ = write!(self.text, "\\u{unit:04x}");
                }
                return;
            }
        };
        self.text.push_str(short);
    }
}

/// Returns `true` if a number with a fraction is written as Python writes it: without exponent, and with no more
/// than the 15 digits that every decimal keeps on its way to a double and back.
fn is_shortest(raw: &str) -> bool {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    let Some((whole, fraction)) = digits.split_once('.') else {
        return false;
    };
    let is_small = whole == "0" && fraction.starts_with("000");
    let ends_well = fraction == "0" || !fraction.ends_with('0');
    let are_digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    !is_small && ends_well && are_digits && digits.len() <= 16
}
