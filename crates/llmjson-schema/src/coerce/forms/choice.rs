//! The one allowed value that stands in a text among decoration.

mod changes;

use std::borrow::Cow;
use std::ops::Range;

use llmjson_syntax::Class;
use smallvec::SmallVec;

use crate::ir::names::fold::push_folded;
use changes::CHANGES;

/// Length beyond which texts are prose.
const BYTES_MAX: usize = 96;
/// Maximum number of allowed values that are looked for.
const NAMES_MAX: usize = 256;
/// Number of words beside a value beyond which they are prose.
const WORDS_MAX: usize = 5;

/// Words for what values are about, which say no more when a hyphen joins them to one.
const SORTS: [&str; 8] = [
    "priority",
    "level",
    "severity",
    "status",
    "urgency",
    "importance",
    "request",
    "report",
];

/// A value that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice<'l> {
    pub(super) value: &'l str,
    pub(super) class: Class,
}

/// The only value of which a name stands in the text as a whole token. `names` are names and the
/// values that they stand for, `own` gives the words of the member with hyphens between them, which say nothing more.
pub(super) fn read<'l>(
    text: &str,
    names: impl Iterator<Item = (&'l str, &'l str)>,
    own: impl FnOnce() -> String,
) -> Option<Choice<'l>> {
    if text.len() > BYTES_MAX {
        return None;
    }
    let names: SmallVec<[_; 8]> = names.take(NAMES_MAX + 1).collect();
    let around = [("<", ">"), ("~", "~")];
    let inner = around
        .iter()
        .find_map(|(open, close)| text.trim().strip_prefix(open)?.strip_suffix(close));
    let text = Folded::of(inner.unwrap_or(text));
    if names.len() > NAMES_MAX || text.tokens.is_empty() || !text.is_plain() {
        return None;
    }
    let found = text.names_in(names);
    let value = found.first()?.value;
    // `high or low`: two of the allowed values.
    if found.iter().any(|other| other.value != value) {
        return None;
    }
    let is_plural = found.iter().all(|found| found.is_plural);
    let is_covered = |at: usize| found.iter().any(|found| found.tokens.contains(&at));
    let others = text.tokens.iter().enumerate();
    let rest: SmallVec<[&Token<'_>; 4]> = others
        .filter(|(at, _)| !is_covered(*at))
        .map(|(_, token)| token)
        .collect();
    let words: SmallVec<[&Token<'_>; 4]> = rest
        .iter()
        .copied()
        .filter(|token| token.is_word())
        .collect();
    let own = if words.is_empty() {
        String::new()
    } else {
        own()
    };
    let is_own = |token: &Token<'_>| own.split('-').any(|word| word == token.text);
    // `Priority: high` is decoration. `It used to be high before we fixed it` is prose, and `not high`
    // denies.
    if words.iter().filter(|token| !is_own(token)).count() > WORDS_MAX || text.is_changed(&rest) {
        return None;
    }
    // A single letter is a word of other sentences, too.
    let single = |text: &str| text.chars().nth(1).is_none();
    let is_letter = single(value) && single(text.tokens[found[0].tokens.start].raw);
    if is_letter
        && !words.is_empty()
        && !text.is_option(found[0].tokens.start)
        && !words.iter().all(|token| is_own(token) || is_label(token))
    {
        return None;
    }
    // `**high**` has signs around it only, `high priority` a word.
    let class = match words.is_empty() && !is_plural {
        true => Class::Likely,
        false => Class::Guess,
    };
    Some(Choice { value, class })
}

/// The number with which a text begins that goes on to say it in words: `2 - Medium`, `2 (medium)`.
pub(super) fn numbered(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].trim_start();
    let words = rest.strip_prefix(['-', '–', '—', ':', ')', '=', '(', '.'])?;
    let is_told = words.trim_start().starts_with(char::is_alphabetic)
        && !words.contains(char::is_numeric)
        && text.len() <= BYTES_MAX;
    let folded = Folded::of(words);
    let is_changed = folded.tokens.iter().any(Token::changes);
    let is_few = folded.tokens.len() <= WORDS_MAX;
    (is_told && is_few && !is_changed).then(|| text[..digits].parse().ok())?
}

fn is_label(token: &Token<'_>) -> bool {
    matches!(
        &*token.text,
        "option"
            | "answer"
            | "choice"
            | "grade"
            | "class"
            | "type"
            | "letter"
            | "level"
            | "the"
            | "is"
            | "category"
    )
}

/// A name at a place of a text.
#[derive(Clone)]
pub(super) struct FoundName<'l> {
    pub(super) tokens: Range<usize>,
    /// The value that it stands for.
    pub(super) value: &'l str,
    /// `true` if it stands there in another number.
    pub(super) is_plural: bool,
}

/// A run of letters and digits.
#[derive(Debug)]
pub(super) struct Token<'t> {
    text: Cow<'t, str>,
    /// The token as it was written.
    raw: &'t str,
    /// The character right before it, and the one right behind it.
    before: Option<char>,
    behind: Option<char>,
    /// All that stands between this one and the next.
    gap: &'t str,
}

impl Token<'_> {
    /// Returns `true` if it says something: a code such as `P1` and a single letter do not.
    fn is_word(&self) -> bool {
        self.text.chars().nth(1).is_some() && self.text.chars().all(|letter| !letter.is_numeric())
    }
}

impl Token<'_> {
    /// Returns `true` if the word says no: `not`, or the end of `isn't`.
    pub(super) fn denies(&self) -> bool {
        let words = ["not", "no", "never", "neither", "nor", "cannot", "without"];
        words.contains(&&*self.text) || self.is_cut_not()
    }

    /// Returns `true` if it makes something else of what it stands beside.
    pub(super) fn changes(&self) -> bool {
        CHANGES.binary_search(&&*self.text).is_ok() || self.is_cut_not()
    }

    /// Returns `true` if a question ends behind it.
    pub(super) fn asks(&self) -> bool {
        self.gap.contains('?')
    }

    /// Returns `true` if a sentence ends behind it.
    pub(super) fn ends_sentence(&self) -> bool {
        self.gap.contains(['!', '?', ';', '\n']) || self.gap.contains('.') && self.gap.len() > 1
    }

    fn is_cut_not(&self) -> bool {
        self.text == "t" && matches!(self.before, Some('\'' | '’'))
    }
}

/// A text cut into tokens without case and accents.
#[derive(Debug)]
pub(super) struct Folded<'t> {
    lead: &'t str,
    pub(super) tokens: SmallVec<[Token<'t>; 4]>,
}

impl<'t> Folded<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let is_part = |letter: char| {
            letter.is_alphanumeric() || matches!(letter, '#' | '+' | '@' | '&' | '%')
        };
        let run = |text: &'t str, parts: bool| {
            let end = text.find(|letter| is_part(letter) != parts);
            text.split_at(end.unwrap_or(text.len()))
        };
        let (lead, mut rest) = run(text.trim(), false);
        let mut before = lead.chars().next_back();
        let mut tokens = SmallVec::new();
        while !rest.is_empty() {
            let (raw, behind) = run(rest, true);
            let (gap, next) = run(behind, false);
            let text = match raw.is_ascii() {
                true if !raw.bytes().any(|byte| byte.is_ascii_uppercase()) => Cow::Borrowed(raw),
                true => Cow::Owned(raw.to_ascii_lowercase()),
                false => Cow::Owned(raw.chars().fold(String::new(), push_folded)),
            };
            tokens.push(Token {
                text,
                raw,
                before,
                behind: gap.chars().next(),
                gap,
            });
            before = gap.chars().next_back();
            rest = next;
        }
        Self { lead, tokens }
    }

    /// Returns `true` if it begins and ends with a token: the point of `.NET` is no decoration.
    fn is_bare(&self) -> bool {
        let last = self.tokens.last();
        self.lead.is_empty() && last.is_some_and(|token| token.gap.is_empty())
    }

    /// Returns `true` if only signs stand between the words that decorate.
    fn is_plain(&self) -> bool {
        let is_plain = |letter: char| {
            letter.is_whitespace()
                || matches!(
                    letter,
                    '*' | '_'
                        | '`'
                        | '"'
                        | '“'
                        | '”'
                        | '‘'
                        | '’'
                        | '\''
                        | '.'
                        | ','
                        | ':'
                        | ';'
                        | '('
                        | ')'
                        | '['
                        | ']'
                        | '{'
                        | '}'
                        | '-'
                        | '–'
                        | '—'
                        | '|'
                        | '!'
                        | '='
                        | '•'
                        | '·'
                        | '/'
                        | '>'
                        | '→'
                )
                || is_ornament(letter)
        };
        // What these signs begin with is something else: `!high`, `> high`, `-1`.
        let leads_on = !self.lead.contains(['!', '=', '>', '/', '.'])
            && (!self.lead.ends_with(['-', '–', '—']));
        let gaps = || self.tokens.iter().map(|token| token.gap);
        leads_on
            && gaps().chain([self.lead]).flat_map(str::chars).all(is_plain)
            && !gaps().any(|gap| gap.contains('>'))
    }

    /// The names that stand in it as wholes. Of two that overlap the longer one counts.
    pub(super) fn names_in<'l>(
        &self,
        names: impl IntoIterator<Item = (&'l str, &'l str)>,
    ) -> SmallVec<[FoundName<'l>; 2]> {
        let mut found: SmallVec<[FoundName<'l>; 2]> = SmallVec::new();
        // Most names begin with another letter than every word of the text.
        let begins = |first: char| {
            let first = first.to_ascii_lowercase();
            let mut tokens = self.tokens.iter();
            !first.is_ascii() || tokens.any(|token| token.text.starts_with(first))
        };
        for (name, value) in names {
            if !name.trim_start().chars().next().is_some_and(begins) {
                continue;
            }
            let name = Folded::of(name);
            if !name.is_bare() {
                continue;
            }
            let first = name.tokens[0].text.chars().next();
            for (start, token) in self.tokens.iter().enumerate() {
                if token.text.chars().next() != first {
                    continue;
                }
                if let Some(is_plural) = self.has_at(start, &name) {
                    let tokens = start..start + name.tokens.len();
                    found.push(FoundName {
                        tokens,
                        value,
                        is_plural,
                    });
                }
            }
        }
        // `not spam` holds `spam`: of two names that overlap the longer one counts.
        found.sort_by_key(|one| (one.tokens.start, std::cmp::Reverse(one.tokens.end)));
        let mut longest = 0..0;
        found.retain(|FoundName { tokens: own, .. }| {
            let is_within =
                own.end < longest.end || own.end == longest.end && own.start > longest.start;
            if own.end > longest.end {
                longest = own.clone();
            }
            !is_within
        });
        found
    }

    /// Returns `Some` if a name stands at a place as a whole: `true` if it stands in another
    /// number.
    fn has_at(&self, start: usize, name: &Folded<'_>) -> Option<bool> {
        let tokens = self.tokens.get(start..start + name.tokens.len())?;
        let single = name.tokens.len() == 1 && name.tokens[0].raw.chars().nth(1).is_none();
        let (last, others) = tokens.split_last()?;
        let (last_name, other_names) = name.tokens.split_last()?;
        if others
            .iter()
            .zip(other_names)
            .any(|(one, other)| one.text != other.text)
        {
            return None;
        }
        // The parts of a name stand together.
        if others.iter().any(|token| {
            !token.gap.chars().all(|letter| {
                letter.is_whitespace() || matches!(letter, '-' | '_' | '.' | '/' | ':')
            })
        }) {
            return None;
        }
        let joined_before = start > 0
            && tokens[0].before.is_some_and(joins)
            && self.tokens[start - 1].gap.chars().count() == 1;
        // `high-priority` is a priority.
        let next = self.tokens.get(start + name.tokens.len());
        let names_sort = next.is_some_and(|next| SORTS.contains(&&*next.text));
        let joined_behind = last.gap.chars().count() == 1
            && last.behind.is_some_and(joins)
            && !names_sort
            && (next.is_some() || last.behind == Some('-'));
        if joined_before || joined_behind {
            return None;
        }
        if single {
            return (last.raw == last_name.raw).then_some(false);
        }
        if last.text == last_name.text {
            return Some(false);
        }
        are_of_one_word(&last.text, &last_name.text).then_some(true)
    }

    /// The runs of tokens that could be numbers, with a sign before them, each with the place of its first token:
    /// `-3.5`, `$1,234.50`, but also `2024-05-06`.
    pub(super) fn written_numbers(&self) -> Vec<(usize, String)> {
        let mut runs: Vec<(usize, String)> = Vec::new();
        let (mut gap, mut is_joined) = (self.lead, false);
        for (at, token) in self.tokens.iter().enumerate() {
            match runs.last_mut().filter(|_| is_joined) {
                Some((_, run)) => run.extend([gap, token.raw]),
                None => {
                    let sign = gap.trim_end_matches(['-', '+', '$']).len();
                    runs.push((at, [&gap[sign..], token.raw].concat()));
                }
            }
            gap = token.gap;
            let mut signs = gap.chars();
            let only = signs.next().filter(|_| signs.next().is_none());
            is_joined = only.is_some_and(|sign| joins(sign) || sign == ',');
        }
        runs
    }

    /// Returns `true` if something in the text makes something else of the value.
    fn is_changed(&self, rest: &[&Token<'_>]) -> bool {
        let denies = |token: &&Token<'_>| token.changes();
        // `high/urgent` is one of several, `high-` and `high =` are not whole.
        let parts = self.tokens.iter().any(|token| token.gap.contains('/'));
        let last = self.tokens.last();
        let is_open = last.is_some_and(|token| token.gap.contains(['-', '–', '=']));
        // Behind a comma stands another one, also if that is not allowed.
        let commas = |token: &Token<'_>| token.gap.contains([',', ';']);
        let is_list = rest.iter().any(|token| token.is_word())
            && self
                .tokens
                .split_last()
                .is_some_and(|(_, others)| others.iter().any(commas));
        rest.iter().any(denies) || parts || is_open || is_list
    }

    /// Returns `true` if the token at a place is marked as one of several options: `A)`, `(b)`,
    /// `C.`
    fn is_option(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let follows = at + 1 < self.tokens.len();
        let closes = token
            .behind
            .is_some_and(|sign| matches!(sign, ')' | '.' | ':'));
        at == 0 && follows && (closes || matches!(token.gap.trim(), "-" | "–" | "—"))
    }
}

/// Returns `true` if a sign holds two words together if it stands alone between them.
fn joins(letter: char) -> bool {
    matches!(letter, '-' | '.' | '_' | '/' | '\'' | '’')
}

/// Returns `true` if a sign only adorns: an emoji or a bullet that neither denies nor asks.
fn is_ornament(letter: char) -> bool {
    let denies = matches!(
        letter,
        '❌' | '✖'
            | '✗'
            | '✘'
            | '🚫'
            | '⛔'
            | '👎'
            | '≠'
            | '≤'
            | '≥'
            | '≈'
            | '±'
            | '¬'
            | '∼'
            | '❓'
            | '❔'
            | '↔'
            | '→'
            | '←'
            | '⇒'
            | '⇔'
            | '↛'
            | '⊘'
            | '🛑'
            | '×'
    );
    letter >= '\u{2190}' && !letter.is_alphanumeric() && !denies || letter == '\u{200d}'
}

/// Returns `true` if two words differ only in the ending of the plural.
fn are_of_one_word(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    if short.chars().count() < 3 || short.ends_with("ss") || !short.chars().all(char::is_alphabetic)
    {
        return false;
    }
    let of_y = || {
        long.strip_suffix("ies")
            .is_some_and(|stem| short.strip_suffix('y') == Some(stem))
    };
    let of_es = || {
        let sibilant =
            short.ends_with(['s', 'x', 'z']) || short.ends_with("ch") || short.ends_with("sh");
        sibilant && long.strip_suffix("es") == Some(short)
    };
    (long.strip_suffix('s') == Some(short) && !short.ends_with('s')) || of_y() || of_es()
}

#[cfg(test)]
mod tests;
