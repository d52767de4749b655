//! Fingerprints of 128 bits for sequences of words.

/// Two hashes of 64 bits side by side, each by multiplication and folding.
#[derive(Copy, Clone)]
pub(crate) struct Fingerprint {
    low: u64,
    high: u64,
}

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint { low: 0x243f_6a88_85a3_08d3, high: 0x1319_8a2e_0370_7344 }
    }
}

/// Joins both halves of the product: each bit depends on all bits of both factors.
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

impl Fingerprint {
    pub(crate) fn add(&mut self, word: u64) {
        // The state is added behind the product, so that a factor of zero does not wipe it out.
        self.low = fold(self.low ^ word, 0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_add(self.low);
        self.high = fold(self.high.wrapping_add(word), 0xd6e8_feb8_6659_fd93).rotate_left(29) ^ self.high;
    }

    pub(crate) fn finish(self) -> u128 {
        let low = fold(self.low ^ self.high.rotate_left(32), 0xa076_1d64_78bd_642f);
        let high = fold(self.high ^ self.low, 0xe703_7ed1_a0b4_28db);
        u128::from(high) << 64 | u128::from(low)
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;

    /// Checks sequences that differ in a small number of bits, as neighbours of an assignment do, or in their length.
    #[test]
    fn similar_sequences_have_different_fingerprints() {
        let mut seen = FxHashSet::default();
        let mut halves = FxHashSet::default();
        let mut count = 0;
        for length in 0..6 {
            for first in 0..64 * length {
                for second in first..64 * length {
                    let mut fingerprint = Fingerprint::default();
                    for word in 0..length {
                        let bit =
                            |position: usize| if position / 64 == word { 1 << (position % 64) } else { 0 };
                        fingerprint.add(bit(first) ^ bit(second));
                    }
                    count += usize::from(first != second || first == 0);
                    seen.insert(fingerprint.finish());
                    halves.insert(fingerprint.finish() as u64);
                }
            }
        }
        // Length 0 is not counted by the loop, and adds nothing to the set either.
        assert_eq!((seen.len(), halves.len()), (count, count));
    }
}
