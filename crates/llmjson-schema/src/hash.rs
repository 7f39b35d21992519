//! Maps by names that we give ourselves: nodes and shapes, which are numbered from 0 on.
//!
//! A walk asks such maps several times for each value. Nobody can choose the numbers so that they
//! collide, so spreading them takes one multiplication; the standard library's hasher, which holds
//! against chosen keys, takes longer than all the rest of the question.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map by numbers that are our own.
pub(crate) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// A set of numbers that are our own.
pub(crate) type NumberSet<K> = HashSet<K, BuildHasherDefault<Mixer>>;

/// Mixes a few numbers into one. Not for text.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

/// An odd number without a pattern, from the digits of the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Mixer {
    fn mix(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(29) ^ number).wrapping_mul(FACTOR);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        // Multiplying spreads upwards only, and a map looks at the lowest bits first.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(u64::from(byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hash as _;

    #[test]
    fn neighbours_fall_into_different_places() {
        let mut low = HashSet::new();
        let mut high = HashSet::new();
        for node in 0..64u32 {
            for shape in 0..64u32 {
                let mut mixer = Mixer::default();
                (node, shape, 1u8).hash(&mut mixer);
                low.insert(mixer.finish() & 0xFFFF);
                high.insert(mixer.finish() >> 48);
            }
        }
        // Of 4,096 thrown at random into 65,536 places, about 124 pairs would meet.
        assert!(
            low.len() > 3_800 && high.len() > 3_800,
            "{} {}",
            low.len(),
            high.len()
        );
    }
}
