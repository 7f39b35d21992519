//! Seeded random numbers: the same seed gives the same cases on every machine.

/// Xorshift with a multiplication at the end, which is good enough to choose texts and places.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Returns a generator for a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // Spreads neighbouring seeds, and keeps the state from being zero.
        let mixed = (seed.wrapping_add(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mut rng = Self(mixed | 1);
        for _ in 0..4 {
            rng.bits();
        }
        rng
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number less than `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.bits() >> 33) % bound as u64) as usize
    }

    /// Returns a number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// Returns `true` in that many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one item of a list that isn't empty.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
