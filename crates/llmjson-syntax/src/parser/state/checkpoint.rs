//! A point of reading to which the reader can go back.

/// The counters and marks of a reader, besides what it writes down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counters {
    /// Open containers.
    pub(crate) depth: u32,
    /// Calls around a value whose closing bracket has not been seen.
    pub(crate) wrappers: u32,
    /// The furthest offset of reading, and the number of steps since.
    pub(crate) furthest: usize,
    pub(crate) idle: u32,
    /// Number of times that a root has been opened again.
    pub(crate) reopened: u32,
    /// Looking for the end of a string with unescaped quotes went to the end of the text without success:
    /// from here on it would again.
    pub(crate) hopeless_from: usize,
    /// A name begins here that no quote closes: the text may have ended inside it, whatever it
    /// looks like behind.
    pub(crate) unclosed_from: usize,
    /// Number of nodes when a container was closed last whose closer is missing.
    pub(crate) implied_end: usize,
    /// The text may have ended inside a string though closers follow it.
    pub(crate) cut: bool,
    /// The value goes on without looking ahead, since its work is used up.
    pub(crate) capped: bool,
    /// Repairs that were made after the records were full.
    pub(crate) unrecorded: bool,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            depth: 0,
            wrappers: 0,
            furthest: 0,
            idle: 0,
            reopened: 0,
            hopeless_from: usize::MAX,
            unclosed_from: usize::MAX,
            implied_end: 0,
            cut: false,
            capped: false,
            unrecorded: false,
        }
    }
}

/// The length of the tape at one moment, and the counters of the reader then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checkpoint {
    pub(crate) nodes: usize,
    pub(crate) side: usize,
    pub(crate) repairs: usize,
    pub(crate) notes: usize,
    pub(crate) replaced: usize,
    pub(crate) counters: Counters,
}
