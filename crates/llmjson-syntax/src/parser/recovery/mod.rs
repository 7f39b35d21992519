//! Recovery from what strict JSON does not allow: it corrects, records, and says where to continue.

pub(crate) mod after_value;
pub(crate) mod bare_value;
pub(crate) mod call;
pub(crate) mod certainty;
pub(crate) mod closer;
mod cut;
pub(crate) mod emphasis;
pub(crate) mod encoding;
pub(crate) mod extra_closer;
pub(crate) mod fast_path;
pub(crate) mod grouped_digits;
pub(crate) mod indentation;
pub(crate) mod missing_opener;
pub(crate) mod name;
pub(crate) mod unbracketed_list;
pub(crate) mod value;
pub(crate) mod without_looking;
pub(crate) mod word;
