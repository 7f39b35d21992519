//! Policies: which repairs and coercions are allowed, within which limits.
//!
//! Parsing and coercion have no modes: they record every change they make. A [`Policy`] says which
//! changes are allowed, and only this module checks it. An [`Observer`] receives the changes made
//! to each reply, for metrics; the feature `tracing` emits them as events.

mod answers;
mod choice;
mod finish;
#[cfg(feature = "laws")]
pub(crate) mod laws;
mod limit;
mod observer;
mod settings;
mod ways;

pub use choice::{Handling, Invalid, Names};
pub use finish::FinishReason;
pub use limit::LimitError;
pub use llmjson_schema::{AllowedRepairs, FormatStrictness, Undeclared, Wording};
pub use observer::{Observation, Observer, Outcome, RetryEvent, RetryStep};
pub(crate) use ways::{Fit, Found, Ways};

use std::fmt;
use std::sync::Arc;

use llmjson_schema::{CoerceOptions, CoercionKind};
use llmjson_syntax::{Class, Limits, RepairKind};

/// The repairs and coercions allowed to get a value from a reply.
///
/// Start from a preset, then change the policy kind by kind. An interpretation that needs a denied
/// repair is skipped; if there is no other one, the result is a [`Failure`](crate::Failure) that
/// reports what was refused and where. A denied coercion is not made.
///
/// | preset | allows |
/// |---|---|
/// | [`lenient`](Self::lenient) | every repair and coercion that is not opt-in; the functions without a policy use it |
/// | [`strict`](Self::strict) | nothing: strict JSON that satisfies the schema, formats to the letter |
/// | [`shape`](Self::shape) | strict JSON; of the members at the root, a single item becomes a list, a list in a string a list, and a null is dropped. If the value does not fit even then, nothing is changed |
/// | [`conservative`](Self::conservative) | strict JSON in a code fence or among prose, the first object outside of reasoning that fits; numbers and booleans in quotes, null for an optional member, aliases, one envelope; undeclared members are dropped |
/// | [`tool`](Self::tool) | lenient reading of complete text, without guessed choices and dropped values; names also by their first or last words (`phone` for `phoneNumber`) if only one is possible; no words for booleans, no grouped digits, no envelope of an unusual name, no undeclared members |
/// | [`exact`](Self::exact) | as `tool`, but names exact, formats to the letter, no guesses, no duplicate names and nothing left out |
///
/// Members that a schema forbids (`additionalProperties: false`) are violations, unless
/// [`with_undeclared`](Self::with_undeclared) keeps or drops them.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::{Policy, Schema, report::CoercionKind, syntax::RepairKind};
///
/// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "integer"}}"#)?;
/// let policy = Policy::strict().allow_repair(RepairKind::ExtraComma);
/// assert!(policy.parse("[1, 2,]", Some(&schema)).conforms());
///
/// let refused = policy.parse("[1, 2", Some(&schema));
/// assert_eq!(refused.to_json().as_deref(), Some("[1,2]"));
/// assert_eq!(refused.refused()[0].name(), "truncated");
/// assert!(refused.into_result().is_err());
///
/// let policy = policy.allow_coercion(CoercionKind::TextToNumber);
/// assert!(policy.parse(r#"[1, "2"]"#, Some(&schema)).conforms());
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) allowed: AllowedRepairs,
    pub(crate) coercion: CoerceOptions,
    undeclared: Undeclared,
    formats: FormatStrictness,
    wording: Wording,
    limits: Limits,
    finish: Option<FinishReason>,
    /// Alternative functions from a reply to its value.
    pub(crate) ways: Ways,
    /// The treatment of truncated values chosen by a setter; `None` if only the preset chose it.
    truncated: Option<Handling>,
    tool: Option<Arc<str>>,
    model: Option<Arc<str>>,
    watcher: Watcher,
}

/// The observer, if there is one.
#[derive(Clone, Default)]
struct Watcher(Option<Arc<dyn Observer>>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Some(..)" } else { "None" })
    }
}

/// The policy of functions that don't take one.
pub static LENIENT: Policy = Policy::lenient();

impl Policy {
    /// Allows every repair and coercion except opt-in coercions. This is the default.
    #[must_use]
    pub const fn lenient() -> Self {
        Self {
            allowed: AllowedRepairs::ALL,
            coercion: CoerceOptions::LENIENT,
            undeclared: Undeclared::Keep,
            formats: FormatStrictness::Lenient,
            wording: Wording::Tags,
            limits: Limits::DEFAULT,
            finish: None,
            ways: Ways::USUAL,
            truncated: None,
            tool: None,
            model: None,
            watcher: Watcher(None),
        }
    }

    /// Allows repairs of this kind.
    #[must_use]
    pub fn allow_repair(self, kind: RepairKind) -> Self {
        let allowed = self.allowed.with(kind);
        self.with_allowed_repairs(allowed)
    }

    /// Denies repairs of this kind at this class.
    #[must_use]
    pub fn deny_repair_as(self, kind: RepairKind, class: Class) -> Self {
        let allowed = self.allowed.without_as(kind, class);
        self.with_allowed_repairs(allowed)
    }

    /// Denies repairs of this kind.
    #[must_use]
    pub fn deny_repair(self, kind: RepairKind) -> Self {
        let allowed = self.allowed.without(kind);
        self.with_allowed_repairs(allowed)
    }

    /// Sets all allowed repairs at once. They also apply to JSON inside strings: a string that
    /// needs a denied repair stays a string.
    #[must_use]
    pub fn with_allowed_repairs(mut self, allowed: AllowedRepairs) -> Self {
        self.allowed = allowed;
        let handling = Handling::of(allowed.allows_truncated());
        self.truncated = self.truncated.filter(|chosen| *chosen == handling);
        self.coercion = self.coercion.with_allowed_repairs(allowed);
        self
    }

    /// Allows coercions of this kind, including opt-in kinds ([`CoercionKind::is_opt_in`]).
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema, report::CoercionKind};
    ///
    /// let schema = Schema::from_text(r#"{"enum": ["ONE", "TWO"]}"#)?;
    /// let policy = Policy::lenient().allow_coercion(CoercionKind::ValueFromProse);
    /// let parsed = policy.parse("The answer is TWO.", Some(&schema));
    /// assert_eq!(parsed.to_json().as_deref(), Some("\"TWO\""));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn allow_coercion(mut self, kind: CoercionKind) -> Self {
        self.coercion = self.coercion.with(kind);
        self
    }

    /// Denies coercions of this kind: they are not made.
    #[must_use]
    pub fn deny_coercion(mut self, kind: CoercionKind) -> Self {
        self.coercion = self.coercion.without(kind);
        self
    }

    /// Denies coercions of this kind at this class: they are not made.
    #[must_use]
    pub fn deny_coercion_as(mut self, kind: CoercionKind, class: Class) -> Self {
        self.coercion = self.coercion.without_as(kind, class);
        self
    }

    /// Allows every repair and coercion at least as certain as `worst`, except opt-in coercions.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, syntax::Class};
    ///
    /// let policy = Policy::strict().allow_up_to(Class::Certain);
    /// assert!(policy.parse("{'a': True,}", None).conforms());
    /// assert!(!policy.parse("{'a' True}", None).conforms());
    /// ```
    #[must_use]
    pub fn allow_up_to(mut self, worst: Class) -> Self {
        let usual = CoercionKind::ALL.iter().filter(|kind| !kind.is_opt_in());
        for class in Class::ALL.iter().filter(|class| **class <= worst) {
            for kind in RepairKind::ALL.iter().filter(|kind| kind.class() <= worst) {
                self.allowed = self.allowed.with_as(*kind, *class);
            }
            for kind in usual.clone().filter(|kind| kind.class() <= worst) {
                self.coercion = self.coercion.with_as(*kind, *class);
            }
        }
        let allowed = self.allowed;
        self.with_allowed_repairs(allowed)
    }

    /// Denies every repair and coercion less certain than `worst`.
    #[must_use]
    pub fn deny_beyond(mut self, worst: Class) -> Self {
        for class in Class::ALL.iter().filter(|class| **class > worst) {
            for kind in RepairKind::ALL {
                self.allowed = self.allowed.without_as(*kind, *class);
            }
            for kind in CoercionKind::ALL {
                self.coercion = self.coercion.without_as(*kind, *class);
            }
        }
        let allowed = self.allowed;
        self.with_allowed_repairs(allowed)
    }

    /// Sets the limits on a reply and its value.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.coercion = self.coercion.with_limits(limits);
        self
    }

    /// Sets the maximum input length in bytes; longer input is not parsed. Unlike
    /// [`with_limits`](Self::with_limits), it validates the limit, for example one read from a
    /// configuration file.
    ///
    /// # Errors
    ///
    /// If the limit is 0, or larger than any input that can be parsed (4 GiB).
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Policy;
    ///
    /// let policy = Policy::lenient().with_input_bytes(10)?;
    /// let failure = policy.parse("[1, 2, 3, 4]", None).into_result().unwrap_err();
    /// assert_eq!(failure.code(), "input_too_large");
    /// assert!(Policy::lenient().with_input_bytes(0).is_err());
    /// # Ok::<(), llmjson::policy::LimitError>(())
    /// ```
    pub fn with_input_bytes(self, bytes: u64) -> Result<Self, LimitError> {
        let limits = self.limits.with_input_bytes(limit::input_bytes(bytes)?);
        Ok(self.with_limits(limits))
    }

    /// Sets what happens to members that the schema does not declare.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema, policy::Undeclared};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"properties": {"n": {"type": "integer"}}, "additionalProperties": false}"#,
    /// )?;
    /// let read = |unknown| {
    ///     let policy = Policy::lenient().with_undeclared(unknown);
    ///     let parsed = policy.parse(r#"{"n": "1", "why": "x"}"#, Some(&schema));
    ///     (parsed.conforms(), parsed.to_json().unwrap_or_default())
    /// };
    /// assert_eq!(read(Undeclared::Keep), (false, r#"{"n":1,"why":"x"}"#.to_owned()));
    /// assert_eq!(read(Undeclared::KeepForbidden), (true, r#"{"n":1,"why":"x"}"#.to_owned()));
    /// assert_eq!(read(Undeclared::Drop), (true, r#"{"n":1}"#.to_owned()));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_undeclared(mut self, unknown: Undeclared) -> Self {
        self.undeclared = unknown;
        let kind = CoercionKind::DropUndeclared;
        if unknown == Undeclared::Drop {
            self.allow_coercion(kind)
        } else {
            self.deny_coercion(kind)
        }
    }

    /// Sets what happens to values that do not satisfy the schema.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema, policy::Invalid};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"items": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}}"#,
    /// )?;
    /// let policy = Policy::lenient().with_invalid(Invalid::Drop);
    /// let parsed = policy.parse(r#"[{"n": "1"}, {"n": "many"}]"#, Some(&schema));
    /// assert!(parsed.conforms());
    /// assert_eq!(parsed.to_json().as_deref(), Some(r#"[{"n":1}]"#));
    /// let dropped = parsed.coercions().last().expect("a record");
    /// assert_eq!(dropped.path.to_string(), "$input[1]");
    /// assert_eq!(dropped.violations[0].expected, "integer");
    ///
    /// let policy = Policy::lenient().with_invalid(Invalid::Replace);
    /// let parsed = policy.parse(r#"[{"n": "1"}, {"n": "many"}]"#, Some(&schema));
    /// assert!(parsed.conforms());
    /// assert_eq!(parsed.to_json().as_deref(), Some(r#"[{"n":1},null]"#));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_invalid(self, invalid: Invalid) -> Self {
        let kind = CoercionKind::DropInvalid;
        let policy = match invalid {
            Invalid::Drop | Invalid::Replace => self.allow_coercion(kind),
            Invalid::Report => self.deny_coercion(kind),
        };
        let kind = CoercionKind::ReplaceInvalid;
        match invalid {
            Invalid::Replace => policy.allow_coercion(kind),
            Invalid::Drop | Invalid::Report => policy.deny_coercion(kind),
        }
    }

    /// Sets how strictly a string must match the `format` in its schema.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema, policy::FormatStrictness};
    ///
    /// let schema = Schema::from_text(r#"{"format": "date-time"}"#)?;
    /// let read = |text: &str, policy: &Policy| {
    ///     let parsed = policy.parse(text, Some(&schema));
    ///     (parsed.conforms(), parsed.format_notes().len())
    /// };
    /// let (meant, letter) = (Policy::lenient(), Policy::lenient().with_formats(FormatStrictness::Strict));
    /// assert_eq!(read("\"2025-05-01T10:00:00Z\"", &meant), (true, 0));
    /// assert_eq!(read("\"2025-05-01 10:00\"", &meant), (true, 1));
    /// assert_eq!(read("\"2025-05-01 10:00\"", &letter), (false, 0));
    /// assert_eq!(read("\"2025-15-01 10:00\"", &meant), (false, 0));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_formats(mut self, formats: FormatStrictness) -> Self {
        self.formats = formats;
        self
    }

    /// Sets the wording of expectations in violations and feedback.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema, policy::Wording};
    ///
    /// let schema = Schema::from_text(r#"{"properties": {"age": {"type": "integer", "minimum": 0}}}"#)?;
    /// let policy = Policy::lenient().with_wording(Wording::Plain);
    /// let parsed = policy.parse("{\"age\": -1}", Some(&schema));
    /// assert_eq!(&*parsed.violations()[0].expected, "a whole number of at least 0");
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_wording(mut self, wording: Wording) -> Self {
        self.wording = wording;
        self
    }

    /// Sets whether a truncated value is accepted. Refusing also applies to strings that
    /// [`with_recovered_strings`](Self::with_recovered_strings) would close, whichever of the two
    /// is called first.
    ///
    /// Accepting has the same effect as [`allow_truncated`](Self::allow_truncated).
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, policy::Handling};
    ///
    /// let policy = Policy::conservative()
    ///     .with_truncated(Handling::Refuse)
    ///     .with_recovered_strings(Handling::Accept);
    /// assert!(!policy.parse(r#"{"page": "the e"#, None).conforms());
    /// ```
    #[must_use]
    pub fn with_truncated(mut self, handling: Handling) -> Self {
        let allowed = match handling {
            Handling::Accept => self.allowed.with_truncated(),
            Handling::Refuse => self.allowed.without_truncated(),
        };
        self.truncated = Some(handling);
        self.with_allowed_repairs(allowed)
    }

    /// Allows a truncated value in functions that return only a value.
    ///
    /// Otherwise, [`parse`](Self::parse) under a preset such as [`lenient`](Self::lenient) returns
    /// the value and [`is_complete`](crate::Parsed::is_complete) is `false`, but
    /// [`from_str`](Self::from_str), [`arguments`](Self::arguments),
    /// [`into_result`](crate::Parsed::into_result), [`into_type`](crate::Parsed::into_type),
    /// [`deserialize`](crate::Parsed::deserialize) and `Retry` refuse it.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Policy;
    ///
    /// assert!(Policy::lenient().from_str::<Vec<u8>>("[1, 2, 3").is_err());
    /// let policy = Policy::lenient().allow_truncated();
    /// assert_eq!(policy.from_str::<Vec<u8>>("[1, 2, 3")?, [1, 2, 3]);
    /// # Ok::<(), llmjson::Error>(())
    /// ```
    #[must_use]
    pub fn allow_truncated(self) -> Self {
        self.with_truncated(Handling::Accept)
    }

    /// Sets whether objects with duplicate keys are accepted. If they are, the last value wins.
    #[must_use]
    pub fn with_duplicate_keys(self, handling: Handling) -> Self {
        let allowed = match handling {
            Handling::Accept => self.allowed.with_duplicate_keys(),
            Handling::Refuse => self.allowed.without_duplicate_keys(),
        };
        self.with_allowed_repairs(allowed)
    }

    /// Sets how object keys are matched to declared properties.
    #[must_use]
    pub fn with_names(self, names: Names) -> Self {
        let set = |policy: Self, kind, allowed| {
            if allowed {
                policy.allow_coercion(kind)
            } else {
                policy.deny_coercion(kind)
            }
        };
        let policy = set(self, CoercionKind::KeySpelling, names >= Names::Normalized);
        set(policy, CoercionKind::DerivedKey, names >= Names::Derived)
    }

    /// Sets whether an object or array may be converted to text wherever the schema expects a
    /// string: an array of strings to lines, others to JSON. By default, this happens only if the
    /// schema says that the string holds JSON (`contentMediaType`).
    #[must_use]
    pub fn with_containers_as_text(mut self, handling: Handling) -> Self {
        self.coercion = match handling {
            Handling::Accept => self
                .coercion
                .with(CoercionKind::ContainerToText)
                .with_containers_as_text(),
            Handling::Refuse => self.coercion.without_containers_as_text(),
        };
        self
    }

    /// Sets whether a string with the JSON of an object or array is parsed where a union accepts
    /// both. By default, a string that fits is unchanged.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, Schema, policy::Handling};
    ///
    /// let schema = r#"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}"#;
    /// let schema = Schema::from_text(schema)?;
    /// let policy = Policy::lenient().with_texts_as_containers(Handling::Accept);
    /// let parsed = policy.parse(r#""[1, 2]""#, Some(&schema));
    /// assert_eq!(parsed.to_json().as_deref(), Some("[1,2]"));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_texts_as_containers(mut self, handling: Handling) -> Self {
        self.coercion = match handling {
            Handling::Accept => self.coercion.with_texts_as_containers(),
            Handling::Refuse => self.coercion.without_texts_as_containers(),
        };
        self
    }

    /// Returns `true` if values at any depth may change.
    pub const fn reaches_everywhere(&self) -> bool {
        self.coercion.reaches_everywhere()
    }

    /// Sets the name of the tool whose arguments are read. Envelopes may have this name, and
    /// observers receive it.
    #[must_use]
    pub fn with_tool(mut self, name: &str) -> Self {
        self.coercion = self.coercion.without_wrappers().with_wrapper(name);
        self.tool = Some(name.into());
        self
    }

    /// Removes the tool name. There is none by default.
    #[must_use]
    pub fn without_tool(mut self) -> Self {
        self.coercion = self.coercion.without_wrappers();
        self.tool = None;
        self
    }

    /// Sets the name of the model that wrote the reply, for observers.
    #[must_use]
    pub fn with_model(mut self, name: &str) -> Self {
        self.model = Some(name.into());
        self
    }

    /// Removes the model name. There is none by default.
    #[must_use]
    pub fn without_model(mut self) -> Self {
        self.model = None;
        self
    }
}
