//! JSON in colours, for terminals.

use std::borrow::Cow;
use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};

const NAME: &str = "\x1b[34m";
const TEXT: &str = "\x1b[32m";
const NUMBER: &str = "\x1b[36m";
const WORD: &str = "\x1b[35m";
const END: &str = "\x1b[0m";

/// Strict JSON in colours, if they are wanted, by a terminal if not said.
pub(crate) fn coloured(json: &str, choice: ColorChoice) -> Cow<'_, str> {
    let choice = match choice {
        ColorChoice::Auto => AutoStream::choice(&io::stdout()),
        choice => choice,
    };
    match choice {
        ColorChoice::Never => Cow::Borrowed(json),
        _ => Cow::Owned(colour(json)),
    }
}

/// Returns `true` if a person is watching standard output.
pub(crate) fn is_watched() -> bool {
    io::stdout().is_terminal()
}

fn colour(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut at = 0;
    while let Some(byte) = json.as_bytes().get(at) {
        let end = at + length_of_token(&json[at..]);
        let token = &json[at..end];
        let colour = match byte {
            b'"' if json[end..].trim_start().starts_with(':') => NAME,
            b'"' => TEXT,
            b'-' | b'0'..=b'9' => NUMBER,
            b'a'..=b'z' => WORD,
            _ => "",
        };
        match colour {
            "" => out.push_str(token),
            colour => out.extend([colour, token, END]),
        }
        at = end;
    }
    out
}

/// Returns the length of a string, number or keyword, or of the punctuation and white space before the next one.
fn length_of_token(json: &str) -> usize {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    if let Some(rest) = json.strip_prefix('"') {
        let mut escaped = false;
        let end = rest.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        return end.map_or(json.len(), |end| end + 2);
    }
    let end = match json.starts_with(is_word) {
        true => json.find(|c| !is_word(c)),
        false => json.find(|c| is_word(c) || c == '"'),
    };
    end.unwrap_or(json.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_have_colours() {
        let json = r#"{"a\"": [1e+5, true, "b:"]}"#;
        let shown = colour(json);
        let wanted = format!(
            "{{{NAME}\"a\\\"\"{END}: [{NUMBER}1e+5{END}, {WORD}true{END}, {TEXT}\"b:\"{END}]}}"
        );
        assert_eq!(shown, wanted);
        assert_eq!(colour(""), "");
        assert_eq!(anstream::adapter::strip_str(&shown).to_string(), json);
    }
}
