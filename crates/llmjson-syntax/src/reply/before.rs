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
    /// Returns the text from `from` on before the value at `start`, and how the value stands to it: `Answer:` and
    /// [`Led`](Stance::Led) at 8 of `Answer: {`.
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

/// Returns whether the full stop at the end of a text belongs to its last word: `true` of `ready (e.g.` and of
/// `wait...`, `false` of `Done.`
fn is_short(text: &str) -> bool {
    let mut words = text
        .trim_end_matches('.')
        .rsplit(|c: char| c.is_whitespace() || c == '(');
    let last = words.next().unwrap_or_default();
    matches!(last, "e.g" | "E.g" | "i.e" | "eg" | "ex" | "vs") || text.ends_with("...")
}

/// Returns the last line of a text: `b` of `a\nb`.
pub(crate) fn last_line(text: &str) -> &str {
    text.rfind('\n').map_or(text, |at| &text[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::{LEAD_BYTES, Stance, is_short, last_line};
    use crate::parser::look::ask;

    #[test]
    fn values_stand_to_the_words_before_them() {
        for (text, words, stance) in [
            ("Answer: ", "Answer:", Stance::Led),
            ("**Answer:** ", "**Answer:**", Stance::Led),
            ("答案： ", "答案：", Stance::Led),
            ("<item>", "<item>", Stance::Led),
            ("a → ", "a →", Stance::Led),
            ("one line\n", "one line", Stance::Led),
            ("one line \t\n ", "one line", Stance::Led),
            ("as in ", "as in", Stance::Inline),
            ("as in `", "as in", Stance::Inline),
            ("as in (\"", "as in", Stance::Inline),
            ("as e.g. ", "as e.g.", Stance::Inline),
            ("(see) ", "(see)", Stance::Inline),
            ("Done. ", "Done.", Stance::Apart),
            ("Done! ", "Done!", Stance::Apart),
            ("Is it? ", "Is it?", Stance::Apart),
            ("完了。\n", "完了。", Stance::Apart),
            ("[1]\n", "[1]", Stance::Apart),
            ("", "", Stance::Apart),
            ("  ", "", Stance::Apart),
            // Words of another turn.
            ("Say:[/INST]as in ", "as in", Stance::Inline),
            ("<|user|>Say:<|model|>", "", Stance::Apart),
        ] {
            ask(text, |look| {
                let before = look.before_value(0, text.len());
                let found = (before.text, before.stance, before.fenced);
                assert_eq!(found, (words, stance, false), "{text:?}");
            });
        }
    }

    #[test]
    fn fences_are_no_words_before_a_value() {
        for (text, words, stance, fenced) in [
            ("Answer:\n```json\n", "Answer:", Stance::Led, true),
            ("Answer:\n  ~~~\n", "Answer:", Stance::Led, true),
            ("as in\n```\n", "as in", Stance::Led, true),
            ("Done.\n```\n", "Done.", Stance::Apart, true),
            ("```json\n", "", Stance::Apart, true),
            ("```json\nx = ", "```json\nx =", Stance::Inline, false),
        ] {
            ask(text, |look| {
                let before = look.before_value(0, text.len());
                let found = (before.text, before.stance, before.fenced);
                assert_eq!(found, (words, stance, fenced), "{text:?}");
            });
        }
    }

    #[test]
    fn words_far_before_a_value_do_not_count() {
        let length =
            |text: &str, from| ask(text, |look| look.before_value(from, text.len()).text.len());
        assert_eq!(length("abcdef", 2), 4);
        assert_eq!(length(&"a".repeat(LEAD_BYTES), 0), LEAD_BYTES);
        assert_eq!(length(&"a".repeat(LEAD_BYTES + 1), 0), LEAD_BYTES);
        // The text begins at a character.
        let accents = "é".repeat(LEAD_BYTES) + "a";
        assert_eq!(length(&accents, 0), LEAD_BYTES - 1);
        let cost = |text: &str, from| {
            ask(text, |look| {
                look.before_value(from, text.len());
                look.work.get().spent()
            })
        };
        assert_eq!(cost("abcdef", 2), 4);
    }

    #[test]
    fn full_stops_of_words_end_no_sentence() {
        for (text, short) in [
            ("e.g.", true),
            ("as E.g.", true),
            ("ready (e.g.", true),
            ("one (i.e.", true),
            ("this vs.", true),
            ("eg", true),
            ("wait...", true),
            ("Done.", false),
            ("a leg.", false),
            ("Done?", false),
            ("", false),
        ] {
            assert_eq!(is_short(text), short, "{text:?}");
        }
    }

    #[test]
    fn lines_are_the_last_ones() {
        for (text, line) in [
            ("a\nb", "b"),
            ("ab\ncd\nef", "ef"),
            ("ab", "ab"),
            ("ab\n", ""),
            ("", ""),
        ] {
            assert_eq!(last_line(text), line, "{text:?}");
        }
    }
}
