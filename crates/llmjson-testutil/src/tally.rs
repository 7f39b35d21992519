//! Counts of right and wrong results over many cases, with the shortest cases that failed.

/// The results of one kind of case.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of cases.
    pub documents: usize,
    /// The number of right results.
    pub right: usize,
    /// The number of wrong results that nothing marks as uncertain.
    pub silent: usize,
    failures: Vec<String>,
}

impl Tally {
    /// The columns of [`row`](Self::row).
    pub const HEADER: &str = "case                                     number     right   silent\n";

    /// Adds a case. A failure is a case that isn't right.
    pub fn add(&mut self, is_right: bool, is_silent: bool, failure: impl FnOnce() -> String) {
        self.documents += 1;
        self.right += usize::from(is_right);
        self.silent += usize::from(is_silent && !is_right);
        if !is_right {
            self.failures.push(failure());
        }
    }

    /// Adds the cases of another tally.
    pub fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        self.right += other.right;
        self.silent += other.silent;
        self.failures.extend(other.failures);
    }

    /// Returns `true` if at least this many of a thousand results are right.
    #[must_use]
    pub fn is_right_in(&self, per_thousand: usize) -> bool {
        self.right * 1000 >= self.documents * per_thousand
    }

    /// Returns `true` if at most this many of a thousand results are silently wrong.
    #[must_use]
    pub fn is_silent_in(&self, per_thousand: usize) -> bool {
        self.silent * 1000 <= self.documents * per_thousand
    }

    /// Returns a line of a table of results.
    #[must_use]
    pub fn row(&self, name: &str) -> String {
        let [right, silent] = [self.right, self.silent].map(|count| percent(count, self.documents));
        format!(
            "{name:<40} {:>6} {right:>7.1} % {silent:>6.1} %\n",
            self.documents
        )
    }

    /// Returns the shortest failures.
    #[must_use]
    pub fn shortest(&mut self, count: usize) -> String {
        self.failures.sort_by_key(String::len);
        self.failures
            .iter()
            .take(count)
            .map(|one| one.as_str())
            .collect()
    }
}

/// Returns a share in percent.
#[must_use]
pub fn percent(count: usize, all: usize) -> f64 {
    count as f64 * 100.0 / all.max(1) as f64
}
