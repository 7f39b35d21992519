//! Binds exactly one object: the object itself, the one in its envelope, or one written as a
//! string.

use llmjson_schema::{CoerceOptions, Coercion, CoercionKind, Path, Schema, Undeclared, Violation};
use llmjson_syntax::{Document, Kind, NodeId, ValueRef};

use crate::policy::{Fit, Policy};
use crate::reply::fit_value;

/// The only key of an envelope.
const ENVELOPE: &str = "arguments";

/// Maximum number of nested levels of JSON in strings.
const LAYERS: u32 = 2;

/// Coerces a document's value: directly, or its envelope's content, or the JSON in a string, always
/// with the policy's own options.
pub(crate) fn bind(
    document: &mut Document<'_>,
    schema: &Schema,
    _: &CoerceOptions,
    policy: &Policy,
) -> Fit {
    let Some(root) = document.root().map(|root| root.id()) else {
        return Fit::default();
    };
    let mut binder = Binder {
        document,
        schema,
        policy,
        // The walk opens envelopes by other rules and at other places.
        options: policy.coercion().clone().without(CoercionKind::Envelope),
    };
    let bound = binder.bind(root, LAYERS);
    let Bound {
        node,
        coercions,
        violations,
    } = binder.unless_nothing_is_known(root, bound);
    document.edit().set_root(node);
    (coercions, violations)
}

struct Binder<'b, 't> {
    document: &'b mut Document<'t>,
    schema: &'b Schema,
    policy: &'b Policy,
    options: CoerceOptions,
}

/// The result of coercing a value.
struct Bound {
    node: NodeId,
    coercions: Vec<Coercion>,
    violations: Vec<Violation>,
}

impl Bound {
    fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// Returns the same result with earlier coercions before its own.
    fn after(mut self, mut earlier: Vec<Coercion>, kind: CoercionKind, before: NodeId) -> Self {
        let after = Some(self.node);
        earlier.push(Coercion::new(kind, Path::root(), before, after));
        self.coercions.splice(0..0, earlier);
        self
    }
}

impl Binder<'_, '_> {
    /// Coerces a value that may be nested in up to `layers` JSON strings.
    fn bind(&mut self, node: NodeId, layers: u32) -> Bound {
        let bound = self.unwrap(node);
        if layers == 0 || !self.policy.allows_coercion(CoercionKind::DoubleEncoded) {
            return bound;
        }
        let kind = CoercionKind::DoubleEncoded;
        if self.document.node(node).kind() == Kind::String {
            let inner = (!bound.is_valid()).then(|| self.inside(node)).flatten();
            return match inner {
                Some(inner) => self.bind(inner, layers - 1).after(Vec::new(), kind, node),
                None => bound,
            };
        }
        match self.own_object(bound.node) {
            Some(inner) => {
                let own = self.bind(inner, layers - 1);
                if own.is_valid() {
                    own.after(bound.coercions, kind, bound.node)
                } else {
                    bound
                }
            }
            None => bound,
        }
    }

    /// Rejects a result that is empty because the schema declares none of its members: it is a
    /// different object, not an empty one of the expected kind. It is returned as parsed, and each
    /// member is a violation. Only a call may have no declared argument.
    fn unless_nothing_is_known(&self, root: NodeId, bound: Bound) -> Bound {
        let left = self.document.node(bound.node);
        let mut dropped = bound.coercions.iter();
        let nothing_known = bound.is_valid()
            && left.kind() == Kind::Object
            && left.is_empty()
            && !bound.coercions.is_empty()
            && dropped.all(|one| one.kind == CoercionKind::DropUndeclared);
        let is_call = || {
            let has_arguments = self.document.node(root).get(ENVELOPE).is_some();
            has_arguments && self.policy.allows_coercion(CoercionKind::Envelope)
        };
        if !nothing_known || is_call() {
            return bound;
        }
        let value = self.document.node(root);
        Bound {
            node: root,
            coercions: Vec::new(),
            violations: self.schema.violations(value, Undeclared::Reject),
        }
    }

    /// Coerces a value: directly, or, if the schema declares none of its members or it does not
    /// conform, the value in its envelope. The value in the envelope is taken, whether or not it
    /// conforms, if it has a declared member.
    fn unwrap(&mut self, node: NodeId) -> Bound {
        let outer = self.fit(node);
        if outer.is_valid() && self.knows_any(outer.node) {
            return outer;
        }
        let Some(content) = self.envelope(node) else {
            return outer;
        };
        let inner = self.fit(content);
        if self.knows_any(inner.node) {
            inner.after(Vec::new(), CoercionKind::Envelope, node)
        } else {
            outer
        }
    }

    fn fit(&mut self, node: NodeId) -> Bound {
        self.document.edit().set_root(node);
        let (coercions, violations) =
            fit_value(self.document, self.schema, &self.options, self.policy);
        let root = self.document.root().map_or(node, |root| root.id());
        Bound {
            node: root,
            coercions,
            violations,
        }
    }

    /// Returns the object in the envelope, if there is one and the schema does not declare it.
    fn envelope(&self, node: NodeId) -> Option<NodeId> {
        let content = self.document.node(node).get(ENVELOPE)?;
        let allowed = self.policy.allows_coercion(CoercionKind::Envelope);
        let is_one = content.kind() == Kind::Object && !self.schema.knows_member(ENVELOPE);
        (allowed && is_one).then(|| content.id())
    }

    /// Returns `true` if an object has a declared member.
    fn knows_any(&self, node: NodeId) -> bool {
        let mut members = self.document.node(node).members();
        members.any(|(name, _)| self.schema.knows_member(&name))
    }

    /// Returns the object in the string that is the only member of an object, if the schema
    /// declares all members of the inner object.
    fn own_object(&mut self, node: NodeId) -> Option<NodeId> {
        let value = self.document.node(node);
        let (_, only) = value.members().next().filter(|_| value.len() == 1)?;
        let text = only.id();
        let looks_so = only.as_str()?.trim_start().starts_with('{');
        let inner = looks_so.then(|| self.inside(text)).flatten()?;
        let object: ValueRef<'_> = self.document.node(inner);
        let mut members = object.members();
        let own = object.kind() == Kind::Object
            && !object.is_empty()
            && members.all(|(name, _)| self.schema.knows_member(&name));
        own.then_some(inner)
    }

    /// Returns the strict JSON in a string, if there is no other text in it.
    fn inside(&mut self, text: NodeId) -> Option<NodeId> {
        let limits = self.policy.limits();
        let inner = self.document.edit().parse_string(text, &limits)?;
        let strict = inner.whole && inner.complete && inner.repairs.is_empty();
        strict.then_some(inner.root)
    }
}
