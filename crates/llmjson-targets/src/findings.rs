//! The lints of a schema, up to a limit.

use std::collections::HashSet;

use super::{Lint, LintCode};
use llmjson_schema::internal::source::{NodeIx as Ix, ROOT, Source};

/// The maximum number of lints listed.
const LINTS_MAX: usize = 1_000;
/// The approximate maximum number of bytes of pointers.
const POINTER_BYTES_MAX: usize = 1_000_000;

/// Collects lints in order, each once.
pub(super) struct Findings<'g> {
    source: &'g Source,
    lints: Vec<Lint>,
    seen: HashSet<(Ix, String, String)>,
    pointer_bytes: usize,
    /// The number of lints not listed, and the code of the worst of them.
    beyond: usize,
    worst: LintCode,
}

impl<'g> Findings<'g> {
    pub(super) fn new(source: &'g Source) -> Self {
        Self {
            source,
            lints: Vec::new(),
            seen: HashSet::new(),
            pointer_bytes: 0,
            beyond: 0,
            worst: LintCode::Ignored,
        }
    }

    /// Adds a lint about a value.
    pub(super) fn add(&mut self, code: LintCode, at: Ix, keyword: &str, message: String) {
        let length = self.source.pointer_bytes(at);
        if self.lints.len() >= LINTS_MAX || self.pointer_bytes + length > POINTER_BYTES_MAX {
            self.beyond += 1;
            self.worst = worse(self.worst, code);
            return;
        }
        if !self.seen.insert((at, keyword.to_owned(), message.clone())) {
            return;
        }
        self.pointer_bytes += length;
        let lint = Lint::new(code.severity_in_schema(), code, message);
        self.lints.push(Lint {
            keyword: keyword.to_owned(),
            ..lint.with_pointer(self.source.pointer(at))
        });
    }

    /// Adds a lint about the rendered schema, at the root.
    pub(super) fn add_whole(&mut self, lint: Lint) {
        self.add(lint.code, ROOT, &lint.keyword, lint.message);
    }

    pub(super) fn into_lints(mut self) -> Vec<Lint> {
        if self.beyond > 0 {
            let message = format!("{} more are not listed", self.beyond);
            let severity = self.worst.severity_in_schema();
            self.lints.push(Lint::new(severity, self.worst, message));
        }
        self.lints
    }
}

/// Returns the worse of two provider codes: ignored is better than lost.
const fn worse(one: LintCode, other: LintCode) -> LintCode {
    match (one, other) {
        (LintCode::Refused, _) | (LintCode::Lost, LintCode::Ignored | LintCode::Lost) => one,
        _ => other,
    }
}
