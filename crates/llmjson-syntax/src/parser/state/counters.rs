//! Counters and flags of a reader.

/// The counters and marks of a reader, apart from its output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    /// Open containers.
    pub(crate) depth: u32,
    /// The furthest offset of reading, and the number of steps since.
    pub(crate) furthest: usize,
    pub(crate) idle: u32,
    /// `true` if a notice says that the text was truncated.
    pub(crate) cut: bool,
    /// Number of repairs after the records were full.
    pub(crate) unrecorded: bool,
}
