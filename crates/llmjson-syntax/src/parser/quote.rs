//! When does a quote end a string?
//!
//! The rule, stated once: a quote closes a string if what follows it may follow a string there.
//! In an object that is a comma and a real next name, or a closer after which the text goes on
//! sensibly; in a list a comma and a real next value, or such a closer; after a name a colon; for
//! a string on its own the end of the text. Looking ahead is bounded; runs of white space count as
//! one. A quote that does not close the string belongs to its text, unless it plainly opens the
//! next member: then the closing quote was left out.
//!
//! Strict reading takes the first quote and never asks. The rule is asked only where what follows
//! that quote cannot be read, so a string that was properly closed stays closed.

use super::gap::LOOK_AHEAD;
use super::{Here, Reader};
use crate::node::flag;
use crate::repair::RepairKind;
use crate::scan::{self, peek, skip_space};

/// What a string stands for, which decides what may follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The name of a member.
    Key,
    /// The value of a member.
    Member,
    /// An item of an array.
    Item,
}

/// A string whose end had to be looked for.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// Offset of its opening quote.
    pub(super) begin: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Offset at which reading goes on.
    pub(super) next: usize,
    /// `flag::ESCAPED`, `flag::TRUNCATED`.
    pub(super) flags: u8,
}

/// Where a string with a doubtful quote ends.
pub(super) enum End {
    /// At this quote, which closes it.
    Closed(usize),
    /// Before this offset; its closing quote is missing. Reading goes on at the second offset.
    MissingQuote(usize, usize),
    /// No quote closes it before the next member begins, and what stands behind its first quote
    /// is no part of it.
    Stray,
    /// No quote up to the end of the text closes it.
    Nowhere,
}

/// What a quote inside a string opens, if it does.
enum Opens {
    Nothing,
    /// The next member or item: the string ends at the first offset, reading goes on at the other.
    Next(usize, usize),
    /// A member of another object.
    Outer,
}

/// The quote signs that may close what `open` opened, first the proper one.
fn closers(open: char) -> &'static [char] {
    match open {
        '"' => &['"'],
        '\'' => &['\''],
        '“' | '”' | '„' | '«' | '»' => &['”', '“', '"', '»', '«'],
        '‘' | '’' | '‚' => &['’', '‘', '\''],
        '`' | '´' => &['`', '´', '\''],
        '「' => &['」'],
        '『' => &['』'],
        '＂' => &['＂', '"'],
        _ => &[],
    }
}

/// The quote at `at`, if one stands there.
pub(super) fn quote_at(text: &str, at: usize) -> Option<char> {
    let quote = text.get(at..)?.chars().next()?;
    (!closers(quote).is_empty()).then_some(quote)
}

impl Reader<'_> {
    pub(super) fn place(here: Here) -> Place {
        if here.object {
            Place::Member
        } else {
            Place::Item
        }
    }

    /// Whether what stands at `after` may follow a string in this place.
    pub(super) fn fits(&self, here: Here, place: Place, after: usize) -> bool {
        let (byte, k) = skip_space(self.bytes, after);
        let spaced = k > after;
        let newline = || self.bytes[after..k].contains(&b'\n');
        if k >= self.bytes.len() {
            return true;
        }
        if place == Place::Key {
            return byte == b':' || byte == b'=' || self.text[k..].starts_with('：');
        }
        match byte {
            b',' | b';' => self.fits_after_comma(here, place, k + 1),
            b'}' | b']' | b')' => self.closer_fits(here, k),
            b'+' => quote_at(self.text, skip_space(self.bytes, k + 1).1).is_some(),
            b'`' => self.fence_at(k) && newline(),
            b'<' => self.tag_at(k) || self.bytes[k..].starts_with(b"<!--"),
            b'/' => matches!(peek(self.bytes, k + 1), b'/' | b'*'),
            b'#' => spaced,
            b'\\' => self.escaped_space_fits(here, place, k),
            b'.' => self.bytes[k..].starts_with(b"..."),
            _ if place == Place::Member => {
                self.text[k..].starts_with('，') || (newline() || byte == b'"') && self.key_ahead(k)
            }
            b':' => here.count == 0 && self.value_ahead(k + 1),
            // A quote before a separator closes something; it opens nothing.
            b'"' | b'\'' => {
                spaced && !matches!(skip_space(self.bytes, k + 1).0, b',' | b']' | b'}')
            }
            b'{' | b'[' => true,
            _ => newline() || spaced && self.scalar_ahead(k) || self.text[k..].starts_with('，'),
        }
    }

    /// Whether the escapes at `k` stand for white space before something that fits.
    fn escaped_space_fits(&self, here: Here, place: Place, k: usize) -> bool {
        let mut at = k;
        while peek(self.bytes, at) == b'\\'
            && matches!(peek(self.bytes, at + 1), b'n' | b'r' | b't')
        {
            at = skip_space(self.bytes, at + 2).1;
            if at - k > LOOK_AHEAD {
                return false;
            }
        }
        at > k && !matches!(peek(self.bytes, at), b'\\' | b'`') && self.fits(here, place, at)
    }

    fn fits_after_comma(&self, here: Here, place: Place, after: usize) -> bool {
        let (byte, k) = skip_space(self.bytes, after);
        if k >= self.bytes.len() {
            return true;
        }
        match byte {
            b'}' | b']' | b')' => self.closer_fits(here, k),
            b'/' => matches!(peek(self.bytes, k + 1), b'/' | b'*'),
            b'#' | b',' => true,
            b'.' => self.bytes[k..].starts_with(b"..."),
            b'`' => self.fence_at(k),
            b'\\' => peek(self.bytes, k + 1) == b'n' && self.key_ahead(k + 2),
            b'{' if place == Place::Member => self.encloses(here, b']'),
            _ if place == Place::Member => self.key_ahead(k),
            b'"' | b'\'' | b'{' | b'[' | b'(' | b'-' | b'0'..=b'9' => true,
            _ => self.bare_item_ahead(k),
        }
    }

    /// Whether the closers from `k` on are followed by what may follow them.
    fn closer_fits(&self, here: Here, k: usize) -> bool {
        if !self.encloses(here, self.bytes[k]) {
            return false;
        }
        let mut closed = 0;
        let (mut byte, mut at, mut end) = (self.bytes[k], k, k);
        while matches!(byte, b'}' | b']' | b')') && at - k < LOOK_AHEAD {
            closed += 1;
            end = at + 1;
            (byte, at) = skip_space(self.bytes, end);
        }
        let spaced = at > end;
        let newline = self.bytes[end..at].contains(&b'\n');
        match byte {
            0 if at >= self.bytes.len() => true,
            b',' | b';' | b'/' | b'#' | b'<' | b'`' | b'\\' => true,
            b'"' | b'\'' => newline && closed < self.depth,
            _ if closed >= self.depth => spaced || !byte.is_ascii_alphanumeric(),
            b'{' | b'[' => true,
            _ => newline,
        }
    }

    /// Whether a container that `closer` closes is open.
    pub(super) fn encloses(&self, here: Here, closer: u8) -> bool {
        let mut at = here.current;
        while let Some(node) = self.tape.nodes.get(at as usize) {
            if self.closer_of(at) == closer {
                return true;
            }
            at = node.next;
        }
        false
    }

    /// The bracket that closes an open container: that of its opener, whatever it turned into.
    pub(super) fn closer_of(&self, container: u32) -> u8 {
        let node = &self.tape.nodes[container as usize];
        match peek(self.bytes, node.start as usize) {
            b'[' => b']',
            b'(' => b')',
            _ => b'}',
        }
    }

    /// Whether a name and a colon stand at `k`, and then something.
    pub(super) fn key_ahead(&self, k: usize) -> bool {
        self.key_end(k).is_some()
    }

    /// The offset just past the colon of the name at `k`.
    pub(super) fn key_end(&self, k: usize) -> Option<usize> {
        let quoted = quote_at(self.text, k);
        let end = match quoted {
            Some(quote) => {
                let start = k + quote.len_utf8();
                let window = self.window(start);
                let end = window.find(closers(quote))?;
                if window[..end].contains('\n') {
                    return None;
                }
                start + end + window[end..].chars().next()?.len_utf8()
            }
            None => {
                let word = self.window(k);
                let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.');
                let length = word.find(|c| !name(c)).unwrap_or(word.len());
                if length == 0 {
                    return None;
                }
                k + length + usize::from(word[length..].starts_with(['"', '\'']))
            }
        };
        let (byte, colon) = skip_space(self.bytes, end);
        let rest = self.text.get(colon..)?;
        let after = match byte {
            b':' => colon + 1,
            b'=' => colon + 1 + usize::from(rest.starts_with("=>")),
            _ if rest.starts_with('：') => colon + '：'.len_utf8(),
            _ => return None,
        };
        (quoted.is_some() || self.value_ahead(after)).then_some(after)
    }

    /// Whether a value as JSON or its relatives write it stands after `at`.
    fn value_ahead(&self, at: usize) -> bool {
        let (byte, k) = skip_space(self.bytes, at);
        match byte {
            b'{' | b'[' | b'(' => true,
            _ if quote_at(self.text, k).is_some() => true,
            0 => k >= self.bytes.len(),
            _ => self.scalar_ahead(k),
        }
    }

    /// Whether a number or keyword stands at `k` and ends as one.
    fn scalar_ahead(&self, k: usize) -> bool {
        let word = self.window(k);
        let end = word
            .find([',', '}', ']', ' ', '\n', '\r', '\t'])
            .unwrap_or(word.len());
        let word = &word[..end];
        let number = word
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_digit());
        number
            || matches!(
                word,
                "true" | "false" | "null" | "True" | "False" | "None" | "undefined"
            )
    }

    /// Whether an item without quotes stands at `k`: its text ends before any quote does.
    fn bare_item_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        match window.find([',', ']', '\n', '"', '\'', ':']) {
            Some(end) => !window[end..].starts_with(['"', '\'', ':']),
            None => window.len() < LOOK_AHEAD,
        }
    }

    /// The next bytes, as far as looking ahead goes.
    pub(super) fn window(&self, start: usize) -> &str {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut end = rest.len().min(LOOK_AHEAD);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        &rest[..end]
    }

    /// Where the double-quoted string that begins at `start` ends, given that its first quote, at
    /// `first`, is not followed by what may follow.
    pub(super) fn true_end(&mut self, here: Here, place: Place, start: usize, first: usize) -> End {
        let mut quote = first;
        let mut seen = start;
        let mut balance = 0i32;
        // The quote that would do but for brackets left open in the text, and how many.
        let mut unbalanced: Option<(i32, usize)> = None;
        let mut quotes = 0;
        loop {
            balance += balance_of(&self.bytes[seen..quote]);
            seen = quote;
            match self.opens_next(here, place, start, quote) {
                Opens::Next(end, next) if balance <= 0 => return End::MissingQuote(end, next),
                Opens::Outer if balance <= 0 => return End::Stray,
                Opens::Nothing => {}
                _ => {
                    if let Some((_, quote)) = unbalanced {
                        return End::Closed(quote);
                    }
                }
            }
            if self.fits(here, place, quote + 1) {
                let closer = matches!(skip_space(self.bytes, quote + 1).0, b'}' | b']' | b')');
                if !closer || balance <= 0 {
                    return End::Closed(quote);
                }
                if unbalanced.is_none_or(|(least, _)| balance <= least) {
                    unbalanced = Some((balance, quote));
                }
            }
            if first >= self.hopeless_from {
                break;
            }
            quotes += 1;
            match scan::closing_quote(self.bytes, start, quote + 1) {
                Some(next) => quote = next,
                None => {
                    self.hopeless_from = self.hopeless_from.min(first);
                    break;
                }
            }
        }
        match unbalanced {
            Some((_, quote)) => End::Closed(quote),
            None if quotes > 1 => End::Nowhere,
            None => End::Stray,
        }
    }

    /// Whether the quote at `quote` opens the next member or item, so that the string before it
    /// lacks its closing quote. Tells where the string ends and where reading goes on.
    fn opens_next(&self, here: Here, place: Place, start: usize, quote: usize) -> Opens {
        let before = &self.text[start..quote];
        let trimmed = before.trim_end_matches([' ', '\t', '\r', '\n']);
        let gap = &before[trimmed.len()..];
        let comma = trimmed.ends_with(',');
        match place {
            Place::Member if here.object => {
                let value = self.key_end(quote).filter(|&value| self.value_ahead(value));
                if value.is_some() && trimmed.ends_with('{') {
                    return Opens::Outer;
                }
                let parted = comma || gap.contains('\n');
                if value.is_some() && (parted || gap.is_empty() && self.tight_key(quote)) {
                    let text = trimmed.strip_suffix(',').unwrap_or(trimmed);
                    let next = if comma {
                        start + trimmed.len() - 1
                    } else {
                        quote
                    };
                    return Opens::Next(start + text.trim_end().len(), next);
                }
                // The name after this quote lost its own opening quote: `…cher"rating": 4`.
                if self.bare_key_after(quote + 1) && before.len() > 1 && !gap.contains(' ') {
                    return Opens::Next(quote, quote + 1);
                }
                Opens::Nothing
            }
            Place::Item if comma => {
                let text = trimmed[..trimmed.len() - 1].trim_end();
                if text.ends_with([']', '}']) && self.key_ahead(quote) {
                    return Opens::Outer;
                }
                let window = self.window(quote + 1).as_bytes();
                let Some(next) = scan::closing_quote(window, 0, 0) else {
                    return Opens::Nothing;
                };
                let follows = skip_space(self.bytes, quote + 1 + next + 1).0;
                if (gap.is_empty() || gap.contains('\n'))
                    && next > 0
                    && matches!(follows, b',' | b']')
                {
                    return Opens::Next(start + text.len(), start + trimmed.len() - 1);
                }
                Opens::Nothing
            }
            _ => Opens::Nothing,
        }
    }

    /// Whether the name at `quote` has no spaces and is followed by a value that ends properly.
    fn tight_key(&self, quote: usize) -> bool {
        let window = self.window(quote + 1);
        window
            .find('"')
            .is_some_and(|end| !window[..end].contains(' '))
    }

    /// Whether a name without opening quote stands at `k`: `rating": 4,`.
    fn bare_key_after(&self, k: usize) -> bool {
        let window = self.window(k);
        let Some(end) = window.find('"') else {
            return false;
        };
        let name = &window[..end];
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(plain) {
            return false;
        }
        let (byte, colon) = skip_space(self.bytes, k + end + 1);
        byte == b':' && self.value_ahead(colon + 1)
    }

    /// Reads a string in quotes other than plain double ones, or a double-quoted one that no
    /// quote closes. `k` is at the opening quote.
    pub(super) fn odd_string(&mut self, here: Here, place: Place, k: usize, quote: char) -> Found {
        let start = k + quote.len_utf8();
        let kinds = closers(quote);
        let mut first = None;
        let mut at = start;
        while let Some(offset) = self.text[at..].find(|c| c == '\\' || kinds.contains(&c)) {
            let end = at + offset;
            let closer = self.text[end..].chars().next().unwrap_or('\\');
            at = end + closer.len_utf8();
            if closer == '\\' {
                at += self.text[at..].chars().next().map_or(0, char::len_utf8);
                continue;
            }
            if first.is_none() {
                first = Some((end, at));
            }
            if self.fits(here, place, at) || place == Place::Key && self.key_closes(at) {
                let inner = first.is_some_and(|(other, _)| other != end);
                return self.quoted_found(k, start, end, at, quote, inner);
            }
            if first.is_some_and(|(end, _)| end >= self.hopeless_from) {
                break;
            }
        }
        if let Some((end, next)) = first {
            self.hopeless_from = self.hopeless_from.min(end);
            return self.quoted_found(k, start, end, next, quote, false);
        }
        if quote != '"' {
            self.repair(RepairKind::OtherQuotes, k, start);
        }
        self.unclosed_string(here, place, start)
    }

    /// Whether a name may end here though no colon follows: a value follows at once.
    fn key_closes(&self, after: usize) -> bool {
        let (byte, k) = skip_space(self.bytes, after);
        k > after && matches!(byte, b'{' | b'[' | b'"' | b'\'' | b'0'..=b'9')
            || k > after && quote_at(self.text, k).is_some()
    }

    fn quoted_found(
        &mut self,
        k: usize,
        start: usize,
        end: usize,
        next: usize,
        quote: char,
        inner: bool,
    ) -> Found {
        if quote != '"' {
            self.repair(RepairKind::OtherQuotes, k, next);
        }
        if inner {
            self.repair(RepairKind::InnerQuote, start, end);
        }
        let flags = self.inspect_all(start, end);
        Found {
            begin: k,
            start,
            end,
            next,
            flags,
        }
    }

    /// Records what is odd inside a string and gives its flags.
    pub(super) fn inspect_all(&mut self, start: usize, end: usize) -> u8 {
        let (flags, suspect) = scan::inspect(&self.bytes[start..end]);
        if suspect {
            self.inspect(start, end);
        }
        flags
    }

    /// A string that begins at `start` and that no quote closes: the text ended in it, or its
    /// quote was left out before the last closers.
    pub(super) fn unclosed_string(&mut self, here: Here, place: Place, start: usize) -> Found {
        let mut limit = self.end_of_text(start);
        let inside = &self.text[start..limit];
        let unfenced = inside.trim_end().trim_end_matches('`');
        let fence = inside.trim_end().len() - unfenced.len() >= 3;
        let inside = if fence { unfenced } else { inside };
        if fence && self.last_closers(here, inside).is_some() {
            limit = start + inside.len();
        }
        let inside = &self.text[start..limit];
        let behind = skip_space(self.bytes, limit).1;
        let (mut end, mut next) = (limit, limit);
        if (behind >= self.bytes.len() || fence)
            && place != Place::Key
            && let Some(closers) = self.last_closers(here, inside)
        {
            next = start + closers;
            end = start + inside[..closers].trim_end().len();
            if inside[..closers].trim_end().ends_with(',') {
                end = start + inside[..closers].trim_end().len() - 1;
            }
            self.repair(RepairKind::MissingQuote, end, end);
            let flags = self.inspect_all(start, end);
            return Found {
                begin: start,
                start,
                end,
                next,
                flags,
            };
        }
        if limit < self.bytes.len() {
            // A fence on a line of its own ends the text; the line break before it is no part.
            end = start + inside.trim_end_matches(['\n', '\r']).len();
        }
        let whole = crate::escape::whole_escapes(&self.text[start..end]);
        if start + whole < end {
            self.repair(RepairKind::CutEscape, start + whole, end);
            end = start + whole;
        }
        self.repair(RepairKind::UnclosedString, end, end);
        let flags = self.inspect_all(start, end) | flag::TRUNCATED;
        next = next.max(end);
        Found {
            begin: start,
            start,
            end,
            next,
            flags,
        }
    }

    /// Where the text of the value ends at the latest: before a closing fence on its own line.
    fn end_of_text(&self, start: usize) -> usize {
        let mut at = start;
        while let Some(newline) = memchr::memchr(b'\n', &self.bytes[at..]) {
            at += newline + 1;
            let indent = self.bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
            let k = at + indent.count();
            if self.fence_at(k) && self.text[k..].trim_matches(['`', '~']).trim().is_empty() {
                return at - 1;
            }
        }
        self.bytes.len()
    }

    /// Offset in `inside` of the closers at its end, if they are just those that are missing.
    fn last_closers(&self, here: Here, inside: &str) -> Option<usize> {
        let mut at = here.current;
        let mut rest = inside.trim_end();
        let mut expected: smallvec::SmallVec<[u8; 16]> = smallvec::SmallVec::new();
        while let Some(node) = self.tape.nodes.get(at as usize) {
            expected.push(self.closer_of(at));
            at = node.next;
        }
        for closer in expected.iter().rev() {
            rest = rest.strip_suffix(char::from(*closer))?.trim_end();
        }
        (!expected.is_empty() && balance_of(rest.as_bytes()) <= 0).then_some(rest.len())
    }
}

/// Opening brackets less closing ones.
fn balance_of(bytes: &[u8]) -> i32 {
    bytes.iter().fold(0, |sum, byte| match byte {
        b'{' | b'[' | b'(' => sum + 1,
        b'}' | b']' | b')' => sum - 1,
        _ => sum,
    })
}
