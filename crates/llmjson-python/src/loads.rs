//! Values without a report: `loads`, and the core of json_repair's functions.

use std::cell::RefCell;
use std::sync::OnceLock;

use llmjson::syntax::Limits;
use llmjson::syntax::{Document, NoteKind, Parser, RepairKind, ToJson};
use llmjson_python_settings::DEPTH_MAX;
use pyo3::exceptions::PyUnicodeDecodeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::dumps::Writer;
use crate::input::Input;
use crate::interrupt;
use crate::value::to_python_of;

/// Parses JSON, which may be damaged, and returns its value; an empty string if there is none.
///
/// >>> from llmjson import loads
/// >>> loads("Sure: {city: 'Oslo', days: 3,}")
/// {'city': 'Oslo', 'days': 3}
///
/// If the second argument is a schema or a type, the value is coerced to it and returned as an
/// instance of the type:
///
/// >>> loads("{days: '3'}", dict[str, int])
/// {'days': 3}
/// >>> loads("I cannot do that.", dict[str, int])
/// Traceback (most recent call last):
/// llmjson._errors.ParseError: the reply holds no JSON value
///
/// In this case, `context` and `strict` are passed to the type's validators. The other arguments
/// are those of `repair_json`. A bool as the second argument is `skip_json_loads`.
///
/// Raises ParseError if the value does not conform, or if the text is truncated and
/// `allow_truncated` is not set.
#[pyfunction]
#[pyo3(
    signature = (json_str, *options, **named),
    text_signature = "(json_str, schema_or_type=None, logging=False, stream_stable=False, strict=None, schema=None, \
                      schema_repair_mode='standard', *, skip_json_loads=False, context=None, \
                      allow_truncated=False)"
)]
pub(crate) fn loads<'py>(
    json_str: &Bound<'py, PyAny>,
    options: &Bound<'py, PyTuple>,
    named: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = json_str.py();
    if named.is_none() && options.is_empty() {
        match value_of(json_str) {
            Ok(Some(value)) => return Ok(value),
            // Half surrogate pairs in UTF-8, which Python accepts.
            Err(error) if !error.is_instance_of::<PyUnicodeDecodeError>(py) => return Err(error),
            Ok(None) | Err(_) => {}
        }
    }
    static GUIDED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let guided = GUIDED.import(py, "llmjson._compat", "loads")?;
    let arguments = std::iter::once(json_str.clone()).chain(options.iter());
    let arguments = PyTuple::new(py, arguments.collect::<Vec<_>>())?;
    guided.call(arguments, named)
}

/// Returns the value of a text, unless Python must parse it or it may contain several code blocks.
fn value_of<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let input = Input::of(given)?;
    if holds_fences(&input.text) {
        return Ok(None);
    }
    with_document(given.py(), &input, |document| match how(document, &input) {
        0 | 1 if document.is_complete() && !input.is_cut => Ok(Some(to_python_of(
            document.root(),
            None,
            given,
            &input.places,
        )?)),
        _ => Ok(None),
    })
}

/// Returns whether there may be several code blocks. Text that begins as JSON has none.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn may_hold_fences(text: &Bound<'_, PyAny>) -> PyResult<bool> {
    match Input::of(text) {
        Ok(input) => Ok(holds_fences(&input.text)),
        Err(error) if error.is_instance_of::<PyUnicodeDecodeError>(text.py()) => Ok(false),
        Err(error) => Err(error),
    }
}

fn holds_fences(text: &str) -> bool {
    !text.trim_start().starts_with(['{', '[', '"']) && text.matches("```").nth(3).is_some()
}

/// Returns the value of a text and how it was read:
///
/// | number | meaning |
/// |---|---|
/// | 0 | nothing had to be done |
/// | 1 | the text was repaired, and is no JSON |
/// | 2 | the text was repaired, but Python may read it: `NaN`, half surrogate pairs, a byte order mark |
/// | 3 | there is no value |
/// | 4 | there is no value, since a limit was reached |
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn loads_found<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let input = Input::of(text)?;
    with_document(text.py(), &input, |document| {
        let value = to_python_of(document.root(), None, text, &input.places)?;
        (value, how(document, &input)).into_pyobject(text.py())
    })
}

/// Returns the value's text as `json.dumps` writes it, and how it was read, as `loads_found` does.
/// The text is None if there is no value, or if Python must write it.
#[pyfunction]
#[pyo3(signature = (text, ensure_ascii, /))]
pub(crate) fn dumps_found<'py>(
    text: &Bound<'py, PyAny>,
    ensure_ascii: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = text.py();
    let input = Input::of(text)?;
    with_document(py, &input, |document| {
        let notes = document.notes();
        let is_plain = notes.iter().all(|note| note.kind != NoteKind::DuplicateKey);
        let written = match document.root().filter(|_| is_plain) {
            Some(value) => {
                let mut writer = Writer::new(py, input.text.len(), ensure_ascii);
                value.put(&mut writer);
                writer.finish()?.map(|text| PyString::new(py, &text))
            }
            None => None,
        };
        (written, how(document, &input)).into_pyobject(py)
    })
}

/// The limits for json_repair's functions: everything that Python can hold.
const LIMITS: Limits = Limits::DEFAULT
    .with_input_bytes(u32::MAX - 1)
    .with_depth(DEPTH_MAX);
static UNBOUNDED: OnceLock<llmjson::Policy> = OnceLock::new();
/// The maximum length in bytes of a text that is parsed with the buffers of the last one.
const SHORT_BYTES: usize = 64 * 1024;

thread_local! {
    /// The buffers of the last short text.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new().with_limits(LIMITS));
}

/// Parses a text. Without a schema and with everything allowed, a policy would change nothing.
fn with_document<T>(
    py: Python<'_>,
    input: &Input<'_>,
    then: impl FnOnce(&Document<'_>) -> PyResult<T>,
) -> PyResult<T> {
    let text = &*input.text;
    let policy = UNBOUNDED.get_or_init(|| llmjson::Policy::lenient().with_limits(LIMITS));
    let document = interrupt::read(py, text.len(), policy, |policy| match text.len() {
        ..SHORT_BYTES => PARSER.with_borrow_mut(|parser| parser.parse(text)),
        _ => Parser::new().with_limits(policy.limits()).parse(text),
    })?;
    let made = then(&document);
    if text.len() < SHORT_BYTES {
        PARSER.with_borrow_mut(|parser| parser.recycle(document));
    }
    made
}

fn how(document: &Document<'_>, input: &Input<'_>) -> u8 {
    let pythonic = |kind| {
        matches!(
            kind,
            RepairKind::NotANumber | RepairKind::LoneSurrogate | RepairKind::RecordsCapped
        )
    };
    match (document.root(), document.repairs()) {
        (None, _) if document.limit().is_some() => 4,
        (None, _) => 3,
        (_, []) if input.is_verbatim() => 0,
        _ if input.text.starts_with('\u{feff}') => 2,
        (_, repairs) if repairs.iter().all(|repair| pythonic(repair.kind)) && !input.is_cut => 2,
        _ => 1,
    }
}
