//! What programs leave in a text: their spelling of objects and escapes, the marks and notices around it.

use crate::draft::{Draft, Kind, Token, escaped};
use crate::strings::{quote_signs, swapped};
use crate::texts::words_only;
use llmjson_testutil::Rng;

/// Names without quotes, texts in other quotes than double ones, and one word of text in none: the name
/// of a variable or a constant.
pub(crate) fn bare_word_between_quotes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (open, close) = rng.pick(&[("'", "'"), ("'", "'"), ("`", "`"), ("“", "”")]);
    let word = |token: &Token| {
        token.kind == Kind::Text && words_only(&token.meant) && !token.meant.contains(' ')
    };
    let bare = draft.choose(rng, |_, token| word(token) && token.in_object)?;
    let plain = |name: &str| {
        name.starts_with(|c: char| c.is_alphabetic())
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    for at in 0..draft.tokens.len() {
        let token = &draft.tokens[at];
        let string = matches!(token.kind, Kind::Key | Kind::Text) && !token.touched;
        if !string || quote_signs(&token.meant) || token.raw.contains('\\') {
            continue;
        }
        let raw = if at == bare || token.kind == Kind::Key && plain(&token.meant) {
            token.meant.clone()
        } else {
            format!("{open}{}{close}", token.meant)
        };
        draft.write(at, raw);
    }
    Some(())
}

/// A member whose name says that its text is a regular expression, of which no backslash is escaped. Beside
/// it another text has backslashes that go.
pub(crate) fn regular_expression(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let member = |at: usize, token: &Token| {
        let colon = draft.next(at);
        let value = colon.and_then(|colon| draft.next_kind(colon));
        token.kind == Kind::Key && value == Some(Kind::Text)
    };
    let at = draft.choose(rng, member)?;
    let value = draft.next(at).and_then(|colon| draft.next(colon));
    let value = value.expect("the member has one");
    let quote = if rng.chance(30) { "'" } else { "\"" };
    let name = rng.pick(&["pattern", "regex", "filePattern", "path_regex", "Regexp"]);
    let meant = rng.pick(&[
        r"\.rs$",
        r"server\.listen\(",
        r"^v1\.2\-rc",
        r"a\+b",
        r"\[[^\]]*\]",
        r"\$\{name\}",
        r"\|\|",
        r"lib/.*\.min\.js$",
    ]);
    draft.replace(at, Kind::Key, &format!("{quote}{name}{quote}"), name);
    draft.replace(value, Kind::Text, &format!("{quote}{meant}{quote}"), meant);
    let plain = |_: usize, token: &Token| token.kind == Kind::Text && words_only(&token.meant);
    if let Some(other) = draft.choose(rng, plain) {
        let meant = format!("{} $5", draft.tokens[other].meant);
        let raw = format!("\"{}\"", meant.replace('$', "\\$"));
        draft.replace(other, Kind::Text, &raw, &meant);
    }
    Some(())
}

/// Escapes that JSON does not have and other languages do; and letters of formulas and paths, which look
/// like these.
pub(crate) fn escapes_of_languages(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    swapped(
        draft,
        rng,
        &[
            (r"caf\xe9", "café"),
            (r"\xA9 2024, M\xfcller", "© 2024, Müller"),
            (r"yes \u{1f600}", "yes 😀"),
            (r"\u{e9}t\u{e9}", "été"),
            (r"\U0001F600!", "😀!"),
            (r"\e[31mred\e[0m", "\u{1b}[31mred\u{1b}[0m"),
            (r"\x1b[1mbold\x1b[0m", "\u{1b}[1mbold\u{1b}[0m"),
            (r"\xi + \epsilon", r"\xi + \epsilon"),
            (r"D:\xed\edit", r"D:\xed\edit"),
            (r"\\xe9 and \\u{e9}", r"\xe9 and \u{e9}"),
            (r"[\x41-\x5a]\d+", r"[\x41-\x5a]\d+"),
        ],
    )
}

/// The block closes where the value of a member or an item is due.
pub(crate) fn closing_fence_for_value(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let due = |at: usize, token: &Token| {
        at > 4 && matches!(token.kind, Kind::Colon | Kind::Comma | Kind::OpenArray)
    };
    let at = draft.choose(rng, due)?;
    if draft.tokens[at].kind == Kind::Colon {
        let name = draft.previous(at).expect("the name of the member");
        draft.tokens[name].kind = Kind::Noise;
    }
    draft.tokens.truncate(at + 1);
    draft.tokens[at].touched = true;
    let behind = rng.pick(&[
        "",
        "\n",
        "\nThat is all I have.",
        "\n\nThis is what came.\n",
    ]);
    draft.before = "```json\n".to_owned();
    draft.after = format!("\n```{behind}");
    draft.complete = Some(false);
    Some(())
}

/// The text breaks off in a string or behind a comma, and a notice says so.
pub(crate) fn notice_of_a_cut(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let place = |at: usize, token: &Token| {
        let text = token.kind == Kind::Text && words_only(&token.meant) && token.in_object;
        at > 4 && (text || token.kind == Kind::Comma)
    };
    let at = draft.choose(rng, place)?;
    draft.tokens.truncate(at + 1);
    let notice = rng.pick(&[
        "... [truncated]",
        "...[truncated]",
        "\n[Response truncated…]",
        "\n... (12 lines omitted)",
        "... [output truncated: 1532 characters]",
        "\n<truncated>",
    ]);
    if draft.tokens[at].kind == Kind::Text {
        let meant = &draft.tokens[at].meant;
        let letters: Vec<usize> = meant.char_indices().map(|(at, _)| at).collect();
        let text = meant[..rng.pick(&letters)].trim_end().to_owned();
        let raw = format!("\"{}", escaped(&text, false));
        draft.replace(at, Kind::Text, &raw, &text);
    } else {
        draft.tokens[at].touched = true;
    }
    draft.after = notice.to_owned();
    draft.complete = Some(false);
    Some(())
}

/// Marks of fields as DSPy has models write them.
pub(crate) fn marks_of_fields(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let thought = "[[ ## reasoning ## ]]\nIt has two parts [1].\n\n";
    let thought = rng.pick(&["", thought]);
    let name = rng.pick(&["answer", "extracted_items", "json_output"]);
    draft.before = format!("{thought}[[ ## {name} ## ]]\n");
    if draft.complete == Some(true) {
        draft.after = "\n\n[[ ## completed ## ]]\n".to_owned();
    }
    Some(())
}

/// Colours of a terminal around the value, or around its tokens too.
pub(crate) fn colours(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let colour = rng.pick(&["\u{1b}[31m", "\u{1b}[1;32m", "\u{1b}[0m\u{1b}[34m"]);
    let lead = rng.pick(&["", "Result: ", "\u{1b}[1mResult:\u{1b}[0m\n"]);
    draft.before = format!("{lead}{colour}");
    if draft.complete == Some(true) {
        draft.after = "\u{1b}[0m\n".to_owned();
        let all = rng.chance(50);
        for token in &mut draft.tokens {
            if all && (token.is_scalar() || token.kind == Kind::Key) && !token.touched {
                token.raw = format!("{colour}{}\u{1b}[0m", token.raw);
                token.touched = true;
            }
        }
    }
    Some(())
}

/// A comment between two children that says that something was left out.
pub(crate) fn elision_in_comment(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let comma = |_: usize, token: &Token| token.kind == Kind::Comma;
    let at = draft.choose(rng, comma)?;
    let words = rng.pick(&[
        "... 7 more",
        "rest unchanged",
        "… existing fields",
        "and 12 more",
    ]);
    let comment = match rng.below(3) {
        0 => format!("/* {words} */"),
        1 => format!("// {words}\n"),
        _ => format!("# {words}\n"),
    };
    draft.insert(at + 1, format!(" {comment} "));
    Some(())
}

/// A comment behind a member with a scalar, and the next member, which has one too, behind that on the
/// same line: its line break was lost.
pub(crate) fn members_behind_comment(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let plain = |token: &Token| token.is_scalar() && !token.touched;
    let comma = |at: usize, token: &Token| {
        let before = draft
            .previous(at)
            .is_some_and(|at| plain(&draft.tokens[at]));
        let name = draft.next(at);
        let value = name.and_then(|name| draft.next(draft.next(name)?));
        let behind = value.and_then(|value| draft.tokens.get(value + 1));
        let ends = behind.is_some_and(|behind| matches!(behind.kind, Kind::Comma | Kind::Space));
        token.kind == Kind::Comma
            && token.in_object
            && draft.is_lines()
            && before
            && ends
            && value.is_some_and(|value| plain(&draft.tokens[value]))
    };
    let at = draft.choose(rng, comma)?;
    let value = draft
        .next(at)
        .and_then(|name| draft.next(draft.next(name)?));
    let value = value.expect("the member behind the comma has one");
    for token in &mut draft.tokens[at..=value] {
        token.touched = true;
    }
    draft.write(at + 1, " ");
    draft.insert(
        at,
        rng.pick(&[" // the first", " # as before", " // to be checked"]),
    );
    Some(())
}
