//! The result of a stream that has ended.

use alloc::vec::Vec;

use crate::base::limits::LimitReached;
use crate::base::work::Work;
use crate::document::Document;
use crate::document::parser::{Parser, cut_character};
use crate::stream::draft::{Continuation, Draft};
use crate::stream::events::{Event, Look, Sight, pass};
use crate::stream::prefix::{continues, replaces};
use crate::stream::single::Stream;
use crate::tape::{NONE, Tag, Tape};

/// The result of a stream that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// The result of [`parse`](crate::parse) for the complete text.
    pub document: Document<'static>,
    /// `true` if the value does not continue the shown value: discard the shown value.
    pub superseded: bool,
    /// The changes since the last call of [`Stream::events`]; empty if it was never called.
    pub events: Vec<Event>,
}

impl Stream {
    /// Ends the text, which has been parsed as in this document.
    #[must_use]
    pub fn finish_as(self, document: Document<'static>) -> Finished {
        let continuation = Continuation::superseded_if(!self.grows_into(&document));
        Finished::new(document, continuation, self.look)
    }

    /// Ends the text. Returns the result of [`parse`](crate::parse) for the whole text.
    ///
    /// Strict JSON has already been parsed and is returned unchanged. Anything else is parsed
    /// again, since only the complete text shows which of its values is intended, and how a
    /// truncated part ends.
    #[must_use]
    pub fn finish(self) -> Finished {
        self.finish_with_shown().0
    }

    /// Ends the text as [`finish`](Self::finish) does, and also returns the shown value, without
    /// its text, if the result is another document.
    #[must_use]
    pub fn finish_with_shown(self) -> (Finished, Option<Document<'static>>) {
        let Self {
            mut document,
            progress,
            limits,
            names,
            partial_length,
            size,
            most,
            look,
            ..
        } = self;
        if size > most {
            let limit = Some(LimitReached::InputBytes {
                size,
                limit: limits.input_bytes,
            });
            let continuation = Continuation::superseded_if(document.tape.root != NONE);
            let whole = Document {
                limit,
                work: progress.work(),
                ..Document::empty(core::mem::take(&mut document.text))
            };
            return (Finished::new(whole, continuation, look), Some(document));
        }
        if partial_length == 0 && progress.is_exact(&document.text, &document.tape) {
            document.complete = true;
            document.work = progress.shared().map_or(Work::default(), |(work, _)| work);
            document.tape.replaced.sort_unstable();
            let continuation = Continuation::superseded_if(progress.took_back);
            return (Finished::new(document, continuation, look), None);
        }
        let text = core::mem::take(&mut document.text);
        let mut parser = Parser::new().with_limits(limits);
        parser.shared = progress.shared();
        let mut whole = parser
            .with_names(names.unwrap_or_default())
            .parse_owned(text.into_owned());
        if partial_length > 0 {
            cut_character(&mut whole, partial_length);
        }
        let growing = progress.unsettled(document.tape.nodes.len());
        let shown = (&document.tape, &*whole.text);
        let goes_on = continues(shown, growing, (&whole.tape, &whole.text))
            && !progress.took_back
            && !replaces(&document.tape, &whole.tape);
        let continuation = Continuation::superseded_if(!goes_on);
        (Finished::new(whole, continuation, look), Some(document))
    }
}

impl Finished {
    pub(super) fn new(document: Document<'static>, continuation: Continuation, look: Look) -> Self {
        let events = look.rest(&document, None, continuation);
        Self {
            document,
            superseded: continuation == Continuation::Superseded,
            events,
        }
    }
}

impl Look {
    /// Returns the changes of the whole text that were not emitted yet, or none if changes were
    /// never requested.
    ///
    /// If a caller replaced the value that was read, `draft` is the part of the replacement already
    /// seen; its nodes need not be contiguous.
    pub(super) fn rest(
        mut self,
        document: &Document<'_>,
        draft: Option<(&Tape, &str)>,
        continuation: Continuation,
    ) -> Vec<Event> {
        let mut events = core::mem::take(&mut self.pending);
        if !self.taken {
            return events;
        }
        if continuation == Continuation::Superseded {
            events.push(Event::superseded());
            return events;
        }
        let text = &*document.text;
        let Some(root) = document.root() else {
            self.pass_rest(text, text.len(), &mut events);
            return events;
        };
        let read = document.span_read();
        if let Some(span) = read {
            self.pass_rest(text, span.start as usize, &mut events);
        }
        // An array of several values only refers to them.
        let list = document.tape.nodes.get(document.tape.root as usize + 1);
        let several = list.is_some_and(|node| node.tag == Tag::Reference);
        let whole = (draft.is_some() || several).then(|| Draft::of(root));
        let tape = whole.as_ref().map_or(&document.tape, Draft::tape);
        let sight = Sight {
            tape,
            text,
            base: tape.root,
            unsettled: None,
            root_closed: true,
        };
        if !draft.is_some_and(|draft| self.complete(draft, 0, &sight, &mut events)) {
            self.take(&sight, &mut events);
        }
        if let Some(span) = read {
            // A value other than the one shown may end before the text already passed on.
            let end = self.passed.max(span.end as usize);
            let (from, to) = self.passed_behind.unwrap_or((end, end));
            pass(text, end, from, &mut events);
            pass(text, end.max(to), text.len(), &mut events);
        }
        events
    }
}
