//! Items put into lists of a JSON text, which stays as it is otherwise: spaces, order and digits.

use std::collections::BTreeMap;

use llmjson_syntax::{Kind, Span, ValueRef, write_string};

/// What is put into a text, by where it stands.
#[derive(Debug, Default)]
pub(crate) struct Insertions {
    /// Pieces to put in, and how many bytes they replace.
    pieces: BTreeMap<u32, (u32, String)>,
}

impl Insertions {
    /// More items for lists that are members of an object; lists that it has not come last. An
    /// object that is `true`, which is a schema that asks for nothing, becomes one with members;
    /// anything else stays as it is.
    pub(crate) fn add(&mut self, object: ValueRef<'_>, lists: &[(&str, Vec<String>)]) {
        let Some(span) = object.span() else {
            return;
        };
        let lists = lists.iter().filter(|(_, items)| !items.is_empty());
        let mut new = Vec::new();
        for (name, items) in lists {
            match object.get(name) {
                Some(list) => self.extend(list, items),
                None => {
                    let mut member = String::new();
                    write_string(name, &mut member);
                    member.push_str(&format!(":[{}]", items.join(",")));
                    new.push(member);
                }
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

    /// A single value counts as a list of one item.
    fn extend(&mut self, list: ValueRef<'_>, items: &[String]) {
        let Some(Span { start, end }) = list.span() else {
            return;
        };
        let items = items.join(",");
        match list.kind() {
            Kind::Array if list.is_empty() => self.put(end - 1, 0, &items),
            Kind::Array => self.put(end - 1, 0, &format!(",{items}")),
            // Its span is what stands between the quotes.
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

    /// The text with everything put in; `None` if that is nothing.
    pub(crate) fn apply(&self, text: &str) -> Option<String> {
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
    fn lists_grow_and_all_else_stays() {
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
