//! Parses a text into a document.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use crate::base::expected_names::ExpectedNames;
use crate::base::limits::{LimitReached, Limits};
use crate::base::repair::{Repair, RepairKind};
use crate::base::span::Span;
use crate::base::work::Work;
use crate::document::Document;
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::reply::sources::Judge;
use crate::tape::Tape;
use crate::tape::readings::Readings;

/// Parses a text. See [`Document`] for the result.
///
/// ```
/// let document = llmjson_syntax::parse(r#"{"a": [1, 2], "b": "text"}"#);
/// assert!(document.repairs().is_empty());
/// ```
#[must_use]
pub fn parse(text: &str) -> Document<'_> {
    Parser::new().parse(text)
}

/// Parses bytes that should be UTF-8.
///
/// An incomplete character at the end is dropped, and the value counts as truncated.
///
/// # Errors
///
/// If any other bytes are not UTF-8, with their position; nothing is replaced.
///
/// ```
/// let document = llmjson_syntax::parse_bytes(b"{\"name\": \"Jos\xC3").expect("cut, not invalid");
/// assert_eq!(document.to_json().as_deref(), Some(r#"{"name":"Jos"}"#));
/// assert!(!document.is_complete());
/// assert_eq!(llmjson_syntax::parse_bytes(b"{\"a\": \"\xFF\"}").unwrap_err().offset, 7);
/// ```
pub fn parse_bytes(bytes: &[u8]) -> Result<Document<'_>, InvalidUtf8> {
    Parser::new().parse_bytes(bytes)
}

/// Records that the text ended within a character, of which `bytes` bytes were present.
pub(crate) fn cut_character(document: &mut Document<'_>, bytes: usize) {
    if document.root().is_some() {
        let end = document.text.len();
        let span = Span::of(end, end + bytes);
        document
            .tape
            .repairs
            .push(Repair::new(RepairKind::CutEscape, span));
        document.complete = false;
    }
}

/// The error for bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidUtf8 {
    /// The offset of the first byte that cannot be part of a character.
    pub offset: usize,
}

impl InvalidUtf8 {
    /// Creates the error for the byte at an offset.
    #[must_use]
    pub const fn at(offset: usize) -> Self {
        Self { offset }
    }
}

impl fmt::Display for InvalidUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the input is not UTF-8 at byte {}", self.offset)
    }
}

impl core::error::Error for InvalidUtf8 {}

/// A parser with limits, which reuses its buffers between texts.
///
/// ```
/// use llmjson_syntax::{Limits, Parser};
///
/// let mut parser = Parser::new().with_limits(Limits::DEFAULT.with_depth(64));
/// for text in ["[1]", "[2]"] {
///     let document = parser.parse(text);
///     assert!(document.repairs().is_empty());
///     parser.recycle(document); // the next text is read into the same buffers
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    pub(crate) limits: Limits,
    names: Option<Arc<ExpectedNames>>,
    pub(crate) tape: Tape,
    pub(crate) scratch: Scratch,
    /// The work spent on earlier texts and the number of their bytes, if all of them share one work
    /// budget.
    pub(crate) shared: Option<(Work, usize)>,
}

impl Parser {
    /// Creates a parser with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Skips the fast path for frequent damage. Values and records are the same (a law checks
    /// this), but it takes longer.
    #[doc(hidden)]
    #[must_use]
    pub fn without_fast_path(mut self) -> Self {
        self.scratch.without_fast_path = true;
        self
    }

    /// Tries the sources of a reply in reverse order. Values and records are the same (a law checks
    /// this).
    #[must_use]
    pub fn with_reversed_sources(mut self) -> Self {
        self.scratch.reversed_sources = true;
        self
    }

    /// Gives every repair of the search its usual class from this margin on, whatever its kind. The
    /// program that fits the margins of the kinds (`benches/fit`) uses this to measure a
    /// hypothesis's margin.
    #[doc(hidden)]
    #[must_use]
    pub fn with_lead(mut self, lead: u32) -> Self {
        self.scratch.lead = Some(lead);
        self
    }

    /// Parses bytes that should be UTF-8, as [`parse_bytes`] does.
    ///
    /// # Errors
    ///
    /// See [`parse_bytes`].
    pub fn parse_bytes<'t>(&mut self, bytes: &'t [u8]) -> Result<Document<'t>, InvalidUtf8> {
        match core::str::from_utf8(bytes) {
            Ok(text) => Ok(self.parse(text)),
            Err(error) if error.error_len().is_some() => Err(InvalidUtf8 {
                offset: error.valid_up_to(),
            }),
            Err(error) => {
                let valid = &bytes[..error.valid_up_to()];
                let text = core::str::from_utf8(valid).unwrap_or_default();
                let mut document = self.parse(text);
                cut_character(&mut document, bytes.len() - text.len());
                Ok(document)
            }
        }
    }

    /// Creates a parser with these limits and expected keys: [`with_limits`](Self::with_limits) and
    /// [`with_names`](Self::with_names) in one call, without moving the parser.
    #[doc(hidden)]
    #[must_use]
    pub fn expecting(limits: Limits, names: Option<Arc<ExpectedNames>>) -> Self {
        Self {
            limits,
            names: names.filter(|names| !names.is_empty()),
            ..Self::default()
        }
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Sets the expected keys.
    #[must_use]
    pub fn with_names(self, names: Arc<ExpectedNames>) -> Self {
        let names = (!names.is_empty()).then_some(names);
        Self { names, ..self }
    }

    /// Parses a text.
    pub fn parse<'t>(&mut self, text: &'t str) -> Document<'t> {
        self.read(Cow::Borrowed(text), None)
    }

    /// Parses a text and keeps it in the document.
    pub fn parse_owned(&mut self, text: String) -> Document<'static> {
        self.read(Cow::Owned(text), None)
    }

    /// Takes the buffers of a document that is no longer needed, for reuse.
    #[doc(hidden)]
    pub fn recycle(&mut self, document: Document<'_>) {
        self.tape = document.tape;
    }

    /// Returns the limit on the size of a text, if this one is larger.
    pub(crate) fn too_large(&self, text: &str) -> Option<LimitReached> {
        let (size, limit) = (text.len(), self.limits.input_bytes);
        let beyond = size >= u32::MAX as usize || size > limit as usize;
        beyond.then_some(LimitReached::InputBytes { size, limit })
    }

    /// Parses the reply of a document once more, and chooses its source with regard to a schema:
    /// `judge` returns the cost of fitting a value to it, and the rest of the work budget. `own` is
    /// that cost for the document's value.
    ///
    /// # Errors
    ///
    /// If the unchanged reply, as in the document, is the best, with the rest of the work budget.
    #[doc(hidden)]
    pub fn parse_judged<'t>(
        &mut self,
        document: &Document<'t>,
        own: u32,
        judge: impl Fn(Document<'_>) -> (u32, Work),
    ) -> Result<Document<'t>, Work> {
        self.shared = Some((document.work, 0));
        let own = (!document.readings.is_changed).then_some(own);
        let ask = |seen: (&str, &Tape, &Readings, bool), work| {
            let (text, tape, readings, complete) = seen;
            judge(Document {
                tape: tape.clone(),
                readings: readings.clone(),
                complete,
                work,
                ..Document::empty(Cow::Borrowed(text))
            })
        };
        let ask = &ask;
        let best = self.read(document.text.clone(), Some(Judge { own, ask }));
        match own.is_some() && !best.readings.is_changed {
            true => Err(best.work),
            false => Ok(best),
        }
    }

    fn read<'t>(&mut self, text: Cow<'t, str>, judge: Option<Judge<'_>>) -> Document<'t> {
        let limit = self.too_large(&text);
        if limit.is_some() {
            return Document {
                limit,
                work: self.shared.map_or(Work::default(), |(work, _)| work),
                ..Document::empty(text)
            };
        }
        let mut tape = core::mem::take(&mut self.tape);
        tape.clear();
        // A node takes 24 bytes and a JSON value rarely fewer than that, its key included.
        tape.nodes.reserve(text.len() / 24 + 8);
        let account = self.limits.account(text.len());
        if let Some((work, before)) = self.shared {
            // A reply that is parsed once more has the rest of its budget.
            account.set(match judge {
                Some(_) => work,
                None => work.of_several(self.limits.work, before + text.len()),
            });
        }
        let look = Look::new(&text, &account).with_names(self.names.as_deref());
        let mut reader = Reader::new(look, &mut tape, &self.limits, &mut self.scratch);
        let complete = reader.reply_of_any_source(judge);
        let limit = reader.limit;
        let mut readings = core::mem::take(&mut reader.readings);
        if readings.all.is_empty() {
            readings.chosen = reader.tape.root;
        }
        // A later reader of the document cannot end this.
        let work = account.get().with_stop(None);
        Document {
            text,
            tape,
            complete,
            limit,
            readings,
            work,
        }
    }
}
