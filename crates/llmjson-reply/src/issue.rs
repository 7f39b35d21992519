//! Issues: problems with the arguments of a call.

use crate::record::serialize_record;
use llmjson_schema::Path;
use llmjson_syntax::named;
use llmjson_syntax::{JsonOut, JsonText, Raw, ToJson};
use serde::ser::{Serialize, Serializer};

/// The kind of an [`Issue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IssueCode {
    /// The call holds no JSON, or JSON that needs a repair that the policy denies.
    InvalidJson,
    /// The text of the call was truncated.
    Truncated,
    /// A limit was exceeded.
    LimitReached,
    /// A key is repeated, and the policy refuses duplicates.
    DuplicateField,
    /// The arguments are not an object.
    NotAnObject,
    /// A required member is missing, or null although it is not nullable.
    MissingRequired,
    /// None of the members of a required group is present.
    MissingGroup,
    /// The schema does not declare the member.
    UnknownField,
    /// The key matches several fields, or several keys match one field with different values.
    AmbiguousField,
    /// A field is given twice, and another key matches it better.
    Conflict,
    /// The value has the wrong type, or is not one of the allowed values.
    TypeMismatch,
    /// The string does not match the format or pattern.
    InvalidFormat,
    /// The number, length or count is out of bounds.
    OutOfRange,
    /// The value violates another rule of the schema.
    InvalidValue,
    /// A check by the caller rejected the value.
    CheckFailed,
    /// No tool with that name is registered.
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
    /// Returns `true` if the model can correct the issue by calling the tool again.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        !matches!(self, Self::UnknownTool | Self::ExtensionFailed)
    }
}

/// One problem with the arguments of a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Issue {
    /// The kind of issue.
    pub code: IssueCode,
    /// The path in the arguments after coercion.
    pub path: Path,
    /// A sentence that tells the model the problem.
    pub message: String,
    /// The expected type, in the notation used in feedback: `number & Minimum<0>`. Empty if
    /// unknown.
    pub expected: String,
    /// The value found, as JSON, shortened if it is long; `None` if there is none.
    pub received: Option<String>,
    /// Example values from the schema, as JSON.
    pub examples: Vec<String>,
    /// Names of fields or tools that the model may have meant.
    pub candidates: Vec<String>,
    /// A sentence that tells the model how to correct the problem.
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

    /// Returns `true` if the model can correct the issue by calling the tool again.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.code.is_retryable()
    }
}

impl Issue {
    /// Returns the serialized form as JSON, with every digit of its numbers.
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

/// `{"code", "path", "pointer", "message", "expected", "received", "examples", "candidates", "suggestion", "retryable"}`:
/// `path` as in the feedback, `pointer` as a JSON Pointer, `received` and `examples` as JSON
/// values.
impl Serialize for Issue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_record(self, serializer)
    }
}
