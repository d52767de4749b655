//! A smaller input that is nearly as slow.
//!
//! Each step of a reduction takes as long as the limit under which its script has to be slow. What is slow under a high limit is slow
//! under a low one, too, so an input of which no part is slow under a low limit has no smaller form that is slow under a high one.
//! Therefore inputs are reduced under a low limit first, and the result is confirmed under the long limit of the follow-up. If it ends there,
//! the smallest of the scripts on the way that is nearly as slow as the whole input is reduced under a higher limit.

use std::io;
use std::time::{Duration, Instant};

use sundry_external::Inquiry;
use sundry_fuzz::{Subject, reduce};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::TermStore;

use crate::run::contest::{Contest, Place, RunLimits};
use crate::run::effort::Measure;
use crate::triage::finding::SmallerInput;
use crate::triage::follow_up::{FollowUp, Timings};
use crate::triage::slow_here::SlowHere;

/// The factor from the limit of the search to the highest one of reducing, for processor time.
const REDUCING: u32 = 2;
/// The limits of reducing before the highest one, as shares of it, where processor time is measured.
const LOWER: [f64; 2] = [0.1, 0.3];
/// The lowest limit of reducing, unless it is the highest: below it, a busy machine makes anything slow.
const LEAST: Duration = Duration::from_millis(500);
/// The share of the effort for the whole input that a smaller one must take on the way, at most: less than all, because times vary.
const ALMOST: f64 = 0.8;
/// The share of the effort for the whole input that a smaller one has to take.
const NEARLY: f64 = 0.5;

/// A smaller input, as a script to run and as part of a finding, and its efforts under the long limit.
pub(super) type Smaller = (Inquiry, SmallerInput, Timings);

impl FollowUp {
    /// A smaller input that is nearly as slow, or the input itself if no smaller one is; `None` if it is not slow any more, or somebody stops the work.
    pub(super) fn reduce(
        &self,
        contest: &Contest,
        long: &Contest,
        script: &str,
        whole: &Timings,
        place: Place<'_>,
    ) -> io::Result<Option<Smaller>> {
        let until = Instant::now() + self.reduction;
        let mut best: Option<Smaller> = None;
        let mut checks = 0;
        let all_limits = limits_of_reducing(contest, whole);
        let highest = all_limits.last().copied().unwrap_or(contest.limits);
        let easy = Contest { limits: highest, ..contest.clone() }.limit_amount() / self.factor;
        for limits in all_limits {
            let patient = Contest { limits, ..contest.clone() };
            let from = best.as_ref().map_or(script, |(_, smaller, _)| &smaller.script);
            let mut store = TermStore::new();
            let parsed = parse_script(&mut store, &SourceText::new("case", from), TheorySet::ALL)
                .map_err(|diagnostic| io::Error::other(diagnostic.to_string()))?;
            let mut check = SlowHere { contest: &patient, place, easy, until, trail: Vec::new() };
            let reduced = reduce(&mut store, Subject::of_script(&parsed), &mut check)?;
            let Some(reduced) = reduced else { continue };
            checks += reduced.checks;
            let trail = check.trail;
            // The first one is the input itself, whose efforts are known.
            let smaller = trail.get(1..).unwrap_or_default();
            let confirmed = self.last_confirmed(contest, long, smaller, whole, until, place)?;
            if place.is_interrupted() {
                return Ok(None);
            }
            let number = confirmed.as_ref().map_or(0, |(number, _)| number + 1);
            let known = best.map_or_else(|| whole.clone(), |(_, _, timings)| timings);
            let timings = confirmed.map_or(known, |(_, timings)| timings);
            let is_last = number + 1 == trail.len();
            let (inquiry, is_finished) = (trail[number].clone(), is_last && reduced.is_finished);
            let script = inquiry.text.to_string();
            best = Some((inquiry, SmallerInput { script, checks, is_finished }, timings));
            if is_last || Instant::now() >= until {
                break;
            }
        }
        Ok(best)
    }

    /// The last of these scripts that is nearly as slow as the whole input: the last one of all, or else one that is found by halves
    /// of the way back, as long as there is time.
    fn last_confirmed(
        &self,
        contest: &Contest,
        long: &Contest,
        trail: &[Inquiry],
        whole: &Timings,
        until: Instant,
        place: Place<'_>,
    ) -> io::Result<Option<(usize, Timings)>> {
        let needed = NEARLY * whole.medians().target();
        let (mut low, mut high) = (0, trail.len());
        let mut best = None;
        let mut next = trail.len().checked_sub(1);
        while let Some(number) = next.filter(|_| !place.is_interrupted()) {
            let timings = self.time_all(contest, long, &trail[number], place)?;
            let measured = timings.medians();
            if measured.target() >= needed && self.too_easy(contest, &measured).is_none() {
                best = Some((number, timings));
                low = number + 1;
            } else {
                high = number;
            }
            next = (low < high && Instant::now() < until).then(|| low + (high - low) / 2);
        }
        Ok(best)
    }
}

/// The limits of reducing, the lowest first.
fn limits_of_reducing(contest: &Contest, whole: &Timings) -> Vec<RunLimits> {
    if contest.measure != Measure::Processor {
        return vec![contest.limits];
    }
    // An input that ends by itself cannot be asked for more than it takes.
    let most = Duration::from_secs_f64(whole.medians().target() * ALMOST);
    let highest = (contest.limits.processor * REDUCING).min(most);
    let lower = LOWER.map(|share| highest.mul_f64(share)).into_iter().filter(|&limit| limit >= LEAST);
    lower.chain([highest]).map(|processor| RunLimits { processor, ..contest.limits }).collect()
}
