//! Reading a text that is still coming.

use super::{Mark, NEAR, Reader, Saved};
use crate::tools::calls::{Draft, tag::may_become_tag};

/// How far a text was read that is still coming.
pub(in crate::tools::calls) struct Progress {
    pub(in crate::tools::calls) saved: Saved,
    /// What is known of the calls at the end of the text.
    pub(in crate::tools::calls) tried: Vec<Draft>,
    /// What the step has cost that could not be taken yet.
    pub(in crate::tools::calls) spent: u64,
    /// Whether that was too little to take it.
    pub(in crate::tools::calls) is_short: bool,
}

impl<'t> Reader<'t, '_> {
    /// Takes the steps that more text does not change, and returns what is known besides about the calls
    /// at the end of the text.
    ///
    /// No step may spend more than is `allowed`; one that would is put off.
    pub(in crate::tools::calls) fn advance(mut self, led: bool, allowed: u64) -> Progress {
        self.is_open = true;
        let mut tried = Vec::new();
        let (mut spent, mut is_short) = (0, false);
        let led = led || self.begins_otherwise();
        while led && let Some(start) = self.next() {
            let mark = self.mark();
            self.looks.begin_step(allowed);
            if !self.looks.is_used_up() {
                self.step(start);
            }
            self.at = self.at.max(start + 1);
            if self.is_undecided(start) {
                tried = self.calls.split_off(mark.calls);
                let begins = tried.first().map(|draft| draft.span.0);
                if begins.is_some_and(|start| self.may_be_quoted(start)) {
                    tried.clear();
                }
                is_short = self.looks.is_short;
                spent = self.looks.spent() - mark.looks.spent();
                self.put_back(mark, start);
                break;
            }
        }
        if is_short {
            tried.clear();
        }
        let saved = Saved {
            at: self.at,
            led,
            pending: self.pending,
            opener: self.opener,
            around: self.around,
            quotes: self.quotes,
            unclosed: self.unclosed,
            spent: self.looks.spent(),
            known: self.schemas.into_known(),
            calls: self.calls,
            content: self.content,
            reasoning: self.reasoning,
        };
        Progress {
            saved,
            tried,
            spent,
            is_short,
        }
    }

    /// Whether more text may change the step that was taken at a place.
    pub(super) fn is_undecided(&self, start: usize) -> bool {
        // Not a part of the step, which costs what it costs in a whole text.
        let mut looks = self.looks;
        self.looks.reached_end
            || self.looks.is_short
            || self.text.len() - self.at < NEAR
            || may_become_tag(self.text, start, &mut looks)
    }

    /// Whether the text surely does not begin with a name on a line of its own.
    pub(super) fn begins_otherwise(&self) -> bool {
        let begin = self.text.trim_start();
        match begin.find([' ', '\n', '\t', '<', '[', '{', '(']) {
            Some(end) => {
                let is_behind = end > 0 && begin[end..].starts_with('{');
                !is_behind && !begin[end..].starts_with('\n') || {
                    let rest = begin[end..].trim_start();
                    !rest.is_empty() && !rest.starts_with('{')
                }
            }
            None => begin.len() > 256,
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            pending: self.pending,
            opener: self.opener.clone(),
            around: self.around,
            quotes: self.quotes,
            unclosed: self.unclosed.len(),
            calls: self.calls.len(),
            content: self.content.len(),
            reasoning: self.reasoning.len(),
            looks: self.looks,
        }
    }

    pub(super) fn put_back(&mut self, mark: Mark, start: usize) {
        self.at = start;
        self.looks = mark.looks;
        self.pending = mark.pending;
        self.opener = mark.opener;
        self.around = mark.around;
        self.quotes = mark.quotes;
        self.unclosed.truncate(mark.unclosed);
        self.content.truncate(mark.content);
        self.reasoning.truncate(mark.reasoning);
    }
}
