//! What everything else stands on: errors, paths, records, texts, exact numbers.

pub(crate) mod allowed_repairs;
pub(crate) mod decimal;
pub(crate) mod embedded;
pub(crate) mod error;
pub(crate) mod hash;
pub(crate) mod path;
pub(crate) mod refusal;
pub(crate) mod remark;
pub(crate) mod report;
pub(crate) mod text;
pub(crate) mod unique;
pub(crate) mod unknown_members;
