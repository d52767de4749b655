//! Rounds of questions: branches that are asked about at the same time, and their answers one after the other.
//!
//! A round has as many branches whatever the number of threads, so that the same branches are chosen with the same knowledge. Its answers take effect in the order in which
//! the branches were chosen. A larger round keeps more threads busy, and chooses more branches that another answer of the same round would have made superfluous.

use super::{Explorer, Origin};
use crate::clock::ProcessorTime;
use crate::crew::Crew;
use crate::input::Input;
use crate::question::{KnownAnswer, Observer, Question};
use crate::solve::{Answer, Reply, Task};
use crate::tree::OpenBranch;

/// The work of the first question about a branch, in ticks of the SAT solver: about a hundredth of a second. A question that takes more is put off until no other branch
/// is open, so that one hard question does not hold up everything else.
const FIRST_TICKS: u64 = 500_000;

/// The growth of that work, each time that a question is put off.
const GROWTH_OF_TICKS: u64 = 8;

/// The greatest number of questions of a round in each lane. With more of them, threads wait less for one another.
const QUESTIONS_OF_LANE: u64 = 8;

/// The work of a round in each lane, in instructions of a plain run: some hundredths of a second. Where questions are hard, rounds are short, so that what one finds out bears on the next.
const WORK_OF_LANE: u64 = 2_000_000;

/// A branch of a round.
pub(super) struct Chosen {
    branch: OpenBranch,
    /// An input that reaches its decision.
    input: Input,
    ticks: u64,
    /// A number for the question.
    key: u64,
    /// The answer of an earlier exploration.
    known: Option<(KnownAnswer, Answer, Vec<Input>)>,
}

impl Explorer<'_> {
    /// Chooses the branches of a round; none if no branch is open.
    pub(super) fn choose_round(&mut self) -> Vec<Chosen> {
        let size = self.options.lanes * self.questions_of_lane;
        let mut round = Vec::new();
        while round.len() < size
            && let Some(branch) = self.frontier.next(&self.tree)
        {
            // The solver as a black box answers each question at once, or not at all.
            let first = if self.options.solve.is_incremental { FIRST_TICKS } else { u64::MAX };
            round.push(self.choose(branch, first));
        }
        if round.is_empty() {
            while round.len() < size
                && let Some((branch, ticks)) = self.put_off.pop_front()
            {
                if self.tree.is_tried(branch) {
                    round.push(self.choose(branch, ticks));
                }
            }
        }
        round
    }

    fn choose(&mut self, branch: OpenBranch, ticks: u64) -> Chosen {
        let ticks = ticks.min(self.options.solve.ticks);
        // A question that was put off is another one when it is asked again.
        let key = self.tree.key(branch).wrapping_add(ticks);
        self.tree.close(branch);
        let input = self.tree.input_to(branch);
        let known = self.known_answers.remove(&key).and_then(|known| {
            let (answer, partials) = known.apply(&input, &self.knowledge.variables)?;
            Some((known, answer, partials))
        });
        Chosen { branch, input, ticks, key, known }
    }

    /// Asks about the branches of a round, and lets solutions and partial solutions wait to be run.
    pub(super) fn ask(&mut self, round: Vec<Chosen>, crew: &mut Crew<'_>, observer: &mut dyn Observer) {
        let mut tasks = Vec::new();
        for chosen in round.iter().filter(|chosen| chosen.known.is_none()) {
            let conditions = self.tree.path_condition(chosen.branch);
            self.knowledge().prepare(&conditions);
            tasks.push(Task { conditions, input: chosen.input.clone(), ticks: chosen.ticks });
        }
        let mut replies = crew.ask(tasks, &self.knowledge).into_iter();
        let (mut work, asked) = (0, round.len() as u64);
        for Chosen { branch, input, ticks, key, known } in round {
            let (answer, partials) = match known {
                Some((known, answer, partials)) => {
                    self.statistics.solve.count_known(&known, ticks, self.options.solve.ticks);
                    work += known.work;
                    self.mutants.note_question(known.work);
                    (answer, partials)
                }
                None => {
                    let reply = replies.next().expect("each task has a reply");
                    work += reply.work;
                    self.note_reply((branch, key), &input, reply, observer)
                }
            };
            self.learn(&input, &answer, &partials);
            if matches!(answer, Answer::Unknown) && ticks < self.options.solve.ticks {
                self.put_off.push_back((branch, ticks.saturating_mul(GROWTH_OF_TICKS)));
            }
            match answer {
                Answer::Solution(solution) => self.waiting.add_solution(solution, branch),
                Answer::Impossible => self.tree.refute(branch),
                Answer::Unknown => {}
            }
            for partial in partials {
                self.add(partial, Origin::Partial);
            }
            observer.step(&|| self.statistics());
        }
        let of_question = (work / asked).max(1);
        self.questions_of_lane = (WORK_OF_LANE / of_question).clamp(1, QUESTIONS_OF_LANE) as usize;
    }

    /// Runs mutants as long as it is their turn, up to the first that takes a new edge or shows a new error.
    pub(super) fn find_mutant(&mut self) -> Option<Input> {
        let start = ProcessorTime::now();
        let found = self.mutants.find(&mut self.runner, &self.knowledge.variables, &self.control);
        self.statistics.time_of_mutants += start.elapsed();
        found
    }

    /// Gives the mutants what an answer says of values that leave the path of an input.
    fn learn(&mut self, input: &Input, answer: &Answer, partials: &[Input]) {
        if self.options.mutants == 0.0 {
            return;
        }
        let solution = match answer {
            Answer::Solution(solution) => Some(solution),
            _ => None,
        };
        for found in solution.into_iter().chain(partials) {
            self.mutants.learn(found.changes_from(input));
        }
    }

    /// Makes the reply about a branch known.
    fn note_reply(
        &mut self,
        (branch, key): (OpenBranch, u64),
        input: &Input,
        reply: Reply,
        observer: &mut dyn Observer,
    ) -> (Answer, Vec<Input>) {
        self.mutants.note_question(reply.work);
        let Reply { answer, partials, core, asked, statistics, work, time } = reply;
        self.statistics.solve += statistics;
        self.statistics.time_of_questions += time;
        if let Some(core) = core {
            self.knowledge().remember(&core);
        }
        // An answer that was cut short is none.
        if !(matches!(answer, Answer::Unknown) && self.control.stopped()) {
            let conditions = match observer.wants_conditions() {
                true => self.knowledge.with_bounds(&asked),
                false => Vec::new(),
            };
            observer.question(&Question {
                number: self.statistics.solve.questions,
                branch: key,
                test: self.tree.run_to(branch),
                input,
                was_asked: !asked.is_empty(),
                work,
                conditions: &conditions,
                answer: &answer,
                partials: &partials,
                variables: &self.knowledge.variables,
                store: &self.knowledge.terms.store,
            });
        }
        (answer, partials)
    }
}
