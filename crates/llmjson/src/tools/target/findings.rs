//! What is found out about a schema, as much of it as anybody reads.

use std::collections::HashSet;

use super::given::{Given, Ix, ROOT};
use super::{Lint, LintSeverity};

/// The most findings that are listed.
const LINTS_MAX: usize = 1_000;
/// The most bytes of pointers that are listed, about.
const POINTER_BYTES_MAX: usize = 1_000_000;

/// Findings in the order in which they were made, each once.
pub(super) struct Findings<'g> {
    given: &'g Given,
    lints: Vec<Lint>,
    seen: HashSet<(Ix, String, String)>,
    pointer_bytes: usize,
    /// How many were not listed, and the worst of them.
    beyond: usize,
    worst: LintSeverity,
}

impl<'g> Findings<'g> {
    pub(super) fn new(given: &'g Given) -> Self {
        Self {
            given,
            lints: Vec::new(),
            seen: HashSet::new(),
            pointer_bytes: 0,
            beyond: 0,
            worst: LintSeverity::Ignored,
        }
    }

    /// Notes what is to be said about the value at that place.
    pub(super) fn add(&mut self, severity: LintSeverity, at: Ix, keyword: &str, message: String) {
        let length = self.given.pointer_len(at);
        if self.lints.len() >= LINTS_MAX || self.pointer_bytes + length > POINTER_BYTES_MAX {
            self.beyond += 1;
            self.worst = self.worst.max(severity);
            return;
        }
        if !self.seen.insert((at, keyword.to_owned(), message.clone())) {
            return;
        }
        self.pointer_bytes += length;
        self.lints.push(Lint {
            pointer: self.given.pointer(at),
            keyword: keyword.to_owned(),
            severity,
            message,
        });
    }

    /// Takes over what was found elsewhere about the whole schema.
    pub(super) fn add_whole(&mut self, lint: Lint) {
        self.add(lint.severity, ROOT, &lint.keyword, lint.message);
    }

    pub(super) fn into_lints(mut self) -> Vec<Lint> {
        if self.beyond > 0 {
            self.lints.push(Lint {
                pointer: String::new(),
                keyword: String::new(),
                severity: self.worst,
                message: format!("there are {} more that are not listed", self.beyond),
            });
        }
        self.lints
    }
}
