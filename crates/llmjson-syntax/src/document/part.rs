//! Parses a part of a text that the caller found: without a search, and without repairs around it.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use crate::base::repair::{Repair, RepairKind};
use crate::base::span::Span;
use crate::document::Document;
use crate::document::parser::Parser;
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::scan::escape::whole_escapes;
use crate::scan::skip_space;
use crate::tape::{NONE, Node, flag};

impl Parser {
    /// Parses a part of a text as strict JSON. If it is not strict JSON, the document has no value.
    ///
    /// Positions refer to the whole text, and the text around the part is recorded piece by piece.
    ///
    /// ```
    /// use llmjson_syntax::Parser;
    ///
    /// let text = "rows: [1, 2] or [3";
    /// let document = Parser::new().parse_part(text, 6..12);
    /// assert_eq!(document.to_json().as_deref(), Some("[1,2]"));
    /// assert_eq!(document.repairs()[0].kind.name(), "surrounding_text");
    /// assert!(Parser::new().parse_part(text, 16..18).root().is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// If the range is out of bounds or not on character boundaries.
    #[doc(hidden)]
    pub fn parse_part<'t>(&mut self, text: &'t str, part: Range<usize>) -> Document<'t> {
        self.read_part(text, &text[..part.end], part.start, &[])
    }

    /// Parses a part of a text that was truncated inside a string that is a member of its outermost
    /// object: the string and the object are closed. Apart from line breaks and similar characters
    /// at its very end, it must be strict JSON; if not, the document has no value.
    ///
    /// The value is truncated. Half an escape is dropped from the end of the string, and so are
    /// escaped line breaks, which are recorded as part of the end.
    ///
    /// ```
    /// let text = r#"{"page": "the end\n\n"#;
    /// let document = llmjson_syntax::Parser::new().parse_cut(text, 0..text.len());
    /// assert_eq!(document.to_json().as_deref(), Some(r#"{"page":"the end"}"#));
    /// assert!(!document.is_complete());
    /// ```
    ///
    /// # Panics
    ///
    /// If the range is out of bounds or not on character boundaries.
    #[doc(hidden)]
    pub fn parse_cut<'t>(&mut self, text: &'t str, part: Range<usize>) -> Document<'t> {
        let Some(cut) = kept_of_open_string(&text[part.clone()]) else {
            return Document::empty(Cow::Borrowed(text));
        };
        let cut = part.start + cut;
        let mut closed = String::with_capacity(cut + 2);
        closed.push_str(&text[..cut]);
        closed.push_str("\"}");
        let end = Span::of(text.len(), text.len());
        let (string, object) = (RepairKind::UnclosedString, RepairKind::UnclosedObject);
        let string = Repair::new(string, Span::of(cut, text.len()));
        let cut_off = [string, Repair::new(object, end)];
        self.read_part(text, &closed, part.start, &cut_off)
    }

    /// Reads the value at `start` of `closed`, which is `text` up to its end or to a truncation.
    /// The records in `cut_off` describe how it was closed there.
    fn read_part<'t>(
        &mut self,
        text: &'t str,
        closed: &str,
        start: usize,
        cut_off: &[Repair],
    ) -> Document<'t> {
        let mut document = Document::empty(Cow::Borrowed(text));
        document.limit = self.too_large(text);
        if document.limit.is_some() {
            return document;
        }
        let mut tape = core::mem::take(&mut self.tape);
        tape.clear();
        let account = self.limits.account(closed.len());
        let look = Look::new(closed, &account);
        let mut reader = Reader::new(look, &mut tape, &self.limits, &mut self.scratch);
        let cut = (!cut_off.is_empty()).then(|| text[..closed.len() - 2].trim_end().len());
        let span = reader.strict_part(start, cut.unwrap_or(usize::MAX));
        document.limit = reader.limit;
        document.work = account.get();
        let Some(span) = span else {
            tape.clear();
            self.tape = tape;
            return document;
        };
        if !cut_off.is_empty() {
            close_at_end(&mut tape.nodes, text.len());
            tape.repairs.extend_from_slice(cut_off);
            document.complete = false;
        }
        let account = self.limits.account(text.len());
        let look = Look::new(text, &account);
        let mut reader = Reader::new(look, &mut tape, &self.limits, &mut self.scratch);
        // Text after a truncation belongs to the end of the string.
        let end = cut.map_or(span.end, |_| text.len() as u32);
        reader.record_apart(Span::new(span.start, end));
        reader.doubt_part(Span::new(span.start, end));
        reader.sort_repairs();
        tape.replaced.sort_unstable();
        document.tape = tape;
        document
    }
}

impl Reader<'_> {
    /// Reads the value at `start`, which only white space may follow. Returns `None` if that took
    /// any repair before `end`; from there on strings may contain control characters.
    fn strict_part(&mut self, start: usize, end: usize) -> Option<Span> {
        let (byte, k) = skip_space(self.look.bytes, start);
        if k >= self.look.bytes.len() {
            return None;
        }
        if !matches!(byte, b'{' | b'[') {
            let end = self.look.bytes.len();
            return self.strict_scalar(k).then(|| Span::of(k, end));
        }
        let read = self.value(k);
        let mut repairs = self.tape.repairs.iter();
        let strict = read.complete
            && !self.counters.cut
            && self.limit.is_none()
            && repairs.all(|one| {
                let before = one.span.start as usize..end.min(one.span.end as usize);
                let bytes = self.look.bytes.get(before).unwrap_or_default();
                one.kind == RepairKind::ControlCharacter && bytes.iter().all(|byte| *byte >= 0x20)
            })
            && skip_space(self.look.bytes, read.end).1 >= self.look.bytes.len();
        self.tape.root = if strict { 0 } else { NONE };
        strict.then(|| Span::of(k, read.end))
    }
}

/// Extends the outermost object and its last member to the end of the text.
fn close_at_end(nodes: &mut [Node], length: usize) {
    if let Some(object) = nodes.first_mut() {
        object.end = length as u32;
        object.flags |= flag::TRUNCATED;
    }
    if let Some(last) = nodes.last_mut() {
        last.flags |= flag::TRUNCATED;
    }
}

/// Returns the end of the kept part of the string in which a text breaks off, if that string is a
/// member of the outermost object.
fn kept_of_open_string(text: &str) -> Option<usize> {
    let (mut depth, mut open) = (0u32, None);
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match (open, byte) {
            (Some(_), b'"') => open = None,
            // `\"`: an escaped quote does not close.
            (Some(_), b'\\') => _ = bytes.next(),
            (Some(_), _) => {}
            (None, b'"') => open = Some(at + 1),
            (None, b'{' | b'[') => depth += 1,
            // The kind of bracket is determined when the text is read.
            (None, b'}' | b']') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    let start = open.filter(|_| depth == 1 && text.starts_with('{'))?;
    let inside = &text[start..];
    let mut kept = &inside[..whole_escapes(inside)];
    // `"the end\n\n`: the model was interrupted in the white space after its text. `\\n` is a
    // backslash and a letter.
    while let Some(rest) = kept.strip_suffix(['n', 'r'])
        && rest.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
    {
        kept = &rest[..rest.len() - 1];
    }
    Some(start + kept.len())
}
