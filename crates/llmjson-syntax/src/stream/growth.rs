//! The ways in which a draft grows, and goes on in the value of the whole text.

/// The state of a scalar that is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// A string that may become longer.
    Growing,
    /// One that stays as it is.
    Whole,
}

/// The parts of what is added that come from another text than that of the stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Foreign {
    /// Names of members.
    pub names: bool,
    /// Texts that are values.
    pub values: bool,
}

/// The relation of the value of a whole text to what was shown of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// The value goes on with what was shown.
    Continued,
    /// The value takes the place of what was shown.
    Superseded,
}

impl Continuation {
    /// Returns `Superseded` if the condition holds.
    #[must_use]
    pub const fn superseded_if(condition: bool) -> Self {
        match condition {
            true => Self::Superseded,
            false => Self::Continued,
        }
    }
}
