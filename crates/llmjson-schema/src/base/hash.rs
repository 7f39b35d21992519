//! Maps keyed by numbers that this crate assigns: nodes and shapes, numbered from 0.
//!
//! A walk queries these maps several times per value. A schema cannot choose the numbers to cause
//! collisions, so one multiplication is enough as a hash; the standard library's hasher, which
//! resists chosen keys, takes longer than the rest of the query.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map by such numbers.
pub(crate) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// A set of such numbers.
pub(crate) type NumberSet<K> = HashSet<K, BuildHasherDefault<Mixer>>;

/// A map by such a number and related small ones: the entries of the same first number are close
/// together, so that the next lookup finds them in the processor's caches.
pub(crate) type NearMap<K, V> = HashMap<K, V, BuildHasherDefault<Near>>;

/// Mixes a few numbers into one. Not for strings.
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
        // Multiplication propagates upwards only, and a map uses the lowest bits first.
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

/// Spreads the first number; the others go next to it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Near {
    /// The place of the first number; 0 until there is one.
    place: u64,
    others: u64,
    begun: bool,
}

/// A map uses these bits to distinguish entries in the same bucket, so they must depend on all
/// numbers.
const TELLING: u64 = 0x7F << 57;

impl Near {
    fn take(&mut self, number: u64) {
        if self.begun {
            // The last number is a few flags.
            self.others = self.others.wrapping_mul(4).wrapping_add(number);
            return;
        }
        let mut mixer = Mixer::default();
        mixer.mix(number);
        (self.place, self.begun) = (mixer.finish(), true);
    }
}

impl Hasher for Near {
    fn finish(&self) -> u64 {
        let place = self.place.wrapping_add(self.others);
        let telling = self.place ^ self.others.wrapping_mul(FACTOR);
        place & !TELLING | telling & TELLING
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.take(u64::from(byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.take(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.take(u64::from(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hash as _;

    #[test]
    fn what_is_known_of_one_number_lies_close_together() {
        let hash = |key: (u32, u32, u8)| {
            let mut near = Near::default();
            key.hash(&mut near);
            near.finish()
        };
        let mut places = HashSet::new();
        for node in 0..4096 {
            let first = hash((node, 0, 0)) & 0xFFFF;
            places.insert(first >> 4);
            for (shape, flags) in [(0, 1), (1, 0), (3, 3)] {
                let next = hash((node, shape, flags)) & 0xFFFF;
                assert!(next.wrapping_sub(first) & 0xFFFF < 16, "{first} {next}");
            }
            let telling = |shape| hash((node, shape, 0)) >> 57;
            assert!((1..16).all(|shape| telling(shape) != telling(0)));
        }
        // Of as many windows of 16 places, 2,589 are hit at random.
        assert!(places.len() > 2_400, "{}", places.len());
    }

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
