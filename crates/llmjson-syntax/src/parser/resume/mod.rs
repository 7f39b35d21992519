//! Reading while text is still to come.

mod doubtful;
pub(crate) mod pausing;
