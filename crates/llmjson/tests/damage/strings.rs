//! Damage to strings: their quotes, and what stands inside.

use crate::draft::{Draft, Kind, Token, escaped, quoted};
use crate::texts::{plain, words_only};
use llmjson_testutil::Rng;

pub(crate) fn quote_signs(text: &str) -> bool {
    text.contains(|c| "\"'`´‘’‚“”„«»「」『』＂".contains(c))
}

/// Every string, or one, between other signs; texts with any quote sign or escape keep theirs.
fn requote(draft: &mut Draft, rng: &mut Rng, pairs: &[(&str, &str)]) -> Option<()> {
    let fits = |token: &Token| {
        let string = matches!(token.kind, Kind::Key | Kind::Text) && !token.touched;
        string && !quote_signs(&token.meant) && !token.raw.contains('\\')
    };
    let (open, close) = rng.pick(pairs);
    let all = rng.chance(60);
    let at = draft.choose(rng, |_, token| fits(token))?;
    for index in 0..draft.tokens.len() {
        if fits(&draft.tokens[index]) && (all || index == at) {
            let raw = format!("{open}{}{close}", draft.tokens[index].meant);
            draft.write(index, raw);
        }
    }
    Some(())
}

/// Single quotes around texts without any quote.
pub(crate) fn single_quotes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    requote(draft, rng, &[("'", "'")])
}

/// Typographic quotes around texts without any quote.
pub(crate) fn curly_quotes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    requote(
        draft,
        rng,
        &[
            ("“", "”"),
            ("“", "”"),
            ("„", "“"),
            ("«", "»"),
            ("‘", "’"),
            ("”", "”"),
        ],
    )
}

/// Backticks around texts without any quote.
pub(crate) fn backticks(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    requote(draft, rng, &[("`", "`")])
}

/// What Python prints: single quotes unless the text has one and no double quote, and its keywords.
pub(crate) fn python(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    for index in 0..draft.tokens.len() {
        let token = &draft.tokens[index];
        if token.touched {
            continue;
        }
        let raw = match token.kind {
            Kind::Key | Kind::Text => {
                let inside = escaped(&token.meant, false).replace("\\\"", "\"");
                match (token.meant.contains('\''), token.meant.contains('"')) {
                    (true, false) => continue,
                    (true, true) => format!("'{}'", inside.replace('\'', "\\'")),
                    _ => format!("'{inside}'"),
                }
            }
            Kind::Keyword => match &*token.meant {
                "true" => "True".to_owned(),
                "false" => "False".to_owned(),
                _ => "None".to_owned(),
            },
            _ => continue,
        };
        draft.write(index, raw);
    }
    Some(())
}

/// Three quotes on either side, as Python writes long texts, with raw line breaks.
pub(crate) fn triple_quotes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |_, token: &Token| {
        token.kind == Kind::Text && !token.meant.is_empty() && !token.meant.contains(['"', '\\'])
    };
    let at = draft.choose(rng, text)?;
    let raw = format!("\"\"\"{}\"\"\"", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// No closing quote at the end of a line before the next member.
pub(crate) fn missing_closing_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |at: usize, token: &Token| {
        let comma = draft
            .next(at)
            .filter(|&next| draft.tokens[next].kind == Kind::Comma);
        let key = comma.and_then(|comma| draft.next_kind(comma)) == Some(Kind::Key);
        draft.is_lines() && token.kind == Kind::Text && plain(&token.meant) && key
    };
    let at = draft.choose(rng, text)?;
    let raw = format!("\"{}", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// No opening quote before words that are a value.
pub(crate) fn missing_opening_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| {
        token.kind == Kind::Text && words_only(&token.meant)
    })?;
    let raw = format!("{}\"", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// A name lacks its opening quote.
pub(crate) fn key_without_opening_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    half_quoted_key(draft, rng, "", "\"")
}

/// A name lacks its closing quote. Where no quote follows at all, the text may as well have ended
/// inside the name.
pub(crate) fn key_without_closing_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    half_quoted_key(draft, rng, "\"", "")
}

fn half_quoted_key(draft: &mut Draft, rng: &mut Rng, open: &str, close: &str) -> Option<()> {
    let name = |token: &Token| {
        token
            .meant
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let at = draft.choose(rng, |_, token| token.kind == Kind::Key && name(token))?;
    let raw = format!("{open}{}{close}", draft.tokens[at].meant);
    draft.write(at, raw);
    let quoted = |token: &Token| token.raw.contains('"');
    if close.is_empty() && !draft.tokens[at + 1..].iter().any(quoted) {
        draft.complete = None;
    }
    Some(())
}

/// Two quotes before a text of words. With two behind it as well, the text could be meant to stand
/// in quotes, so that is not made.
pub(crate) fn doubled_quote(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| {
        token.kind == Kind::Text && words_only(&token.meant)
    })?;
    let raw = format!("\"\"{}\"", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// Both quotes of a name twice. At the very beginning that is how a table quotes a whole document.
pub(crate) fn doubled_key_quotes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |at, token| token.kind == Kind::Key && at > 2)?;
    let raw = format!("\"{}\"", draft.tokens[at].raw);
    draft.write(at, raw);
    Some(())
}

/// A word of prose in quotes that are not escaped: not the first, not the last, and not before a
/// colon. Before a comma only in a member, since in a list it could end an item.
pub(crate) fn inner_quotes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |_, token: &Token| {
        token.kind == Kind::Text && plain(&token.meant) && token.meant.split(' ').count() > 3
    };
    let at = draft.choose(rng, text)?;
    let words: Vec<&str> = draft.tokens[at].meant.split(' ').collect();
    let first = rng.between(1, words.len() - 2);
    let last = rng.between(first, (first + 2).min(words.len() - 2));
    let phrase = words[first..=last].join(" ");
    let word = phrase.trim_end_matches([',', '.', '!', '?']);
    let behind = &phrase[word.len()..];
    if word.is_empty() || behind.contains(',') && !draft.tokens[at].in_object {
        return None;
    }
    let (before, after) = (words[..first].join(" "), words[last + 1..].join(" "));
    let meant = format!("{before} \"{word}\"{behind} {after}");
    let raw = format!("\"{meant}\"");
    draft.replace(at, Kind::Text, &raw, &meant);
    Some(())
}

/// The last word of a member's text in quotes that are not escaped, so that two quotes stand at
/// its end.
pub(crate) fn inner_quotes_at_end(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |_, token: &Token| {
        let words = token.kind == Kind::Text && words_only(&token.meant);
        words && token.in_object && token.meant.contains(' ')
    };
    let at = draft.choose(rng, text)?;
    let (before, word) = draft.tokens[at]
        .meant
        .rsplit_once(' ')
        .expect("it holds a space");
    let meant = format!("{before} \"{word}\"");
    let raw = format!("\"{meant}\"");
    draft.replace(at, Kind::Text, &raw, &meant);
    Some(())
}

/// A text in two pieces with a plus sign between.
pub(crate) fn joined(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    pieces(draft, rng, &["\" + \"", "\"+\"", "\" +\n      \""], |_| {
        true
    })
}

/// A member's text in two pieces, one after the other.
pub(crate) fn adjacent(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    pieces(draft, rng, &["\" \"", "\"\n      \""], |token| {
        token.in_object
    })
}

fn pieces(
    draft: &mut Draft,
    rng: &mut Rng,
    between: &[&str],
    fits: impl Fn(&Token) -> bool,
) -> Option<()> {
    let text = |_, token: &Token| {
        token.kind == Kind::Text && fits(token) && plain(&token.meant) && token.meant.contains(' ')
    };
    let at = draft.choose(rng, text)?;
    let raw = &draft.tokens[at].raw;
    let spaces: Vec<usize> = raw.match_indices(' ').map(|(at, _)| at).collect();
    let (before, after) = raw.split_at(rng.pick(&spaces));
    let raw = format!("{before}{}{after}", rng.pick(between));
    draft.write(at, raw);
    Some(())
}

/// Raw line breaks and tabs in texts that have them.
pub(crate) fn control_characters(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |_, token: &Token| {
        token.kind == Kind::Text
            && (token.raw.contains("\\n") || token.raw.contains("\\t"))
            && !token.meant.contains(['\\', '"', '`'])
    };
    let at = draft.choose(rng, text)?;
    let raw = format!("\"{}\"", draft.tokens[at].meant);
    draft.write(at, raw);
    Some(())
}

/// A text that is written as the first of a pair and means the other.
pub(crate) fn swapped(draft: &mut Draft, rng: &mut Rng, pairs: &[(&str, &str)]) -> Option<()> {
    let at = draft.choose(rng, |_, token| token.kind == Kind::Text)?;
    let (inside, meant) = rng.pick(pairs);
    draft.replace(at, Kind::Text, &format!("\"{inside}\""), meant);
    Some(())
}

/// Backslashes before what cannot be escaped: letters keep them, punctuation drops them.
pub(crate) fn invalid_escapes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    swapped(
        draft,
        rng,
        &[
            (r"\d+\s*\w", r"\d+\s*\w"),
            (r"C:\Users\Public\Documents", r"C:\Users\Public\Documents"),
            (r"it\'s here", "it's here"),
            (r"costs \$5", "costs $5"),
            (r"snake\_case", "snake_case"),
            (r"50\% of \[all\]", "50% of [all]"),
            (r"^\D{2}-\S+$", r"^\D{2}-\S+$"),
        ],
    )
}

/// Half a surrogate pair.
pub(crate) fn lone_surrogate(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    swapped(
        draft,
        rng,
        &[
            (r"a \ud83d b", "a \u{fffd} b"),
            (r"\udc00", "\u{fffd}"),
            (r"end \uD800", "end \u{fffd}"),
        ],
    )
}

/// Paths, formulas and patterns with single backslashes, one of which at least stands where JSON has
/// no escape.
pub(crate) fn raw_escapes(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    const ROOTS: &[&str] = &["C:", "d:", r"\\nas-1", r"\\files.local", "..", "%APPDATA%"];
    const FOLDERS: &[&str] = &[
        "new",
        "temp",
        "bin",
        "reports",
        "files",
        "table 1",
        "node_modules",
        "Program Files",
        "notes",
        "backup",
    ];
    const ESCAPES_NOTHING: &[&str] = &["data", "Users", "src", "1", "Windows", "keep", "log.txt"];
    const WORDS: &[&str] = &[
        r"\theta",
        r"\neq",
        r"\beta",
        r"\times",
        r"\nabla",
        r"\rho",
        r"\to",
        r"\frac{a}{b}",
        r"\text{if }",
        r"\right)",
        r"\forall x",
        r"\binom{n}{k}",
        r"\nu",
        r"\tau_1",
        r"\rangle",
    ];
    const ONLY_WORDS: &[&str] = &[
        r"\alpha",
        r"\sqrt{c}",
        r"\(x\)\in A",
        r"\pi",
        r"\[\sum_i i\]",
    ];
    const PATTERNS: &[&str] = &[
        r"^\d+\.\d{2}\b$",
        r"\bfoo\s+bar\b",
        r"^\(\d{3}\) \d{3}-\d{4}$",
        r"(\w+)\.(\w+)\b",
        r"\S+@\S+\.\w{2,}",
        r"^\[\w\]\|\{\d\}$",
    ];
    let at = draft.choose(rng, |_, token| token.kind == Kind::Text)?;
    let count = rng.between(1, 4);
    let mix = |rng: &mut Rng, some: &[&'static str], one: &[&'static str]| {
        let mut parts: Vec<&str> = (0..count).map(|_| rng.pick(some)).collect();
        parts.insert(rng.between(0, parts.len()), rng.pick(one));
        parts
    };
    let meant = match rng.below(3) {
        0 => format!(
            "{}\\{}",
            rng.pick(ROOTS),
            mix(rng, FOLDERS, ESCAPES_NOTHING).join("\\")
        ),
        1 => mix(rng, WORDS, ONLY_WORDS).join(rng.pick(&[" ", " + ", " = "])),
        _ => rng.pick(PATTERNS).to_owned(),
    };
    draft.replace(at, Kind::Text, &format!("\"{meant}\""), &meant);
    Some(())
}

/// A text with quotes of which none is escaped: HTML attributes.
pub(crate) fn markup(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| token.kind == Kind::Text && token.in_object)?;
    let meant = rng.pick(&[
        "<div class=\"note\">hello</div>",
        "<a href=\"https://x.y/z\" target=\"_blank\">link</a> and more",
        "say \"yes\" or \"no\" please",
        "the 5\" pipe and the 7\" one",
        "print(\"hi\") does it",
    ]);
    draft.replace(at, Kind::Text, &format!("\"{meant}\""), meant);
    Some(())
}

/// A member whose text is quoted twice over, as shells do: `"'words'"` stays as it is.
pub(crate) fn quoted_again(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| {
        token.kind == Kind::Text && words_only(&token.meant)
    })?;
    let meant = format!("'{}'", draft.tokens[at].meant);
    draft.replace(at, Kind::Text, &quoted(&meant, false), &meant);
    Some(())
}
