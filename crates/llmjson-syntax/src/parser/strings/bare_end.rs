//! The ends of texts without quotes: `{"a": one, two, "b": 1}`, `[f(x, y), z]`.

use crate::parser::look::Look;
use crate::parser::look::notice::ellipsis_at;
use crate::parser::look::quotes::quote_at;
use crate::parser::look::trivia::{colour_length, odd_space_at};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;
use crate::tape::NONE;

impl Reader<'_> {
    /// Returns the offset at which a text without quotes that begins at `k` ends: before a
    /// separator, a closer or a line break. Brackets of calls inside it are passed over: 7 for `f(1, 2), "b": 1`.
    pub(crate) fn bare_end(&self, here: Container, k: usize) -> usize {
        let mut calls = 0u32;
        let mut braces = 0u32;
        let mut at = k;
        while let Some(&byte) = self.look.bytes.get(at) {
            self.look.charge(1);
            match byte {
                b'\n' | b',' | b'}' | b']' if self.look.work_is_used_up() => break,
                _ if self.look.work_is_used_up() => {}
                b'\n' | b'\r' => match self.look.continues_below(here, at) {
                    Some(next) => {
                        at = next;
                        continue;
                    }
                    None => break,
                },
                // `"a": f(x, y), "b": 1`: the commas in brackets are part of the text.
                b'(' => calls += 1,
                b')' if calls > 0 => calls -= 1,
                // `"a": items[0], "b": 1`: an index, right behind a name.
                b'[' if calls > 0 || at > k && self.look.indexes(at) => calls += 1,
                b']' if calls > 0 => calls -= 1,
                // `"a": /users/{id}, "b": 1`: a placeholder.
                b'{' if at > k => braces += 1,
                b'}' if braces > 0 => braces -= 1,
                b'}' | b']' => break,
                // `(a, b)`: the bracket closes the list. Elsewhere it is text: `x :)`.
                b')' if self.counters.wrappers > 0 || self.encloses(here, b')') => break,
                b';' if braces > 0 => {}
                // `"a": hello, "b": 1`: a separator, unless no name follows: `"a": hello, world, "b": 1`.
                b',' | b';' if calls == 0 && !self.look.comma_in_prose(here, k, at) => break,
                // `{a: x: "b": 1}`: a colon in the place of the comma.
                b':' if at > k && here.object && self.look.quoted_key_ahead(at + 1) => break,
                // `"a": x <!-- y -->`: a comment of HTML.
                b'<' if self.look.bytes[at..].starts_with(b"<!--") => break,
                // `{"a": x<|im_end|>`: a token of the model that ended its reply.
                b'<' if at > k && self.look.bytes[at..].starts_with(b"<|") => break,
                b'<' | b'`' | b'~' if at > k && self.mark_ends_word(here, k, at) => break,
                // `"a": x` and then the colours of a terminal.
                0x1B if at > k && colour_length(&self.look.bytes[at..]).is_some() => break,
                // A comma of Chinese or Japanese text ends it as `,` does.
                0xEF if self.look.text[at..].starts_with('，') => break,
                0xE3 if self.look.text[at..].starts_with('、') => break,
                b' ' if self.look.names.is_some()
                    && here.object
                    && self.look.named_member(at + 1) =>
                {
                    break;
                }
                // `{"a": x "b": 1}`: the comma before the next member is missing.
                b'"' if at > k && here.object && self.look.key_ahead(at) => break,
                // `"a": x", "b": 1`: the closing quote, whose opening one is missing.
                b'"' if calls == 0 && at > k && self.quote_ends_word(here, at) => {
                    return at + 1;
                }
                // `"a": x // y`: a comment. In `https://x` no space stands before the slashes.
                b'/' if at > k
                    && self.look.bytes[at - 1] == b' '
                    && peek(self.look.bytes, at + 1) == b'/' =>
                {
                    break;
                }
                b'/' if peek(self.look.bytes, at + 1) == b'*'
                    && at > k
                    && self.look.is_block_comment(at) =>
                {
                    break;
                }
                // `{"a": x\n}`, with an escaped line break: the document was escaped, though not its quotes.
                b'\\' if peek(self.look.bytes, at + 1) == b'n' && here.current != NONE => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// Returns `true` if the quote at `at` inside an unquoted text closes it, its opening quote being left
    /// out: that of `x", "b": 1`.
    fn quote_ends_word(&self, here: Container, at: usize) -> bool {
        self.fits(here, Self::role(here), at + 1)
    }
}

impl Look<'_> {
    /// Returns `true` if a member begins at `at` whose name has no quotes and is expected: `b: 1`, where `b` is.
    pub(crate) fn named_member(&self, at: usize) -> bool {
        self.expected_at(at) && self.name_ahead(at)
    }

    /// Returns `true` if the bracket at `at` follows a name directly, as in `items[0]`.
    fn indexes(&self, at: usize) -> bool {
        self.bytes[at - 1].is_ascii_alphanumeric() || self.bytes[at - 1] == b'_'
    }

    /// Returns `true` if the comma at `at` inside an unquoted text that begins at `k` belongs to it: no name
    /// follows, as in `hello, world`.
    fn comma_in_prose(&self, here: Container, k: usize, at: usize) -> bool {
        if !here.object || self.bytes[at] != b',' {
            return false;
        }
        let (byte, next) = self.skip_space(at + 1);
        let decimal = |byte: u8| byte.is_ascii_digit();
        // `"a": about 1,5 m`: a decimal comma.
        if next == at + 1 && decimal(byte) && decimal(self.bytes[at - 1]) {
            return true;
        }
        if byte == b'#' && self.bytes[k] == b'#' && next == at + 2 {
            // One more of several tags, with something behind it.
            let word = self.window(next + 1);
            let tag = |c: char| c.is_alphanumeric() || c == '_';
            let length = word.find(|c| !tag(c)).unwrap_or(0);
            return length > 0 && word[length..].starts_with([',', '}']);
        }
        let assigned = || {
            let before = self.text[..k].trim_end_matches(' ');
            before.ends_with('=') && self.key_ahead(next)
        };
        byte.is_ascii_alphabetic() && !self.name_ahead(next) && !assigned()
    }

    /// Returns the offset at which an unquoted text goes on behind the line break at `at`; `None`
    /// if a name or anything that may follow a value begins the next line that is not blank. 4 of `"one\ntwo"`.
    fn continues_below(&self, here: Container, at: usize) -> Option<usize> {
        if !here.object {
            return None;
        }
        let (byte, next) = self.skip_space(at);
        let continues = (byte.is_ascii_alphabetic() || byte >= 0x80)
            && !self.name_ahead(next)
            && quote_at(self.text, next).is_none()
            && odd_space_at(self.text, next).is_none();
        continues.then_some(next)
    }

    /// Returns `true` if the slash and star at `k` begin a comment: one that ends on its line, with
    /// a separator, space or value behind it, or that white space parts from what is before it. `x/* y */}` has one,
    /// `x/* y */z` has none.
    pub(crate) fn is_block_comment(&self, k: usize) -> bool {
        let inside = self.window(k + 2);
        let line = &inside[..inside.find('\n').unwrap_or(inside.len())];
        // Comments do not stand in each other.
        let line = &line[..line.find("/*").unwrap_or(line.len())];
        match line.find("*/").map(|end| k + 2 + end + 2) {
            Some(end) => {
                let next = peek(self.bytes, end);
                let text = next.is_ascii_alphanumeric() || b"*._-/".contains(&next);
                !text || self.value_ahead(end) || ellipsis_at(self.text, end).is_some()
            }
            None => k > 0 && self.bytes[k - 1].is_ascii_whitespace() && line.starts_with(' '),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::{answers, ask, ask_with};
    use crate::parser::state::step::Container;
    use crate::parser::state::test_reader::{ask_reader, ask_reader_with};

    const OBJECT: Container = Container {
        current: 0,
        object: true,
        count: 1,
    };
    const LIST: Container = Container {
        object: false,
        ..OBJECT
    };

    /// Asserts where the text ends that stands behind these brackets.
    fn assert_ends(names: &[&str], table: &[(&str, &str, usize)]) {
        for (open, rest, expected) in table {
            let end = ask_reader_with(names, open, rest, |reader, here| {
                reader.bare_end(here, open.len())
            });
            assert_eq!(end - open.len(), *expected, "{open} {rest:?}");
        }
    }

    #[test]
    fn texts_without_quotes_end_at_separators_and_closers() {
        assert_ends(
            &[],
            &[
                ("{", "a", 1),
                ("{", "a}", 1),
                ("[", "a]", 1),
                ("[", "a, b]", 1),
                ("{", "a; \"b\": 1", 1),
                ("{", "hello, world, \"b\": 1", 12),
                ("{", "x，\"b\": 1", 1),
                ("{", "x：y}", 5),
                ("{", "x、y}", 1),
                ("{", "x。y}", 5),
                ("{", "x\\n}", 1),
                ("{", "x\\t}", 3),
                ("", "x\\n}", 3),
            ],
        );
    }

    #[test]
    fn texts_without_quotes_end_at_lines() {
        assert_ends(
            &[],
            &[
                ("{", "one\ntwo}", 7),
                ("{", "one\n\"b\": 1", 3),
                ("{", "one\r\n}", 3),
                ("[", "one\ntwo]", 3),
            ],
        );
    }

    #[test]
    fn brackets_in_texts_without_quotes_are_passed_over() {
        assert_ends(
            &[],
            &[
                ("{", "f(1, 2), \"b\": 1", 7),
                ("{", "f(g(1), 2), \"b\": 1", 10),
                ("{", "x :), \"b\": 1", 4),
                ("{", "items[0, 1], \"b\": 1", 11),
                ("{", "a [0], 1", 4),
                ("{", "f( [1], 2), \"b\": 1", 10),
                ("{a", "[0], 1", 2),
                ("{", "/users/{id}, \"b\": 1", 11),
                ("{", "{id}, \"b\": 1", 3),
                ("{", "a{b}c}, 1", 5),
                ("{", "a{b;c}, \"b\": 1", 6),
                ("(", "a)", 1),
                ("{", "x :)}", 4),
            ],
        );
        let in_call = ask_reader("{", "a)", |reader, here| {
            reader.counters.wrappers = 1;
            reader.bare_end(here, 1)
        });
        assert_eq!(in_call, 2);
    }

    #[test]
    fn texts_without_quotes_end_at_names_and_quotes() {
        assert_ends(
            &[],
            &[
                ("{", "x: \"b\": 1", 1),
                ("{", ": \"b\": 1", 2),
                ("[", "x: \"b\": 1, 2", 9),
                ("{", "x \"b\": 1", 2),
                ("{", "\"b\": 1, 2", 6),
                ("[", "x \"b\": 1]", 8),
                ("{", "x\", \"b\": 1", 2),
                ("[", "x\", 1]", 2),
                ("{", "f(\"x\", 1), \"b\": 1", 9),
                ("{", "\" }", 2),
                ("{", "x\" }", 2),
                ("{", "x b: 1}", 6),
            ],
        );
        assert_ends(
            &["b"],
            &[
                ("{", "x b: 1}", 1),
                ("{", "x c: 1}", 6),
                ("[", "x b: 1]", 6),
            ],
        );
    }

    #[test]
    fn texts_without_quotes_end_at_marks_and_comments() {
        assert_ends(
            &[],
            &[
                ("{", "x <!-- y -->", 2),
                ("{", "<!-- y -->", 0),
                ("{", "a<b, \"c\": 1", 3),
                ("{", "x<|im_end|>", 1),
                ("{", "x<|im_end|> y}", 1),
                ("{", "<|x|>", 5),
                ("{", "x</a>", 1),
                ("{", "x ```", 2),
                ("{", "```", 3),
                ("{", "x `y` z}", 7),
                ("{", "x\u{1b}[0m}", 1),
                ("{", "\u{1b}[0mx}", 5),
                ("{", "x\u{1b}y}", 3),
                ("{", "x // y", 2),
                ("{ ", "// y", 4),
                ("{", "x / y}", 5),
                ("{", "https://x, \"b\": 1", 9),
                ("{", "x /* y */}", 2),
                ("{", "/* y */}", 7),
                ("{", "a/*.txt}", 7),
            ],
        );
    }

    #[test]
    fn texts_without_quotes_end_early_where_work_is_used_up() {
        let end = |rest: &str| {
            ask_reader("{", rest, |reader, here| {
                reader.look.charge(1 << 40);
                reader.bare_end(here, 1) - 1
            })
        };
        assert_eq!(end("f(1, 2), 3"), 3);
        assert_eq!(end("a; \"b\": 1\nc"), 9);
        assert_eq!(end("a: \"b\"}"), 6);
        assert_eq!(end("a[0]"), 3);
    }

    #[test]
    fn expected_names_begin_members() {
        let named = |text: &str| ask_with(&["b"], text, |look| look.named_member(0));
        assert!(named("b: 1"));
        assert!(!named("c: 1"));
        assert!(!named("b = 1"));
        assert!(!ask("b: 1", |look| look.named_member(0)));
    }

    #[test]
    fn indices_follow_names() {
        answers(
            |look| look.indexes(1),
            &[
                ("a[", true),
                ("1[", true),
                ("_[", true),
                (" [b", false),
                ("][b", false),
            ],
        );
    }

    #[test]
    fn commas_before_words_are_prose() {
        let prose = |here, k: usize, text: &str| {
            let at = text.find([',', ';']).expect("a separator");
            ask(text, |look| look.comma_in_prose(here, k, at))
        };
        for text in [
            "hello, world",
            "about 1,5 m",
            "#ab, #b, \"c\": 1",
            "#ab, #b_c}",
        ] {
            assert!(prose(OBJECT, 0, text), "{text}");
            assert!(!prose(LIST, 0, text), "{text}");
        }
        for text in [
            "hello; world",
            "hello, b: 1",
            "hello, 5",
            "hello,5",
            "about 1, 5 m",
            "1,b: 2",
            "#ab, #b: 1",
            "#ab, #",
            "#ab, #, ",
            "#ab,#b}",
            "ab, #b}",
        ] {
            assert!(!prose(OBJECT, 0, text), "{text}");
        }
        // Names that are parted from their values by `=`.
        assert!(!prose(OBJECT, 4, "a = x, b = 2"));
        assert!(prose(OBJECT, 3, "a: x, b = 2"));
        assert!(prose(OBJECT, 4, "a = x, b"));
    }

    #[test]
    fn words_continue_texts_on_the_next_line() {
        let below = |here, text: &str| ask(text, |look| look.continues_below(here, 3));
        assert_eq!(below(OBJECT, "one\ntwo"), Some(4));
        assert_eq!(below(OBJECT, "one\n\n two"), Some(6));
        assert_eq!(below(OBJECT, "one\né"), Some(4));
        for text in [
            "one\nb: 1",
            "one\n\"b\"",
            "one\n“b”",
            "one\n\u{a0}x",
            "one\n5",
            "one\n}",
            "one\n",
        ] {
            assert_eq!(below(OBJECT, text), None, "{text:?}");
        }
        assert_eq!(below(LIST, "one\ntwo"), None);
    }

    #[test]
    fn comments_end_on_their_line_or_stand_apart() {
        answers(
            |look| look.is_block_comment(look.text.find("/*").unwrap_or_default()),
            &[
                ("x/* y */", true),
                ("x/* y */}", true),
                ("x/* y */ z", true),
                ("x/* y */1", true),
                ("x/* y */...", true),
                ("x/* y */z", false),
                ("x/* y */.z", false),
                ("x/* y */*", false),
                ("x /* y", true),
                ("x /* y /* z */", true),
                ("x/* y /* z */", false),
                ("x/* y\n*/", false),
                ("x/* y", false),
                ("x /*y", false),
                ("/* y", false),
            ],
        );
    }
}
