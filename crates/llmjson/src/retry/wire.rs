//! Implements `ChatMessage` for llmjson-wire's messages, whose parts, calls and extra fields are
//! kept.

use llmjson_wire::{Content, ContentPart, Message as WireMessage, Raw};

use crate::retry::message::{ChatMessage, Message, Role};

impl ChatMessage for WireMessage {
    fn from_text(role: Role, text: String) -> Self {
        Self::new(role.name(), text)
    }

    fn role(&self) -> Option<Role> {
        let name = self.role.as_deref()?;
        Role::ALL.iter().copied().find(|role| role.name() == name)
    }

    fn append(&mut self, text: &str) {
        match &mut self.content {
            Content::Text(said) => said.push_str(text),
            Content::Json(raw) => {
                let part =
                    Raw::of(&ContentPart::text(text)).expect("a part that is a text is JSON");
                // Content that is neither a string nor an array becomes the first element of a new
                // array, unchanged.
                let parts: Result<Vec<Raw>, _> = serde_json::from_str(raw.as_str());
                let mut parts = parts.unwrap_or_else(|_| vec![raw.clone()]);
                parts.push(part);
                *raw = Raw::of(&parts).expect("a list of JSON is JSON");
            }
            Content::Absent | Content::Null => {
                self.content.set_text(text.trim_start_matches('\n'));
            }
        }
    }
}

impl From<Message> for WireMessage {
    fn from(message: Message) -> Self {
        Self::new(message.role.name(), message.text)
    }
}

/// Returns the text of a message, or its text parts separated by line feeds.
#[cfg(feature = "client")]
pub(super) fn said(message: &WireMessage) -> String {
    if let Some(text) = message.content.as_text() {
        return text.to_owned();
    }
    let Some(Ok(parts)) = message.content.as_parts() else {
        return String::new();
    };
    let texts: Vec<String> = parts.into_iter().filter_map(|part| part.text).collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_added_to_whatever_content_there_is() {
        let table = [
            (
                r#"{"role":"system","content":"a"}"#,
                r#"{"role":"system","content":"a\n\nb"}"#,
            ),
            (r#"{"role":"system"}"#, r#"{"role":"system","content":"b"}"#),
            (
                r#"{"role":"developer","content":[{"type":"text","text":"a","x":1.0}],"y":2}"#,
                r#"{"role":"developer","content":[{"type":"text","text":"a","x":1.0},{"type":"text","text":"\n\nb"}],"y":2}"#,
            ),
            (
                r#"{"role":"system","content":{"odd":true}}"#,
                r#"{"role":"system","content":[{"odd":true},{"type":"text","text":"\n\nb"}]}"#,
            ),
        ];
        for (before, after) in table {
            let mut message: WireMessage = serde_json::from_str(before).unwrap();
            assert!(matches!(
                ChatMessage::role(&message),
                Some(Role::System | Role::Developer)
            ));
            message.append("\n\nb");
            assert_eq!(serde_json::to_string(&message).unwrap(), after);
        }
        assert_eq!(WireMessage::user("a").role(), Some(Role::User));
        assert_eq!(WireMessage::new("critic", "a").role(), None);
    }
}
