//! Issues: what is wrong with the arguments of a call.

use std::fmt;

use llmjson_schema::Path;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident $name:literal $retryable:literal,)*) => {
        /// The kind of an [`Issue`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum IssueCode {
            $($(#[$doc])* $code,)*
        }

        impl IssueCode {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// Returns the stable snake_case name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// Returns whether the model can correct it by calling the tool again.
            #[must_use]
            pub const fn is_retryable(self) -> bool {
                match self { $(Self::$code => $retryable,)* }
            }
        }
    };
}

codes! {
    /// The text holds no JSON, or JSON that needs a repair which the policy refuses.
    InvalidJson "invalid_json" true,
    /// The text of the call was truncated.
    Truncated "truncated" true,
    /// A limit was exceeded.
    LimitReached "limit_reached" true,
    /// A member is repeated, and the policy refuses that.
    DuplicateField "duplicate_field" true,
    /// The arguments are not an object.
    NotAnObject "not_an_object" true,
    /// A required member is missing, or null although it is not nullable.
    MissingRequired "missing_required" true,
    /// None of the members of a required group is given.
    MissingGroup "missing_group" true,
    /// The schema does not declare the member.
    UnknownField "unknown_field" true,
    /// The name matches several fields, or several names match one field with different values.
    AmbiguousField "ambiguous_field" true,
    /// A second name for a field that is given under a better one.
    Conflict "conflict" true,
    /// The value has another type, or is not one of the allowed values.
    TypeMismatch "type_mismatch" true,
    /// The string does not match the format or pattern.
    InvalidFormat "invalid_format" true,
    /// The number, length or count is out of bounds.
    OutOfRange "out_of_range" true,
    /// The value breaks another rule of the schema.
    InvalidValue "invalid_value" true,
    /// A check of the caller's own rejected the value.
    CheckFailed "check_failed" true,
    /// No tool of that name is registered.
    UnknownTool "unknown_tool" false,
    /// An extension panicked.
    ExtensionFailed "extension_failed" false,
}

impl fmt::Display for IssueCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that is wrong with the arguments of a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Issue {
    /// The kind of issue.
    pub code: IssueCode,
    /// Path in the arguments as they were understood.
    pub path: Path,
    /// A sentence for the model that says what is wrong.
    pub message: String,
    /// The expected type, in the notation of the feedback: `number & Minimum<0>`. Empty if unknown.
    pub expected: String,
    /// The value found, as JSON text; `None` if there is none. Long values are shortened.
    pub received: Option<String>,
    /// Example values from the schema, as JSON texts.
    pub examples: Vec<String>,
    /// Names of the fields, or of the tools, that may have been meant.
    pub candidates: Vec<String>,
    /// A sentence for the model that says how to correct it.
    pub suggestion: Option<String>,
}

impl Issue {
    /// Creates an issue with a code, path and message.
    #[must_use]
    pub fn new(code: IssueCode, path: Path, message: impl Into<String>) -> Self {
        Self {
            code,
            path,
            message: message.into(),
            expected: String::new(),
            received: None,
            examples: Vec::new(),
            candidates: Vec::new(),
            suggestion: None,
        }
    }

    /// Returns whether the model can correct it by calling the tool again.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.code.is_retryable()
    }
}

/// `{"code", "path", "pointer", "message", "expected", "received", "examples", "candidates",
/// "suggestion", "retryable"}`: `path` as in the feedback, `pointer` the same as JSON Pointer,
/// `received` and `examples` as JSON values.
impl Serialize for Issue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_issue(self, self.received.as_deref(), serializer)
    }
}

/// Serializes an issue with another text in place of the value found.
pub(super) fn serialize_issue<S: Serializer>(
    issue: &Issue,
    received: Option<&str>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_struct("Issue", 10)?;
    fields.serialize_field("code", issue.code.name())?;
    fields.serialize_field("path", &issue.path.to_string())?;
    fields.serialize_field("pointer", &issue.path.to_pointer())?;
    fields.serialize_field("message", &issue.message)?;
    fields.serialize_field("expected", &issue.expected)?;
    fields.serialize_field("received", &received.map(json))?;
    let examples: Vec<Value> = issue.examples.iter().map(|text| json(text)).collect();
    fields.serialize_field("examples", &examples)?;
    fields.serialize_field("candidates", &issue.candidates)?;
    fields.serialize_field("suggestion", &issue.suggestion)?;
    fields.serialize_field("retryable", &issue.is_retryable())?;
    fields.end()
}

/// Parses a JSON text; returns the text itself as a string if it is not JSON.
pub(super) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
