//! Reading a text that is still coming.

use super::{Mark, NEAR, Reader, Saved};
use crate::tools::calls::{Draft, tag::may_become_tag};

impl<'t> Reader<'t, '_> {
    /// Takes the steps that more text does not change, and returns what is known besides about the calls
    /// at the end of the text.
    pub(in crate::tools::calls) fn advance(mut self, led: bool) -> (Saved, Vec<Draft>) {
        self.is_open = true;
        let mut tried = Vec::new();
        let led = led || self.begins_otherwise();
        while led && let Some(start) = self.next() {
            let mark = self.mark();
            self.work.reached_end = false;
            self.step(start);
            self.at = self.at.max(start + 1);
            if self.is_undecided(start) {
                tried = self.found.calls.split_off(mark.calls);
                self.put_back(mark, start);
                break;
            }
        }
        let saved = Saved {
            at: self.at,
            led,
            pending: self.pending,
            opener: self.opener,
            fence: self.fence,
            fences_until: self.fences_until,
            unclosed: self.unclosed,
            // What was looked at in vain is looked at again when more text is there.
            used: self.work.used.min(self.text.len()),
            properties: self.properties,
            found: self.found,
        };
        (saved, tried)
    }

    /// Whether more text may change the step that was taken at a place.
    pub(super) fn is_undecided(&self, start: usize) -> bool {
        self.work.reached_end
            || self.text.len() - self.at < NEAR
            || may_become_tag(self.text, start)
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
            fence: self.fence,
            fences_until: self.fences_until,
            unclosed: self.unclosed.len(),
            calls: self.found.calls.len(),
            content: self.found.content.len(),
            reasoning: self.found.reasoning.len(),
        }
    }

    pub(super) fn put_back(&mut self, mark: Mark, start: usize) {
        self.at = start;
        self.pending = mark.pending;
        self.opener = mark.opener;
        self.fence = mark.fence;
        self.fences_until = mark.fences_until;
        self.unclosed.truncate(mark.unclosed);
        self.found.content.truncate(mark.content);
        self.found.reasoning.truncate(mark.reasoning);
    }
}
