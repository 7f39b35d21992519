//! Writing the JSON of reports. Values go through as text, so that no digit of a number is lost.

use llmjson::syntax::write_string;

/// An object that is being written.
pub(crate) struct Object<'o> {
    out: &'o mut String,
    empty: bool,
}

impl<'o> Object<'o> {
    pub(crate) fn open(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    /// Writes a name. What is appended to the text that comes back has to be the value.
    pub(crate) fn member(&mut self, name: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        write_string(name, self.out);
        self.out.push(':');
        self.out
    }

    pub(crate) fn text(&mut self, name: &str, text: &str) {
        write_string(text, self.member(name));
    }

    pub(crate) fn number(&mut self, name: &str, number: impl Into<u64>) {
        self.member(name).push_str(&number.into().to_string());
    }

    pub(crate) fn boolean(&mut self, name: &str, value: bool) {
        self.member(name)
            .push_str(if value { "true" } else { "false" });
    }

    /// Writes an array, each item with `write`.
    pub(crate) fn list<T>(
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

    pub(crate) fn close(self) {
        self.out.push('}');
    }
}
