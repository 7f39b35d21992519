//! What is wrong with the arguments of a call.

use std::fmt;

use llmjson_schema::Path;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident $name:literal $retryable:literal,)*) => {
        /// What sort of thing is wrong with the arguments of a call.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum IssueCode {
            $($(#[$doc])* $code,)*
        }

        impl IssueCode {
            /// Every code there is.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The stable snake_case name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// Whether the model can put it right by calling the tool again.
            #[must_use]
            pub const fn is_retryable(self) -> bool {
                match self { $(Self::$code => $retryable,)* }
            }
        }
    };
}

codes! {
    /// There is no JSON, or only some that may not be read in the way that it takes.
    InvalidJson "invalid_json" true,
    /// The text of the call was cut off.
    Truncated "truncated" true,
    /// A limit was reached.
    LimitReached "limit_reached" true,
    /// A member comes more than once, where that is not allowed.
    DuplicateField "duplicate_field" true,
    /// The arguments are no object.
    NotAnObject "not_an_object" true,
    /// A required member is missing, or null where it may not be.
    MissingRequired "missing_required" true,
    /// None of several members is there of which one is needed.
    MissingGroup "missing_group" true,
    /// A member that the schema does not declare.
    UnknownField "unknown_field" true,
    /// A name that may stand for several members, or one of several such names.
    AmbiguousField "ambiguous_field" true,
    /// Another name for a member that is there already.
    Conflict "conflict" true,
    /// A value of another type, or none of those that are allowed.
    TypeMismatch "type_mismatch" true,
    /// A text that is not of the format or pattern asked for.
    InvalidFormat "invalid_format" true,
    /// A number, text or list beyond the bounds.
    OutOfRange "out_of_range" true,
    /// A value that breaks another rule of the schema.
    InvalidValue "invalid_value" true,
    /// A value that the caller's own rules refuse.
    CheckFailed "check_failed" true,
    /// There is no tool of that name.
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
    /// What sort of thing.
    pub code: IssueCode,
    /// Where, in the arguments as they were understood.
    pub path: Path,
    /// What is wrong, as a sentence for the model.
    pub message: String,
    /// What is asked for there, in the words of the feedback: `number & Minimum<0>`. Empty where
    /// nothing can be said.
    pub expected: String,
    /// What stands there, as JSON text; `None` if nothing does.
    pub received: Option<String>,
    /// Values that would fit, as JSON texts.
    pub examples: Vec<String>,
    /// Names of members that may have been meant.
    pub candidates: Vec<String>,
    /// What to do about it, as a sentence for the model.
    pub suggestion: Option<String>,
}

impl Issue {
    /// An issue at a place, with nothing more said.
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

    /// Whether the model can put it right by calling the tool again.
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

/// The same with something else in place of what was received.
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

/// A JSON text as a value; the text itself if it is none.
pub(super) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}
