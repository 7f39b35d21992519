//! The judgement of a schema's Python type on a value: an instance, or the reason why there is
//! none. The type has the last word: a value that only its schema rejects is not a violation, and a
//! value that the type rejects is.

use std::collections::{HashMap, HashSet};

use llmjson::policy::Undeclared;
use llmjson::report::{Coercion, CoercionKind, Found, IssueCode, Path, Step, Violation};
use llmjson::syntax::{Class, Document, Limits, NewKey, NodeId};
use pyo3::exceptions::{PyRecursionError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::parsed::Parsed;
use crate::schema::{Judge, Schema};

type Read = llmjson::Parsed<'static>;

/// The expectation for a value that fits its schema, if the policy denies the type's change.
const UNCHANGED: &str = "a value that the type takes without a change";

/// The bound keywords that annotations express.
const BOUNDS: [&str; 12] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

/// The judgement of a schema's type on a value.
pub(crate) struct Judged {
    /// The result as the type sees it; `None` if it equals the parsed result.
    best: Option<Box<Read>>,
    /// The instance, if the type accepts the value.
    pub(crate) made: Option<Py<PyAny>>,
    /// The violations of the type's schema.
    unfit: Vec<Violation>,
}

/// A rejection by a type: the path, the expectation there, and whether that is a sentence.
#[derive(FromPyObject)]
struct Rejection(String, String, bool);

/// A place where the instance differs from the value: the path, whether the value fits the schema
/// and keeps its kind, and the instance's content as JSON.
#[derive(FromPyObject)]
struct Change(String, bool, String);

impl Rejection {
    fn path(&self) -> Path {
        Path::parse(&self.0).unwrap_or_default()
    }
}

impl Parsed {
    /// Returns the judgement of the schema's type; `None` without a type or a value.
    ///
    /// # Errors
    ///
    /// If a validator raises an exception that is not a rejection.
    pub(crate) fn judged<'a>(slf: &'a Bound<'_, Self>) -> PyResult<Option<&'a Judged>> {
        let (this, py) = (slf.get(), slf.py());
        if let Some(judged) = this.judged.get() {
            return Ok(Some(judged));
        }
        let schema = this.origin.schema.as_ref().map(Py::get);
        let Some(schema) = schema.filter(|_| this.inner.value().is_some()) else {
            return Ok(None);
        };
        let Some(judge) = schema.judge(py)? else {
            return Ok(None);
        };
        let mut judged = match judge.quick.as_ref().filter(|_| this.is_plain()) {
            Some(quick) => match quick.call1(py, (this.plain(py, &this.inner)?,)) {
                Ok(made) => Judged::of(made),
                Err(error) if is_rejection(py, &error) => this.judge_closely(py, schema, judge)?,
                Err(error) => return Err(error),
            },
            None => this.judge_closely(py, schema, judge)?,
        };
        if judged.made.is_some() && (judge.rereads || !judged.unfit.is_empty()) {
            this.judge_changes(py, &mut judged)?;
        }
        Ok(Some(this.judged.get_or_init(|| judged)))
    }

    /// Returns `true` if the value is what a JSON parser returns, and nothing is wrong with it.
    fn is_plain(&self) -> bool {
        self.inner.conforms() && self.origin.parse_float.is_none()
    }

    /// Collects all rejections by the type. If it rejects a value that coercion changed, the type
    /// is also asked about the original value: the schema of `timedelta` requires a string, but the
    /// type also accepts numbers.
    fn judge_closely(&self, py: Python<'_>, schema: &Schema, judge: &Judge) -> PyResult<Judged> {
        let ask = |read: &Read| -> PyResult<(Py<PyAny>, Vec<Rejection>)> {
            let value = self.plain(py, read)?;
            let text = read.to_json().unwrap_or_default();
            judge.full.call1(py, (text, value))?.extract(py)
        };
        let (mut made, mut wrong) = ask(&self.inner)?;
        let mut best = None;
        let before = Places::of(&wrong);
        let mut undone: Vec<&Coercion> = self.inner.coercions().iter().collect();
        undone.retain(|one| {
            can_be_undone(one) && (before.are_in(&one.path) || before.are_around(&one.path))
        });
        for _ in 0..2 {
            if undone.is_empty() {
                break;
            }
            let other = without(&self.inner, &undone);
            let (other_made, other_wrong) = ask(&other)?;
            let (after, count) = (Places::of(&other_wrong), undone.len());
            // An error around a place may be different from the error in it.
            undone.retain(|one| {
                let is_near = before.are_in(&one.path);
                !after.are_in(&one.path) && (is_near || !after.are_around(&one.path))
            });
            if undone.len() == count {
                (made, wrong, best) = (other_made, other_wrong, Some(Box::new(other)));
                break;
            }
        }
        let unfit = violations_of(best.as_deref().unwrap_or(&self.inner), schema);
        let mut violations = self.violations_left(schema, judge);
        self.add_rejections(&mut violations, best.as_deref(), &unfit, &wrong);
        if best.is_some() || violations != self.inner.violations {
            best.get_or_insert_with(|| self.inner.clone()).violations = violations;
        }
        let is_fit = best.as_ref().unwrap_or(&self.inner).violations.is_empty();
        let made = is_fit.then_some(made);
        Ok(Judged { best, made, unfit })
    }

    /// Records the changes that only the type makes, as coercions. If the policy denies one of
    /// them, the schema's result is kept, and there is no instance.
    fn judge_changes(&self, py: Python<'_>, judged: &mut Judged) -> PyResult<()> {
        static REREAD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let reread = REREAD.import(py, "llmjson._typed", "reread")?;
        let read = judged.best.as_deref().unwrap_or(&self.inner);
        let unfit: Vec<_> = judged
            .unfit
            .iter()
            .map(|one| one.path.to_string())
            .collect();
        let changes = reread.call1((self.plain(py, read)?, judged.made.as_ref(), unfit))?;
        let changes: Vec<Change> = changes.extract()?;
        if changes.is_empty() {
            return Ok(());
        }
        let policy = self.origin.policy(py)?;
        let mut best = judged.best.take().unwrap_or_else(|| self.inner.clone());
        let mut denied = Vec::new();
        for Change(path, is_certain, after) in changes {
            let path = Path::parse(&path).unwrap_or_default();
            let root = best.value().map(|root| root.pointer(&path.to_pointer()));
            let Some(before) = root.flatten().map(|value| value.id()) else {
                continue;
            };
            let mut editor = best.document.edit();
            let text = editor.string(&after);
            let after = editor.parse_string(text, &Limits::DEFAULT);
            let kind = CoercionKind::ReadByType;
            let mut coercion = Coercion::new(kind, path, before, after.map(|inner| inner.root));
            if !is_certain {
                coercion.class = Class::Likely;
            }
            if policy.allows_coercion_as(kind, coercion.class) {
                best.coercions.push(coercion);
            } else {
                denied.push(coercion);
            }
        }
        judged.best = Some(best);
        if !denied.is_empty() {
            let mut best = self.inner.clone();
            if best.conforms() {
                best.violations.extend(denied.into_iter().map(|one| {
                    let name = one.kind.name();
                    Violation::new(one.path, name, UNCHANGED, Found::Value(one.before))
                }));
            }
            (judged.best, judged.made, judged.unfit) = (Some(best), None, Vec::new());
        }
        Ok(())
    }

    /// Returns the violations that no type overrides: of rules that the policy adds to the schema,
    /// and of bounds that only the schema checks.
    fn violations_left(&self, schema: &Schema, judge: &Judge) -> Vec<Violation> {
        let mut violations = self.inner.violations().to_vec();
        if !violations.is_empty() {
            let own = violations_of(&self.inner, schema);
            let own: HashSet<_> = own.iter().map(|one| (&one.path, one.keyword)).collect();
            violations.retain(|one| {
                let is_bound = judge.leaves_bounds && BOUNDS.contains(&one.keyword);
                is_bound || !own.contains(&(&one.path, one.keyword))
            });
        }
        violations
    }

    /// Adds the type's rejections at places without a violation.
    fn add_rejections(
        &self,
        violations: &mut Vec<Violation>,
        best: Option<&Read>,
        unfit: &[Violation],
        wrong: &[Rejection],
    ) {
        let told: HashSet<_> = violations.iter().map(|one| one.path.clone()).collect();
        let unfit: HashMap<_, _> = unfit.iter().map(|one| (&one.path, one)).collect();
        let root = best.unwrap_or(&self.inner).value();
        for one in wrong {
            let path = one.path();
            if told.contains(&path) {
                continue;
            }
            let found = root.and_then(|root| root.pointer(&path.to_pointer()));
            let found = found.map_or(Found::Missing, |value| Found::Value(value.id()));
            let by_schema = unfit.get(&path);
            let keyword = if one.2 {
                IssueCode::CheckFailed.name()
            } else {
                "type"
            };
            let mut violation = Violation::new(path, keyword, &*one.1, found);
            // The schema's expectation there is a hint for the model. The type's message quotes a pattern itself.
            violation.description = by_schema.and_then(|one| {
                let expected = (one.keyword != "pattern").then(|| one.expected.clone());
                one.description.clone().or(expected)
            });
            violations.push(violation);
        }
    }

    /// Returns the result as the schema's type sees it.
    pub(crate) fn best<'a>(slf: &'a Bound<'_, Self>) -> PyResult<&'a Read> {
        let judged = Self::judged(slf)?;
        Ok(judged
            .and_then(|judged| judged.best.as_deref())
            .unwrap_or(&slf.get().inner))
    }

    /// Returns whether the type accepts a value that violates its schema.
    pub(crate) fn is_accepted(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let judged = Self::judged(slf)?;
        Ok(judged.is_some_and(|judged| judged.made.is_some() && !judged.unfit.is_empty()))
    }
}

impl Judged {
    /// Creates the judgement that the value equals the parsed one.
    fn of(made: Py<PyAny>) -> Self {
        let (best, made, unfit) = (None, Some(made), Vec::new());
        Self { best, made, unfit }
    }
}

fn is_rejection(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyRecursionError>(py)
}

fn violations_of(read: &Read, schema: &Schema) -> Vec<Violation> {
    let found = read
        .value()
        .map(|value| schema.inner.violations(value, Undeclared::Keep));
    found.unwrap_or_default()
}

/// Returns whether a coercion can be undone. A coercion that moves a member to where the type looks
/// for it is kept.
fn can_be_undone(coercion: &Coercion) -> bool {
    use CoercionKind::{DerivedKey, Envelope, KeyAlias, KeySpelling, OtherLayout};
    let binds = matches!(
        coercion.kind,
        DerivedKey | Envelope | KeyAlias | KeySpelling | OtherLayout
    );
    coercion.after.is_some() && !binds
}

/// The places at which a type rejects a value.
struct Places {
    wrong: HashSet<Path>,
    /// The rejected places and all places around them.
    around: HashSet<Path>,
}

impl Places {
    fn of(wrong: &[Rejection]) -> Self {
        let wrong: HashSet<_> = wrong.iter().map(Rejection::path).collect();
        let around = wrong.iter().flat_map(around).collect();
        Self { wrong, around }
    }

    /// Returns whether one of them is this place or inside it.
    fn are_in(&self, path: &Path) -> bool {
        self.around.contains(path)
    }

    /// Returns whether one of them is this place or encloses it.
    fn are_around(&self, path: &Path) -> bool {
        around(path).any(|one| self.wrong.contains(&one))
    }
}

/// A place and all enclosing places, from the inside to the root.
fn around(path: &Path) -> impl Iterator<Item = Path> {
    std::iter::successors(Some(path.clone()), |path| {
        let mut outer = path.clone();
        outer.pop().map(|_| outer)
    })
}

/// Returns the result with some coercions undone.
fn without(read: &Read, undone: &[&Coercion]) -> Read {
    let mut other = read.clone();
    let changes: Vec<_> = undone
        .iter()
        .map(|one| (one.path.steps(), one.before))
        .collect();
    let changes: Vec<_> = changes
        .iter()
        .map(|(steps, before)| (&**steps, *before))
        .collect();
    if let Some(root) = other.document.root().map(|root| root.id()) {
        let root = restored(&mut other.document, root, &changes);
        other.document.edit().set_root(root);
    }
    let places: HashSet<_> = undone.iter().map(|one| &one.path).collect();
    other.coercions.retain(|one| {
        // The name that a member was given is kept.
        let inside = around(&one.path).skip(usize::from(!can_be_undone(one)));
        !{ inside }.any(|path| places.contains(&path))
    });
    other
}

/// Writes a value with other values at the places that the steps lead to.
fn restored(document: &mut Document<'_>, at: NodeId, changes: &[(&[&Step], NodeId)]) -> NodeId {
    if let Some((_, before)) = changes.iter().find(|(steps, _)| steps.is_empty()) {
        return *before;
    }
    let mut inner: HashMap<&Step, Vec<(&[&Step], NodeId)>> = HashMap::new();
    for (steps, before) in changes {
        if let Some((first, rest)) = steps.split_first() {
            inner.entry(first).or_default().push((rest, *before));
        }
    }
    let value = document.node(at);
    let members = value.members().keyed();
    let mut members: Vec<_> = members
        .map(|(key, value)| (Step::Member(key.decoded().into()), key.member(), value.id()))
        .collect();
    let mut items: Vec<_> = value.items().map(|item| item.id()).collect();
    for (index, item) in (0..).zip(&mut items) {
        if let Some(changes) = inner.get(&Step::Index(index)) {
            *item = restored(document, *item, changes);
        }
    }
    for (step, _, member) in &mut members {
        if let Some(changes) = inner.get(step) {
            *member = restored(document, *member, changes);
        }
    }
    match items.is_empty() {
        false => document.edit().array(&items),
        true => {
            let members = members
                .iter()
                .map(|(_, key, value)| (NewKey::Same(*key), *value));
            let members: Vec<_> = members.collect();
            document.edit().object(&members)
        }
    }
}
