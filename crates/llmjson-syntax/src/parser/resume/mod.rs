//! Reading while text is still to come.

pub(crate) mod certain_step;
mod doubtful;
pub(crate) mod pausing;
pub(crate) mod speculation;
