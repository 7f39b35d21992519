//! Expresses a request of another dialect in chat: nothing is dropped silently.

use llmjson::syntax::{JsonOut as _, JsonText, Raw, ValueRef};

use crate::json;
use crate::{Rejection, Unknown};

/// The number of dropped names that a report lists, and the longest one.
const NAMES_MAX: usize = 32;
const NAME_BYTES_MAX: usize = 64;

/// The members of a request that are converted, dropped or rejected.
#[derive(Debug)]
pub(crate) struct Wording {
    /// The names of members without a chat equivalent that do not affect the reply.
    pub(crate) harmless: &'static [&'static str],
    /// The dropped members that occurred, once each.
    pub(crate) dropped: Vec<String>,
    /// The treatment of members without an equivalent; `None` if they pass, since the client's own
    /// body is sent.
    pub(crate) unknown: Option<Unknown>,
}

impl Wording {
    /// Returns `true` if chat is sent.
    pub(crate) const fn is_sent(&self) -> bool {
        self.unknown.is_some()
    }

    /// Checks the members of an object at a path: converted, harmless and null members are allowed.
    pub(crate) fn only(
        &mut self,
        object: ValueRef<'_>,
        path: &str,
        said: &[&str],
    ) -> Result<(), Rejection> {
        for (name, value) in object.members() {
            if value.is_null() || said.contains(&&*name) {
                continue;
            }
            let path = match path {
                "" => name.to_string(),
                path => format!("{path}.{name}"),
            };
            match self.harmless.contains(&&*name) {
                true => self.drop(&name),
                false => self.refuse(&path, "expected a request without it")?,
            }
        }
        Ok(())
    }

    /// Records a dropped member.
    pub(crate) fn drop(&mut self, name: &str) {
        let is_plain = |one: &char| one.is_ascii_alphanumeric() || "_-.".contains(*one);
        let name: String = name.chars().filter(is_plain).take(NAME_BYTES_MAX).collect();
        let name = format!("dropped_{name}");
        if self.dropped.len() < NAMES_MAX && !self.dropped.contains(&name) {
            self.dropped.push(name);
        }
    }

    /// Rejects or drops something without a chat equivalent, if chat is sent.
    pub(crate) fn refuse(&mut self, path: &str, expected: &str) -> Result<(), Rejection> {
        let name = path
            .rsplit('.')
            .next()
            .and_then(|last| last.split('[').next());
        self.refuse_named(name.unwrap_or_default(), path, expected)
    }

    /// Rejects or drops a value whose type has no chat equivalent.
    pub(crate) fn refuse_type(
        &mut self,
        value: ValueRef<'_>,
        path: &str,
        expected: &str,
    ) -> Result<(), Rejection> {
        let given = value.get("type").map_or("null", json::written);
        self.refuse_named(given, &format!("{path}.type {given}"), expected)
    }

    fn refuse_named(&mut self, name: &str, path: &str, expected: &str) -> Result<(), Rejection> {
        match self.unknown {
            Some(Unknown::Drop) => {
                self.drop(name);
                Ok(())
            }
            _ => self.require(path, expected),
        }
    }

    /// Rejects something that a chat completion cannot do without, if chat is sent.
    pub(crate) fn require(&self, path: &str, expected: &str) -> Result<(), Rejection> {
        if !self.is_sent() {
            return Ok(());
        }
        let message = format!(
            "{path} cannot be said in a chat completion, which is what the upstream speaks: {expected}."
        );
        Err(Rejection::of_request(path, "not_in_chat", &message))
    }
}

/// A part of a chat message.
pub(crate) enum Part {
    Text(String),
    Refusal(String),
    /// Another part, as JSON.
    Other(String),
}

/// Returns parts as the content of a message: a single text becomes a string.
pub(crate) fn content_of(parts: &[Part]) -> String {
    match parts {
        [] => json::string(""),
        [Part::Text(text)] => json::string(text),
        _ => JsonText::written(|out| {
            out.array(parts, |part, out| match part {
                Part::Other(part) => out.json(part),
                Part::Text(text) | Part::Refusal(text) => out.object(|out| {
                    out.member("type", "text");
                    out.member("text", text);
                }),
            });
        }),
    }
}

/// Returns a chat message with its content as JSON.
pub(crate) fn message(role: &str, content: &str) -> String {
    JsonText::object_of(|out| {
        out.member("role", role);
        out.member("content", Raw(content));
    })
}

/// Returns the text before parts of a result that are moved to a message of the user.
pub(crate) fn moved_from(id: &str) -> String {
    format!("From the result of the call {id}:")
}
