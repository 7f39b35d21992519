//! Checks a keyword and its value.

use super::Linter;
use crate::LintCode;
use crate::dialect::Support;
use crate::dialect::keyword::then;
use crate::types::Types;
use llmjson_schema::internal::source::{NodeIx as Ix, Source, Written};

impl Linter<'_> {
    /// Checks whether a keyword is supported, and if so, its value.
    pub(super) fn keyword(&mut self, keyword: &str, value: Ix) {
        let (support, then) = (self.target.support(keyword), then(keyword));
        let shown = shown(keyword);
        match support {
            Support::Supported => self.content(keyword, value),
            Support::Ignored => {
                let message = format!("ignores {shown}; {then}");
                self.tell(LintCode::Ignored, value, keyword, message);
            }
            Support::Refused => {
                self.refuse(value, keyword, format!("does not support {shown}; {then}"));
            }
        }
    }

    /// Checks the value of a supported keyword.
    fn content(&mut self, keyword: &str, value: Ix) {
        let (source, target) = (self.source, self.target);
        let message = match keyword {
            "type" => return self.type_names(value),
            "enum" => return self.values(value),
            "format" => return self.format(value),
            "const"
                if matches!(source.get(value), Written::List(_) | Written::Object)
                    && !target.enum_values.has(Types::OBJECT) =>
            {
                "does not support objects and arrays as `const`; it is removed"
            }
            "const" => {
                self.sums.name_chars += chars(source, value);
                return;
            }
            "pattern"
                if source
                    .text(value)
                    .is_some_and(|text| !(target.takes_pattern)(text)) =>
            {
                "does not support this regular expression; it is moved to the description"
            }
            "minItems" if !target.allows_any_min_items && !is_few(source, value) => {
                "supports only 0 and 1 as `minItems`; it is moved to the description"
            }
            "items" if matches!(source.get(value), Written::List(_)) => {
                "does not support an array as `items`; it is rewritten as `prefixItems` or as a union"
            }
            "exclusiveMinimum" | "exclusiveMaximum" if source.number(value).is_none() => {
                let message = format!("requires a number as `{keyword}`; the bound is rewritten");
                return self.refuse(value, keyword, message);
            }
            _ => return,
        };
        self.refuse(value, keyword, message);
    }

    fn type_names(&mut self, value: Ix) {
        let source = self.source;
        let is_list = matches!(source.get(value), Written::List(_));
        if is_list && !self.target.allows_type_lists {
            let message = "does not support an array as `type`; it is rewritten as `anyOf` or \
                `nullable`";
            self.refuse(value, "type", message);
        }
        let one = [value];
        let names = if is_list { source.items(value) } else { &one };
        let is_upper = |ix: &Ix| {
            let name = source.text(*ix).unwrap_or_default();
            name.bytes().any(|byte| byte.is_ascii_uppercase())
        };
        if self.target.allows_type_lists && names.iter().any(is_upper) {
            let message = "requires lowercase types; they are rewritten";
            self.refuse(value, "type", message);
        }
    }

    fn format(&mut self, value: Ix) {
        let (source, target) = (self.source, self.target);
        let types = self.types(source.parent(value).unwrap_or(value));
        let types = types.unwrap_or(Types::STRING);
        if !target.supports_format(source.text(value).unwrap_or_default(), types) {
            let then = then("format");
            self.refuse(
                value,
                "format",
                format!("does not support this format; {then}"),
            );
        }
    }

    fn values(&mut self, value: Ix) {
        let (source, target) = (self.source, self.target);
        let values = source.items(value);
        let bounds = target.limits;
        let of_all: usize = values.iter().map(|ix| chars(source, *ix)).sum();
        let before = self.sums.enum_values;
        self.sums.enum_values += values.len();
        self.sums.name_chars += of_all;
        if values
            .iter()
            .any(|ix| !target.supports_enum_value(source, *ix))
        {
            let values = target.unsupported_enum_values();
            let message = format!(
                "does not support {values} in an `enum`; they are moved to the description"
            );
            self.refuse(value, "enum", message);
        }
        if values.len() > bounds.large_enum && of_all > bounds.large_enum_chars {
            let (chars, large) = (bounds.large_enum_chars, bounds.large_enum);
            let message = format!(
                "supports at most {chars} characters in an `enum` of more than {large} values; \
                 the `enum` is removed"
            );
            self.refuse(value, "enum", message);
        } else if before <= bounds.enum_values && self.sums.enum_values > bounds.enum_values {
            let most = bounds.enum_values;
            let message = format!(
                "supports at most {most} `enum` values in total; this `enum` and later ones are \
                 removed"
            );
            self.refuse(value, "enum", message);
        }
    }
}

/// Formats a keyword for a message; an unknown keyword may be long.
fn shown(keyword: &str) -> String {
    const SHOWN_MAX: usize = 40;
    if keyword.len() > SHOWN_MAX {
        "this keyword".to_owned()
    } else {
        format!("`{keyword}`")
    }
}

pub(crate) fn is_few(source: &Source, count: Ix) -> bool {
    matches!(source.number(count), Some("0" | "1"))
}

/// Returns the length of an `enum` value in characters.
pub(crate) fn chars(source: &Source, value: Ix) -> usize {
    match source.get(value) {
        Written::Text(text) => text.chars().count(),
        Written::Number(text) => text.len(),
        _ => 4,
    }
}
