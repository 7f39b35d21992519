//! Distinguishes brackets that open a value in a reply from brackets in prose.

use crate::parser::look::quotes::quote_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::search::text::Text;
use crate::parser::words::word::{Word, classify};
use crate::reply::scalar::keyword;
use crate::scan::{number, peek, skip_space};
use crate::tape::readings::Reading;

/// Number of bytes before a bracket that are searched for the name that it indexes, or for the
/// previous index.
const INDEX_LOOK: usize = 32;

/// Maximum number of consecutive indexes that are examined.
const INDEXES_MAX: usize = 4;

/// Maximum number of digits of a citation number: `[12]`.
const CITATION_DIGITS_MAX: usize = 3;

/// Steps charged for examining a key or a value.
const ASK_STEPS: usize = 16;

impl<'t> Look<'t> {
    /// Returns the text in the form that the search uses. Each question to it is a lookahead at one
    /// place.
    fn as_searched(&self) -> Text<'t> {
        self.charge(ASK_STEPS);
        Text::uncut(self.text, self.names)
    }

    /// Returns the offset after the colon of the key at `at`. A value must follow if the key is
    /// unquoted: 4 for `"a": 1`, none for `a: ?`.
    pub(crate) fn key_end(&self, at: usize) -> Option<usize> {
        let text = self.as_searched();
        // `"": 1`: the search does not accept empty keys, since doubled quotes are more frequent.
        let empty = || {
            let rest = self.text.get(at..)?.strip_prefix("\"\"")?;
            let (byte, colon) = self.beyond_space(self.text.len() - rest.len());
            (byte == b':').then_some(colon + 1)
        };
        let value = text.name_end(at).or_else(empty)?;
        let quoted = text.opens_token(at).is_some();
        (quoted || text.begins_value(value)).then_some(value)
    }

    /// Returns `true` if there is such a key at `at`.
    pub(crate) fn key_ahead(&self, at: usize) -> bool {
        self.key_end(at).is_some()
    }

    /// Returns `true` if there is a key with a colon at `at`, regardless of the text after it.
    pub(crate) fn name_ahead(&self, at: usize) -> bool {
        self.as_searched().name_end(at).is_some()
    }

    /// Returns `true` if a value or the end of the text follows `at`.
    pub(crate) fn begins_value(&self, at: usize) -> bool {
        self.as_searched().begins_value(at)
    }

    /// Returns `true` if the text after an opening bracket looks like the content of a value:
    /// `[1, 2]`, but not `[12:30 Bob]`.
    pub(crate) fn plausible(&self, at: usize) -> bool {
        if self.no_bracket_of_value(at) {
            return false;
        }
        let object = self.bytes[at] == b'{';
        let (byte, k) = self.beyond_trivia(at + 1);
        if k >= self.bytes.len() {
            return true;
        }
        match byte {
            // `[[1]]`, `[{"a": 1}]`
            b'{' | b'[' => self.plausible_inner(at, k),
            // `in [0, 1) and`
            _ if !object && self.is_interval(at) => false,
            // `items[0]`, `row["id"]`. Brackets directly after a word are an array only if they
            // begin with a string and continue after it.
            _ if !object && self.is_index(at) => byte == b'"' && !self.only_string(k),
            b'"' | b'\'' | b'\\' => true,
            // `{% if a %}`: a template.
            b'%' if k == at + 1 => false,
            // `x_{1}`, `\text{if}`
            _ if object && self.in_formula(at) => false,
            b'`' | b'~' => self.fence_at(k) || object && self.backtick_name(k),
            // `{}`
            b'}' => object,
            // An unticked checkbox, followed by the task.
            b']' => !object && (k == at + 1 || self.line_ends(k + 1)),
            b'+' | b'-' | b'>' | b'|' | b'0'..=b'9' if object => {
                let set = || self.stands_apart(at) && self.set_ahead(k);
                self.key_ahead(k) || set()
            }
            // `[, 1]`, `{...}`
            b',' | b'.' => !object || self.bytes[k..].starts_with(b"...") || byte == b',',
            _ if object => {
                let set = || self.stands_apart(at) && self.set_ahead(k);
                self.key_ahead(k)
                    || quote_at(self.text, k).is_some()
                    || self.as_searched().expected_ahead(k)
                    || set()
            }
            // `[1, 2]`, but not `[12:30 Bob]`.
            b'0'..=b'9' => !self.word_in_brackets(at),
            // `[-1]`, but not `[ -f "$x" ]`.
            b'-' | b'+' => self.sign_ahead(k),
            b'(' => true,
            _ => {
                let typed = || self.stands_apart(at) && self.as_searched().typed_value(k);
                quote_at(self.text, k).is_some() || self.list_ahead(at, k) || typed()
            }
        }
    }

    /// Returns the result from the next token only, once the work budget is used up: `true` for
    /// `{"`, `false` for `{a`.
    pub(crate) fn plausible_without_looking(&self, at: usize) -> bool {
        let next = skip_space(self.bytes, at + 1).0;
        matches!(next, b'"' | b'{' | b'[') || self.bytes[at] == b'{' && next == b'}'
    }

    /// Returns `true` if the bracket at `at` belongs to an XML section, to a number such as `[#12]`
    /// in prose, to a terminal color, or to the name of a Go type, rather than to a value.
    fn no_bracket_of_value(&self, at: usize) -> bool {
        let before = &self.bytes[..at];
        match self.bytes[at] {
            b'[' if self.bytes[at..].starts_with(b"[#") => !self.stands_apart(at),
            b'[' => before.ends_with(b"<![CDATA") || before.ends_with(b"\x1b"),
            _ => {
                let is_type = matches!(last_name(&self.text[..at]).1, "interface" | "struct");
                is_type && matches!(self.bytes[at..], [_, b'}', b'{' | b']', ..])
            }
        }
    }

    /// Returns `true` if there is a key in backticks at `k`, with its colon or a value after it: ``
    /// `a`: 1 ``, but not `` `a` 1 ``.
    fn backtick_name(&self, k: usize) -> bool {
        let window = self.window(k + 1);
        let end = window.find(['`', '\n']).filter(|&end| end > 0);
        end.is_some_and(|end| {
            let next = self.skip_space(k + 1 + end + 1).0;
            window[end..].starts_with('`') && matches!(next, b':' | b'{' | b'[' | b'"' | b'`')
        })
    }

    /// Returns `true` if the bracket at `k`, directly inside the one at `opener`, may open a value:
    /// `[[1]]`, but not `[[word]]`. A single lookahead suffices, so that runs of brackets cost no
    /// more than their length.
    fn plausible_inner(&self, opener: usize, k: usize) -> bool {
        let mut at = k;
        while matches!(peek(self.bytes, at), b'{' | b'[') && at - k < LOOK_AHEAD {
            at = self.skip_space(at + 1).1;
        }
        let object = self.bytes[k] == b'{';
        let byte = peek(self.bytes, at);
        let list = || match byte {
            b'-' | b'+' => self.sign_ahead(at),
            _ => !byte.is_ascii_alphabetic() || self.list_ahead(opener, at),
        };
        object && self.key_ahead(at) || list()
    }

    /// Returns `true` if there is an array of unquoted items at `k`, after the bracket at `at`,
    /// with at least one comma, call or keyword before its end: `[red, blue]`. In prose such words
    /// are an enumeration or code.
    fn list_ahead(&self, at: usize, k: usize) -> bool {
        let window = self.window(k);
        let end = window.find([',', ']', '\n', '(']).unwrap_or(window.len());
        let word = window[..end].trim();
        let enumerated = || {
            window[end..].starts_with(',') && word.split(' ').count() <= 3
                || window[end..].starts_with('(') && self.text[k..].starts_with(char::is_alphabetic)
        };
        keyword(word.as_bytes()).is_some_and(|(_, length)| length == word.len())
            || matches!(word, "True" | "False" | "None" | "undefined")
            || self.stands_apart(at) && enumerated()
    }

    /// Returns `true` if the square bracket at `at` directly follows a name, a call or another
    /// index, as in `items[0]`, `row["id"]` or `dict[str, int]`. Escaped white space and the
    /// language name do not count.
    fn is_index(&self, at: usize) -> bool {
        let mut before = self.before_colours(at);
        if before.len() < at {
            return false;
        }
        for _ in 0..INDEXES_MAX {
            let Some(outer) = before.strip_suffix(']') else {
                break;
            };
            let length = outer.len();
            let near = outer.as_bytes()[length.saturating_sub(INDEX_LOOK)..].iter();
            match near.rev().position(|&byte| byte == b'[') {
                Some(back) => before = &outer[..length - back - 1],
                None => return false,
            }
        }
        // `f(x)[0]`: an index into the result of a call.
        if before.ends_with(')') {
            return true;
        }
        let (before, name) = last_name(before);
        let escape = before.ends_with('\\') && name.len() == 1;
        let is_language = before.ends_with("```") || name.eq_ignore_ascii_case("json");
        !name.is_empty() && !escape && !is_language
    }

    /// Returns `true` if the square bracket at `at` opens an interval in prose, as in `[0, 1)`, or
    /// the arguments of a macro, as in `vec![1, 2]`.
    fn is_interval(&self, at: usize) -> bool {
        let before = self.text[..at].strip_suffix('!').unwrap_or_default();
        if before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return true;
        }
        let window = self.window(at + 1);
        let end = window.find(['[', ']', '(', ')', '{', '}', '"', '\n']);
        let numbers = |c: char| {
            c.is_ascii_alphanumeric()
                || matches!(c, ' ' | ',' | '.' | '-' | '+' | '/' | '∞' | 'π' | '√')
        };
        end.is_some_and(|end| {
            window[end..].starts_with(')')
                && window[..end].contains(',')
                && window[..end].chars().all(numbers)
        }) && !self.line_begins(at)
    }

    /// Returns `true` if the plus or minus at `k` belongs to a number rather than to an option, as
    /// in `[ -f "$x" ]`.
    fn sign_ahead(&self, k: usize) -> bool {
        matches!(
            peek(self.bytes, k + 1),
            b'0'..=b'9' | b'.' | b'I' | b'N' | 0
        )
    }

    /// Returns `true` if the brace at `at` belongs to a formula: `x_{1}`, `2^{n}`, `\text{if}`.
    fn in_formula(&self, at: usize) -> bool {
        let (before, name) = last_name(&self.text[..at]);
        name.ends_with('_') || before.ends_with('^') && name.is_empty() || {
            let is_command = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
            is_command && before.ends_with('\\')
        }
    }

    /// Returns `true` if the string at `k` is the only content of its square brackets: `["id"]`,
    /// but not `["id", 1]`.
    fn only_string(&self, k: usize) -> bool {
        let mut parts = self.window(k + 1).splitn(2, '"').skip(1);
        parts.all(|rest| rest.trim_start().starts_with(']'))
    }

    /// Returns `true` if there is a short word with a comma or an equals sign at `k`:
    /// `{red, blue}`, `{a = 1}`.
    fn set_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let end = window.find([',', '}', '\n', '=']).unwrap_or(window.len());
        window[end..].starts_with([',', '=']) && window[..end].trim().split(' ').count() <= 2
    }

    /// Returns `true` if a bracket begins its line, or follows a colon, a tag, a fence or the marks
    /// of bold text: the one after `a:`, but not after `a`.
    pub(crate) fn stands_apart(&self, at: usize) -> bool {
        let before = self.before_colours(at).trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', ':', '：', '>', '`']) || before.ends_with("**")
    }

    /// Returns `true` if only a tag, a fence, or separators at the end of the text follow `at` on
    /// its line: `</a>`, but not `, a`.
    pub(crate) fn line_ends(&self, at: usize) -> bool {
        let rest = self.window(at).trim_start_matches([' ', '\t', '\r']);
        rest.starts_with(['\n', '<', '`']) || rest.trim_matches([',', ';', ' ']).is_empty()
    }

    /// Returns `true` if the bracket at `at` contains only words, as labels, placeholders and times
    /// in prose do, possibly in further brackets: `[12:30 Bob]`, but not `[a, b]`.
    pub(crate) fn word_in_brackets(&self, at: usize) -> bool {
        if matches!(peek(self.bytes, at + 1), b'"' | b'\'' | b'\n') {
            return false;
        }
        let inside = self.window(at).trim_start_matches(['{', '[', ' ']);
        let ends = ['}', ']', ',', '"', '\'', '“', '”', '{', '[', '\n'];
        let behind = match inside.chars().next().unwrap_or_default() {
            '0'..='9' => {
                let end = inside.find(ends).unwrap_or(inside.len());
                let (words, behind) = inside.split_at(end);
                if words.split(' ').all(is_number) {
                    return false;
                }
                behind
            }
            first if first.is_alphabetic() || matches!(first, '^' | '!') => {
                let end = inside.find(|c| c == ':' || ends.contains(&c));
                &inside[end.unwrap_or(inside.len())..]
            }
            _ => return false,
        };
        behind.is_empty() || behind.starts_with(['}', ']'])
    }

    /// Returns `true` if only citation numbers were found: `[3]` in prose, or at the beginning of
    /// consecutive lines. In a reply that begins with an array of one number, that array is the
    /// value.
    pub(crate) fn only_citations(&self, found: &[Reading]) -> bool {
        let Some((first, others)) = found.split_first() else {
            return false;
        };
        let amid = || !self.text[..first.span.start as usize].trim().is_empty();
        let below = |other: &Reading| self.line_begins(other.span.start as usize);
        self.is_citation(first)
            && others.iter().all(|value| self.is_citation(value))
            && (amid() || others.first().is_some_and(below))
    }

    /// Returns `true` if a value is a citation number within a line: `[3]` in `as shown [3].`
    fn is_citation(&self, value: &Reading) -> bool {
        let (start, end) = (value.span.start as usize, value.span.end as usize);
        let inside = self.text.get(start + 1..end.saturating_sub(1));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        self.bytes[start] == b'['
            && value.complete
            && !value.fenced
            && inside.is_some_and(|text| text.len() <= CITATION_DIGITS_MAX && digits(text))
            && end - start > 2
            && !(self.stands_apart(start) && self.line_ends(end))
    }

    /// Returns `true` if words in brackets at `start..end` are a value: in braces they are a
    /// placeholder, after a caret the mark of a footnote, and otherwise a label or a section name,
    /// unless nothing follows them on their line and below it: `[words]`, but not `[words] more`.
    pub(crate) fn words_are_value(&self, start: usize, end: usize) -> bool {
        let first = peek(self.bytes, start + 1);
        if self.bytes[start] != b'[' || matches!(first, b'!' | b'^') || !self.line_ends(end) {
            return false;
        }
        let announced = self.text_before(start).ends_with([':', '：', '>']);
        let below = self
            .window(end)
            .trim_start_matches([' ', '\t', '\r', ',', ';']);
        let below = below.strip_prefix('\n').unwrap_or(below);
        let below = below.trim_start_matches([' ', '\t', '\r']);
        announced || below.is_empty() || below.starts_with(['\n', '<', '`'])
    }

    /// Returns `true` if the parenthesis at `at` opens an array of values: quotes, digits or
    /// brackets follow, and a comma or another bracket; or a keyword, a comma and another value:
    /// `(true, 1)`, but not `(none of it)`.
    pub(crate) fn tuple_ahead(&self, at: usize) -> bool {
        let window = self.window(at + 1).trim_start();
        let closer = window.find([')', ']', '(', '[', '{', '"', '\'']);
        // `(0, 1]`
        if closer.is_some_and(|at| window[at..].starts_with(']')) {
            // An interval open on the left.
            return false;
        }
        let word = window.split(',').next().unwrap_or_default().trim_end();
        let keyword = !matches!(classify(word).0, Word::Text | Word::Number(_));
        window.starts_with(['"', '\'', '(', '[', '{', '-']) && window.contains([',', ')'])
            || window.starts_with(|c: char| c.is_ascii_digit()) && {
                // The number of an item, `(2)`, is not an array.
                let next = window.find([',', ')']);
                next.is_some_and(|at| window[at..].starts_with(','))
            }
            || keyword && word.len() < window.len() && {
                let comma = self.bytes.len() - self.text[at + 1..].trim_start().len() + word.len();
                let next = self.beyond_space(comma).1 + 1;
                let (byte, value) = self.beyond_space(next);
                byte == b')' || self.begins_value(value)
            }
    }
}

/// Splits a text before the name at its end, of which the last bytes are examined.
fn last_name(text: &str) -> (&str, &str) {
    let near = &text.as_bytes()[text.len().saturating_sub(INDEX_LOOK)..];
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    text.split_at(text.len() - near.iter().rev().take_while(is_part).count())
}

/// Returns `true` if a word is a number in any spelling: `12`, `0x1F`, but not `12:30`.
fn is_number(word: &str) -> bool {
    number::is_json(word) || matches!(classify(word).0, Word::Number(_))
}
