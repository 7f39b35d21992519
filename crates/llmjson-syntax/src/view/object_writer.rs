//! Writes JSON objects. Values are appended as text, so that no digit of a number is lost.

use alloc::string::{String, ToString};

use crate::view::write::write_string;

/// A JSON object that is being written at the end of a text.
///
/// ```
/// use llmjson_syntax::ObjectWriter;
///
/// let mut text = String::new();
/// let mut object = ObjectWriter::open(&mut text);
/// object.text("name", "a \"b\"");
/// object.list("sizes", [1, 2], |size, out| out.push_str(&size.to_string()));
/// object.member("price").push_str("1.50");
/// object.close();
/// assert_eq!(text, r#"{"name":"a \"b\"","sizes":[1,2],"price":1.50}"#);
/// ```
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    empty: bool,
}

impl<'o> ObjectWriter<'o> {
    /// Begins an object at the end of `out`.
    pub fn open(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    /// Writes the name of a member and returns the text, to whose end the caller appends its value.
    pub fn member(&mut self, name: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        write_string(name, self.out);
        self.out.push(':');
        self.out
    }

    /// Writes a member that is a string.
    pub fn text(&mut self, name: &str, text: &str) {
        write_string(text, self.member(name));
    }

    /// Writes a member that is a number.
    pub fn number(&mut self, name: &str, number: impl Into<u64>) {
        self.member(name).push_str(&number.into().to_string());
    }

    /// Writes a member that is a boolean.
    pub fn boolean(&mut self, name: &str, value: bool) {
        self.member(name)
            .push_str(if value { "true" } else { "false" });
    }

    /// Writes a member that is an array, each item with `write`.
    pub fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(T, &mut String),
    ) {
        let out = self.member(name);
        out.push('[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write(item, out);
        }
        out.push(']');
    }

    /// Ends the object.
    pub fn close(self) {
        self.out.push('}');
    }
}
