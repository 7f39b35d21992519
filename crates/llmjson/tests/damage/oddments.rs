//! Quotes that belong to something else, marks around names, names among the pieces of a string,
//! names alone, and closers behind members.

use crate::draft::{Draft, Kind, Token};
use crate::strings::quote_signs;
use crate::texts::{plain, words_only};
use llmjson_testutil::Rng;

/// What follows a closer too many is looked at in fewer bytes than this.
const NEAR: usize = 1500;

fn verbatim(token: &Token) -> bool {
    !quote_signs(&token.meant) && !token.raw.contains('\\')
}

fn bare_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name of the next member, if the value at `at` is followed by a comma and one.
fn name_behind(draft: &Draft, at: usize) -> Option<usize> {
    let comma = draft.next(at)?;
    let name = draft.next(comma)?;
    let member = draft.tokens[comma].kind == Kind::Comma && draft.tokens[name].kind == Kind::Key;
    member.then_some(name)
}

/// A text of words that a single quote closes, and the next name in single quotes. The value of that
/// is no text of brackets: its first quote would close the string as JSON has it.
pub(crate) fn quote_before_other_name(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |at, token: &Token| {
        token.kind == Kind::Text
            && words_only(&token.meant)
            && name_behind(draft, at).is_some_and(|name| {
                let value = draft.next(name).and_then(|colon| draft.next(colon));
                let brackets = value.is_some_and(|value| {
                    draft.tokens[value].meant.starts_with(['}', ']', ',', '<'])
                });
                draft.free(name) && verbatim(&draft.tokens[name]) && !brackets
            })
    };
    let at = draft.choose(rng, text)?;
    let name = name_behind(draft, at).expect("it was looked for");
    let raw = format!("\"{}'", draft.tokens[at].meant);
    draft.write(at, raw);
    let raw = format!("'{}'", draft.tokens[name].meant);
    draft.write(name, raw);
    Some(())
}

/// A text that ends with a word in typographic quotes and lacks its own closing quote at the end of
/// a line before the next member.
pub(crate) fn pair_without_closing_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |at, token: &Token| {
        draft.is_lines()
            && token.kind == Kind::Text
            && plain(&token.meant)
            && name_behind(draft, at).is_some()
    };
    let at = draft.choose(rng, text)?;
    let (open, close) = rng.pick(&[("‘", "’"), ("“", "”"), ("«", "»"), ("'", "'")]);
    let meant = format!("{} {open}last{close}", draft.tokens[at].meant);
    draft.replace(at, Kind::Text, &format!("\"{meant}"), &meant);
    Some(())
}

/// A member's text with the sign for inches, also before a comma.
pub(crate) fn inches(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| token.kind == Kind::Text && token.in_object)?;
    let meant = rng.pick(&[
        "6'4\", 225 pounds",
        "15\" laptop, grey",
        "27\" monitor, 4K, black",
        "5'10\"",
        "2\" x 4\" x 8', pine",
        "24\", 36\" and 48\"",
    ]);
    draft.replace(at, Kind::Text, &format!("\"{meant}\""), meant);
    Some(())
}

/// A name with neither colon nor value between two members, of which the first has no text: with one,
/// the name could be part of it.
pub(crate) fn name_alone(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let name = |at: usize, token: &Token| {
        let before = draft.previous(at);
        let text = before
            .and_then(|comma| draft.previous(comma))
            .map(|value| draft.tokens[value].kind);
        let comma = before.is_some_and(|comma| draft.tokens[comma].kind == Kind::Comma);
        let value = draft.next(at).and_then(|colon| draft.next(colon));
        token.kind == Kind::Key
            && bare_name(&token.meant)
            && comma
            && text != Some(Kind::Text)
            && value.is_some_and(|value| {
                let followed = name_behind(draft, value).is_some_and(|name| draft.free(name));
                draft.tokens[value].is_scalar() && draft.free(value) && followed
            })
    };
    let at = draft.choose(rng, name)?;
    let colon = draft.next(at).expect("it was looked for");
    let value = draft.next(colon).expect("it was looked for");
    draft.write(at, draft.tokens[at].raw.clone());
    draft.write(colon, "");
    draft.replace(value, Kind::Keyword, "", "null");
    for space in colon..value {
        draft.tokens[space].raw.clear();
    }
    Some(())
}

fn length(tokens: &[Token]) -> usize {
    tokens.iter().map(|token| token.raw.len()).sum()
}

/// A quote right behind a container, as if it had been a text.
pub(crate) fn quote_behind_closer(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let close = |_, token: &Token| token.is_close() && token.depth > 0;
    let at = draft.choose(rng, close)?;
    let raw = format!("{}\"", draft.tokens[at].raw);
    draft.write(at, raw);
    Some(())
}

/// The closer of a list behind a member's scalar where no list is open, on a line of its own or not.
pub(crate) fn closer_behind_member(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let closer = |at: usize, token: &Token| {
        let lists = draft.tokens[..at]
            .iter()
            .fold(0, |lists, token| match token.kind {
                Kind::OpenArray => lists + 1,
                Kind::CloseArray => lists - 1,
                _ => lists,
            });
        token.in_object
            && token.is_scalar()
            && lists == 0
            && length(&draft.tokens[at..]) < NEAR
            && name_behind(draft, at).is_some()
    };
    let at = draft.choose(rng, closer)?;
    draft.tokens[at].touched = true;
    draft.insert(at + 1, rng.pick(&["]", "\n]", "\n  ]"]));
    Some(())
}

/// The object's closer in place of a comma between two of its members, or before that comma.
pub(crate) fn members_behind_closer(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let object = draft.tokens[0].kind == Kind::OpenObject;
    let comma = |at: usize, token: &Token| {
        let rest = &draft.tokens[at..];
        object && token.kind == Kind::Comma && token.depth == 1 && length(rest) < NEAR
    };
    let at = draft.choose(rng, comma)?;
    draft.write(at, rng.pick(&["},", "} ", "}\n"]));
    Some(())
}

/// Names between marks of emphasis, one or all.
pub(crate) fn emphasized_names(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let marks = rng.pick(&["*", "**", "_"]);
    let quoted = marks == "_" || rng.chance(50);
    let fits = |token: &Token| {
        token.kind == Kind::Key
            && !token.touched
            && verbatim(token)
            && (quoted && !token.meant.is_empty() || bare_name(&token.meant))
    };
    let all = rng.chance(50);
    let at = draft.choose(rng, |_, token| fits(token))?;
    for index in 0..draft.tokens.len() {
        if fits(&draft.tokens[index]) && (all || index == at) {
            let name = &draft.tokens[index].meant;
            let raw = if quoted {
                format!("{marks}\"{name}\"{marks}")
            } else {
                format!("{marks}{name}{marks}")
            };
            draft.write(index, raw);
        }
    }
    Some(())
}

/// A text in quotes and backticks around them.
pub(crate) fn quotes_in_backticks(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text =
        |_, token: &Token| token.kind == Kind::Text && verbatim(token) && !token.meant.is_empty();
    let at = draft.choose(rng, text)?;
    let raw = format!("`\"{}\"`", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// A text in pieces with a name, a call or a number among them, which stay in it as they are.
pub(crate) fn joined_with_names(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |_, token: &Token| {
        token.kind == Kind::Text && words_only(&token.meant) && token.meant.contains(' ')
    };
    let at = draft.choose(rng, text)?;
    let name = rng.pick(&["name", "user.name", "str(n)", "items[0]", "12", "getName()"]);
    let words = draft.tokens[at].meant.clone();
    let (before, after) = words.split_once(' ').expect("it holds a space");
    let (meant, raw) = match rng.below(3) {
        0 => (
            format!("{before}{name}{after}"),
            format!("\"{before}\" + {name} + \"{after}\""),
        ),
        1 => (format!("{words}{name}"), format!("\"{words}\" + {name}")),
        _ => (
            format!("{before}{name}{after}"),
            format!("\"{before}\"+{name}+\"{after}\""),
        ),
    };
    draft.replace(at, Kind::Text, &raw, &meant);
    Some(())
}
