//! Policy settings that the presets of this module need.

use llmjson_syntax::RepairKind;

use crate::policy::{Handling, Policy};

impl Policy {
    /// Changes only values from `first` to `last` steps below the root: with 1 and 1, the members
    /// of the root object, but neither that object nor values inside its members. With 0 and
    /// [`u32::MAX`], the default, everything may change.
    #[must_use]
    pub fn with_reach(mut self, first: u32, last: u32) -> Self {
        self.coercion = self.coercion.with_reach(first, last);
        self
    }

    /// Sets whether a value that violates the schema even after coercion keeps its coercions. It
    /// does by default; otherwise the value is returned as parsed, with its violations.
    #[must_use]
    pub fn with_partial_coercion(mut self, handling: Handling) -> Self {
        self.ways.all_or_nothing = handling == Handling::Refuse;
        self
    }

    /// Sets whether blank tool arguments are read as an empty object if the schema accepts one,
    /// even if the policy denies missing braces.
    #[must_use]
    pub fn with_blank_arguments(mut self, handling: Handling) -> Self {
        self.ways.blank_arguments = handling == Handling::Accept;
        self
    }

    /// Sets whether the preset [`conservative`](Self::conservative) may read a reply that was
    /// truncated inside a string of its outermost object: see
    /// [`recover`](crate::compat::conservative::recover). The value is then truncated, and accepted
    /// unless [`with_truncated`](Self::with_truncated) refuses truncated values.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, policy::Handling};
    ///
    /// let text = r#"{"page": "the end\n\n"#;
    /// let policy = Policy::conservative();
    /// assert!(!policy.parse(text, None).conforms());
    /// let parsed = policy.with_recovered_strings(Handling::Accept).parse(text, None);
    /// assert!(parsed.conforms() && !parsed.is_complete());
    /// ```
    #[must_use]
    pub fn with_recovered_strings(mut self, handling: Handling) -> Self {
        self.ways.recovers_strings = handling == Handling::Accept;
        self
    }

    /// Returns the policy for a reply that was read although it was truncated inside a string.
    pub(crate) fn for_recovered(&self) -> Self {
        let allowed = self.allowed.with_truncated();
        let allowed = allowed
            .with(RepairKind::UnclosedString)
            .with(RepairKind::UnclosedObject)
            .with(RepairKind::ControlCharacter);
        self.clone().with_allowed_repairs(allowed)
    }
}
