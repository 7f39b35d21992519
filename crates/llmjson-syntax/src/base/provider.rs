//! The places of a model's text and of its calls in the responses of servers and frameworks, and in
//! the chunks of their streams.

/// The content of a place in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The text.
    Text,
    /// The text, or a piece of it.
    AnyText,
    /// A piece of the text, in a chunk.
    Piece,
    /// The arguments of a call, next to the tool's name.
    Call,
    /// The same, if the tool's name is also a member of the expected value.
    NamedCall,
    /// A piece of the arguments, in a chunk.
    CallPiece,
}

/// The step of a path to the items of an array; other steps are member names.
pub const ITEM: &str = "*";

use Holds::{AnyText, Call, CallPiece, NamedCall, Piece, Text};

/// The paths to these places. Only the first place in a response counts.
pub const PLACES: &[(Holds, &str)] = &[
    // Chat completions, and completions.
    (Piece, "choices * delta content"),
    (CallPiece, "choices * delta tool_calls * function arguments"),
    (CallPiece, "choices * delta function_call arguments"),
    (Text, "choices * message content"),
    (Text, "choices * message content * text"),
    (AnyText, "choices * text"),
    (Call, "choices * message tool_calls * function arguments"),
    (Call, "message tool_calls * function arguments"),
    (Call, "tool_calls * function arguments"),
    (Call, "tool_calls * arguments"),
    (NamedCall, "function arguments"),
    (NamedCall, "function_call arguments"),
    (NamedCall, "tool_call arguments"),
    (Call, "function.arguments"),
    // Responses.
    (Text, "output * content * text"),
    (Call, "output * arguments"),
    // Gemini.
    (AnyText, "candidates * content parts * text"),
    (Call, "candidates * content parts * functionCall args"),
    (Call, "parts * functionCall args"),
    (NamedCall, "functionCall args"),
    (Call, "functionCall.args"),
    // Anthropic.
    (Piece, "delta text"),
    (CallPiece, "delta partial_json"),
    // Ollama.
    (AnyText, "message content"),
    (AnyText, "response"),
    (Text, "content * text"),
    (Call, "content * input"),
    (Call, "* input"),
    (NamedCall, "tool_use input"),
    (NamedCall, "toolUse input"),
    // LangChain.
    (Text, "kwargs content"),
    (Text, "generations * * text"),
    (Call, "tool_calls * args"),
    (Call, "toolCalls * args"),
    (NamedCall, "tool arguments"),
    // The parts without the message.
    (Text, "content"),
    (Text, "* text"),
    (Text, "text"),
    (Text, "parts * text"),
    (Text, "content parts * text"),
];

/// Keys of the list of calls in a message.
pub const CALL_LISTS: &[&str] = &["tool_calls", "toolCalls"];

/// Keys of the member with the name and the arguments of a call.
pub const CALLS: &[&str] = &[
    "function",
    "function_call",
    "functionCall",
    "tool_call",
    "toolCall",
    "tool_use",
    "toolUse",
];

/// Keys of the member that identifies a call.
pub const CALL_IDS: &[&str] = &["id", "tool_call_id", "call_id", "toolUseId"];

/// Keys of the blocks of a message.
pub const BLOCKS: &[&str] = &["content", "parts"];

/// Keys of the text in a block.
pub const BLOCK_TEXTS: &[&str] = &["text", "thinking", "reasoning"];

/// Returns the paths to places with that content.
pub fn paths(holds: impl Fn(Holds) -> bool) -> impl Iterator<Item = &'static str> {
    PLACES
        .iter()
        .filter(move |(one, _)| holds(*one))
        .map(|(_, path)| *path)
}
