//! Settings of a policy by their names, as other languages and configuration files give them.

use llmjson_schema::CoercionKind;
use llmjson_syntax::Limits;

use super::Policy;

/// A setting by its name; `None` stands for a value that the setting doesn't have.
type Setting = (&'static str, fn(Policy, &str) -> Option<Policy>);

/// Returns the policy with another limit.
fn limited(policy: Policy, value: &str, set: fn(Limits, u32) -> Limits) -> Option<Policy> {
    let limits = set(policy.limits(), value.parse().ok()?);
    Some(policy.with_limits(limits))
}

/// The settings. A choice is a word, and a limit a number.
#[rustfmt::skip] // A row is a line.
const SETTINGS: [Setting; 17] = [
    ("truncated", |policy, value| Some(policy.with_truncated(value.parse().ok()?))),
    ("duplicate_keys", |policy, value| Some(policy.with_duplicate_keys(value.parse().ok()?))),
    ("undeclared", |policy, value| Some(policy.with_undeclared(value.parse().ok()?))),
    ("invalid", |policy, value| Some(policy.with_invalid(value.parse().ok()?))),
    ("defaults", |policy, value| match value {
        "fill" => Some(policy.allow_coercion(CoercionKind::Default)),
        "leave" => Some(policy.deny_coercion(CoercionKind::Default)),
        _ => None,
    }),
    ("containers_as_text", |policy, value| Some(policy.with_containers_as_text(value.parse().ok()?))),
    ("texts_as_containers", |policy, value| Some(policy.with_texts_as_containers(value.parse().ok()?))),
    ("certainty", |policy, value| Some(policy.deny_beyond(value.parse().ok()?))),
    ("formats", |policy, value| Some(policy.with_formats(value.parse().ok()?))),
    ("wording", |policy, value| Some(policy.with_wording(value.parse().ok()?))),
    ("max_bytes", |policy, value| limited(policy, value, Limits::with_input_bytes)),
    ("max_depth", |policy, value| limited(policy, value, Limits::with_depth)),
    ("max_candidates", |policy, value| limited(policy, value, Limits::with_candidates)),
    ("max_work", |policy, value| limited(policy, value, Limits::with_work)),
    ("max_records", |policy, value| limited(policy, value, Limits::with_records)),
    ("max_digits", |policy, value| limited(policy, value, Limits::with_digits)),
    ("max_feedback_bytes", |policy, value| limited(policy, value, Limits::with_feedback_bytes)),
];

impl Policy {
    /// The names of the settings that [`set`](Self::set) takes. Limits begin with `max_`.
    pub const SETTINGS: [&'static str; SETTINGS.len()] = {
        let (mut names, mut at) = ([""; SETTINGS.len()], 0);
        while at < names.len() {
            names[at] = SETTINGS[at].0;
            at += 1;
        }
        names
    };

    /// Returns the policy with a setting by its name, or `None` if there is no such setting, or if it doesn't have this
    /// value. `certainty` denies what is less certain, and `defaults` is `fill` or `leave`.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Policy;
    ///
    /// let policy = Policy::lenient().set("undeclared", "drop").expect("a setting");
    /// assert!(policy.set("max_depth", "many").is_none());
    /// ```
    #[must_use]
    pub fn set(self, name: &str, value: &str) -> Option<Self> {
        let (_, set) = SETTINGS.iter().find(|(known, _)| *known == name)?;
        set(self, value)
    }
}
