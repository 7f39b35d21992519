//! Values as plain Python objects.

use std::mem;

use llmjson::syntax::cursor::{Cursor, Entry, EntryKind, Source};
use llmjson::syntax::{Document, ToJson, ValueRef};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PySlice, PyString};

use crate::input::{Input, Locator, OffsetMap};
use crate::keys::Keys;

/// Minimum length in bytes of a string that is cut out of the text. Shorter ones are decoded.
const CUT_BYTES: usize = 48;

/// The value as dicts, lists, strings, ints, floats, bools and None, as `json.loads` makes them.
///
/// # Errors
///
/// If `parse_float` raises.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: Option<ValueRef<'_>>,
    parse_float: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    build(py, value, parse_float, None)
}

/// The same for a value that was read from this text, to which the places lead.
pub(crate) fn to_python_of<'py>(
    value: Option<ValueRef<'_>>,
    parse_float: Option<&Bound<'py, PyAny>>,
    given: &Bound<'py, PyAny>,
    places: &OffsetMap,
) -> PyResult<Bound<'py, PyAny>> {
    let text = value.map(ValueRef::document_text).unwrap_or_default();
    let source = given
        .cast::<PyString>()
        .ok()
        .filter(|_| places.is_verbatim());
    let source = source.filter(|_| !text.is_ascii());
    let source = source.map(|given| (given, places.of(text)));
    build(given.py(), value, parse_float, source)
}

fn build<'py>(
    py: Python<'py>,
    value: Option<ValueRef<'_>>,
    parse_float: Option<&Bound<'py, PyAny>>,
    source: Option<(&Bound<'py, PyString>, Locator<'_>)>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(value) = value else {
        return Ok(py.None().into_bound(py));
    };
    let mut builder = Builder {
        py,
        keys: Keys::take(),
        items: Vec::new(),
        parse_float,
        source,
    };
    let built = builder.build(Source::of(value).entry());
    builder.keys.give_back();
    built
}

struct Builder<'a, 'py> {
    py: Python<'py>,
    keys: Keys,
    /// The items so far of the lists that are open.
    items: Vec<Bound<'py, PyAny>>,
    parse_float: Option<&'a Bound<'py, PyAny>>,
    /// The text, if it is a Python string that is not all ASCII.
    source: Option<(&'a Bound<'py, PyString>, Locator<'a>)>,
}

/// A container that is being made.
struct BuiltContainer<'s, 'd, 'py> {
    entry: Entry<'s, 'd>,
    /// The children that are not made yet.
    rest: Cursor<'s, 'd>,
    made: Made<'py>,
}

enum Made<'py> {
    /// A list, whose items begin at this place of [`Builder::items`].
    List(usize),
    Dict(Bound<'py, PyDict>),
}

impl<'py> Builder<'_, 'py> {
    /// Makes a value without recursion: threads of Python may have small stacks.
    fn build(&mut self, root: Entry<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
        let Some(mut open) = self.open(root) else {
            return self.scalar(root);
        };
        let mut around = Vec::new();
        loop {
            let (entry, value) = match open.rest.next() {
                Some(child) => match self.open(child) {
                    Some(inner) => {
                        around.push(mem::replace(&mut open, inner));
                        continue;
                    }
                    None => (child, self.scalar(child)?),
                },
                None => {
                    let value = match open.made {
                        Made::List(first) => {
                            PyList::new(self.py, self.items.drain(first..))?.into_any()
                        }
                        Made::Dict(dict) => dict.into_any(),
                    };
                    let inner = open.entry;
                    match around.pop() {
                        Some(outer) => open = outer,
                        None => return Ok(value),
                    }
                    (inner, value)
                }
            };
            match &open.made {
                Made::List(_) => self.items.push(value),
                Made::Dict(dict) => {
                    dict.set_item(self.keys.get(self.py, &entry.name()), value)?;
                }
            }
        }
    }

    /// An empty container for the children of an entry, if it is one.
    fn open<'s, 'd>(&self, entry: Entry<'s, 'd>) -> Option<BuiltContainer<'s, 'd, 'py>> {
        let made = match entry.kind() {
            EntryKind::Array => Made::List(self.items.len()),
            EntryKind::Object => Made::Dict(PyDict::new(self.py)),
            _ => return None,
        };
        let rest = entry.children();
        Some(BuiltContainer { entry, rest, made })
    }

    fn scalar(&mut self, entry: Entry<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(match entry.kind() {
            EntryKind::False => PyBool::new(py, false).to_owned().into_any(),
            EntryKind::True => PyBool::new(py, true).to_owned().into_any(),
            EntryKind::Integer => self.integer(entry)?,
            EntryKind::Float => self.float(entry)?,
            EntryKind::String => match entry.is_escaped() {
                false => self.string(entry)?,
                true => PyString::new(py, &entry.decoded()).into_any(),
            },
            EntryKind::Null | EntryKind::Array | EntryKind::Object => py.None().into_bound(py),
        })
    }

    /// A string without escapes. Long ones are cut out of the text, which is faster than to decode
    /// their UTF-8.
    fn string(&mut self, entry: Entry<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
        let raw = entry.raw();
        if let Some((source, locator)) = &mut self.source
            && raw.len() >= CUT_BYTES
            && let Some(span) = entry.span()
            && locator.is_before(span.start)
            && !raw.is_ascii()
        {
            let start = isize::try_from(locator.index(span.start))?;
            let end = isize::try_from(locator.index(span.end))?;
            return source.get_item(PySlice::new(self.py, start, end, 1));
        }
        Ok(PyString::new(self.py, raw).into_any())
    }

    fn integer(&self, entry: Entry<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
        match entry.as_i64() {
            Some(small) => Ok(PyInt::new(self.py, small).into_any()),
            None => {
                let digits = entry.raw();
                let made = self.py.get_type::<PyInt>().call1((digits,));
                // Python refuses to convert long ones at once.
                made.or_else(|_| long_integer(self.py, digits))
            }
        }
    }

    fn float(&self, entry: Entry<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(parse_float) = self.parse_float {
            return parse_float.call1((entry.raw(),));
        }
        match entry.as_f64() {
            Some(float) => Ok(PyFloat::new(self.py, float).into_any()),
            None => self.py.get_type::<PyFloat>().call1((entry.raw(),)),
        }
    }
}

fn long_integer<'py>(py: Python<'py>, digits: &str) -> PyResult<Bound<'py, PyAny>> {
    static INTEGER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    INTEGER
        .import(py, "llmjson._numbers", "integer")?
        .call1((digits,))
}

/// The value that a JSON text of our own holds.
pub(crate) fn json_to_python<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    let parser = llmjson::syntax::Parser::new().with_limits(UNLIMITED);
    let document = { parser }.parse(json);
    to_python(py, document.root(), None)
}

/// The value as which a record is written.
pub(crate) fn record_to_python<'py>(
    py: Python<'py>,
    record: &impl ToJson,
) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, Document::of(record).root(), None)
}

/// The JSON text of a Python value, as the standard library writes it.
///
/// # Errors
///
/// If it is no JSON value.
pub(crate) fn python_to_json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    let json = py.import(intern!(py, "json"))?;
    let options = PyDict::new(py);
    options.set_item(intern!(py, "ensure_ascii"), false)?;
    options.set_item(intern!(py, "allow_nan"), false)?;
    let text = json.call_method(intern!(py, "dumps"), (value,), Some(&options))?;
    Ok(Input::of(&text)?.text.into_owned())
}

/// Limits for JSON that was written here, however long or deep.
const UNLIMITED: llmjson::syntax::Limits = llmjson::syntax::Limits::DEFAULT
    .with_input_bytes(u32::MAX - 1)
    .with_depth(2_000);
