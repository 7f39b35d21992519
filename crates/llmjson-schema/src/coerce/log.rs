//! The record of changes while it is still open which of them will stand.
//!
//! Results are tried and given up again, so a record is a tree whose parts are shared: taking one
//! over costs nothing, and only what stands in the end is written out with paths.

use llmjson_syntax::{Class, Document, NewKey, NodeId};

use crate::base::path::{Path, Step};
use crate::base::report::{Coercion, CoercionKind};

/// Names a part of the record; [`LogId::EMPTY`] holds no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogId(u32);

/// One step into a container, which takes no more than a few words until it is written out.
#[derive(Clone, Copy, Debug)]
pub(super) enum LogStep<'c> {
    Member(NewKey<'c>),
    Index(u32),
}

impl LogStep<'_> {
    fn write(self, document: &Document<'_>) -> Step {
        match self {
            Self::Member(NewKey::Same(member)) => Step::Member(document.member_name(member).into()),
            Self::Member(NewKey::Text(name)) => Step::Member(name.into()),
            Self::Index(index) => Step::Index(index),
        }
    }
}

enum Entry<'c> {
    Change {
        kind: CoercionKind,
        class: Class,
        before: NodeId,
        after: Option<NodeId>,
    },
    Below {
        step: LogStep<'c>,
        inner: LogId,
    },
    Both(LogId, LogId),
}

#[derive(Default)]
pub(super) struct Log<'c> {
    entries: Vec<Entry<'c>>,
}

impl LogId {
    /// No change.
    pub(super) const EMPTY: Self = Self(u32::MAX);
}

impl<'c> Log<'c> {
    pub(super) fn change(
        &mut self,
        kind: CoercionKind,
        before: NodeId,
        after: Option<NodeId>,
    ) -> LogId {
        self.change_as(kind, kind.class(), before, after)
    }

    /// A change that is less sure than others of its kind.
    pub(super) fn change_as(
        &mut self,
        kind: CoercionKind,
        class: Class,
        before: NodeId,
        after: Option<NodeId>,
    ) -> LogId {
        self.push(Entry::Change {
            kind,
            class,
            before,
            after,
        })
    }

    /// Changes one step deeper.
    pub(super) fn below(&mut self, step: LogStep<'c>, inner: LogId) -> LogId {
        if inner == LogId::EMPTY {
            inner
        } else {
            self.push(Entry::Below { step, inner })
        }
    }

    /// First the one, then the other.
    pub(super) fn both(&mut self, first: LogId, second: LogId) -> LogId {
        match (first, second) {
            (LogId::EMPTY, only) | (only, LogId::EMPTY) => only,
            _ => self.push(Entry::Both(first, second)),
        }
    }

    fn push(&mut self, entry: Entry<'c>) -> LogId {
        if self.entries.is_empty() {
            // Few values take one change only, and each is three or four entries.
            self.entries.reserve(16);
        }
        self.entries.push(entry);
        LogId(self.entries.len() as u32 - 1)
    }

    /// Writes the changes out with their paths, at most `limit` of them, and whether that was all.
    pub(super) fn write(
        self,
        document: &Document<'_>,
        root: LogId,
        limit: usize,
    ) -> (Vec<Coercion>, bool) {
        enum Task {
            Show(LogId),
            Leave,
        }
        let mut coercions = Vec::new();
        let mut path = Path::root();
        let mut tasks = vec![Task::Show(root)];
        while let Some(task) = tasks.pop() {
            let id = match task {
                Task::Leave => {
                    path.leave();
                    continue;
                }
                Task::Show(LogId::EMPTY) => continue,
                Task::Show(id) => id,
            };
            match &self.entries[id.0 as usize] {
                Entry::Change { .. } if coercions.len() >= limit => return (coercions, false),
                &Entry::Change {
                    kind,
                    class,
                    before,
                    after,
                } => {
                    coercions.push(Coercion {
                        kind,
                        class,
                        path: path.clone(),
                        before,
                        after,
                        violations: Vec::new(),
                    });
                }
                Entry::Below { step, inner } => {
                    path.push(step.write(document));
                    tasks.extend([Task::Leave, Task::Show(*inner)]);
                }
                Entry::Both(first, second) => {
                    tasks.extend([Task::Show(*second), Task::Show(*first)]);
                }
            }
        }
        (coercions, true)
    }
}

/// The cost of a result, compared from the worst down. Undeclared members weigh less than a guess
/// and more than a likely change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    guesses: u32,
    undeclared: u32,
    likely: u32,
    certain: u32,
}

impl Cost {
    pub(super) fn of(class: Class) -> Self {
        let mut cost = Self::default();
        match class {
            Class::Guess => cost.guesses = 1,
            Class::Likely => cost.likely = 1,
            Class::Certain => cost.certain = 1,
        }
        cost
    }

    /// Returns the cost of undeclared members.
    pub(super) fn of_undeclared(count: usize) -> Self {
        Self {
            undeclared: u32::try_from(count).unwrap_or(u32::MAX),
            ..Self::default()
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            guesses: self.guesses.saturating_add(other.guesses),
            undeclared: self.undeclared.saturating_add(other.undeclared),
            likely: self.likely.saturating_add(other.likely),
            certain: self.certain.saturating_add(other.certain),
        }
    }
}
