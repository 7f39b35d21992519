//! Values as shown in issues and reports.

use llmjson_syntax::cursor::Source;
use llmjson_syntax::{Kind, ValueRef};

/// Maximum length in bytes of a value that is shown.
const RECEIVED_BYTES_MAX: usize = 200;

/// Values that take up more bytes of the text than this are not serialized to measure them.
const EXTENT_MAX: usize = 4_096;

/// Returns a value as JSON text. Long values are shortened to a string.
pub(crate) fn received(value: ValueRef<'_>) -> String {
    if Source::of(value).entry().extent() > EXTENT_MAX {
        return match value.kind() {
            Kind::Array => "\"[…]\"".to_owned(),
            Kind::Object => "\"{…}\"".to_owned(),
            _ => clipped(&value.as_str().unwrap_or_default()),
        };
    }
    let json = value.to_json();
    if json.len() <= RECEIVED_BYTES_MAX {
        return json;
    }
    clipped(&json)
}

/// Returns the beginning of a text as a JSON string.
fn clipped(text: &str) -> String {
    let mut end = RECEIVED_BYTES_MAX.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut cut = String::new();
    llmjson_syntax::write_string(&format!("{}…", &text[..end]), &mut cut);
    cut
}
