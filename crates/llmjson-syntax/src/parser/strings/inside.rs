//! Oddities inside a string, and regular expressions with unescaped backslashes.

use core::ops::Range;

use crate::base::repair::{Class, NoteKind, RepairKind};
use crate::parser::look::quotes::quote_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::reader::Reader;
use crate::parser::strings::line_break;
use crate::scan;
use crate::scan::escape::{Oddity, Piece, Pieces};
use crate::scan::{escape, peek};
use crate::tape::{Node, Tag, flag};

/// Work charged to classify an unusual escape, because the text around it is searched for paths and
/// control words.
const STEPS_OF_ESCAPE: usize = 8;

impl Reader<'_> {
    /// Records the irregularities inside a string and returns its flags.
    pub(crate) fn inspect_all(&mut self, start: usize, end: usize) -> u8 {
        self.look.charge_search(end - start);
        let (flags, suspect) = scan::inspect(&self.look.bytes[start..end]);
        if suspect {
            self.inspect(start, end);
        }
        if flags != 0 {
            self.note_controls(start, end);
        }
        flags
    }

    /// Returns the class of a string with control characters: a line break in it may have split a
    /// word, and keys have no lines.
    fn class_of_breaks(&self, start: usize, end: usize) -> Class {
        let inside = &self.look.text[start..end];
        self.look.charge(inside.len());
        let before = &self.look.text[..start];
        // Quotes of strings that may contain line breaks.
        let lines = ["`", "\"\"\"", "'''"];
        let is_name = || self.look.beyond_space(end + 1).0 == b':' && inside.contains('\n');
        let doubtful =
            !lines.iter().any(|quotes| before.ends_with(quotes)) && line_break::is_doubtful(inside);
        match doubtful || is_name() {
            true => Class::Guess,
            false => RepairKind::ControlCharacter.class(),
        }
    }

    /// Notes that a string has escapes where a Windows path separates its names, or where a control
    /// word of LaTeX begins: `"C:\temp\new"`, which is JSON and has a tab and a line break.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_controls(&mut self, start: usize, end: usize) {
        let inside = &self.look.text[start..end];
        self.look.charge_search(inside.len());
        let path = escape::decoded_in_path(inside);
        if let Some(at) = path.or_else(|| escape::decoded_in_word(inside)) {
            let at = start + at;
            let noted = self.tape.notes.last();
            if noted.is_none_or(|note| note.span.start as usize != at) {
                self.note_as(NoteKind::ControlEscape, Class::Likely, at, at + 2);
            }
        }
    }

    /// Records the parts of a string that JSON does not allow, at most once for each kind.
    #[cold]
    #[inline(never)]
    pub(crate) fn inspect(&mut self, start: usize, end: usize) {
        let inside = &self.look.text[start..end];
        if scan::has_control(inside.as_bytes()) {
            let class = self.class_of_breaks(start, end);
            self.repair_as(RepairKind::ControlCharacter, class, start, end);
        }
        self.look.charge(inside.len());
        let mut pieces = Pieces::new(inside);
        let mut seen = [false; 3];
        let (mut decoded, mut rare) = (None, false);
        while let Some((offset, piece, oddity)) = pieces.next_unusual() {
            self.look.charge(STEPS_OF_ESCAPE);
            let kind = match oddity {
                Oddity::None => {
                    if matches!(piece, Piece::Char(c) if c < ' ') {
                        decoded = decoded.or(Some(offset));
                        rare |= matches!(piece, Piece::Char('\u{8}' | '\u{c}'));
                    }
                    continue;
                }
                Oddity::Invalid => RepairKind::InvalidEscape,
                Oddity::Raw => RepairKind::RawEscape,
                Oddity::Surrogate => RepairKind::LoneSurrogate,
            };
            if core::mem::replace(&mut seen[oddity as usize - 1], true) {
                continue;
            }
            let class = match oddity {
                // `"50\% off"`: a backslash before punctuation may be an escape of another language, or text.
                Oddity::Invalid => self.class_of_escapes(start..end, pieces.is_raw()),
                _ => kind.class(),
            };
            self.repair_as(kind, class, start, end);
        }
        if pieces.is_raw()
            && let Some(at) = decoded.map(|offset| start + offset)
        {
            self.note(NoteKind::EarlierEscape, at, at + 2);
        } else if rare {
            self.note_controls(start, end);
        }
    }

    /// Returns the confidence class of a string with escapes that JSON does not define. A `raw`
    /// string and a regular expression keep them. Without such evidence the backslash before
    /// punctuation is removed, which is wrong about as often as keeping it; every language removes
    /// it before a quote.
    fn class_of_escapes(&self, inside: Range<usize>, raw: bool) -> Class {
        let text = &self.look.text[inside.clone()];
        let doubtful = if raw {
            could_be_raw(text) && !self.is_pattern(inside)
        } else {
            drops_backslash(text) && !self.look.is_name(inside.end) && !self.is_pattern(inside)
        };
        if doubtful {
            Class::Guess
        } else {
            RepairKind::InvalidEscape.class()
        }
    }

    /// Records the irregularities inside a value. Returns its text, put aside, if it is a regular
    /// expression with unescaped backslashes.
    #[cold]
    #[inline(never)]
    pub(crate) fn odd_inside(&mut self, start: usize, end: usize) -> Option<(u32, u32)> {
        let odd = self.tape.repairs.len();
        self.inspect(start, end);
        let mut odd = self.tape.repairs[odd..].iter();
        odd.any(|repair| repair.kind == RepairKind::InvalidEscape)
            .then(|| self.kept_pattern(start, end))?
    }

    /// Keeps the escapes of a regular expression in a string that was read by another path.
    pub(crate) fn keep_pattern(&mut self, node: &mut Node, next: usize) {
        if node.has(flag::ESCAPED)
            && let Some((start, end)) = self.kept_pattern(node.start as usize, node.end as usize)
        {
            (node.start, node.end, node.next) = (start, end, next as u32);
            node.flags = node.flags & !flag::ESCAPED | flag::SIDE;
        }
    }

    /// Returns the text of a string at `start..end`, put aside, if it is a regular expression with
    /// unescaped backslashes, none of which is invalid in JSON, and only a separator or closer
    /// follows its quote.
    fn kept_pattern(&mut self, start: usize, end: usize) -> Option<(u32, u32)> {
        let inside = &self.look.text[start..end];
        self.look.charge(inside.len());
        if !drops_backslash(inside)
            || Pieces::new(inside).is_raw()
            || !self.is_pattern(start..end)
            || self.look.work_is_used_up()
        {
            return None;
        }
        let (byte, next) = self.look.skip_space(self.look.beyond_quote(end));
        // `"pattern": "a\.b" c"`: the quote may be an inner one of a string that ends later.
        if !matches!(byte, b',' | b'}' | b']') && next < self.look.bytes.len() {
            return None;
        }
        let text = escape::decode_raw(inside);
        Some(self.tape.put_side(&text))
    }

    /// Returns `true` if a string is a regular expression, according to its key, its neighbor or
    /// another of its escapes.
    fn is_pattern(&self, inside: Range<usize>) -> bool {
        let text = &self.look.text[inside.clone()];
        self.look.charge(text.len());
        let named = match self.look.name_before(inside.start) {
            // `"pattern": "a\.b"`
            Some(name) => speaks_of_patterns(name),
            // `"patterns": ["a\.b", "c\.d"]`
            None => self.list_of_patterns(inside.start) || self.behind_pattern(),
        };
        named || escapes_as_patterns(text, r"\\") || escapes_amid_words(text)
    }

    /// Returns `true` if the string that begins at `start` is the first item of an array whose key
    /// announces regular expressions.
    fn list_of_patterns(&self, start: usize) -> bool {
        let Some(list) = self.tape.nodes.last().filter(|node| node.tag == Tag::Array) else {
            return false;
        };
        let between = self.look.text.get(list.start as usize + 1..start);
        let first = between.is_some_and(|between| without_quote(between).trim().is_empty());
        let name = list.key_start as usize..list.key_end as usize;
        first
            && !list.has(flag::KEY_SIDE)
            && self.look.text.get(name).is_some_and(speaks_of_patterns)
    }

    /// Returns `true` if the last string is a regular expression itself.
    fn behind_pattern(&self) -> bool {
        self.last_string().is_some_and(|(text, raw)| {
            self.look.charge(text.len());
            escapes_as_patterns(text, if raw { r"\" } else { r"\\" })
        })
    }

    /// Returns the content of the last string, if it is short, and `true` if its backslashes are
    /// literal.
    fn last_string(&self) -> Option<(&str, bool)> {
        let last = self
            .tape
            .nodes
            .last()
            .filter(|node| node.tag == Tag::String)?;
        let side = last.has(flag::SIDE);
        let source = if side {
            &self.tape.side
        } else {
            self.look.text
        };
        let text = source.get(last.start as usize..last.end as usize)?;
        let short = text.len() <= LOOK_AHEAD;
        short.then(|| (text, side || Pieces::new(text).is_raw()))
    }
}

impl Look<'_> {
    /// Returns `true` if the string whose closing quote is at `quote` is a key: true at 0 of
    /// `" : 1`, false for `", 1`.
    fn is_name(&self, quote: usize) -> bool {
        self.beyond_space(self.beyond_quote(quote)).0 == b':'
    }

    /// Returns the key in the text before the string that begins at `start`, if it is a member's
    /// value: `a` before the end of `{"a": "`.
    fn name_before(&self, start: usize) -> Option<&str> {
        let mut from = start.saturating_sub(LOOK_AHEAD);
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        self.charge_search(start - from);
        let before = without_quote(&self.text[from..start]).trim_end();
        let name = before.strip_suffix([':', '=', '：', '﹕', '>'])?.trim_end();
        let name = name.trim_end_matches(['=', '-']).trim_end();
        let name = without_quote(name);
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
        Some(&name[name.trim_end_matches(part).len()..])
    }
}

/// Returns the text without the quote at its end, if there is one: `{"a` for `{"a"`.
fn without_quote(text: &str) -> &str {
    let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
    quote_at(text, last).map_or(text, |_| &text[..last])
}

/// Returns `true` if a key or word announces a regular expression: `urlPattern`, `re`, but not
/// `real-time`.
fn speaks_of_patterns(name: &str) -> bool {
    let tells = |word: &str| {
        let within = name.as_bytes().windows(word.len());
        within
            .into_iter()
            .any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    let short = ["re", "rx", "grep"]
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word));
    short || name.len() <= 32 && (tells("pattern") || tells("regex"))
}

/// Returns `true` if a string written with these backslashes uses them as a regular expression
/// does: `\d+`, but not `\dir`.
fn escapes_as_patterns(text: &str, backslash: &str) -> bool {
    text.match_indices(backslash).any(|(at, _)| {
        let mut behind = text[at + backslash.len()..].bytes();
        match behind.next() {
            Some(b'd' | b'D' | b'w' | b'W' | b's' | b'S' | b'b' | b'B') => !behind
                .next()
                .is_some_and(|byte| byte.is_ascii_alphanumeric()),
            Some(byte) => b".+*?()[]{}|^$".contains(&byte),
            None => false,
        }
    })
}

/// Returns `true` if several backslashes of a string occur where only regular expressions use them,
/// at least one of them before a dot within a word: `agent\.run\(`.
fn escapes_amid_words(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let (mut all, mut dots) = (0, 0);
    for (at, _) in text.match_indices('\\') {
        let behind_word = at > 0 && is_word(bytes[at - 1]);
        match peek(bytes, at + 1) {
            // `agent\.run\(`: only regular expressions escape a dot within a word.
            b'.' if behind_word && is_word(peek(bytes, at + 2)) => {
                (all, dots) = (all + 1, dots + 1)
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'+' | b'*' | b'?' | b'|' | b'$'
                if behind_word =>
            {
                all += 1;
            }
            _ => {}
        }
    }
    dots > 0 && all > 1
}

/// Returns `true` if a backslash in a string precedes punctuation that no language escapes:
/// `50\% off`, but not `a\"b`.
fn drops_backslash(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(backslash) = scan::find_near(bytes, at, b'\\', b'\\') {
        let escaped = peek(bytes, backslash + 1);
        let usual = matches!(escaped, b'"' | b'\'' | b'`' | b'/' | b'\\');
        if escaped.is_ascii_punctuation() && !usual {
            return true;
        }
        at = backslash + 2;
    }
    false
}

/// Returns `true` if a string whose remaining backslashes escape nothing may have been meant
/// without any escapes, since others of it were decoded, or the brackets of a formula lost theirs:
/// `C:\dir\new`, `\(x\)`, but not `C:\dir`.
fn could_be_raw(text: &str) -> bool {
    let (mut kept, mut decoded) = (false, false);
    let (mut round, mut square) = ((false, false), (false, false));
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(backslash) = scan::find_near(bytes, at, b'\\', b'\\') {
        at = backslash + 1;
        match bytes.get(at) {
            Some(b'b' | b'f' | b'n' | b'r' | b't') => decoded = true,
            Some(b'(') => round.0 = true,
            Some(b')') => round.1 = true,
            Some(b'[') => square.0 = true,
            Some(b']') => square.1 = true,
            Some(letter) => kept |= letter.is_ascii_alphabetic() && *letter != b'u',
            None => break,
        }
        at += 1;
    }
    kept && decoded || round == (true, true) || square == (true, true)
}
