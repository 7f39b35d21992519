//! Saying in chat what a request of another dialect says: nothing is dropped in silence.

use llmjson::syntax::ValueRef;

use crate::Rejection;
use crate::json;

/// The members of a request that are said, dropped or refused.
#[derive(Debug)]
pub(crate) struct Wording {
    /// The names of members that chat has no word for, on which nothing in the reply depends.
    pub(crate) harmless: &'static [&'static str],
    /// The harmless members that came, once each.
    pub(crate) dropped: Vec<String>,
    /// `true` if what cannot be said is refused; else it passes, since the client's own body is what is sent.
    pub(crate) is_sent: bool,
}

impl Wording {
    /// Checks the members of an object at a path: those that are said, harmless or null are allowed.
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

    /// Notes something that is left out.
    pub(crate) fn drop(&mut self, name: &str) {
        let name = format!("dropped_{name}");
        if !self.dropped.contains(&name) {
            self.dropped.push(name);
        }
    }

    /// Refuses something that chat has no word for, if it is chat that is sent.
    pub(crate) fn refuse(&self, path: &str, expected: &str) -> Result<(), Rejection> {
        if !self.is_sent {
            return Ok(());
        }
        let message = format!(
            "{path} cannot be said in a chat completion, which is what the upstream speaks: {expected}."
        );
        Err(Rejection::of_request(path, "not_in_chat", &message))
    }

    /// Refuses a value that is of a type for which chat has no word.
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
