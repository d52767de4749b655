//! Arguments, environment, time, randomness, and errors that the program reports itself.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_wasm::Stop;

use super::world::{Call, Ending, World};
use super::{Shadows, errno};
use crate::input::{Source, SourceKind};

/// The time that passes between two looks at the clock.
const NANOSECONDS_PER_LOOK: u64 = 1_000_000;

/// The time of the first look at the clock, in nanoseconds.
pub(super) const FIRST_LOOK: u64 = 1_001_000_000;

/// The number of bytes of a look at the clock.
pub const BYTES_PER_LOOK: u32 = 8;

/// Positions of the counters of bytes taken.
const CLOCK: usize = 0;
const RANDOM: usize = 1;

/// The bytes of the first looks at a clock that is fixed.
pub fn fixed_clock(looks: u32) -> Vec<u8> {
    let look = |number| FIRST_LOOK + u64::from(number) * NANOSECONDS_PER_LOOK;
    (0..looks).flat_map(|number| look(number).to_le_bytes()).collect()
}

/// The first random bytes where the seed alone decides.
pub fn fixed_random(seed: u64, count: u32) -> Vec<u8> {
    let mut bytes = vec![0; count as usize];
    ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}

/// A text of the process, which ends with a zero.
enum Text {
    Fixed(Vec<u8>),
    /// The bytes of a source.
    Source(usize),
}

impl World<'_> {
    fn argument_texts<S: Shadows>(&self, call: &Call<'_, S>) -> Vec<Text> {
        let mut number = 0;
        let texts = self.options.arguments.iter().map(|argument| match argument {
            Some(text) => Text::Fixed(text.clone().into_bytes()),
            None => {
                number += 1;
                let source = call.shadows.variables().find(&SourceKind::Argument(number));
                source.map_or_else(|| Text::Fixed(Vec::new()), Text::Source)
            }
        });
        texts.collect()
    }

    fn environment_texts(&self) -> Vec<Text> {
        self.options.environment.iter().map(|text| Text::Fixed(text.clone().into_bytes())).collect()
    }

    pub(super) fn arguments<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let texts = self.argument_texts(call);
        self.write_texts(call, texts)
    }

    pub(super) fn argument_sizes<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let texts = self.argument_texts(call);
        self.write_sizes(call, &texts)
    }

    pub(super) fn environment<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        self.write_texts(call, self.environment_texts())
    }

    pub(super) fn environment_sizes<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        self.write_sizes(call, &self.environment_texts())
    }

    fn write_texts<S: Shadows>(&self, call: &mut Call<'_, S>, texts: Vec<Text>) -> Result<u64, Stop> {
        let (mut pointer, mut address) = (call.word(0), call.word(1));
        for text in texts {
            let (mut bytes, source) = match text {
                Text::Fixed(bytes) => (bytes, None),
                Text::Source(source) => (call.shadows.variables().bytes(self.input, source), Some(source)),
            };
            bytes.push(0);
            if call.write(pointer, &address.to_le_bytes()) != errno::SUCCESS
                || call.write(address, &bytes) != errno::SUCCESS
            {
                return Ok(errno::FAULT);
            }
            if let Some(source) = source {
                let capacity = call.shadows.variables().sources()[source].capacity;
                call.shadows.place_source(source, 0..capacity, address);
            }
            pointer = pointer.wrapping_add(4);
            address = address.wrapping_add(bytes.len() as u32);
        }
        Ok(errno::SUCCESS)
    }

    fn write_sizes<S: Shadows>(&self, call: &mut Call<'_, S>, texts: &[Text]) -> Result<u64, Stop> {
        let length = |text: &Text| match text {
            Text::Fixed(bytes) => bytes.len() as u32,
            Text::Source(source) => call.shadows.variables().sources()[*source].capacity,
        };
        let size: u32 = texts.iter().map(|text| length(text) + 1).sum();
        let count = texts.len() as u32;
        let (count_at, size_at) = (call.word(0), call.word(1));
        let first = call.write(count_at, &count.to_le_bytes());
        Ok(first.max(call.write(size_at, &size.to_le_bytes())))
    }

    pub(super) fn time<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let result = call.write_word(2, &self.nanoseconds.to_le_bytes())?;
        self.nanoseconds += NANOSECONDS_PER_LOOK;
        if result == errno::SUCCESS {
            self.take(call, (&SourceKind::Clock, CLOCK), (call.word(2), BYTES_PER_LOOK));
        }
        Ok(result)
    }

    /// Replaces a range (address, length) of bytes by the next ones of a source, as far as there is such a source and it has some.
    fn take<S: Shadows>(
        &mut self,
        call: &mut Call<'_, S>,
        (kind, counter): (&SourceKind, usize),
        (address, length): (u32, u32),
    ) {
        let Some(source) = call.shadows.variables().find(kind) else { return };
        let &Source { capacity, first, .. } = &call.shadows.variables().sources()[source];
        let taken = self.taken[counter];
        let count = length.min(capacity - taken);
        self.has_exceeded |= count < length;
        let value = |index| call.shadows.variables().value(self.input, first + taken + index) as u8;
        let bytes: Vec<u8> = (0..count).map(value).collect();
        if let Some(range) = call.memory.get_mut(u64::from(address), bytes.len()) {
            range.copy_from_slice(&bytes);
            call.shadows.place_source(source, taken..taken + count, address);
            self.taken[counter] += count;
        }
    }

    pub(super) fn random_bytes<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let (address, length) = (call.word(0), call.word(1));
        if call.memory.get(u64::from(address), length as usize).is_none() {
            return Ok(errno::FAULT);
        }
        let mut bytes = vec![0; length as usize];
        self.random.fill_bytes(&mut bytes);
        let result = call.write(address, &bytes);
        self.take(call, (&SourceKind::Random, RANDOM), (address, length));
        Ok(result)
    }

    pub(super) fn fail_assertion<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let (expression, file, line) = (call.text(0)?, call.text(1)?, call.word(2));
        self.ending = Some(Ending::Assertion { expression, file, line });
        Err(Stop::Domain)
    }

    pub(super) fn report_error<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let (file, line, message) = (call.text(0)?, call.word(1), call.text(2)?);
        self.ending = Some(Ending::Reported { file, line, message });
        Err(Stop::Domain)
    }
}
