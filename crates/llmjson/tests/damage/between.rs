//! Damage between tokens: commas, colons, comments, dots.

use crate::draft::{Draft, Kind};
use llmjson_testutil::Rng;

/// A comma before a closer; the container is not empty.
pub(crate) fn trailing_comma(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = close_after_value(draft, rng)?;
    let last = draft.previous(at).unwrap_or(0);
    draft.insert(last + 1, ",");
    Some(())
}

fn close_after_value(draft: &Draft, rng: &mut Rng) -> Option<usize> {
    draft.choose(rng, |at, token| {
        token.is_close() && draft.count(draft.open_of(at)) > 0
    })
}

/// Two commas where one belongs. In lists this drops nothing, since a hole has no value.
pub(crate) fn doubled_comma(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| token.kind == Kind::Comma)?;
    draft.write(at, rng.pick(&[",,", ", ,"]));
    Some(())
}

/// A comma after an opener; the container is not empty.
pub(crate) fn leading_comma(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |at, token| token.is_open() && draft.count(at) > 0)?;
    draft.insert(at + 1, ",");
    Some(())
}

/// No comma at the end of a line.
pub(crate) fn missing_comma_at_line_end(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let all = rng.chance(20);
    let comma = |_, token: &crate::draft::Token| draft.is_lines() && token.kind == Kind::Comma;
    let at = draft.choose(rng, comma)?;
    for index in 0..draft.tokens.len() {
        let token = &draft.tokens[index];
        if token.kind == Kind::Comma && !token.touched && (all || index == at) {
            draft.write(index, "");
        }
    }
    Some(())
}

/// No comma between two containers of a list, or between a container and the next name.
pub(crate) fn missing_comma_after_closer(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let comma = |at, token: &crate::draft::Token| {
        let before = matches!(
            draft.previous_kind(at),
            Some(Kind::CloseObject | Kind::CloseArray)
        );
        let after = matches!(
            draft.next_kind(at),
            Some(Kind::OpenObject | Kind::OpenArray | Kind::Key)
        );
        token.kind == Kind::Comma && before && after
    };
    let at = draft.choose(rng, comma)?;
    draft.write(at, "");
    Some(())
}

/// No colon between a name of one word and its value. One of several words could as well be a
/// quotation in the string before it.
pub(crate) fn missing_colon(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let colon = |at: usize, token: &crate::draft::Token| {
        let name = draft
            .previous(at)
            .map(|name| draft.tokens[name].meant.as_str());
        token.kind == Kind::Colon && name.is_some_and(|name| !name.contains(' '))
    };
    let at = draft.choose(rng, colon)?;
    let spaced = draft.tokens[at + 1].kind == Kind::Space;
    draft.write(at, if spaced { "" } else { " " });
    Some(())
}

/// A comma or closer between a name and its colon.
pub(crate) fn surplus_before_colon(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| token.kind == Kind::Colon)?;
    draft.write(at, rng.pick(&[",:", "}:", "]:", " , :"]));
    Some(())
}

/// Another sign for a comma, once or everywhere.
pub(crate) fn odd_comma(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    odd_separator(draft, rng, Kind::Comma, &[";", "，", ";"])
}

/// Another sign for a colon, once or everywhere.
pub(crate) fn odd_colon(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    odd_separator(draft, rng, Kind::Colon, &["=", " =>", " =", "：", "=>"])
}

fn odd_separator(draft: &mut Draft, rng: &mut Rng, kind: Kind, signs: &[&str]) -> Option<()> {
    let sign = rng.pick(signs);
    let all = rng.chance(50);
    let at = draft.choose(rng, |_, token| token.kind == kind)?;
    for index in 0..draft.tokens.len() {
        let token = &draft.tokens[index];
        if token.kind == kind && !token.touched && (all || index == at) {
            draft.write(index, sign);
        }
    }
    Some(())
}

/// A comment that ends with its line, after a comma, an opener or a last value.
pub(crate) fn line_comment(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let mark = rng.pick(&["//", "#", "//"]);
    let words = rng.pick(&[
        " the name",
        " don't change",
        " e.g. \"x\": 1, or {y}",
        " see https://x.y/z",
        " to be confirmed",
        " [1, 2",
    ]);
    let at = comment_place(draft, rng)?;
    let space = if draft.tokens[at].raw.contains('\n') {
        ""
    } else {
        "\n"
    };
    draft.insert(at, format!(" {mark}{words}{space}"));
    Some(())
}

/// A comment with an end, after a comma, an opener or a last value.
pub(crate) fn block_comment(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let words = rng.pick(&[
        "the name",
        "it's {new}",
        "\"x\": 1, [2",
        "https://x.y",
        "first\nsecond",
    ]);
    let at = comment_place(draft, rng)?;
    let comment = match rng.below(3) {
        0 => format!("<!-- {words} -->"),
        1 => format!("/*{words}*/"),
        _ => format!(" /* {words} */ "),
    };
    draft.insert(at, comment);
    Some(())
}

/// Just behind a comma or opener, or just before the white space of a closer.
fn comment_place(draft: &Draft, rng: &mut Rng) -> Option<usize> {
    let behind = |at, token: &crate::draft::Token| {
        token.kind == Kind::Comma
            || token.is_open()
            || token.is_scalar()
                && draft
                    .next(at)
                    .is_some_and(|next| draft.tokens[next].is_close())
    };
    draft.choose(rng, behind).map(|at| at + 1)
}

/// Dots after the last item or member.
pub(crate) fn ellipsis(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = close_after_value(draft, rng)?;
    let last = draft.previous(at).unwrap_or(0);
    let dots = rng.pick(&["...", "…", "..."]);
    let parting = if draft.is_lines() {
        draft.tokens[at - 1].raw.clone()
    } else {
        " ".to_owned()
    };
    draft.insert(last + 1, format!(",{parting}{dots}"));
    Some(())
}
