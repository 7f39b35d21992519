//! The outcome for each member of the arguments.

use std::borrow::Cow;
use std::collections::HashMap;

use llmjson_schema::internal::similar::{normal_name, parts_of_name, words_of_name};
use llmjson_schema::{Coercion, CoercionKind, Path, Step};
use llmjson_syntax::{Document, Kind, NodeId, ValueRef};

use super::{BindReport, FieldEntry, FieldStatus};
use crate::changed::Changed;
use crate::layer::Layer;
use crate::received::received;
use crate::rename::Renamed;
use llmjson_reply::report::{Issue, IssueCode};

/// Number of members that are compared with a dropped one next to them.
const SIBLINGS_MAX: usize = 64;

impl BindReport {
    /// Returns the outcome for every root member, every nested member that was changed, and every
    /// missing member, in the order of the arguments.
    #[must_use]
    pub fn fields(&self) -> Vec<FieldEntry> {
        of(self)
    }
}

/// Returns the outcome for each member, in the order of the arguments, and for missing ones.
fn of(report: &BindReport) -> Vec<FieldEntry> {
    let mut entries = Entries::default();
    if let Some(root) = report
        .document()
        .root()
        .filter(|root| root.kind() == Kind::Object)
    {
        for (name, _) in root.members() {
            entries.at(&Path::root().member(&name));
        }
    }
    let mut changed = report.changed.iter().peekable();
    for (at, coercion) in report.coercions().iter().enumerate() {
        while let Some(changed) = changed.next_if(|changed| changed.after_coercions <= at) {
            entries.extended(report, changed);
        }
        entries.changed(report, coercion);
    }
    changed.for_each(|changed| entries.extended(report, changed));
    for renamed in &report.renamed {
        entries.renamed(renamed);
    }
    for issue in report.issues() {
        entries.refused(issue);
    }
    entries.list
}

/// The entries, with an index by path.
#[derive(Default)]
struct Entries {
    list: Vec<FieldEntry>,
    places: HashMap<Path, usize>,
}

impl Entries {
    /// Returns the entry for a path; creates one with the status `bound` if there is none.
    fn at(&mut self, path: &Path) -> &mut FieldEntry {
        let place = *self.places.entry(path.clone()).or_insert(self.list.len());
        if place == self.list.len() {
            self.list.push(FieldEntry::given(path));
        }
        &mut self.list[place]
    }

    fn changed(&mut self, report: &BindReport, coercion: &Coercion) {
        let document = report.document();
        let Coercion {
            kind,
            ref path,
            before,
            after,
            ..
        } = *coercion;
        if kind == CoercionKind::RecordsCapped {
            return;
        }
        // A dropped member has no path any more, and another member may have its name.
        if after.is_none() {
            return self.left_out(report, coercion);
        }
        let entry = self.at(path);
        entry.changes.push(Cow::Borrowed(kind.name()));
        let layer = match kind {
            CoercionKind::KeyAlias => Layer::Alias,
            CoercionKind::KeySpelling => Layer::Normalized,
            CoercionKind::DerivedKey => Layer::DerivedKey,
            CoercionKind::Default => {
                entry.input_path = None;
                entry.layer = Some(Layer::Default);
                entry.after = after.map(|id| received(document.node(id)));
                return;
            }
            CoercionKind::Envelope => {
                entry.status = FieldStatus::Repaired;
                return;
            }
            _ => return coerced(entry, document, before, after),
        };
        entry.layer = Some(layer);
        entry.status = FieldStatus::Repaired;
        let name = document.name_read(before);
        entry.input_path = Some(sibling(path, &name));
    }

    /// Applies a change that an extension made.
    fn extended(&mut self, report: &BindReport, changed: &Changed) {
        let entry = self.at(&changed.path);
        entry.changes.push(changed.name.clone());
        coerced(
            entry,
            report.document(),
            changed.before,
            Some(changed.after),
        );
    }

    /// Applies a new name from a matcher.
    fn renamed(&mut self, renamed: &Renamed) {
        let entry = match renamed.is_repeated {
            true => {
                self.list.push(FieldEntry::given(&renamed.path));
                self.list.last_mut()
            }
            false => Some(self.at(&renamed.path)),
        };
        if let Some(entry) = entry {
            entry.input_path = Some(sibling(&renamed.path, &renamed.input));
            entry.layer = Some(renamed.layer);
            entry.status = FieldStatus::Uncertain;
            entry.score = Some(renamed.score);
            entry.runner_up.clone_from(&renamed.runner_up);
        }
    }

    fn left_out(&mut self, report: &BindReport, coercion: &Coercion) {
        let document = report.document();
        let name = document.name_read(coercion.before);
        let ignored = coercion.kind == CoercionKind::DropUndeclared;
        let candidates = match ignored {
            true => members_meant(report, &coercion.path, &name),
            false => Vec::new(),
        };
        let status = match candidates.is_empty() {
            true => FieldStatus::Ignored,
            false => FieldStatus::Conflict,
        };
        self.list.push(FieldEntry {
            input_path: Some(sibling(&coercion.path, &name)),
            field_path: None,
            layer: ignored.then_some(Layer::IgnoredField),
            status,
            before: Some(received(document.node(coercion.before))),
            candidates,
            changes: vec![Cow::Borrowed(coercion.kind.name())],
            ..FieldEntry::given(&coercion.path)
        });
    }

    fn refused(&mut self, issue: &Issue) {
        let status = match issue.code {
            IssueCode::AmbiguousField => FieldStatus::Ambiguous,
            IssueCode::Conflict => FieldStatus::Conflict,
            IssueCode::MissingRequired => FieldStatus::Missing,
            IssueCode::MissingGroup => return self.missing_group(issue),
            _ => FieldStatus::Rejected,
        };
        if issue.path.steps().is_empty() {
            return;
        }
        let entry = self.at(&issue.path);
        entry.status = status;
        entry.candidates.clone_from(&issue.candidates);
        match issue.code {
            IssueCode::UnknownField | IssueCode::AmbiguousField | IssueCode::Conflict => {
                (entry.field_path, entry.layer) = (None, None);
            }
            IssueCode::MissingRequired => {
                entry.layer = None;
                if issue.received.is_none() {
                    entry.input_path = None;
                }
            }
            _ => {}
        }
    }

    /// Adds an entry for a missing group. Groups share the path of the root, so each gets its own entry.
    fn missing_group(&mut self, issue: &Issue) {
        self.list.push(FieldEntry {
            input_path: None,
            layer: None,
            status: FieldStatus::Missing,
            candidates: issue.candidates.clone(),
            ..FieldEntry::given(&issue.path)
        });
    }
}

/// A value that was replaced.
fn coerced(entry: &mut FieldEntry, document: &Document<'_>, before: NodeId, after: Option<NodeId>) {
    if entry.status == FieldStatus::Bound {
        entry.status = FieldStatus::Coerced;
    }
    let was = || received(document.node(before));
    entry.before.get_or_insert_with(was);
    entry.after = after.map(|id| received(document.node(id)));
}

impl FieldEntry {
    /// Creates an entry with the status `bound`.
    fn given(path: &Path) -> Self {
        Self {
            input_path: Some(path.clone()),
            field_path: Some(path.clone()),
            layer: Some(Layer::Exact),
            status: FieldStatus::Bound,
            before: None,
            after: None,
            candidates: Vec::new(),
            changes: Vec::new(),
            score: None,
            runner_up: None,
        }
    }
}

/// Returns the given fields of the same object that an undeclared name also matches.
fn members_meant(report: &BindReport, path: &Path, name: &str) -> Vec<String> {
    let mut parent = path.clone();
    parent.pop();
    let Some(object) = value_at(report.document().root(), &parent) else {
        return Vec::new();
    };
    let (normal, words) = (normal_name(name), words_of_name(name).join(" "));
    let parts = parts_of_name(name);
    let mut meant = Vec::new();
    for (member, _) in object.members().take(SIBLINGS_MAX) {
        let is_declared = || report.contract.field(&parent.member(&member)).is_some();
        let is_same = normal_name(&member) == normal
            || parts_of_name(&member).contains(&words)
            || parts.contains(&words_of_name(&member).join(" "));
        if is_same && is_declared() {
            meant.push(member.into_owned());
        }
    }
    meant
}

/// Returns the value at a path.
fn value_at<'d>(root: Option<ValueRef<'d>>, path: &Path) -> Option<ValueRef<'d>> {
    path.steps()
        .into_iter()
        .try_fold(root?, |value, step| match step {
            Step::Member(name) => value.get(name),
            Step::Index(index) => value.item(*index as usize),
        })
}

/// Returns a path with another last name.
fn sibling(path: &Path, name: &str) -> Path {
    let mut path = path.clone();
    match path.pop() {
        Some(_) => path.member(name),
        None => path,
    }
}
