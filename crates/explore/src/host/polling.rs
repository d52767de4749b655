//! Waiting: for a time, which passes at once, and for descriptors, which are always ready.

use sundry_wasm::Stop;

use super::world::{Call, World};
use super::{Shadows, errno};

/// The size of a subscription in bytes.
const SUBSCRIPTION: u32 = 48;
/// The size of an event in bytes.
const EVENT: usize = 32;

/// The greatest number of subscriptions of one call.
const MOST_SUBSCRIPTIONS: u32 = 1024;

/// The kind of a subscription to a clock.
const CLOCK: u8 = 0;
/// The flag of a time that counts from the start of the clock.
const ABSOLUTE: u8 = 1;

/// Something that a program waits for.
struct Subscription {
    user_data: [u8; 8],
    kind: u8,
    /// For clocks, the time at which the wait is over.
    end: u64,
    /// For descriptors, whether there is such a one.
    is_open: bool,
}

impl World<'_> {
    pub(super) fn poll<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        let count = call.word(2);
        if count == 0 || count > MOST_SUBSCRIPTIONS {
            return Ok(errno::INVAL);
        }
        let bytes = call.fixed_bytes(call.word(0), count * SUBSCRIPTION)?;
        if bytes.len() as u32 != count * SUBSCRIPTION {
            return Ok(errno::FAULT);
        }
        let subscriptions: Vec<Subscription> =
            bytes.chunks_exact(SUBSCRIPTION as usize).map(|bytes| self.subscription(bytes)).collect();
        // Only a program that waits for nothing else has to wait for a clock.
        let is_waiting = subscriptions.iter().all(|subscription| subscription.kind == CLOCK);
        let end = subscriptions.iter().filter(|it| it.kind == CLOCK).map(|it| it.end).min();
        if let Some(end) = end.filter(|_| is_waiting) {
            self.nanoseconds = self.nanoseconds.max(end);
        }
        let now = self.nanoseconds;
        let happens = |it: &&Subscription| it.kind != CLOCK || it.end <= now;
        let mut events = Vec::new();
        for subscription in subscriptions.iter().filter(happens) {
            let mut event = [0; EVENT];
            event[..8].copy_from_slice(&subscription.user_data);
            let error = if subscription.is_open { errno::SUCCESS } else { errno::BADF };
            event[8..10].copy_from_slice(&(error as u16).to_le_bytes());
            event[10] = subscription.kind;
            // That a byte can be read or written is all that programs ask.
            event[16] = u8::from(subscription.kind != CLOCK);
            events.extend(event);
        }
        let happened = (events.len() / EVENT) as u32;
        let written = call.write(call.word(1), &events);
        Ok(written.max(call.write(call.word(3), &happened.to_le_bytes())))
    }

    fn subscription(&self, bytes: &[u8]) -> Subscription {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let kind = bytes[8];
        let timeout = word(24);
        let end = match bytes[40] & ABSOLUTE != 0 {
            true => timeout,
            false => self.nanoseconds.saturating_add(timeout),
        };
        let descriptor = self.descriptors.get(word(16) as u32 as usize);
        let is_open = kind == CLOCK || descriptor.is_some_and(Option::is_some);
        Subscription { user_data: word(0).to_le_bytes(), kind, end, is_open }
    }
}
