//! Writing to standard output and standard error, differently on a terminal.
//!
//! A reply may contain sequences that move the cursor or change the reading direction. Files receive them
//! unchanged, terminals only in a visible form.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use anstream::ColorChoice;
use llmjson_page::shown::is_hidden;
pub(crate) use llmjson_page::shown::{picture_text, push_picture};

use crate::colours::coloured;
use crate::input::CommandError;

/// The state of the program that reads the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputReader {
    Listens,
    /// The pipe is closed, which is not an error.
    Left,
}

/// Writes to standard output at once.
///
/// # Errors
///
/// If it cannot be written, for another reason than that it is not read.
pub(crate) fn write_out(text: &str) -> Result<OutputReader, CommandError> {
    listening(write_through(&mut io::stdout().lock(), text))
}

/// JSON for standard output: on a terminal what does not show is escaped, which leaves the value the same.
pub(crate) fn visible(json: &str) -> Cow<'_, str> {
    match io::stdout().is_terminal() {
        true => escape_hidden(json),
        false => Cow::Borrowed(json),
    }
}

/// Writes a line of JSON to standard output.
pub(crate) fn write_json(json: &str) -> Result<OutputReader, CommandError> {
    write_out(&format!("{}\n", visible(json)))
}

/// Writes JSON to standard output, in colours if requested.
pub(crate) fn write_json_in(
    json: &str,
    colours: ColorChoice,
) -> Result<OutputReader, CommandError> {
    write_out(&format!("{}\n", coloured(&visible(json), colours)))
}

/// Writes JSON text to standard output unchanged.
pub(crate) fn write_text(json: &str) -> Result<OutputReader, CommandError> {
    write_out(&visible(json))
}

/// A line of a text, for standard output: on a terminal every character shows.
pub(crate) fn picture_line(line: &str) -> Cow<'_, str> {
    match io::stdout().is_terminal() {
        true => Cow::Owned(picture_text(line)),
        false => Cow::Borrowed(line),
    }
}

/// Writes feedback for a model, which is JSON with comments, to standard error.
pub(crate) fn write_feedback(feedback: &str) {
    let terminal = io::stderr().is_terminal();
    let shown = if terminal {
        escape_hidden(feedback)
    } else {
        Cow::Borrowed(feedback)
    };
    // A caller that closed standard error does not want to know.
    let _ = write_through(&mut io::stderr().lock(), &format!("{shown}\n"));
}

/// Writes one line for people to standard error.
pub(crate) fn tell(message: &str) {
    // A caller that closed standard error does not want to know.
    let _ = write_through(&mut io::stderr().lock(), &message_line(message));
}

/// Returns a message for people as one line.
pub(crate) fn message_line(message: &str) -> String {
    format!("llmjson: {}\n", picture_text(&message.replace('\n', " ")))
}

fn write_through(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Treats a closed pipe as the end of standard output, not as an error.
pub(crate) fn listening(written: io::Result<()>) -> Result<OutputReader, CommandError> {
    match written {
        Ok(()) => Ok(OutputReader::Listens),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(OutputReader::Left),
        Err(error) => Err(CommandError::new("standard output", error)),
    }
}

/// Escapes the hidden characters of a JSON text. They occur only in strings, except white space between tokens, in
/// which tabs stay, because a terminal shows them.
fn escape_hidden(json: &str) -> Cow<'_, str> {
    if !json.contains(is_hidden) {
        return Cow::Borrowed(json);
    }
    let mut shown = String::with_capacity(json.len() + 16);
    let (mut in_string, mut escaped) = (false, false);
    for character in json.chars() {
        in_string ^= character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        if !is_hidden(character) || (character == '\t' && !in_string) {
            shown.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(shown, "\\u{unit:04x}").expect("writing to a string does not fail");
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_is_shown() {
        let table = [
            ("plain é 漢", "plain é 漢", "plain é 漢"),
            ("\x1b[31m", r"\u001b[31m", "␛[31m"),
            ("\u{9b}2J", r"\u009b2J", "<U+009B>2J"),
            ("a\u{202e}b", r"a\u202eb", "a<U+202E>b"),
            ("\x7f\0", r"\u007f\u0000", "␡␀"),
            ("\u{e0041}", r"\udb40\udc41", "<U+E0041>"),
            ("\t\"\\\"\t\"", "\t\"\\\"\\u0009\"", "→\"\\\"→\""),
        ];
        for (text, escaped, pictured) in table {
            assert_eq!(escape_hidden(text), escaped);
            assert_eq!(picture_text(text), pictured);
        }
    }
}
