//! The names of members by which an envelope is recognized.

/// Names under which the object asked for may stand, in their normal form. Beside these stand the
/// schema's title and name, and the tool that is called.
pub(super) const WRAPPERS: &[&str] = &[
    "answer",
    "args",
    "arguments",
    "data",
    "input",
    "json",
    "kwargs",
    "output",
    "parameters",
    "params",
    "properties",
    "response",
    "result",
    "toolinput",
];

/// Names of what is no answer, whatever it looks like.
pub(super) const OTHER_THINGS: &[&str] = &[
    "error",
    "errors",
    "example",
    "examples",
    "exception",
    "schema",
];

/// The name under which a call of a tool holds its name and arguments.
pub(super) const CALL: &str = "function";

/// Names that describe an envelope; they go with it.
pub(super) const LABELS: &[&str] = &[
    "name",
    "type",
    "id",
    "call_id",
    "tool_call_id",
    "tool",
    "tool_name",
    "toolName",
    "function",
    "function_name",
    "recipient",
    "required",
    "additionalProperties",
    "$schema",
    "title",
    "description",
];

/// Names among these of the member that names the tool which is called.
pub(super) const TOOL_LABELS: &[&str] = &[
    "name",
    "tool",
    "tool_name",
    "toolName",
    "function",
    "function_name",
];
