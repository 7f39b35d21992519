//! The presets, and what each of them allows.

use std::str::FromStr;

use llmjson_schema::{AllowedRepairs, CoerceOptions, CoercionKind};
use llmjson_syntax::{Class, Limits, RepairKind, UnknownName};

use crate::policy::{Formats, Handling, Names, ObjectSearch, Policy, Search, Undeclared, Watcher};

impl Policy {
    /// The names of the presets, for [`named`](Self::named).
    pub const PRESETS: &[&str] = &[
        "lenient",
        "strict",
        "shape",
        "conservative",
        "tool",
        "exact",
    ];

    /// Returns the preset of this name.
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

    /// Allows every repair and coercion except those made only on request. This is the default.
    #[must_use]
    pub const fn lenient() -> Self {
        Self {
            allowed: AllowedRepairs::ALL,
            coercion: CoerceOptions::LENIENT,
            undeclared: Undeclared::Keep,
            formats: Formats::Meant,
            limits: Limits::DEFAULT,
            finish: None,
            all_or_nothing: false,
            search: Search::Ranked,
            object_search: ObjectSearch::Walk,
            recover: false,
            refuses_cut: false,
            blank_arguments: false,
            tool: None,
            model: None,
            watcher: Watcher(None),
        }
    }

    /// Allows nothing: the text must be strict JSON that satisfies the schema as it stands, formats to
    /// the letter.
    #[must_use]
    pub fn strict() -> Self {
        Self {
            coercion: CoerceOptions::none(),
            formats: Formats::Letter,
            ..Self::lenient()
        }
        .with_allowed_repairs(AllowedRepairs::NONE)
    }

    /// Allows strict JSON, and four small repairs of the fields of the object at the root that
    /// disagree with the schema: see `llmjson::shape`. If the value does not fit even then,
    /// it stays as it was written, and the violations are those of that value.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"properties": {"paths": {"type": "array", "items": {"type": "string"}}}}"#,
    /// )?;
    /// let parsed = llmjson::parse_with(r#"{"paths": "a.txt"}"#, Some(&schema), &Policy::shape());
    /// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"paths":["a.txt"]}"#));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn shape() -> Self {
        let coercion = CoerceOptions::none()
            .with(CoercionKind::DropNull)
            .with(CoercionKind::TextToContainer)
            .with(CoercionKind::UnwrapPlaceholder)
            .with(CoercionKind::WrapInArray)
            .with_text_levels(1)
            .with_plain_fields()
            .with_zero_for_null();
        Self {
            coercion,
            formats: Formats::Meant,
            ..Self::strict()
        }
        .with_allowed_repairs(AllowedRepairs::NONE)
        .with_reach(1, 1)
        .with_partial_coercion(Handling::Refuse)
        .with_blank_arguments(Handling::Accept)
    }

    /// Allows, for high trust, one object of strict JSON in a code fence or among prose, without
    /// repairs: see [`conservative`](crate::policy::conservative). Numbers and booleans may stand
    /// in quotes, and null for a member that is optional. A draft in a block of reasoning is
    /// refused, also where the reply holds nothing else.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}"#,
    /// )?;
    /// let text = r#"Note: {none} Now: {"name": "reply", "arguments": {"answer": "yes"}}"#;
    /// let parsed = llmjson::parse_with(text, Some(&schema), &Policy::conservative());
    /// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"answer":"yes"}"#));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn conservative() -> Self {
        let allowed = AllowedRepairs::NONE
            .with(RepairKind::CodeFence)
            .with(RepairKind::SurroundingText)
            .with(RepairKind::ReasoningBlock)
            .with(RepairKind::TemplateToken)
            .with(RepairKind::ChosenValue);
        let coercion = CoerceOptions::none()
            .with(CoercionKind::TextToNumber)
            .with(CoercionKind::TextToBoolean)
            .with(CoercionKind::DropNull)
            .with(CoercionKind::KeyAlias)
            .with(CoercionKind::Envelope)
            .with(CoercionKind::DoubleEncoded);
        Self {
            coercion,
            search: Search::InOrder,
            object_search: ObjectSearch::Object,
            formats: Formats::Meant,
            ..Self::strict()
        }
        .with_allowed_repairs(allowed)
        .with_undeclared(Undeclared::Drop)
    }

    /// Allows, for the arguments of tools, lenient reading of a complete value without undeclared
    /// members. Words are not booleans, grouped digits and units not numbers; dates are read in the forms
    /// that leave no doubt, and an allowed value among signs. A value that is a guess among
    /// several, or beside which another one was dropped, is refused.
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
            .deny_coercion_as(CoercionKind::DamagedTextToContainer, Class::Guess)
            .deny_coercion_as(CoercionKind::DecoratedChoice, Class::Guess)
            .deny_coercion_as(CoercionKind::Envelope, Class::Guess)
            .with_names(Names::Derived)
            .deny_repair_as(RepairKind::ChosenValue, Class::Guess)
            .deny_repair(RepairKind::ThoughtValue)
            .deny_repair(RepairKind::DroppedValue)
            .with_undeclared(Undeclared::Reject)
            .with_truncated(Handling::Refuse)
    }

    /// Allows, for tools that pay or delete, what [`tool`](Self::tool) allows, except names that
    /// are not exact, guesses, duplicate names, values in other forms, and what was left out: values, closing
    /// brackets within the text, and what three dots stand for. Formats are taken to the letter.
    #[must_use]
    pub fn exact() -> Self {
        Self::tool()
            .deny_coercion(CoercionKind::WrittenTime)
            .deny_coercion(CoercionKind::DecoratedChoice)
            .deny_repair(RepairKind::Ellipsis)
            .deny_repair(RepairKind::MissingValue)
            .deny_repair(RepairKind::Undefined)
            .deny_repair(RepairKind::MissingCloser)
            .with_names(Names::Exact)
            .with_formats(Formats::Letter)
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
