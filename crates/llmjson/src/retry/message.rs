//! Messages of a conversation, reduced to the parts that retries need.

use llmjson_schema::{Failure, Reason};

use crate::retry::feedback::quoted;
use llmjson_syntax::named;

/// The text that replaces a blank reply.
const NO_ANSWER: &str = "(no answer)";

/// The role of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The system message, which governs the conversation.
    System,
    /// The newer name for [`System`](Self::System).
    Developer,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool that the model called.
    Tool,
}

named!(Role:
    "system" => System, "developer" => Developer, "user" => User, "assistant" => Assistant,
    "tool" => Tool
);

impl Role {
    fn governs(self) -> bool {
        matches!(self, Self::System | Self::Developer)
    }
}

/// The place of feedback in the conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeedbackPlace {
    /// The end of the conversation: the reply as an assistant message, then the feedback as a user
    /// message. Earlier messages are unchanged, so prompt caches still match, and the roles
    /// alternate, as chat templates require.
    #[default]
    AfterReply,
    /// The end of every system or developer message, or a separate system message if there is none.
    /// It holds only the feedback on the last reply, so the conversation does not grow.
    System,
    /// A separate message with this role after the initial messages. It holds only the feedback on
    /// the last reply. The schema [in the prompt](crate::retry::SchemaIn::Prompt) also goes there.
    AtEnd(Role),
}

/// A plain text message.
///
/// You can use other message types directly if they implement [`ChatMessage`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Message {
    /// The role of the message.
    pub role: Role,
    /// The text of the message.
    pub text: String,
}

impl Message {
    /// Creates a message.
    #[must_use]
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { role, text }
    }

    /// Creates a system message.
    #[must_use]
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, text)
    }

    /// Creates a user message.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }

    /// Creates an assistant message, which holds a reply of the model.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, text)
    }
}

/// A message of a conversation, from any library. With the feature `wire`, it is implemented for
/// the messages of `llmjson_wire`.
pub trait ChatMessage: Clone {
    /// Creates a text message.
    fn from_text(role: Role, text: String) -> Self;

    /// Returns the role of the message, or `None` if [`Role`] has no variant for it.
    fn role(&self) -> Option<Role>;

    /// Appends text to the message and keeps its existing content.
    fn append(&mut self, text: &str);
}

impl ChatMessage for Message {
    fn from_text(role: Role, text: String) -> Self {
        Self { role, text }
    }

    fn role(&self) -> Option<Role> {
        Some(self.role)
    }

    fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// Returns the messages with an addition: at the end of each governing message, after a blank line,
/// or in a separate one if there is none; with a role, in a separate message at the end.
pub(super) fn with_addition<M: ChatMessage>(
    messages: &[M],
    addition: &str,
    place: FeedbackPlace,
) -> Vec<M> {
    let mut said = messages.to_vec();
    if let FeedbackPlace::AtEnd(role) = place {
        said.push(M::from_text(role, addition.to_owned()));
        return said;
    }
    let mut governing = said
        .iter_mut()
        .filter(|message| message.role().is_some_and(Role::governs))
        .peekable();
    if governing.peek().is_none() {
        said.insert(0, M::from_text(Role::System, addition.to_owned()));
        return said;
    }
    let addition = format!("\n\n{addition}");
    governing.for_each(|message| message.append(&addition));
    said
}

/// Adds an unusable reply. Chat templates accept neither two consecutive assistant messages nor an
/// empty one. A text that is too large to read is too large to send, too.
pub(super) fn push_reply<M: ChatMessage>(messages: &mut Vec<M>, failure: &Failure, text: &str) {
    let is_blank = text.trim().is_empty();
    let text = match failure.reason() {
        _ if is_blank => NO_ANSWER.to_owned(),
        Reason::Limit(_) => quoted(text),
        _ => text.to_owned(),
    };
    match messages.last_mut() {
        // Returns the beginning of the reply, which the caller wrote.
        Some(last) if last.role() == Some(Role::Assistant) => {
            if !is_blank {
                last.append(&text);
            }
        }
        _ => messages.push(M::from_text(Role::Assistant, text)),
    }
}
