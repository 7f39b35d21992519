use alloc::format;
use alloc::vec;

use super::tests::{named, node, until};
use super::*;
use crate::base::repair::{Class, RepairKind};
use crate::parser::state::test_reader::with_open;

const QUOTES: &str = r#"{"a": "say "hi", and go", "b": 1}"#;

/// The nodes of [`QUOTES`] from an offset on, with the text of the first member up to `end`, behind `before`
/// nodes.
fn quotes(at: usize, end: usize, before: u32) -> Vec<Node> {
    let name = |start: usize| (at + start) as u32..(at + start) as u32 + 1;
    vec![
        until(before + 3, node(Tag::Object, at..at + 33)),
        named(name(2), node(Tag::String, at + 7..at + end)),
        named(name(27), node(Tag::Integer, at + 31..at + 32)),
    ]
}

/// Stretches that the search reads otherwise: nodes, text, number of events, and whether the value ends.
type Stretches = Vec<(Range<usize>, Range<usize>, usize, bool)>;

fn stretches(text: &str, nodes: &[Node], repairs: &[(usize, usize)], read: ValueEnd) -> Stretches {
    with_open(&[], text, &[], |reader, _| {
        reader.tape.nodes.extend(nodes);
        for &(from, to) in repairs {
            reader.repair_as(RepairKind::UnclosedObject, Class::Guess, from, to);
        }
        let found = reader.segments(0, read, &Checkpoint::default());
        let told = found
            .into_iter()
            .map(|one| (one.nodes, one.text, one.events.len(), one.ended));
        told.collect()
    })
}

const fn read(end: usize, complete: bool) -> ValueEnd {
    ValueEnd { end, complete }
}

#[test]
fn the_cheaper_reading_of_a_doubtful_stretch_is_found() {
    let other = vec![(0..3, 0..usize::MAX, 8, true)];
    let cut = &QUOTES[..31];
    for (text, end, repairs, read, expected) in [
        // The first text ends at 14, or rather at 23.
        (QUOTES, 14, &[(11, 16)][..], read(33, true), &other),
        (QUOTES, 14, &[(11, 16)], read(33, false), &other),
        (QUOTES, 23, &[(11, 16)], read(33, true), &vec![]),
        (QUOTES, 14, &[], read(33, true), &vec![]),
        // The value ends elsewhere.
        (QUOTES, 23, &[(11, 16)], read(32, true), &other),
        // The reader knows better how a text that breaks off was meant.
        (cut, 14, &[(11, 16)], read(31, false), &vec![]),
        (cut, 14, &[(11, 16)], read(31, true), &vec![]),
    ] {
        let found = stretches(text, &quotes(0, end, 0), repairs, read);
        assert_eq!(found, *expected, "{text} {end} {repairs:?} {}", read.end);
    }
}

#[test]
fn stretches_that_lie_apart_are_read_one_by_one() {
    const SOUND: usize = 500;
    let sound = "1, ".repeat(SOUND);
    let text = format!("[{QUOTES}, {sound}{QUOTES}, {sound}2]");
    let second = 36 + 3 * SOUND;
    // The search goes on until its other readings are given up.
    let first = (0..337, 0..1035, 342, false);
    let last = (504..840, second..2570, 341, false);
    for (ends, expected) in [
        ((14, 14), vec![first.clone(), last.clone()]),
        ((14, 23), vec![first]),
        ((23, 14), vec![last]),
        ((23, 23), vec![]),
    ] {
        let mut nodes = vec![node(Tag::Array, 0..text.len())];
        nodes.extend(quotes(1, ends.0, 1));
        let ones = |from| {
            let places = (0..SOUND).map(move |i| from + 3 * i);
            places.map(|at| node(Tag::Integer, at..at + 1))
        };
        nodes.extend(ones(36));
        let before = nodes.len() as u32;
        nodes.extend(quotes(second, ends.1, before));
        nodes.extend(ones(second + 35));
        nodes.push(node(Tag::Integer, text.len() - 2..text.len() - 1));
        nodes[0].next = nodes.len() as u32;
        let repairs = [(12, 17), (second + 11, second + 16)];
        let found = stretches(&text, &nodes, &repairs, read(text.len(), true));
        assert_eq!(found, expected, "{ends:?}");
    }
}
