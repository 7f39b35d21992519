//! Fences, tags and special tokens in a reply.

use core::ops::Range;

use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::reply::found::ReplySearch;
use crate::scan::peek;

impl Reader<'_> {
    /// Passes over the code fence at `at` and the language behind it, which opens a block or closes the open one.
    /// Returns where it ends: 7 of ```` ```json ````.
    pub(crate) fn pass_fence(&mut self, found: &mut ReplySearch, at: usize) -> usize {
        let mark = self.look.bytes[at];
        let length = self.look.bytes[at..]
            .iter()
            .take_while(|&&byte| byte == mark)
            .count();
        found.fence = match found.fence {
            Some(_) => None,
            None => Some(at),
        };
        let language =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_');
        at + length
            + self.look.bytes[at + length..]
                .iter()
                .take_while(language)
                .count()
    }

    /// Passes over the mark of reasoning at `at`, which opens a block or closes one. Returns where it ends: 7 of
    /// `<think>`.
    pub(crate) fn pass_thought(&mut self, found: &mut ReplySearch, at: usize) -> Option<usize> {
        let (ends, end) = self.look.thought_at(at)?;
        // `…{"a": 1}</think>{"a": 2}`: chat templates often put the opening tag into the prompt. All before it was
        // reasoning.
        if ends && found.thinking.is_none() {
            for candidate in &mut found.candidates {
                candidate.thought = true;
            }
        }
        found.thinking = if ends {
            None
        } else {
            found.thinking.or(Some(at))
        };
        Some(end)
    }

    /// Passes over the `<` at `at` or the tag that it begins. Returns where that ends: 3 of `<b>`, 1 of `< b`.
    pub(crate) fn pass_tag(&mut self, found: &mut ReplySearch, at: usize) -> usize {
        let thought = self.pass_thought(found, at);
        let tag = || self.look.tag_token_at(at).map(|(.., end)| end);
        thought.or_else(tag).unwrap_or(at + 1)
    }

    /// Returns the offset at which the open block of reasoning around `at` ends, if it does: 4 of `Hm. </think>`
    /// while one is open. Notes it, so that the text is gone over once.
    pub(crate) fn reasoning_end(&self, found: &mut ReplySearch, at: usize) -> Option<usize> {
        found.thinking?;
        if let Some(end) = found.thinking_end.filter(|&end| end > at) {
            return Some(end);
        }
        let end = self.look.closing_reasoning(at).map(|mark| mark.start);
        // Without a tag the block goes on to the end of the text.
        found.thinking_end = end.or(Some(self.look.bytes.len()));
        end
    }
}

impl Look<'_> {
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

    /// Returns the offset at which reasoning ends whose opening tag is not in the text: 4 of `Hm.\n</think>`. Its
    /// closing tag has a line of its own, and no other tag of reasoning stands before it.
    pub(crate) fn unopened_reasoning(&self) -> Option<usize> {
        let (ends, mark) = self.thoughts(0).next()?;
        let line =
            self.line_begins(mark.start) && matches!(peek(self.bytes, mark.end), 0 | b'\n' | b'\r');
        (ends && line).then_some(mark.start)
    }

    /// Returns the first mark from `at` on that ends reasoning: that from 9 to 17 of `<b>Hm</b></think>`.
    pub(crate) fn closing_reasoning(&self, at: usize) -> Option<Range<usize>> {
        let mut ends = self.thoughts(at).filter(|(ends, _)| *ends);
        ends.next().map(|(_, mark)| mark)
    }

    /// Returns the offset at which the last block of reasoning ends: 8 of `</think> 1`.
    pub(crate) fn last_reasoning(&self) -> Option<usize> {
        let ends = self.thoughts(0).filter(|(ends, _)| *ends);
        ends.last().map(|(_, mark)| mark.end)
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::{answers, ask};
    use crate::parser::state::reader::Reader;
    use crate::parser::state::test_reader::with_reader;
    use crate::reply::found::{ReplySearch, read_values};

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
            let mut found = ReplySearch::default();
            let end = with_reader(text, |reader| reader.pass_fence(&mut found, at));
            assert_eq!(end, expected, "{text:?}");
            assert_eq!(found.fence, Some(at), "{text:?}");
        }
    }

    #[test]
    fn fences_open_and_close_in_turn() {
        with_reader("```", |reader| {
            let mut found = ReplySearch::default();
            let mut open = || {
                reader.pass_fence(&mut found, 0);
                found.fence
            };
            assert_eq!([open(), open(), open()], [Some(0), None, Some(0)]);
        });
    }

    /// Passes over the tag at an offset. Returns where it ends and where the open block of reasoning begins.
    fn pass(reader: &mut Reader<'_>, found: &mut ReplySearch, at: usize) -> (usize, Option<usize>) {
        (reader.pass_tag(found, at), found.thinking)
    }

    #[test]
    fn tags_open_and_close_reasoning() {
        let text = "a < b <b>[1]</b> <think>[2]<THINK></think>";
        with_reader(text, |reader| {
            let found = &mut read_values(reader);
            assert_eq!(pass(reader, found, 2), (3, None));
            assert_eq!(pass(reader, found, 6), (9, None));
            assert_eq!(pass(reader, found, 12), (16, None));
            assert_eq!(pass(reader, found, 17), (24, Some(17)));
            assert_eq!(pass(reader, found, 27), (34, Some(17)));
            assert_eq!(pass(reader, found, 34), (42, None));
            assert!(found.candidates.iter().all(|one| !one.thought));
            // Its opening tag is not in the text.
            assert_eq!(pass(reader, found, 34), (42, None));
            assert!(found.candidates.iter().all(|one| one.thought));
        });
    }

    #[test]
    fn reasoning_may_end_without_having_begun() {
        answers(
            |look| look.unopened_reasoning(),
            &[
                ("Hm.\n</think>", Some(4)),
                ("</think>\r\n1", Some(0)),
                ("<b>\n</Think>\n", Some(4)),
                ("a < b\n</think>", Some(6)),
                ("Hm. </think>\n", None),
                ("Hm.\n</think> 1", None),
                ("<think>\n</think>", None),
                ("</b>\n", None),
                ("", None),
            ],
        );
    }

    #[test]
    fn closing_tags_of_reasoning_are_found() {
        answers(
            |look| look.closing_reasoning(1).map(|mark| mark.start),
            &[
                ("<b>Hm</b></think>", Some(9)),
                ("a</think></think>", Some(1)),
                ("a</<</think>", Some(4)),
                ("</think>", None),
                ("a<think></b>", None),
                ("a", None),
            ],
        );
    }

    #[test]
    fn reasoning_ends_are_looked_for_once() {
        with_reader("[1] Hm. </think> [2]", |reader| {
            let mut found = ReplySearch::default();
            assert_eq!(reader.reasoning_end(&mut found, 0), None);
            assert_eq!(found.thinking_end, None);
            found.thinking = Some(0);
            assert_eq!(reader.reasoning_end(&mut found, 0), Some(8));
            assert_eq!(found.thinking_end, Some(8));
            // What has been found counts up to there.
            found.thinking_end = Some(5);
            assert_eq!(reader.reasoning_end(&mut found, 4), Some(5));
            assert_eq!(reader.reasoning_end(&mut found, 5), Some(8));
            assert_eq!(reader.reasoning_end(&mut found, 9), None);
            assert_eq!(found.thinking_end, Some(20));
        });
    }

    #[test]
    fn last_blocks_of_reasoning_end() {
        answers(
            |look| look.last_reasoning(),
            &[
                ("</think> 1", Some(8)),
                ("<think></think> <b></b>", Some(15)),
                ("</think></think>", Some(16)),
                ("<think>", None),
                ("</b>", None),
                ("", None),
            ],
        );
    }
}
