//! Inputs as they are kept: a few bytes for each value, since there is one for each run.

use super::Input;

/// An input in little memory: for each variable 0 where it has no value, or else its value plus 1, seven bits in each byte, lowest first.
pub struct PackedInput(Box<[u8]>);

impl PackedInput {
    /// An input in little memory.
    pub fn new(input: &Input) -> PackedInput {
        let mut bytes = Vec::with_capacity(input.values.len());
        for value in &input.values {
            let mut rest = value.map_or(0, |value| u128::from(value) + 1);
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        PackedInput(bytes.into())
    }

    /// The input.
    pub fn unpack(&self) -> Input {
        let (mut values, mut number, mut shift) = (Vec::with_capacity(self.0.len()), 0_u128, 0);
        for &byte in &self.0 {
            number |= u128::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                values.push(number.checked_sub(1).map(|value| value as u64));
                (number, shift) = (0, 0);
            }
        }
        Input { values }
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_inputs_have_all_values() {
        let values =
            [None, Some(0), Some(126), Some(127), Some(128), Some(255), None, Some(1 << 20), Some(u64::MAX)];
        for count in 0..=values.len() {
            let input = Input { values: values[..count].to_vec() };
            assert_eq!(PackedInput::new(&input).unpack(), input);
        }
        let bytes = Input { values: vec![Some(u64::from(b'a')); 100] };
        assert_eq!(PackedInput::new(&bytes).len(), 100);
    }
}
