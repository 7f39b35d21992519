//! Turns what the search found into nodes of the tape.

use core::mem;

use crate::base::limits::LimitReached;
use crate::base::repair::{Class, RepairKind};
use crate::base::span::Span;
use crate::parser::look::scalars::{is_keyword, is_number};
use crate::parser::look::trivia::trivia_at;
use crate::parser::search::reading::{Event, Move, StringPlace, TextRole};
use crate::parser::search::text::quotes::Quote;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, scalar};
use crate::parser::words::grouped_digits::ungrouped;
use crate::scan::skip_space;
use crate::scan::tag::special_token;
use crate::tape::{COUNT_MAX, NONE, Node, Tag, flag, saturate};

/// The place on the tape at which the events of a hypothesis are written.
pub(crate) struct Written {
    pub(crate) here: Container,
    /// The last child of the innermost container.
    pub(crate) last: u32,
    key: KeySpan,
    /// The repair of the next string's quote, if that is missing or of another kind.
    quote: Option<RepairKind>,
    /// The class of the repair that concatenates the next string to the previous one, if it is a
    /// further piece of it.
    joins: Option<Class>,
    /// `true` if the next word is a number with digit groups.
    grouped: bool,
    /// `true` if the text ends inside the next string.
    cut: bool,
}

impl Written {
    pub(crate) fn new(here: Container) -> Self {
        Self::under(here, KeySpan::NONE)
    }

    /// Returns the place below a key that has been read.
    pub(crate) fn under(here: Container, key: KeySpan) -> Self {
        Self {
            here,
            last: NONE,
            key,
            quote: None,
            joins: None,
            grouped: false,
            cut: false,
        }
    }
}

impl Reader<'_> {
    fn open_container(&mut self, made: &mut Written, tag: Tag, at: usize) {
        let here = made.here;
        if here.current != NONE {
            let count = here.count + 1;
            let parent = &mut self.tape.nodes[here.current as usize];
            parent.count = saturate(count);
            if parent.count == COUNT_MAX {
                self.tape.put_count(here.current, count, count);
            }
        }
        self.counters.depth += 1;
        let mut node = scalar(made.key, tag, at, 0);
        node.next = here.current;
        made.key = KeySpan::NONE;
        made.here = Container {
            current: self.tape.nodes.len() as u32,
            object: tag == Tag::Object,
            count: 0,
        };
        self.tape.nodes.push(node);
    }

    /// Closes a container in which the text ends.
    fn close_cut(&mut self, made: &mut Written, end: usize) {
        let here = made.here;
        let kind = match here.object {
            true => RepairKind::UnclosedObject,
            false => RepairKind::UnclosedArray,
        };
        if !self.end_unbracketed(here, end) {
            self.repair(kind, end, end);
        }
        self.tape.nodes[here.current as usize].flags |= flag::TRUNCATED;
        made.here = self.close(here, end);
    }

    fn push_scalar(&mut self, made: &mut Written, node: Node) {
        made.last = self.tape.nodes.len() as u32;
        self.tape.nodes.push(node);
        made.here.count += 1;
        made.key = KeySpan::NONE;
    }

    /// Writes the events of a hypothesis.
    pub(crate) fn play(&mut self, made: &mut Written, events: &[Event]) {
        for (index, event) in events.iter().enumerate() {
            if self.counters.depth > self.limits.depth {
                let limit = self.limits.depth;
                let span = Span::of(self.value_start, self.value_start + 1);
                self.limit = Some(LimitReached::Depth { limit, span });
                return;
            }
            match *event {
                Event::Start => {}
                Event::Object(at) => self.open_container(made, Tag::Object, at as usize),
                Event::Array(at) => self.open_container(made, Tag::Array, at as usize),
                Event::Close(end, false) => {
                    self.end_unbracketed(made.here, end as usize);
                    made.last = made.here.current;
                    made.here = self.close(made.here, end as usize);
                }
                Event::Close(end, true) => self.close_cut(made, end as usize),
                Event::Name(place, quote, inner) => {
                    let node = self.play_text(made, place, quote, inner, TextRole::Name);
                    made.key = KeySpan::of(&node);
                }
                Event::Text(place, quote, inner) => {
                    let node = self.play_text(made, place, quote, inner, TextRole::Value);
                    match made.joins.take() {
                        Some(class) => {
                            let last = self.tape.nodes.len() - 1;
                            self.join_piece(last, &node, place.next as usize, class);
                        }
                        None => self.push_scalar(made, node),
                    }
                }
                Event::Bare(start, end, cut) => {
                    let place = (start as usize, end as usize);
                    self.play_word(made, place, cut, joined(events.get(index + 1)));
                }
                Event::Null(at) => {
                    let node = scalar(made.key, Tag::Null, at as usize, at as usize);
                    self.push_scalar(made, node);
                }
                // Already written as the opening of an array.
                Event::List => {}
                Event::DropName => {
                    let end = self.look.bytes.len();
                    self.repair(RepairKind::CutMember, made.key.start as usize, end);
                    made.key = KeySpan::NONE;
                }
                Event::Made(what, from, to) => {
                    self.play_move(made, what, from as usize, to as usize)
                }
            }
        }
    }

    /// Writes an unquoted value, with flags for a truncated text and for a concatenated string.
    fn play_word(
        &mut self,
        made: &mut Written,
        (start, end): (usize, usize),
        cut: bool,
        joined: bool,
    ) {
        let mut node = scalar(made.key, Tag::Null, start, end);
        let word = &self.look.text[start..end];
        if joined {
            // `name + "x"`, `1 + "x"`
            if !is_number(word) && !is_keyword(word) {
                self.repair(RepairKind::UnquotedString, start, end);
            }
            node.tag = Tag::String;
        } else if mem::take(&mut made.grouped) {
            let digits = ungrouped(word);
            node.tag = crate::scan::number::number_tag(&digits);
            (node.start, node.end) = self.tape.put_side(&digits);
            node.next = end as u32;
            node.flags |= flag::SIDE;
        } else if cut && !is_keyword(word) && !is_number(word) {
            // A complete number or keyword may continue after the truncation, but none of it is
            // lost.
            let Some(word) = self.cut_word(made.key, start, end) else {
                return;
            };
            node = word;
        } else if let Some(marks) = emphasis(word) {
            self.repair(RepairKind::StrayText, start, start + marks);
            node = self.word(node, start + marks, end - marks);
            self.repair(RepairKind::StrayText, end - marks, end);
        } else {
            node = self.word(node, start, end);
        }
        self.push_scalar(made, node);
    }

    /// Writes the node of a quoted string, or of one with a missing quote.
    fn play_text(
        &mut self,
        made: &mut Written,
        place: StringPlace,
        quote: Quote,
        inner: u8,
        role: TextRole,
    ) -> Node {
        let [mut begin, start, end, next] =
            [place.begin, place.start, place.end, place.next].map(|at| at as usize);
        // `u'x'`: a string prefix of a programming language.
        let mark = (self.look.bytes[begin..start].iter())
            .take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'@')
            .count();
        if mark > 0 && quote != Quote::Bare {
            self.repair(RepairKind::Wrapper, begin, begin + mark);
            begin += mark;
        }
        self.record_quote(made, [begin, start, end, next], quote);
        if quote != Quote::Bare {
            match made.quote {
                Some(RepairKind::MissingQuote) => self.repair(RepairKind::MissingQuote, end, end),
                Some(kind) => self.repair(kind, end, next),
                None => {}
            }
        }
        made.quote = None;
        let cut = mem::take(&mut made.cut);
        if cut && role == TextRole::Value {
            if end < next {
                self.repair(RepairKind::CutEscape, end, next);
            }
            self.repair(RepairKind::UnclosedString, end, end);
        }
        if inner > 0 && !matches!(quote, Quote::Bare | Quote::Json) {
            self.look.charge((end - start) / 16);
            let kind = match role == TextRole::Value && holds_json(&self.look.text[start..end], cut)
            {
                true => RepairKind::UnescapedJson,
                false => RepairKind::InnerQuote,
            };
            self.repair(kind, start, end);
        }
        let mut node = scalar(made.key, Tag::String, start, end);
        if role == TextRole::Name {
            node.flags = 0;
        } else if cut {
            node.flags |= flag::TRUNCATED;
        }
        if quote != Quote::Bare && !quote.is_raw() {
            node.flags |= self.inspect_all(start, end);
            if role == TextRole::Value {
                self.keep_pattern(&mut node, next);
            }
        }
        node
    }

    /// Records the quote of a string if it is not a JSON quote.
    fn record_quote(
        &mut self,
        made: &Written,
        [begin, start, end, next]: [usize; 4],
        quote: Quote,
    ) {
        match (quote, made.quote) {
            (Quote::Bare, Some(RepairKind::MissingQuote)) => {
                self.repair(RepairKind::MissingQuote, start, start);
                // `x""`
                if self.look.bytes[end..next].starts_with(b"\"\"") {
                    self.repair(RepairKind::DoubledQuote, end + 1, next);
                }
            }
            (Quote::Bare, _) if made.joins.is_some() => {}
            (Quote::Bare, _) if begin < start => {
                self.repair(RepairKind::UnquotedKey, begin, next);
            }
            (Quote::Bare, _) => self.repair(RepairKind::UnquotedKey, start, end),
            (Quote::Double, _) => {}
            (quote, _) if let Some(once) = quote.once() => {
                if once != Quote::Double {
                    self.repair(RepairKind::OtherQuotes, begin, next);
                }
                self.repair(RepairKind::DoubledQuote, begin, next);
            }
            (Quote::Escaped | Quote::EscapedTwice, _) => {
                self.repair(RepairKind::InvalidEscape, begin, start);
                self.repair(RepairKind::InvalidEscape, end, next);
            }
            (Quote::Raw | Quote::RawSingle, _) => {
                self.repair(RepairKind::RawEscape, start, end);
            }
            (Quote::Json, _) => self.repair(RepairKind::UnescapedJson, start, end),
            _ => self.repair(RepairKind::OtherQuotes, begin, next),
        }
    }

    /// Records comments, special tokens and unusual white space between two offsets.
    fn play_trivia(&mut self, from: usize, to: usize) {
        let mut at = skip_space(self.look.bytes, from).1;
        while at < to {
            // `// first`, with `<|im_end|>` on the next line.
            let token = special_token(self.look.text, at);
            if let Some(end) = token {
                self.repair(RepairKind::TemplateToken, at, end);
            }
            at = token.or_else(|| self.skip_trivia(at)).unwrap_or(at + 1);
            at = skip_space(self.look.bytes, at).1;
        }
    }

    fn play_move(&mut self, made: &mut Written, what: Move, from: usize, to: usize) {
        let kind = match what {
            // A comment may have ended before the end of its line.
            Move::Comment if trivia_at(self.look.text, from).is_none_or(|(_, end)| end > to) => {
                RepairKind::Comment
            }
            Move::Comment => {
                return self.play_trivia(from, to);
            }
            Move::OddSpace => return self.play_trivia(from, to),
            Move::ExtraComma if from == to => {
                if let Some(comma) = self.last_comma(from) {
                    self.repair(RepairKind::ExtraComma, comma.start, comma.end);
                }
                return;
            }
            Move::ExtraComma => RepairKind::ExtraComma,
            Move::MissingComma => RepairKind::MissingComma,
            Move::MissingColon => RepairKind::MissingColon,
            Move::OddSeparator => RepairKind::OddSeparator,
            Move::SwappedSeparator => {
                let sign = self.look.text[from..].chars().next();
                let end = from + sign.map_or(1, char::len_utf8);
                return self.repair(RepairKind::OddSeparator, from, end);
            }
            // `"x""`: the quote before it was doubled.
            Move::StrayQuote if from > 0 && self.look.bytes[from - 1] == self.look.bytes[from] => {
                return self.repair(RepairKind::DoubledQuote, from - 1, from);
            }
            Move::StraySign | Move::StrayText | Move::StrayQuote => {
                let end = from + self.look.text[from..to].trim_end().len();
                return self.pass_over(from, end);
            }
            Move::Ellipsis => RepairKind::Ellipsis,
            Move::MissingValue => RepairKind::MissingValue,
            Move::MissingCloser => RepairKind::MissingCloser,
            Move::WrongCloser => RepairKind::WrongCloser,
            Move::ExtraCloser => RepairKind::ExtraCloser,
            Move::MissingOpener => RepairKind::MissingOpener,
            Move::ExtraOpener => RepairKind::ExtraOpener,
            Move::MissingQuote | Move::MismatchedQuotes => {
                made.quote = Some(match what {
                    Move::MissingQuote => RepairKind::MissingQuote,
                    _ => RepairKind::MismatchedQuotes,
                });
                return;
            }
            Move::SignForQuote => RepairKind::MismatchedQuotes,
            Move::Tuple => RepairKind::Tuple,
            Move::Set => RepairKind::Set,
            Move::BracketedMembers => RepairKind::BracketedMembers,
            Move::Wrapper => RepairKind::Wrapper,
            Move::Unbracketed => {
                let begin = self.tape.nodes[made.here.current as usize].start as usize;
                return self.repair(RepairKind::UnbracketedList, begin, begin);
            }
            Move::Token => RepairKind::TemplateToken,
            Move::Join => {
                made.joins = Some(class_of_join(made.here, from == to));
                // `"a" + // more`, with a piece on the next line.
                return self.play_trivia(from, to);
            }
            Move::SmashedQuote => RepairKind::MissingQuote,
            Move::GroupedDigits => {
                made.grouped = true;
                RepairKind::GroupedDigits
            }
            Move::CutNumber => RepairKind::CutNumber,
            // Recorded together with the string, container or value they belong to.
            Move::UnquotedString
            | Move::UnquotedKey
            | Move::OddName
            | Move::OtherQuotes
            | Move::DoubledQuote
            | Move::InnerQuote
            | Move::CutMember => return,
            Move::Unclosed => {
                made.cut = true;
                return;
            }
        };
        self.repair(kind, from, to);
    }
}

/// Returns the class of a concatenation: two strings of an array without an operator between them,
/// `['a ' 'b']`, may equally be two items.
const fn class_of_join(here: Container, is_bare: bool) -> Class {
    match is_bare && here.current != NONE && !here.object {
        true => Class::Guess,
        false => RepairKind::JoinedStrings.class(),
    }
}

/// Returns `true` if a string is concatenated to the word before it.
fn joined(next: Option<&Event>) -> bool {
    matches!(next, Some(Event::Made(Move::Join, ..)))
}

/// Returns the number of asterisks on each side of an unquoted value that Markdown emphasizes:
/// `**x**`, but not `*/*`, a pattern.
fn emphasis(word: &str) -> Option<usize> {
    let marks = word.bytes().take_while(|byte| *byte == b'*').count();
    let ends = word.bytes().rev().take_while(|byte| *byte == b'*').count();
    let begins = word[marks..].starts_with(|first: char| first == '-' || first.is_alphanumeric());
    (marks > 0 && marks == ends && begins).then_some(marks)
}

/// Returns `true` if a string with inner quotes is unescaped JSON: a bracket followed by a key, an
/// item or another bracket, and one at its end unless that is truncated.
fn holds_json(text: &str, cut: bool) -> bool {
    // Escaped line breaks are the white space of embedded JSON.
    let text = text.trim().trim_end_matches("\\n").trim_end();
    let Some(inside) = text.strip_prefix(['{', '[']) else {
        return false;
    };
    let first = inside.trim_start().trim_start_matches("\\n").trim_start();
    first.starts_with(['"', '\'', '{', '[']) && (cut || inside.ends_with(['}', ']']))
}
