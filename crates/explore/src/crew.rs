//! The threads of an exploration, and the lanes of solvers that they work on.
//!
//! The questions of a round are divided among lanes, each with a solver of its own, by their goals. So what a solver is asked, and what it
//! has learned by then, does not depend on the number of threads: threads only decide who works on a lane. Solvers stay on the thread that has made them, since SAT
//! solvers do not move to others. Plain runs of candidates depend on nothing but the candidate, and are distributed alike.
//!
//! The calling thread is one of the crew, so that a single thread starts no others.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use sundry_term::Control;

use crate::clock::ProcessorTime;
use crate::host::WorldOptions;
use crate::input::Input;
use crate::program::Program;
use crate::run::Runner;
use crate::solve::{Knowledge, Reply, SolveOptions, Solver, Task};
use crate::waiting::Replayed;

/// Everything that a member of the crew needs at the start.
#[derive(Clone)]
pub struct Setup<'p> {
    /// The program.
    pub program: &'p Program,
    /// The world of the program besides its input.
    pub world: WorldOptions,
    /// The greatest number of instructions of a run.
    pub most_steps: u64,
    /// Options of questions.
    pub solve: SolveOptions,
    /// The number of lanes.
    pub lanes: usize,
    /// The seed of searches.
    pub seed: u64,
    /// The control of the exploration.
    pub control: Control,
}

/// A part of the work, each piece with its position among all of them; questions have the number of their lane too.
enum Work {
    Questions(Vec<(usize, (usize, Task))>),
    /// Inputs, and the steps that a run may take.
    Replays(Vec<(usize, Input)>, u64),
}

/// The results of a part of the work.
enum Done {
    Questions(Vec<(usize, Reply)>),
    Replays(Vec<(usize, Replayed)>),
}

/// Work with the knowledge that it needs.
type Order = (Work, Arc<Knowledge>);

/// A thread with some of the lanes.
struct Member<'p> {
    /// The solvers of the lanes of this member: every lane whose number leaves its own when divided by the number of members.
    solvers: Vec<Solver>,
    runner: Runner<'p>,
    /// The numbers of all lanes, and of all members.
    shape: Shape,
    /// The generation of the terms that the solvers know.
    generation: u64,
}

/// The numbers of lanes and of members.
#[derive(Copy, Clone)]
struct Shape {
    lanes: usize,
    members: usize,
}

impl<'p> Member<'p> {
    fn new(setup: &Setup<'p>, number: usize, shape: Shape) -> Member<'p> {
        let solver = |_| Solver::new(setup.solve, setup.seed, &setup.control);
        let solvers = (number..shape.lanes).step_by(shape.members).map(solver).collect();
        let runner = Runner::new(setup.program, setup.world.clone(), setup.most_steps, &setup.control);
        Member { solvers, runner, shape, generation: 0 }
    }

    /// Works on a part.
    fn work(&mut self, work: Work, knowledge: &Knowledge) -> Done {
        match work {
            Work::Questions(tasks) => {
                if self.generation != knowledge.generation {
                    self.generation = knowledge.generation;
                    self.solvers.iter_mut().for_each(Solver::forget);
                }
                let reply = |(position, (lane, task)): (usize, (usize, Task))| {
                    let solver = &mut self.solvers[lane / self.shape.members];
                    (position, solver.reply(&task, knowledge))
                };
                Done::Questions(tasks.into_iter().map(reply).collect())
            }
            Work::Replays(inputs, most_steps) => {
                self.runner.most_steps = most_steps;
                let replay = |(position, input): (usize, Input)| {
                    let start = ProcessorTime::now();
                    let run = self.runner.replay(&input, &knowledge.variables, false);
                    (
                        position,
                        Replayed {
                            path: run.path,
                            counts: self.runner.counts().collect(),
                            steps: run.steps,
                            time: start.elapsed(),
                        },
                    )
                };
                Done::Replays(inputs.into_iter().map(replay).collect())
            }
        }
    }
}

/// A member on another thread.
struct Colleague {
    orders: Sender<Order>,
    done: Receiver<Done>,
}

/// The threads of an exploration.
pub struct Crew<'p> {
    first: Member<'p>,
    others: Vec<Colleague>,
}

impl<'p> Crew<'p> {
    /// A crew of this many threads, or of one for each lane if these are fewer. The threads end with the crew.
    pub fn start<'s>(scope: &'s Scope<'s, '_>, threads: usize, setup: &Setup<'p>) -> Crew<'p>
    where
        'p: 's,
    {
        let lanes = setup.lanes.max(1);
        let shape = Shape { lanes, members: threads.clamp(1, lanes) };
        let start = |number: usize| {
            let setup = setup.clone();
            let (orders, ordered) = channel::<Order>();
            let (finished, done) = channel();
            scope.spawn(move || {
                let mut member = Member::new(&setup, number, shape);
                for (work, knowledge) in ordered {
                    let result = member.work(work, &knowledge);
                    // The results are there when nobody else has the knowledge any more.
                    drop(knowledge);
                    if finished.send(result).is_err() {
                        break;
                    }
                }
            });
            Colleague { orders, done }
        };
        let others = (1..shape.members).map(start).collect();
        Crew { first: Member::new(setup, 0, shape), others }
    }

    /// The replies to tasks, in their order.
    pub fn ask(&mut self, tasks: Vec<Task>, knowledge: &Arc<Knowledge>) -> Vec<Reply> {
        let lanes = lanes_of(&tasks, self.first.shape.lanes);
        let tasks = lanes.into_iter().zip(tasks).collect();
        self.share(
            tasks,
            knowledge,
            |_, &(lane, _)| lane,
            Work::Questions,
            |done| match done {
                Done::Questions(replies) => replies,
                Done::Replays(_) => unreachable!("questions were ordered"),
            },
        )
    }

    /// Plain runs of inputs, in their order, each of at most so many steps.
    pub fn replay(
        &mut self,
        inputs: Vec<Input>,
        most_steps: u64,
        knowledge: &Arc<Knowledge>,
    ) -> Vec<Replayed> {
        self.share(
            inputs,
            knowledge,
            |position, _| position,
            |inputs| Work::Replays(inputs, most_steps),
            |done| match done {
                Done::Replays(runs) => runs,
                Done::Questions(_) => unreachable!("plain runs were ordered"),
            },
        )
    }

    /// Shares pieces of work by the number that each has, and brings the results into the order of the pieces.
    fn share<T, R>(
        &mut self,
        pieces: Vec<T>,
        knowledge: &Arc<Knowledge>,
        number_of: impl Fn(usize, &T) -> usize,
        work: impl Fn(Vec<(usize, T)>) -> Work,
        results: impl Fn(Done) -> Vec<(usize, R)>,
    ) -> Vec<R> {
        let members = self.first.shape.members;
        let mut parts: Vec<Vec<(usize, T)>> = (0..members).map(|_| Vec::new()).collect();
        for (position, piece) in pieces.into_iter().enumerate() {
            parts[number_of(position, &piece) % members].push((position, piece));
        }
        let own = parts.remove(0);
        let asked: Vec<&Colleague> = self
            .others
            .iter()
            .zip(parts)
            .filter(|(_, part)| !part.is_empty())
            .map(|(colleague, part)| {
                let order = (work(part), knowledge.clone());
                colleague.orders.send(order).expect("threads work until the crew ends");
                colleague
            })
            .collect();
        let mut all = results(self.first.work(work(own), knowledge));
        for colleague in asked {
            all.extend(results(colleague.done.recv().expect("threads work until the crew ends")));
        }
        all.sort_unstable_by_key(|&(position, _)| position);
        all.into_iter().map(|(_, result)| result).collect()
    }
}

/// The lanes of tasks: as many in each, those next to one another whose goals were made one after the other. Such goals are alike, so that a lane has the circuits of most of
/// what they are about. Tasks in turns need up to a third more work, and lanes by the first variable of the goal get all or nothing.
fn lanes_of(tasks: &[Task], lanes: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&position| tasks[position].conditions.last());
    let mut lane_of = vec![0; tasks.len()];
    for (rank, position) in order.into_iter().enumerate() {
        lane_of[position] = rank * lanes / tasks.len();
    }
    lane_of
}
