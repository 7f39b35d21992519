//! The record of changes before it is known which of them will be kept.
//!
//! Results are tried and dropped again, so a record is a tree with shared parts: adopting one costs
//! nothing, and only the final changes are written out with paths.

use llmjson_syntax::{Class, Document, NewKey, NodeId};

use crate::base::path::{Path, Step};
use crate::base::report::{Coercion, CoercionKind};

/// A part of the log; [`LogId::EMPTY`] contains no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LogId(u32);

/// The changes that lead to a result: a part of the log, and its cost. Undeclared members that are
/// kept also cost something, without being a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Changes {
    log: LogId,
    pub(super) cost: Cost,
}

impl Changes {
    /// The cost of undeclared members, without a change.
    pub(super) fn undeclared(count: usize) -> Self {
        Self {
            log: LogId::EMPTY,
            cost: Cost {
                undeclared: u32::try_from(count).unwrap_or(u32::MAX),
                ..Cost::default()
            },
        }
    }

    /// No change, without cost.
    pub(super) fn none() -> Self {
        Self::undeclared(0)
    }

    /// Returns `true` if nothing changes, regardless of the cost.
    pub(super) fn is_empty(self) -> bool {
        self.log == LogId::EMPTY
    }

    /// Returns the changes with the cost of others added.
    pub(super) fn at_cost_of(self, other: Self) -> Self {
        Self {
            cost: self.cost.plus(other.cost),
            ..self
        }
    }
}

/// One step into a container, which takes only a few words until it is written out.
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
    const EMPTY: Self = Self(u32::MAX);
}

impl<'c> Log<'c> {
    /// A change with its kind's usual class.
    pub(super) fn change(
        &mut self,
        kind: CoercionKind,
        before: NodeId,
        after: Option<NodeId>,
    ) -> Changes {
        self.change_as(kind, kind.class(), before, after)
    }

    /// A change that is less certain than others of its kind.
    pub(super) fn change_as(
        &mut self,
        kind: CoercionKind,
        class: Class,
        before: NodeId,
        after: Option<NodeId>,
    ) -> Changes {
        let log = self.push(Entry::Change {
            kind,
            class,
            before,
            after,
        });
        let cost = Cost::of(class);
        Changes { log, cost }
    }

    /// Returns the changes one step deeper.
    pub(super) fn below(&mut self, step: LogStep<'c>, inner: Changes) -> Changes {
        let log = match inner.log {
            LogId::EMPTY => inner.log,
            log => self.push(Entry::Below { step, inner: log }),
        };
        Changes { log, ..inner }
    }

    /// First the one, then the other.
    pub(super) fn both(&mut self, first: Changes, second: Changes) -> Changes {
        // Most results change nothing, and then no entry is written.
        let log = match (first.log, second.log) {
            (LogId::EMPTY, only) | (only, LogId::EMPTY) => only,
            (first, second) => self.push(Entry::Both(first, second)),
        };
        let cost = first.cost.plus(second.cost);
        Changes { log, cost }
    }

    fn push(&mut self, entry: Entry<'c>) -> LogId {
        if self.entries.is_empty() {
            // Few values need only one change, and each change is three or four entries.
            self.entries.reserve(16);
        }
        self.entries.push(entry);
        LogId(self.entries.len() as u32 - 1)
    }

    /// Writes the changes with their paths, at most `limit` of them, and returns `true` if that was
    /// all.
    pub(super) fn write(
        self,
        document: &Document<'_>,
        root: Changes,
        limit: usize,
    ) -> (Vec<Coercion>, bool) {
        enum Task {
            Show(LogId),
            Leave,
        }
        let mut coercions = Vec::new();
        let mut path = Path::root();
        let mut tasks = vec![Task::Show(root.log)];
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

/// The record that represents all records beyond the limit.
pub(super) fn capped(before: NodeId, after: NodeId) -> Coercion {
    Coercion {
        kind: CoercionKind::RecordsCapped,
        class: CoercionKind::RecordsCapped.class(),
        path: Path::root(),
        before,
        after: Some(after),
        violations: Vec::new(),
    }
}

/// Adds records within the limit; a last one then represents the rest. `places` are the values
/// before and after the changes.
pub(super) fn add_up_to(
    limit: usize,
    records: &mut Vec<Coercion>,
    mut more: Vec<Coercion>,
    places: Option<(NodeId, NodeId)>,
) {
    // If there is already a last record, it represents these, too.
    let Some(room) = limit.checked_sub(records.len()) else {
        return;
    };
    let is_all = more.len() <= room;
    more.truncate(room);
    records.append(&mut more);
    if !is_all {
        records.extend(places.map(|(before, after)| capped(before, after)));
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
    fn of(class: Class) -> Self {
        let mut cost = Self::default();
        match class {
            Class::Guess => cost.guesses = 1,
            Class::Likely => cost.likely = 1,
            Class::Certain => cost.certain = 1,
        }
        cost
    }

    fn plus(self, other: Self) -> Self {
        Self {
            guesses: self.guesses.saturating_add(other.guesses),
            undeclared: self.undeclared.saturating_add(other.undeclared),
            likely: self.likely.saturating_add(other.likely),
            certain: self.certain.saturating_add(other.certain),
        }
    }
}
