//! Compiled tools and schemas of earlier requests.

/// Compiled tools and schemas of earlier requests, by their bytes. Bounded, and shared by threads.
#[derive(Debug)]
pub struct Cache {
    entries: usize,
}

impl Cache {
    /// Creates a cache that holds at most this many lists of tools and as many schemas.
    #[must_use]
    pub const fn new(entries: usize) -> Self {
        Self { entries }
    }

    /// Returns the maximum number of lists and of schemas.
    #[must_use]
    pub const fn entries(&self) -> usize {
        self.entries
    }
}
