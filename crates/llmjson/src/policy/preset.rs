//! The presets: what each allows is said here and nowhere else.

use llmjson_schema::{CoerceOptions, CoercionKind, Liberties};
use llmjson_syntax::{Class, Limits};

use super::{Handling, Names, Policy, Unknown};

impl Policy {
    /// The names of the presets, for [`named`](Self::named).
    pub const PRESETS: &[&str] = &["lenient", "strict", "tool", "exact"];

    /// The preset of that name.
    ///
    /// ```
    /// use llmjson::Policy;
    ///
    /// assert!(Policy::PRESETS.iter().all(|name| Policy::named(name).is_some()));
    /// assert!(Policy::named("generous").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "lenient" => Some(Self::lenient()),
            "strict" => Some(Self::strict()),
            "tool" => Some(Self::tool()),
            "exact" => Some(Self::exact()),
            _ => None,
        }
    }

    /// Whatever helps, but for what is done only on request. This is the default.
    #[must_use]
    pub const fn lenient() -> Self {
        Self {
            liberties: Liberties::ALL,
            coercion: CoerceOptions::LENIENT,
            undeclared: Unknown::Keep,
            limits: Limits::DEFAULT,
            finish: None,
        }
    }

    /// Nothing: strict JSON that satisfies the schema as it stands.
    #[must_use]
    pub fn strict() -> Self {
        Self {
            coercion: CoerceOptions::none(),
            ..Self::lenient()
        }
        .with_liberties(Liberties::NONE)
    }

    /// For the arguments of tools: read leniently, but the value is to be whole and hold nothing
    /// that the schema does not declare. Words are no booleans, grouped digits no numbers.
    #[must_use]
    pub fn tool() -> Self {
        Self::lenient()
            .deny_coercion(CoercionKind::WordToBoolean)
            .deny_coercion(CoercionKind::WordToNull)
            .deny_coercion(CoercionKind::GroupedNumber)
            .deny_coercion(CoercionKind::GroupedNumberGuess)
            .with_names(Names::Derived)
            .with_undeclared(Unknown::Reject)
            .with_truncated(Handling::Refuse)
    }

    /// For tools that pay or delete: as [`tool`](Self::tool), but names have to be exact, and
    /// neither guesses nor members that come twice are accepted.
    #[must_use]
    pub fn exact() -> Self {
        Self::tool()
            .with_names(Names::Exact)
            .deny_beyond(Class::Likely)
            .with_duplicate_keys(Handling::Refuse)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::lenient()
    }
}
