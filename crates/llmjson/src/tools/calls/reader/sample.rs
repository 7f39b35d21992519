//! Code that is shown, not run.

use super::Reader;
use crate::tools::calls::tag::Tag;

/// Words before a value or fence that say it is an example.
const EXAMPLE_WORDS: &[&str] = &[
    "example",
    "e.g.",
    "for instance",
    "looks like",
    "look like",
    "template",
    "sample",
    "syntax",
    "placeholder",
];

/// Words that say it of a value without a marker, or in a fence. Who writes a marker may use them.
const DOUBTFUL_WORDS: &[&str] = &["format", "would", "could", "such as", "schema"];

impl<'t> Reader<'t, '_> {
    /// Whether a place is in code that is shown, not run: between backticks, or in a fence that words
    /// introduce as an example.
    pub(super) fn is_sample(&mut self, start: usize) -> bool {
        let text = self.text;
        // Fences up to here.
        while let Some(found) = memchr::memmem::find(
            &text.as_bytes()[self.fences_until.min(start)..start],
            b"```",
        ) {
            let at = self.fences_until + found;
            self.fence = match self.fence {
                Some(_) => None,
                None => Some(at),
            };
            self.fences_until = at + 3;
        }
        self.fences_until = self.fences_until.max(start.saturating_sub(2));
        let near = text.floor_char_boundary(start.saturating_sub(400));
        let line_start = text[near..start]
            .rfind('\n')
            .map_or(near, |at| near + at + 1);
        let line = &text[line_start..start];
        if self.fence.is_none() && line.replace("```", "").matches('`').count() % 2 == 1 {
            return true;
        }
        let lead_end = self.fence.unwrap_or(start);
        let lead_start = text
            .floor_char_boundary(lead_end.saturating_sub(120))
            .max(self.pending.min(lead_end));
        let lead = &text[text.floor_char_boundary(lead_start)..lead_end];
        let lead = last_sentence(lead, self.fence.is_some()).to_lowercase();
        let is_marked = self.fence.is_none() && Tag::at(text, start).is_some();
        let doubtful = DOUBTFUL_WORDS.iter().filter(|_| !is_marked);
        let mut words = EXAMPLE_WORDS.iter().chain(doubtful);
        words.any(|word| lead.contains(word))
    }
}

/// Returns the sentence that leads to what follows; without a fence, one that is finished leads to nothing.
pub(super) fn last_sentence(lead: &str, is_fenced: bool) -> &str {
    let lead = lead.trim_end();
    if !is_fenced && lead.ends_with(['.', '!', '?']) && !lead.ends_with("e.g.") {
        return "";
    }
    let ends = lead.rmatch_indices(['.', '!', '?']);
    let after = ends.map(|(at, _)| &lead[at + 1..]).find(|after| {
        let next = after.trim_start();
        next.len() < after.len() && next.starts_with(char::is_uppercase)
    });
    after.unwrap_or(lead)
}
