//! Random changes of bytes.

use std::ops::Range;

use rand::Rng;
use rand::seq::IndexedRandom;

/// Values at the ends of ranges, which programs compare with.
const EXTREMES: [u32; 14] =
    [0, 1, 16, 32, 64, 100, 127, 128, 255, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0xffff_ffff];

/// The largest step of a sum.
const MOST_STEP: u32 = 35;

/// The greatest number of bytes that a change inserts, removes or copies.
const MOST_BYTES: usize = 32;

/// Changes bytes, of which there may be so many at most. Bytes of a donor and tokens may get into them.
pub fn change(
    bytes: &mut Vec<u8>,
    capacity: usize,
    (donor, tokens): (&[u8], &[Vec<u8>]),
    random: &mut impl Rng,
) {
    match random.random_range(0..10) {
        0 => {
            if let Some(byte) = any_byte(bytes, random) {
                *byte ^= 1 << random.random_range(0..8);
            }
        }
        1 => {
            if let Some(byte) = any_byte(bytes, random) {
                *byte = random.random();
            }
        }
        2 => add(bytes, random),
        3 => {
            let value = *EXTREMES.choose(random).expect("there are some");
            replace_number(bytes, value, random);
        }
        4 => {
            let range = any_range(bytes.len(), random);
            bytes.drain(range);
        }
        5 => {
            let part = bytes[any_range(bytes.len(), random)].to_vec();
            insert(bytes, capacity, &part, random);
        }
        6 => {
            let part = vec![random.random(); random.random_range(1..=MOST_BYTES)];
            insert(bytes, capacity, &part, random);
        }
        7 => {
            let part = bytes[any_range(bytes.len(), random)].to_vec();
            overwrite(bytes, &part, random);
        }
        8 => {
            let part = &donor[any_range(donor.len(), random)];
            match random.random() {
                true => overwrite(bytes, part, random),
                false => insert(bytes, capacity, part, random),
            }
        }
        _ => {
            let Some(token) = tokens.choose(random) else { return };
            match random.random() {
                true => overwrite(bytes, token, random),
                false => insert(bytes, capacity, token, random),
            }
        }
    }
}

fn any_byte<'b>(bytes: &'b mut [u8], random: &mut impl Rng) -> Option<&'b mut u8> {
    let number = random.random_range(0..bytes.len().max(1));
    bytes.get_mut(number)
}

/// A part of so many bytes, which is empty only if there are none.
fn any_range(length: usize, random: &mut impl Rng) -> Range<usize> {
    if length == 0 {
        return 0..0;
    }
    let start = random.random_range(0..length);
    let size = random.random_range(1..=MOST_BYTES.min(length - start));
    start..start + size
}

/// Adds a small number to a number of one, two or four bytes, in either order.
fn add(bytes: &mut [u8], random: &mut impl Rng) {
    let Some((range, is_little)) = any_number(bytes, random) else { return };
    let step = random.random_range(1..=MOST_STEP);
    let step = if random.random() { step } else { step.wrapping_neg() };
    let sum = read(&bytes[range.clone()], is_little).wrapping_add(step);
    write(&mut bytes[range], sum, is_little);
}

fn replace_number(bytes: &mut [u8], value: u32, random: &mut impl Rng) {
    if let Some((range, is_little)) = any_number(bytes, random) {
        write(&mut bytes[range], value, is_little);
    }
}

/// The place of a number of one, two or four bytes, and whether its lowest byte is the first.
fn any_number(bytes: &[u8], random: &mut impl Rng) -> Option<(Range<usize>, bool)> {
    let size = 1 << random.random_range(0..3);
    let last = bytes.len().checked_sub(size)?;
    let start = random.random_range(0..=last);
    Some((start..start + size, random.random()))
}

fn read(bytes: &[u8], is_little: bool) -> u32 {
    let append = |value: u32, &byte: &u8| (value << 8) | u32::from(byte);
    if is_little { bytes.iter().rev().fold(0, append) } else { bytes.iter().fold(0, append) }
}

fn write(bytes: &mut [u8], value: u32, is_little: bool) {
    let low = value.to_le_bytes();
    let size = bytes.len();
    bytes.copy_from_slice(&low[..size]);
    if !is_little {
        bytes.reverse();
    }
}

fn insert(bytes: &mut Vec<u8>, capacity: usize, part: &[u8], random: &mut impl Rng) {
    let part = &part[..part.len().min(capacity - bytes.len().min(capacity))];
    let place = random.random_range(0..=bytes.len());
    bytes.splice(place..place, part.iter().copied());
}

fn overwrite(bytes: &mut [u8], part: &[u8], random: &mut impl Rng) {
    let place = random.random_range(0..bytes.len().max(1));
    let size = part.len().min(bytes.len().saturating_sub(place));
    if size > 0 {
        bytes[place..place + size].copy_from_slice(&part[..size]);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn changed_bytes_stay_within_the_capacity_and_differ_sooner_or_later() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let tokens = [b"token".to_vec()];
        for start in [&b""[..], b"x", b"some text to begin with"] {
            let mut bytes = start.to_vec();
            let mut has_differed = false;
            for _ in 0..10_000 {
                change(&mut bytes, 40, (b"donor", &tokens), &mut random);
                assert!(bytes.len() <= 40);
                has_differed |= bytes != start;
            }
            assert!(has_differed);
        }
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let mut bytes = [0; 4];
        for size in [1, 2, 4] {
            for is_little in [true, false] {
                write(&mut bytes[..size], 0x0102_0384, is_little);
                let mask = u32::MAX >> (32 - 8 * size);
                assert_eq!(read(&bytes[..size], is_little), 0x0102_0384 & mask);
            }
        }
        write(&mut bytes, 0x0102_0304, false);
        assert_eq!(bytes, [1, 2, 3, 4]);
    }
}
