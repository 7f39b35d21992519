//! Tags and tokens: the markers in angle or square brackets that models write around their calls.

mod extent;
mod forms;

use super::budget::Budget;
use super::near;

use extent::{closing_bracket, marked_up, may_close, spaced_token};
use forms::{may_be_spaced, plain_name};

/// Maximum length of a tag, in bytes. Longer ones are text.
const TAG_BYTES_MAX: usize = 400;

/// Maximum number of brackets and bars with which a tag begins.
const BARS_MAX: usize = 8;

/// The prefix of every tag of MiniMax M3's calls.
pub(super) const PREFIX: &str = "]<]minimax[>[";

/// The characters that begin and end the tags of Kimi K3's calls.
const OPEN: &str = "|open|>";
const CLOSE: &str = "|close|>";
const SEPARATOR: &str = "<|sep|>";

/// The characters that begin the calls of GLM's small models, including the bracket.
const BANG: &str = "![";

/// The words that close calls and their arguments, even without a bracket.
const CLOSERS: &[&str] = &["parameter", "function", "invoke", "param"];

/// The number of steps charged for comparing a tag's name with all markers.
const STEPS_OF_NAME: usize = 16;

/// Maximum length in bytes of words that are markers only if they are [short ones](SHORT_MARKERS).
const WORD_BYTES_MAX: usize = 6;

/// Markers that are short words.
const SHORT_MARKERS: &[&str] = &[
    "action", "arg", "args", "call", "end", "eot", "invoke", "param", "plugin", "return", "s",
    "start", "think", "tool",
];

/// A tag, a special token or a marker in square brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'t> {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The complete text, as written.
    pub(super) raw: &'t str,
    /// The name as written, without brackets, bars and slash.
    pub(super) name: &'t str,
    /// The text after the name: `=value` or attributes.
    attributes: &'t str,
    pub(super) is_closing: bool,
}

/// Returns letters and digits in lower case: the part of a marker that does not depend on its
/// punctuation.
pub(super) fn normalized(marker: &str) -> String {
    if marker == BANG {
        return marker.to_owned();
    }
    if marker.is_ascii() {
        let letters = marker.chars().filter(char::is_ascii_alphanumeric);
        return letters.map(|one| one.to_ascii_lowercase()).collect();
    }
    let letters = marker.chars().filter(|one| one.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the tag name under which a marker is known.
pub(super) fn key_of(marker: &str) -> String {
    let budget = &mut Budget::new(u32::MAX, marker.len(), 0);
    match Tag::look(marker, 0, budget) {
        Some(tag) if tag.end == marker.len() && tag.attributes.is_empty() => tag.normalized(),
        _ if marker.ends_with(BANG) => BANG.to_owned(),
        _ => normalized(marker),
    }
}

/// Text that is not a tag.
pub(super) struct Miss {
    /// The number of bytes examined to see it.
    looked: usize,
    /// `true` if more text may turn it into a tag.
    pub(super) goes_on: bool,
}

impl From<usize> for Miss {
    fn from(looked: usize) -> Self {
        let goes_on = false;
        Self { looked, goes_on }
    }
}

/// Returns `true` if more text may turn the text at a position into a tag.
pub(super) fn may_become_tag(text: &str, start: usize, budget: &mut Budget) -> bool {
    Tag::read(text, start, budget).is_err_and(|miss| miss.goes_on)
}

impl<'t> Tag<'t> {
    /// Reads the tag that begins at `start` with `<` or `[`.
    pub(super) fn look(text: &'t str, start: usize, budget: &mut Budget) -> Option<Self> {
        Self::read(text, start, budget).ok()
    }

    /// Reads the tag that begins at `start`. The error says whether more text may complete it.
    pub(super) fn read(text: &'t str, start: usize, budget: &mut Budget) -> Result<Self, Miss> {
        let read = match text.as_bytes().get(start) {
            Some(b'<') => Self::angle(text, start),
            Some(b'[') => Self::square(text, start),
            _ => Err(Miss::from(0)),
        };
        match &read {
            Ok(tag) => {
                budget.charge(tag.raw.len() + STEPS_OF_NAME);
                budget.reached_end |= tag.end == text.len() && !tag.raw.ends_with(['>', ']']);
            }
            Err(miss) => budget.charge(miss.looked),
        }
        read.map_err(|miss| Miss {
            goes_on: miss.goes_on && text.len() - start < TAG_BYTES_MAX,
            ..miss
        })
    }

    /// Reads a tag that can at most end a call, which does not affect its arguments.
    pub(super) fn look_behind(text: &'t str, start: usize, budget: &mut Budget) -> Option<Self> {
        let had_reached_end = budget.reached_end;
        let tag = Self::look(text, start, budget);
        budget.reached_end = had_reached_end;
        tag
    }

    fn angle(text: &'t str, start: usize) -> Result<Self, Miss> {
        let inner = within(text, start + 1);
        if let Some(named) = inner.strip_prefix(BANG) {
            return Self::banged(text, start, named);
        }
        if inner.starts_with(OPEN) || inner.starts_with(CLOSE) {
            return Self::separated(text, start);
        }
        let after = inner.trim_start_matches('<');
        if after.len() < inner.len() && (after.starts_with(OPEN) || after.starts_with(CLOSE)) {
            return Err(Miss::from(inner.len() - after.len()));
        }
        if let Some(tag) = Self::spaced(text, start) {
            return Ok(tag);
        }
        let is_spaced = may_be_spaced(inner);
        let bars = inner.chars().take(BARS_MAX + 1);
        if bars.take_while(|one| "<|｜".contains(*one)).count() > BARS_MAX {
            return Err(Miss::from(BARS_MAX));
        }
        let after_bars = inner.trim_start_matches(['|', '｜', '<']);
        let is_closing = after_bars.starts_with('/');
        let named = after_bars.trim_start_matches(['/', '|', '｜']);
        let length = named
            .find(|one: char| !(one.is_alphanumeric() || "_-:.|｜▁".contains(one)) || one == 'Ġ')
            .unwrap_or(named.len());
        let length = spaced_token(inner).map_or(length, |end| end - (inner.len() - named.len()));
        let (name, rest) = named.split_at(length);
        let is_closing = is_closing || name.ends_with('|') && inner.len() == named.len();
        let name = name.trim_end_matches(['|', '｜']);
        let name = plain_name(name, after_bars.len() == inner.len());
        let looked = inner.len() - rest.len() + 1;
        let miss = |goes_on: bool| Miss {
            looked,
            goes_on: is_spaced || goes_on && !inner.starts_with('<'),
        };
        if name.is_empty() || !name.starts_with(|one: char| one.is_alphabetic() || one == '▁') {
            return Err(miss(named.is_empty()));
        }
        let mut end = start + 1 + (inner.len() - rest.len());
        let mut attributes = "";
        match rest.chars().next() {
            Some('>') => end += 1,
            Some('/') if rest.starts_with("/>") => end += 2,
            // `<function=name` and `<invoke name="…"` up to the bracket that closes them.
            Some('=' | ' ' | 'Ġ') => {
                let stop = marked_up(rest).or_else(|| closing_bracket(rest));
                // `i<n;` and `a <b or c <d` are not the beginnings of tags.
                let stop = stop.ok_or_else(|| Miss {
                    looked: inner.len(),
                    ..miss(may_close(rest))
                })?;
                attributes = &rest[..stop];
                end += stop + usize::from(rest[stop..].starts_with('>'));
            }
            // The closing bracket is missing: only the name is evidence.
            Some('\r' | '\n' | '{' | '[' | '<') if name.contains(['_', '▁']) => {}
            Some('\r' | '\n' | '<') if is_closing && CLOSERS.contains(&name) => {}
            None if name.contains(['_', '▁']) => {}
            Some('/') => return Err(miss(may_close(rest))),
            _ => return Err(miss(rest.is_empty())),
        }
        let start = match text[..start].ends_with(PREFIX) {
            true => start - PREFIX.len(),
            false => start,
        };
        Ok(Self::over(text, (start, end), name, attributes, is_closing))
    }

    /// Makes a tag from a part of a text.
    fn over(
        text: &'t str,
        (start, end): (usize, usize),
        name: &'t str,
        attributes: &'t str,
        is_closing: bool,
    ) -> Self {
        Self {
            start,
            end,
            raw: &text[start..end],
            name,
            attributes,
            is_closing,
        }
    }

    /// Returns words with which calls begin as a tag: the line that opens a fence, a marker without
    /// its first bracket.
    pub(super) fn of_words(text: &'t str, start: usize, end: usize) -> Self {
        let name = text[start..end].trim_start_matches('`');
        let name = name.trim_end_matches('>');
        Self::over(text, (start, end), name, "", false)
    }

    /// Returns `true` if this is an HTML or similar tag, by a quick check: a short word that no
    /// marker contains.
    pub(super) fn is_markup(&self) -> bool {
        let is_word = |one: u8| one.is_ascii_lowercase() || one.is_ascii_digit();
        self.name.len() <= WORD_BYTES_MAX
            && self.name.bytes().all(is_word)
            && !SHORT_MARKERS.contains(&self.name)
            && !self.raw.contains(['|', '｜'])
    }

    /// Returns the name without a namespace, in lower case.
    pub(super) fn local_name(&self) -> String {
        let local = self.name.rsplit([':', '｜', '|']).next();
        normalized(local.unwrap_or(self.name))
    }

    pub(super) fn normalized(&self) -> String {
        match self.has_elements() {
            true => normalized(PREFIX) + &normalized(self.name),
            false => normalized(self.name),
        }
    }

    /// Returns `value` of `<name=value>`, or of `<name attribute="value">` for an attribute of that name.
    pub(super) fn attribute(&self, name: &str) -> Option<&'t str> {
        let attributes = self.attributes.trim_start_matches([' ', 'Ġ']);
        if let Some(value) = attributes.strip_prefix('=') {
            let value = unquoted(value);
            // `<function=name key="value">`
            let end = value
                .find(' ')
                .filter(|_| self.attributes[1..].contains("=\""));
            return Some(&value[..end.unwrap_or(value.len())]);
        }
        let is_named = |key: &str| key.rsplit([' ', 'Ġ']).next() == Some(name);
        let mut pairs = self.pairs().filter(|(key, ..)| is_named(key));
        pairs.next().map(|(_, value, _)| value)
    }

    /// Returns the quoted attributes after the value of `<name=value>`: `key="value"`.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'t str, &'t str)> {
        let pairs = self.pairs().filter(|(.., is_quoted)| *is_quoted);
        pairs.map(|(key, value, _)| (key, value))
    }

    /// Returns the attributes after the value of `<name=value>`: keys, values, and `true` if the
    /// value is quoted.
    fn pairs(&self) -> impl Iterator<Item = (&'t str, &'t str, bool)> {
        let mut rest = self.attributes;
        if let Some(after) = rest.trim_start().strip_prefix('=') {
            rest = after.find(' ').map_or("", |end| &after[end..]);
        }
        std::iter::from_fn(move || {
            let (before, after) = rest.split_once('=')?;
            let value = unquoted(after);
            rest = &after[after.find(value)? + value.len()..];
            rest = rest.trim_start_matches(['"', '\'']);
            let is_space = |one: char| one.is_whitespace() || one == 'Ġ';
            let key = before.trim_matches(is_space);
            Some((key, value, after.starts_with(['"', '\''])))
        })
    }

    /// Returns `true` if the tag has attributes other than these.
    pub(super) fn has_attributes_beside(&self, own: &[&str]) -> bool {
        self.given().any(|(key, _)| !own.contains(&key))
    }

    /// Returns `true` if a quote of its attributes was lost: `<invoke name=weather">`.
    pub(super) fn lacks_quote(&self) -> bool {
        self.attributes.matches('"').count() % 2 == 1
    }

    /// Returns `true` if nothing that belongs to this tag follows: `<call/>`.
    pub(super) fn is_empty(&self) -> bool {
        self.raw.ends_with("/>")
    }

    /// Reads a tag whose first bracket was lost: `parameter=city>`, `/parameter>`, `invoke name="f">`.
    pub(super) fn without_bracket(text: &'t str, start: usize) -> Option<Self> {
        let inner = within(text, start);
        let named = inner.strip_prefix('/').unwrap_or(inner);
        let words = ["parameter", "function", "invoke"];
        let name = words.into_iter().find(|word| named.starts_with(word))?;
        let (name, rest) = named.split_at(name.len());
        let stop = closing_bracket(rest).filter(|stop| rest[*stop..].starts_with('>'))?;
        let is_closing = inner.len() != named.len();
        let is_sign =
            rest.starts_with('=') || rest.starts_with(" name=") || is_closing && stop == 0;
        let end = start + (inner.len() - rest.len()) + stop + 1;
        is_sign.then(|| Self::over(text, (start, end), name, &rest[..stop], is_closing))
    }

    /// Returns `true` if this is the tag of a call: `<function=…>`, `<invoke name="…">`.
    pub(super) fn is_call(&self) -> bool {
        self.is_about_call() && !self.is_closing
    }

    /// Returns `true` if calls begin and end with tags of this name.
    fn is_about_call(&self) -> bool {
        match &*self.local_name() {
            "function" | "invoke" => true,
            "call" => self.is_separated(),
            _ => false,
        }
    }

    /// Returns `true` if this is a tag of the kind `<|open|>name<|sep|>`.
    pub(super) fn is_separated(&self) -> bool {
        self.raw.ends_with(SEPARATOR)
    }

    /// Returns `true` if a text contains a part of tags of the kind `<|open|>name<|sep|>`.
    pub(super) fn has_separators(text: &str) -> bool {
        [OPEN, CLOSE, SEPARATOR]
            .iter()
            .any(|one| text.contains(one))
    }

    /// Returns the name of the tool, if this is the tag of a call.
    pub(super) fn call_name(&self) -> Option<&'t str> {
        match self.is_separated() {
            true => self.attribute("tool"),
            false => self.attribute("name"),
        }
    }

    /// Returns `true` if this closes the call that another tag began.
    pub(super) fn closes_call(&self, opener: &Self) -> bool {
        self.is_closing
            && match opener.is_about_call() {
                true => self.is_about_call() && self.is_of(opener),
                // An element named after a tool, or a marker with the name of one.
                false => self.name == opener.name,
            }
    }

    /// Returns `true` if this closes the element of another tag: `</parameter1>` closes
    /// `<parameter=…>`.
    pub(super) fn closes(&self, opener: &Self) -> bool {
        let (own, other) = (self.local_name(), opener.local_name());
        let is_like = own.starts_with(&other) || own.len() > 2 && other.starts_with(&own);
        self.is_closing && is_like && self.namespace() == opener.namespace()
    }

    /// Returns `true` if this is the end marker for another tag: `</name>`, `<|end_name|>`.
    pub(super) fn ends(&self, begin: &Self) -> bool {
        let (own, other) = (self.normalized(), begin.normalized());
        let inner = own.strip_prefix("end").zip(other.strip_prefix("begin"));
        self.is_closing && self.is_of(begin) || inner.is_some_and(|(own, other)| own == other)
    }

    /// Returns `true` if this closes an argument.
    pub(super) fn closes_argument(&self) -> bool {
        let local = self.local_name();
        let is_one = |word: &&str| local.starts_with(*word);
        self.is_closing && ["parameter", "param", "arg"].iter().any(is_one)
    }

    /// Returns `true` if both are tags of the same name in the same namespace.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        self.local_name() == other.local_name() && self.namespace() == other.namespace()
    }

    /// Returns the letters and digits of the namespace before the name.
    fn namespace(&self) -> String {
        if self.is_separated() {
            return SEPARATOR.to_owned();
        }
        if self.raw.starts_with(PREFIX) {
            return PREFIX.to_owned();
        }
        let space = self.name.rsplit_once([':', '｜', '|']);
        normalized(space.map_or("", |(space, _)| space))
    }

    /// Returns the beginning of the tag itself: brackets before it may belong to the value that it
    /// closes, as in `a<</parameter>`.
    pub(super) fn begin(&self) -> usize {
        let brackets = self.raw.len() - self.raw.trim_start_matches('<').len();
        self.start + brackets.saturating_sub(1)
    }

    /// Returns `true` if this is the opening tag of an element: `<city>`.
    pub(super) fn is_element(&self) -> bool {
        !self.is_closing && self.attributes.is_empty() && !self.is_empty()
    }

    /// Returns `true` if elements within a call are its arguments, according to the tag of the
    /// call.
    pub(super) fn has_elements(&self) -> bool {
        self.raw.starts_with(PREFIX)
    }

    /// Returns `true` if both give their value in the same way: `<name=value>`, or as an attribute.
    pub(super) fn is_dressed_like(&self, other: &Self) -> bool {
        let has_sign = |tag: &Self| tag.attributes.trim_start().starts_with('=');
        has_sign(self) == has_sign(other) && self.namespace() == other.namespace()
    }

    /// Returns the name of a parameter of a call, if this is its tag.
    pub(super) fn parameter(&self) -> Option<&'t str> {
        if self.is_closing || self.attributes.is_empty() {
            return None;
        }
        match &*self.local_name() {
            "parameter" | "param" | "arg" | "argument" => match self.is_separated() {
                true => self.attribute("key"),
                false => self.attribute("name"),
            },
            // `<paramname="city">`: a space was lost.
            "paramname" | "parametername" => self.attribute(""),
            _ => None,
        }
    }
}

/// Returns the beginning of a text, in which a tag must end.
fn within(text: &str, from: usize) -> &str {
    near(text, from, TAG_BYTES_MAX)
}

/// Returns an attribute's value without its quotes; without quotes it ends at a space.
fn unquoted(value: &str) -> &str {
    let value = value.trim_start();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote) {
            return inner.split(quote).next().unwrap_or_default();
        }
    }
    let end = value
        .find([' ', '/'])
        .filter(|_| value.contains(" string="));
    value[..end.unwrap_or(value.len())].trim_end_matches(['/', ' ', '"'])
}
