//! JSON whose structure is written with other characters: `{⟨a⟩ → 1 ¦ ⟨b⟩ → 2}`.
//!
//! What opens and closes a string, follows a key or separates members is learned where it first
//! occurs, and is the same from there on.

use alloc::vec::Vec;

use crate::parser::look::scalars::{is_keyword, is_number};
use crate::reply::sources::map::Derived;

/// The signs that the parser reads by itself, by their roles.
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

/// Maximum number of signs that together have one role.
const RUN_MAX: usize = 3;

/// The roles of signs in JSON, other than brackets.
#[derive(Clone, Copy)]
enum Role {
    Open,
    Close,
    Colon,
    Comma,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Key,
    Value,
    Next,
}

/// A text that is read once, and the signs learned from it.
struct Signs<'t> {
    text: &'t str,
    at: usize,
    /// The signs of each role, and the number of their uses.
    roles: [(&'t str, usize); 4],
    /// The closers of the open containers, and whether the containers are objects.
    open: Vec<(char, bool)>,
    has_other_brackets: bool,
    derived: Derived,
}

/// Writes JSON's own signs for those that the text has in their place. Returns `None` if it does
/// not use each of them repeatedly, and if they do not explain its value up to its end.
pub(crate) fn other_signs(text: &str) -> Option<Derived> {
    let at = beginning(text)?;
    let mut signs = Signs {
        text,
        at,
        roles: [("", 0); 4],
        open: Vec::new(),
        has_other_brackets: false,
        derived: Derived::default(),
    };
    signs.derived.push(0, &text[..at]);
    let mut want = Want::Value;
    loop {
        signs.space();
        if signs.rest().is_empty() {
            break;
        }
        want = match want {
            _ if signs.close() => Want::Next,
            Want::Key => {
                signs.string()?;
                signs.space();
                signs.role(Role::Colon, ":")?;
                Want::Value
            }
            Want::Value => signs.value()?,
            Want::Next => {
                signs.role(Role::Comma, ",")?;
                signs.member()
            }
        };
        if want == Want::Next && signs.open.is_empty() {
            break;
        }
    }
    let roles = [Role::Open, Role::Close, Role::Colon, Role::Comma];
    let other = roles.into_iter().filter(|role| signs.is_other(*role));
    let (count, once) = other.fold((0, false), |(count, once), role| {
        (count + 1, once || signs.roles[role as usize].1 < 2)
    });
    let is_habit = !once && (count > 0 || signs.has_other_brackets && signs.open.is_empty());
    is_habit.then(|| signs.derived.finish(text, signs.at))
}

/// Returns the offset of the first bracket that begins a line, or else of the first one of JSON.
fn beginning(text: &str) -> Option<usize> {
    let lines = text.split('\n').map(str::trim_start);
    let begins = lines.map(|line| (line, line.chars().next().unwrap_or(' ')));
    let is_bracket = |&(line, sign): &(&str, char)| {
        let own = matches!(sign, '{' | '[');
        let other = !sign.is_ascii() || sign == '(' || sign == '<' && !is_tag(line);
        let is_quote = { QUOTES }.iter().any(|quote| quote.starts_with(sign));
        own || other && !is_quote && closer_of(sign).is_some()
    };
    let place = |(line, _): (&str, char)| line.as_ptr() as usize - text.as_ptr() as usize;
    let mut begins = begins.filter(is_bracket);
    begins.next().map(place).or_else(|| text.find(['{', '[']))
}

fn is_tag(line: &str) -> bool {
    line[1..].starts_with(|sign: char| sign.is_alphanumeric() || "/!|?".contains(sign))
}

/// Returns `true` for a character that is neither part of a word nor a space.
fn is_sign(sign: char) -> bool {
    !sign.is_alphanumeric() && !sign.is_whitespace() && !sign.is_control()
}

/// Returns the closing bracket for an opening one. Beyond ASCII it is the next character.
fn closer_of(sign: char) -> Option<char> {
    match sign {
        '(' => Some(')'),
        '<' | '[' | '{' => char::from_u32(sign as u32 + 2),
        _ if sign.is_ascii() || !is_sign(sign) => None,
        _ => char::from_u32(sign as u32 + 1).filter(|closer| is_sign(*closer)),
    }
}

impl<'t> Signs<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
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

    /// Writes a sign of JSON for the next `length` bytes.
    fn write(&mut self, sign: &str, length: usize) {
        self.derived.push(self.at, sign);
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

    fn sign(&self, role: Role) -> &'t str {
        self.roles[role as usize].0
    }

    /// Returns `true` if the signs of a role are not those that the parser reads, once or doubled.
    fn is_other(&self, role: Role) -> bool {
        let (run, known) = (self.sign(role), KNOWN[role as usize]);
        let is_separator = matches!(role, Role::Colon | Role::Comma);
        let doubled = known.iter().any(|sign| run.split(sign).all(str::is_empty));
        !(run.is_empty() || known.contains(&run) || is_separator && doubled)
    }

    fn learn(&mut self, role: Role, run: &'t str) {
        self.roles[role as usize] = (run, 0);
    }

    /// Returns the signs at the beginning of a text that can have one role.
    fn run(&self, rest: &'t str) -> Option<&'t str> {
        let open = self.sign(Role::Open);
        let ends = |&(at, sign): &(usize, char)| {
            let from = &rest[at..];
            let is_number = || sign == '-' && from[1..].starts_with(|c: char| c.is_ascii_digit());
            let is_value = || "{[(\"".contains(sign) || !open.is_empty() && from.starts_with(open);
            // `:⟦`: a bracket follows.
            let is_bracket = || !sign.is_ascii() && matches!(&rest[..at], ":" | ",");
            !is_sign(sign) || at > 0 && (is_number() || is_value() || is_bracket())
        };
        let end = { rest.char_indices() }.take(RUN_MAX + 1).find(ends);
        end.filter(|(at, _)| *at > 0).map(|(at, _)| &rest[..at])
    }

    /// Passes the signs of a role, and writes the sign of JSON for them.
    fn role(&mut self, role: Role, plain: &str) -> Option<()> {
        if self.rest().is_empty() {
            return Some(());
        }
        if self.sign(role).is_empty() {
            let run = self.run(self.rest())?;
            let other = match role {
                Role::Colon => Role::Comma,
                _ => Role::Colon,
            };
            let taken = self.sign(other) == run || KNOWN[other as usize].contains(&run);
            let opens = run.starts_with(['{', '[', '(']);
            if taken || opens || QUOTES.iter().any(|quote| run.contains(quote)) {
                return None;
            }
            self.learn(role, run);
        }
        let run = self.sign(role);
        self.rest().starts_with(run).then(|| {
            self.roles[role as usize].1 += 1;
            self.write(plain, run.len());
        })
    }

    /// Learns the quotes from the first string: those at its end are as many.
    fn learn_quotes(&mut self) -> Option<()> {
        if !self.sign(Role::Open).is_empty() {
            return Some(());
        }
        let rest = self.rest();
        let open = match rest.starts_with('"') {
            true => "\"",
            false => self.run(rest)?,
        };
        let inside = &rest[open.len()..];
        let ends = |sign: char| is_sign(sign) && !"_-.".contains(sign) || open.contains(sign);
        let close = &inside[inside.find(ends)?..];
        let length = close.chars().take(open.chars().count());
        let close = &close[..length.map(char::len_utf8).sum()];
        // `<name>` is a template.
        let pairs = |(open, close): (char, char)| {
            open == close || !open.is_ascii() && closer_of(open) == Some(close)
        };
        let known = QUOTES.contains(&open) || open == "``";
        let paired = known || open.chars().rev().zip(close.chars()).all(pairs);
        (paired && close.chars().all(is_sign)).then(|| {
            self.learn(Role::Open, open);
            self.learn(Role::Close, close);
        })
    }

    /// Returns the length of the content of the string that begins here, or `None` if the text ends
    /// in it.
    fn content(&self) -> Option<usize> {
        let [open, close] = [Role::Open, Role::Close].map(|role| self.sign(role));
        let inside = &self.rest()[open.len()..];
        let (mut at, mut from) = (0, 0);
        loop {
            let end = at + inside[at..].find(close)?;
            while let Some(escape) = inside.get(from..end).and_then(|part| part.find('\\')) {
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
        let [open, close] = [Role::Open, Role::Close].map(|role| self.sign(role));
        if !self.rest().starts_with(open) {
            return None;
        }
        let end = self.content();
        self.write("\"", open.len());
        let mut left = end.unwrap_or(self.rest().len());
        self.roles[Role::Open as usize].1 += 1;
        while let Some(quote) = self.rest()[..left].find('"').filter(|_| close != "\"") {
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
        let word = |sign: char| sign.is_alphanumeric() || "+-._".contains(sign);
        let (rest, open) = (self.rest(), self.sign(Role::Open));
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
        let length = rest.find(|sign| !word(sign)).unwrap_or(rest.len());
        if length > 0 {
            let scalar = &rest[..length];
            self.copy(length);
            return (is_number(scalar) || is_keyword(scalar)).then_some(Want::Next);
        }
        let sign = rest.chars().next()?;
        self.open.push((closer_of(sign)?, false));
        let begin = self.at;
        self.at += sign.len_utf8();
        let is_object = sign != '[' && self.is_object();
        self.at = begin;
        if sign == '{' && !is_object {
            return None;
        }
        if let Some(innermost) = self.open.last_mut() {
            innermost.1 = is_object;
        }
        self.has_other_brackets |= !"{[(".contains(sign);
        self.write(if is_object { "{" } else { "[" }, sign.len_utf8());
        Some(self.member())
    }

    /// Returns `true` if the container whose content begins here has keys.
    fn is_object(&mut self) -> bool {
        self.at += self.rest().len() - self.rest().trim_start().len();
        let closer = self.open.last().map_or(' ', |(closer, _)| *closer);
        if self.rest().starts_with(closer) {
            return closer == '}';
        }
        let is_key = self.rest().starts_with(is_sign) && self.learn_quotes().is_some();
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
