//! Values as plain Python objects.

use llmjson::syntax::cursor::{Entry, EntryKind, Source};
use llmjson::syntax::{Document, ToJson, ValueRef};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PySlice, PyString};

use crate::input::{Input, Locator, OffsetMap};
use crate::keys::Keys;

/// The number of entries between two checks whether Python wants the call to stop.
const ENTRIES_UNWATCHED: usize = 1 << 16;
/// The minimum length in bytes of a string that is sliced from the text. Shorter ones are decoded.
const CUT_BYTES: usize = 48;

/// Returns the value as dicts, lists, strings, ints, floats, bools and None, as `json.loads` does.
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

/// Returns the value as [`to_python`] does, for a value parsed from this text, to which its
/// positions refer.
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
    let whole = Source::of(value);
    if whole.entry().is_empty() && whole.entry().kind() == EntryKind::Object {
        return Ok(PyDict::new(py).into_any());
    }
    let mut builder = Builder {
        py,
        keys: Keys::take(),
        items: Vec::new(),
        parse_float,
        source,
    };
    let built = builder.build(&whole);
    builder.keys.give_back();
    built
}

struct Builder<'a, 'py> {
    py: Python<'py>,
    keys: Keys,
    /// The items so far of the open lists.
    items: Vec<Bound<'py, PyAny>>,
    parse_float: Option<&'a Bound<'py, PyAny>>,
    /// The text, if it is a Python string that is not all ASCII.
    source: Option<(&'a Bound<'py, PyString>, Locator<'a>)>,
}

/// A container being created.
struct Open<'py> {
    made: Made<'py>,
    /// The number of children that are not created yet; not 0.
    left: usize,
    /// Its key in the enclosing object.
    key: Option<Bound<'py, PyString>>,
}

enum Made<'py> {
    /// A list, whose items begin at this index of [`Builder::items`].
    List(usize),
    Dict(Bound<'py, PyDict>),
}

impl<'py> Builder<'_, 'py> {
    /// Creates a value without recursion: Python threads may have small stacks.
    fn build(&mut self, source: &Source<'_>) -> PyResult<Bound<'py, PyAny>> {
        let mut around: Vec<Open<'py>> = Vec::new();
        for (number, entry) in source.walk().enumerate() {
            if number % ENTRIES_UNWATCHED == ENTRIES_UNWATCHED - 1 {
                self.py.check_signals()?;
            }
            let key = match around.last() {
                Some(Open {
                    made: Made::Dict(_),
                    ..
                }) => Some(self.key(entry)),
                _ => None,
            };
            let left = entry.len();
            let value = match entry.kind() {
                EntryKind::Array if left > 0 => {
                    let made = Made::List(self.items.len());
                    around.push(Open { made, left, key });
                    continue;
                }
                EntryKind::Object if left > 0 => {
                    let made = Made::Dict(PyDict::new(self.py));
                    around.push(Open { made, left, key });
                    continue;
                }
                _ => self.childless(entry)?,
            };
            if let Some(whole) = self.put(&mut around, key, value)? {
                return Ok(whole);
            }
        }
        Ok(self.py.None().into_bound(self.py))
    }

    /// Puts a value into the enclosing container, and that one, once it has all its children, into
    /// the next. Returns the outermost value once complete.
    #[inline(always)]
    fn put(
        &mut self,
        around: &mut Vec<Open<'py>>,
        mut key: Option<Bound<'py, PyString>>,
        mut value: Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            let Some(open) = around.last_mut() else {
                return Ok(Some(value));
            };
            match (&open.made, key) {
                (Made::Dict(dict), Some(key)) => dict.set_item(key, value)?,
                _ => self.items.push(value),
            }
            open.left -= 1;
            if open.left > 0 {
                return Ok(None);
            }
            let Some(whole) = around.pop() else {
                return Ok(None);
            };
            (key, value) = (whole.key, self.made(whole.made)?);
        }
    }

    fn made(&mut self, made: Made<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match made {
            Made::List(first) => PyList::new(self.py, self.items.drain(first..))?.into_any(),
            Made::Dict(dict) => dict.into_any(),
        })
    }

    #[inline]
    fn key(&mut self, entry: Entry<'_, '_>) -> Bound<'py, PyString> {
        match entry.name_bytes() {
            (name, false) => self.keys.get(self.py, name),
            (_, true) => self.keys.get(self.py, entry.name().as_bytes()),
        }
    }

    /// A scalar or an empty container.
    #[inline(always)]
    fn childless(&mut self, entry: Entry<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
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
            EntryKind::Null => py.None().into_bound(py),
            EntryKind::Array => PyList::empty(py).into_any(),
            EntryKind::Object => PyDict::new(py).into_any(),
        })
    }

    /// A string without escapes. Long ones are sliced from the text, which is faster than decoding
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

/// Returns the value of a JSON text written by this crate.
pub(crate) fn json_to_python<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    let parser = llmjson::syntax::Parser::new().with_limits(UNLIMITED);
    let document = { parser }.parse(json);
    to_python(py, document.root(), None)
}

/// Returns a record as the value that it serializes to.
pub(crate) fn record_to_python<'py>(
    py: Python<'py>,
    record: &impl ToJson,
) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, Document::of(record).root(), None)
}

/// Returns a Python value as JSON text, as the standard library writes it.
///
/// # Errors
///
/// If it is not a JSON value.
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
