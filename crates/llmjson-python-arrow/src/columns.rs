//! Columns of replies, through Arrow's C data interface.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use arrow_select::concat::concat_batches;
use llmjson_arrow::{Options, Output};
use llmjson_python_settings::{Settings, thread_count};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use pyo3_arrow::ffi::{
    ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule,
};
use pyo3_arrow::input::AnyArray;

use crate::foreign::checked;

/// Time between two checks whether Python wants the call to stop.
const PAUSE: Duration = Duration::from_millis(100);

/// The rows of a column: a record batch for any library that reads Arrow's PyCapsule interface, such
/// as `pyarrow.record_batch(rows)`, `polars.from_arrow(rows)` or `duckdb`'s SQL.
#[pyclass(frozen, module = "llmjson.arrow")]
pub(crate) struct Rows {
    /// One for each chunk of the column.
    batches: Vec<RecordBatch>,
    fields: Fields,
}

/// The names and types of the columns that `llmjson.arrow.parse` returns.
#[pyclass(frozen, module = "llmjson.arrow")]
pub(crate) struct RowTypes {
    fields: Fields,
}

/// A schema, compiled from its JSON text.
#[pyclass(frozen, module = "llmjson_py_arrow")]
pub(crate) struct Compiled(llmjson::Schema);

#[pymethods]
impl Compiled {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        // Patterns may take a while to compile.
        let schema = py.detach(|| llmjson::Schema::from_text(text));
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self(schema))
    }
}

/// Reads each text of a column, under the policy that a preset is with its settings. Documented in `llmjson.arrow`.
#[pyfunction]
#[pyo3(signature = (column, schema, preset, settings, *, output, threads))]
pub(crate) fn parse_column(
    py: Python<'_>,
    column: AnyArray,
    schema: Option<&Bound<'_, Compiled>>,
    preset: &str,
    settings: &Bound<'_, PyDict>,
    output: &str,
    threads: Option<i64>,
) -> PyResult<Rows> {
    let schema = schema.map(|schema| &schema.get().0);
    let output = output_of(output)?;
    let cancel = Arc::new(AtomicBool::new(false));
    let mut options = Options::default()
        .with_policy(Settings::of(settings)?.policy(preset)?)
        .with_output(output)
        .with_cancel(Arc::clone(&cancel));
    if let Some(threads) = thread_count(threads)? {
        options = options.with_threads(threads);
    }
    let chunks = column.into_chunked_array()?.into_inner().0;
    let batches = py.detach(|| run(&chunks, schema, &options, &cancel))?;
    let fields = llmjson_arrow::fields(schema, output);
    Ok(Rows { batches, fields })
}

/// Returns the names and types of the columns for a schema. Documented in `llmjson.arrow`.
#[pyfunction]
#[pyo3(signature = (schema, *, output))]
pub(crate) fn column_types(
    schema: Option<&Bound<'_, Compiled>>,
    output: &str,
) -> PyResult<RowTypes> {
    let schema = schema.map(|schema| &schema.get().0);
    let fields = llmjson_arrow::fields(schema, output_of(output)?);
    Ok(RowTypes { fields })
}

#[pymethods]
impl Rows {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, struct_of(&self.fields))?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // The protocol allows to ignore it: the consumer casts. Casting in here was a fifth of the package's size.
        drop(requested_schema);
        let batch = match &*self.batches {
            [one] => one.clone(),
            several => {
                let schema = Arc::new(arrow_schema::Schema::new(self.fields.clone()));
                concat_batches(&schema, several).map_err(failed)?
            }
        };
        let field = Arc::new(Field::new("", struct_of(&self.fields), false));
        let array: ArrayRef = Arc::new(StructArray::from(batch));
        Ok(to_array_pycapsules(py, field, &array, None)?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let field = Arc::new(Field::new("", struct_of(&self.fields), false));
        let arrays: Vec<Result<ArrayRef, ArrowError>> = (self.batches.iter())
            .map(|batch| Ok(Arc::new(StructArray::from(batch.clone())) as ArrayRef))
            .collect();
        let reader = Box::new(ArrayIterator::new(arrays, field));
        Ok(to_stream_pycapsule(py, reader, None)?)
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let fields = self.fields.iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("Rows({} rows: {})", self.__len__(), shown(&self.fields))
    }
}

#[pymethods]
impl RowTypes {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, struct_of(&self.fields))?)
    }

    fn __repr__(&self) -> String {
        format!("RowTypes({})", shown(&self.fields))
    }
}

/// Reads the chunks on a thread of their own, and asks Python meanwhile whether to stop.
fn run(
    chunks: &[ArrayRef],
    schema: Option<&llmjson::Schema>,
    options: &Options,
    cancel: &AtomicBool,
) -> PyResult<Vec<RecordBatch>> {
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let read = chunks
                .iter()
                .map(|chunk| {
                    let chunk =
                        checked(chunk).map_err(|error| PyValueError::new_err(error.to_string()))?;
                    llmjson_arrow::parse_batch(&chunk, schema, options).map_err(refused)
                })
                .collect::<PyResult<Vec<_>>>();
            // Sending fails only if the call was interrupted and no longer waits for the result.
            let _ = sender.send(read);
        });
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(read) => return read,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyValueError::new_err("reading the column failed"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                        cancel.store(true, Ordering::Relaxed);
                        return Err(interrupt);
                    }
                }
            }
        }
    })
}

fn output_of(name: &str) -> PyResult<Output> {
    match name {
        "struct" => Ok(Output::Struct),
        "typed" => Ok(Output::Typed),
        "json" => Ok(Output::Json),
        _ => {
            let reason = format!("output is struct, typed or json, not {name:?}");
            Err(PyValueError::new_err(reason))
        }
    }
}

fn struct_of(fields: &Fields) -> DataType {
    DataType::Struct(fields.clone())
}

fn shown(fields: &Fields) -> String {
    let fields = fields
        .iter()
        .map(|field| format!("{}: {}", field.name(), field.data_type()));
    fields.collect::<Vec<_>>().join(", ")
}

fn refused(error: llmjson_arrow::Error) -> PyErr {
    match error {
        llmjson_arrow::Error::TooLong { .. } => PyOverflowError::new_err(error.to_string()),
        _ => PyTypeError::new_err(error.to_string()),
    }
}

fn failed(error: ArrowError) -> PyErr {
    PyIndexError::new_err(error.to_string())
}
