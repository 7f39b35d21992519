//! Signatures that distinguish the keys of open objects.

use alloc::vec::Vec;

/// Maximum number of members distinguished by length and first byte, if that suffices.
pub(crate) const FEW_MAX: u32 = 6;

/// Maximum number of members distinguished by a small table.
pub(crate) const SOME_MAX: u32 = 24;

/// Maximum number of members distinguished by a larger table. The keys of more members are sorted.
pub(crate) const MANY_MAX: u32 = 120;

/// The signatures that distinguish the keys of open objects, noted during reading, when their bytes
/// are at hand. A closed object pops its signatures.
///
/// Only undamaged JSON is noted: repairs may move members, after which the keys are compared once
/// more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signatures {
    /// The first signatures, which need no allocation for a short text.
    pub(crate) stack: [u64; 32],
    /// The signatures that exceed `stack`.
    more: Vec<u64>,
    length: usize,
    /// `true` if they cover all members of the open objects.
    all: bool,
    /// The signatures of an object whose keys are known to differ: usually the next object has the
    /// same.
    usual: Vec<u64>,
    /// Number of members of the last object with other signatures.
    unusual: usize,
    /// The signatures of an object that are not contiguous in `stack`.
    pub(crate) again: Vec<u64>,
}

impl Signatures {
    /// Maximum number of signatures that exceed `stack`; beyond it, the keys are compared once
    /// more.
    const MAX: usize = 4096;

    /// Resets the signatures for a new text.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.length = 0;
        self.more.clear();
        self.all = true;
    }

    /// Marks that keys may be missing from here on.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.all = false;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, signature: u64) {
        match self.stack.get_mut(self.length) {
            Some(place) => *place = signature,
            None => self.push_more(signature),
        }
        self.length += 1;
    }

    #[inline(never)]
    fn push_more(&mut self, signature: u64) {
        if self.more.len() >= Self::MAX {
            self.all = false;
            self.more.clear();
        }
        self.more.push(signature);
    }

    /// Removes the signature of an only member.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
        self.more
            .truncate(self.length.saturating_sub(self.stack.len()));
    }

    /// Removes the signatures of an object, and returns `true` if they are all different.
    #[inline(always)]
    pub(crate) fn pop_distinct(&mut self, count: usize) -> bool {
        if !self.all || self.length < count {
            return false;
        }
        let start = self.length - count;
        let end = core::mem::replace(&mut self.length, start);
        match self.stack.get(start..end) {
            Some([one, other]) => one != other,
            Some([one, other, third]) => one != other && one != third && other != third,
            _ => self.distinct(start, end),
        }
    }

    #[inline(never)]
    fn distinct(&mut self, start: usize, end: usize) -> bool {
        if end > self.stack.len() {
            self.move_beyond(start);
        }
        let names = self.stack.get(start..end).unwrap_or(&self.again);
        if self.usual == names {
            return true;
        }
        let distinct = all_distinct(names);
        // Not kept at once: short texts rarely repeat a key.
        let count = end - start;
        if distinct && self.unusual == count {
            self.usual.clear();
            self.usual.extend_from_slice(names);
        }
        self.unusual = count;
        distinct
    }

    /// Removes the signatures from there on that do not lie in the stack, or not all of them.
    #[cold]
    fn move_beyond(&mut self, start: usize) {
        let below = self.stack.get(start..).unwrap_or_default();
        let above = start.saturating_sub(self.stack.len()).min(self.more.len());
        self.again.clear();
        self.again.extend_from_slice(below);
        self.again.extend(self.more.drain(above..));
    }
}

/// Returns `true` if no two are equal, as in `[1, 2]`, but not `[1, 1]`. May return `false` if
/// there are too many to decide quickly.
#[inline(never)]
fn all_distinct(names: &[u64]) -> bool {
    let count = names.len();
    if count <= FEW_MAX as usize {
        few_distinct(names)
    } else if count <= SOME_MAX as usize {
        distinct_by_table::<64>(names)
    } else {
        count <= MANY_MAX as usize && distinct_by_table::<256>(names)
    }
}

/// Returns `true` if a few are all different, by pairwise comparison: `true` for `[1, 2]`.
#[inline]
fn few_distinct(names: &[u64]) -> bool {
    // Not `contains`, which is only faster on longer slices.
    (names.iter().enumerate()).all(|(at, name)| names[..at].iter().all(|other| other != name))
}

/// Returns `true` if some more are all different, with a table from hashes to the keys that share
/// them: `false` for `[1, 1]`.
#[inline]
fn distinct_by_table<const SLOTS: usize>(names: &[u64]) -> bool {
    let mut slots = [0u8; SLOTS];
    let mut count = 0;
    names.iter().all(|&name| {
        count += 1;
        enter(&mut slots, name, count, |earlier| names[earlier - 1])
    })
}

/// Enters the key of that number, from 1 on, into a table with more places than keys. Returns
/// `false` if an equal one is there, as for the second 5 of `[5, 5]`.
#[inline(always)]
pub(crate) fn enter<const SLOTS: usize>(
    slots: &mut [u8; SLOTS],
    name: u64,
    number: usize,
    earlier: impl Fn(usize) -> u64,
) -> bool {
    let hash = name.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut slot = (hash >> (64 - SLOTS.ilog2())) as usize;
    while slots[slot % SLOTS] != 0 {
        if earlier(usize::from(slots[slot % SLOTS])) == name {
            return false;
        }
        slot += 1;
    }
    slots[slot % SLOTS] = number as u8;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_found_among_few_and_many() {
        assert!(few_distinct(&[1, 2]) && !few_distinct(&[1, 1]));
        assert!(distinct_by_table::<64>(&[1, 2]) && !distinct_by_table::<64>(&[1, 1]));
        for count in [0, 1, FEW_MAX, FEW_MAX + 1, SOME_MAX, SOME_MAX + 1, MANY_MAX] {
            let mut names: Vec<u64> = (0..u64::from(count)).collect();
            assert!(all_distinct(&names), "{count}");
            if count > 1 {
                names[0] = u64::from(count) - 1;
                assert!(!all_distinct(&names), "{count}");
            }
        }
        // Too many to tell.
        let names: Vec<u64> = (0..=u64::from(MANY_MAX)).collect();
        assert!(!all_distinct(&names));
    }

    #[test]
    fn names_are_entered_once() {
        let names = [5, 5, 0, 7];
        let mut slots = [0u8; 4];
        let entered: Vec<bool> = (1..=names.len())
            .map(|number| {
                enter(&mut slots, names[number - 1], number, |earlier| {
                    names[earlier - 1]
                })
            })
            .collect();
        assert_eq!(entered, [true, false, true, true]);
    }
}
