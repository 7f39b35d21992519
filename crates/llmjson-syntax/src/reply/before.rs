//! The text before a value, and how the value stands to it.

use crate::parser::look::Look;

/// Number of bytes before a value in which words about it are looked for.
const LEAD_BYTES: usize = 200;

/// The relation of a value to the words before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// A value inside their sentence, on their line.
    Inline,
    /// A value led in by a colon, a heading, a tag or an unfinished line.
    Led,
    /// A separate value, behind the end of a sentence or at the beginning.
    Apart,
}

/// The text before a value, without the marks that open it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before<'t> {
    pub(crate) text: &'t str,
    pub(crate) stance: Stance,
    /// `true` if a code fence opens right before the value.
    pub(crate) fenced: bool,
}

impl<'r> Look<'r> {
    /// The text from `from` on before a value.
    pub(crate) fn before_value(&self, from: usize, start: usize) -> Before<'r> {
        let mut from = from.max(start.saturating_sub(LEAD_BYTES));
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        self.charge(start - from);
        let mut text = &self.text[from..start];
        // What stands before a token of a chat template was said in another turn.
        for token in ["[/INST]", "|>"] {
            text = text
                .rfind(token)
                .map_or(text, |at| &text[at + token.len()..]);
        }
        text = text.trim_end_matches([' ', '\t']);
        let line = last_line(text.trim_end());
        let fenced = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        // A fence on the line before: the words above it lead in the value.
        if fenced {
            text = text.trim_end().strip_suffix(line).unwrap_or_default();
        }
        let text = text.trim_end_matches(['`', '\'', '"', '(', '“']);
        let words = text.trim_end();
        let breaks = fenced || words.is_empty() || text[words.len()..].contains('\n');
        let bare = words.trim_end_matches(['*', '_', '`']);
        let ended = |words: &str| words.ends_with(['.', '!', '?', '。', '！', '？', ')', '}', ']']);
        // `The answer is: {"a": 1}`
        let stance = if bare.ends_with([':', '：', '>', '→']) && !bare.is_empty() {
            Stance::Led
        // `as in {"a": 1}`, and `e.g. {"a": 1}`, whose full stop ends no sentence.
        } else if !breaks && (!bare.ends_with(['.', '!', '?']) || is_short(bare)) {
            Stance::Inline
        // `That is done. {"a": 1}`, or a value at the beginning.
        } else if words.is_empty() || ended(bare) {
            Stance::Apart
        } else {
            Stance::Led
        };
        Before {
            text: words,
            stance,
            fenced,
        }
    }
}

/// Returns `true` if a text ends with a full stop that belongs to its last word, as in `e.g.`
fn is_short(text: &str) -> bool {
    let mut words = text
        .trim_end_matches('.')
        .rsplit(|c: char| c.is_whitespace() || c == '(');
    let last = words.next().unwrap_or_default();
    matches!(last, "e.g" | "E.g" | "i.e" | "eg" | "ex" | "vs") || text.ends_with("...")
}

/// The last line of a text.
pub(crate) fn last_line(text: &str) -> &str {
    text.rfind('\n').map_or(text, |at| &text[at + 1..])
}
