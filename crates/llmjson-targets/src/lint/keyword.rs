//! Checks a keyword and its value.

use super::Linter;
use crate::arena::{Arena, Ix, Value};
use crate::dialect::Support;
use crate::types::Types;
use crate::{LintSeverity, SchemaTarget};

impl Linter<'_> {
    /// Checks whether a keyword is supported, and if so, its value.
    pub(super) fn keyword(&mut self, keyword: &str, value: Ix) {
        let (support, then) = self.target.support(keyword);
        let shown = shown(keyword);
        match support {
            Support::Supported => self.content(keyword, value),
            Support::Ignored => {
                let message = format!("ignores {shown}; {then}");
                self.tell(LintSeverity::Ignored, value, keyword, message);
            }
            Support::Refused => {
                self.refuse(value, keyword, format!("does not support {shown}; {then}"));
            }
        }
    }

    /// Checks the value of a supported keyword.
    fn content(&mut self, keyword: &str, value: Ix) {
        let (arena, target) = (self.arena, self.target);
        let message = match keyword {
            "type" => return self.type_names(value),
            "enum" => return self.values(value),
            "format" => return self.format(value),
            "const" if arena.is_container(value) && target != SchemaTarget::Mcp => {
                "does not support objects and arrays as `const`; it is removed"
            }
            "const" => {
                self.sums.name_chars += chars(arena, value);
                return;
            }
            "pattern"
                if arena
                    .text(value)
                    .is_some_and(|text| !target.supports_pattern(text)) =>
            {
                "does not support this regular expression; it is moved to the description"
            }
            "minItems" if target == SchemaTarget::Anthropic && !is_few(arena, value) => {
                "supports only 0 and 1 as `minItems`; it is moved to the description"
            }
            "items" if matches!(arena.get(value), Value::List(_)) => {
                "does not support an array as `items`; it is rewritten as `prefixItems` or as a union"
            }
            "exclusiveMinimum" | "exclusiveMaximum" if arena.number(value).is_none() => {
                let message = format!("requires a number as `{keyword}`; the bound is rewritten");
                return self.refuse(value, keyword, message);
            }
            _ => return,
        };
        self.refuse(value, keyword, message);
    }

    fn type_names(&mut self, value: Ix) {
        let arena = self.arena;
        let is_list = matches!(arena.get(value), Value::List(_));
        if is_list && !self.target.allows_type_lists() {
            let message = "does not support an array as `type`; it is rewritten as `anyOf` or \
                `nullable`";
            self.refuse(value, "type", message);
        }
        let one = [value];
        let names = if is_list { arena.items(value) } else { &one };
        let is_upper = |ix: &Ix| {
            let name = arena.text(*ix).unwrap_or_default();
            name.bytes().any(|byte| byte.is_ascii_uppercase())
        };
        if self.target != SchemaTarget::GeminiOpenApi && names.iter().any(is_upper) {
            let message = "requires lowercase types; they are rewritten";
            self.refuse(value, "type", message);
        }
    }

    fn format(&mut self, value: Ix) {
        let (arena, target) = (self.arena, self.target);
        let types = self.types(arena.parent(value));
        let of_text = types.is_none_or(|types| types.has(Types::STRING));
        if !target.supports_format(arena.text(value).unwrap_or_default(), of_text) {
            let then = target.support("format").1;
            self.refuse(
                value,
                "format",
                format!("does not support this format; {then}"),
            );
        }
    }

    fn values(&mut self, value: Ix) {
        let (arena, target) = (self.arena, self.target);
        let values = arena.items(value);
        let bounds = target.limits();
        let of_all: usize = values.iter().map(|ix| chars(arena, *ix)).sum();
        let before = self.sums.enum_values;
        self.sums.enum_values += values.len();
        self.sums.name_chars += of_all;
        if values
            .iter()
            .any(|ix| !target.supports_enum_value(arena, *ix))
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

pub(crate) fn is_few(arena: &Arena, count: Ix) -> bool {
    matches!(arena.number(count), Some("0" | "1"))
}

/// Returns the length of an `enum` value in characters.
pub(crate) fn chars(arena: &Arena, value: Ix) -> usize {
    match arena.get(value) {
        Value::Text(text) => text.chars().count(),
        Value::Number(text) => text.len(),
        _ => 4,
    }
}
