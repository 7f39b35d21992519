//! The number of edits between two strings.

use smallvec::SmallVec;

/// Number of characters beyond which strings are not compared: they are not misspelled values.
pub(crate) const CHARACTERS: usize = 64;

/// Returns the number of edits between two strings, ignoring case, or `None` if one is too long.
pub(crate) fn edit_distance(left: &str, right: &str) -> Option<usize> {
    let (left, right) = (folded(left)?, folded(right)?);
    Some(CharacterMasks::of(&left).distance(&right))
}

type Letters = SmallVec<[char; CHARACTERS]>;

/// Returns the characters of a string in lower case, or `None` if there are too many to compare.
pub(crate) fn folded(text: &str) -> Option<Letters> {
    let mut characters = Letters::new();
    for character in text.chars().flat_map(char::to_lowercase) {
        if characters.len() == CHARACTERS {
            return None;
        }
        characters.push(character);
    }
    Some(characters)
}

/// The positions of each character in a string: a bit for each position.
pub(crate) struct CharacterMasks {
    ascii: [u64; 128],
    others: SmallVec<[(char, u64); 8]>,
    length: usize,
}

impl CharacterMasks {
    pub(crate) fn of(text: &[char]) -> Self {
        let mut places = Self {
            ascii: [0; 128],
            others: SmallVec::new(),
            length: text.len(),
        };
        for (at, &letter) in text.iter().enumerate() {
            let bit = 1 << at;
            if let Some(bits) = places.ascii.get_mut(letter as usize) {
                *bits |= bit;
                continue;
            }
            let mut others = places.others.iter_mut();
            match others.find(|(other, _)| *other == letter) {
                Some((_, bits)) => *bits |= bit,
                None => places.others.push((letter, bit)),
            }
        }
        places
    }

    fn bits(&self, letter: char) -> u64 {
        if let Some(bits) = self.ascii.get(letter as usize) {
            return *bits;
        }
        let mut others = self.others.iter();
        let found = others.find(|(other, _)| *other == letter);
        found.map_or(0, |(_, bits)| *bits)
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbors between the
    /// string and another. It computes a column of the edit-distance table at a time, which takes
    /// two words: a bit for each position at which the distance grows downwards, and one at which
    /// it shrinks (Hyyrö, 2003).
    pub(crate) fn distance(&self, other: &[char]) -> usize {
        let Some(last) = self.length.checked_sub(1) else {
            return other.len();
        };
        let mut distance = self.length;
        let (mut grows, mut shrinks) = (u64::MAX, 0u64);
        let (mut level, mut before) = (0u64, 0u64);
        for &letter in other {
            let same = self.bits(letter);
            let swapped = ((!level & same) << 1) & before;
            level = ((same & grows).wrapping_add(grows) ^ grows) | same | shrinks | swapped;
            let up = shrinks | !(level | grows);
            let down = level & grows;
            distance += usize::from(up >> last & 1 != 0);
            distance -= usize::from(down >> last & 1 != 0);
            let up = up << 1 | 1;
            grows = down << 1 | !(level | up);
            shrinks = up & level;
            before = same;
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of edit distances, cell by cell.
    fn distance(left: &[char], right: &[char]) -> usize {
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for from in 0..=left.len() {
            for to in 0..=right.len() {
                if from == 0 || to == 0 {
                    table[from][to] = from + to;
                    continue;
                }
                let replaced = usize::from(left[from - 1] != right[to - 1]);
                let mut edits = (table[from - 1][to - 1] + replaced)
                    .min(table[from - 1][to] + 1)
                    .min(table[from][to - 1] + 1);
                if from > 1
                    && to > 1
                    && left[from - 1] == right[to - 2]
                    && left[from - 2] == right[to - 1]
                {
                    edits = edits.min(table[from - 2][to - 2] + 1);
                }
                table[from][to] = edits;
            }
        }
        table[left.len()][right.len()]
    }

    #[test]
    fn distances_are_those_of_the_table() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let letters: Vec<char> = "abcdé漢".chars().collect();
        for _ in 0..3_000 {
            let mut text = |longest: u64| -> Vec<char> {
                let length = random(longest + 1);
                let letters = (0..length).map(|_| letters[random(6) as usize]);
                letters.collect()
            };
            for longest in [6, 64] {
                let (left, right) = (text(longest), text(longest));
                assert_eq!(
                    CharacterMasks::of(&left).distance(&right),
                    distance(&left, &right),
                    "{left:?} {right:?}"
                );
            }
        }
    }
}
