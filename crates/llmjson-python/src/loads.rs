//! The core of json_repair's functions: the value of a text, or its text as Python writes it,
//! without any other record of what was done.

use std::sync::OnceLock;

use llmjson::feedback::Reason;
use llmjson::syntax::Limits;
use llmjson::syntax::{NoteKind, RepairKind, ToJson};
use llmjson_python_settings::DEPTH_MAX;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::dumps::Writer;
use crate::input::Input;
use crate::interrupt;
use crate::value::to_python_of;

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
