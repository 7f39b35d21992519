//! Who is believed where the search reads a stretch otherwise: the reader or the search.
//!
//! Each repair of the reader and each move of the search has a weight: what it says for the search and
//! against the reader. The weights are a logistic regression over stretches of generated documents in
//! which one of the two was right, rounded; the unit is that of the [prices](super::price). What
//! the search has no moves for, such as strings that are joined, speaks for the reader.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::search::reading::{Event, Move};

/// The sum from which on the search is believed.
const LEAST: i32 = 15;

/// What a name that an object has twice says against the search.
const REPEATED: i32 = 20;

/// Names of an object that are compared.
const NAMES_MOST: usize = 32;

/// A cost beyond this says no more, nor does a kind of repair or move that was made more often than this.
const COST_MOST: u32 = 120;
const TIMES_MOST: u8 = 3;

/// What a repair of the reader says for the search: one of its usual class, and a guess.
const REPAIRS: &[(RepairKind, i32, i32)] = &[
    (RepairKind::BracketedMembers, -15, -15),
    (RepairKind::Comment, 1, -8),
    (RepairKind::ControlCharacter, 4, 4),
    (RepairKind::CutMember, 1, 20),
    (RepairKind::DoubledQuote, -13, -13),
    (RepairKind::DroppedValue, 13, 13),
    (RepairKind::Ellipsis, -15, -10),
    (RepairKind::EscapedSpace, 9, 9),
    (RepairKind::ExtraCloser, 7, 10),
    (RepairKind::ExtraComma, 10, 10),
    (RepairKind::GroupedDigits, -12, -23),
    (RepairKind::InnerQuote, 21, 41),
    (RepairKind::InvalidEscape, -2, -25),
    (RepairKind::JoinedStrings, -20, -46),
    (RepairKind::LoneSurrogate, -10, -10),
    (RepairKind::MismatchedQuotes, 4, 4),
    (RepairKind::MissingCloser, 19, 19),
    (RepairKind::MissingColon, 9, 30),
    (RepairKind::MissingComma, 12, 12),
    (RepairKind::MissingOpener, -8, -8),
    (RepairKind::MissingQuote, 22, 22),
    (RepairKind::MissingValue, 24, 19),
    (RepairKind::NumberAsText, 13, 13),
    (RepairKind::OddSeparator, 2, 2),
    (RepairKind::OddSpace, -11, -11),
    (RepairKind::OtherKeyword, -7, -7),
    (RepairKind::OtherNumber, -2, -2),
    (RepairKind::OtherQuotes, -7, -7),
    (RepairKind::RawEscape, -5, -5),
    (RepairKind::Set, 1, 1),
    (RepairKind::ShortKeyword, -2, -2),
    (RepairKind::StrayText, -11, -11),
    (RepairKind::Tuple, -4, -4),
    (RepairKind::UnbracketedList, -16, -16),
    (RepairKind::UnclosedArray, 10, 10),
    (RepairKind::UnclosedObject, 21, 21),
    (RepairKind::UnclosedString, 7, 7),
    (RepairKind::Undefined, -3, -3),
    (RepairKind::UnescapedJson, -13, -13),
    (RepairKind::UnquotedKey, 2, 13),
    (RepairKind::UnquotedString, 13, 26),
    (RepairKind::Wrapper, -12, -12),
    (RepairKind::WrongCloser, 21, 21),
];

/// What a move of the search says for it.
const MOVES: &[(Move, i32)] = &[
    (Move::Comment, -22),
    (Move::CutMember, -8),
    (Move::DoubledQuote, -7),
    (Move::Ellipsis, -12),
    (Move::ExtraCloser, 3),
    (Move::ExtraComma, -18),
    (Move::ExtraOpener, 11),
    (Move::InnerQuote, -3),
    (Move::MismatchedQuotes, 1),
    (Move::MissingCloser, -24),
    (Move::MissingColon, 4),
    (Move::MissingComma, -9),
    (Move::MissingOpener, -7),
    (Move::MissingQuote, -1),
    (Move::MissingValue, -24),
    (Move::OddSeparator, -5),
    (Move::OtherQuotes, -17),
    (Move::StraySign, 11),
    (Move::StrayQuote, -15),
    (Move::StrayText, 25),
    (Move::SwappedSeparator, -8),
    (Move::Unclosed, -18),
    (Move::UnquotedKey, -12),
    (Move::UnquotedString, -31),
    (Move::WrongCloser, -13),
];

/// Returns whether a repair asks for a second reading.
pub(crate) fn is_doubtful(repair: &Repair) -> bool {
    repair.class == Class::Guess
        || matches!(
            repair.kind,
            RepairKind::InnerQuote
                | RepairKind::MissingQuote
                | RepairKind::MissingCloser
                | RepairKind::WrongCloser
                | RepairKind::ExtraCloser
                | RepairKind::ExtraOpener
                | RepairKind::MissingColon
                | RepairKind::MissingValue
                | RepairKind::UnquotedString
                | RepairKind::NumberAsText
                | RepairKind::MismatchedQuotes
        )
}

/// Returns whether what the search did, for this cost, is to be preferred to what took these repairs.
pub(crate) fn prefers_search<'a>(
    repairs: impl Iterator<Item = &'a Repair>,
    cost: u32,
    path: &[Event],
    text: &str,
) -> bool {
    let did = path.iter().any(|event| matches!(event, Event::Made(..)));
    if !did || is_cut(path) {
        return false;
    }
    let mut sum = -(cost.min(COST_MOST) as i32) - REPEATED * repeated_names(path, text);
    let mut times = [0u8; 128];
    for repair in repairs {
        let (index, guess) = (repair.kind as usize, repair.class == Class::Guess);
        let count = &mut times[index % 64 + 64 * usize::from(guess)];
        if *count < TIMES_MOST
            && let Some(&(_, usual, guessed)) = REPAIRS.iter().find(|row| row.0 == repair.kind)
        {
            *count += 1;
            sum += if guess { guessed } else { usual };
        }
    }
    let mut times = [0u8; 64];
    for event in path {
        if let Event::Made(made, ..) = event {
            let count = &mut times[*made as usize % 64];
            if *count < TIMES_MOST
                && let Some(&(_, weight)) = MOVES.iter().find(|row| row.0 == *made)
            {
                *count += 1;
                sum += weight;
            }
        }
    }
    sum >= LEAST
}

/// Returns whether the text ends inside of what was read. What is missing there the reader knows better.
fn is_cut(path: &[Event]) -> bool {
    let cut = |event: &Event| {
        matches!(
            event,
            Event::DropName | Event::Close(_, true) | Event::Bare(_, _, true)
        )
    };
    path.iter().any(cut)
}

/// How many names come again in the object that they stand in.
fn repeated_names(path: &[Event], text: &str) -> i32 {
    let mut open: Vec<SmallVec<[&str; 8]>> = Vec::from([SmallVec::new()]);
    let mut repeated = 0;
    for event in path {
        match event {
            Event::Object(_) | Event::Array(_) => open.push(SmallVec::new()),
            Event::Close(..) => {
                open.pop();
                if open.is_empty() {
                    open.push(SmallVec::new());
                }
            }
            Event::Name(place, ..) => {
                let name = text.get(place.start as usize..place.end as usize);
                if let (Some(names), Some(name)) = (open.last_mut(), name)
                    && names.len() < NAMES_MOST
                {
                    repeated += i32::from(names.contains(&name));
                    names.push(name);
                }
            }
            _ => {}
        }
    }
    repeated
}
