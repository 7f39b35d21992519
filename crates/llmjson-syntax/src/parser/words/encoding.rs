//! Values that were written once more as a whole: with escapes, as HTML, as a field of a CSV file,
//! or with marks before each line. They are read from a text of their own; this file makes that
//! text and keeps where each part of it came from.

use alloc::string::String;
use alloc::vec::Vec;

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::Look;
use crate::parser::look::scalars::is_number;
use crate::parser::words::entities::character;
use crate::scan::escape::{Piece, Pieces};
use crate::scan::{peek, skip_space};
use crate::tape::carried::{Places, source_of};

#[cfg(test)]
mod tests;

/// The encoding in which a value was written once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// The inside of a JSON string.
    Escapes,
    /// HTML text.
    Entities,
    /// A field of a CSV file, in which each quote is doubled; with `field`, a single one ends the
    /// text.
    DoubledQuotes { field: bool },
    /// Lines with marks before them.
    Lines(LineMarks),
}

/// The marks before the lines of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineMarks {
    /// A sign that quotes the line: `>` or `|`.
    Quote(u8),
    /// The number of the line; the first line has this one.
    Numbers(u32),
    /// The signs of a diff before lines that it adds, and with `removes` before those that it takes
    /// away.
    Diff { removes: bool },
}

/// A text and where each part of it came from.
pub(crate) struct DecodedText {
    /// The repair that making it is.
    pub(crate) kind: RepairKind,
    /// The certainty that this is the text that was meant.
    pub(crate) class: Class,
    pub(crate) text: String,
    /// `true` if all of the source was read.
    pub(crate) whole: bool,
    /// Offsets in the text and in the source where a further part begins.
    pub(crate) parts: Places,
}

impl Encoding {
    /// The repair that taking this off is.
    pub(crate) fn kind(self) -> RepairKind {
        match self {
            Self::Escapes => RepairKind::EscapedDocument,
            Self::Entities => RepairKind::HtmlEntities,
            Self::DoubledQuotes { .. } => RepairKind::CsvQuotes,
            Self::Lines(_) => RepairKind::LineMarks,
        }
    }

    /// Takes this off `source`, of which about `limit` bytes are read.
    pub(crate) fn decode(self, source: &str, limit: usize) -> DecodedText {
        let mut recoded = DecodedText::of(self.kind());
        recoded.text.reserve(source.len().min(limit));
        match self {
            Self::Escapes => escapes(&mut recoded, source, limit),
            Self::Entities => entities(&mut recoded, source, limit),
            Self::DoubledQuotes { field } => quotes(&mut recoded, source, limit, field),
            Self::Lines(marks) => lines(&mut recoded, source, marks),
        }
        recoded
    }
}

impl DecodedText {
    /// An empty text, the making of which is a repair of that kind.
    pub(crate) fn of(kind: RepairKind) -> Self {
        Self {
            kind,
            class: kind.class(),
            text: String::new(),
            whole: true,
            parts: Vec::new(),
        }
    }

    /// Returns the offset in the source of the part of the text at `offset`: 3 for 2, the `a` of `{\"a\": 1}`.
    pub(crate) fn source(&self, offset: usize) -> usize {
        source_of(&self.parts, offset)
    }

    /// Appends a part of the source, from `at` on, that means `text`.
    pub(crate) fn push(&mut self, at: usize, text: &str) {
        self.parts.push((self.text.len() as u32, at as u32));
        self.text.push_str(text);
    }

    /// Notes that the source ends at `at`, or what was read of it.
    pub(crate) fn end(&mut self, at: usize) {
        self.parts.push((self.text.len() as u32, at as u32));
    }
}

/// Decodes the escapes of a source: `\\"` is `"`.
fn escapes(recoded: &mut DecodedText, source: &str, limit: usize) {
    let mut pieces = Pieces::onwards(source);
    while let Some((at, piece, _)) = pieces.next() {
        match piece {
            Piece::Text(text) => recoded.push(at, text),
            Piece::Char(character) => recoded.push(at, character.encode_utf8(&mut [0; 4])),
        }
        if at >= limit {
            recoded.whole = false;
            return;
        }
    }
    recoded.end(source.len());
}

/// Decodes the HTML entities of a source: `&quot;` is `"`.
fn entities(recoded: &mut DecodedText, source: &str, limit: usize) {
    let mut at = 0;
    while at < source.len() {
        if at >= limit {
            recoded.whole = false;
            break;
        }
        if let Some((character, length)) = entity(&source[at..]) {
            recoded.push(at, character.encode_utf8(&mut [0; 4]));
            at += length;
            continue;
        }
        let plain = memchr::memchr(b'&', &source.as_bytes()[at + 1..]);
        let end = plain.map_or(source.len(), |plain| at + 1 + plain);
        recoded.push(at, &source[at..end]);
        at = end;
    }
    recoded.end(at);
}

/// Reads the HTML entity at the beginning: its character and length, `"` and 6 of `&quot;`.
pub(crate) fn entity(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('&')?;
    let end = rest.bytes().take(9).position(|byte| byte == b';')?;
    let name = &rest[..end];
    let character = match name {
        "quot" => '"',
        "apos" => '\'',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        _ => match name.strip_prefix('#') {
            Some(number) => {
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => number.parse(),
                };
                char::from_u32(code.ok()?)?
            }
            None => character(name)?,
        },
    };
    Some((character, end + 2))
}

/// Puts one quote in the place of two: `""` is `"`. In a field, a single one ends the source.
fn quotes(recoded: &mut DecodedText, source: &str, limit: usize, field: bool) {
    let bytes = source.as_bytes();
    let mut at = 0;
    while at < source.len() {
        if at >= limit {
            recoded.whole = false;
            break;
        }
        if bytes[at] == b'"' {
            let doubled = peek(bytes, at + 1) == b'"';
            if field && !doubled {
                break;
            }
            recoded.push(at, "\"");
            at += 1 + usize::from(doubled);
            continue;
        }
        let plain = memchr::memchr(b'"', &bytes[at..]);
        let end = plain.map_or(source.len(), |plain| at + plain);
        recoded.push(at, &source[at..end]);
        at = end;
    }
    recoded.end(at);
}

/// Takes the marks off all lines but the first, which begins behind its own.
fn lines(recoded: &mut DecodedText, source: &str, marks: LineMarks) {
    let mut at = 0;
    let mut number = match marks {
        LineMarks::Numbers(first) => first,
        _ => 0,
    };
    for line in source.split_inclusive('\n') {
        // The first line begins behind its mark.
        let mark = if at == 0 {
            Some(0)
        } else {
            marks.before(line, number)
        };
        number = number.saturating_add(1);
        if let Some(length) = mark {
            recoded.push(at + length, &line[length..]);
        }
        at += line.len();
    }
    recoded.end(at);
}

impl LineMarks {
    /// Returns the length of the mark before a line, 1 of `> a`; `None` for a line that does not count.
    fn before(self, line: &str, number: u32) -> Option<usize> {
        match self {
            Self::Quote(sign) => {
                let (byte, at) = skip_space(line.as_bytes(), 0);
                Some(if byte == sign { at + 1 } else { 0 })
            }
            Self::Numbers(_) => Some(numbered(line, number).unwrap_or(0)),
            Self::Diff { removes } => match line.as_bytes() {
                // With lines of both kinds the reply is a diff, whose removed lines do not count. Lists of
                // Markdown have a dash before each line.
                [b'-', ..] if removes => None,
                [b'@', b'@', ..] => None,
                [b'+' | b'-', ..] if diff_mark(line) => Some(1),
                _ => Some(0),
            },
        }
    }
}

/// Returns the length of the number before a line and the sign behind it, if it is that number: 2 of `2: a`.
fn numbered(line: &str, number: u32) -> Option<usize> {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    let rest = &line[indent..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if rest[..digits].parse() != Ok(number) {
        return None;
    }
    let sign = rest[digits..].trim_start_matches(' ');
    let at = line.len() - sign.len();
    match sign.as_bytes().first() {
        Some(b':' | b'|' | b'.' | b')') => Some(at + 1),
        Some(b'\t' | b'\n' | b'\r') => Some(at),
        _ => (at > indent + digits).then_some(at),
    }
}

/// Returns `true` if a line begins with a token of JSON that stands there as JSON has it: a
/// bracket, a name with its colon, or a scalar before a comma, a closer or the end of the line. `"a": 1` does,
/// `"a" b` does not.
fn is_json_line(line: &str) -> bool {
    let line = line.trim();
    let ends = |rest: &str| match rest.as_bytes() {
        [] | [b'}' | b']' | b':', ..] => true,
        [b',', ..] => {
            let next = rest[1..].trim_start();
            next.is_empty() || next.starts_with(|c: char| "\"{[-0123456789tfn".contains(c))
        }
        _ => false,
    };
    match line.as_bytes() {
        [] | [b'{' | b'}' | b'[' | b']', ..] => true,
        [b'"', rest @ ..] => {
            let mut escaped = false;
            let end = rest.iter().position(|byte| {
                let closes = *byte == b'"' && !escaped;
                escaped = *byte == b'\\' && !escaped;
                closes
            });
            end.is_some_and(|end| ends(line[end + 2..].trim_start()))
        }
        _ => {
            let end = line.find([',', '}', ']', ' ']).unwrap_or(line.len());
            let (word, rest) = line.split_at(end);
            let scalar = matches!(
                word,
                "true" | "false" | "null" | "NaN" | "Infinity" | "-Infinity"
            ) || is_number(word);
            scalar && ends(rest.trim_start())
        }
    }
}

/// Returns `true` if a line begins as those of a diff do: a sign, and then white space or a token, `+ "a": 1`.
/// `+1` does not.
fn diff_mark(line: &str) -> bool {
    let next = peek(line.as_bytes(), 1);
    matches!(line.as_bytes().first(), Some(b'+' | b'-'))
        && (matches!(next, 0..=b' ' | b'"' | b'\'' | b'{' | b'}' | b'[' | b']')
            || next.is_ascii_alphabetic())
}

impl Look<'_> {
    /// Returns the encoding in which the container that opens at `at` was written once more, as its
    /// first quotes show: escapes of `{\"a\": 1}`.
    pub(crate) fn encoding_at(&self, at: usize) -> Option<Encoding> {
        let (byte, mut k) = self.beyond_trivia(at + 1);
        let mut object = self.bytes[at] == b'{';
        if matches!(byte, b'{' | b'[') {
            object = byte == b'{';
            k = self.beyond_trivia(k + 1).1;
        }
        let rest = self.bytes.get(k..)?;
        match rest {
            // `{""a"": 1}`: as in a field of a CSV file.
            [b'"', b'"', ..] => self.quotes_doubled(at, k, object),
            [b'"', ..] => None,
            // `{\"a\": 1}`: the inside of a JSON string.
            [b'\\', ..] if self.quotes_escaped(k) => Some(Encoding::Escapes),
            // `{&quot;a&quot;: 1}`
            [b'&', ..] => {
                let mut text = &self.text[k..];
                let (mut character, mut length) = entity(text)?;
                while character == '&' {
                    // Written as HTML more than once.
                    text = &text[length..];
                    let end = text.bytes().take(9).position(|byte| byte == b';')?;
                    let name = &text[..end];
                    character = match name {
                        "quot" | "#34" | "#x22" => '"',
                        "apos" | "#39" | "#x27" => '\'',
                        "amp" => '&',
                        _ => return None,
                    };
                    length = end + 1;
                }
                matches!(character, '"' | '\'').then_some(Encoding::Entities)
            }
            // `{a: \"x\"}`: the first quotes come behind a name that has none.
            _ => self.quotes_escaped(at + 1).then_some(Encoding::Escapes),
        }
    }

    /// Returns `true` if the first quote from `k` on is escaped, and stands where one opens or
    /// closes a string: `a: \"x\"`, and not `a \"x\" b`.
    fn quotes_escaped(&self, k: usize) -> bool {
        let near = self.near(k);
        let quote = memchr::memchr3(b'"', b'\'', b'`', near);
        self.charge_search(quote.unwrap_or(near.len()));
        let Some(quote) = quote.filter(|&quote| quote > 0 && near[quote - 1] == b'\\') else {
            return false;
        };
        let window = self.window(k);
        let before = window[..quote].trim_end_matches('\\');
        let backslashes = quote - before.len();
        // `\\"`: the backslash is escaped itself, and the quote is not.
        if backslashes.is_multiple_of(2) || !window[quote..].starts_with('"') {
            return false;
        }
        let mut inside = before.trim_end();
        if inside.contains(['}', ']']) {
            return false;
        }
        let length = inside.len();
        while let Some(text) = ["\\n", "\\t", "\\r"]
            .iter()
            .find_map(|s| inside.strip_suffix(s))
        {
            inside = text.trim_end_matches('\\').trim_end();
        }
        let line = inside.len() < length;
        let opens = line || inside.is_empty() || inside.ends_with(['{', '[', ',', ':']);
        let after = self.skip_space(k + quote + 1).0;
        opens || matches!(after, b':' | b',' | b']' | b'}')
    }

    /// Returns the encoding if the quotes of a name or item at `k` are doubled, and what follows shows it
    /// to be one: `""a"": 1` in an object.
    fn quotes_doubled(&self, at: usize, k: usize, object: bool) -> Option<Encoding> {
        let window = self.window(k + 2);
        let end = window.find('"')?;
        let (after, _) = self.skip_space(k + 2 + end + 2);
        let follows = match after {
            b':' => object,
            b',' | b']' => !object,
            _ => false,
        };
        let field = at > 0 && self.bytes[at - 1] == b'"';
        let inside = &window[..end];
        let name = !inside.trim().is_empty() && !inside.contains([':', ',', '\n', '\\']);
        (name && follows && window[end..].starts_with("\"\""))
            .then_some(Encoding::DoubledQuotes { field })
    }

    /// Returns `true` if an entity at `at` stands for an opening bracket before another entity, `&lbrace;&quot;`,
    /// or for the quote that begins the whole text.
    pub(crate) fn entity_opens(&self, at: usize) -> bool {
        let Some((character, length)) = entity(&self.text[at..]) else {
            return false;
        };
        let next = &self.text[at + length..];
        match character {
            '{' | '[' => entity(next.trim_start()).is_some(),
            '"' => self.text[..at].trim().is_empty(),
            _ => false,
        }
    }

    /// Returns the marks before the lines of the container that opens at `at`, as the first lines
    /// and those before `end` show: `>` of `"> {\n> }"`.
    pub(crate) fn line_marks(&self, at: usize, end: usize) -> Option<LineMarks> {
        if self.work_is_used_up() {
            return None;
        }
        let begin = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |newline| newline + 1);
        self.charge_search(at - begin);
        let end = end.max(at + self.window(at).len());
        let next = at + memchr::memchr(b'\n', &self.bytes[at..end])? + 1;
        let (before, below) = (&self.text[begin..at], &self.text[next..]);
        match before.trim().as_bytes() {
            // `> {` and `>   "a": 1` below: a quotation.
            [sign @ (b'>' | b'|')] if below.trim_start().as_bytes().first() == Some(sign) => {
                return Some(LineMarks::Quote(*sign));
            }
            // `1: {` and `2:   "a": 1` below: numbers of lines, which have to go on counting.
            [digit, ..] if digit.is_ascii_digit() => {
                let digits = before.trim_start();
                let digits = &digits[..digits.bytes().take_while(u8::is_ascii_digit).count()];
                let number: u32 = digits.parse().ok()?;
                numbered(below, number.checked_add(1)?)?;
                return (numbered(before, number) == Some(before.trim_end().len())
                    || before.trim() == digits)
                    .then_some(LineMarks::Numbers(number));
            }
            [] | [b'+'] => {}
            _ => return None,
        }
        let (mut adds, mut removes) = (false, false);
        self.charge_search(end - next);
        let lines = memchr::memchr_iter(b'\n', &self.bytes[next - 1..end]);
        for begin in lines.map(|newline| next + newline) {
            let (adding, removing) = match peek(self.bytes, begin) {
                b'+' => (true, false),
                b'-' => (false, true),
                _ => continue,
            };
            let rest = &self.text[begin..end];
            let line = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest, |end| &rest[..end]);
            if !diff_mark(line) {
                continue;
            }
            if !is_json_line(&line[1..]) {
                // `+    print("hello", "world")` inside a string: nothing is taken off lines within a value.
                return None;
            }
            adds |= adding;
            removes |= removing;
        }
        let diff = LineMarks::Diff {
            removes: removes && adds,
        };
        (adds || removes).then_some(diff)
    }
}
