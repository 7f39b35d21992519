//! The lines that the proxy writes itself.

use llmjson_syntax::write_string;

use super::shared::Id;

/// The code of an error that the protocol leaves to implementations.
const SERVER_ENDED: i32 = -32_000;
/// What cannot be read as JSON.
const PARSE_ERROR: i32 = -32_700;

/// A result of a tool call that says what is wrong with the call, so that the model can mend it.
pub(super) fn feedback(id: &Id, text: &str) -> String {
    let mut json = head(id);
    json.push_str(r#""result":{"content":[{"type":"text","text":"#);
    write_string(text, &mut json);
    json.push_str(r#"}],"isError":true}}"#);
    json
}

/// An error in place of the answer that a server no longer gives.
pub(super) fn server_ended(id: &Id, reason: &str) -> String {
    let message = format!("the MCP server ended before it answered: {reason}");
    error(id, SERVER_ENDED, &message)
}

/// An error for another request in a batch that cannot be read, so that nothing of it is carried out.
pub(super) fn unreadable(id: &Id) -> String {
    error(
        id,
        PARSE_ERROR,
        "Parse error: the batch is not JSON, or it was cut off",
    )
}

fn error(id: &Id, code: i32, message: &str) -> String {
    let mut json = head(id);
    json.push_str(&format!(r#""error":{{"code":{code},"message":"#));
    write_string(message, &mut json);
    json.push_str("}}");
    json
}

fn head(id: &Id) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"#, id.as_json())
}
