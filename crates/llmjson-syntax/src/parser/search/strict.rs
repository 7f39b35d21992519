//! Lookahead over strict JSON after a quote: the longer it is, the clearer that the quote closes
//! the string.

use smallvec::SmallVec;

use crate::parser::look::scalars::is_number;
use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{Event, Kind, PASSED, Reading};
use crate::scan;

/// Number of bytes to look ahead, and of events to go back for keys.
const RUN_LOOK: usize = 2_000;
const NAMES_LOOK: usize = 64;

/// JSON in a string that such a lookahead skipped before, with the nesting depth of such strings.
const EMBEDDED_LOOK: usize = 1 << 14;
const EMBEDDED_MOST: u8 = 4;

/// Number of tokens up to the second string of an array.
const ITEM: u32 = 3;

/// Number of tokens of a member.
const MEMBER: u32 = 4;

/// The strength of the evidence that a quote closes its string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Weak,
    /// A complete member or item follows.
    Member,
    /// Strict JSON follows up to the end.
    Strict,
}

/// JSON within a string.
#[derive(Clone, Copy)]
pub(crate) struct Embedded {
    pub(crate) end: usize,
    /// `true` if some of its quotes are escaped.
    pub(crate) escaped: bool,
    /// `true` if the whole text ends in it.
    pub(crate) cut: bool,
}

/// Strict JSON ahead.
struct Run {
    /// The quote of its strings.
    sign: u8,
    tokens: u32,
    /// `true` if it extends to the end of the text.
    whole: bool,
    /// `true` if it has a key.
    named: bool,
    end: usize,
    /// `true` if a quote after a backslash is a JSON quote and an escaped line break is white
    /// space, in a text in which only some quotes were escaped.
    escaped: bool,
    /// `true` if the whole text ends in it.
    cut: bool,
    /// Nesting depth of strings that may contain JSON with unescaped quotes.
    within: u8,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            sign: b'"',
            tokens: 0,
            whole: false,
            named: false,
            end: 0,
            escaped: false,
            cut: false,
            within: 0,
        }
    }
}

impl Search<'_> {
    /// Returns the strength of the evidence at `at` that the string before it has ended.
    pub(crate) fn sign_of_end(&self, reading: &Reading, at: usize) -> Sign {
        let run = self.strict_run(reading.frame, at);
        self.charge((run.end - at) / 16);
        if run.whole {
            return Sign::Strict;
        }
        if run.tokens >= MEMBER {
            Sign::Member
        } else {
            Sign::Weak
        }
    }

    /// Returns `true` if the current object has a member with this key.
    pub(crate) fn has_name(&self, reading: &Reading, name: &str) -> bool {
        let (mut at, mut depth) = (reading.trail, 0i32);
        // Other openers precede the opener of the object.
        let mut within = true;
        for _ in 0..NAMES_LOOK {
            if at == 0 {
                break;
            }
            self.charge(1);
            let step = &self.trail[at as usize];
            match step.event {
                Event::Object(_) | Event::Array(_) => {
                    depth -= 1;
                    within &= depth >= 0;
                }
                Event::Close(..) => depth += 1,
                Event::Name(place, ..)
                    if depth == 0
                        && within
                        && self.text.text.get(place.start as usize..place.end as usize)
                            == Some(name) =>
                {
                    return true;
                }
                _ => {}
            }
            at = step.before;
        }
        false
    }

    /// Returns the cost of continuing past an end. It is lower in strings that evidently contain
    /// JSON.
    pub(crate) fn pass(&self, sign: Sign, passed: u8) -> u32 {
        let less = if passed >= PASSED { 8 } else { passed / 4 };
        match sign {
            Sign::Weak => price::PASS_WEAK >> less,
            Sign::Member => price::PASS_MEMBER >> less,
            Sign::Strict => price::PASS_STRICT,
        }
    }

    /// Returns the object or array that begins at `at` inside a string, if it ends nearby or the
    /// whole text ends in it. It must be strict JSON, except that some of its quotes may be escaped
    /// like those of the surrounding text.
    pub(crate) fn embedded(&self, at: usize, sign: u8) -> Option<Embedded> {
        // `{"a": "\"x\""}`: the escapes belong to the embedded JSON or to the surrounding text.
        let found = [false, true].map(|escaped| self.embedded_as(at, sign, escaped, EMBEDDED_MOST));
        let whole = found.iter().flatten().find(|one| !one.cut);
        whole.or(found.iter().flatten().next()).copied()
    }

    fn embedded_as(&self, at: usize, sign: u8, escaped: bool, within: u8) -> Option<Embedded> {
        // Each part of a string is scanned a bounded number of times.
        let (start, end) = self.looked.get();
        let stop = match (start + 1..end).contains(&at) {
            true => (at + EMBEDDED_LOOK).min(self.text.len()),
            false => self.text.len(),
        };
        let mut open: SmallVec<[u8; 16]> = SmallVec::new();
        let mut run = Run {
            sign,
            within,
            escaped,
            ..Run::default()
        };
        let from = at;
        let seen = |at: usize| {
            self.charge((at - from) / 16);
            if at - from > EMBEDDED_LOOK {
                self.looked.set((from, at));
            }
        };
        let (mut at, mut after) = self.strict_value(at, &mut run, &mut open)?;
        while at < stop {
            if after {
                let closer = *open.last()?;
                let byte = self.text.at(at);
                if byte == closer {
                    open.pop();
                    if open.is_empty() {
                        seen(at);
                        let end = at + 1;
                        return Some(Embedded {
                            end,
                            escaped,
                            cut: false,
                        });
                    }
                } else if byte != b',' {
                    break;
                }
                at = self.blank(at + 1, &run);
                if byte == closer {
                    continue;
                }
            }
            if open.last() == Some(&b'}') {
                match self.strict_name(at, &mut run) {
                    Some(value) => at = value,
                    None => break,
                }
            }
            match self.strict_value(at, &mut run, &mut open) {
                Some(next) => (at, after) = next,
                None => break,
            }
        }
        seen(at);
        // `{"city": "Par`: a key with its colon, or the strings of an array, identify it as JSON.
        let shown = run.named || run.tokens > ITEM;
        let (end, cut) = (self.text.len(), true);
        (shown && (run.cut || at >= end)).then_some(Embedded { end, escaped, cut })
    }

    /// Returns the strict JSON that continues after a value that ended before `at`.
    fn strict_run(&self, frame: u32, at: usize) -> Run {
        let stop = (at + RUN_LOOK).min(self.text.len());
        let mut outer = self.frames[frame as usize];
        let mut open: SmallVec<[u8; 16]> = SmallVec::new();
        let (mut run, mut after) = (Run::default(), true);
        let mut at = self.blank(at, &run);
        loop {
            run.end = at;
            if open.is_empty() && outer.kind == Kind::Root {
                run.whole = after && self.text.ends(at);
                return run;
            }
            if at >= stop {
                // A long stretch was strict throughout.
                run.whole = at < self.text.len();
                return run;
            }
            let named = open.last().map_or(outer.kind.has_names(), |&c| c == b'}');
            if after {
                let closer = open.last().copied().unwrap_or(outer.closer);
                let byte = self.text.at(at);
                if byte != closer && byte != b',' {
                    return run;
                }
                if byte == closer && open.pop().is_none() {
                    outer = self.frames[outer.parent as usize];
                }
                at = self.blank(at + 1, &run);
                run.tokens += 1;
                if byte == closer {
                    continue;
                }
            }
            if named {
                match self.strict_name(at, &mut run) {
                    Some(value) => at = value,
                    None => return run,
                }
            }
            match self.strict_value(at, &mut run, &mut open) {
                Some((next, ended)) => (at, after) = (next, ended),
                None => return run,
            }
        }
    }

    /// Returns the offset after a strict key and its colon.
    fn strict_name(&self, at: usize, run: &mut Run) -> Option<usize> {
        let end = self.strict_string(at, run)?;
        let colon = self.blank(end, run);
        if self.text.at(colon) != b':' {
            run.cut |= colon >= self.text.len();
            return None;
        }
        run.named = true;
        run.tokens += 1;
        Some(self.blank(colon + 1, run))
    }

    /// Returns the offset after a strict scalar or opening bracket, and `true` if a value ended
    /// there.
    fn strict_value(
        &self,
        at: usize,
        run: &mut Run,
        open: &mut SmallVec<[u8; 16]>,
    ) -> Option<(usize, bool)> {
        run.tokens += 1;
        match self.text.at(at) {
            c @ (b'{' | b'[') => {
                let closer = if c == b'{' { b'}' } else { b']' };
                open.push(closer);
                let next = self.blank(at + 1, run);
                Some((next, self.text.at(next) == closer))
            }
            sign if sign == run.sign || sign == b'\\' => {
                // `"args": "{"q": "{"a": 1}"}"`: unescaped JSON in JSON.
                let nested = || {
                    let opener = matches!(self.text.at(at + 1), b'{' | b'[');
                    let within = run.within.checked_sub(1).filter(|_| opener)?;
                    let found = self.embedded_as(at + 1, run.sign, run.escaped, within)?;
                    let quote = self.text.space(found.end).0;
                    let end = (self.text.at(quote) == run.sign).then_some(quote + 1);
                    (end.is_some() || found.cut).then_some(end)
                };
                let end = match nested() {
                    Some(end) => {
                        run.cut |= end.is_none();
                        end
                    }
                    None => self.strict_string(at, run),
                };
                // A string with raw line breaks, possible here too.
                run.tokens += u32::from(end.is_none());
                Some((self.blank(end?, run), true))
            }
            _ => {
                let word = self.text.word_at(at);
                let strict = matches!(word, "true" | "false" | "null") || is_number(word);
                run.cut |= at + word.len() >= self.text.len();
                strict.then(|| (self.blank(at + word.len(), run), true))
            }
        }
    }

    /// Returns the length of a JSON quote at `at`, or 0.
    fn strict_quote(&self, at: usize, run: &Run) -> usize {
        match (self.text.at(at), self.text.at(at + 1)) {
            (sign, _) if sign == run.sign => 1,
            (b'\\', sign) if run.escaped && sign == run.sign => 2,
            _ => 0,
        }
    }

    /// Returns the offset after a strict string at `at`.
    fn strict_string(&self, at: usize, run: &mut Run) -> Option<usize> {
        let opens = self.strict_quote(at, run);
        if opens == 0 {
            return None;
        }
        let mut from = at + opens;
        loop {
            let rest = self.text.bytes.get(from..).unwrap_or_default();
            let Some(found) = memchr::memchr3(run.sign, b'\\', b'\n', rest) else {
                run.cut = true;
                return None;
            };
            let found = from + found;
            match (self.text.bytes[found], self.strict_quote(found, run)) {
                (_, length @ 1..) => return Some(found + length),
                // `\\\"` is a quote inside a string.
                (b'\\', _) if run.escaped && self.text.at(found + 1) == b'\\' => {
                    from = found + 2 + self.strict_quote(found + 2, run);
                }
                (b'\\', _) => from = found + 2,
                _ => return None,
            }
        }
    }

    /// Returns the offset after JSON white space.
    fn blank(&self, at: usize, run: &Run) -> usize {
        let mut at = scan::skip_space(self.text.bytes, at).1;
        while run.escaped
            && self.text.at(at) == b'\\'
            && matches!(self.text.at(at + 1), b'n' | b't' | b'r')
        {
            at = scan::skip_space(self.text.bytes, at + 2).1;
        }
        at
    }
}
