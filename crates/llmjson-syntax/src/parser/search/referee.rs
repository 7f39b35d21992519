//! The decision between the reader and the search where the search reads a stretch otherwise.
//!
//! Each repair of the reader and each move of the search has a weight: what it says for the search and
//! against the reader. The weights are a logistic regression over stretches in which one of the two was
//! right, rounded; the unit is that of the [prices](super::price). Of 5,700 such stretches of generated documents
//! (edits at random places, code in strings, described damage), cases of the corpus and recorded replies
//! they decide 94 % rightly, and of those with described damage 99.2 %. What the search has no
//! moves for, such as strings that are joined, speaks for the reader.

use alloc::vec::Vec;
use core::cmp::Ordering;

use smallvec::SmallVec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::search::ends::quoted::{balance, odd_quotes};
use crate::parser::search::reading::{Event, Move, StringPlace};

/// The sum from which on the reading of the search is taken.
const LEAST: i32 = 2;

/// Evidence against the search of a name that an object has twice.
const REPEATED: i32 = 17;

/// Evidence of texts with an odd number of quotes, or with brackets that do not balance, against
/// the reading that has more of them.
const ODD: i32 = 21;
const OPEN: i32 = 12;
const TERM_MOST: i32 = 3;

/// Evidence for the search if the reader's value ends earlier, or later.
const EARLIER: i32 = 19;
const LATER: i32 = -5;

/// Names of an object that are compared.
const NAMES_MOST: usize = 32;

/// A cost beyond this says no more, nor does a kind of repair or move that was made more often than this.
const COST_MOST: u32 = 120;
const TIMES_MOST: u8 = 3;

/// Evidence for the search of a repair that the reader made: of its usual class, and of a guess.
const REPAIRS: &[(RepairKind, i32, i32)] = &[
    (RepairKind::BracketedMembers, -6, -6),
    (RepairKind::Comment, 9, -4),
    (RepairKind::ControlCharacter, 6, 6),
    (RepairKind::CutMember, 0, 2),
    (RepairKind::DoubledQuote, 8, 8),
    (RepairKind::DroppedValue, 9, 9),
    (RepairKind::Ellipsis, -2, -7),
    (RepairKind::EscapedSpace, 7, 7),
    (RepairKind::ExtraCloser, 3, 16),
    (RepairKind::ExtraComma, 9, 9),
    (RepairKind::ExtraOpener, -1, -1),
    (RepairKind::GroupedDigits, -2, -1),
    (RepairKind::InnerQuote, 10, 10),
    (RepairKind::InvalidEscape, 0, 6),
    (RepairKind::JoinedStrings, 2, -11),
    (RepairKind::LoneSurrogate, -8, -8),
    (RepairKind::MismatchedQuotes, 4, 4),
    (RepairKind::MissingCloser, 16, -3),
    (RepairKind::MissingColon, 7, 14),
    (RepairKind::MissingComma, 8, 4),
    (RepairKind::MissingOpener, 1, 1),
    (RepairKind::MissingQuote, 19, 19),
    (RepairKind::MissingValue, 6, 18),
    (RepairKind::NotANumber, 0, 0),
    (RepairKind::NumberAsText, 0, 11),
    (RepairKind::OddSeparator, 5, 0),
    (RepairKind::OddSpace, 0, 0),
    (RepairKind::OtherKeyword, 3, 3),
    (RepairKind::OtherNumber, -1, -1),
    (RepairKind::OtherQuotes, 0, 0),
    (RepairKind::RawEscape, -1, -1),
    (RepairKind::Set, 3, 1),
    (RepairKind::ShortKeyword, -1, -1),
    (RepairKind::StrayText, 0, 0),
    (RepairKind::Tuple, -3, -3),
    (RepairKind::UnbracketedList, 0, -11),
    (RepairKind::UnclosedArray, 6, 6),
    (RepairKind::UnclosedObject, 28, 28),
    (RepairKind::UnclosedString, -40, -40),
    (RepairKind::Undefined, -1, -1),
    (RepairKind::UnescapedJson, -2, -1),
    (RepairKind::UnquotedKey, 2, -3),
    (RepairKind::UnquotedString, 4, 13),
    (RepairKind::Wrapper, -8, -8),
    (RepairKind::WrongCloser, 13, 13),
];

/// Evidence of a move of the search for itself.
const MOVES: &[(Move, i32)] = &[
    (Move::Comment, -15),
    (Move::DoubledQuote, 7),
    (Move::Ellipsis, -7),
    (Move::ExtraCloser, -1),
    (Move::ExtraComma, -1),
    (Move::ExtraOpener, -11),
    (Move::InnerQuote, -4),
    (Move::MismatchedQuotes, -4),
    (Move::MissingCloser, -11),
    (Move::MissingColon, 4),
    (Move::MissingComma, -3),
    (Move::MissingOpener, 7),
    (Move::MissingQuote, -2),
    (Move::MissingValue, -12),
    (Move::OddSeparator, -9),
    (Move::OddSpace, 4),
    (Move::OtherQuotes, -14),
    (Move::SignForQuote, 9),
    (Move::StrayQuote, -2),
    (Move::StraySign, 9),
    (Move::StrayText, 14),
    (Move::SwappedSeparator, 6),
    (Move::UnquotedKey, -2),
    (Move::UnquotedString, -18),
    (Move::WrongCloser, -15),
];

/// Returns `true` if a repair asks for a second reading.
pub(crate) fn is_doubtful(repair: &Repair) -> bool {
    // A doubtful line break is part of a text whose ends are not, and a special token is no part of the value.
    let aside = [RepairKind::ControlCharacter, RepairKind::TemplateToken];
    repair.class == Class::Guess && !aside.contains(&repair.kind)
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

/// Evidence that is taken from both readings of a stretch alike, whatever either did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Texts with an odd number of double quotes inside, escaped or not.
    odd: i32,
    /// Texts whose brackets do not balance.
    open: i32,
}

impl Evidence {
    /// Takes a text of the reading into account.
    pub(crate) fn take(&mut self, text: &[u8]) {
        self.odd += i32::from(odd_quotes(text));
        self.open += i32::from(balance(text) != 0);
    }

    /// Collects the evidence of the texts of a path.
    fn of_path(path: &[Event], text: &str) -> Self {
        let mut evidence = Self::default();
        for event in path {
            if let Event::Text(StringPlace { start, end, .. }, ..) | Event::Bare(start, end, _) =
                event
            {
                evidence.take(
                    text.as_bytes()
                        .get(*start as usize..*end as usize)
                        .unwrap_or_default(),
                );
            }
        }
        evidence
    }
}

/// A stretch as the reader has it, to be compared.
pub(crate) struct Read<'a, R> {
    pub(crate) repairs: R,
    pub(crate) evidence: Evidence,
    /// The order of the reader's end of the value and that of the search, if it ends in the
    /// stretch.
    pub(crate) end: Ordering,
    pub(crate) text: &'a str,
}

/// Returns `true` if what the search did, for this cost, is to be preferred to what the reader has.
pub(crate) fn prefers_search<'a>(
    read: Read<'a, impl Iterator<Item = &'a Repair>>,
    cost: u32,
    path: &[Event],
) -> bool {
    let Read { repairs, text, .. } = read;
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
    let found = Evidence::of_path(path, text);
    sum += ODD * (read.evidence.odd - found.odd).clamp(-TERM_MOST, TERM_MOST);
    sum += OPEN * (read.evidence.open - found.open).clamp(-TERM_MOST, TERM_MOST);
    sum += match read.end {
        Ordering::Less => EARLIER,
        Ordering::Equal => 0,
        Ordering::Greater => LATER,
    };
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

/// Returns `true` if the text ends inside of what was read. What is missing there the reader knows
/// better.
fn is_cut(path: &[Event]) -> bool {
    let cut = |event: &Event| {
        matches!(
            event,
            Event::DropName | Event::Close(_, true) | Event::Bare(_, _, true)
        )
    };
    path.iter().any(cut)
}

/// Returns the number of names that come again in the object that they stand in.
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
