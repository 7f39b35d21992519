//! Expresses a request of another dialect in chat: nothing is dropped silently.

use llmjson::syntax::ValueRef;

use crate::Rejection;
use crate::json;

/// The members of a request that are converted, dropped or rejected.
#[derive(Debug)]
pub(crate) struct Wording {
    /// The names of members without a chat equivalent that do not affect the reply.
    pub(crate) harmless: &'static [&'static str],
    /// The harmless members that occurred, once each.
    pub(crate) dropped: Vec<String>,
    /// `true` if members without an equivalent are rejected; otherwise they pass, since the
    /// client's own body is sent.
    pub(crate) is_sent: bool,
}

impl Wording {
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
        let name = format!("dropped_{name}");
        if !self.dropped.contains(&name) {
            self.dropped.push(name);
        }
    }

    /// Rejects something without a chat equivalent, if chat is sent.
    pub(crate) fn refuse(&self, path: &str, expected: &str) -> Result<(), Rejection> {
        if !self.is_sent {
            return Ok(());
        }
        let message = format!(
            "{path} cannot be said in a chat completion, which is what the upstream speaks: {expected}."
        );
        Err(Rejection::of_request(path, "not_in_chat", &message))
    }

    /// Rejects a value whose type has no chat equivalent.
    pub(crate) fn refuse_type(
        &self,
        value: ValueRef<'_>,
        path: &str,
        expected: &str,
    ) -> Result<(), Rejection> {
        let given = value.get("type").map_or("null", json::written);
        self.refuse(&format!("{path}.type {given}"), expected)
    }
}
