//! Whether a value satisfies a schema: a fast check, the validator, and jsonschema for rare keywords.

pub(crate) mod engine;
pub(crate) mod glance;
pub(crate) mod instance;
pub(crate) mod local_check;
pub(crate) mod oracle;
pub(crate) mod patterns;
pub(crate) mod rules;
pub(crate) mod undeclared;
pub(crate) mod verdict;
