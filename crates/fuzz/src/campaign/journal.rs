//! The progress of a campaign, as lines of JSON, so that it can continue after it was stopped or killed.
//!
//! The first line describes the campaign: a different campaign cannot continue it. Each turn of a seed adds a line
//! with its [`SeedPosition`]. Lines are only added, so a kill at any moment costs at most the last one.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::campaign::history::{Moment, Standing};
use crate::campaign::novelty::Novelty;
use crate::campaign::repeats::Repeats;
use crate::campaign::tally::Overruns;

/// The progress of a seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedPosition {
    /// The number of the seed.
    pub seed: usize,
    /// The number of its last mutant that is done.
    pub mutant: usize,
    /// The findings on the seed and its mutants so far.
    #[serde(default, skip_serializing_if = "Repeats::is_empty")]
    pub seen: Repeats,
    /// The mutants that brought something new, or on which a limit ended a solver, since the previous line of the same seed; in
    /// the [positions](Journal::done) of a journal, all of them. Later mutants depend on them.
    #[serde(default, skip_serializing_if = "Novelty::is_empty")]
    pub novelty: Novelty,
    /// The number of times that limits ended each solver since the previous line of the same seed, by the command of
    /// the solver.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub overruns: BTreeMap<String, Overruns>,
}

/// A line of a journal: the progress of a seed, and figures of the campaign at that moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JournalLine {
    /// The progress of the seed.
    #[serde(flatten)]
    pub position: SeedPosition,
    /// Figures of the campaign; journals of earlier versions do not have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<Moment>,
}

/// The content of a journal.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Journal {
    /// The progress of the seeds that were begun, by their numbers.
    pub done: BTreeMap<usize, SeedPosition>,
    /// The number of times that limits ended each solver in the whole campaign, by the command of the solver.
    pub overruns: BTreeMap<String, Overruns>,
    /// The figures at the ends of turns, in their order.
    pub history: Vec<Moment>,
    /// The seeds as the solvers find them, by their numbers.
    pub standings: BTreeMap<usize, Standing>,
    /// Whether the description of the campaign is still to be written, in place of all that the text has.
    pub is_new: bool,
    /// Whether the last line of the text was cut, and has to be ended before another is added.
    pub is_cut: bool,
}

/// A journal belongs to a campaign with another description.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct OtherCampaign;

impl fmt::Display for OtherCampaign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the journal belongs to a campaign with other options")
    }
}

impl std::error::Error for OtherCampaign {}

impl Journal {
    /// Reads the text of a journal, which is empty if there is none yet. The description contains everything that
    /// determines the mutants of a campaign.
    ///
    /// # Errors
    /// The journal belongs to another campaign.
    pub fn read<D>(text: &str, description: &D) -> Result<Journal, OtherCampaign>
    where
        D: DeserializeOwned + PartialEq,
    {
        let mut journal = Journal { is_cut: !text.ends_with('\n'), ..Journal::default() };
        // A line that a kill or a full disk has cut does not count as a turn.
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let Some(first) = lines.next() else {
            return Ok(Journal { is_new: true, is_cut: false, ..journal });
        };
        if serde_json::from_str::<D>(first).ok().as_ref() != Some(description) {
            return Err(OtherCampaign);
        }
        for line in lines.filter_map(|line| serde_json::from_str::<JournalLine>(line).ok()) {
            let JournalLine { mut position, moment } = line;
            if let Some(mut moment) = moment {
                let standing = moment.standing.take();
                journal.standings.extend(standing.map(|standing| (position.seed, standing)));
                journal.history.push(moment);
            }
            for (solver, &runs) in &position.overruns {
                *journal.overruns.entry(solver.clone()).or_default() += runs;
            }
            if let Some(mut earlier) = journal.done.remove(&position.seed) {
                earlier.novelty.extend(std::mem::take(&mut position.novelty));
                position.novelty = earlier.novelty;
            }
            journal.done.insert(position.seed, position);
        }
        Ok(journal)
    }

    /// The line of a journal for its description or a position, with its end.
    pub fn line(value: &impl Serialize) -> String {
        format!("{}\n", serde_json::to_string(value).expect("names and numbers can be written"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(seed: usize, mutant: usize) -> SeedPosition {
        let seen = format!("{{\"slow\": {{\"z3\": {mutant}}}}}");
        let seen = serde_json::from_str(&seen).expect("what is written");
        let overruns = BTreeMap::from([("z3".into(), Overruns { timeouts: 1, memory_outs: seed })]);
        SeedPosition { seed, mutant, seen, novelty: Novelty::default(), overruns }
    }

    #[test]
    fn a_campaign_goes_on_where_it_was_killed() {
        let description = "campaign 1".to_string();
        let new = Journal::read("", &description).expect("there is none");
        assert!(new.is_new && !new.is_cut && new.done.is_empty());
        assert!(Journal::read("\"campai", &description).is_ok_and(|journal| journal.is_new));
        let positions = [(0, 10), (1, 10), (0, 20)].map(|(seed, mutant)| position(seed, mutant));
        let mut text = Journal::line(&description);
        positions.iter().for_each(|position| text += &Journal::line(position));
        let whole = Journal::read(&text, &description).expect("the same");
        assert!(!whole.is_new && !whole.is_cut);
        let cut = Journal::read(&format!("{text}{{\"seed\":1,\"mut"), &description).expect("the same");
        assert_eq!(cut, Journal { is_cut: true, ..whole });
        assert_eq!(cut.done, BTreeMap::from([(0, position(0, 20)), (1, position(1, 10))]));
        assert_eq!(cut.overruns["z3"], Overruns { timeouts: 3, memory_outs: 1 });
        let text = format!("{text}{{\"seed\":1,\"mut\n{}", Journal::line(&position(1, 20)));
        let gone_on = Journal::read(&text, &description).expect("the same");
        assert_eq!(gone_on.done[&1], position(1, 20));
        assert_eq!(Journal::read(&text, &"campaign 2".to_string()), Err(OtherCampaign));
        let standing =
            Standing { undecided: [("z3".into(), "unknown".into())].into(), ..Standing::default() };
        let moment =
            Moment { seconds: 1.5, mutants: 10, standing: Some(standing.clone()), ..Moment::default() };
        let line = JournalLine { position: position(2, 10), moment: Some(moment.clone()) };
        let with_figures = Journal::read(&format!("{text}{}", Journal::line(&line)), &description);
        let with_figures = with_figures.expect("the same");
        assert_eq!(with_figures.history, [Moment { standing: None, ..moment }]);
        assert_eq!(with_figures.standings, BTreeMap::from([(2, standing)]));
        assert_eq!(with_figures.done[&2], position(2, 10));
    }

    #[test]
    fn what_mutants_brought_adds_up_over_lines() {
        let line = |mutant, observations: &[(usize, Vec<u32>)]| {
            let novelty = Novelty::from(observations.to_vec());
            let position = SeedPosition { novelty, ..position(0, mutant) };
            Journal::line(&JournalLine { position, moment: Some(Moment::default()) })
        };
        let lines = line(10, &[(1, vec![5, 7]), (4, vec![2])]) + &line(20, &[]) + &line(30, &[(25, vec![1])]);
        let text = Journal::line(&"campaign") + &lines;
        let journal = Journal::read(&text, &"campaign".to_string()).expect("the same");
        assert_eq!(journal.history.len(), 3, "each line is read: {text}");
        let whole = Novelty::from(vec![(1, vec![5, 7]), (4, vec![2]), (25, vec![1])]);
        assert_eq!((journal.done[&0].mutant, &journal.done[&0].novelty), (30, &whole));
    }
}
