//! Damage to containers: closers and openers that are missing, wrong or too many.

use crate::draft::{Draft, Kind, Style, Token};
use llmjson_testutil::Rng;

/// The last closers are missing.
pub(crate) fn missing_at_end(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    drop_closers(draft, rng)?;
    draft.complete = Some(false);
    Some(())
}

/// The last closers are missing before a closing fence or tag, which may stand right behind the last
/// value: the text was not cut.
pub(crate) fn missing_before_mark(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (before, after) = rng.pick(&[
        ("```json\n", "```"),
        ("~~~\n", "~~~"),
        ("<tool_call>\n", "</tool_call>"),
        ("<json>", "</json>"),
        ("<|im_start|>assistant\n", "<|im_end|>"),
    ]);
    let last = draft
        .tokens
        .iter()
        .rev()
        .find(|token| !token.raw.trim().is_empty() && !token.is_close());
    let sound = last.is_some_and(|token| !token.touched && token.is_scalar());
    if draft.complete != Some(true) || draft.escaped || !sound {
        return None;
    }
    drop_closers(draft, rng)?;
    let behind = rng.pick(&["", "", "\nThat is all.", "\n\nLet me know."]);
    draft.before = before.to_owned();
    draft.after = format!("{}{after}{behind}", rng.pick(&["", "\n"]));
    Some(())
}

/// Drops some of the closers at the end, if they are as they were printed.
fn drop_closers(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let closers = draft
        .tokens
        .iter()
        .rev()
        .take_while(|token| token.is_close() || token.kind == Kind::Space);
    let count = closers.filter(|token| token.is_close()).count();
    if count == 0
        || draft
            .tokens
            .iter()
            .rev()
            .take(count)
            .any(|token| token.touched)
    {
        return None;
    }
    for _ in 0..rng.between(1, count) {
        while draft.tokens.pop().is_some_and(|token| !token.is_close()) {}
    }
    Some(())
}

/// A list of scalars in an object lacks its closer before the next name; an object in a list lacks
/// its closer before the next object. Where an object in an object lacks it, its end cannot be told, so
/// that damage is not made.
pub(crate) fn missing_in_the_middle(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let close = |at: usize, token: &Token| {
        let Some(next) = draft.next(at).and_then(|comma| draft.next(comma)) else {
            return false;
        };
        let after = draft.tokens[next].kind;
        let last = draft.previous(at).unwrap_or(0);
        match token.kind {
            Kind::CloseArray => {
                let scalars = draft.tokens[last].is_scalar();
                token.in_object && after == Kind::Key && scalars
            }
            Kind::CloseObject => {
                let scalar = draft.tokens[last].is_scalar();
                !token.in_object && after == Kind::OpenObject && scalar
            }
            _ => false,
        }
    };
    let at = draft.choose(rng, close)?;
    draft.write(at, "");
    Some(())
}

/// Any closer but the last is missing from a document in lines: their indentation tells which.
pub(crate) fn missing_by_lines(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let close = |at: usize, token: &Token| {
        token.is_close() && token.depth > 0 && draft.count(draft.open_of(at)) > 0
    };
    if !matches!(draft.style, Style::Lines(_)) {
        return None;
    }
    let at = draft.choose(rng, close)?;
    draft.write(at, "");
    // As far as brackets tell, the text may have been cut.
    draft.complete = None;
    Some(())
}

/// A square bracket closes an object though no list is open: the closers further on tell that none
/// is missing.
pub(crate) fn closer_of_nothing(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let close = |at: usize, token: &Token| {
        let kinds = draft.tokens[..at].iter().map(|token| token.kind);
        let lists = kinds.fold(0, |lists, kind| match kind {
            Kind::OpenArray => lists + 1,
            Kind::CloseArray => lists - 1,
            _ => lists,
        });
        token.kind == Kind::CloseObject
            && token.depth > 0
            && lists == 0
            && draft.count(draft.open_of(at)) > 0
    };
    let at = draft.choose(rng, close)?;
    draft.write(at, "]");
    Some(())
}

/// A closer of the other kind, where the container it stands in is of the other kind too and goes
/// on or ends as it should: the closers further on tell which one is wrong.
pub(crate) fn wrong_closer(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let close = |at: usize, token: &Token| {
        let array = token.kind == Kind::CloseArray;
        token.is_close()
            && token.depth > 0
            && array == token.in_object
            && draft.count(draft.open_of(at)) > 0
    };
    let at = draft.choose(rng, close)?;
    let other = if draft.tokens[at].kind == Kind::CloseArray {
        "}"
    } else {
        "]"
    };
    draft.write(at, other);
    Some(())
}

/// Closers too many at the very end.
pub(crate) fn extra_at_end(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    if draft.complete != Some(true) {
        return None;
    }
    let extra = rng.pick(&["}", "]", "}}", "]}", "\n}"]);
    let end = draft.tokens.len();
    draft.insert(end, extra);
    Some(())
}

/// A closer too many behind a member of the root, before its next member. Deeper down it could as
/// well close the container around it.
pub(crate) fn extra_in_the_middle(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let close = |at: usize, token: &Token| {
        token.is_close()
            && token.depth == 1
            && token.in_object
            && draft.next_kind(at) == Some(Kind::Comma)
    };
    let at = draft.choose(rng, close)?;
    let same = draft.tokens[at].raw.clone();
    draft.insert(at + 1, same);
    Some(())
}

/// A list of two or more items in round brackets.
pub(crate) fn tuple(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    brackets(draft, rng, Kind::OpenArray, "(", ")", |_, _| true)
}

/// A list of two or more strings in curly brackets.
pub(crate) fn set(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    brackets(draft, rng, Kind::OpenArray, "{", "}", |draft, open| {
        let close = draft.close_of(open);
        let inside = &draft.tokens[open + 1..close];
        inside
            .iter()
            .all(|token| matches!(token.kind, Kind::Text | Kind::Comma | Kind::Space))
    })
}

/// Members in square brackets: they mean a list that holds one object.
pub(crate) fn bracketed_members(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let wanted = |at: usize, token: &Token| {
        token.kind == Kind::OpenObject
            && token.depth > 0
            && draft.count(at) > 1
            && draft.free(draft.close_of(at))
    };
    let open = draft.choose(rng, wanted)?;
    let close = draft.close_of(open);
    let list = |token: &Token, kind, raw: &str| Token {
        kind,
        raw: raw.to_owned(),
        touched: true,
        ..token.clone()
    };
    let opener = list(&draft.tokens[open], Kind::OpenArray, "[");
    let closer = list(&draft.tokens[close], Kind::CloseArray, "]");
    draft.write(open, "");
    draft.write(close, "");
    draft.tokens[open..=close]
        .iter_mut()
        .for_each(|token| token.depth += 1);
    draft.tokens[open].in_object = false;
    draft.tokens[close].in_object = false;
    draft.tokens.insert(close + 1, closer);
    draft.tokens.insert(open, opener);
    Some(())
}

fn brackets(
    draft: &mut Draft,
    rng: &mut Rng,
    kind: Kind,
    open: &str,
    close: &str,
    fits: impl Fn(&Draft, usize) -> bool,
) -> Option<()> {
    let wanted = |at: usize, token: &Token| {
        token.kind == kind
            && token.depth > 0
            && draft.count(at) > 1
            && draft.free(draft.close_of(at))
            && fits(draft, at)
    };
    let at = draft.choose(rng, wanted)?;
    let end = draft.close_of(at);
    draft.write(at, open);
    draft.write(end, close);
    Some(())
}

/// A scalar in a call, as MongoDB's shell and Python print them.
pub(crate) fn wrapper(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| {
        matches!(token.kind, Kind::Number | Kind::Text)
    })?;
    let name = match draft.tokens[at].kind {
        Kind::Text => rng.pick(&["ObjectId", "ISODate", "Markup", "str", "new Date"]),
        _ => rng.pick(&["NumberLong", "NumberInt", "Decimal", "int"]),
    };
    let raw = format!("{name}({})", draft.tokens[at].raw);
    draft.write(at, raw);
    Some(())
}

/// The whole value in a call.
pub(crate) fn callback(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    if draft.complete != Some(true) {
        return None;
    }
    let name = rng.pick(&["callback", "handle_result", "JSON.stringify", "print"]);
    draft.before = format!("{name}(");
    draft.after = rng.pick(&[")", ");", ")\n"]).to_owned();
    Some(())
}

/// An object without its braces.
pub(crate) fn missing_braces(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let last = draft.tokens.len() - 1;
    let object = draft.tokens[0].kind == Kind::OpenObject && draft.tokens[last].raw == "}";
    if !object || draft.count(0) < 2 || !draft.free(0) || !draft.free(last) {
        return None;
    }
    draft.write(0, "");
    draft.write(last, if rng.chance(80) { "" } else { "\n" });
    Some(())
}

/// The opening brace of the whole object twice, its closing one once or twice.
pub(crate) fn doubled_opener(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let last = draft.tokens.len() - 1;
    let object = draft.tokens[0].kind == Kind::OpenObject && draft.tokens[last].raw == "}";
    if !object || draft.count(0) < 2 || !draft.free(0) || !draft.free(last) {
        return None;
    }
    draft.write(0, rng.pick(&["{{", "{\n{"]));
    draft.write(last, rng.pick(&["}}", "}"]));
    // With one closer, whether the end is missing is a matter of taste.
    draft.complete = None;
    Some(())
}
