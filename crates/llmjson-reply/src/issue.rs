//! Issues: what is wrong with the arguments of a call.

use crate::record::serialize_record;
use llmjson_schema::Path;
use llmjson_syntax::named;
use llmjson_syntax::{JsonOut, JsonText, Raw, ToJson};
use serde::ser::{Serialize, Serializer};

/// The kind of an [`Issue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IssueCode {
    /// The text holds no JSON, or JSON that needs a repair which the policy refuses.
    InvalidJson,
    /// The text of the call was truncated.
    Truncated,
    /// A limit was exceeded.
    LimitReached,
    /// A member is repeated, and the policy refuses that.
    DuplicateField,
    /// The arguments are not an object.
    NotAnObject,
    /// A required member is missing, or null although it is not nullable.
    MissingRequired,
    /// None of the members of a required group is given.
    MissingGroup,
    /// The schema does not declare the member.
    UnknownField,
    /// The name matches several fields, or several names match one field with different values.
    AmbiguousField,
    /// A second name for a field that is given under a better one.
    Conflict,
    /// The value has another type, or is not one of the allowed values.
    TypeMismatch,
    /// The string does not match the format or pattern.
    InvalidFormat,
    /// The number, length or count is out of bounds.
    OutOfRange,
    /// The value breaks another rule of the schema.
    InvalidValue,
    /// A check of the caller's own rejected the value.
    CheckFailed,
    /// No tool of that name is registered.
    UnknownTool,
    /// An extension panicked.
    ExtensionFailed,
}

named!(IssueCode:
    "invalid_json" => InvalidJson, "truncated" => Truncated, "limit_reached" => LimitReached,
    "duplicate_field" => DuplicateField, "not_an_object" => NotAnObject,
    "missing_required" => MissingRequired, "missing_group" => MissingGroup,
    "unknown_field" => UnknownField, "ambiguous_field" => AmbiguousField, "conflict" => Conflict,
    "type_mismatch" => TypeMismatch, "invalid_format" => InvalidFormat,
    "out_of_range" => OutOfRange, "invalid_value" => InvalidValue, "check_failed" => CheckFailed,
    "unknown_tool" => UnknownTool, "extension_failed" => ExtensionFailed
);

impl IssueCode {
    /// Returns `true` if the model can correct it by calling the tool again.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        !matches!(self, Self::UnknownTool | Self::ExtensionFailed)
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

    /// Returns `true` if the model can correct it by calling the tool again.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.code.is_retryable()
    }
}

impl Issue {
    /// Returns what serializes, as JSON with every digit of its numbers.
    #[must_use]
    pub fn to_json(&self) -> String {
        JsonText::of(self)
    }
}

impl ToJson for Issue {
    fn put<O: JsonOut>(&self, out: &mut O) {
        out.object(|out| {
            out.member("code", self.code.name());
            out.member("path", self.path.to_string());
            out.member("pointer", self.path.to_pointer());
            out.member("message", &self.message);
            out.member("expected", &self.expected);
            out.member("received", self.received.as_deref().map(Raw));
            out.list("examples", &self.examples, |example, out| out.json(example));
            out.member("candidates", &self.candidates[..]);
            out.member("suggestion", &self.suggestion);
            out.member("retryable", self.is_retryable());
        });
    }
}

/// `{"code", "path", "pointer", "message", "expected", "received", "examples", "candidates",
/// "suggestion", "retryable"}`: `path` as in the feedback, `pointer` the same as JSON Pointer,
/// `received` and `examples` as JSON values.
impl Serialize for Issue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_record(self, serializer)
    }
}
