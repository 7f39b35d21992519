//! The records of a reply, as the dataclasses in `llmjson._records`.

use llmjson::Parsed;
use llmjson::syntax::{Comments, Document, Edit, EditOptions, NodeId, Unfinished};
use llmjson::{
    report::{Coercion, FormatNote, Found, Refusal, Violation},
    syntax::{Class, LineIndex, Notation, Repair, Span},
};
use llmjson::{
    stream::LastingViolation,
    syntax::{Change, Event},
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

use crate::input::OffsetMap;
use crate::value::{json_to_python, to_python};

const MODULE: &str = "llmjson._records";

/// The note that a type accepts a value that violates its schema.
const ACCEPTED: (&str, &str) = (
    "accepted_by_type",
    "the type takes a value that its schema does not describe",
);

pub(crate) fn repairs<'py>(
    py: Python<'py>,
    repairs: &[Repair],
    text: &str,
    places: &OffsetMap,
) -> PyResult<Bound<'py, PyTuple>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut located = Located::new(text, places);
    list(py, &CLASS, "Repair", repairs, |repair| {
        let (kind, class) = (repair.kind, repair.class.name());
        let (start, end, line, column) = located.of(repair.span);
        (
            kind.name(),
            class,
            start,
            end,
            line,
            column,
            kind.sentence(),
            repair.detail.map(Notation::name),
        )
            .into_pyobject(py)
    })
}

pub(crate) fn edits<'py>(
    py: Python<'py>,
    edits: &[Edit],
    text: &str,
    places: &OffsetMap,
) -> PyResult<Bound<'py, PyTuple>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut located = Located::new(text, places);
    list(py, &CLASS, "Edit", edits, |edit| {
        let (kind, class) = (edit.kind, edit.class.name());
        let (start, end, line, column) = located.of(edit.span);
        let (name, sentence) = (kind.name(), kind.sentence());
        let replacement = &*edit.replacement;
        (start, end, replacement, name, class, line, column, sentence).into_pyobject(py)
    })
}

/// Returns the options of edits, by their names in Python.
pub(crate) fn edit_options(unfinished: &str, comments: &str) -> PyResult<EditOptions> {
    let wrong = |option: &str, other: &str, found: &str| {
        PyValueError::new_err(format!(
            "{option}: expected \"drop\" or {other:?}, found {found:?}"
        ))
    };
    let unfinished = match unfinished {
        "drop" => Unfinished::Drop,
        "complete" => Unfinished::Complete,
        _ => return Err(wrong("unfinished", "complete", unfinished)),
    };
    let comments = match comments {
        "drop" => Comments::Drop,
        "keep" => Comments::Keep,
        _ => return Err(wrong("comments", "keep", comments)),
    };
    Ok(EditOptions::from(unfinished).with_comments(comments))
}

pub(crate) fn notes<'py>(
    py: Python<'py>,
    parsed: &Parsed<'_>,
    text: &str,
    places: &OffsetMap,
    is_accepted: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut located = Located::new(text, places);
    let of_text = parsed.notes().iter().map(|note| {
        let kind = note.kind;
        (kind.name(), note.class, note.span, kind.sentence(), None)
    });
    let of_formats = parsed.format_notes().iter().map(|note| {
        let (name, sentence) = (FormatNote::NAME, FormatNote::SENTENCE);
        (
            name,
            FormatNote::CLASS,
            note.span,
            sentence,
            Some(&note.path),
        )
    });
    let root = parsed.value().and_then(|value| value.span());
    let of_type = is_accepted.then(|| {
        let span = root.unwrap_or(Span { start: 0, end: 0 });
        (ACCEPTED.0, Class::Certain, span, ACCEPTED.1, None)
    });
    let notes: Vec<_> = of_text.chain(of_formats).chain(of_type).collect();
    list(
        py,
        &CLASS,
        "Note",
        &notes,
        |(name, class, span, sentence, path)| {
            let (start, end, line, column) = located.of(*span);
            let path = path.map(ToString::to_string);
            (
                *name,
                start,
                end,
                line,
                column,
                *sentence,
                path,
                class.name(),
            )
                .into_pyobject(py)
        },
    )
}

pub(crate) fn refusals<'py>(
    py: Python<'py>,
    refusals: &[Refusal],
    text: &str,
    places: &OffsetMap,
) -> PyResult<Bound<'py, PyTuple>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut located = Located::new(text, places);
    list(py, &CLASS, "Refusal", refusals, |refusal| {
        let (start, end, line, column) = located.of(refusal.span());
        let (name, sentence) = (refusal.name(), refusal.sentence());
        (name, start, end, line, column, sentence).into_pyobject(py)
    })
}

pub(crate) fn coercions<'py>(
    py: Python<'py>,
    coercions: &[Coercion],
    document: &Document<'_>,
) -> PyResult<Bound<'py, PyTuple>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    list(py, &CLASS, "Coercion", coercions, |coercion| {
        let before = value(py, document, Some(coercion.before))?;
        let after = value(py, document, coercion.after)?;
        let (kind, class) = (coercion.kind, coercion.class.name());
        let path = coercion.path.to_string();
        let violations = violations(py, &coercion.violations, document)?;
        let sentence = kind.sentence();
        (
            kind.name(),
            class,
            path,
            before,
            after,
            sentence,
            violations,
        )
            .into_pyobject(py)
    })
}

pub(crate) fn violations<'py>(
    py: Python<'py>,
    violations: &[Violation],
    document: &Document<'_>,
) -> PyResult<Bound<'py, PyTuple>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    list(py, &CLASS, "Violation", violations, |violation| {
        let (kind, found) = match violation.found {
            Found::Value(found) => (document.node(found).kind().name(), Some(found)),
            Found::Missing => ("undefined", None),
        };
        let found = value(py, document, found)?;
        let description = violation.description.as_deref();
        let (path, expected) = (violation.path.to_string(), &*violation.expected);
        (path, expected, kind, found, violation.keyword, description).into_pyobject(py)
    })
}

pub(crate) fn lasting_violations<'py>(
    py: Python<'py>,
    violations: &[LastingViolation],
) -> PyResult<Bound<'py, PyTuple>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    list(py, &CLASS, "Violation", violations, |violation| {
        let found = violation.found.as_deref();
        let kind = found.map_or("undefined", kind_of);
        let found = found.map(|json| json_to_python(py, json)).transpose()?;
        let description = violation.description.as_deref();
        let (path, expected) = (violation.path.to_string(), &*violation.expected);
        (path, expected, kind, found, violation.keyword, description).into_pyobject(py)
    })
}

/// Returns the kind of value that a JSON text begins with.
fn kind_of(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ => "number",
    }
}

pub(crate) fn events<'py>(py: Python<'py>, events: &[Event]) -> PyResult<Bound<'py, PyTuple>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    list(py, &CLASS, "Event", events, |event| {
        let value = match &event.change {
            Change::Passed(text) | Change::Appended(text) => text.into_pyobject(py)?.into_any(),
            Change::Opened(kind) => kind.name().into_pyobject(py)?.into_any(),
            Change::Value(json) => json_to_python(py, json)?,
            _ => py.None().into_bound(py),
        };
        (event.path.to_string(), event.change.name(), value).into_pyobject(py)
    })
}

/// The value of a record. Containers are repeated in full, as users expect of a record.
fn value<'py>(
    py: Python<'py>,
    document: &Document<'_>,
    id: Option<NodeId>,
) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, id.map(|id| document.node(id)), None)
}

fn list<'py, T>(
    py: Python<'py>,
    class: &PyOnceLock<Py<PyType>>,
    name: &str,
    records: &[T],
    mut fields: impl FnMut(&T) -> PyResult<Bound<'py, PyTuple>>,
) -> PyResult<Bound<'py, PyTuple>> {
    if records.is_empty() {
        return Ok(PyTuple::empty(py));
    }
    let class = class.import(py, MODULE, name)?;
    let mut made = Vec::with_capacity(records.len());
    for record in records {
        made.push(class.call1(fields(record)?)?);
    }
    PyTuple::new(py, made)
}

/// Positions in the original text.
struct Located<'a> {
    start: crate::input::Locator<'a>,
    end: crate::input::Locator<'a>,
    lines: LineIndex<'a>,
}

impl<'a> Located<'a> {
    fn new(text: &'a str, places: &'a OffsetMap) -> Self {
        Self {
            start: places.of(text),
            end: places.of(text),
            lines: LineIndex::new(text),
        }
    }

    fn of(&mut self, span: Span) -> (usize, usize, usize, usize) {
        let place = self.lines.position(span.start);
        let (start, end) = (self.start.index(span.start), self.end.index(span.end));
        (start, end, place.line, place.column)
    }
}
