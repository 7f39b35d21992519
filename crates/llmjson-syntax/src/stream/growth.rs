//! The growth of a draft, and its continuation in the value of the complete text.

/// The state of an added scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// A string that may grow.
    Growing,
    /// A complete scalar.
    Whole,
}

/// The parts added from here on whose text is not the stream's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Foreign {
    /// Keys of members.
    pub names: bool,
    /// Strings that are values.
    pub values: bool,
}

/// The relation of the complete text's value to the shown value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// The value continues the shown value.
    Continued,
    /// The value replaces the shown value.
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
