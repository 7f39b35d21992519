//! Inserts items into arrays of a JSON text, and leaves the rest of the text unchanged.

use std::collections::BTreeMap;

use llmjson_syntax::{JsonText, Kind, Span, ValueRef};

/// The schema keyword that lists other names of a property.
pub const ALIASES: &str = "x-aliases";

/// A set of insertions into a text.
#[derive(Debug, Default)]
pub struct Insertions {
    /// The number of bytes replaced at each offset, and the text inserted there.
    pieces: BTreeMap<u32, (u32, String)>,
}

impl Insertions {
    /// Adds items to arrays that are members of an object, and appends missing arrays. The schema
    /// `true` becomes an object; any other value is unchanged.
    pub fn add(&mut self, object: ValueRef<'_>, lists: &[(&str, Vec<String>)]) {
        let Some(span) = object.span() else {
            return;
        };
        let lists = lists.iter().filter(|(_, items)| !items.is_empty());
        let mut new = Vec::new();
        for (name, items) in lists {
            match object.get(name) {
                Some(list) => self.extend(list, items),
                None => new.push(format!("{}:[{}]", JsonText::of(*name), items.join(","))),
            }
        }
        if new.is_empty() {
            return;
        }
        let members = new.join(",");
        match object.kind() {
            Kind::Object => {
                let comma = if object.is_empty() { "" } else { "," };
                self.put(span.end - 1, 0, &format!("{comma}{members}"));
            }
            Kind::Bool if object.as_bool() == Some(true) => {
                self.put(span.start, span.end - span.start, &format!("{{{members}}}"));
            }
            _ => {}
        }
    }

    /// Appends items to an array; any other value becomes an array first.
    fn extend(&mut self, list: ValueRef<'_>, items: &[String]) {
        let Some(Span { start, end }) = list.span() else {
            return;
        };
        let items = items.join(",");
        match list.kind() {
            Kind::Array if list.is_empty() => self.put(end - 1, 0, &items),
            Kind::Array => self.put(end - 1, 0, &format!(",{items}")),
            // The span of a string excludes its quotes.
            Kind::String => {
                self.put(start - 1, 0, "[");
                self.put(end + 1, 0, &format!(",{items}]"));
            }
            _ => {
                self.put(start, 0, "[");
                self.put(end, 0, &format!(",{items}]"));
            }
        }
    }

    fn put(&mut self, at: u32, replaced: u32, text: &str) {
        let piece = self.pieces.entry(at).or_default();
        piece.0 = piece.0.max(replaced);
        piece.1.push_str(text);
    }

    /// Returns the text with all insertions applied, or `None` if there are none.
    pub fn apply(&self, text: &str) -> Option<String> {
        if self.pieces.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len() + 64 * self.pieces.len());
        let mut done = 0;
        for (at, (replaced, piece)) in &self.pieces {
            let at = *at as usize;
            out.push_str(text.get(done..at)?);
            out.push_str(piece);
            done = at + *replaced as usize;
        }
        out.push_str(text.get(done..)?);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_inserted_and_the_rest_is_unchanged() {
        let table = [
            ("{}", r#"{"l":[1]}"#),
            (r#"{ "a": 1.50 }"#, r#"{ "a": 1.50 ,"l":[1]}"#),
            (r#"{"l": [ ], "b": 0}"#, r#"{"l": [ 1], "b": 0}"#),
            (r#"{"l": [2]}"#, r#"{"l": [2,1]}"#),
            (r#"{"l": "é\n"}"#, r#"{"l": ["é\n",1]}"#),
            (r#"{"l": 2}"#, r#"{"l": [2,1]}"#),
            ("true", r#"{"l":[1]}"#),
            ("false", "false"),
        ];
        for (text, wanted) in table {
            let document = llmjson_syntax::parse(text);
            let mut insertions = Insertions::default();
            let root = document.root().expect("there is a value");
            insertions.add(root, &[("l", vec!["1".to_owned()]), ("m", Vec::new())]);
            assert_eq!(insertions.apply(text).as_deref().unwrap_or(text), wanted);
        }
    }
}
