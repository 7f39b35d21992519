//! The lints of a schema, up to a limit.

use std::collections::HashSet;

use super::arena::{Arena, Ix, ROOT};
use super::{Lint, LintSeverity};

/// The maximum number of lints listed.
const LINTS_MAX: usize = 1_000;
/// The approximate maximum number of bytes of pointers.
const POINTER_BYTES_MAX: usize = 1_000_000;

/// Collects lints in order, each once.
pub(super) struct Findings<'g> {
    arena: &'g Arena,
    lints: Vec<Lint>,
    seen: HashSet<(Ix, String, String)>,
    pointer_bytes: usize,
    /// The number of lints not listed, and their highest severity.
    beyond: usize,
    worst: LintSeverity,
}

impl<'g> Findings<'g> {
    pub(super) fn new(arena: &'g Arena) -> Self {
        Self {
            arena,
            lints: Vec::new(),
            seen: HashSet::new(),
            pointer_bytes: 0,
            beyond: 0,
            worst: LintSeverity::Ignored,
        }
    }

    /// Adds a lint about a value.
    pub(super) fn add(&mut self, severity: LintSeverity, at: Ix, keyword: &str, message: String) {
        let length = self.arena.pointer_len(at);
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
            pointer: self.arena.pointer(at),
            keyword: keyword.to_owned(),
            severity,
            message,
        });
    }

    /// Adds a lint about the rendered schema, at the root.
    pub(super) fn add_whole(&mut self, lint: Lint) {
        self.add(lint.severity, ROOT, &lint.keyword, lint.message);
    }

    pub(super) fn into_lints(mut self) -> Vec<Lint> {
        if self.beyond > 0 {
            self.lints.push(Lint {
                pointer: String::new(),
                keyword: String::new(),
                severity: self.worst,
                message: format!("{} more are not listed", self.beyond),
            });
        }
        self.lints
    }
}
