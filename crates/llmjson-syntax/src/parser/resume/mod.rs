//! Reading while text is still to come.

pub(crate) mod certain_step;
pub(crate) mod pausing;
pub(crate) mod speculation;
