//! Responses that the proxy writes itself.

use llmjson_syntax::{JsonOut, JsonText, Raw};

use super::shared::Id;

/// Error code for a server that has ended, from the range that JSON-RPC reserves for implementations.
const SERVER_ENDED: i32 = -32_000;
/// The JSON-RPC error code for an invalid request.
const INVALID_REQUEST: i32 = -32_600;
/// The JSON-RPC error code for text that is not JSON.
const PARSE_ERROR: i32 = -32_700;

/// Returns the result of a tool call with `isError` and the feedback for the model. From the protocol of
/// 2026-07-28 on, every result says that it is complete (`resultType`).
pub(super) fn feedback(id: &Id, text: &str, is_typed: bool) -> String {
    response(id, "result", |out| {
        out.objects("content", [text], |text, out| {
            out.member("type", "text");
            out.member("text", text);
        });
        out.member("isError", true);
        if is_typed {
            out.member("resultType", "complete");
        }
    })
}

/// Returns an error response to a request that the server did not answer before it ended.
pub(super) fn server_ended(id: &Id, reason: &str) -> String {
    let message = format!("the MCP server ended before it answered: {reason}");
    error(id, SERVER_ENDED, &message)
}

/// Returns an error response to a request in a batch that cannot be read. The whole batch is refused.
pub(super) fn unreadable(id: &Id) -> String {
    error(
        id,
        PARSE_ERROR,
        "Parse error: the batch is not JSON, or it was cut off",
    )
}

/// Returns an error response to a request that is not forwarded because its calls cannot be
/// checked.
pub(super) fn unchecked(id: &Id, reason: &str) -> String {
    let message = format!("Invalid Request: the message cannot be checked, since {reason}");
    error(id, INVALID_REQUEST, &message)
}

fn error(id: &Id, code: i32, message: &str) -> String {
    response(id, "error", |out| {
        out.member("code", Raw(&code.to_string()));
        out.member("message", message);
    })
}

/// Returns a response with the members of its `result` or `error`.
fn response(id: &Id, name: &str, write: impl FnOnce(&mut JsonText<'_>)) -> String {
    JsonText::object_of(|out| {
        out.member("jsonrpc", "2.0");
        out.member("id", Raw(id.as_json()));
        out.object_in(name, write);
    })
}
