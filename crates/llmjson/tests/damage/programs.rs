//! Objects as programs write them, and their escapes.

use crate::draft::{Draft, Kind, Token};
use crate::rng::Rng;
use crate::strings::quote_signs;
use crate::texts::words_only;

/// Names without quotes, texts in other quotes than double ones, and one word of text in none: the name
/// of a variable or a constant.
pub(crate) fn bare_word_between_quotes(draft: &mut Draft, rng: &mut Rng) -> bool {
    let (open, close) = rng.pick(&[("'", "'"), ("'", "'"), ("`", "`"), ("“", "”")]);
    let word = |token: &Token| {
        token.kind == Kind::Text && words_only(&token.meant) && !token.meant.contains(' ')
    };
    let Some(bare) = draft.choose(rng, |_, token| word(token) && token.in_object) else {
        return false;
    };
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
    true
}
