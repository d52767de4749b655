//! The course of a campaign over all its runs: mutants and defects over time, answers by strategy, and what solvers say of seeds.

use std::collections::BTreeMap;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use sundry_fuzz::{Answers, Bugs, Journal, Moment, Standing, Tested};

/// Points of the curves, at most.
const POINTS: usize = 1000;

/// A point of the curves.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Point {
    /// Seconds since the campaign began, without the time between its runs.
    pub seconds: f64,
    /// Mutants so far.
    pub mutants: usize,
    /// Confirmed defects so far.
    pub defects: usize,
}

/// The course of a campaign.
#[derive(Debug)]
pub struct Course {
    start: Instant,
    /// The seconds from the beginning of 1970 to that of the campaign, if its journal has them.
    began: Option<u64>,
    /// The time that earlier runs took.
    earlier_seconds: f64,
    /// The points of the curves. The last one is that of the last turn.
    points: Vec<Point>,
    /// One in this number of turns is kept as a point.
    step: usize,
    turns: usize,
    answers: BTreeMap<String, Answers>,
    standings: BTreeMap<usize, Standing>,
    /// The seeds that are left out since they cannot be read or Sundry fails at them, in words, with the reason.
    failed: BTreeMap<usize, (&'static str, String)>,
}

impl Course {
    /// The course so far, as the journal has it; the present run began at `start`.
    pub fn of(journal: &Journal, start: Instant) -> Course {
        let first = journal.history.first();
        let began = match first {
            None => Some(clock().saturating_sub(start.elapsed().as_secs())),
            Some(moment) => moment.clock.map(|clock| clock.saturating_sub(moment.seconds as u64)),
        };
        let mut course = Course {
            start,
            began,
            earlier_seconds: journal.history.last().map_or(0.0, |moment| moment.seconds),
            points: vec![Point { seconds: 0.0, mutants: 0, defects: 0 }],
            step: 1,
            turns: 0,
            answers: BTreeMap::new(),
            standings: journal.standings.clone(),
            failed: BTreeMap::new(),
        };
        journal.history.iter().for_each(|moment| course.add(moment));
        course
    }

    /// The figures at the end of a turn, which become part of the course.
    pub fn turn(&mut self, tested: &Tested, bugs: &Bugs) -> Moment {
        let answers = &tested.tally.answers;
        let moment = Moment {
            seconds: self.earlier_seconds + self.start.elapsed().as_secs_f64(),
            clock: Some(clock()),
            mutants: tested.tally.mutants,
            defects: bugs.iter().filter(|bug| bug.confirmed && !bug.cut_short).count(),
            answers: answers.iter().map(|(&strategy, &answers)| (strategy.to_string(), answers)).collect(),
            standing: tested.standing.clone(),
        };
        let standing = tested.standing.clone();
        self.standings.extend(standing.map(|standing| (tested.position.seed, standing)));
        self.add(&moment);
        moment
    }

    /// Notes a seed that is left out since it cannot be read or Sundry fails at it, in words, with the reason.
    pub fn failed(&mut self, seed: usize, words: &'static str, reason: String) {
        self.failed.insert(seed, (words, reason));
    }

    fn add(&mut self, moment: &Moment) {
        for (strategy, &answers) in &moment.answers {
            *self.answers.entry(strategy.clone()).or_default() += answers;
        }
        let mutants = moment.mutants + self.points.last().map_or(0, |point| point.mutants);
        let point = Point { seconds: moment.seconds, mutants, defects: moment.defects };
        if self.turns.is_multiple_of(self.step) {
            self.points.push(point);
        } else if let Some(last) = self.points.last_mut() {
            *last = point;
        }
        self.turns += 1;
        if self.points.len() > POINTS {
            self.step *= 2;
            let last = self.points.len() - 1;
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                number % 2 == 1 || number > last
            });
        }
    }

    /// The points of the curves.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The seconds from the beginning of 1970 to that of the campaign, if they are known.
    pub fn began(&self) -> Option<u64> {
        self.began
    }

    /// The seconds of all runs.
    pub fn seconds(&self) -> f64 {
        self.earlier_seconds + self.start.elapsed().as_secs_f64()
    }

    /// The number of seeds, of this many, that had no turn.
    pub fn not_begun(&self, seeds: usize) -> usize {
        (0..seeds)
            .filter(|seed| !self.standings.contains_key(seed) && !self.failed.contains_key(seed))
            .count()
    }

    /// The mutants of all runs.
    pub fn mutants(&self) -> usize {
        self.points.last().map_or(0, |point| point.mutants)
    }

    /// The answers of solvers under test to mutants, by strategy.
    pub fn answers(&self) -> &BTreeMap<String, Answers> {
        &self.answers
    }

    /// The seeds as the solvers find them, by their numbers.
    pub fn standings(&self) -> &BTreeMap<usize, Standing> {
        &self.standings
    }

    /// The seeds that are left out since they cannot be read or Sundry fails at them, in words, with the reason, by
    /// their numbers.
    pub fn failures(&self) -> &BTreeMap<usize, (&'static str, String)> {
        &self.failed
    }
}

/// The seconds since the beginning of 1970.
fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(number: usize) -> Moment {
        let answers = Answers { sat: 1, ..Answers::default() };
        Moment {
            seconds: number as f64,
            clock: Some(1_000_000 + number as u64),
            mutants: 10,
            defects: number / 700,
            answers: [("both".to_string(), answers)].into(),
            standing: None,
        }
    }

    #[test]
    fn long_campaigns_have_curves_of_few_points() {
        let history: Vec<Moment> = (1..=5000).map(moment).collect();
        let journal = Journal { history, ..Journal::default() };
        let course = Course::of(&journal, Instant::now());
        let points = course.points();
        assert!(points.len() <= POINTS && points.len() > POINTS / 3, "{}", points.len());
        assert!(points.is_sorted_by_key(|point| point.mutants));
        assert_eq!(points.first(), Some(&Point { seconds: 0.0, mutants: 0, defects: 0 }));
        assert_eq!(points.last(), Some(&Point { seconds: 5000.0, mutants: 50_000, defects: 7 }));
        assert_eq!((course.mutants(), course.answers()["both"].sat), (50_000, 5000));
        assert!(course.seconds() >= 5000.0);
        assert_eq!(course.began(), Some(1_000_000));
    }
}
