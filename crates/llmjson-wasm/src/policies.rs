//! Policies, by their numbers in JavaScript.

use std::cell::RefCell;

use llmjson::Policy;
use llmjson::policy::FinishReason;
use llmjson::report::CoercionKind;
use llmjson::syntax::Class;
use serde_json::{Map, Value};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failed;
use crate::kept::{Kept, keep, take, with};

thread_local! {
    static POLICIES: RefCell<Kept<Policy>> = const { RefCell::new(Kept::new()) };
}

/// Creates a policy from a preset and settings, as a JSON object.
///
/// # Errors
///
/// If there is no such preset, setting or choice.
#[wasm_bindgen]
pub fn policy_new(settings: &str) -> Result<u32, JsError> {
    let settings: Map<String, Value> = serde_json::from_str(settings).map_err(failed)?;
    let policy = made(&settings).map_err(failed)?;
    Ok(keep(&POLICIES, policy))
}

/// Frees a policy.
#[wasm_bindgen]
pub fn policy_free(number: u32) {
    take(&POLICIES, number);
}

/// Returns whether a policy allows the type of a schema to read a value as another kind, such as a
/// word as a boolean.
#[wasm_bindgen]
#[must_use]
pub fn policy_allows_reading(number: u32) -> bool {
    let kind = "read_by_type".parse();
    let kind = kind.unwrap_or(CoercionKind::WordToBoolean);
    policy(number, None).allows_coercion_as(kind, Class::Likely)
}

/// Returns the policy with a number; 0 is the lenient one.
pub(crate) fn policy(number: u32, finish_reason: Option<&str>) -> Policy {
    let policy = with(&POLICIES, number, |policy| policy.clone());
    let policy = policy.unwrap_or_else(Policy::lenient);
    match finish_reason {
        Some(reason) => policy.with_finish_reason(FinishReason::named(reason)),
        None => policy,
    }
}

fn made(settings: &Map<String, Value>) -> Result<Policy, String> {
    let preset = settings
        .get("preset")
        .map_or(Some("lenient"), Value::as_str);
    let preset = preset.ok_or("preset must be a string")?;
    let mut policy = Policy::named(preset).ok_or_else(|| {
        let known = Policy::PRESETS.join(", ");
        format!("no policy is named {preset:?}; there are {known}")
    })?;
    for (name, value) in settings {
        let value = match (name.as_str(), value) {
            ("preset", _) => continue,
            ("maxBytes" | "maxDepth", value) => count(name, value)?.to_string(),
            (_, Value::String(choice)) => choice.clone(),
            _ => return Err(format!("{value} is no choice for {name}")),
        };
        policy = set(policy, name, &value)?;
    }
    Ok(policy)
}

/// Returns the policy with a setting by its name in JavaScript, such as `duplicateKeys`.
fn set(policy: Policy, name: &str, value: &str) -> Result<Policy, String> {
    let mut own = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            own.push('_');
        }
        own.push(c.to_ascii_lowercase());
    }
    // Only these two limits have numbers above.
    let is_limit = own.starts_with("max_") && !matches!(name, "maxBytes" | "maxDepth");
    if is_limit || name.contains('_') || !Policy::SETTINGS.contains(&&*own) {
        return Err(format!("a policy has no setting {name:?}"));
    }
    let unknown = || format!("{value:?} is no choice for {name}");
    policy.set(&own, value).ok_or_else(unknown)
}

fn count(name: &str, value: &Value) -> Result<u32, String> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("{name} must be a whole number, not {value}"))
}
