//! Expresses a request of another dialect in chat: nothing is dropped silently.

use std::cell::RefCell;

use llmjson::syntax::{Kind, Raw, ValueRef, json_object};

use super::Asked;
use crate::json;
use crate::{Rejection, Unknown};

/// The number of dropped names that a report lists, and the longest one.
const NAMES_MAX: usize = 32;
const NAME_BYTES_MAX: usize = 64;

/// Members of the chat request, as JSON.
pub(crate) type Members = Vec<(&'static str, String)>;

/// The chat request made of a request, and the members dropped from it.
#[derive(Debug)]
pub(crate) struct Wording {
    /// Members without a chat equivalent that do not affect the reply.
    harmless: &'static [&'static str],
    /// The treatment of members without an equivalent; `None` if they pass, since the client's own
    /// body is sent.
    unknown: Option<Unknown>,
    /// The dropped members that occurred, once each.
    dropped: RefCell<Vec<String>>,
}

impl Wording {
    pub(crate) const fn new(harmless: &'static [&'static str], unknown: Option<Unknown>) -> Self {
        Self {
            harmless,
            unknown,
            dropped: RefCell::new(Vec::new()),
        }
    }

    /// Returns a request with the names of the members that were dropped.
    pub(crate) fn asked(self, chat: String) -> Asked {
        let dropped = self.dropped.into_inner();
        Asked { chat, dropped }
    }
}

/// A value of a request, which is converted, dropped or rejected.
#[derive(Clone)]
pub(crate) struct Element<'d, 'w> {
    pub(crate) value: ValueRef<'d>,
    path: String,
    wording: &'w Wording,
}

impl<'d, 'w> Element<'d, 'w> {
    /// Returns the whole request.
    pub(crate) fn root(value: ValueRef<'d>, wording: &'w Wording) -> Self {
        let path = String::new();
        Self {
            value,
            path,
            wording,
        }
    }

    /// Returns a value in this one, at a path from here.
    fn inner(&self, value: ValueRef<'d>, path: &str) -> Self {
        let path = match &*self.path {
            "" => path.to_owned(),
            own if path.starts_with('[') => format!("{own}{path}"),
            own => format!("{own}.{path}"),
        };
        let wording = self.wording;
        Self {
            value,
            path,
            wording,
        }
    }

    /// Returns this value at the path of a member, which may be missing.
    pub(crate) fn place_of(&self, name: &str) -> Self {
        self.inner(self.value, name)
    }

    /// Returns a member that is not null.
    pub(crate) fn member(&self, name: &str) -> Option<Self> {
        json::member(self.value, name).map(|value| self.inner(value, name))
    }

    /// Returns the items of an array.
    pub(crate) fn items(&self) -> impl Iterator<Item = Self> {
        let items = self.value.items().enumerate();
        items.map(|(at, item)| self.inner(item, &format!("[{at}]")))
    }

    /// Returns the items of a member that is an array.
    pub(crate) fn items_of(&self, name: &str) -> impl Iterator<Item = Self> {
        let items = json::items(self.value, name).enumerate();
        items.map(move |(at, item)| self.inner(item, &format!("{name}[{at}]")))
    }

    /// Returns a member that is a string; an empty text if there is none.
    pub(crate) fn text(&self, name: &str) -> String {
        json::text(self.value, name).unwrap_or_default()
    }

    /// Returns the name of its type.
    pub(crate) fn kind(&self) -> String {
        self.text("type")
    }

    pub(crate) fn is_string(&self) -> bool {
        self.value.kind() == Kind::String
    }

    pub(crate) fn written(&self) -> String {
        json::written(self.value).to_owned()
    }

    /// Returns `true` if chat is sent.
    pub(crate) const fn is_sent(&self) -> bool {
        self.wording.unknown.is_some()
    }

    /// Returns the members that chat also has, each by its name there.
    pub(crate) fn shared(&self, said: &[(&str, &'static str)]) -> Members {
        let members = said.iter();
        members
            .filter_map(|(name, chat)| Some((*chat, self.member(name)?.written())))
            .collect()
    }

    /// Returns the member that asks a chat stream for its usage, if one is sent.
    pub(crate) fn usage_of_stream(&self) -> Option<(&'static str, String)> {
        let is_streamed = self.value.get("stream").and_then(ValueRef::as_bool) == Some(true);
        (self.is_sent() && is_streamed)
            .then(|| ("stream_options", r#"{"include_usage":true}"#.to_owned()))
    }

    /// Checks the members of an object: converted, harmless and null members are allowed.
    pub(crate) fn only(&self, said: &[&str]) -> Result<(), Rejection> {
        for (name, value) in self.value.members() {
            if value.is_null() || said.contains(&&*name) {
                continue;
            }
            match self.wording.harmless.contains(&&*name) {
                true => self.drop(&name),
                false => self
                    .place_of(&name)
                    .refuse("expected a request without it")?,
            }
        }
        Ok(())
    }

    /// Records a dropped member.
    pub(crate) fn drop(&self, name: &str) {
        let is_plain = |one: &char| one.is_ascii_alphanumeric() || "_-.".contains(*one);
        let name: String = name.chars().filter(is_plain).take(NAME_BYTES_MAX).collect();
        let name = format!("dropped_{name}");
        let mut dropped = self.wording.dropped.borrow_mut();
        if dropped.len() < NAMES_MAX && !dropped.contains(&name) {
            dropped.push(name);
        }
    }

    /// Rejects or drops a value without a chat equivalent, if chat is sent.
    pub(crate) fn refuse(&self, expected: &str) -> Result<(), Rejection> {
        let name = self.path.rsplit('.').next();
        let name = name.and_then(|last| last.split('[').next());
        self.refuse_named(name.unwrap_or_default(), expected)
    }

    /// Rejects or drops a value whose type has no chat equivalent.
    pub(crate) fn refuse_type(&self, expected: &str) -> Result<(), Rejection> {
        let given = self.value.get("type").map_or("null", json::written);
        let place = self.place_of(&format!("type {given}"));
        place.refuse_named(given, expected)
    }

    fn refuse_named(&self, name: &str, expected: &str) -> Result<(), Rejection> {
        match self.wording.unknown {
            Some(Unknown::Drop) => {
                self.drop(name);
                Ok(())
            }
            _ => self.require(expected),
        }
    }

    /// Rejects something that a chat completion cannot do without, if chat is sent.
    pub(crate) fn require(&self, expected: &str) -> Result<(), Rejection> {
        if !self.is_sent() {
            return Ok(());
        }
        let path = &self.path;
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
        _ => {
            let parts = parts.iter().map(|part| match part {
                Part::Other(part) => part.clone(),
                Part::Text(text) | Part::Refusal(text) => {
                    json_object!("type": "text", "text": text)
                }
            });
            json::list(&parts.collect::<Vec<_>>())
        }
    }
}

/// Returns a chat message with its content as JSON.
pub(crate) fn message(role: &str, content: &str) -> String {
    json_object!("role": role, "content": Raw(content))
}

/// Returns the text before parts of a result that are moved to a message of the user.
pub(crate) fn moved_from(id: &str) -> String {
    format!("From the result of the call {id}:")
}
