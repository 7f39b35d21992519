//! Advances a hypothesis by one token.

use crate::parser::look::scalars::{is_keyword, is_number};
use crate::parser::search::beam::Search;
use crate::parser::search::ends::inner::balance;
use crate::parser::search::price;
use crate::parser::search::reading::{Event, Kind, Move, NextLine, Reading, StringPlace, Want};
use crate::parser::search::text::quotes::Quote;
use crate::parser::words::word;

impl Search<'_> {
    /// Takes one step of this hypothesis and pushes its successors to `out`.
    pub(crate) fn step(&mut self, reading: Reading) {
        if let Some(open) = reading.open {
            return self.end_of_text(reading, open);
        }
        // A truncation notice ends the text: a character before it may have been skipped together
        // with more text.
        let from = (reading.at as usize).min(self.text.len());
        let (space, mut line) = self.text.space(from);
        let (at, ended) = match self.text.at(space) {
            b'/' | b'#' | b'<' | b'[' => self.text.trivia(space),
            _ => (space, false),
        };
        line |= ended;
        let mut reading = reading;
        reading = self.passed(reading, (from, space));
        if at != space {
            reading = self.behind_comment(reading, (space, at), NextLine::new_if(line));
        }
        reading.at = at as u32;
        // `"code": ```ls````: fenced code as the value of a member.
        if matches!(reading.want, Want::Value)
            && self.frame(&reading).kind.has_names()
            && let Some((start, end, next)) = self.text.fenced(at)
        {
            // ```` "a": ```ls```", "b": 1 ````: the quote shows that the fences are part of a text.
            let quoted = self.text.at(next) == b'"';
            let cost = price::FENCE + if quoted { price::MISSING_OPEN } else { 0 };
            if quoted {
                self.bare_text(reading);
            }
            let made = self.made(reading, Move::OtherQuotes, (at, next), cost);
            let [begin, start, end, next] = [at, start, end, next].map(|at| at as u32);
            let place = StringPlace {
                begin,
                start,
                end,
                next,
            };
            let read = self.with(made, Event::Text(place, Quote::Fence, 0));
            let read = self.after_value(read);
            self.go(read, next as usize, read.want);
        }
        if self.text.ends(at) {
            return self.finish(reading);
        }
        // `[1, ..., 9]`: omitted by the model. Not allowed between a key and its colon.
        if reading.want != Want::Colon
            && let Some(dots) = self.text.ellipsis(at)
        {
            let made = self.made(reading, Move::Ellipsis, (at, at + dots), price::ELLIPSIS);
            return self.go(made, at + dots, reading.want);
        }
        match reading.want {
            Want::Value | Want::ValueOrEnd => self.value(reading, NextLine::new_if(line)),
            Want::Name | Want::NameOrEnd => self.name(reading),
            Want::Colon => self.colon(reading),
            Want::Next => self.after(reading, NextLine::new_if(line)),
            Want::Done => {}
        }
    }

    /// Returns the hypothesis with the text between two tokens recorded, if that is more than JSON
    /// white space.
    pub(crate) fn passed(&mut self, reading: Reading, (from, to): (usize, usize)) -> Reading {
        let between = &self.text.bytes[from..to];
        let odd = |c: &u8| !matches!(c, b' ' | b'\n' | b'\t' | b'\r');
        if !between.iter().any(odd) {
            return reading;
        }
        let escaped = between.contains(&b'\\');
        let cost = if escaped { price::ESCAPED_SPACE } else { 0 };
        self.made(reading, Move::OddSpace, (from, to), cost)
    }

    /// Returns the hypothesis after a comment, which may have ended earlier or may not be a
    /// comment.
    fn behind_comment(
        &mut self,
        reading: Reading,
        (from, to): (usize, usize),
        line: NextLine,
    ) -> Reading {
        self.charge((to - from) / 8);
        if self.text.token(from).is_some() {
            return self.made(reading, Move::Token, (from, to), price::TOKEN);
        }
        let inside = &self.text.bytes[from..to];
        let quotes = memchr::memchr_iter(b'"', inside).count() as u32;
        if matches!(reading.want, Want::Value | Want::ValueOrEnd)
            && (self.frame(&reading).kind.has_names() && (line == NextLine::Same || quotes > 0)
                || self.is_word(from))
        {
            let at = from as u32;
            self.bare_text(Reading { at, ..reading });
        }
        // A comment does not contain many quotes.
        let lines = memchr::memchr_iter(b'\n', inside).count() as u32 + 1;
        let many = quotes.saturating_sub(2 * lines) * price::SKIPPED_QUOTE;
        // `1 // [{"path": "a"}]`: complete JSON within the comment.
        let whole = quotes.is_multiple_of(2) && balance(inside) == 0 && inside.contains(&b'{');
        let many = if whole {
            many.min(price::SKIPPED_QUOTE)
        } else {
            many
        };
        // `"#08547A",`: a `#` directly after a quote belongs to the string.
        let behind_quote = from > 0 && matches!(self.text.at(from - 1), b'"' | b'\'' | b'`');
        let value = matches!(reading.want, Want::Value | Want::ValueOrEnd);
        let glued = match value && self.is_word(from) {
            _ if self.is_tag(from) => price::STRAY_TEXT,
            word if word || behind_quote => price::GLUED,
            _ => 0,
        };
        // A missing quote and then a comment: rather, the string has further lines.
        let unquoted = match reading.want == Want::Next && self.ended_unquoted(&reading) {
            true => price::GLUED,
            false => 0,
        };
        let cost = glued + unquoted + many.min(price::GIVEN_UP);
        let mut made = self.made(reading, Move::Comment, (from, to), cost);
        let open = self.frame(&made).kind != Kind::Root;
        if to >= self.text.len() && open && (behind_quote || self.text.closed_behind(from)) {
            // The comment would hide the closers of the open containers, or the rest of a string.
            made.cost += price::REST_GOES_ON + self.skipped(from);
        }
        made
    }

    /// Returns `true` if the last token is a string that ended without its quote.
    fn ended_unquoted(&self, reading: &Reading) -> bool {
        let last = self.trail[reading.trail as usize];
        let by = self.trail[last.before as usize].event;
        let is_text = matches!(last.event, Event::Text(..));
        is_text
            && matches!(
                by,
                Event::Made(Move::MissingQuote | Move::MismatchedQuotes, ..)
            )
    }

    /// Returns `true` if a word, directly followed by a comma or closer, follows the character at
    /// `at`, as in a list of tags: `#tea, #coffee`.
    pub(crate) fn is_tag(&self, at: usize) -> bool {
        let end = self.text.word(at + 1);
        let ends = self.text.comma(end).is_some() || self.text.closer(end);
        self.text.at(at) == b'#' && self.is_word(at) && ends
    }

    /// Returns `true` if a word or the rest of a pattern directly follows the character at `at`:
    /// `#ff0000`, `#1`, `/*.js`.
    fn is_word(&self, at: usize) -> bool {
        match self.text.at(at) {
            b'#' => self.text.char_at(at + 1).is_alphanumeric(),
            // `/**/*.md`
            _ if self.text.starts(at, "/**/") => self.text.at(at + 4) > b' ',
            _ => self.text.starts(at, "/*."),
        }
    }

    /// Skips a character or word that means nothing here.
    pub(crate) fn drop_here(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let word = self.text.word(at);
        let next = reading.want == Want::Next;
        let signs = self.text.signs(at);
        // `"a": 1 ; "b": 2`: a single character.
        let end = at + signs.max(self.text.char_at(at).len_utf8());
        let behind = self.text.space(end).0;
        let stops = b",:}]\"'\0".contains(&self.text.at(behind)) || self.text.at(end) == b'\n';
        let alone = !next || stops;
        if (word == at || at + signs == word) && alone {
            let made = self.made(reading, Move::StraySign, (at, end), price::STRAY_SIGN);
            return self.go(made, end, reading.want);
        }
        // `"x"[0m`: the first character, too.
        let first = self.text.char_at(at).len_utf8();
        let rest = self.text.bytes.get(at + first..).unwrap_or_default();
        let mut rest = rest
            .iter()
            .map(|c| matches!(c, b',' | b';' | b'}' | b']' | b'{' | b'[' | b'\n' | b'"'));
        let end = match next {
            // After a value, the words up to the next separator are skipped:
            // `"a": 1 as of today, "b": 2`.
            true => rest
                .position(|stops| stops)
                .map_or(self.text.len(), |n| at + first + n),
            false => word,
        };
        self.charge((end - at) / 8);
        // Text directly after a quote belongs to the string.
        let glued = next && at > 0 && matches!(self.text.at(at - 1), b'"' | b'\'' | b'`');
        let words = self.text.text[at..end].trim_end();
        let one = words.bytes().all(|c| c.is_ascii_alphabetic()) && self.text.at(end) != b'\n';
        let between = one && !next && self.text.comma(self.text.space(end).0).is_some();
        let stray = match (one, between) {
            (true, true) => price::STRAY_NAME,
            (true, false) => price::STRAY_WORD,
            _ => price::STRAY_TEXT,
        };
        let kind = self.frame(&reading).kind;
        let cut = end >= self.text.len() && matches!(kind, Kind::Object | Kind::Array);
        let cost = stray
            + match glued {
                true if cut => price::GLUED + price::UNCLOSED_STRING,
                true => price::GLUED,
                false => 0,
            };
        let made = self.made(reading, Move::StrayText, (at, end), cost);
        self.go(made, end, reading.want);
    }

    /// Returns `true` if a value in this container is the value of a member, possibly within calls:
    /// `"a": f(`.
    fn is_member(&self, frame: u32) -> bool {
        let mut frame = self.frames[frame as usize];
        while frame.kind == Kind::Call {
            frame = self.frames[frame.parent as usize];
        }
        frame.kind.has_names()
    }

    /// Returns `true` if the last value is complete: a string with its quote, a number with all its
    /// digits.
    fn is_whole(&self, reading: &Reading) -> bool {
        let mut at = reading.trail;
        loop {
            let step = self.trail[at as usize];
            match step.event {
                Event::Made(Move::Comment | Move::OddSpace | Move::Token, ..) => at = step.before,
                Event::Bare(start, end, _) => {
                    let word = &self.text.text[start as usize..end as usize];
                    let cut = word::cut_keyword(word).is_some() || word::cut_number(word).is_some();
                    return is_number(word) || is_keyword(word) || !cut && !word.ends_with('.');
                }
                Event::Made(..) => return false,
                Event::Text(..) => {
                    let before = self.trail[step.before as usize].event;
                    return !matches!(before, Event::Made(Move::Unclosed, ..));
                }
                _ => return true,
            }
        }
    }

    /// Handles the end of the text, or of the markup around the value.
    pub(crate) fn finish(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let kind = self.frame(&reading).kind;
        let mut ended = reading;
        // `{"a": 1, "b`: a key without a value is omitted.
        if reading.want == Want::Colon
            || reading.want == Want::Value && self.is_member(reading.frame)
        {
            ended = self.made(ended, Move::CutMember, (at, at), price::CUT_MEMBER);
            ended = self.with(ended, Event::DropName);
        } else if reading.want == Want::Value && kind == Kind::Root {
            return;
        }
        // A mark ends the value although its missing closers are at the end of the text: the mark
        // belongs to a string.
        if kind != Kind::Root && at < self.text.len() && self.text.closed_behind(at) {
            ended.cost += price::REST_GOES_ON + self.skipped(at);
        }
        // A mark that closes the markup around a whole value: only closers are missing before it.
        let whole = at < self.text.len()
            && reading.want == Want::Next
            && self.text.closing_mark(at)
            && self.is_whole(&reading);
        while self.frame(&ended).kind != Kind::Root {
            let frame = self.frame(&ended);
            // A call has no effect on the value when it is closed.
            if !frame.kind.is_implied() && frame.kind != Kind::Call {
                ended.cost += price::UNCLOSED;
                if whole {
                    ended = self.made(ended, Move::MissingCloser, (at, at), 0);
                }
            }
            if frame.kind != Kind::Call {
                ended = self.with(ended, Event::Close(at as u32, !whole));
            }
            ended.frame = frame.parent;
        }
        self.go(ended, at, Want::Done);
    }
}
