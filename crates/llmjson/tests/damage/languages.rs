//! Values as other languages write or print them.

use crate::draft::{Draft, Kind, Token, escaped};
use crate::texts::words_only;
use llmjson_testutil::Rng;

/// Whether a name is one as programs have them.
fn identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a text has neither quotes nor anything that is escaped.
fn plain(text: &str) -> bool {
    !text.contains(['\'', '"', '\\', '\n', '\t', '\r'])
}

/// The names and colons of an object's own members.
fn own(draft: &Draft, open: usize, kind: Kind) -> Vec<usize> {
    let depth = draft.tokens[open].depth + 1;
    (open..draft.close_of(open))
        .filter(|&at| draft.tokens[at].kind == kind && draft.tokens[at].depth == depth)
        .collect()
}

/// An inner object with members whose names `fit`, and of which nothing has been damaged.
fn object(draft: &Draft, rng: &mut Rng, fit: fn(&str) -> bool) -> Option<usize> {
    draft.choose(rng, |at, token| {
        token.kind == Kind::OpenObject
            && token.depth > 0
            && draft.count(at) > 0
            && draft.free(draft.close_of(at))
            && own(draft, at, Kind::Key).iter().all(|&key| {
                let token = &draft.tokens[key];
                draft.free(key) && fit(&token.meant)
            })
    })
}

/// A call with a text in single quotes or a number, as Python prints what is no plain value.
pub(crate) fn calls(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| {
        token.kind == Kind::Number || token.kind == Kind::Text && plain(&token.meant)
    })?;
    let token = &draft.tokens[at];
    let raw = match token.kind {
        Kind::Text => {
            let name = rng.pick(&["UUID", "PosixPath", "Decimal", "np.str_", "ValueError"]);
            format!("{name}('{}')", token.meant)
        }
        _ => format!(
            "{}({})",
            rng.pick(&["np.float64", "Fraction", "int"]),
            token.raw
        ),
    };
    draft.write(at, raw);
    Some(())
}

/// A set of one text in single or double quotes.
pub(crate) fn set_of_one(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let wanted = |at: usize, token: &Token| {
        token.kind == Kind::OpenArray && token.depth > 0 && draft.count(at) == 1 && {
            let item = draft.next(at).expect("it is not empty");
            let text = &draft.tokens[item];
            text.kind == Kind::Text && words_only(&text.meant) && draft.free(item)
        }
    };
    let open = draft.choose(rng, wanted)?;
    let (item, close) = (draft.next(open).expect("an item"), draft.close_of(open));
    if rng.chance(60) {
        let raw = format!("'{}'", draft.tokens[item].meant);
        draft.write(item, raw);
    }
    let called = rng.chance(30);
    draft.write(open, if called { "frozenset({" } else { "{" });
    draft.write(close, if called { "})" } else { "}" });
    Some(())
}

/// An object as Python prints one of a class: `Point(x=1, y=2)`.
pub(crate) fn named_arguments(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let open = object(draft, rng, identifier)?;
    let name = rng.pick(&["Point", "user.Person", "dict", "Config_2"]);
    members(draft, open, "=", |name| name.to_owned());
    draft.write(open, format!("{name}("));
    let close = draft.close_of(open);
    draft.write(close, ")");
    Some(())
}

/// An object as PHP writes it: `['a' => 1]`, `array('a' => 1)`.
pub(crate) fn arrows(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let open = object(draft, rng, plain)?;
    members(draft, open, " => ", |name| format!("'{name}'"));
    let brackets = rng.pick(&[("[", "]"), ("array(", ")")]);
    let close = draft.close_of(open);
    draft.write(open, brackets.0);
    draft.write(close, brackets.1);
    Some(())
}

/// An object as Ruby prints it: `{:a => 1, :b=>2}`.
pub(crate) fn symbols(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let open = object(draft, rng, identifier)?;
    let arrow = rng.pick(&["=>", " => "]);
    members(draft, open, arrow, |name| format!(":{name}"));
    draft.write(open, "{");
    Some(())
}

/// An object as Lua writes it: `{["a"] = 1}`.
pub(crate) fn bracketed_names(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let open = object(draft, rng, plain)?;
    let sign = rng.pick(&[" = ", ": "]);
    members(draft, open, sign, |name| format!("[\"{name}\"]"));
    draft.write(open, "{");
    Some(())
}

/// Writes the names and colons of an object's members another way.
fn members(draft: &mut Draft, open: usize, colon: &str, name: impl Fn(&str) -> String) {
    for key in own(draft, open, Kind::Key) {
        let raw = name(&draft.tokens[key].meant);
        draft.write(key, raw);
    }
    for at in own(draft, open, Kind::Colon) {
        draft.write(at, colon);
    }
}

/// The name of a type before an object or a list of texts, as Go and Rust write it.
pub(crate) fn types(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let inside = |at: usize, token: &Token| token.depth > 0 && draft.count(at) > 0;
    let open = draft.choose(rng, |at, token| {
        token.kind == Kind::OpenObject && inside(at, token)
    })?;
    let name = rng.pick(&[
        "Point ",
        "&Config",
        "map[string]any",
        "crate::Item ",
        "map[string]interface{}",
    ]);
    draft.write(open, format!("{name}{{"));
    Some(())
}

/// What JavaScript spreads out in an object or a list.
pub(crate) fn spread(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let open = draft.choose(rng, |at, token| token.is_open() && draft.count(at) > 0)?;
    let name = rng.pick(&["...base, ", "...more.items,", "...rest, "]);
    draft.tokens[open].touched = true;
    draft.insert(open + 1, name);
    Some(())
}

/// A text in a section of XML.
pub(crate) fn character_data(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |_, token: &Token| token.kind == Kind::Text && !token.meant.contains("]]>");
    let at = draft.choose(rng, text)?;
    let raw = format!("<![CDATA[{}]]>", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// A text in pieces between round brackets, as Python glues them together.
pub(crate) fn glued(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| {
        token.kind == Kind::Text && plain(&token.meant) && token.meant.contains(' ')
    })?;
    let (before, after) = draft.tokens[at].meant.split_once(' ').expect("a space");
    let quote = rng.pick(&["'", "\""]);
    let between = rng.pick(&[" ", "\n      "]);
    let (before, after) = (escaped(before, false), escaped(after, false));
    let raw = format!("({quote}{before} {quote}{between}{quote}{after}{quote})");
    draft.write(at, raw);
    Some(())
}
