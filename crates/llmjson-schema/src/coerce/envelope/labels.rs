//! Keys by which an envelope is recognized.

use crate::ir::names::fold::is_in;

/// Keys that may wrap the expected object, normalized. The schema's title and name, and the name of
/// the called tool, are added.
pub(super) const WRAPPERS: &str = "answer args arguments data input json kwargs output parameters params \
    properties response result toolinput";

/// Keys of content that is never an answer.
pub(super) const OTHER_THINGS: &str = "error errors example examples exception schema";

/// The keys under which a tool call has its name and arguments.
pub(super) const CALLS: &str = "function functionCall function_call toolCall tool_call toolUse tool_use tool \
    invoke";

/// Keys of the member with the name of the called tool.
pub(super) const TOOL_LABELS: &str = "name tool tool_name toolName function function_name";

/// Further keys that describe an envelope: of calls in server formats, and of metadata next to
/// `properties` where a model fills in the schema.
const OTHER_LABELS: &str = "type id call_id tool_call_id toolUseId recipient recipient_name required \
    additionalProperties $schema title description";

/// Returns `true` if a key describes an envelope, and is dropped with it.
pub(super) fn is_label(name: &str) -> bool {
    is_in(TOOL_LABELS, name) || is_in(OTHER_LABELS, name)
}
