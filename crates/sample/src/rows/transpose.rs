//! A square of bits, seen from the other side.

/// Turns rows of bits into columns of bits: bit j of word i becomes bit i of word j.
pub(crate) fn transpose(matrix: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask: u64 = 0x0000_0000_ffff_ffff;
    while size > 0 {
        let mut row = 0;
        while row < 64 {
            // Blocks above and below the diagonal change places.
            let swap = (matrix[row] >> size ^ matrix[row + size]) & mask;
            matrix[row] ^= swap << size;
            matrix[row + size] ^= swap;
            row = (row + size + 1) & !size;
        }
        size >>= 1;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let mut matrix: [u64; 64] =
            std::array::from_fn(|row| (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let before = matrix;
        transpose(&mut matrix);
        for (i, row) in matrix.iter().enumerate() {
            for (j, column) in before.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1, "row {i}, column {j}");
            }
        }
    }
}
