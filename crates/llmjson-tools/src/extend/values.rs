//! Replaces values by the results of coercers and normalizers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use llmjson_schema::{Coercion, CoercionKind, Path, document_from_value};
use llmjson_syntax::{Document, Kind, Limits, NewKey, NodeId};
use serde_json::Value;

use super::super::changed::Changed;
use super::super::field::Field;
use super::super::received::received;
use super::apply::{BindState, Failures};
use super::path_map::{Apart, DEPTH_MAX, children};
use super::{Coerced, Coercer, FormatNormalizer};
use llmjson_reply::Policy;
use llmjson_reply::report::{Issue, IssueCode};

/// The name of the change that a normalizer makes.
const NORMALIZED: &str = "format_normalized";

/// Calls coercers and normalizers for the values at `places` and inside them, or without `places` for all
/// values for which they have not been called yet. Coerces and validates again after a change.
pub(super) fn settle(binding: &mut BindState<'_, '_>, places: Option<&Apart>, policy: &Policy) {
    if !binding.has_value_extensions() {
        return;
    }
    let scope = match places {
        Some(places) => Scope::Only(places),
        None => Scope::Besides(Apart::of(binding.settled.clone())),
    };
    if coerce(binding, &scope) {
        binding.fit(policy);
    }
    if normalize(binding, &scope) {
        binding.fit(policy);
    }
    binding
        .settled
        .extend(places.into_iter().flat_map(Apart::iter).cloned());
}

/// Calls coercers. Returns `true` if any value changed.
fn coerce(binding: &mut BindState<'_, '_>, scope: &Scope<'_>) -> bool {
    let coercers = &binding.contract.extensions().coercers;
    if coercers.is_empty() {
        return false;
    }
    let parsed = &mut binding.draft.parsed;
    let mut asking = Coercers {
        coercers,
        given: given(&parsed.coercions),
        limits: binding.contract.policy().limits(),
        failures: &mut binding.failures,
        issues: Vec::new(),
        changed: Vec::new(),
    };
    let is_new = change(
        &mut parsed.document,
        binding.contract.root(),
        scope,
        &mut asking,
    );
    let Coercers {
        issues, changed, ..
    } = asking;
    binding.draft.issues.extend(issues);
    forget_within(binding, &changed);
    note(binding, changed);
    is_new
}

/// Calls normalizers. Returns `true` if any value changed.
fn normalize(binding: &mut BindState<'_, '_>, scope: &Scope<'_>) -> bool {
    let normalizers = &binding.contract.extensions().normalizers;
    if normalizers.is_empty() {
        return false;
    }
    let document = &mut binding.draft.parsed.document;
    let mut asking = Normalizers {
        normalizers,
        failures: &mut binding.failures,
        changed: Vec::new(),
    };
    let is_new = change(document, binding.contract.root(), scope, &mut asking);
    let changed = asking.changed;
    note(binding, changed);
    is_new
}

/// The values for which extensions are called: those at some paths and inside them, or all others.
enum Scope<'p> {
    Only(&'p Apart),
    Besides(Apart),
}

impl Scope<'_> {
    fn holds(&self, path: &Path) -> bool {
        match self {
            Self::Only(places) => places.around(path).is_some(),
            Self::Besides(places) => places.around(path).is_none(),
        }
    }
}

/// A kind of extension that may replace values.
trait Asked {
    /// Calls the extensions for a value.
    fn ask(
        &mut self,
        document: &mut Document<'_>,
        value: NodeId,
        field: &Field<'_>,
    ) -> ExtensionAnswer;
}

enum ExtensionAnswer {
    /// No extension applies; they are called for the children of the value.
    Pass,
    /// The value stays unchanged, with its children.
    Stay,
    /// The value is replaced.
    Replace(NodeId),
}

/// Calls extensions for every declared value below the root. Returns `true` if the root was
/// replaced.
fn change(
    document: &mut Document<'_>,
    root: Field<'_>,
    scope: &Scope<'_>,
    asked: &mut impl Asked,
) -> bool {
    let Some(value) = document.root().map(|value| value.id()) else {
        return false;
    };
    match within(document, value, &root, scope, asked, DEPTH_MAX) {
        Some(new) => {
            document.edit().set_root(new);
            true
        }
        None => false,
    }
}

/// Returns a copy of a container with its children replaced, or `None` if none is or the container is more
/// than `levels` deep.
fn within(
    document: &mut Document<'_>,
    container: NodeId,
    field: &Field<'_>,
    scope: &Scope<'_>,
    asked: &mut impl Asked,
    levels: usize,
) -> Option<NodeId> {
    let levels = levels.checked_sub(1)?;
    let kind = document.node(container).kind();
    let mut is_new = false;
    let (mut items, mut members) = (Vec::new(), Vec::new());
    for (step, member, value) in children(document, container) {
        let new = field.below(step).and_then(|field| {
            let answer = match scope.holds(field.path()) {
                true => asked.ask(document, value, &field),
                false => ExtensionAnswer::Pass,
            };
            match answer {
                ExtensionAnswer::Stay => None,
                ExtensionAnswer::Replace(new) => Some(new),
                ExtensionAnswer::Pass => within(document, value, &field, scope, asked, levels),
            }
        });
        is_new |= new.is_some();
        let value = new.unwrap_or(value);
        match member {
            Some(member) => members.push((NewKey::Same(member), value)),
            None => items.push(value),
        }
    }
    is_new.then(|| match kind {
        Kind::Array => document.edit().array(&items),
        _ => document.edit().object(&members),
    })
}

struct Coercers<'b> {
    coercers: &'b [Arc<dyn Coercer>],
    /// Values before they were coerced, by their current paths.
    given: HashMap<Path, NodeId>,
    limits: Limits,
    failures: &'b mut Failures,
    issues: Vec<Issue>,
    changed: Vec<Changed>,
}

impl Asked for Coercers<'_> {
    fn ask(
        &mut self,
        document: &mut Document<'_>,
        value: NodeId,
        field: &Field<'_>,
    ) -> ExtensionAnswer {
        let path = field.path();
        let before = self.given.get(path).copied().unwrap_or(value);
        for coercer in self.coercers {
            let name = || format!("the coercer `{}`", coercer.name());
            let given = document.node(before);
            let call = || (coercer.coerce(given, field), coercer.name().to_owned());
            match self.failures.ask(name, path, call) {
                None | Some((Coerced::NotMine, _)) => {}
                Some((Coerced::Refused(reason), _)) => {
                    let mut issue = Issue::new(IssueCode::TypeMismatch, path.clone(), reason);
                    issue.received = Some(received(given));
                    self.issues.push(issue);
                    return ExtensionAnswer::Stay;
                }
                Some((Coerced::Value(meant), name)) => {
                    return self.replace(document, before, &meant, name, path);
                }
            }
        }
        ExtensionAnswer::Pass
    }
}

impl Coercers<'_> {
    fn replace(
        &mut self,
        document: &mut Document<'_>,
        before: NodeId,
        meant: &Value,
        name: String,
        path: &Path,
    ) -> ExtensionAnswer {
        if document_from_value(meant).root() == Some(document.node(before)) {
            return ExtensionAnswer::Stay;
        }
        let Some(after) = write(document, meant, &self.limits) else {
            let message = format!("The coercer `{name}` returned a value beyond the limits.");
            let issue = Issue::new(IssueCode::LimitReached, path.clone(), message);
            self.issues.push(issue);
            return ExtensionAnswer::Stay;
        };
        self.changed.push(Changed {
            path: path.clone(),
            name: Cow::Owned(name),
            before,
            after,
            after_coercions: 0,
        });
        ExtensionAnswer::Replace(after)
    }
}

/// Appends a value to a document. Returns `None` if it is beyond the limits.
fn write(document: &mut Document<'_>, value: &Value, limits: &Limits) -> Option<NodeId> {
    let mut editor = document.edit();
    match value {
        Value::Null => Some(editor.null()),
        Value::Bool(value) => Some(editor.boolean(*value)),
        Value::Number(number) => editor.number(&number.to_string()),
        Value::String(text) => Some(editor.string(text)),
        Value::Array(_) | Value::Object(_) => {
            let text = editor.string(&value.to_string());
            editor.parse_string(text, limits).map(|inner| inner.root)
        }
    }
}

struct Normalizers<'b> {
    normalizers: &'b [(Box<str>, Arc<dyn FormatNormalizer>)],
    failures: &'b mut Failures,
    changed: Vec<Changed>,
}

impl Asked for Normalizers<'_> {
    fn ask(
        &mut self,
        document: &mut Document<'_>,
        value: NodeId,
        field: &Field<'_>,
    ) -> ExtensionAnswer {
        let Some(text) = document.node(value).as_str() else {
            return ExtensionAnswer::Pass;
        };
        let Some(format) = field.format() else {
            return ExtensionAnswer::Pass;
        };
        let path = field.path();
        let name = || format!("the normalizer of `{format}`");
        let of_format = self.normalizers.iter().filter(|(one, _)| **one == *format);
        let normal = of_format
            .map(|(_, normalizer)| normalizer)
            .find_map(|one| self.failures.ask(name, path, || one.normalize(&text))?);
        let Some(normal) = normal.filter(|normal| **normal != *text) else {
            return ExtensionAnswer::Pass;
        };
        let after = document.edit().string(&normal);
        self.changed.push(Changed {
            path: path.clone(),
            name: Cow::Borrowed(NORMALIZED),
            before: value,
            after,
            after_coercions: 0,
        });
        ExtensionAnswer::Replace(after)
    }
}

/// Returns the values before they were coerced, by their current paths.
fn given(coercions: &[Coercion]) -> HashMap<Path, NodeId> {
    let mut given = HashMap::new();
    for coercion in coercions.iter().filter(|coercion| is_of_value(coercion)) {
        let place = given.entry(coercion.path.clone());
        place.or_insert(coercion.before);
    }
    given
}

/// Returns `true` if a coercion replaced a value by another.
fn is_of_value(coercion: &Coercion) -> bool {
    use CoercionKind::{
        Default, DerivedKey, DropUndeclared, Envelope, KeyAlias, KeySpelling, RecordsCapped,
    };
    let names = [KeyAlias, KeySpelling, DerivedKey, DropUndeclared, Envelope];
    coercion.after.is_some()
        && !names.contains(&coercion.kind)
        && !matches!(coercion.kind, Default | RecordsCapped)
}

/// Removes the records of changes to values that coercers have replaced.
fn forget_within(binding: &mut BindState<'_, '_>, changed: &[Changed]) {
    if changed.is_empty() {
        return;
    }
    let places = Apart::of(changed.iter().map(|one| one.path.clone()).collect());
    let is_inside = |path: &Path| places.around(path).is_some_and(|place| place != path);
    let draft = &mut binding.draft;
    draft.renamed.retain(|renamed| !is_inside(&renamed.path));
    let coercions = std::mem::take(&mut draft.parsed.coercions);
    let is_left = |coercion: &Coercion| {
        let is_outside = places.around(&coercion.path).is_none();
        is_outside || !is_inside(&coercion.path) && !is_of_value(coercion)
    };
    let mut changed = draft.changed.iter_mut().peekable();
    for (at, coercion) in coercions.into_iter().enumerate() {
        let left = draft.parsed.coercions.len();
        while let Some(changed) = changed.next_if(|changed| changed.after_coercions <= at) {
            changed.after_coercions = left;
        }
        if is_left(&coercion) {
            draft.parsed.coercions.push(coercion);
        }
    }
    let left = draft.parsed.coercions.len();
    changed.for_each(|changed| changed.after_coercions = left);
}

/// Records changes as made after all coercions recorded so far.
fn note(binding: &mut BindState<'_, '_>, changed: Vec<Changed>) {
    let draft = &mut binding.draft;
    let after_coercions = draft.parsed.coercions.len();
    draft.changed.extend(changed.into_iter().map(|one| Changed {
        after_coercions,
        ..one
    }));
}
