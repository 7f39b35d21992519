//! Queries on a policy, for users and for the code that parses and coerces.

use std::borrow::Cow;

use llmjson_schema::{AllowedRepairs, CoerceOptions, CoercionKind, Refusal, Schema, Undeclared};
use llmjson_syntax::{Class, Document, Limits, RepairKind};

use super::{FinishReason, FormatStrictness, Handling, Invalid, Names, Observer, Policy, Wording};

impl Policy {
    /// Returns `true` if repairs of this kind are allowed at the kind's usual class.
    #[must_use]
    pub fn allows_repair(&self, kind: RepairKind) -> bool {
        self.allowed.allows(kind)
    }

    /// Returns `true` if repairs of this kind are allowed at this class.
    #[must_use]
    pub fn allows_repair_as(&self, kind: RepairKind, class: Class) -> bool {
        self.allowed.allows_as(kind, class)
    }

    /// Returns `true` if coercions of this kind are allowed at the kind's usual class.
    #[must_use]
    pub fn allows_coercion(&self, kind: CoercionKind) -> bool {
        self.coercion.allows(kind)
    }

    /// Returns `true` if coercions of this kind are allowed at this class.
    #[must_use]
    pub fn allows_coercion_as(&self, kind: CoercionKind, class: Class) -> bool {
        self.coercion.allows_as(kind, class)
    }

    /// Returns how object keys are matched to declared properties.
    #[must_use]
    pub fn names(&self) -> Names {
        if self.allows_coercion(CoercionKind::DerivedKey) {
            Names::Derived
        } else if self.allows_coercion(CoercionKind::KeySpelling) {
            Names::Normalized
        } else {
            Names::Exact
        }
    }

    /// Returns whether a truncated value is accepted.
    #[must_use]
    pub fn truncated(&self) -> Handling {
        Handling::of(self.allowed.allows_truncated())
    }

    /// Returns `true` if [`allow_truncated`](Self::allow_truncated) was called: functions that
    /// return only a value then also return a truncated one, whatever the preset.
    #[must_use]
    pub fn allows_truncated(&self) -> bool {
        self.truncated == Some(Handling::Accept)
    }

    /// Returns whether objects with duplicate keys are accepted.
    #[must_use]
    pub fn duplicate_keys(&self) -> Handling {
        Handling::of(self.allowed.allows_duplicate_keys())
    }

    /// Returns what happens to members that the schema does not declare.
    #[must_use]
    pub fn undeclared(&self) -> Undeclared {
        self.undeclared
    }

    /// Returns what happens to values that do not satisfy the schema.
    #[must_use]
    pub fn invalid(&self) -> Invalid {
        if self.allows_coercion(CoercionKind::ReplaceInvalid) {
            Invalid::Replace
        } else if self.allows_coercion(CoercionKind::DropInvalid) {
            Invalid::Drop
        } else {
            Invalid::Report
        }
    }

    /// Returns how strictly formats are checked.
    #[must_use]
    pub fn formats(&self) -> FormatStrictness {
        self.formats
    }

    /// Returns the wording of expectations in violations and feedback.
    #[must_use]
    pub fn wording(&self) -> Wording {
        self.wording
    }

    /// Returns the limits on a reply and its value.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the coercion options.
    pub fn coercion(&self) -> &CoerceOptions {
        &self.coercion
    }

    /// Returns the schema with this policy's format strictness and wording applied.
    pub fn asks<'s>(&self, schema: &'s Schema) -> &'s Schema {
        schema.with_formats(self.formats).with_wording(self.wording)
    }

    /// Returns the schema for coercion. If forbidden members are kept or dropped, it is a schema
    /// that forbids none, so that they don't influence coercion.
    pub(crate) fn opens<'s>(&self, schema: &'s Schema) -> &'s Schema {
        let schema = self.asks(schema);
        match self.undeclared {
            Undeclared::KeepForbidden | Undeclared::Drop => schema.opened(),
            _ => schema,
        }
    }

    /// Returns the schema that a value must satisfy afterwards.
    pub(crate) fn judges_by<'s>(&self, schema: &'s Schema) -> &'s Schema {
        let schema = self.asks(schema);
        match self.undeclared {
            Undeclared::KeepForbidden => schema.opened(),
            _ => schema,
        }
    }

    /// Returns `true` if a reply that is truncated inside a string is read.
    pub(crate) fn recovers_strings(&self) -> bool {
        self.ways.recovers_strings && self.truncated != Some(Handling::Refuse)
    }

    /// Returns `true` if changes are kept only if the value then satisfies the schema.
    pub fn is_all_or_nothing(&self) -> bool {
        self.ways.all_or_nothing
    }

    /// Returns `true` if the reply itself may be a string, without quotes.
    pub(crate) fn takes_text_verbatim(&self) -> bool {
        self.allows_repair(RepairKind::UnquotedString)
    }

    /// Returns `true` if a repair is allowed, of some class.
    pub(crate) fn allows_some(&self, kind: RepairKind) -> bool {
        Class::ALL
            .iter()
            .any(|class| self.allows_repair_as(kind, *class))
    }

    /// Returns `true` if blank arguments are read as an empty object.
    pub fn takes_blank_arguments(&self) -> bool {
        self.ways.blank_arguments || self.allows_repair(RepairKind::MissingBraces)
    }

    /// Returns the policy for a reply that was truncated.
    pub(crate) fn before_finish(&self) -> Cow<'_, Self> {
        match self.finish {
            None => Cow::Borrowed(self),
            Some(_) => Cow::Owned(self.clone().without_finish_reason()),
        }
    }

    /// Adds the policy's information about its text to a document.
    #[inline]
    pub(crate) fn inform(&self, document: &mut Document<'_>) {
        let is_read = || document.root().is_some() && !document.is_cut_behind();
        match &self.finish {
            Some(FinishReason::Stop) => document.mark_stopped(),
            Some(reason) if reason.cuts_off() && is_read() => document.mark_truncated(),
            _ => {}
        }
    }

    pub(crate) fn observer(&self) -> Option<&dyn Observer> {
        self.watcher.0.as_deref()
    }

    pub(crate) fn tool_name(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// Returns the name of the model, if set: see [`with_model`](Self::with_model).
    pub fn model_name(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Returns `true` if every kind of repair is allowed.
    #[inline]
    pub(crate) fn allows_all(&self) -> bool {
        self.allowed == AllowedRepairs::ALL
    }

    /// Returns everything about a result that is not allowed.
    pub(crate) fn refusals(&self, document: &Document<'_>) -> Vec<Refusal> {
        self.allowed.refusals(document)
    }
}
