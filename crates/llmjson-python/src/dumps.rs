//! Values as JSON text in the format of Python's `json.dumps`.

use std::fmt::Write as _;
use std::mem;

use llmjson::syntax::{JsonOut, Kind};
use pyo3::prelude::*;
use pyo3::types::PyFloat;

/// The maximum number of digits of an integer that is converted here. Longer ones are left to
/// Python, which has its own limit.
const DIGITS_MAX: usize = 640;

/// Writes a value with `", "` and `": "` between its parts.
pub(crate) struct Writer<'py> {
    py: Python<'py>,
    text: String,
    ensure_ascii: bool,
    /// The text before the next part.
    before: &'static str,
    /// `true` if everything could be written so far.
    is_whole: PyResult<bool>,
}

impl<'py> Writer<'py> {
    /// Creates a writer for text that is about as long as the text that was read.
    pub(crate) fn new(py: Python<'py>, length: usize, ensure_ascii: bool) -> Self {
        Self {
            py,
            text: String::with_capacity(length + length / 8),
            ensure_ascii,
            before: "",
            is_whole: Ok(true),
        }
    }

    /// Returns the text, if everything could be written.
    pub(crate) fn finish(self) -> PyResult<Option<String>> {
        Ok(self.is_whole?.then_some(self.text))
    }

    fn next(&mut self) {
        self.text.push_str(mem::replace(&mut self.before, ", "));
    }

    fn integer(&mut self, digits: &str) -> bool {
        self.text
            .push_str(if digits == "-0" { "0" } else { digits });
        digits.len() <= DIGITS_MAX
    }

    fn float(&mut self, raw: &str) -> PyResult<bool> {
        if is_shortest(raw) {
            self.text.push_str(raw);
            return Ok(true);
        }
        let float = match raw.parse::<f64>() {
            Ok(float) if float.is_finite() => PyFloat::new(self.py, float),
            _ => {
                let float = self.py.get_type::<PyFloat>().call1((raw,))?;
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
        Ok(true)
    }

    fn quoted(&mut self, text: &str) {
        self.text.push('"');
        let mut plain = 0;
        for (at, byte) in text.bytes().enumerate() {
            // The first byte of a character is enough to decide.
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

impl JsonOut for Writer<'_> {
    fn number(&mut self, text: &str) {
        self.next();
        let written = match text.contains(['.', 'e', 'E']) {
            true => self.float(text),
            false => Ok(self.integer(text)),
        };
        if !matches!(written, Ok(true)) && matches!(self.is_whole, Ok(true)) {
            self.is_whole = written;
        }
    }

    fn string(&mut self, text: &str) {
        self.next();
        self.quoted(text);
    }

    fn name(&mut self, name: &str) {
        self.string(name);
        self.text.push_str(": ");
        self.before = "";
    }

    fn open(&mut self, kind: Kind) {
        self.json(if kind == Kind::Object { "{" } else { "[" });
        self.before = "";
    }

    fn close(&mut self, kind: Kind) {
        self.before = ", ";
        self.text.push(if kind == Kind::Object { '}' } else { ']' });
    }

    fn json(&mut self, text: &str) {
        self.next();
        self.text.push_str(text);
    }
}

/// Returns `true` if Python would write a number with a fraction in the same way: without an
/// exponent, and with at most the 15 digits that every decimal keeps through a double and back.
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
