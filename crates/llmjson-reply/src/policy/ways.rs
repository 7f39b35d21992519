//! Alternative functions from a reply to its value, which a preset may supply.
//!
//! The code that reads replies knows only that there may be an alternative. Only the presets name
//! the module for users of other systems (`compat`).

use llmjson_schema::{CoerceOptions, Coercion, Refusal, Schema, Violation};
use llmjson_syntax::Document;

use crate::policy::Policy;

/// The changes made to fit a value to a schema, and the remaining violations.
pub(crate) type Fit = (Vec<Coercion>, Vec<Violation>);

/// A fitted value from a reply, with the policy's refusals.
pub(crate) struct Found<'t> {
    pub(crate) document: Document<'t>,
    pub(crate) fit: Fit,
    pub(crate) refused: Vec<Refusal>,
}

/// A function that finds the value of a reply.
type Find = for<'t> fn(&'t str, Option<&Schema>, &Policy) -> Option<Found<'t>>;

/// A function that fits the value of a document to a schema.
type FitTo = fn(&mut Document<'_>, &Schema, &CoerceOptions, &Policy) -> Fit;

/// Alternative functions of a policy, or the usual ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways {
    /// Finds the value of a reply. If it finds none, the usual search continues.
    pub(crate) find: Option<Find>,
    /// Fits the value of a document to a schema.
    pub(crate) fit: Option<FitTo>,
    /// Values that do not conform even after coercion are returned as parsed.
    pub(crate) all_or_nothing: bool,
    /// Blank arguments of a tool mean an empty object.
    pub(crate) blank_arguments: bool,
    /// A reply that is truncated inside a string is read.
    pub(crate) recovers_strings: bool,
}

impl Ways {
    pub(crate) const USUAL: Self = Self {
        find: None,
        fit: None,
        all_or_nothing: false,
        blank_arguments: false,
        recovers_strings: false,
    };

    /// Returns `true` if the value may come from a document other than the parsed one.
    pub(crate) fn lead_elsewhere(self) -> bool {
        self.find.is_some() || self.fit.is_some()
    }
}
