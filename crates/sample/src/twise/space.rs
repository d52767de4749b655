//! The solutions of a formula as sets of items: found by the solver, changed bit by bit, judged 64 at a time.

use std::sync::Arc;

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use sundry_coverage::Predicate;
use sundry_lanes::LANES;
use sundry_solver::{Checked, EngineOptions, Lit, Query, Verdict};
use sundry_term::{Control, Model, SortId, Stopped, SymbolId, TermId, TermStore};

use super::TWiseOptions;
use super::factors::{Factors, Setting, bits_of_nodes};
use super::tuples::items_of;
use crate::error::SampleError;
use crate::formula_engine::FormulaEngine;
use crate::pipeline::Request;
use crate::problem::{Problem, Rejection};
use crate::ranges::is_listable;
use crate::rows::{Judge, Layout, Range};

/// Effort for one question, beyond which it stays open.
const TICKS: u64 = 50_000_000;

/// The distance from a solution beyond which integers have too many values to be listed.
const MOST_LISTED: u64 = 1 << 12;

/// Effort for the list of all solutions.
const TICKS_OF_ALL: u64 = 500_000_000;

/// A solution as far as tuples are concerned.
#[derive(Clone)]
pub(crate) struct Candidate {
    /// The items of the solution as words, and as a list.
    pub(crate) items: Vec<u64>,
    pub(crate) list: Vec<usize>,
    /// The bits of the formula's nodes.
    pub(crate) bits: Vec<u64>,
    /// The preference for its values; without weights, the number of bits of the constants that are 1, as far as it
    /// differs between solutions.
    pub(crate) ones: i64,
    /// The fingerprint that distinguishes it from other solutions.
    pub(crate) fingerprint: u128,
    /// The row of the solution in the layout that it was found with.
    row: Vec<u64>,
}

/// A change of a row.
#[derive(Copy, Clone)]
enum Move {
    Flip { word: usize, bit: u32 },
    SetBit { word: usize, bit: u32, value: bool },
    Set { word: usize, value: u64 },
}

/// The reason why no solution has some items.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoSolution {
    /// Some of them, these, exclude one another.
    Together(Vec<usize>),
    /// The solver gave up.
    TooHard,
    /// The solver's model is not one: a defect.
    Rejected,
    /// Time was up before the solver's model was judged.
    Stopped,
}

/// The formula, and a judge.
pub(crate) struct Space<'a> {
    problem: &'a Problem,
    formula: FormulaEngine,
    judge: Judge,
    layout: Layout,
    /// The ranges of integers, as far as they are small.
    ranges: FxHashMap<SymbolId, Range>,
    pub(crate) factors: Factors,
    /// The literals of the terms of the factors.
    literals: Vec<Lit>,
    /// The number of times that the bits of the constants are equal to each bit of the nodes, less that of opposite
    /// bits.
    weights: Vec<i64>,
    moves: Vec<Move>,
    pub(crate) random: ChaCha8Rng,
}

impl<'a> Space<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        options: &TWiseOptions,
        request: &Request,
        random: ChaCha8Rng,
    ) -> Result<Self, SampleError> {
        let Request { seed, control, .. } = request;
        let mut formula = FormulaEngine::for_run(problem, *seed, &EngineOptions::for_many_calls(), control)?;
        let built = bits_of_nodes(&problem.ast_bits, &mut formula);
        let (bits, weights) = built.map_err(|error| formula.not_ready(error))?;
        let ranges = formula.find_ranges(problem.shown(), MOST_LISTED);
        let ranges = ranges.map_err(|error| formula.not_ready(error))?;
        let factors = Factors::new(problem, options, &bits, &ranges, formula.store_mut());
        let edges = formula.bits_of_all(&factors.terms).map_err(|error| formula.not_ready(error))?;
        let literals = edges.iter().map(|edges| formula.engine_mut().literal(edges[0])).collect();
        let unnamed = |term: &TermId| Predicate { name: String::new(), term: *term };
        let roots: Vec<Predicate> = factors.terms.iter().chain(&bits).map(unnamed).collect();
        let judge = formula.judge(problem, &roots).map_err(|reason| SampleError::Stopped(reason.into()))?;
        let layout = Layout::new(formula.store(), &judge, &ranges);
        let moves = Vec::new();
        Ok(Space { problem, formula, judge, layout, ranges, factors, literals, weights, moves, random })
    }

    /// The store of all terms, those of the problem first.
    pub(crate) fn store(&self) -> &TermStore {
        self.formula.store()
    }

    /// Whether a solution was found. If not, none exists, or time was up.
    pub(crate) fn has_solution(&self) -> bool {
        self.formula.first().is_some()
    }

    /// Finds a solution with all of these items, where decisions prefer these values and random ones elsewhere.
    ///
    /// # Errors
    /// The reason why no such solution exists.
    pub(crate) fn solve(&mut self, items: &[usize], preferred: &[usize]) -> Result<Candidate, NoSolution> {
        let preferred: Vec<Lit> = preferred.iter().map(|&item| self.literal(item)).collect();
        let engine = self.formula.engine_mut();
        let values: Vec<bool> = engine.circuit().inputs().iter().map(|_| self.random.random()).collect();
        engine.prefer_inputs(&values);
        preferred.into_iter().for_each(|literal| engine.set_phase(literal));
        let assumptions: Vec<Lit> = items.iter().map(|&item| self.literal(item)).collect();
        match self.formula.check(Query::assuming(&assumptions).within(TICKS)) {
            Checked::Sat(_) => {}
            Checked::Unsat(refutation) => {
                let failed = items.iter().zip(&assumptions).filter(|&(_, &it)| refutation.needs(it));
                return Err(NoSolution::Together(failed.map(|(&item, _)| item).collect()));
            }
            Checked::Unknown => return Err(NoSolution::TooHard),
        }
        self.candidate_of(self.formula.read_last_model())
    }

    fn literal(&self, item: usize) -> Lit {
        match item.checked_sub(self.factors.half()) {
            Some(term) => !self.literals[term],
            None => self.literals[item],
        }
    }

    /// The candidate of a model of the solver, which is judged also where time was up just before.
    fn candidate_of(&mut self, mut model: Model) -> Result<Candidate, NoSolution> {
        self.layout.clear();
        self.layout.complete(&mut model, &mut self.random);
        self.layout.add_points(self.formula.store(), &model);
        self.judge.place_points(&self.layout);
        let row = self.layout.row(self.formula.store(), &model);
        self.find_moves();
        let mut found = None;
        let control = self.formula.control().with_grace();
        self.judge_rows(std::slice::from_ref(&row), &control, |_, candidate| found = Some(candidate))
            .map_err(|_| NoSolution::Stopped)?;
        found.ok_or(NoSolution::Rejected)
    }

    /// Finds the possible changes of a row: each bit, and each value of a factor as a whole.
    fn find_moves(&mut self) {
        self.moves.clear();
        for position in self.layout.positions() {
            let (word, bit) = self.layout.place(position);
            self.moves.push(Move::Flip { word, bit });
        }
        let whole = (0..self.factors.settings.len()).filter_map(|item| self.setting(item));
        let whole: Vec<Move> = whole.filter(|change| matches!(change, Move::Set { .. })).collect();
        self.moves.extend(whole);
    }

    /// Judges up to 64 rows of the present layout and shows those that are solutions, with their numbers.
    ///
    /// # Errors
    /// Time was up before the end.
    fn judge_rows(
        &mut self,
        rows: &[Vec<u64>],
        control: &Control,
        mut show: impl FnMut(usize, Candidate),
    ) -> Result<(), Stopped> {
        let mut words: Vec<u64> = rows.iter().flatten().copied().collect();
        let store = self.formula.store();
        let solutions = self.judge.solutions(store, &self.layout, &mut words, rows.len(), control)?;
        let classes = self.judge.classes();
        let half = self.factors.half();
        let is_item = |item: &usize| self.factors.factor_of[*item].is_some();
        for (lane, row) in rows.iter().enumerate().filter(|(lane, _)| solutions >> lane & 1 == 1) {
            let word = |block: usize| classes[block][lane];
            let mut items: Vec<u64> =
                (0..half / 64).map(word).chain((0..half / 64).map(|block| !word(block))).collect();
            let list: Vec<usize> = items_of(&items).into_iter().filter(is_item).collect();
            items.fill(0);
            list.iter().for_each(|item| items[item / 64] |= 1 << (item % 64));
            let bits: Vec<u64> = (half / 64..classes.len()).map(word).collect();
            let ones = match &self.factors.weights {
                Some(weights) => list.iter().map(|&item| weights[item]).sum(),
                None => items_of(&bits).into_iter().map(|bit| self.weights[bit]).sum(),
            };
            let fingerprint = self.layout.fingerprint(self.formula.store(), row);
            show(lane, Candidate { items, list, bits, ones, fingerprint, row: row.clone() });
        }
        Ok(())
    }

    /// The best solution that can be reached from one with this rating by changes each of which makes it better, and its
    /// rating. The first is the last that [`solve`](Self::solve) has found. `rate` is given a solution with its rating, one
    /// that differs from it, and the rating to beat; where the answer is less than that, it need not be exact.
    pub(crate) fn climb<K: Ord + Copy>(
        &mut self,
        from: Candidate,
        rating: K,
        mut rate: impl FnMut(&Candidate, &K, &Candidate, &K) -> K,
    ) -> (Candidate, K) {
        let (mut best, mut rating) = (from, rating);
        let mut moves = std::mem::take(&mut self.moves);
        moves.shuffle(&mut self.random);
        let chunks = moves.len().div_ceil(LANES);
        // As many chunks without anything better as there are: no change helps.
        let (mut fruitless, mut next) = (0, 0);
        let control = self.formula.control().clone();
        while fruitless < chunks && !self.formula.control().stopped() {
            let chunk = &moves[next * LANES..moves.len().min((next + 1) * LANES)];
            let rows: Vec<Vec<u64>> = chunk.iter().map(|it| it.changed(&best.row)).collect();
            let mut found: Option<(Candidate, K)> = None;
            let judged = self.judge_rows(&rows, &control, |_, candidate| {
                let to_beat = found.as_ref().map_or(rating, |(_, key)| *key);
                let key = rate(&best, &rating, &candidate, &to_beat);
                if key > to_beat {
                    found = Some((candidate, key));
                }
            });
            if judged.is_err() {
                break;
            }
            fruitless += 1;
            if let Some((candidate, key)) = found {
                (best, rating) = (candidate, key);
                fruitless = 0;
            }
            next = (next + 1) % chunks;
        }
        self.moves = moves;
        (best, rating)
    }

    /// Whether the search has to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.formula.control().stopped()
    }

    /// Whether candidates are judged one after the other.
    pub(crate) fn judges_one_by_one(&self) -> bool {
        self.judge.is_one_by_one()
    }

    /// Whether all rows have the same layout.
    pub(crate) fn has_one_layout(&self) -> bool {
        !self.layout.depends_on_models()
    }

    /// The solutions that can be given these items instead of the values they have, with their numbers.
    pub(crate) fn with_items(&mut self, set: &[Candidate], items: &[usize]) -> Vec<(usize, Candidate)> {
        let changes: Option<Vec<Move>> = items.iter().map(|&item| self.setting(item)).collect();
        let Some(changes) = changes else { return Vec::new() };
        let mut changed = Vec::new();
        let control = self.formula.control().clone();
        for start in (0..set.len()).step_by(LANES) {
            let chunk = &set[start..set.len().min(start + LANES)];
            let with_all = |candidate: &Candidate| {
                changes.iter().fold(candidate.row.clone(), |row, change| change.changed(&row))
            };
            let rows: Vec<Vec<u64>> = chunk.iter().map(with_all).collect();
            let judged = self.judge_rows(&rows, &control, |lane, candidate| {
                // A value may be another item beside other values.
                if items.iter().all(|item| candidate.list.contains(item)) {
                    changed.push((start + lane, candidate));
                }
            });
            if judged.is_err() {
                break;
            }
        }
        changed
    }

    /// The change of a row that brings an item about; `None` where it does not depend on one constant alone.
    fn setting(&self, item: usize) -> Option<Move> {
        match self.factors.settings[item]? {
            Setting::Bit(symbol, bit, value) => {
                let (word, bit) = self.layout.place_of(symbol, bit)?;
                Some(Move::SetBit { word, bit, value })
            }
            Setting::Whole(symbol, value) => {
                let (word, _) = self.layout.place_of(symbol, 0)?;
                Some(Move::Set { word, value })
            }
        }
    }

    /// The model of a candidate of the present layout, judged by the evaluator.
    ///
    /// # Errors
    /// The evaluator refutes it, or there was no time to judge it.
    pub(crate) fn solution(&mut self, candidate: &Candidate) -> Result<Arc<Model>, Rejection> {
        let mut words = candidate.row.clone();
        let control = self.formula.control().with_grace();
        self.judge
            .solutions(self.formula.store(), &self.layout, &mut words, 1, &control)
            .map_err(Rejection::Unjudged)?;
        let model = self.judge.model(self.formula.store(), &self.problem.symbols, 0);
        self.problem.judge(model, self.formula.control()).map(|solution| solution.model)
    }

    /// The number of bits of nodes that may vary.
    pub(crate) fn bits(&self) -> usize {
        self.weights.len()
    }

    /// An item for most factors, more likely one that counts for more.
    pub(crate) fn preferred(&mut self, counts: &[u64]) -> Vec<usize> {
        let mut best: Vec<Option<(f64, usize)>> = vec![None; self.factors.count];
        for (item, factor) in self.factors.factor_of.iter().enumerate() {
            let Some(factor) = *factor else { continue };
            let weight = (counts[item] + 1) as f64 * self.random.random_range(0.5..1.0);
            if best[factor].is_none_or(|(most, _)| weight > most) {
                best[factor] = Some((weight, item));
            }
        }
        best.into_iter().flatten().map(|(_, item)| item).collect()
    }

    /// All solutions, if they are at most `most` and easy to find.
    pub(crate) fn all(&mut self, most: usize) -> Option<Vec<(Candidate, Arc<Model>)>> {
        let symbols: Vec<SymbolId> = self.problem.shown().collect();
        let store = self.formula.store();
        let has_values = |&symbol: &SymbolId| {
            let is_integer = store.symbol(symbol).result == SortId::INT;
            is_listable(store, symbol) && (!is_integer || self.ranges.contains_key(&symbol))
        };
        if !symbols.iter().all(has_values) {
            return None;
        }
        let mut enumeration = self.formula.enumeration(&symbols, &self.ranges).ok()?;
        let ticks = |space: &Self| space.formula.engine().statistics().sat.ticks;
        let begin = ticks(self);
        let mut found = Vec::new();
        loop {
            if ticks(self) - begin > TICKS_OF_ALL || self.is_stopped() {
                return None;
            }
            match self.formula.next_of(&mut enumeration, Some(TICKS_OF_ALL)) {
                Ok(_) if found.len() == most => return None,
                Ok(model) => {
                    let candidate = self.candidate_of(model).ok()?;
                    let solution = self.solution(&candidate).ok()?;
                    found.push((candidate, solution));
                }
                Err(Verdict::Unsat) => return Some(found),
                Err(_) => return None,
            }
        }
    }
}

impl Move {
    /// The row after this change.
    fn changed(self, row: &[u64]) -> Vec<u64> {
        let mut row = row.to_vec();
        match self {
            Move::Flip { word, bit } => row[word] ^= 1 << bit,
            Move::SetBit { word, bit, value } => {
                row[word] = row[word] & !(1 << bit) | u64::from(value) << bit
            }
            Move::Set { word, value } => row[word] = value,
        }
        row
    }
}
