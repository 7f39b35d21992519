//! Input as Python passes it: strings, which may contain lone surrogates, and bytes.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

/// The text to parse.
pub(crate) struct Input<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) places: OffsetMap,
    /// `true` if the bytes end inside a character, which is left out.
    pub(crate) is_cut: bool,
    /// The reason why the item is not text: the message of the exception.
    pub(crate) unread: Option<Box<str>>,
}

/// Converts offsets in the parsed text to indices in the original one.
#[derive(Clone, Debug, Default)]
pub(crate) struct OffsetMap {
    /// `true` if the text was given as bytes.
    in_bytes: bool,
    /// The offsets at which a lone surrogate is written as an escape.
    escapes: Box<[usize]>,
}

/// Converts the offsets of one text; ascending offsets cost one pass over it.
pub(crate) struct Locator<'a> {
    text: &'a str,
    places: &'a OffsetMap,
    offset: usize,
    index: usize,
}

/// The length of an escape such as `\ud800` in bytes.
const ESCAPE_BYTES: usize = 6;

impl<'a> Input<'a> {
    /// Takes a string, or bytes in UTF-8, UTF-16 or UTF-32.
    ///
    /// A lone surrogate, which a Rust string cannot contain, is read as its JSON escape.
    ///
    /// # Errors
    ///
    /// If it is neither a string nor bytes, or bytes in another encoding.
    pub(crate) fn of(given: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            return match text.to_str() {
                Ok(text) => Ok(Self::whole(Cow::Borrowed(text))),
                Err(_) => Self::of_surrogates(text),
            };
        }
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Self::of_bytes(given.py(), Cow::Borrowed(bytes.as_bytes()));
        }
        if let Ok(bytes) = given.cast::<PyByteArray>() {
            return Self::of_bytes(given.py(), Cow::Owned(bytes.to_vec()));
        }
        if is_memory(given)? {
            let bytes = given.call_method0(intern!(given.py(), "tobytes"))?;
            let bytes = bytes.cast::<PyBytes>().map_err(PyErr::from)?;
            return Self::of_bytes(given.py(), Cow::Owned(bytes.as_bytes().to_vec()));
        }
        let kind = given.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "the text must be str, bytes, bytearray or memoryview, not {kind}"
        )))
    }

    /// Returns the object that a result keeps as its source: the text itself, or a copy of mutable
    /// bytes.
    pub(crate) fn kept(given: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() {
            return Ok(given.clone().unbind());
        }
        if given.is_instance_of::<PyByteArray>() || is_memory(given)? {
            let copy = given.py().get_type::<PyBytes>().call1((given,))?;
            return Ok(copy.unbind());
        }
        Ok(given.clone().unbind())
    }

    /// Creates the input for an item that is not text.
    pub(crate) fn unread(reason: String) -> Self {
        Self {
            unread: Some(reason.into()),
            ..Self::whole(Cow::Borrowed(""))
        }
    }

    fn whole(text: Cow<'a, str>) -> Self {
        Self {
            text,
            places: OffsetMap::default(),
            is_cut: false,
            unread: None,
        }
    }

    fn of_surrogates(text: &Bound<'_, PyString>) -> PyResult<Self> {
        let py = text.py();
        let bytes = text.call_method1(intern!(py, "encode"), ("utf-8", "surrogatepass"))?;
        let bytes = bytes.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
        let mut text = String::with_capacity(bytes.len() + ESCAPE_BYTES);
        let mut escapes = Vec::new();
        // A surrogate is three bytes that are not UTF-8; the first one is reported as the error.
        let mut rest = bytes;
        while !rest.is_empty() {
            let valid = match std::str::from_utf8(rest) {
                Ok(valid) => valid,
                Err(error) => {
                    let valid = rest.get(..error.valid_up_to()).unwrap_or_default();
                    std::str::from_utf8(valid).unwrap_or_default()
                }
            };
            text.push_str(valid);
            rest = rest.get(valid.len()..).unwrap_or_default();
            let [first, second, third, ..] = *rest else {
                break;
            };
            let unit = u32::from(first & 0x0f) << 12
                | u32::from(second & 0x3f) << 6
                | u32::from(third & 0x3f);
            escapes.push(text.len());
            text.push_str(&format!("\\u{unit:04x}"));
            rest = rest.get(3..).unwrap_or_default();
        }
        let places = OffsetMap {
            in_bytes: false,
            escapes: escapes.into_boxed_slice(),
        };
        Ok(Self {
            text: Cow::Owned(text),
            places,
            is_cut: false,
            unread: None,
        })
    }

    fn of_bytes(py: Python<'_>, bytes: Cow<'a, [u8]>) -> PyResult<Self> {
        if is_wide(&bytes) {
            return Self::of_wide(py, &bytes);
        }
        let valid = match std::str::from_utf8(&bytes) {
            Ok(text) => text.len(),
            // The end may be missing; the bytes after an invalid one are not guessed.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => {
                let error =
                    pyo3::exceptions::PyUnicodeDecodeError::new_err_from_utf8(py, &bytes, error);
                return Err(error);
            }
        };
        let is_cut = valid < bytes.len();
        let text = match bytes {
            Cow::Borrowed(bytes) => {
                let bytes = bytes.get(..valid).unwrap_or_default();
                Cow::Borrowed(std::str::from_utf8(bytes).unwrap_or_default())
            }
            Cow::Owned(mut bytes) => {
                bytes.truncate(valid);
                Cow::Owned(String::from_utf8(bytes).unwrap_or_default())
            }
        };
        let places = OffsetMap {
            in_bytes: true,
            escapes: Box::default(),
        };
        Ok(Self {
            text,
            places,
            is_cut,
            unread: None,
        })
    }

    /// Converts bytes in UTF-16 or UTF-32, which the standard library distinguishes.
    fn of_wide(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let json = py.import(intern!(py, "json"))?;
        let bytes = PyBytes::new(py, bytes);
        let encoding = json.call_method1(intern!(py, "detect_encoding"), (&bytes,))?;
        let text = bytes.call_method1(intern!(py, "decode"), (encoding, "surrogatepass"))?;
        let owned = Input::of(&text)?;
        Ok(Self {
            text: Cow::Owned(owned.text.into_owned()),
            places: owned.places,
            is_cut: owned.is_cut,
            unread: None,
        })
    }

    /// Returns `true` if the parsed text equals the original, byte for byte.
    pub(crate) fn is_verbatim(&self) -> bool {
        self.places.escapes.is_empty() && !self.is_cut
    }
}

fn is_memory(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    let builtins = given.py().import(intern!(given.py(), "builtins"))?;
    given.is_instance(&builtins.getattr(intern!(given.py(), "memoryview"))?)
}

/// JSON begins with a character below 128, for which UTF-16 and UTF-32 have a zero byte.
fn is_wide(bytes: &[u8]) -> bool {
    let marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    marked || bytes.iter().take(2).any(|byte| *byte == 0)
}

impl OffsetMap {
    /// Returns `true` if offsets count characters of an unchanged text.
    pub(crate) fn is_verbatim(&self) -> bool {
        !self.in_bytes && self.escapes.is_empty()
    }

    pub(crate) fn of<'a>(&'a self, text: &'a str) -> Locator<'a> {
        Locator {
            text,
            places: self,
            offset: 0,
            index: 0,
        }
    }
}

impl Locator<'_> {
    /// Returns `true` if the last offset was not after this one, so that its index is found in one
    /// pass.
    pub(crate) fn is_before(&self, offset: u32) -> bool {
        self.offset <= offset as usize
    }

    /// Returns the index in the original text.
    pub(crate) fn index(&mut self, offset: u32) -> usize {
        let offset = (offset as usize).min(self.text.len());
        if self.places.in_bytes {
            return offset;
        }
        if offset < self.offset {
            (self.offset, self.index) = (0, 0);
        }
        let passed = self.text.get(self.offset..offset).unwrap_or_default();
        self.index += passed.chars().count();
        self.offset = offset;
        let escapes = &self.places.escapes;
        let before = escapes.partition_point(|escape| *escape < offset);
        let inside = escapes.get(before.wrapping_sub(1)).map_or(0, |escape| {
            // Inside an escape: its single character has begun.
            (escape + ESCAPE_BYTES).saturating_sub(offset)
        });
        self.index - before * (ESCAPE_BYTES - 1) + inside
    }
}
