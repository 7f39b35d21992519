//! Messages, as little of them as asking again takes.

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// What governs the conversation.
    System,
    /// The same under its newer name.
    Developer,
    /// Who asks.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The name in the interface of OpenAI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// A message that is a text.
///
/// Conversations of other types can be used as they are: see [`ChatMessage`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

impl Message {
    /// A message with a role and a text.
    #[must_use]
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { role, text }
    }

    /// What governs the conversation.
    #[must_use]
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, text)
    }

    /// What the user says.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }

    /// What the model said.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, text)
    }
}

/// A message of a conversation, of whichever library. With the feature `wire`, `llmjson_wire`'s is
/// one.
pub trait ChatMessage: Clone {
    /// A message that is a text.
    fn from_text(role: Role, text: String) -> Self;

    /// Whether the message governs the conversation: feedback goes to the end of those that do.
    fn governs(&self) -> bool;

    /// Adds text to the end of the message. What is in it already stays.
    fn append(&mut self, text: &str);
}

impl ChatMessage for Message {
    fn from_text(role: Role, text: String) -> Self {
        Self { role, text }
    }

    fn governs(&self) -> bool {
        matches!(self.role, Role::System | Role::Developer)
    }

    fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// The messages with something said besides: at the end of each that governs, after a blank line,
/// or in one of its own where none does; with a role in a message of its own at the end.
pub(super) fn with_addition<M: ChatMessage>(
    messages: &[M],
    addition: &str,
    role: Option<Role>,
) -> Vec<M> {
    let mut said = messages.to_vec();
    if let Some(role) = role {
        said.push(M::from_text(role, addition.to_owned()));
        return said;
    }
    let mut governing = said
        .iter_mut()
        .filter(|message| message.governs())
        .peekable();
    if governing.peek().is_none() {
        said.insert(0, M::from_text(Role::System, addition.to_owned()));
        return said;
    }
    let addition = format!("\n\n{addition}");
    governing.for_each(|message| message.append(&addition));
    said
}
