//! Sets of repair kinds: one pass over many records shows whether any is in a set.

use crate::base::repair::{Class, Repair, RepairKind};

/// Returns a bit for each kind.
#[derive(Clone, Copy)]
pub(crate) struct RepairSet(u128);

impl RepairSet {
    /// Mismatched closers inside a value.
    pub(crate) const MISFITS_INSIDE: Self = Self::of(&[
        RepairKind::MissingCloser,
        RepairKind::WrongCloser,
        RepairKind::ExtraCloser,
    ]);

    /// Closers missing at its end.
    pub(crate) const MISFITS_AT_END: Self =
        Self::of(&[RepairKind::UnclosedObject, RepairKind::UnclosedArray]);

    /// Whatever the end of a truncated text leaves unfinished.
    pub(crate) const UNFINISHED: Self = Self::MISFITS_AT_END.and(Self::of(&[
        RepairKind::UnclosedString,
        RepairKind::CutEscape,
        RepairKind::CutKeyword,
        RepairKind::CutNumber,
        RepairKind::CutMember,
    ]));

    /// Mismatched closers.
    pub(crate) const MISFITS: Self = Self::MISFITS_INSIDE.and(Self::MISFITS_AT_END);

    /// Values that were rewritten as a whole.
    pub(crate) const RECODED: Self = Self::of(&[
        RepairKind::EscapedDocument,
        RepairKind::HtmlEntities,
        RepairKind::CsvQuotes,
        RepairKind::LinePrefixes,
        RepairKind::TransportEncoding,
        RepairKind::JoinedParts,
        RepairKind::Notation,
    ]);

    /// Returns `true` if a kind is one of these.
    pub(crate) const fn has(self, kind: RepairKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }

    pub(crate) const fn of(list: &[RepairKind]) -> Self {
        let (mut kinds, mut index) = (0, 0);
        while index < list.len() {
            kinds |= 1 << list[index] as u32;
            index += 1;
        }
        Self(kinds)
    }

    /// Returns the kinds of some records.
    pub(crate) fn in_records(repairs: &[Repair]) -> Self {
        let one = |all, repair: &Repair| Self::and(all, Self::of(&[repair.kind]));
        repairs.iter().fold(Self::of(&[]), one)
    }

    /// Returns the union of both sets.
    pub(crate) const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns `true` if any of the records has one of these kinds. All records are checked, which
    /// is faster than stopping at the first.
    pub(crate) fn among(self, repairs: &[Repair]) -> bool {
        // A word is too small for all kinds: those that share a bit are distinguished where it is
        // set.
        let any = self.0 as u64 | (self.0 >> 64) as u64;
        let all = repairs
            .iter()
            .fold(0, |all, repair| all | 1u64 << (repair.kind as u32 % 64));
        all & any != 0 && repairs.iter().any(|repair| self.has(repair.kind))
    }
}

/// Returns `true` if any of the records is a guess, so that other readings are equally plausible. A
/// doubtful line break does not affect the text around its string.
pub(crate) fn has_guess(repairs: &[Repair]) -> bool {
    let guess = |repair: &Repair| {
        repair.class == Class::Guess && repair.kind != RepairKind::ControlCharacter
    };
    repairs.iter().any(guess)
}
