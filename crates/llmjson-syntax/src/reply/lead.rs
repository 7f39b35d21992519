//! The words before a value, which may say that it is an example, an answer, a correction.
//!
//! Replies often hold several values: the input repeated, a draft, an example of the format, the
//! answer, a correction of it. The last telling word before a value says most about which it is.

use alloc::vec::Vec;

use crate::parser::state::reader::Reader;
use crate::tape::readings::{Lead, Reading};

/// Words are looked for in so many bytes before a value.
const LEAD_BYTES: usize = 200;

/// The longest text before the first value that counts as its lead.
const PREFACE_BYTES: usize = 400;

/// What a word before a value announces.
fn announced(word: &str) -> Option<Lead> {
    let mut lower = [0; 16];
    let lower = lower.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    Some(match &*lower {
        b"actually" | b"amended" | b"apologies" | b"apologize" | b"better" | b"correct"
        | b"corrected" | b"correction" | b"final" | b"finally" | b"finalized" | b"fixed"
        | b"improved" | b"instead" | b"mistake" | b"oops" | b"rather" | b"reflection"
        | b"revised" | b"sorry" | b"updated" | b"wait" => Lead::Correction,
        b"answer" | b"answers" | b"extracted" | b"output" | b"response" | b"result"
        | b"results" | b"returns" | b"solution" => Lead::Answer,
        b"alternative" | b"alternatively" | b"another" | b"before" | b"could" | b"draft" | b"e"
        | b"example" | b"examples" | b"format" | b"given" | b"incorrect" | b"input"
        | b"instance" | b"invalid" | b"might" | b"more" | b"old" | b"original" | b"placeholder"
        | b"previous" | b"previously" | b"prompt" | b"request" | b"sample" | b"schema"
        | b"structure" | b"template" | b"usage" | b"wrong" => Lead::Aside,
        _ => return None,
    })
}

impl Reader<'_> {
    /// Notes what is said before each of the values, which stand in the order of the text but for
    /// those that lie in others.
    pub(crate) fn read_leads(&self, candidates: &mut [Reading]) {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|&index| candidates[index].span.start);
        let mut behind = 0;
        for (place, index) in order.into_iter().enumerate() {
            let candidate = &mut candidates[index];
            let (start, end) = (candidate.span.start as usize, candidate.span.end as usize);
            candidate.lead = self.lead(behind.min(start), start, candidate.fenced);
            candidate.first = place == 0 && self.is_payload(start, candidate.fenced);
            if candidate.complete {
                behind = behind.max(end);
            }
        }
    }

    /// What is said between two values about the second one.
    fn lead(&self, from: usize, start: usize, fenced: bool) -> Lead {
        let mut from = from.max(start.saturating_sub(LEAD_BYTES));
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        let mut words = self.text[from..start].trim_end();
        if fenced && let Some(fence) = words.rfind("```").or_else(|| words.rfind("~~~")) {
            words = words[..fence].trim_end();
        }
        let paragraph = words.rfind("\n\n").map_or(words, |at| &words[at..]);
        let mut words = paragraph.rsplit(|c: char| !c.is_alphanumeric());
        words.find_map(announced).unwrap_or_default()
    }

    /// Returns whether the first value of a reply stands where the value that was asked for does:
    /// at the beginning of a code fence, or right behind its lead.
    fn is_payload(&self, start: usize, fenced: bool) -> bool {
        let before = self.text_before(start);
        if fenced {
            let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
            return line.trim_start().starts_with(['`', '~']);
        }
        before.is_empty() || before.len() <= PREFACE_BYTES && before.ends_with(':')
    }
}
