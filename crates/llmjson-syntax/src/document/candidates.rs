//! All values of a reply, each as a separate document.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Deref;

use crate::base::repair::{Note, Repair};
use crate::base::span::Span;
use crate::base::work::Work;
use crate::document::Document;
use crate::document::parser::{Parser, parse};
use crate::tape::readings::Reading;
use crate::tape::{NONE, Tag, Tape, flag};
use crate::zones::marks::tag_before;

/// Parses all values of a reply, in text order.
///
/// [`parse`](crate::parse) chooses the best value, or joins consecutive values in one array; this
/// function returns each of them with its own position and repairs. Values nested in other values
/// are not returned separately. Up to [`Limits`](crate::Limits)`::candidates` places in the text
/// are returned, the first and the last ones, and as many in reasoning and quotations; values that
/// directly follow each other count as one place.
///
/// ```
/// use llmjson_syntax::{Origin, parse_all};
///
/// let reply = "<tool_call>{\"name\": \"a\"}</tool_call> and also\n```json\n{\"name\": 'b',}\n```";
/// let candidates = parse_all(reply);
/// let names: Vec<_> = candidates.iter().map(|one| one.document().to_json()).collect();
/// assert_eq!(names, [Some(r#"{"name":"a"}"#.into()), Some(r#"{"name":"b"}"#.into())]);
/// assert_eq!(candidates[0].origin(), Origin::Tag("tool_call"));
/// assert_eq!(candidates[1].origin(), Origin::Fence);
/// assert_eq!(&reply[candidates[1].span().range()], "{\"name\": 'b',}");
/// assert_eq!(candidates[1].document().repairs().len(), 2);
/// ```
#[must_use]
pub fn parse_all(text: &str) -> Candidates<'_> {
    Candidates::of(&parse(text), text)
}

impl Parser {
    /// Parses all values of a reply as [`parse_all`] does, within the parser's limits. If a limit
    /// is exceeded there are no values, and [`parse`](Self::parse) reports which one it was.
    ///
    /// ```
    /// use llmjson_syntax::{Limits, Parser};
    ///
    /// let mut parser = Parser::new().with_limits(Limits::DEFAULT.with_input_bytes(9));
    /// assert_eq!(parser.parse_all("[1] or {}").len(), 2);
    /// assert_eq!(parser.parse_all("[1] or {} ").len(), 0);
    /// ```
    pub fn parse_all<'t>(&mut self, text: &'t str) -> Candidates<'t> {
        Candidates::of(&self.parse(text), text)
    }
}

/// The values of a reply, in text order. See [`parse_all`].
#[derive(Clone, Debug)]
pub struct Candidates<'t> {
    all: Vec<Candidate<'t>>,
    best: Option<usize>,
    work: Work,
}

/// One value of a reply.
#[derive(Clone, Debug)]
pub struct Candidate<'t> {
    document: Document<'t>,
    span: Span,
    origin: Origin<'t>,
}

/// The context of a value in a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin<'t> {
    /// The whole text, except white space.
    Whole,
    /// A place inside a code fence.
    Fence,
    /// A place directly after a tag or a special token, which is given: `<tool_call>`,
    /// `<|python_tag|>`.
    Tag(&'t str),
    /// A place in a reasoning block, which holds drafts rather than answers.
    Reasoning,
    /// A place in prose.
    Text,
}

impl<'t> Candidates<'t> {
    fn of(document: &Document<'_>, text: &'t str) -> Self {
        let mut all: Vec<Candidate<'t>> = Vec::new();
        // In a reply with a transport encoding, only the whole has a place.
        let readings = match document.readings.source {
            Some(_) => &[],
            None => &document.readings.all[..],
        };
        let best = document.tape.root;
        // A reply that is strict JSON, or damaged JSON without other text, has no hypotheses: the
        // document is its only value.
        if readings.is_empty() {
            all.extend(document.root().map(|_| Candidate::of_whole(document, text)));
        } else {
            let mut order: Vec<&Reading> = readings.iter().collect();
            let list = |reading: &Reading| is_list(&document.tape, reading.root);
            // Of overlapping values the better one counts, which is earlier among the hypotheses;
            // an array of values replaces the values in it.
            order.sort_by_key(|reading| (reading.span.start, !list(reading)));
            let rank = |one: &Reading| readings.iter().position(|other| other.root == one.root);
            let mut kept: Vec<&Reading> = Vec::new();
            for reading in order {
                let overlaps = |last: &&Reading| last.span.end > reading.span.start;
                if let Some(&last) = kept.last().filter(|last| overlaps(last)) {
                    if list(last) || rank(reading) >= rank(last) {
                        continue;
                    }
                    kept.pop();
                }
                kept.push(reading);
            }
            for reading in kept {
                Candidate::add(&mut all, document, reading, text);
            }
        }
        let mut chosen = readings.iter().filter(|one| one.root == best);
        let span = chosen.next().map(|best| best.span);
        let is_best =
            |one: &Candidate<'_>| best != NONE && span.is_none_or(|span| one.span == span);
        let best = all.iter().position(is_best);
        let work = document.work;
        Self { all, best, work }
    }

    /// Returns the work done for the text, beyond the single pass that reads it.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// Returns the index of the value that [`parse`](crate::parse) chooses, or `None` if it joins
    /// several in an array or there is none.
    #[must_use]
    pub fn best(&self) -> Option<usize> {
        self.best
    }
}

impl<'t> Deref for Candidates<'t> {
    type Target = [Candidate<'t>];

    fn deref(&self) -> &Self::Target {
        &self.all
    }
}

impl<'t> IntoIterator for Candidates<'t> {
    type Item = Candidate<'t>;
    type IntoIter = alloc::vec::IntoIter<Candidate<'t>>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter()
    }
}

impl<'c, 't> IntoIterator for &'c Candidates<'t> {
    type Item = &'c Candidate<'t>;
    type IntoIter = core::slice::Iter<'c, Candidate<'t>>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

impl<'t> Candidate<'t> {
    /// Returns the value with its own repairs, without records of the text around it.
    #[must_use]
    pub fn document(&self) -> &Document<'t> {
        &self.document
    }

    /// Returns the value with its own repairs.
    #[must_use]
    pub fn into_document(self) -> Document<'t> {
        self.document
    }

    /// Returns the byte span in the reply.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the context of the value in the reply.
    #[must_use]
    pub fn origin(&self) -> Origin<'t> {
        self.origin
    }

    /// Returns the value of a text that has no other.
    fn of_whole(document: &Document<'_>, text: &'t str) -> Self {
        let space = |c: char| c.is_ascii_whitespace();
        let start = text.len() - text.trim_start_matches(space).len();
        let end = text.trim_end_matches(space).len();
        Self {
            document: Document {
                tape: document.tape.clone(),
                complete: document.complete,
                work: document.work,
                ..Document::empty(Cow::Borrowed(text))
            },
            span: Span::of(start, end),
            origin: Origin::Whole,
        }
    }

    /// Adds the values of one hypothesis: its value, or the values of its array.
    fn add(all: &mut Vec<Self>, document: &Document<'_>, reading: &Reading, text: &'t str) {
        let tape = &document.tape;
        let inside = text.trim().len();
        let several = document.readings.all.len() > 1 || document.root().is_none();
        let records = &document.readings;
        let (repairs, notes) = match several {
            true => (
                &records.repairs[reading.repairs.range()],
                &records.notes[reading.notes.range()],
            ),
            false => (&tape.repairs[..], &tape.notes[..]),
        };
        let mut add = |root: u32, span: Span, complete: bool| {
            let repairs = within(repairs, span, |repair: &Repair| repair.span);
            let notes = within(notes, span, |note: &Note| note.span);
            let document = Document {
                tape: tape.subtree(root, repairs, notes),
                complete,
                work: document.work,
                ..Document::empty(Cow::Borrowed(text))
            };
            let origin = if reading.thought {
                Origin::Reasoning
            } else if let Some(tag) = tag_before(&records.marks, text, span.start as usize) {
                Origin::Tag(tag)
            } else if reading.fenced {
                Origin::Fence
            } else if inside == span.len() {
                Origin::Whole
            } else {
                Origin::Text
            };
            all.push(Self {
                document,
                span,
                origin,
            });
        };
        if !is_list(tape, reading.root) {
            return add(reading.root, reading.span, reading.complete);
        }
        let mut places: Vec<(u32, Span)> = (document.readings.all.iter())
            .map(|one| (one.root, one.span))
            .collect();
        places.sort_unstable_by_key(|(root, _)| *root);
        let last = tape.after(reading.root) - 1;
        let items = (reading.root + 1..=last).map(|item| {
            let root = tape.nodes[item as usize].next;
            let node = &tape.nodes[root as usize];
            let place = places.binary_search_by_key(&root, |(root, _)| *root);
            let own = (!node.has(flag::SIDE)).then(|| Span::new(node.start, node.end));
            // A value in the side text has its place among the hypotheses.
            let span = place.map_or(own, |place| Some(places[place].1))?;
            Some((root, span))
        });
        // In a text that was escaped as a whole, only the whole has a place.
        let items: Option<Vec<_>> = items.collect();
        let items = items.unwrap_or_else(|| alloc::vec![(reading.root, reading.span)]);
        let last = items.len() - 1;
        for (index, (root, span)) in items.into_iter().enumerate() {
            add(root, span, index != last || reading.complete);
        }
    }
}

/// Returns `true` if the node is an array formed from consecutive values.
fn is_list(tape: &Tape, root: u32) -> bool {
    let child = tape.nodes.get(root as usize + 1);
    tape.nodes[root as usize].tag == Tag::Array
        && tape.after(root) > root + 1
        && child.is_some_and(|child| child.tag == Tag::Reference)
}

/// Returns the records within a span. Records of an array are in reading order.
fn within<R: Copy>(records: &[R], span: Span, place: impl Fn(&R) -> Span) -> Vec<R> {
    let first = records.partition_point(|record| place(record).end < span.start);
    let inside = records[first..]
        .iter()
        .take_while(|record| place(record).start <= span.end)
        .filter(|record| place(record).start >= span.start && place(record).end <= span.end);
    inside.copied().collect()
}
