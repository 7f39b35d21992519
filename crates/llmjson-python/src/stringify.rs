//! Feedback on errors from other sources.

use llmjson::feedback::{AnnotateOptions, Annotation, AnnotationPath, annotate};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::parsed::Parsed;
use crate::schema::schema_of;
use crate::value::python_to_json;

/// Returns feedback for a model: the value as JSON with the errors next to their places.
///
/// `value` consists of plain Python objects, or is a `Parsed`. Each error is a dict with `path`
/// (such as `$input.days[0]`), `expected` and optionally `description`, or an object with these
/// attributes, such as a `Violation`.
///
/// >>> import llmjson
/// >>> print(llmjson.stringify({"days": 0}, [{"path": "$input.days", "expected": "at least 1"}]))
/// ```json
/// {
///   "days": 0 // ❌ [{"path":"$input.days","expected":"at least 1"}]
/// }
/// ```
#[pyfunction]
#[pyo3(signature = (value, errors, schema=None))]
pub(crate) fn stringify(
    value: &Bound<'_, PyAny>,
    errors: Vec<Bound<'_, PyAny>>,
    schema: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let annotations = errors
        .iter()
        .map(annotation)
        .collect::<PyResult<Vec<_>>>()?;
    let schema = schema_of(schema)?;
    let mut options = AnnotateOptions::default();
    options.schema = schema.as_ref().map(|schema| &schema.get().inner);
    if let Ok(parsed) = value.cast::<Parsed>() {
        return Ok(annotate(
            Parsed::best(parsed)?.value(),
            &annotations,
            &options,
        ));
    }
    let text = python_to_json(value)?;
    let document = llmjson::syntax::parse(&text);
    Ok(annotate(document.root(), &annotations, &options))
}

fn annotation(error: &Bound<'_, PyAny>) -> PyResult<Annotation> {
    let member = |name: &str| -> PyResult<Option<String>> {
        let found = match error.cast::<PyDict>() {
            Ok(dict) => dict.get_item(name)?,
            Err(_) => error.getattr_opt(name)?,
        };
        found
            .filter(|found| !found.is_none())
            .map_or(Ok(None), |found| found.extract())
    };
    let lacking = |name: &str| {
        let reason = format!("an error has no {name:?}");
        pyo3::exceptions::PyValueError::new_err(reason)
    };
    let path = member("path")?.ok_or_else(|| lacking("path"))?;
    let expected = member("expected")?.ok_or_else(|| lacking("expected"))?;
    let annotation = Annotation::new(AnnotationPath::parse(&path), expected);
    Ok(match member("description")? {
        Some(description) => annotation.with_description(description),
        None => annotation,
    })
}
