//! Documents of values that were not parsed: anything that can be written as JSON, without the text
//! between the values.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::base::limits::{LimitReached, Limits};
use crate::base::repair::{Class, Notation, Repair, RepairKind};
use crate::base::span::Span;
use crate::document::Document;
use crate::document::parser::Parser;
use crate::scan::number::number_tag;
use crate::tape::{Tag, flag};
use crate::view::json::{JsonOut, ToJson};
use crate::view::{Kind, NodeId};

impl Document<'static> {
    /// Creates the document of a value that can be written as JSON. It has no value if the strings
    /// in it are longer than a document can hold (4 GiB).
    ///
    /// ```
    /// use llmjson_syntax::Document;
    ///
    /// let document = Document::of(&["a", "b"][..]);
    /// assert_eq!(document.to_json().as_deref(), Some(r#"["a","b"]"#));
    /// ```
    #[must_use]
    pub fn of(value: &(impl ToJson + ?Sized)) -> Self {
        let mut built = Builder::over(Cow::Borrowed(""));
        value.put(&mut built);
        if built.size >= u32::MAX as usize {
            let (size, limit) = (built.size, u32::MAX);
            return Self::beyond("", LimitReached::InputBytes { size, limit });
        }
        built.finish()
    }
}

/// A document whose value is being built, part by part in text order. Parts whose text needs no
/// decoding refer to that text.
#[derive(Debug)]
pub struct Builder<'t> {
    document: Document<'t>,
    /// The open containers, and the number of children of each.
    open: Vec<(NodeId, usize)>,
    /// The key of the member whose value comes next, and its place.
    name: Option<(Span, u8)>,
    /// Length of all strings.
    size: usize,
}

impl<'t> Builder<'t> {
    /// Creates a builder for a document of that text, which should be shorter than 4 GiB.
    #[must_use]
    pub fn over(text: Cow<'t, str>) -> Self {
        Self {
            document: Document::empty(text),
            open: Vec::new(),
            name: None,
            size: 0,
        }
    }

    /// Takes a string from the text, where it needs no decoding.
    pub fn string_at(&mut self, span: Span) {
        self.add_at(Tag::String, span, 0);
    }

    /// Takes a number from the text, where it is already valid JSON.
    pub fn number_at(&mut self, span: Span) {
        let tag = number_tag(self.document.text.get(span.range()).unwrap_or_default());
        self.add_at(tag, span, 0);
    }

    /// Takes a key from the text, where it needs no decoding.
    pub fn name_at(&mut self, span: Span) {
        self.name = Some((span, 0));
    }

    /// Adds a record of a notation.
    pub fn record_notation(&mut self, notation: Notation, class: Class, span: Span) {
        let repair = Repair::of(RepairKind::Notation, class, span);
        self.document.tape.repairs.push(Repair {
            detail: Some(notation),
            ..repair
        });
    }

    /// Adds a record of text around the value.
    pub fn record_surrounding(&mut self, span: Span) {
        let repair = Repair::new(RepairKind::SurroundingText, span);
        self.document.tape.repairs.push(repair);
    }

    /// Returns the document.
    #[must_use]
    pub fn finish(mut self) -> Document<'t> {
        if !self.document.tape.nodes.is_empty() {
            self.document.tape.root = 0;
        }
        self.document
    }

    /// Stores a string, if there is room.
    fn side(&mut self, text: &str) -> Span {
        self.size += text.len();
        match self.size < u32::MAX as usize {
            true => self.document.edit().side(text),
            false => Span::default(),
        }
    }

    /// Adds a value under the key set before.
    fn add(&mut self, tag: Tag, text: &str) {
        let span = self.side(text);
        self.add_at(tag, span, flag::SIDE);
    }

    fn add_at(&mut self, tag: Tag, span: Span, flags: u8) {
        let id = self.document.edit().scalar(tag, span, flags);
        if let Some((_, count)) = self.open.last_mut() {
            *count += 1;
        }
        if let Some((name, side)) = self.name.take() {
            let node = &mut self.document.tape.nodes[id.index()];
            (node.key_start, node.key_end) = (name.start, name.end);
            node.flags |= side;
        }
        if matches!(tag, Tag::Object | Tag::Array) {
            self.open.push((id, 0));
        }
    }
}

impl JsonOut for Builder<'_> {
    fn null(&mut self) {
        self.add(Tag::Null, "");
    }

    fn boolean(&mut self, value: bool) {
        self.add(if value { Tag::True } else { Tag::False }, "");
    }

    fn number(&mut self, text: &str) {
        self.add(number_tag(text), text);
    }

    fn string(&mut self, text: &str) {
        self.add(Tag::String, text);
    }

    fn name(&mut self, name: &str) {
        self.name = Some((self.side(name), flag::KEY_SIDE));
    }

    fn open(&mut self, kind: Kind) {
        let is_object = kind == Kind::Object;
        self.add(if is_object { Tag::Object } else { Tag::Array }, "");
    }

    fn close(&mut self, _: Kind) {
        if let Some((id, count)) = self.open.pop() {
            self.document.tape.set_count(id.0, count as u32);
            self.document.edit().close(id);
        }
    }

    /// Reads the generated text: members keep their order and numbers their spelling.
    fn json(&mut self, text: &str) {
        let limits = Limits::DEFAULT.with_input_bytes(u32::MAX - 1);
        let document = Parser::new()
            .with_limits(limits.with_depth(u32::MAX))
            .parse(text);
        document.root().put(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::json::Raw;

    struct Record;

    impl ToJson for Record {
        fn put<O: JsonOut>(&self, out: &mut O) {
            out.object(|out| {
                out.member("", "");
                out.member("raw", Raw(r#"{"b":[1.50,{}],"a":null}"#));
                out.objects("none", [] as [u32; 0], |_, _| {});
                out.objects("two", [1_u32, 2], |one, out| out.member("n\"", one));
                out.object_in("last", |out| out.member("list", [Some(true), None]));
            });
        }
    }

    #[test]
    fn what_is_written_is_what_is_built() {
        let written = r#"{"":"","raw":{"b":[1.50,{}],"a":null},"none":[],"two":[{"n\"":1},{"n\"":2}],"last":{"list":[true,null]}}"#;
        assert_eq!(crate::JsonText::of(&Record), written);
        let built = Document::of(&Record);
        assert_eq!(built.to_json().as_deref(), Some(written));
        let root = built.root().expect("there is a value");
        assert_eq!(root.len(), 5);
        assert_eq!(root.pointer("/raw/b/0").map(|one| one.raw()), Some("1.50"));
        assert_eq!(
            built.to_json_pretty(),
            crate::parse(written).to_json_pretty()
        );
        let scalar = Document::of("a");
        assert_eq!(scalar.to_json().as_deref(), Some("\"a\""));
    }
}
