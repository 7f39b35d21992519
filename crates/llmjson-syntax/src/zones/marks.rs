//! The marks of zones in the text around the values of a reply: fences, comments, reasoning, tags and special tokens.

use core::ops::Range;

use crate::parser::look::Look;
use crate::zones::thought::thought_tag;

/// A mark, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A line that opens or closes a code fence; it ends behind the language.
    Fence(usize),
    /// A comment, which is a zone as a whole.
    Comment(usize),
    /// The beginning of reasoning.
    Thought(usize),
    /// The end of reasoning.
    ThoughtEnd(usize),
    /// Another tag or special token.
    Tag(usize),
}

impl Mark {
    /// Returns where it ends.
    pub(crate) const fn end(self) -> usize {
        match self {
            Self::Fence(end)
            | Self::Comment(end)
            | Self::Thought(end)
            | Self::ThoughtEnd(end)
            | Self::Tag(end) => end,
        }
    }
}

/// The zones that are open at a place of a reply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    /// The open fence.
    pub(crate) fence: Option<usize>,
    /// The open block of reasoning.
    pub(crate) thought: Option<usize>,
    /// Offset at which it ends, once that has been looked for.
    pub(crate) thought_end: Option<usize>,
    /// Offset behind a block whose marks are no tags.
    pub(crate) marked_until: usize,
}

impl Around {
    /// Opens the block of reasoning with which the text begins.
    pub(crate) fn begin_with(&mut self, thought: Option<Range<usize>>) {
        if let Some(thought) = thought {
            self.thought = Some(thought.start);
            self.thought_end = Some(thought.end);
            self.marked_until = thought.end;
        }
    }

    /// Closes that block where the text has come to its end.
    pub(crate) const fn go_to(&mut self, at: usize) {
        if self.marked_until > 0 && at >= self.marked_until {
            (self.thought, self.marked_until) = (None, 0);
        }
    }

    /// Passes over the mark at a place, which opens a zone or closes one. Returns it, and whether it ends reasoning
    /// whose beginning is not in the text.
    pub(crate) fn pass(&mut self, look: Look<'_>, at: usize) -> Option<(Mark, bool)> {
        let mark = look.mark_at(at)?;
        let mut is_unopened = false;
        match mark {
            Mark::Fence(_) if self.fence.is_some() => self.fence = None,
            Mark::Fence(_) => self.fence = Some(at),
            Mark::Thought(_) => self.thought = self.thought.or(Some(at)),
            Mark::ThoughtEnd(_) => is_unopened = self.thought.take().is_none(),
            Mark::Comment(_) | Mark::Tag(_) => {}
        }
        Some((mark, is_unopened))
    }

    /// Returns the offset at which the open block of reasoning around `at` ends, if it does: 4 of `Hm. </think>`
    /// while one is open. Notes it, so that the text is gone over once.
    pub(crate) fn end_of_thought(&mut self, look: Look<'_>, at: usize) -> Option<usize> {
        self.thought?;
        if let Some(end) = self.thought_end.filter(|&end| end > at) {
            return Some(end);
        }
        let end = look.closing_reasoning(at).map(|mark| mark.start);
        // Without a tag the block goes on to the end of the text.
        self.thought_end = end.or(Some(look.bytes.len()));
        end
    }
}

impl Look<'_> {
    /// Returns the mark at `at`, outside of any value: a fence that ends at 7 of ```` ```json ````, a tag that ends at 3
    /// of `<b>`, none of `< b`.
    pub(crate) fn mark_at(&self, at: usize) -> Option<Mark> {
        match self.bytes[at] {
            b'`' | b'~' if self.fence_at(at) => Some(Mark::Fence(self.end_of_language(at))),
            b'/' => self.comment_apart(at).map(Mark::Comment),
            b'<' if let Some(end) = self.comment_apart(at) => Some(Mark::Comment(end)),
            b'<' => {
                let (closes, name, end) = self.tag_token_at(at)?;
                Some(match thought_tag(&self.text[at..end], name, closes) {
                    Some(true) => Mark::ThoughtEnd(end),
                    Some(false) => Mark::Thought(end),
                    None => Mark::Tag(end),
                })
            }
            b'[' => match self.thought_at(at)? {
                (true, end) => Some(Mark::ThoughtEnd(end)),
                (false, end) => Some(Mark::Thought(end)),
            },
            _ => None,
        }
    }

    /// Returns where the language behind the fence at `at` ends: 7 of ```` ```json ````.
    fn end_of_language(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        let signs = rest.iter().take_while(|&&byte| byte == rest[0]).count();
        let language =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_');
        at + signs + rest[signs..].iter().take_while(language).count()
    }

    /// Returns the offset at which the comment ends that begins at `at`, outside of any value: 7 of `/* a */ 1`. What
    /// it holds is no value. One that begins amid a line stands behind a space or what a value may end in, unlike that
    /// of `https://`.
    pub(crate) fn comment_apart(&self, at: usize) -> Option<usize> {
        let end = self.open_comment(at)?;
        let comment = &self.text[at..end];
        let closed =
            comment.starts_with("//") || comment.ends_with("*/") || comment.ends_with("-->");
        (closed || self.line_begins(at)).then_some(end)
    }

    /// Returns the same for one that is not closed, the end of the text, wherever it begins: 3 of `/*a`.
    pub(crate) fn open_comment(&self, at: usize) -> Option<usize> {
        let sign = &self.bytes[at..];
        let html = sign.starts_with(b"<!--");
        let begins = html || sign.starts_with(b"//") || sign.starts_with(b"/*");
        if !begins || self.work_is_used_up() {
            return None;
        }
        let before = self.text[..at].chars().next_back();
        let apart = |c: char| c.is_whitespace() || "}]),;".contains(c);
        (html || before.is_none_or(apart))
            .then(|| self.trivia_at(at))?
            .map(|(_, end)| end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Around, Mark};
    use crate::parser::look::ask;

    #[test]
    fn comments_stand_outside_of_values() {
        for (text, at, end) in [
            ("// a\n1", 0, Some(4)),
            ("/* a */ 1", 0, Some(7)),
            ("<!-- a --> 1", 0, Some(10)),
            ("{} // a", 3, Some(7)),
            ("[]/* a */", 2, Some(9)),
            ("as <!-- a -->", 3, Some(13)),
            ("/* a", 0, Some(4)),
            ("{} /* a", 3, None),
            ("as <!-- a", 3, None),
            ("https://a", 6, None),
            ("src/* a */", 3, None),
            ("*/* a */", 1, None),
            ("/a", 0, None),
            ("# a", 0, None),
            ("<a>", 0, None),
        ] {
            assert_eq!(ask(text, |look| look.comment_apart(at)), end, "{text:?}");
        }
        assert_eq!(ask("{} /* a", |look| look.open_comment(3)), Some(7));
        assert_eq!(ask("a/* a", |look| look.open_comment(1)), None);
    }

    #[test]
    fn fences_end_behind_their_language() {
        for (text, at, expected) in [
            ("```json\n", 0, 7),
            ("````c++ x", 0, 7),
            (" ~~~a-b_c+ x", 1, 10),
            ("```", 0, 3),
            ("```~~~", 0, 3),
            ("a ```é", 2, 5),
        ] {
            let mut around = Around::default();
            let mark = ask(text, |look| around.pass(look, at));
            assert_eq!(mark, Some((Mark::Fence(expected), false)), "{text:?}");
            assert_eq!(around.fence, Some(at), "{text:?}");
        }
    }

    #[test]
    fn fences_open_and_close_in_turn() {
        let mut around = Around::default();
        let mut open = || {
            ask("```", |look| around.pass(look, 0));
            around.fence
        };
        assert_eq!([open(), open(), open()], [Some(0), None, Some(0)]);
    }

    #[test]
    fn tags_open_and_close_reasoning() {
        let text = "a < b <b>[1]</b> <think>[2]<THINK></think>";
        let mut around = Around::default();
        let mut pass = |at| {
            let mark = ask(text, |look| around.pass(look, at));
            (
                mark.map(|(mark, unopened)| (mark.end(), unopened)),
                around.thought,
            )
        };
        assert_eq!(pass(2), (None, None));
        assert_eq!(pass(6), (Some((9, false)), None));
        assert_eq!(pass(12), (Some((16, false)), None));
        assert_eq!(pass(17), (Some((24, false)), Some(17)));
        assert_eq!(pass(27), (Some((34, false)), Some(17)));
        assert_eq!(pass(34), (Some((42, false)), None));
        // Its opening tag is not in the text.
        assert_eq!(pass(34), (Some((42, true)), None));
    }

    #[test]
    fn reasoning_ends_are_looked_for_once() {
        let mut around = Around::default();
        let end = |around: &mut Around, at| {
            ask("[1] Hm. </think> [2]", |look| {
                around.end_of_thought(look, at)
            })
        };
        assert_eq!(end(&mut around, 0), None);
        assert_eq!(around.thought_end, None);
        around.thought = Some(0);
        assert_eq!(end(&mut around, 0), Some(8));
        assert_eq!(around.thought_end, Some(8));
        // What has been found counts up to there.
        around.thought_end = Some(5);
        assert_eq!(end(&mut around, 4), Some(5));
        assert_eq!(end(&mut around, 5), Some(8));
        assert_eq!(end(&mut around, 9), None);
        assert_eq!(around.thought_end, Some(20));
    }
}
