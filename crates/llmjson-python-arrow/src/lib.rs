//! The extension module `llmjson_py_arrow`: columns of replies. The package `llmjson` calls it, and `llmjson.arrow`
//! says how.

mod columns;
mod foreign;

use pyo3::prelude::*;

/// The part of the package `llmjson` that reads Arrow's columns. Use `llmjson.arrow`.
#[pymodule(gil_used = false)]
mod llmjson_py_arrow {
    #[pymodule_export]
    use crate::columns::{Compiled, RowTypes, Rows, column_types, parse_column};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
