//! Values without a report: `loads`, and the core of json_repair's functions.

use std::cell::RefCell;
use std::sync::OnceLock;

use llmjson::feedback::Reason;
use llmjson::syntax::Limits;
use llmjson::syntax::{NoteKind, Parser, RepairKind, ToJson};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::dumps::Writer;
use crate::input::{Input, OffsetMap};
use crate::interrupt;
use crate::policy::DEPTH_MAX;
use crate::value::to_python_of;

/// Returns the value of a text, which may be damaged; an empty string if it holds none.
///
/// >>> from llmjson import loads
/// >>> loads("Sure: {city: 'Oslo', days: 3,}")
/// {'city': 'Oslo', 'days': 3}
///
/// With a schema or a type as the second argument the value is made to fit it, and is an instance of
/// the type:
///
/// >>> loads("{days: '3'}", dict[str, int])
/// {'days': 3}
/// >>> loads("I cannot do that.", dict[str, int])
/// Traceback (most recent call last):
/// llmjson._errors.ParseError: the reply holds no JSON value
///
/// There `context` and `strict` are what the validators of a type are given. The other arguments are those of
/// `repair_json`. A bool as the second argument is `skip_json_loads`.
///
/// Raises a ParseError if the value cannot be made to fit.
#[pyfunction]
#[pyo3(
    signature = (json_str, *options, **named),
    text_signature = "(json_str, schema_or_type=None, logging=False, stream_stable=False, strict=None, schema=None, \
                      schema_repair_mode='standard', *, skip_json_loads=False, context=None)"
)]
pub(crate) fn loads<'py>(
    json_str: &Bound<'py, PyAny>,
    options: &Bound<'py, PyTuple>,
    named: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = json_str.py();
    if named.is_none()
        && options.is_empty()
        && let Some(value) = clean(json_str)?
    {
        return Ok(value);
    }
    static GUIDED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let guided = GUIDED.import(py, "llmjson._compat", "loads")?;
    let arguments = std::iter::once(json_str.clone()).chain(options.iter());
    let arguments = PyTuple::new(py, arguments.collect::<Vec<_>>())?;
    guided.call(arguments, named)
}

/// Maximum length in bytes of a text that is read without looking for interrupts, and with the buffers of the last one.
const SHORT_BYTES: usize = 64 * 1024;

thread_local! {
    /// The buffers of the last text.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new().with_limits(LIMITS));
}

/// The value of a text that is not long, if it is JSON of which nothing has to be said.
fn clean<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let text = match given.cast::<PyString>() {
        Ok(text) => text.to_str().ok(),
        Err(_) => (given.cast::<PyBytes>().ok())
            .and_then(|bytes| std::str::from_utf8(bytes.as_bytes()).ok()),
    };
    let Some(text) = text.filter(|text| text.len() < SHORT_BYTES) else {
        return Ok(None);
    };
    let document = PARSER.with_borrow_mut(|parser| parser.parse(text));
    let is_clean = document.repairs().is_empty() && document.notes().is_empty();
    let value = match document
        .root()
        .filter(|_| is_clean && document.is_complete())
    {
        Some(value) => Some(to_python_of(
            Some(value),
            None,
            given,
            &OffsetMap::default(),
        )?),
        None => None,
    };
    PARSER.with_borrow_mut(|parser| parser.recycle(document));
    Ok(value)
}

/// Returns the value of a text and how it was got:
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
    let py = text.py();
    let input = Input::of(text)?;
    let parsed = read(py, &input)?;
    let value = match parsed.value() {
        Some(value) => to_python_of(Some(value), None, text, &input.places)?,
        None => py.None().into_bound(py),
    };
    (value, how(parsed, &input)).into_pyobject(py)
}

/// Returns the text of the value as `json.dumps` writes it, and how it was got, as `loads_found` does.
/// The text is None where there is no value, or where Python has to write it.
#[pyfunction]
#[pyo3(signature = (text, ensure_ascii, /))]
pub(crate) fn dumps_found<'py>(
    text: &Bound<'py, PyAny>,
    ensure_ascii: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = text.py();
    let input = Input::of(text)?;
    let parsed = read(py, &input)?;
    let notes = parsed.notes();
    let is_plain = notes.iter().all(|note| note.kind != NoteKind::DuplicateKey);
    let written = match parsed.value().filter(|_| is_plain) {
        Some(value) => {
            let mut writer = Writer::new(py, input.text.len(), ensure_ascii);
            value.put(&mut writer);
            writer.finish()?.map(|text| PyString::new(py, &text))
        }
        None => None,
    };
    (written, how(parsed, &input)).into_pyobject(py)
}

/// Limits of a reading for json_repair's functions: all that Python can hold.
const LIMITS: Limits = Limits::DEFAULT
    .with_input_bytes(u32::MAX - 1)
    .with_depth(DEPTH_MAX);
static UNBOUNDED: OnceLock<llmjson::Policy> = OnceLock::new();

fn read<'a>(py: Python<'_>, input: &'a Input<'_>) -> PyResult<llmjson::Parsed<'a>> {
    let policy = UNBOUNDED.get_or_init(|| llmjson::Policy::lenient().with_limits(LIMITS));
    interrupt::read(py, input.text.len(), policy, |policy| {
        policy.parse(&input.text, None)
    })
}

fn how(parsed: llmjson::Parsed<'_>, input: &Input<'_>) -> u8 {
    let pythonic = |kind| {
        matches!(
            kind,
            RepairKind::NotANumber | RepairKind::LoneSurrogate | RepairKind::RecordsCapped
        )
    };
    match (parsed.value(), parsed.repairs()) {
        (None, _) => match parsed.into_failure().reason() {
            Reason::Limit(_) => 4,
            _ => 3,
        },
        (_, []) if input.is_verbatim() => 0,
        _ if input.text.starts_with('\u{feff}') => 2,
        (_, repairs) if repairs.iter().all(|repair| pythonic(repair.kind)) && !input.is_cut => 2,
        _ => 1,
    }
}
