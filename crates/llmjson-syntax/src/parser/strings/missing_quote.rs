//! Signs, inside a string that nothing closes properly, that the next member or item has begun.

use crate::parser::look::Look;
use crate::parser::look::names::NameQuotes;
use crate::parser::look::quotes::{StringRole, quote_at};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan;
use crate::scan::{number, peek};
use crate::tape::NONE;

#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod tests;

/// The meaning of a quote inside a string that opens something.
pub(crate) enum Opens {
    Nothing,
    /// The next member or item: the string ends at the first offset, reading goes on at the other.
    Next(usize, usize),
    /// A member of another object.
    Outer,
}

/// Maximum length in bytes of a text in which an object that begins once more is looked for.
const RESTART_MAX: usize = 4096;

impl Reader<'_> {
    /// Returns whether the quote at `quote` opens the next member or item, so that the string
    /// before it lacks its closing quote. Tells where the string ends and where reading goes on.
    /// `first` says that no other quote stands before it in the string, `open` how many brackets
    /// are open there.
    pub(crate) fn opens_next(
        &self,
        here: Container,
        role: StringRole,
        start: usize,
        (quote, first): (usize, bool),
        open: i32,
    ) -> Opens {
        if role == StringRole::Key {
            return Opens::Nothing;
        }
        let before = &self.look.text[start..quote];
        let trimmed = trim_gap(before);
        let gap = &before[trimmed.len()..];
        self.look.charge_search(gap.len());
        // `{"a": ["b], "name": 1}`: the closers before the comma are those of the containers around, so the
        // string ends before them. Behind another quote they may be text of a quotation.
        if first && let Some((end, next)) = self.closed_before(here, start, quote, trimmed) {
            return Opens::Next(end, next);
        }
        if here.object {
            self.look.opens_member(start, quote, trimmed, gap)
        } else {
            self.look
                .opens_item(start, (quote, first), (trimmed, gap), open)
        }
    }

    /// Finds the closers of the containers around a string at its end, before the quote at `quote`:
    /// `"b], "name": 1`, `"x}, {"name": 1`. Tells where the string ends and where the closers begin.
    fn closed_before(
        &self,
        here: Container,
        start: usize,
        quote: usize,
        trimmed: &str,
    ) -> Option<(usize, usize)> {
        let unopened = trimmed.strip_suffix(['{', '[']);
        let opener = unopened
            .is_some()
            .then(|| trimmed.as_bytes()[trimmed.len() - 1]);
        let comma = unopened.unwrap_or(trimmed).trim_end();
        let comma = strip_comma(comma)?;
        let mut text = comma.trim_end();
        let mut closers: smallvec::SmallVec<[u8; 16]> = smallvec::SmallVec::new();
        loop {
            self.look.charge(1);
            if let Some(before) = text.strip_suffix(['}', ']']) {
                closers.push(text.as_bytes()[text.len() - 1]);
                text = before.trim_end();
            } else if let Some((before, item)) = text.rsplit_once(',')
                && before.trim_end().ends_with(['}', ']'])
                && self.look.is_scalar(item.trim())
            {
                // Numbers and keywords may stand between the closers.
                text = before.trim_end();
            } else {
                break;
            }
        }
        let mut container = here.current;
        for &closer in closers.iter().rev() {
            // `["see x}, "b"]`: brackets that close nothing around the string are its text.
            if container == NONE || self.closer_of(container) != closer {
                return None;
            }
            container = self.tape.nodes[container as usize].next;
        }
        let outer = container != here.current && container != NONE;
        // `["a[0], "b"]`: the text has opened this bracket itself.
        if !outer || self.look.balance_of(text.as_bytes()) != 0 {
            return None;
        }
        let fits = match opener {
            // `[{"a": "x}, {"name": 1}]`: the next object of the list around.
            Some(b'{') => !self.is_object(container) && self.look.key_ahead(quote),
            // `[["a], ["b"]]`: the next list of the list around.
            Some(_) => !self.is_object(container),
            // `{"a": ["b], "name": 1}`: a member of the object around.
            None if self.is_object(container) => self.look.key_ahead(quote),
            // `[["a], "b"]`: an item of the list around. A name there would be one too many.
            None => !self.look.key_ahead(quote) && self.look.item_ahead(quote),
        };
        let closers = &comma[text.len()..];
        let next = start + text.len() + (closers.len() - closers.trim_start().len());
        // `{"a": ["x, 1, 2], "b": 3}`: numbers before the closers are items of their own, not text.
        if fits
            && !here.object
            && let Some(end) = self.look.before_scalars(start, start + text.len())
        {
            return Some((end, end));
        }
        fits.then_some((start + text.len(), next))
    }

    /// Returns the offset at which the outermost object begins once more at the first quote of a
    /// member's string, which begins at `start`: the same brace and name again, and one closer
    /// missing.
    pub(crate) fn begins_again(
        &self,
        here: Container,
        start: usize,
        quote: usize,
    ) -> Option<usize> {
        let root = here.object && here.count > 0 && self.parent(here).is_none();
        let brace = self.look.text_before(quote).len().checked_sub(1)?;
        if !root || self.growing || brace < start || self.look.bytes[brace] != b'{' {
            return None;
        }
        let begin = self.tape.nodes[here.current as usize].start as usize;
        let end = self.look.key_end(quote)?;
        self.look.charge_search(end - brace);
        let same = self.look.text[begin..].starts_with(&self.look.text[brace..end]);
        let rest = &self.look.bytes[begin..];
        (same && rest.len() <= RESTART_MAX && self.look.balance_of(rest) == 1).then_some(brace)
    }

    /// Returns the way in which the name of the member read last is written.
    pub(crate) fn last_name(&self) -> NameQuotes {
        NameQuotes::missing_if(self.last_name_bare())
    }

    /// Returns `true` if the name of the member read last has no quotes, or other ones.
    pub(crate) fn last_name_bare(&self) -> bool {
        self.tape.nodes.last().is_some_and(|node| {
            let start = node.key_start as usize;
            let named =
                node.key_end > node.key_start && node.flags & crate::tape::flag::KEY_SIDE == 0;
            let before = &self.look.text[..start.min(self.look.text.len())];
            let last = before.char_indices().next_back().map_or(0, |(at, _)| at);
            named && quote_at(before, last) != Some('"')
        })
    }

    /// Returns `true` if the innermost object's names have no quotes, or other ones, as its first
    /// name shows.
    pub(super) fn bare_habit(&self, here: Container) -> bool {
        let opener = self.tape.nodes[here.current as usize].start as usize;
        let (byte, _) = self.look.skip_space(opener + 1);
        byte != b'"'
    }
}

impl Look<'_> {
    /// Returns whether the quote at `quote` opens the next member, behind the text of a member that
    /// begins at `start`: with `"x, "b": 1`, the text ends before 2, where reading goes on. `trimmed` is
    /// the text without the white space at its end, which is `gap`.
    fn opens_member(&self, start: usize, quote: usize, trimmed: &str, gap: &str) -> Opens {
        let bare = strip_comma(trimmed);
        let newline = gap.contains(['\n', '\\']);
        let value = self.key_end(quote).filter(|&value| {
            self.value_ahead(value) || newline && bare.is_some() && self.tight_key(quote)
        });
        // `[{"a": "x, {"b": 1}]`: the name is that of another object, which the brace before it opens.
        if value.is_some() && trimmed.ends_with('{') {
            return Opens::Outer;
        }
        let parted = bare.is_some() || newline;
        let tight = gap.is_empty() && self.tight_key(quote);
        // `"a": "x, "b": 1`: a comma, a line break, or a name right behind the text (`"x"b": 1`) begins the
        // next member. White space alone does not: in `"see "b": it works"` the text quotes.
        if value.is_some() && (parted || tight || self.expected_at(quote)) {
            let text = bare.unwrap_or(trimmed);
            let next = if bare.is_some() {
                start + text.len()
            } else {
                quote
            };
            return Opens::Next(start + text.trim_end().len(), next);
        }
        // A comma and a line break before it make up for a colon that is missing as well.
        if newline && bare.is_some() && self.key_without_colon(quote) {
            let text = bare.unwrap_or(trimmed);
            return Opens::Next(start + text.trim_end().len(), start + text.len());
        }
        // The name after this quote lost its own opening quote: `…cher"rating": 4`.
        let name = self.beyond_quote(quote);
        if self.bare_key_after(name) && quote - start > 1 && !gap.contains(' ') {
            return Opens::Next(quote, name);
        }
        Opens::Nothing
    }

    /// Returns whether the quote at `quote` opens the next item, behind the text of an item that
    /// begins at `start`: with `"a, "b"]`, the text ends before 2, where reading goes on. The rest is
    /// as in [`opens_next`](Reader::opens_next).
    fn opens_item(
        &self,
        start: usize,
        (quote, first): (usize, bool),
        (trimmed, gap): (&str, &str),
        open: i32,
    ) -> Opens {
        let Some(text) = strip_comma(trimmed).map(str::trim_end) else {
            return self.opens_container(start, quote, trimmed, open);
        };
        // `["b "c" d], "n": 1`: the list has ended, and the name is that of a member around it.
        if text.ends_with([']', '}']) && self.key_ahead(quote) {
            return Opens::Outer;
        }
        let item = self.beyond_quote(quote);
        let window = self.window(item).as_bytes();
        let Some(next) = scan::closing_quote(window, 0, 0) else {
            return Opens::Nothing;
        };
        let follows = self.skip_space(item + next + 1).0;
        // With another quote before it, this one may close a quotation instead.
        if (gap.is_empty() || gap.contains('\n') || first)
            && next > 0
            && matches!(follows, b',' | b']')
        {
            // `["a, 1, "b"]`: the number is an item of its own.
            if let Some(end) = self.before_scalars(start, start + text.len()) {
                return Opens::Next(end, end);
            }
            let comma = strip_comma(trimmed).map_or(0, str::len);
            return Opens::Next(start + text.len(), start + comma);
        }
        Opens::Nothing
    }

    /// Returns whether the quote at `quote` is the first in a container that is the next item: with
    /// `"a, {"b": 1}]`, the text ends before 2, where reading goes on.
    fn opens_container(&self, start: usize, quote: usize, trimmed: &str, open: i32) -> Opens {
        let text = match trimmed.strip_suffix(['{', '[']) {
            Some(text) if trimmed.ends_with('{') && self.key_ahead(quote) => text,
            Some(text) if trimmed.ends_with('[') && self.item_ahead(quote) => text,
            _ => return Opens::Nothing,
        };
        let Some(text) = strip_comma(text.trim_end()).filter(|_| open == 1) else {
            return Opens::Nothing;
        };
        let end = start + text.trim_end().len();
        let end = self.before_scalars(start, end).unwrap_or(end);
        Opens::Next(end, end)
    }

    /// Returns the offset at which the text of an item without its closing quote ends if numbers
    /// and keywords follow it up to `end`, each behind a comma: 1 in `a, 1, true`.
    pub(crate) fn before_scalars(&self, start: usize, end: usize) -> Option<usize> {
        let all = &self.text[start..end];
        let mut text = all;
        while let Some((before, item)) = text.rsplit_once(',')
            && self.is_scalar(item.trim())
            && !before.trim_end().is_empty()
        {
            text = before.trim_end();
        }
        (text.len() < all.len()).then_some(start + text.len())
    }

    /// Returns `true` if a few words at `k` stand before a name with its colon:
    /// `COMMENT "name": 1`.
    pub(crate) fn words_before_key(&self, k: usize) -> bool {
        let window = self.window(k);
        let word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.');
        let length = window.find(|c| !word(c)).unwrap_or(0);
        let words = &window[..length];
        let (byte, name) = self.skip_space(k + length);
        words.starts_with(char::is_alphabetic)
            && words.split(' ').filter(|word| !word.is_empty()).count() <= 3
            && byte == b'"'
            && self
                .key_end(name)
                .is_some_and(|value| self.value_ahead(value))
    }

    /// Returns the offset at which the text of a string ends that lacks its closing quote before
    /// `end`: before a quote sign of another kind, if that is the only one in it, 3 in `Bob”`.
    pub(crate) fn before_odd_quote(&self, start: usize, end: usize) -> usize {
        let text = self.text[start..end].trim_end();
        self.charge_search(end - start);
        let odd = |c: char| {
            matches!(
                c,
                '“' | '”' | '„' | '»' | '«' | '＂' | '\'' | '’' | '‘' | '`'
            )
        };
        let (rest, last) = match text.char_indices().next_back() {
            Some((at, last)) if odd(last) => (&text[..at], last),
            _ => return end,
        };
        // `"a": "she said “hi”, "b": 1`: the sign closes a quotation in the text.
        if opening_of(last).is_some_and(|opening| rest.contains(opening)) {
            return end;
        }
        let other = |c: char| c == last || !matches!(last, '\'' | '’' | '‘' | '`') && odd(c);
        // `"a": "the '80s', "b": 1`: with two signs, either may belong to the text.
        if rest.contains(other) {
            return end;
        }
        // `"a": "Bob”, "b": 1`: the sign stands for the quote that is missing.
        start + rest.len()
    }

    /// Returns `true` if a whole string stands at `quote` that a separator or closer follows: `"b"]`, not
    /// `"b" c`.
    pub(crate) fn item_ahead(&self, quote: usize) -> bool {
        let item = self.beyond_quote(quote);
        let window = self.window(item).as_bytes();
        scan::closing_quote(window, 0, 0).is_some_and(|next| {
            let follows = self.skip_space(item + next + 1).0;
            matches!(follows, b',' | b']')
        })
    }

    /// Returns `true` if an item stands at `k` that begins a container or that a separator or
    /// closer follows: `12]`, not `12 apples]`.
    pub(crate) fn whole_item_ahead(&self, k: usize) -> bool {
        match peek(self.bytes, k) {
            b'"' => self.item_ahead(k),
            b'{' | b'[' => true,
            _ => {
                let window = self.window(k);
                let length = window.find([',', ']', '\n']).unwrap_or(window.len());
                self.scalar_ahead(k) && !window[..length].trim_end().contains(['"', '\'', ' '])
            }
        }
    }

    /// Returns the offset of a comma or line break between `from` and `to`, inside a string without
    /// a proper end, that stands before a member whose name has no double quotes: one that is
    /// expected, or, where such names are the habit, one on a line of its own, 1 in `x,` and `b: 1`
    /// on the next line.
    pub(crate) fn bare_member_inside(
        &self,
        from: usize,
        to: usize,
        habit: NameQuotes,
    ) -> Option<usize> {
        if habit == NameQuotes::Double && self.names.is_none() {
            return None;
        }
        let inside = &self.bytes[from..to];
        self.charge_search(inside.len());
        let mut beyond = from;
        memchr::memchr2_iter(b',', b'\n', inside).find_map(|at| {
            let at = from + at;
            if at < beyond || self.work_is_used_up() {
                // White space between a comma or line break and the name behind it, seen before.
                return None;
            }
            let comma = self.bytes[at] == b',';
            let (_, name) = self.skip_space(at + 1);
            beyond = name;
            let line = self.bytes[at..name].contains(&b'\n');
            let quoted = || {
                let other = quote_at(self.text, name).is_some_and(|quote| quote != '"');
                let value = self.key_end(name).filter(|_| other);
                value.is_some_and(|value| self.value_ahead(value))
            };
            let bare = || self.name_ahead(name) && self.bare_value_ahead(name);
            if name >= to || !bare() && !quoted() {
                return None;
            }
            // `{a: "x,\nb: 1}`: where names have no quotes, a comma and a line break tell a member. Within a
            // line `x, b: 1` may be text, unless the name is one that is expected.
            (habit == NameQuotes::Other && comma && line || self.expected_at(name)).then_some(at)
        })
    }

    /// Returns `true` if a value follows the unquoted name and colon at `name`: `b: 1` or `b: x`, not `b:x`.
    fn bare_value_ahead(&self, name: usize) -> bool {
        let colon = memchr::memchr(b':', self.window(name).as_bytes());
        colon.is_some_and(|colon| {
            let value = name + colon + 1;
            let (byte, k) = self.skip_space(value);
            self.value_ahead(value) || k > value && byte.is_ascii_alphabetic()
        })
    }

    /// Returns `true` if a text is a number or keyword of JSON: `null`, not `None`.
    fn is_scalar(&self, text: &str) -> bool {
        self.charge(text.len() + 1);
        number::is_json(text) || matches!(text, "true" | "false" | "null")
    }

    /// Returns the offset at which a remark in round brackets ends that begins at `k`, words on one
    /// line without quotes: 11 of `(see below), `.
    pub(crate) fn remark_end(&self, k: usize) -> Option<usize> {
        if peek(self.bytes, k) != b'(' {
            return None;
        }
        let inside = self.window(k + 1);
        let end = inside.find([')', '(', '"', '\'', '\n', '{', '['])?;
        let words = inside[..end].starts_with(char::is_alphabetic);
        (words && inside[end..].starts_with(')')).then_some(k + 1 + end + 1)
    }
}

/// Returns the sign that opens what `closing` closes, of quotes that come in two forms: `“` of `”`.
fn opening_of(closing: char) -> Option<char> {
    match closing {
        '’' => Some('‘'),
        '”' => Some('“'),
        '»' => Some('«'),
        _ => None,
    }
}

/// Returns the text without white space at its end, also where that is escaped behind a comma: `x,` of `x,\n`.
fn trim_gap(text: &str) -> &str {
    let trimmed = text.trim_end();
    let mut unescaped = trimmed;
    while let Some(text) = ["\\n", "\\t", "\\r"]
        .iter()
        .find_map(|escape| unescaped.strip_suffix(escape))
    {
        unescaped = text.trim_end();
    }
    // `"a": "x,\n"b": 1`, where the line break is an escape: the whole document was escaped but for its
    // quotes. Without a comma the escape is the end of the text.
    if strip_comma(unescaped).is_some() {
        unescaped
    } else {
        trimmed
    }
}

/// Returns the text without the comma at its end, whatever sign it is: `a` of `a，`.
fn strip_comma(text: &str) -> Option<&str> {
    text.strip_suffix([',', '，', '、'])
}
