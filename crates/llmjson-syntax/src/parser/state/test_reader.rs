//! Readers in the middle of a text, for tests.

use alloc::format;
use alloc::vec::Vec;

use crate::base::limits::Limits;
use crate::parser::look::ask_with;
use crate::parser::state::reader::{Reader, Scratch};
use crate::parser::state::step::{Container, KeySpan, scalar};
use crate::tape::{Tag, Tape};

/// Gives a reader of a text to a test.
pub(crate) fn with_reader<T>(text: &str, test: impl FnOnce(&mut Reader<'_>) -> T) -> T {
    with_open(&[], text, &[], |reader, _| test(reader))
}

/// Asks a question of a reader for which the brackets of `open` are open and which is to go on with `rest`.
pub(crate) fn ask_reader<T>(
    open: &str,
    rest: &str,
    question: impl FnOnce(&mut Reader<'_>, Container) -> T,
) -> T {
    ask_reader_with(&[], open, rest, question)
}

/// Asks a question of such a reader that expects these names.
pub(crate) fn ask_reader_with<T>(
    names: &[&str],
    open: &str,
    rest: &str,
    question: impl FnOnce(&mut Reader<'_>, Container) -> T,
) -> T {
    let brackets = open.match_indices(['{', '[', '(']);
    let brackets: Vec<usize> = brackets.map(|(at, _)| at).collect();
    with_open(names, &format!("{open}{rest}"), &brackets, question)
}

/// Asks a question of a reader of a text in which the brackets at these offsets are open, each with one child, and
/// that expects these names.
pub(crate) fn with_open<T>(
    names: &[&str],
    text: &str,
    brackets: &[usize],
    question: impl FnOnce(&mut Reader<'_>, Container) -> T,
) -> T {
    ask_with(names, text, |look| {
        let (mut tape, mut scratch) = (Tape::default(), Scratch::default());
        let mut here = Container::OUTSIDE;
        for &bracket in brackets {
            let object = look.bytes[bracket] == b'{';
            let tag = if object { Tag::Object } else { Tag::Array };
            let mut node = scalar(KeySpan::NONE, tag, bracket, bracket);
            node.next = here.current;
            here = Container {
                current: tape.nodes.len() as u32,
                object,
                count: 1,
            };
            tape.nodes.push(node);
        }
        let mut reader = Reader::new(look, &mut tape, &Limits::DEFAULT, &mut scratch);
        reader.counters.depth = brackets.len() as u32;
        question(&mut reader, here)
    })
}
