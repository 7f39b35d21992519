//! A text that was read: its value, and what was done to read it.

pub(crate) mod candidates;
pub(crate) mod edit;
pub(crate) mod embedded;
pub(crate) mod parser;
pub(crate) mod part;
pub(crate) mod readings;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::base::limits::LimitReached;
use crate::base::repair::{Class, Note, Repair, RepairKind};
use crate::base::span::Span;
use crate::scan::tag::leading_thoughts;
use crate::tape::readings::Readings;
use crate::tape::{NONE, Tape};
use crate::view::{Key, MemberId, NodeId, ValueRef};

/// A text that was read: the best value found in it, and a record of every liberty taken.
///
/// It borrows the text and keeps spans into it; strings are decoded and numbers converted when
/// somebody asks. Dropping it frees a few flat buffers, whatever the depth.
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
}

impl<'t> Document<'t> {
    pub(crate) fn empty(text: Cow<'t, str>) -> Self {
        let (tape, readings) = (Tape::default(), Readings::default());
        Self {
            text,
            tape,
            complete: true,
            limit: None,
            readings,
        }
    }

    /// The text itself as a string value.
    ///
    /// ```
    /// let document = llmjson_syntax::Document::verbatim("just \"words\"");
    /// assert_eq!(document.to_json().as_deref(), Some(r#""just \"words\"""#));
    /// ```
    #[must_use]
    pub fn verbatim(text: &'t str) -> Self {
        let mut document = Self::empty(Cow::Borrowed(text));
        if text.len() < u32::MAX as usize {
            document.tape.push_string(0, text.len() as u32);
        }
        document
    }

    /// A text without a value because a limit was reached.
    #[must_use]
    pub fn beyond(text: &'t str, limit: LimitReached) -> Self {
        Self {
            limit: Some(limit),
            ..Self::empty(Cow::Borrowed(text))
        }
    }

    /// The text that was read as a string value, without the blocks of reasoning that it begins with
    /// and the white space behind them. See [`verbatim`](Self::verbatim).
    ///
    /// ```
    /// let document = llmjson_syntax::parse("<think>A city, so\u{2026}</think>\n\nParis").to_verbatim();
    /// assert_eq!(document.to_json().as_deref(), Some("\"Paris\""));
    /// ```
    #[must_use]
    pub fn to_verbatim(&self) -> Self {
        let mut document = Self::empty(self.text.clone());
        if self.text.len() >= u32::MAX as usize {
            return document;
        }
        let thoughts = leading_thoughts(&self.text);
        if thoughts == 0 {
            document.tape.push_string(0, self.text.len() as u32);
            return document;
        }
        let answer = &self.text[thoughts..];
        let start = self.text.len() - answer.trim_start().len();
        let end = start.max(self.text.trim_end().len());
        document.tape.push_string(start as u32, end as u32);
        let span = Span::of(0, thoughts);
        let repair = Repair::new(RepairKind::ReasoningBlock, span);
        document.tape.repairs.push(repair);
        document
    }

    /// The value; `None` if there is none in the text, or a limit was reached.
    #[must_use]
    pub fn root(&self) -> Option<ValueRef<'_>> {
        (self.tape.root != NONE).then(|| ValueRef::new(&self.tape, &self.text, self.tape.root))
    }

    /// A view of the value of that name in this document.
    ///
    /// # Panics
    ///
    /// If the name comes from another document and is not in this one.
    #[must_use]
    pub fn value(&self, id: NodeId) -> ValueRef<'_> {
        ValueRef::new(&self.tape, &self.text, id.0)
    }

    /// The name of a member of this document, borrowed unless it has escapes to decode.
    ///
    /// # Panics
    ///
    /// If the member comes from another document and is not in this one.
    ///
    /// ```
    /// let document = llmjson_syntax::parse(r#"{"a": 1}"#);
    /// let root = document.root().expect("there is a value");
    /// let (key, _) = root.members().keyed().next().expect("a member");
    /// assert_eq!(document.member_name(key.member()), "a");
    /// ```
    #[must_use]
    pub fn member_name(&self, member: MemberId) -> Cow<'_, str> {
        Key::of(&self.tape, &self.text, member.0).decoded()
    }

    /// The name under which a value was read or written; an empty one if it is no member.
    ///
    /// A member that coercion gave another name still has the old one here.
    ///
    /// # Panics
    ///
    /// If the value comes from another document and is not in this one.
    ///
    /// ```
    /// let document = llmjson_syntax::parse(r#"{"a": 1}"#);
    /// let inner = document.root().and_then(|root| root.get("a")).expect("a member");
    /// assert_eq!(document.name_read(inner.id()), "a");
    /// ```
    #[must_use]
    pub fn name_read(&self, id: NodeId) -> Cow<'_, str> {
        self.member_name(MemberId(id.0))
    }

    /// One value of this document as a document of its own over the same text, without records.
    /// Costs as much as the value is large.
    ///
    /// # Panics
    ///
    /// If the name comes from another document and is not in this one.
    ///
    /// ```
    /// let document = llmjson_syntax::parse(r#"{"a": {"b": 1}}"#);
    /// let inner = document.root().and_then(|root| root.get("a")).expect("a member");
    /// assert_eq!(document.part(inner.id()).to_json().as_deref(), Some(r#"{"b":1}"#));
    /// ```
    #[must_use]
    pub fn part(&self, id: NodeId) -> Document<'_> {
        let tape = self.tape.subtree(id.0, Vec::new(), Vec::new());
        Document {
            tape,
            ..Document::empty(Cow::Borrowed(&self.text))
        }
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text with the lifetime it was lent with; `None` if the document owns it.
    #[must_use]
    pub fn borrowed_text(&self) -> Option<&'t str> {
        match self.text {
            Cow::Borrowed(text) => Some(text),
            Cow::Owned(_) => None,
        }
    }

    /// Where the value stands that was read, whatever was made of it since; `None` if it stands
    /// nowhere.
    #[doc(hidden)]
    #[must_use]
    pub fn span_read(&self) -> Option<Span> {
        let Readings { all, chosen, .. } = &self.readings;
        if let Some(reading) = all.iter().find(|reading| reading.root == *chosen) {
            return Some(reading.span);
        }
        let first = (!self.tape.nodes.is_empty()).then(|| ValueRef::new(&self.tape, &self.text, 0));
        first.and_then(ValueRef::span)
    }

    /// The value that was read and chosen, whatever was made of it since; `None` if there is none.
    ///
    /// ```
    /// let mut document = llmjson_syntax::parse("[1, 2]");
    /// let mut editor = document.edit();
    /// let null = editor.null();
    /// editor.set_root(null);
    /// assert_eq!(document.root_read().map(|id| document.value(id).len()), Some(2));
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn root_read(&self) -> Option<NodeId> {
        let Readings { all, chosen, .. } = &self.readings;
        if all.iter().any(|reading| reading.root == *chosen) {
            return Some(NodeId(*chosen));
        }
        (!self.tape.nodes.is_empty()).then_some(NodeId(0))
    }

    /// Whether the text of the value ended as it should. If not, the value is a beginning of what
    /// was meant, and who acts on it should refuse.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Lets the value count as cut off, because somebody knows that the text is not whole though
    /// it looks so: a finish reason, say.
    ///
    /// ```
    /// let mut document = llmjson_syntax::parse("[1, 2]");
    /// document.mark_truncated();
    /// assert!(!document.is_complete());
    /// ```
    pub fn mark_truncated(&mut self) {
        self.complete = false;
    }

    /// Every liberty taken to read the value, in reading order. Empty for strict JSON.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.tape.repairs
    }

    /// What is worth knowing though nothing had to be put right.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.tape.notes
    }

    /// How sure it is that the value is the one that was meant: the least sure class among the
    /// repairs, and at most [`Class::Likely`] if the text was cut off, since its last number or
    /// word may have lost its end.
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
        let whole = if self.complete {
            Class::Certain
        } else {
            Class::Likely
        };
        let classes = self.repairs().iter().map(|repair| repair.class);
        classes.fold(whole, Class::max)
    }

    /// Drops what was made of the value while it was coming.
    #[doc(hidden)]
    pub fn forget_draft(&mut self) {
        self.tape.draft = None;
    }

    /// The limit that kept a value from being read, if one did.
    #[must_use]
    pub fn limit(&self) -> Option<LimitReached> {
        self.limit
    }

    /// The value as compact JSON. `None` without a value.
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        self.root().map(ValueRef::to_json)
    }

    /// The value as JSON over several lines. `None` without a value.
    #[must_use]
    pub fn to_json_pretty(&self) -> Option<String> {
        self.root().map(ValueRef::to_json_pretty)
    }

    /// The same document with a text of its own.
    #[must_use]
    pub fn into_owned(self) -> Document<'static> {
        let Self {
            text,
            tape,
            complete,
            limit,
            readings,
        } = self;
        Document {
            text: Cow::Owned(text.into_owned()),
            tape,
            complete,
            limit,
            readings,
        }
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
