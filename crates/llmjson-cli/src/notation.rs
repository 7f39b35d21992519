//! Schemas in other notations than strict JSON.

use std::borrow::Cow;

use llmjson::syntax::{Document, Kind, Parser, RepairKind, ValueRef};

/// Returns the JSON of a text that is JSON with comments, trailing commas and the like, or YAML. Any other text is
/// returned unchanged, so that the caller reports its error.
///
/// # Errors
///
/// The error in the YAML.
pub(crate) fn json_of(text: &str, is_yaml: bool) -> Result<Cow<'_, str>, String> {
    let document = Parser::new().parse(text);
    if document.repairs().is_empty() && document.root().is_some() {
        return Ok(Cow::Borrowed(text));
    }
    if let Some(root) = lenient_object(&document, &[]).filter(|_| !is_yaml) {
        return Ok(Cow::Owned(root.to_json()));
    }
    let bare = lenient_object(&document, &[RepairKind::UnquotedString]);
    let begins = |text: &str| text.trim_start().starts_with('{');
    match yaml(text) {
        Ok(json) if is_yaml || begins(&json) && !begins(text) => Ok(Cow::Owned(json)),
        // `{type: object}` is YAML. Broken JSON may be YAML that means something else: `{"a": 1, "b"}`.
        Ok(json) if bare.is_some_and(|root| root.to_json() == json) => Ok(Cow::Owned(json)),
        Err(error) if is_yaml => Err(format!("the YAML cannot be read: {error}")),
        _ => Ok(Cow::Borrowed(text)),
    }
}

/// The repairs that lenient JSON in files needs.
const LENIENT: &[RepairKind] = &[
    RepairKind::Comment,
    RepairKind::OddSpace,
    RepairKind::ExtraComma,
    RepairKind::OtherQuotes,
    RepairKind::UnquotedKey,
];

/// Returns the value of a text that is only an object in lenient JSON, or needs these repairs too.
fn lenient_object<'d>(document: &'d Document<'_>, more: &[RepairKind]) -> Option<ValueRef<'d>> {
    let mut repairs = document.repairs().iter();
    let is_lenient = repairs.all(|one| LENIENT.contains(&one.kind) || more.contains(&one.kind));
    let root = document.root().filter(|root| root.kind() == Kind::Object);
    root.filter(|_| is_lenient && document.is_complete())
}

/// Returns the JSON of YAML.
fn yaml(text: &str) -> Result<String, String> {
    let mut json = Vec::new();
    let mut options = serde_saphyr::Options::default();
    // `yes` and `on` are words, as YAML 1.2 has it.
    options.strict_booleans = true;
    let read = serde_saphyr::with_deserializer_from_str_with_options(text, options, |yaml| {
        let mut json = serde_json::Serializer::new(&mut json);
        serde_transcode::transcode(yaml, &mut json).map_err(serde::de::Error::custom)
    });
    // The first line is followed by an excerpt of the source.
    let first = |error: String| error.lines().next().unwrap_or_default().to_owned();
    read.map_err(|error| first(error.to_string()))?;
    String::from_utf8(json).map_err(|error| error.to_string())
}
