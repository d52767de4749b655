//! Scripts on which a solver is slow and another one is fast.

use std::io;
use std::time::Instant;

use sundry_external::{Inquiry, Reply, Respondent};

use crate::ask::allowance::time_of;
use crate::campaign::ledger::Ledger;
use crate::campaign::{Context, Event};
use crate::judge::finding::{ReleasePace, SlowCase, word};
use crate::judge::slow::{SlowHere, ask_for_fast_time, fast_time, is_slow};

/// A question about a seed or a mutant, with the replies of solvers.
#[derive(Copy, Clone)]
pub(crate) struct Heard<'a> {
    /// The number of the mutant; 0 for the seed itself.
    pub(crate) mutant: usize,
    pub(crate) inquiry: &'a Inquiry,
    /// The number of questions that the script asks.
    pub(crate) count: usize,
    /// The replies of solvers under test.
    pub(crate) tested: &'a [(&'a dyn Respondent, &'a Reply)],
    /// The replies of references, as far as they were asked.
    pub(crate) references: &'a [(&'a dyn Respondent, &'a Reply)],
}

/// The part of the time for reducing a finding that goes into a seed on which a solver is slow: each script on which the solver is
/// slow, too, takes all the time that the solver has for one.
const REDUCTION_PART: u32 = 4;

/// A script that was reduced: its text, and how solvers are asked it.
pub(crate) type Smaller = (String, Inquiry);

/// Reports solvers that did not answer in time while another, under test or not, answered quickly. References that have
/// not been asked are asked only about the first of these mutants. Where the script is the seed itself, `reduce` makes it smaller, as long as
/// there is time for that, and releases are asked, too.
///
/// # Errors
/// A solver cannot be started, or a script not be written.
pub(crate) fn note_slow_solvers(
    context: Context<'_>,
    ledger: &mut Ledger,
    heard: Heard<'_>,
    mut reduce: impl FnMut(&mut SlowHere<'_>) -> io::Result<Option<Smaller>>,
) -> io::Result<()> {
    let Context { campaign, asker, .. } = context;
    let Heard { mutant, inquiry, count, tested, references } = heard;
    let mut smaller: Option<Smaller> = None;
    for &(solver, slow) in tested.iter().filter(|(_, reply)| is_slow(asker, reply, count)) {
        let slow_time = time_of(slow);
        let mut all = tested.iter().chain(references);
        let mut fast = all.find_map(|&(other, reply)| Some((other, fast_time(reply, slow_time)?)));
        if ledger.seen.note_slow(solver.name()) && fast.is_none() && references.is_empty() {
            for reference in campaign.references.iter().filter(|it| it.name() != solver.name()) {
                if let Some(time) = ask_for_fast_time(asker, &**reference, inquiry, slow_time)? {
                    fast = Some((&**reference, time));
                    break;
                }
            }
        }
        let Some((other, other_time)) = fast else { continue };
        let mut releases = Vec::new();
        if mutant == 0 {
            let begun = Instant::now();
            let allowance = campaign.slow_time.allowance(campaign.settings.reduction / REDUCTION_PART);
            let until = begun + allowance;
            let mut check = SlowHere { asker, solver, other, asked: count, until };
            // Releases of one solver are often slow for the same reason.
            let is_slow_too = match &smaller {
                Some((_, inquiry)) => check.shows_on(inquiry)?,
                None => false,
            };
            if !is_slow_too {
                smaller = if allowance.is_zero() { None } else { reduce(&mut check)? };
                campaign.slow_time.spend(begun.elapsed());
            }
            let smallest = smaller.as_ref().map_or(inquiry, |(_, inquiry)| inquiry);
            for release in campaign.releases.iter().filter(|release| release.is_release_of(solver)) {
                let reply = asker.ask(&**release, smallest)?;
                let pace = match word(&reply) {
                    _ if is_slow(asker, &reply, count) => ReleasePace::Slow,
                    Ok(_) => ReleasePace::Fast,
                    Err(_) => ReleasePace::Undecided,
                };
                releases.push((release.name().to_string(), pace));
            }
        }
        (context.tell)(Event::Slow(Box::new(SlowCase {
            solver: solver.name().to_string(),
            time: slow_time,
            other: other.name().to_string(),
            other_time,
            seed: ledger.name.clone(),
            mutant,
            script: inquiry.text.to_string(),
            reduced: smaller.as_ref().map(|(text, _)| text.clone()),
            releases,
        })));
    }
    Ok(())
}
