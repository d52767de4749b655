//! Columns: one word for each lane, and masks: one bit for each lane.

/// The number of models that are evaluated together.
pub const LANES: usize = 64;

/// A word for each lane.
pub type Column = [u64; LANES];

/// The mask of the lanes in which a condition holds.
pub(crate) fn mask_where(condition: impl Fn(usize) -> bool) -> u64 {
    // Bytes first: the loop over them becomes vector instructions.
    let mut bytes = [0u8; LANES];
    for (lane, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from(condition(lane));
    }
    let mut mask = 0;
    for (group, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // The product moves bit 0 of byte i to bit 56 + i, and no two of its terms meet there.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (8 * group);
    }
    mask
}

/// All ones in the lanes of the mask, zero in the others.
pub(crate) fn spread(mask: u64, lane: usize) -> u64 {
    (mask >> lane & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_and_lanes_correspond() {
        for mask in [0, 1, u64::MAX, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef] {
            assert_eq!(mask_where(|lane| mask >> lane & 1 == 1), mask);
            assert_eq!(mask_where(|lane| spread(mask, lane) == u64::MAX), mask);
        }
    }
}
