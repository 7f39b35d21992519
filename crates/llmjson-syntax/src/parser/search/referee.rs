//! Who is believed where the search reads a stretch otherwise: the reader or the search.
//!
//! Each repair of the reader and each move of the search has a weight: what it says for the search and
//! against the reader. The weights are a logistic regression over stretches in which one of the two was
//! right, rounded; the unit is that of the [prices](super::price). Of 5,700 such stretches of generated documents
//! (edits at random places, code in strings, described damage), cases of the corpus and recorded replies
//! they decide 94 % rightly, and of those with described damage 99.2 %. What the search has no
//! moves for, such as strings that are joined, speaks for the reader.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::search::reading::{Event, Move};

/// The sum from which on the search is believed.
const LEAST: i32 = -16;

/// What a name that an object has twice says against the search.
const REPEATED: i32 = 102;

/// Names of an object that are compared.
const NAMES_MOST: usize = 32;

/// A cost beyond this says no more, nor does a kind of repair or move that was made more often than this.
const COST_MOST: u32 = 120;
const TIMES_MOST: u8 = 3;

/// What a repair of the reader says for the search: one of its usual class, and a guess.
const REPAIRS: &[(RepairKind, i32, i32)] = &[
    (RepairKind::BracketedMembers, -45, -45),
    (RepairKind::Comment, 18, -59),
    (RepairKind::ControlCharacter, 3, 3),
    (RepairKind::CutMember, 27, 35),
    (RepairKind::DoubledQuote, -11, -11),
    (RepairKind::DroppedValue, 5, 5),
    (RepairKind::Ellipsis, -84, -30),
    (RepairKind::EscapedSpace, 2, 2),
    (RepairKind::ExtraCloser, 11, 73),
    (RepairKind::ExtraComma, 20, 20),
    (RepairKind::ExtraOpener, -4, -4),
    (RepairKind::GroupedDigits, -60, -80),
    (RepairKind::InnerQuote, 38, 47),
    (RepairKind::InvalidEscape, -4, -27),
    (RepairKind::JoinedStrings, -74, -118),
    (RepairKind::LoneSurrogate, -76, -76),
    (RepairKind::MismatchedQuotes, -20, -20),
    (RepairKind::MissingCloser, 70, 35),
    (RepairKind::MissingColon, 15, 104),
    (RepairKind::MissingComma, 15, 17),
    (RepairKind::MissingOpener, -8, -8),
    (RepairKind::MissingQuote, 26, 26),
    (RepairKind::MissingValue, 13, 75),
    (RepairKind::NotANumber, -1, -1),
    (RepairKind::NumberAsText, -7, 21),
    (RepairKind::OddSeparator, 13, -5),
    (RepairKind::OddSpace, -21, -21),
    (RepairKind::OtherKeyword, -22, -22),
    (RepairKind::OtherNumber, -9, -9),
    (RepairKind::OtherQuotes, -14, -14),
    (RepairKind::RawEscape, -9, -9),
    (RepairKind::Set, 19, 8),
    (RepairKind::ShortKeyword, 21, 21),
    (RepairKind::StrayText, -23, -23),
    (RepairKind::Tuple, -35, -35),
    (RepairKind::UnbracketedList, 0, -41),
    (RepairKind::UnclosedArray, 19, 19),
    (RepairKind::UnclosedObject, 114, 114),
    (RepairKind::UnclosedString, -107, -107),
    (RepairKind::Undefined, -15, -15),
    (RepairKind::UnescapedJson, -38, -1),
    (RepairKind::UnquotedKey, 11, 5),
    (RepairKind::UnquotedString, 11, 8),
    (RepairKind::Wrapper, -32, -32),
    (RepairKind::WrongCloser, 67, 67),
];

/// What a move of the search says for it.
const MOVES: &[(Move, i32)] = &[
    (Move::Comment, -38),
    (Move::DoubledQuote, 33),
    (Move::Ellipsis, -29),
    (Move::ExtraCloser, -15),
    (Move::ExtraComma, -21),
    (Move::ExtraOpener, -11),
    (Move::InnerQuote, -12),
    (Move::MismatchedQuotes, -12),
    (Move::MissingCloser, -75),
    (Move::MissingColon, 13),
    (Move::MissingComma, -22),
    (Move::MissingOpener, -17),
    (Move::MissingQuote, -32),
    (Move::MissingValue, -82),
    (Move::OddSeparator, -26),
    (Move::OddSpace, 38),
    (Move::OtherQuotes, -33),
    (Move::SignForQuote, 36),
    (Move::StrayQuote, 1),
    (Move::StraySign, 22),
    (Move::StrayText, 20),
    (Move::SwappedSeparator, -24),
    (Move::UnquotedKey, -10),
    (Move::UnquotedString, -83),
    (Move::WrongCloser, -117),
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
                | RepairKind::MismatchedQuotes
                | RepairKind::UnclosedString
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
    let mut repairs = repairs.peekable();
    if cost == 0 && repairs.peek().is_some() {
        // Nothing in it is surprising: `'''text'''` has quotes of three signs.
        return true;
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
