//! The presets, and the changes that each of them allows.

use std::str::FromStr;

use llmjson_schema::{AllowedRepairs, CoerceOptions, CoercionKind};
use llmjson_syntax::{Class, RepairKind, UnknownName};

use crate::compat::{conservative, shape};
use crate::policy::{FormatStrictness, Handling, Names, Policy, Undeclared};

impl Policy {
    /// The preset names that [`named`](Self::named) accepts.
    pub const PRESETS: &[&str] = &[
        "lenient",
        "strict",
        "shape",
        "conservative",
        "tool",
        "exact",
    ];

    /// Returns the preset with this name, or `None` if there is none.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Policy;
    ///
    /// assert!(Policy::PRESETS.iter().all(|name| Policy::named(name).is_some()));
    /// assert!(Policy::named("generous").is_none());
    /// let error = "generous".parse::<Policy>().unwrap_err();
    /// assert!(error.to_string().starts_with("unknown name \"generous\", expected lenient, strict, "));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "lenient" => Some(Self::lenient()),
            "strict" => Some(Self::strict()),
            "shape" => Some(Self::shape()),
            "conservative" => Some(Self::conservative()),
            "tool" => Some(Self::tool()),
            "exact" => Some(Self::exact()),
            _ => None,
        }
    }

    /// Allows nothing: the reply must be strict JSON that satisfies the schema unchanged, with
    /// strictly checked formats.
    #[must_use]
    pub fn strict() -> Self {
        let mut policy = Self::lenient().with_formats(FormatStrictness::Strict);
        policy.coercion = CoerceOptions::none().with_as(CoercionKind::ReadByType, Class::Certain);
        policy.with_allowed_repairs(AllowedRepairs::NONE)
    }

    /// Allows strict JSON, and four small repairs of fields of the root object that don't match the
    /// schema: see [`shape`]. If the value does not satisfy the schema even then, it is returned
    /// unchanged, with its violations.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"properties": {"paths": {"type": "array", "items": {"type": "string"}}}}"#,
    /// )?;
    /// let parsed = Policy::shape().parse(r#"{"paths": "a.txt"}"#, Some(&schema));
    /// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"paths":["a.txt"]}"#));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn shape() -> Self {
        shape::changed(Self::strict())
    }

    /// Allows, if only a trustworthy value is useful, one object of strict JSON in a code fence or
    /// in prose, without repairs: see [`conservative`]. Numbers and booleans may be quoted, and an
    /// optional member may be null. A draft in a reasoning block is refused even if the reply holds
    /// nothing else.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}"#,
    /// )?;
    /// let text = r#"Note: {none} Now: {"name": "reply", "arguments": {"answer": "yes"}}"#;
    /// let parsed = Policy::conservative().parse(text, Some(&schema));
    /// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"answer":"yes"}"#));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn conservative() -> Self {
        conservative::changed(Self::strict())
    }

    /// Allows, for tool arguments, lenient parsing of a complete value without undeclared members.
    /// Words are not read as booleans, nor grouped digits and units as numbers; dates are accepted
    /// in unambiguous forms, and an enumerated value even with punctuation around it. The policy
    /// refuses a value chosen by a guess, or one found next to a dropped value.
    #[must_use]
    pub fn tool() -> Self {
        Self::lenient()
            .deny_coercion(CoercionKind::WordToBoolean)
            .deny_coercion(CoercionKind::WordToNull)
            .deny_coercion(CoercionKind::GroupedNumber)
            .deny_coercion(CoercionKind::GroupedNumberGuess)
            .deny_coercion(CoercionKind::UnitNumber)
            .deny_coercion(CoercionKind::WrittenNumber)
            .deny_coercion(CoercionKind::WrittenList)
            .deny_coercion(CoercionKind::OtherLayout)
            .deny_coercion(CoercionKind::MarkedText)
            .deny_coercion_as(CoercionKind::WrittenTime, Class::Guess)
            .deny_coercion_as(CoercionKind::DamagedTextToContainer, Class::Guess)
            .deny_coercion_as(CoercionKind::DecoratedChoice, Class::Guess)
            .deny_coercion_as(CoercionKind::Envelope, Class::Guess)
            .deny_coercion_as(CoercionKind::ReadByType, Class::Likely)
            .with_names(Names::Derived)
            .deny_repair_as(RepairKind::ChosenValue, Class::Guess)
            .deny_repair_as(RepairKind::SurroundingText, Class::Guess)
            .deny_repair(RepairKind::ThoughtValue)
            .deny_repair(RepairKind::DroppedValue)
            .deny_repair(RepairKind::Notation)
            .deny_repair_as(RepairKind::Correction, Class::Guess)
            .with_undeclared(Undeclared::Reject)
            .with_truncated(Handling::Refuse)
    }

    /// Allows, for tools that pay or delete, what [`tool`](Self::tool) allows, except inexact
    /// names, guesses, duplicate keys, values in other notations and omissions: missing values,
    /// missing closing brackets and ellipses. Formats are checked strictly.
    #[must_use]
    pub fn exact() -> Self {
        Self::tool()
            .deny_coercion(CoercionKind::WrittenTime)
            .deny_coercion(CoercionKind::DecoratedChoice)
            .deny_coercion(CoercionKind::SplitMarkup)
            .deny_repair(RepairKind::Ellipsis)
            .deny_repair(RepairKind::MissingValue)
            .deny_repair(RepairKind::Undefined)
            .deny_repair(RepairKind::MissingCloser)
            .deny_repair(RepairKind::Correction)
            .with_names(Names::Exact)
            .with_formats(FormatStrictness::Strict)
            .deny_beyond(Class::Likely)
            .with_duplicate_keys(Handling::Refuse)
    }
}

/// Reads the name of a [preset](Policy::PRESETS).
impl FromStr for Policy {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = UnknownName::find(name, Self::PRESETS, |preset| preset)?;
        Ok(Self::named(known).unwrap_or_default())
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::lenient()
    }
}
