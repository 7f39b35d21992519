//! One sign wrong or one too many: quotes, colons, commas and brackets in each other's place, and
//! words where none belong.

use std::ops::RangeInclusive;

use crate::draft::{Draft, Kind, Token};
use crate::strings::quote_signs;
use crate::texts::{plain, words_only};
use llmjson_testutil::Rng;

/// Maximum number of bytes between a slip and the signs further on that tell what it means: a whole text is not
/// searched for them.
const NEAR: usize = 1500;

/// The same for one text, whose end is looked for less far.
const NEAR_IN_TEXT: usize = 200;

/// Number of tokens to either side of a slip that show what it is: the end of the value before it, the name
/// and the colon behind it.
const WITNESSES: usize = 3;

/// The tokens from `first` to `last` with their witnesses.
fn reach(draft: &Draft, first: usize, last: usize) -> RangeInclusive<usize> {
    let (mut low, mut high) = (first, last);
    for _ in 0..WITNESSES {
        low = draft.previous(low).unwrap_or(0);
        high = draft.next(high).unwrap_or(draft.tokens.len() - 1);
    }
    low..=high
}

/// Whether no damage is at the tokens from `first` to `last` and their witnesses.
fn sound(draft: &Draft, first: usize, last: usize) -> bool {
    let tokens = &draft.tokens[reach(draft, first, last)];
    tokens.iter().all(|token| !token.touched)
}

/// Keeps all other damage away from the tokens from `first` to `last` and their witnesses.
fn keep(draft: &mut Draft, first: usize, last: usize) {
    for at in reach(draft, first, last) {
        draft.tokens[at].touched = true;
    }
}

/// One of the places that `wanted` likes with sound witnesses, which stay so.
fn choose(
    draft: &mut Draft,
    rng: &mut Rng,
    wanted: impl Fn(&Draft, usize, &Token) -> bool,
) -> Option<usize> {
    let at = draft.choose(rng, |at, token| {
        wanted(draft, at, token) && sound(draft, at, at)
    })?;
    keep(draft, at, at);
    Some(at)
}

fn length(tokens: &[Token]) -> usize {
    tokens.iter().map(|token| token.raw.len()).sum()
}

/// A text whose spelling is the text itself.
fn verbatim(token: &Token) -> bool {
    !quote_signs(&token.meant) && !token.raw.contains('\\')
}

fn one_word(name: &str) -> bool {
    !name.is_empty() && !name.contains(' ')
}

/// An object or list that is a member's value lacks its opener, and its closer shows that not far
/// behind. Its first member has a scalar, since containers would tell nothing from those of the
/// object around it; a list has scalars only, and none that could be read as two.
pub(crate) fn missing_opener(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let open = |draft: &Draft, at: usize, token: &Token| {
        token.is_open()
            && token.in_object
            && draft.count(at) > 1
            && length(&draft.tokens[at..]) < NEAR
            && sound(draft, draft.close_of(at), draft.close_of(at))
            && match token.kind {
                Kind::OpenObject => first_member_has_scalar(draft, at),
                _ => has_plain_scalars(draft, at),
            }
    };
    let at = choose(draft, rng, open)?;
    let close = draft.close_of(at);
    keep(draft, close, close);
    draft.write(at, "");
    Some(())
}

/// A member's list of scalars without its brackets. A text of one word behind the first could be a name,
/// and so could any text behind something else; numbers without spaces between them could be one.
pub(crate) fn unbracketed_list(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let open = |draft: &Draft, at: usize, token: &Token| {
        let close = if token.kind == Kind::OpenArray {
            draft.close_of(at)
        } else {
            at
        };
        let mut items = draft.tokens[at + 1..close.max(at + 1)].iter();
        let scalars = || {
            let inside = draft.tokens[at + 1..close.max(at + 1)].iter();
            inside.filter(|token| !matches!(token.kind, Kind::Space | Kind::Comma))
        };
        let texts = scalars().all(|item| item.kind == Kind::Text)
            && scalars().nth(1).is_some_and(|item| !one_word(&item.meant));
        let others = scalars().all(|item| item.is_scalar() && item.kind != Kind::Text)
            && (draft.is_lines() || scalars().all(|item| item.kind == Kind::Keyword));
        token.kind == Kind::OpenArray
            && token.in_object
            && draft.count(at) > 1
            && (texts || others)
            && items.all(|token| !token.touched)
            && length(&draft.tokens[at..close]) < NEAR
            && sound(draft, close, close)
    };
    let at = choose(draft, rng, open)?;
    let close = draft.close_of(at);
    for at in at..=close {
        draft.tokens[at].touched = true;
    }
    keep(draft, close, close);
    draft.write(at, "");
    draft.write(close, "");
    Some(())
}

fn first_member_has_scalar(draft: &Draft, open: usize) -> bool {
    let colon = draft.next(open).and_then(|name| draft.next(name));
    let value = colon.and_then(|colon| draft.next(colon));
    value.is_some_and(|value| draft.tokens[value].is_scalar())
}

fn has_plain_scalars(draft: &Draft, open: usize) -> bool {
    let plain = |token: &Token| {
        let text = token.kind == Kind::Text && verbatim(token) && !token.meant.contains(',');
        let other = matches!(
            token.kind,
            Kind::Number | Kind::Keyword | Kind::Comma | Kind::Space
        );
        text || other
    };
    let close = draft.close_of(open);
    draft.tokens[open + 1..close].iter().all(plain)
}

/// A list whose first item is a list: the closer of that one stands there twice, and a scalar
/// follows, which no object has there. The closer of the list further on shows that it was open. A text
/// with a colon at its end could be a name.
pub(crate) fn list_goes_on(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let close = |draft: &Draft, at: usize, token: &Token| {
        let inside = token.kind == Kind::CloseArray && token.depth > 0 && !token.in_object;
        let outer = inside.then(|| draft.previous(draft.open_of(at))).flatten();
        let first = outer.is_some_and(|outer| {
            let outer = &draft.tokens[outer];
            outer.kind == Kind::OpenArray && outer.in_object
        });
        let comma = draft.next(at);
        first
            && draft.next_kind(at) == Some(Kind::Comma)
            && comma
                .and_then(|comma| draft.next(comma))
                .map(|next| &draft.tokens[next])
                .is_some_and(|next| next.is_scalar() && !next.meant.ends_with(':'))
    };
    let at = choose(draft, rng, close)?;
    draft.write(at, "]]");
    Some(())
}

/// A word between a comma and what follows it. In a list a quote, an opener or a line break parts
/// it from the next item, since it could be the beginning of words without quotes; the quote that
/// closes an item is not far behind.
pub(crate) fn stray_word(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let comma = |draft: &Draft, at: usize, token: &Token| {
        let parted = draft.next(at).is_some_and(|next| {
            let next = &draft.tokens[next];
            match next.kind {
                Kind::Text => next.raw.len() < NEAR_IN_TEXT,
                Kind::Key | Kind::OpenObject | Kind::OpenArray => true,
                _ => draft.is_lines(),
            }
        });
        token.kind == Kind::Comma && parted
    };
    let at = choose(draft, rng, comma)?;
    let word = rng.pick(&["and", "also", "then", "next"]);
    let space = parting(draft, at + 1);
    draft.write(at, format!(", {word}{space}"));
    Some(())
}

/// A space unless there is one.
fn parting(draft: &Draft, at: usize) -> &'static str {
    if draft.tokens[at].kind == Kind::Space {
        ""
    } else {
        " "
    }
}

/// A colon for the comma between two members, with white space behind it: without, it could belong
/// to the name.
pub(crate) fn colon_for_comma(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let comma = |draft: &Draft, at: usize, token: &Token| {
        token.kind == Kind::Comma && token.in_object && draft.tokens[at + 1].kind == Kind::Space
    };
    let at = choose(draft, rng, comma)?;
    draft.write(at, ":");
    Some(())
}

/// A comma for the colon of a member with a name of one word. The colon of the next member, not far
/// behind, shows that names are expected; a name of several words could as well be a text.
pub(crate) fn comma_for_colon(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let colon = |draft: &Draft, at: usize, token: &Token| {
        let name = draft.previous(at).map(|name| &draft.tokens[name]);
        token.kind == Kind::Colon
            && name.is_some_and(|name| one_word(&name.meant))
            && comma_behind_member(draft, at).is_some_and(|comma| sound(draft, at, comma))
    };
    let at = choose(draft, rng, colon)?;
    let comma = comma_behind_member(draft, at).expect("it was looked for");
    keep(draft, at, comma);
    draft.write(at, ",");
    Some(())
}

/// The comma behind the member whose colon is at `colon`, if another member follows not far behind.
fn comma_behind_member(draft: &Draft, colon: usize) -> Option<usize> {
    let value = draft.next(colon)?;
    let (end, near) = if draft.tokens[value].is_open() {
        (draft.close_of(value), NEAR)
    } else {
        (value, NEAR_IN_TEXT)
    };
    let comma = draft.next(end)?;
    let parted = draft.tokens[comma].kind == Kind::Comma;
    (parted && length(&draft.tokens[colon..comma]) < near).then_some(comma)
}

/// A name of one word with its colon before the closing quote, and white space before the value.
/// Several words with a colon could be a text of their own, and without white space two quotes
/// would stand side by side.
pub(crate) fn colon_inside_key(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let colon = |draft: &Draft, at: usize, token: &Token| {
        let name = draft.previous(at).map(|name| &draft.tokens[name]);
        token.kind == Kind::Colon
            && name.is_some_and(|name| one_word(&name.meant))
            && draft.tokens[at + 1].kind == Kind::Space
    };
    let at = choose(draft, rng, colon)?;
    let name = draft.previous(at).expect("a name is before each colon");
    let raw = &draft.tokens[name].raw;
    let raw = format!("{}:\"", &raw[..raw.len() - 1]);
    draft.write(name, raw);
    draft.write(at, "");
    Some(())
}

/// A name or text between escaped quotes, but not the first one: then the document could be escaped as
/// a whole. A text with quotes or backslashes of its own could be a part of one that is.
pub(crate) fn escaped_quotes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let string = |draft: &Draft, at: usize, token: &Token| {
        let quoted = |token: &Token| token.raw.starts_with('"');
        matches!(token.kind, Kind::Key | Kind::Text)
            && verbatim(token)
            && draft.tokens[..at].iter().any(quoted)
    };
    let at = choose(draft, rng, string)?;
    let raw = format!("\\\"{}\\\"", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// Two quotes behind a text of words. Behind a digit the first could be the sign for inches.
pub(crate) fn doubled_closing_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |_: &Draft, _, token: &Token| token.kind == Kind::Text && words_only(&token.meant);
    let at = choose(draft, rng, text)?;
    let raw = format!("\"{}\"\"", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// A member's or item's text marked as Python marks it: as bytes, a format, a raw text. One or all.
pub(crate) fn marked_strings(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let fits = |token: &Token| token.kind == Kind::Text && !token.touched && verbatim(token);
    let mark = rng.pick(&["b", "f", "r", "u"]);
    let all = rng.chance(50);
    let at = draft.choose(rng, |_, token| fits(token))?;
    for index in 0..draft.tokens.len() {
        if fits(&draft.tokens[index]) && (all || index == at) {
            let raw = format!("{mark}'{}'", draft.tokens[index].meant);
            draft.write(index, raw);
        }
    }
    Some(())
}

/// A text of words that ends with a single quote. What follows is a name, a text of prose, a
/// number or a closer, so that the text cannot go on with it. Where no double quote follows at all, the document may as
/// well have ended inside the text.
pub(crate) fn other_closing_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    unlike_quotes(draft, rng, "\"", "'")
}

/// A text of words that begins with a single quote. What follows is a name, a text of prose, a
/// number or a closer, so that the text cannot go on with it.
pub(crate) fn other_opening_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    unlike_quotes(draft, rng, "'", "\"")
}

fn unlike_quotes(draft: &mut Draft, rng: &mut Rng, open: &str, close: &str) -> Option<()> {
    let text = |draft: &Draft, at: usize, token: &Token| {
        let ends = draft.next(at).is_some_and(|next| {
            let after = draft.next(next).map(|after| &draft.tokens[after]);
            let item = after.is_some_and(|after| match after.kind {
                Kind::Text => plain(&after.meant),
                kind => matches!(kind, Kind::Key | Kind::Number),
            });
            draft.tokens[next].is_close() || item
        });
        token.kind == Kind::Text && words_only(&token.meant) && ends
    };
    let at = choose(draft, rng, text)?;
    let raw = format!("{open}{}{close}", draft.tokens[at].meant);
    draft.write(at, raw);
    let quoted = |token: &Token| token.raw.contains('"');
    if open == "\"" && !draft.tokens[at + 1..].iter().any(quoted) {
        draft.complete = None;
    }
    Some(())
}

/// A name of one word that a quote of another kind closes.
pub(crate) fn other_closing_quote_of_key(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let at = choose(draft, rng, |_, _, token| {
        token.kind == Kind::Key && token.meant.chars().all(word)
    })?;
    let close = rng.pick(&["'", "'", "”", "`"]);
    let raw = format!("\"{}{close}", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// Puts words between a member's text and the comma before the next name. In a list they could be an item
/// without quotes.
pub(crate) fn words_behind_string(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |draft: &Draft, at: usize, token: &Token| {
        token.kind == Kind::Text
            && token.in_object
            && words_only(&token.meant)
            && draft.next_kind(at) == Some(Kind::Comma)
    };
    let at = choose(draft, rng, text)?;
    draft.insert(at + 1, rng.pick(&[" ok", " <- here"]));
    Some(())
}
