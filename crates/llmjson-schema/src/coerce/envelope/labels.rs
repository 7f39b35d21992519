//! Keys by which an envelope is recognized.

use crate::ir::names::fold::is_in;

/// Names under which the object asked for may stand, in their normal form. Beside these stand the
/// schema's title and name, and the tool that is called.
pub(super) const WRAPPERS: &str = "answer args arguments data input json kwargs output parameters params \
    properties response result toolinput";

/// Names of what is no answer, whatever it looks like.
pub(super) const OTHER_THINGS: &str = "error errors example examples exception schema";

/// The names under which a call of a tool holds its name and arguments.
pub(super) const CALLS: &str = "function functionCall function_call toolCall tool_call toolUse tool_use tool \
    invoke";

/// Names of the member that names the tool which is called.
pub(super) const TOOL_LABELS: &str = "name tool tool_name toolName function function_name";

/// The rest of the names that describe an envelope: of calls in the formats of servers, and what stands beside `properties` where a
/// model fills the schema in.
const OTHER_LABELS: &str = "type id call_id tool_call_id toolUseId recipient recipient_name required \
    additionalProperties $schema title description";

/// Returns `true` if a name describes an envelope, and goes with it.
pub(super) fn is_label(name: &str) -> bool {
    is_in(TOOL_LABELS, name) || is_in(OTHER_LABELS, name)
}
