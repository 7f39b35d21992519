//! Checking whether a value satisfies a schema: a fast check, the validator, and jsonschema for
//! rare keywords.

pub(crate) mod budgeted_regex;
pub(crate) mod calendar;
pub(crate) mod external;
pub(crate) mod fast_check;
pub(crate) mod format;
pub(crate) mod instance;
pub(crate) mod keywords;
pub(crate) mod patterns;
pub(crate) mod undeclared;
pub(crate) mod validator;
