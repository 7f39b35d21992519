//! A parsed text: its value, and the repairs made to read it.

pub(crate) mod candidates;
pub(crate) mod edit;
pub(crate) mod edits;
pub(crate) mod parser;
pub(crate) mod part;
pub(crate) mod patches;
pub(crate) mod readings;
pub(crate) mod truncation;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::base::limits::LimitReached;
use crate::base::repair::{Class, Note, Repair, RepairKind};
use crate::base::span::Span;
use crate::base::work::Work;
use crate::tape::readings::Readings;
use crate::tape::{NONE, Node, Tag, Tape, flag};
use crate::view::{Key, MemberId, NodeId, ValueRef};
use crate::zones::marks::leading_thoughts;

/// A parsed text: the best value found in it, and its repairs.
///
/// It borrows the text and stores spans into it; strings are decoded and numbers converted on
/// demand. Dropping it frees a few flat buffers, whatever the depth.
///
/// ```
/// let document = llmjson_syntax::parse("Sure! {'done': True, \"left\": [1, 2,");
/// assert_eq!(document.to_json().as_deref(), Some(r#"{"done":true,"left":[1,2]}"#));
/// assert!(!document.is_complete());
/// let kinds: Vec<_> = document.repairs().iter().map(|repair| repair.kind.name()).collect();
/// assert!(kinds.contains(&"other_quotes") && kinds.contains(&"unclosed_array"));
/// ```
#[derive(Clone)]
pub struct Document<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) tape: Tape,
    pub(crate) complete: bool,
    pub(crate) limit: Option<LimitReached>,
    pub(crate) readings: Readings,
    /// The work done so far by reading and coercion.
    pub(crate) work: Work,
}

impl<'t> Document<'t> {
    pub(crate) fn empty(text: Cow<'t, str>) -> Self {
        Self {
            text,
            tape: Tape::default(),
            complete: true,
            limit: None,
            readings: Readings::default(),
            work: Work::default(),
        }
    }

    /// Creates a document whose value is the text itself, as a string.
    ///
    /// ```
    /// let document = llmjson_syntax::Document::verbatim("just \"words\"");
    /// assert_eq!(document.to_json().as_deref(), Some(r#""just \"words\"""#));
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn verbatim(text: &'t str) -> Self {
        let mut document = Self::empty(Cow::Borrowed(text));
        if text.len() < u32::MAX as usize {
            document.tape.push_string(0, text.len() as u32);
        }
        document
    }

    /// Creates a document without a value because a limit was reached.
    #[doc(hidden)]
    #[must_use]
    pub fn beyond(text: &'t str, limit: LimitReached) -> Self {
        Self {
            limit: Some(limit),
            ..Self::empty(Cow::Borrowed(text))
        }
    }

    /// Returns a document with the parsed text as a string value, without leading reasoning blocks
    /// and the white space after them. If a value was found in the text, the choice of the text
    /// instead is recorded, and white space around a value that makes up the whole text is not part
    /// of the string. See [`verbatim`](Self::verbatim).
    ///
    /// ```
    /// let document = llmjson_syntax::parse("<think>A city, so\u{2026}</think>\n\nParis").to_verbatim();
    /// assert_eq!(document.to_json().as_deref(), Some("\"Paris\""));
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn to_verbatim(&self) -> Self {
        let mut document = Self::empty(self.text.clone());
        if self.text.len() >= u32::MAX as usize {
            return document;
        }
        let value = self.root().map(|root| root.span());
        let thoughts = leading_thoughts(&self.text, value.flatten().unwrap_or_default());
        if thoughts == 0 && value.is_none() {
            document.tape.push_string(0, self.text.len() as u32);
            return document;
        }
        let (mut start, mut end) = (0, self.text.len());
        let trimmed = self.text[thoughts..].trim();
        let span = value.flatten().unwrap_or_default();
        let whole = value.is_some() && self.text[span.range()] == *trimmed;
        if thoughts > 0 || whole {
            start = end - self.text[thoughts..].trim_start().len();
            end = start + trimmed.len();
        }
        document.tape.push_string(start as u32, end as u32);
        let mut record = |kind, span| document.tape.repairs.push(Repair::new(kind, span));
        if thoughts > 0 {
            record(RepairKind::ReasoningBlock, Span::of(0, thoughts));
        }
        if value.is_some() {
            record(RepairKind::UnquotedString, Span::of(start, end));
        }
        document
    }

    /// Returns the value, or `None` if the text has none or a limit was exceeded.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        self.root()
    }

    /// Returns the same as [`value`](Self::value).
    #[must_use]
    pub fn root(&self) -> Option<ValueRef<'_>> {
        (self.tape.root != NONE).then(|| ValueRef::new(&self.tape, &self.text, self.tape.root))
    }

    /// Returns a view of the value with this id in this document.
    ///
    /// # Panics
    ///
    /// If the id is from another document and out of range in this one.
    #[must_use]
    pub fn node(&self, id: NodeId) -> ValueRef<'_> {
        ValueRef::new(&self.tape, &self.text, id.0)
    }

    /// Returns the key of a member of this document, borrowed unless it has escapes to decode.
    ///
    /// # Panics
    ///
    /// If the member is from another document and out of range in this one.
    ///
    /// ```
    /// let document = llmjson_syntax::parse(r#"{"a": 1}"#);
    /// let root = document.root().expect("there is a value");
    /// let (key, _) = root.members().keyed().next().expect("a member");
    /// assert_eq!(document.member_name(key.member()), "a");
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn member_name(&self, member: MemberId) -> Cow<'_, str> {
        Key::of(&self.tape, &self.text, member.0).decoded()
    }

    /// Returns the key under which a value was read or written, or an empty string if it is not a
    /// member.
    ///
    /// If coercion renamed a member, this is still its old key.
    ///
    /// # Panics
    ///
    /// If the value is from another document and out of range in this one.
    ///
    /// ```
    /// let document = llmjson_syntax::parse(r#"{"a": 1}"#);
    /// let inner = document.root().and_then(|root| root.get("a")).expect("a member");
    /// assert_eq!(document.name_read(inner.id()), "a");
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn name_read(&self, id: NodeId) -> Cow<'_, str> {
        self.member_name(MemberId(id.0))
    }

    /// Returns one value of this document as a separate document over the same text, without
    /// records. The cost is proportional to the value.
    ///
    /// # Panics
    ///
    /// If the id is from another document and out of range in this one.
    ///
    /// ```
    /// let document = llmjson_syntax::parse(r#"{"a": {"b": 1}}"#);
    /// let inner = document.root().and_then(|root| root.get("a")).expect("a member");
    /// assert_eq!(document.part(inner.id()).to_json().as_deref(), Some(r#"{"b":1}"#));
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn part(&self, id: NodeId) -> Document<'_> {
        let tape = self.tape.subtree(id.0, Vec::new(), Vec::new());
        Document {
            tape,
            ..Document::empty(Cow::Borrowed(&self.text))
        }
    }

    /// Returns the text that was parsed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text with its original lifetime, or `None` if the document owns it.
    #[doc(hidden)]
    #[must_use]
    pub fn borrowed_text(&self) -> Option<&'t str> {
        match self.text {
            Cow::Borrowed(text) => Some(text),
            Cow::Owned(_) => None,
        }
    }

    /// Returns the span of the value as parsed, before any edits; `None` if it has none.
    #[doc(hidden)]
    #[must_use]
    pub fn span_read(&self) -> Option<Span> {
        let Readings { all, chosen, .. } = &self.readings;
        if let Some(reading) = all.iter().find(|reading| reading.root == *chosen) {
            return Some(self.place_of(reading.span));
        }
        let root = self.root_read()?;
        ValueRef::new(&self.tape, &self.text, root.0).span()
    }

    /// Returns the place of a hypothesis in the text.
    pub(crate) fn place_of(&self, span: Span) -> Span {
        let source = self.readings.source.as_ref();
        source.map_or(span, |source| source.span(span))
    }

    /// Returns the value as parsed and chosen, before any edits; `None` if there is none.
    ///
    /// ```
    /// let mut document = llmjson_syntax::parse("[1, 2]");
    /// let mut editor = document.edit();
    /// let null = editor.null();
    /// editor.set_root(null);
    /// assert_eq!(document.root_read().map(|id| document.node(id).len()), Some(2));
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn root_read(&self) -> Option<NodeId> {
        let Readings { chosen, .. } = self.readings;
        let root = if chosen == NONE { 0 } else { chosen };
        ((root as usize) < self.tape.nodes.len()).then_some(NodeId(root))
    }

    /// Returns `true` if all sources were tried and none of them, except the unchanged reply, has a
    /// text.
    #[doc(hidden)]
    #[must_use]
    pub fn is_only_source(&self) -> bool {
        self.readings.is_only_source
    }

    /// Returns `true` if the value was not truncated. Otherwise the value is only the beginning of
    /// the intended one, and a caller with side effects should refuse it.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Drops the value, so that the document has none.
    #[doc(hidden)]
    pub fn forget_value(&mut self) {
        self.tape.root = NONE;
        self.readings = Readings::default();
    }

    /// Marks the value as truncated although its text looks complete, for example because of a
    /// finish reason.
    ///
    /// ```
    /// let mut document = llmjson_syntax::parse("[1, 2]");
    /// document.mark_truncated();
    /// assert!(!document.is_complete());
    ///
    /// // The closers at the end may have been more of the string.
    /// let mut document = llmjson_syntax::parse(r#"{"name": "Ann}"#);
    /// assert_eq!(document.to_json().as_deref(), Some(r#"{"name":"Ann"}"#));
    /// document.mark_truncated();
    /// assert_eq!(document.to_json().as_deref(), Some(r#"{"name":"Ann}"}"#));
    /// ```
    #[doc(hidden)]
    pub fn mark_truncated(&mut self) {
        self.complete = false;
        self.reopen_string();
    }

    /// Reads the closers at the end of the text as part of the string that seemed to lack its quote
    /// before them: the text ended inside it.
    fn reopen_string(&mut self) {
        let repairs = &mut self.tape.repairs;
        let Some(place) = repairs
            .iter()
            .rposition(|one| one.kind == RepairKind::MissingQuote)
        else {
            return;
        };
        let end = repairs[place].span.end;
        let rest = self.text.get(end as usize..).unwrap_or("\"");
        let nodes = &mut self.tape.nodes;
        let is_string = |node: &Node| node.tag == Tag::String && node.end == end;
        let closers = |byte: u8| matches!(byte, b'}' | b']') || byte.is_ascii_whitespace();
        let Some(string) = nodes.iter().rposition(is_string) else {
            return;
        };
        if !rest.bytes().all(closers) || nodes[string].has(flag::SIDE) {
            return;
        }
        let length = self.text.len();
        repairs.truncate(place);
        let around = nodes[..string].iter_mut().rev();
        let around = around.filter(|node| node.is_container() && node.end > end);
        let mut kinds = alloc::vec![RepairKind::UnclosedString];
        for node in around {
            node.end = length as u32;
            node.flags |= flag::TRUNCATED;
            kinds.push(match node.tag {
                Tag::Object => RepairKind::UnclosedObject,
                _ => RepairKind::UnclosedArray,
            });
        }
        nodes[string].end = length as u32;
        nodes[string].flags |= flag::TRUNCATED;
        let span = Span::of(length, length);
        repairs.extend(kinds.into_iter().map(|kind| Repair::new(kind, span)));
    }

    /// Returns every repair made to read the value, in reading order. Empty for strict JSON.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.tape.repairs
    }

    /// Returns the notes: facts worth knowing that needed no repair.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.tape.notes
    }

    /// Returns how certain it is that the value is the intended one: the least certain class of its
    /// repairs and notes, and at most [`Class::Likely`] if the text was truncated, since its last
    /// number or word may be incomplete.
    ///
    /// ```
    /// use llmjson_syntax::{Class, parse};
    ///
    /// assert_eq!(parse("[1, 2]").certainty(), Class::Certain);
    /// assert_eq!(parse("['a', True,]").certainty(), Class::Certain);
    /// assert_eq!(parse("[1, 2").certainty(), Class::Likely);
    /// ```
    #[must_use]
    pub fn certainty(&self) -> Class {
        let whole = [Class::Likely, Class::Certain][usize::from(self.complete)];
        let repairs = self.repairs().iter().map(|repair| repair.class);
        let notes = self.notes().iter().map(|note| note.class);
        repairs.chain(notes).fold(whole, Class::max)
    }

    /// Drops the draft that coercion wrote during streaming.
    #[doc(hidden)]
    pub fn forget_draft(&mut self) {
        self.tape.draft = None;
    }

    /// Returns the limit that prevented a value from being read, if any.
    #[must_use]
    pub fn limit(&self) -> Option<LimitReached> {
        self.limit
    }

    /// Returns the work done for this text so far, beyond the single pass that reads it.
    ///
    /// ```
    /// let work = |text| llmjson_syntax::parse(text).work().spent();
    /// assert_eq!(work(r#"{"a": [1, "two"]}"#), 0);
    /// assert!(work(r#"{"a": "say "hi"", b: 'c'}"#) > 0);
    /// ```
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// Returns the work budget, to charge it for further processing of the document.
    #[doc(hidden)]
    pub fn work_mut(&mut self) -> &mut Work {
        &mut self.work
    }

    /// Returns the value as compact JSON, or `None` if there is none.
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        self.root().map(ValueRef::to_json)
    }

    /// Returns the value as JSON over several lines, or `None` if there is none.
    #[must_use]
    pub fn to_json_pretty(&self) -> Option<String> {
        self.root().map(ValueRef::to_json_pretty)
    }

    /// Returns the same document with its own copy of the text.
    #[must_use]
    pub fn into_owned(self) -> Document<'static> {
        Document {
            text: Cow::Owned(self.text.into_owned()),
            tape: self.tape,
            complete: self.complete,
            limit: self.limit,
            readings: self.readings,
            work: self.work,
        }
    }
}

/// Formats the value like [`ValueRef`]; nothing if there is none.
impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root()
            .map_or(Ok(()), |root| fmt::Display::fmt(&root, f))
    }
}

impl fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("root", &self.root())
            .field("complete", &self.complete)
            .field("repairs", &self.tape.repairs)
            .field("notes", &self.tape.notes)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
