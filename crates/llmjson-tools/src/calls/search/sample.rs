//! Examples: what words introduce as such.

use llmjson_syntax::steps_of_search;

use super::CallSearch;
use crate::calls::tag::Tag;

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

/// Words that say it of a value without a marker, or in a fence. A reply with a marker may use them.
const DOUBTFUL_WORDS: &[&str] = &["format", "would", "could", "such as", "schema"];

/// The knowledge of examples up to a place, so that each byte is looked at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Surroundings {
    /// Offset of the last of the words, and the one up to which they were looked for.
    example: Option<usize>,
    doubtful: Option<usize>,
    words_until: usize,
}

/// The longest of the words, less one byte.
const OVERLAP: usize = 12;

impl<'t> CallSearch<'t, '_> {
    /// Returns `true` if a place is quoted, or words introduce what stands there as an example.
    pub(super) fn is_sample(&mut self, start: usize) -> bool {
        let text = self.text;
        if self.is_quoted(start) {
            return true;
        }
        let quote = self.quote_at(start);
        let lead_end = quote.map_or(start, |quote| quote.start);
        let lead_start = text
            .floor_char_boundary(lead_end.saturating_sub(120))
            .max(self.pending.min(lead_end));
        let lead_start = text.floor_char_boundary(lead_start);
        self.pass_words(lead_start, lead_end);
        let around = &self.around;
        let word = around.example.max(around.doubtful);
        if word.is_none_or(|at| at < lead_start) {
            return false;
        }
        self.budget.charge(lead_end - lead_start);
        let lead = &text[lead_start..lead_end];
        let sentence = last_sentence(lead, quote.is_some());
        // What is at its end only says where it begins.
        let from = match sentence.is_empty() {
            true => lead_end,
            false => lead_start + lead.trim_end().len() - sentence.len(),
        };
        let is_marked = quote.is_none() && Tag::look(text, start, &mut self.budget).is_some();
        let is_sample = around.example >= Some(from) || !is_marked && around.doubtful >= Some(from);
        if is_sample && quote.is_none() {
            self.pass_sample(start);
        }
        is_sample
    }

    /// Looks for words that say that an example follows, in what leads to it.
    fn pass_words(&mut self, start: usize, end: usize) {
        let around = &mut self.around;
        let from = around.words_until.saturating_sub(OVERLAP).max(start);
        let from = self.text.floor_char_boundary(from);
        let is_part = |one: u8| one.is_ascii_alphabetic() || one == b'.';
        let added = around.words_until.clamp(start, end)..end;
        self.budget.charge(steps_of_search(added.len()));
        if !self.text.as_bytes()[added].iter().any(|one| is_part(*one)) {
            around.words_until = end;
            return;
        }
        let new = self.text[from..end].to_ascii_lowercase();
        let last = |words: &[&str]| words.iter().filter_map(|word| new.rfind(word)).max();
        if let Some(at) = last(EXAMPLE_WORDS) {
            around.example = Some(from + at);
        }
        if let Some(at) = last(DOUBTFUL_WORDS) {
            around.doubtful = Some(from + at);
        }
        around.words_until = end;
        let searches = EXAMPLE_WORDS.len() + DOUBTFUL_WORDS.len();
        self.budget.charge(steps_of_search(searches * new.len()));
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
