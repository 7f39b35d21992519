//! A text that was read: its value, and what was done to read it.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::limits::LimitReached;
use crate::node::{NONE, Tape};
use crate::repair::{Class, Note, Repair};
use crate::view::{NodeId, ValueRef};

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
}

impl<'t> Document<'t> {
    pub(crate) fn empty(text: Cow<'t, str>) -> Self {
        Self { text, tape: Tape::default(), complete: true, limit: None }
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

    /// Whether the text of the value ended as it should. If not, the value is a beginning of what
    /// was meant, and who acts on it should refuse.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
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

    /// The least sure class among the repairs; `None` without any.
    #[must_use]
    pub fn worst_class(&self) -> Option<Class> {
        self.repairs().iter().map(|repair| repair.kind.class()).max()
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
        let Self { text, tape, complete, limit } = self;
        Document { text: Cow::Owned(text.into_owned()), tape, complete, limit }
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
