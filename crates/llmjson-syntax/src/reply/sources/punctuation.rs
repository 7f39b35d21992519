//! JSON whose structure is written with other punctuation: `{⟨a⟩ → 1 ¦ ⟨b⟩ → 2}`.
//!
//! Each role in JSON (to open or close a string, follow a key, or separate members) is assigned to the
//! first characters that occur in it, and keeps them.

use alloc::vec::Vec;
use core::cell::OnceCell;

use memchr::memmem;

use crate::parser::look::scalars::{is_keyword, is_number};
use crate::reply::sources::map::Derived;

/// The punctuation that the parser reads by itself, by role.
const KNOWN: [&[&str]; 4] = [
    QUOTES,
    QUOTES,
    &[":", "=", ":=", "=>", "->", "::", "：", "﹕", "꞉"],
    &[",", ";", "，", "；", "、", "﹐"],
];
const QUOTES: &[&str] = &[
    "\"", "'", "`", "“", "”", "„", "‟", "‘", "’", "‚", "«", "»", "〝", "〞", "「", "」", "『",
    "』", "´",
];

/// Maximum number of characters that together have one role.
const RUN_MAX: usize = 3;

/// The roles of punctuation in JSON, other than brackets.
#[derive(Clone, Copy)]
enum Role {
    Open,
    Close,
    Colon,
    Comma,
}

const ROLES: [Role; 4] = [Role::Open, Role::Close, Role::Colon, Role::Comma];

/// The next part of the value.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Key,
    Value,
    Next,
}

/// A text, and the punctuation learned from it.
struct Rewriter<'t> {
    text: &'t str,
    at: usize,
    /// The characters of each role, and the number of their uses.
    roles: [(&'t str, usize); 4],
    /// The closers of the open containers, and whether the containers are objects.
    open: Vec<(char, bool)>,
    has_other_brackets: bool,
    derived: Derived,
}

/// Replaces a value's punctuation by the punctuation of JSON. Returns `None` unless the value is
/// JSON up to its end or the end of the text, and contains all other punctuation repeatedly.
pub(crate) fn other_punctuation(text: &str) -> Option<Derived> {
    let at = beginning(text)?;
    let mut rewriter = Rewriter {
        text,
        at,
        roles: [("", 0); 4],
        open: Vec::new(),
        has_other_brackets: false,
        derived: Derived::default(),
    };
    rewriter.derived.push(0, &text[..at]);
    let has_others = || {
        // A bracket that opens a value follows no word.
        let mut brackets = memchr::memchr2_iter(b'(', b'<', text.as_bytes());
        let opens = |at: usize| {
            let before = text[..at].trim_end_matches([' ', '\t']);
            !before.ends_with(char::is_alphanumeric)
        };
        brackets.any(opens) || has_punctuation_beyond_ascii(text)
    };
    let may_have_others = OnceCell::new();
    let mut want = Want::Value;
    loop {
        rewriter.space();
        if rewriter.rest().is_empty() {
            break;
        }
        want = match want {
            _ if rewriter.close() => Want::Next,
            Want::Key => {
                rewriter.string()?;
                rewriter.space();
                rewriter.role(Role::Colon, ":")?;
                Want::Value
            }
            Want::Value => rewriter.value()?,
            Want::Next => {
                rewriter.role(Role::Comma, ",")?;
                // Each role keeps its punctuation, and the parser reads this by itself.
                if rewriter.is_usual() && !*may_have_others.get_or_init(has_others) {
                    return None;
                }
                rewriter.member()
            }
        };
        if want == Want::Next && rewriter.open.is_empty() {
            break;
        }
    }
    let other = ROLES.into_iter().filter(|role| rewriter.is_other(*role));
    let (count, once) = other.fold((0, false), |(count, once), role| {
        (count + 1, once || rewriter.roles[role as usize].1 < 2)
    });
    let is_habit = !once && (count > 0 || rewriter.has_other_brackets && rewriter.open.is_empty());
    is_habit.then(|| rewriter.derived.finish(text, rewriter.at))
}

/// Returns the offset of the first bracket that begins a line, or else of the first one of JSON.
fn beginning(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let has_bracket = memchr::memchr3(b'{', b'[', b'(', bytes).is_some();
    if !has_bracket && text.is_ascii() && memchr::memchr(b'<', bytes).is_none() {
        return None;
    }
    let lines = text.split('\n').map(str::trim_start);
    let begins = lines.map(|line| (line, line.chars().next().unwrap_or(' ')));
    let is_bracket = |&(line, c): &(&str, char)| {
        let own = matches!(c, '{' | '[');
        let other = !c.is_ascii() || c == '(' || c == '<' && !is_tag(line);
        let is_quote = { QUOTES }.iter().any(|quote| quote.starts_with(c));
        own || other && !is_quote && closer_of(c).is_some()
    };
    let place = |(line, _): (&str, char)| line.as_ptr() as usize - text.as_ptr() as usize;
    let mut begins = begins.filter(is_bracket);
    begins.next().map(place).or_else(|| text.find(['{', '[']))
}

/// Returns the offset of the first occurrence of a few characters: usually a single byte.
fn find(text: &str, signs: &str) -> Option<usize> {
    match signs.as_bytes() {
        [byte] => memchr::memchr(*byte, text.as_bytes()),
        signs => memmem::find(text.as_bytes(), signs),
    }
}

fn is_tag(line: &str) -> bool {
    line[1..].starts_with(|c: char| c.is_alphanumeric() || "/!|?".contains(c))
}

/// Returns `true` for a character that is neither part of a word nor a space.
fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control()
}

fn has_punctuation_beyond_ascii(text: &str) -> bool {
    // Parts in ASCII are passed in a few steps.
    let parts = text.as_bytes().chunks(32).enumerate();
    let mut others = parts.filter(|(_, part)| !part.is_ascii());
    others.any(|(count, part)| {
        let mut starts = (0..part.len()).filter(|at| part[*at] >= 0xC0);
        starts.any(|at| text[32 * count + at..].starts_with(is_punctuation))
    })
}

/// Returns the closing bracket for an opening one. Beyond ASCII it is the next character.
fn closer_of(c: char) -> Option<char> {
    match c {
        '(' => Some(')'),
        '<' | '[' | '{' => char::from_u32(c as u32 + 2),
        _ if c.is_ascii() || !is_punctuation(c) => None,
        _ => char::from_u32(c as u32 + 1).filter(|closer| is_punctuation(*closer)),
    }
}

impl<'t> Rewriter<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Returns `true` if every role has punctuation that the parser reads.
    fn is_usual(&self) -> bool {
        let used = |role| self.roles[role as usize].1 > 0;
        ROLES
            .into_iter()
            .all(|role| used(role) && !self.is_other(role))
    }

    /// Copies the next `length` bytes.
    fn copy(&mut self, length: usize) {
        let end = self.at + length;
        if length > 0 {
            self.derived.push(self.at, &self.text[self.at..end]);
        }
        self.at = end;
    }

    fn space(&mut self) {
        self.copy(self.rest().len() - self.rest().trim_start().len());
    }

    /// Writes punctuation of JSON for the next `length` bytes.
    fn write(&mut self, c: &str, length: usize) {
        self.derived.push(self.at, c);
        self.at += length;
    }

    /// Returns what comes next in the innermost container.
    fn member(&self) -> Want {
        match self.open.last() {
            Some((_, true)) => Want::Key,
            _ => Want::Value,
        }
    }

    /// Passes the closer of the innermost container.
    fn close(&mut self) -> bool {
        let Some(&(closer, is_object)) = self.open.last() else {
            return false;
        };
        let closes = self.rest().starts_with(closer);
        if closes {
            self.write(if is_object { "}" } else { "]" }, closer.len_utf8());
            self.open.pop();
        }
        closes
    }

    fn run_of(&self, role: Role) -> &'t str {
        self.roles[role as usize].0
    }

    /// Returns `true` if the parser does not read the characters of a role, once or doubled.
    fn is_other(&self, role: Role) -> bool {
        let (run, known) = (self.run_of(role), KNOWN[role as usize]);
        let is_separator = matches!(role, Role::Colon | Role::Comma);
        let doubled = known.iter().any(|c| run.split(c).all(str::is_empty));
        !(run.is_empty() || known.contains(&run) || is_separator && doubled)
    }

    fn learn(&mut self, role: Role, run: &'t str) {
        self.roles[role as usize] = (run, 0);
    }

    /// Returns the punctuation at the beginning of a text that can have one role.
    fn run(&self, rest: &'t str) -> Option<&'t str> {
        let open = self.run_of(Role::Open);
        let ends = |&(at, c): &(usize, char)| {
            let from = &rest[at..];
            let is_number = || c == '-' && from[1..].starts_with(|c: char| c.is_ascii_digit());
            let is_value = || "{[(\"".contains(c) || !open.is_empty() && from.starts_with(open);
            // `:⟦`: a bracket follows.
            let is_bracket = || !c.is_ascii() && matches!(&rest[..at], ":" | ",");
            !is_punctuation(c) || at > 0 && (is_number() || is_value() || is_bracket())
        };
        let end = { rest.char_indices() }.take(RUN_MAX + 1).find(ends);
        end.filter(|(at, _)| *at > 0).map(|(at, _)| &rest[..at])
    }

    /// Passes the characters of a role, and writes JSON's own.
    fn role(&mut self, role: Role, plain: &str) -> Option<()> {
        if self.rest().is_empty() {
            return Some(());
        }
        if self.run_of(role).is_empty() {
            let run = self.run(self.rest())?;
            let other = match role {
                Role::Colon => Role::Comma,
                _ => Role::Colon,
            };
            let taken = self.run_of(other) == run || KNOWN[other as usize].contains(&run);
            let opens = run.starts_with(['{', '[', '(']);
            if taken || opens || QUOTES.iter().any(|quote| run.contains(quote)) {
                return None;
            }
            self.learn(role, run);
        }
        let run = self.run_of(role);
        self.rest().starts_with(run).then(|| {
            self.roles[role as usize].1 += 1;
            self.write(plain, run.len());
        })
    }

    /// Learns the quotes from the first string, which has as many characters at its end.
    fn learn_quotes(&mut self) -> Option<()> {
        if !self.run_of(Role::Open).is_empty() {
            return Some(());
        }
        let rest = self.rest();
        let open = match rest.starts_with('"') {
            true => "\"",
            false => self.run(rest)?,
        };
        let inside = &rest[open.len()..];
        let ends = |c: char| is_punctuation(c) && !"_-.".contains(c) || open.contains(c);
        let close = &inside[inside.find(ends)?..];
        let length = close.chars().take(open.chars().count());
        let close = &close[..length.map(char::len_utf8).sum()];
        // `<name>` is a template.
        let pairs = |(open, close): (char, char)| {
            open == close || !open.is_ascii() && closer_of(open) == Some(close)
        };
        let known = QUOTES.contains(&open) || open == "``";
        let paired = known || open.chars().rev().zip(close.chars()).all(pairs);
        (paired && close.chars().all(is_punctuation)).then(|| {
            self.learn(Role::Open, open);
            self.learn(Role::Close, close);
        })
    }

    /// Returns the length of the content of the string that begins here, or `None` if the text ends
    /// in it.
    fn content(&self) -> Option<usize> {
        let [open, close] = [Role::Open, Role::Close].map(|role| self.run_of(role));
        let inside = &self.rest()[open.len()..];
        let (mut at, mut from) = (0, 0);
        loop {
            let end = at + find(&inside[at..], close)?;
            while let Some(escape) = inside.get(from..end).and_then(|part| find(part, "\\")) {
                let escaped = inside[from + escape + 1..].chars().next()?;
                from += escape + 1 + escaped.len_utf8();
            }
            if from <= end {
                return Some(end);
            }
            at = from;
        }
    }

    /// Passes a string, with double quotes around it.
    fn string(&mut self) -> Option<()> {
        self.learn_quotes()?;
        let [open, close] = [Role::Open, Role::Close].map(|role| self.run_of(role));
        if !self.rest().starts_with(open) {
            return None;
        }
        let end = self.content();
        self.write("\"", open.len());
        let mut left = end.unwrap_or(self.rest().len());
        self.roles[Role::Open as usize].1 += 1;
        while close != "\""
            && let Some(quote) = find(&self.rest()[..left], "\"")
        {
            let escaped = self.rest()[..quote].ends_with('\\');
            self.copy(quote);
            self.write(if escaped { "\"" } else { "\\\"" }, 1);
            left -= quote + 1;
        }
        self.copy(left);
        if end.is_some() {
            self.roles[Role::Close as usize].1 += 1;
            self.write("\"", close.len());
        }
        Some(())
    }

    /// Passes a scalar or the opener of a container.
    fn value(&mut self) -> Option<Want> {
        let word = |c: char| c.is_alphanumeric() || "+-._".contains(c);
        let (rest, open) = (self.rest(), self.run_of(Role::Open));
        // The first string of an array, unless it is another array.
        let begins = |run: &str| rest[run.len()..].starts_with(char::is_alphabetic);
        let is_first = || !self.open.is_empty() && self.run(rest).is_some_and(begins);
        let is_string = match open.is_empty() {
            true => rest.starts_with('"') || is_first(),
            false => rest.starts_with(open),
        };
        if is_string {
            self.string()?;
            return Some(Want::Next);
        }
        let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
        if length > 0 {
            let scalar = &rest[..length];
            self.copy(length);
            return (is_number(scalar) || is_keyword(scalar)).then_some(Want::Next);
        }
        let c = rest.chars().next()?;
        self.open.push((closer_of(c)?, false));
        let begin = self.at;
        self.at += c.len_utf8();
        let is_object = c != '[' && self.is_object();
        self.at = begin;
        if c == '{' && !is_object {
            return None;
        }
        if let Some(innermost) = self.open.last_mut() {
            innermost.1 = is_object;
        }
        self.has_other_brackets |= !"{[(".contains(c);
        self.write(if is_object { "{" } else { "[" }, c.len_utf8());
        Some(self.member())
    }

    /// Returns `true` if the container whose content begins here has keys.
    fn is_object(&mut self) -> bool {
        self.at += self.rest().len() - self.rest().trim_start().len();
        let closer = self.open.last().map_or(' ', |(closer, _)| *closer);
        if self.rest().starts_with(closer) {
            return closer == '}';
        }
        let is_key = self.rest().starts_with(is_punctuation) && self.learn_quotes().is_some();
        let [open, close, colon, comma] = self.roles.map(|(run, _)| run);
        let key = self.rest().strip_prefix(open).filter(|_| is_key);
        let Some((key, length)) = key.and_then(|key| Some((key, self.content()?))) else {
            return false;
        };
        let behind = key[length + close.len()..].trim_start();
        let separates = !comma.is_empty() && behind.starts_with(comma);
        match colon.is_empty() {
            true => !separates && !behind.starts_with([',', closer]),
            false => behind.starts_with(colon),
        }
    }
}
