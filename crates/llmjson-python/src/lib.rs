//! The extension module of the Python package `llmjson`: all parsing. The parts written in Python,
//! such as schemas of types, are in `python/llmjson`.

mod dumps;
mod errors;
mod input;
mod instance;
mod interrupt;
mod keys;
mod loads;
mod many;
mod message;
mod mirror;
mod origin;
mod parse;
mod parsed;
mod policy;
mod records;
mod retry;
mod schema;
mod stream;
mod stringify;
mod tools;
mod value;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule(gil_used = false)]
mod _llmjson {
    #[pymodule_export]
    use crate::loads::{dumps_found, loads, loads_found, may_hold_fences};
    #[pymodule_export]
    use crate::many::parse_many;
    #[pymodule_export]
    use crate::parse::{arguments, coerce, parse, parse_all};
    #[pymodule_export]
    use crate::parsed::Parsed;
    #[pymodule_export]
    use crate::policy::Policy;
    #[pymodule_export]
    use crate::retry::Turn;
    #[pymodule_export]
    use crate::schema::Schema;
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::stringify::stringify;
    #[pymodule_export]
    use crate::tools::{Binding, CallStream, FoundCall, Registry, calls_html};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
