//! The cost of making mutants, without solvers: for each seed in the given folders or files, the time for a mutant
//! and for its script. Prints the median, the 95th percentile and the slowest over all seeds.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_external::Verdict;
use sundry_fuzz::{
    Approximator, Direction, Fusion, Generator, ModelGuided, Mutant, Naming, Technique, Vocabulary,
    conjunctive_normal_form, inquiry, logic_of, renamed_apart, split_chains,
};
use sundry_smtlib::{Formula, SourceText, TheorySet, parse_script};
use sundry_term::{Model, TermId, TermStore};

/// Mutants of a seed, literals that are changed in one at most, and mutants that others are made of.
const MUTANTS: usize = 300;
const CHANGES: usize = 5;
const BASES: usize = 50;

fn seeds_in(path: &Path, found: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| seeds_in(&entry.path(), found)),
        Err(_) if path.extension().is_some_and(|extension| extension == "smt2") => found.push(path.into()),
        Err(_) => {}
    }
}

/// The time for one mutant, in parts.
#[derive(Copy, Clone, Default)]
struct Cost {
    preparing: Duration,
    making: Duration,
    printing: Duration,
}

/// Makes mutants, each of an earlier one, and prints them.
fn cost(
    store: &mut TermStore,
    seed: Vec<TermId>,
    preparing: Duration,
    mut mutate: impl FnMut(&mut TermStore, &[TermId], &mut ChaCha8Rng) -> Vec<TermId>,
) -> Cost {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut cost = Cost { preparing, ..Cost::default() };
    let mut bases = vec![seed];
    for _ in 0..MUTANTS {
        let begin = Instant::now();
        let base = bases.choose(&mut random).expect("the seed is there").clone();
        let mutant = mutate(store, &base, &mut random);
        if bases.len() < BASES {
            bases.push(mutant.clone());
        } else {
            let place = random.random_range(1..BASES);
            bases[place] = mutant.clone();
        }
        cost.making += begin.elapsed();
        let begin = Instant::now();
        let logic = Some(logic_of(store, &mutant));
        let formula = Formula { logic, ..Formula::of_assertions(store, mutant) };
        std::hint::black_box(inquiry(store, &formula, true));
        cost.printing += begin.elapsed();
    }
    let mutants = MUTANTS as u32;
    Cost {
        preparing: cost.preparing / mutants,
        making: cost.making / mutants,
        printing: cost.printing / mutants,
    }
}

fn approximation(store: &mut TermStore, assertions: &[TermId], with_clauses: bool) -> Cost {
    let begin = Instant::now();
    let prepared = match with_clauses {
        true => conjunctive_normal_form(store, assertions, Naming::Equivalent).clauses,
        false => split_chains(store, assertions),
    };
    let mut approximator = Approximator::new(Vocabulary::of(store, &prepared), Technique::Both);
    cost(store, prepared, begin.elapsed(), |store, base, random| {
        let mut mutant = base.to_vec();
        let count = random.random_range(1..=CHANGES);
        approximator.mutate(store, &mut mutant, Direction::Over, count, random);
        mutant
    })
}

fn fusion(store: &mut TermStore, assertions: &[TermId]) -> Option<Cost> {
    let begin = Instant::now();
    // With itself, under other names.
    let partner = renamed_apart(store, assertions, assertions)?;
    let mut fusion = Fusion::new(store, assertions, &partner, Verdict::Sat)?;
    let both = [assertions, &partner].concat();
    let cost = cost(store, both, begin.elapsed(), |store, base, random| {
        fusion.mutate(store, CHANGES, random).map_or_else(|| base.to_vec(), |fused| fused.assertions)
    });
    Some(cost)
}

/// With the model in which everything has the first value of its sort.
fn model_guided(store: &mut TermStore, assertions: &[TermId]) -> Cost {
    let begin = Instant::now();
    let vocabulary = Vocabulary::of(store, assertions);
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut guided = ModelGuided::new(store, vocabulary, &Model::new(), &mut random);
    cost(store, assertions.to_vec(), begin.elapsed(), |store, base, random| {
        let base = Mutant { assertions: base.to_vec(), ..Mutant::default() };
        let changes = random.random_range(1..=CHANGES);
        let mutant = guided.mutate(store, &base, Verdict::Sat, changes, random);
        mutant.unwrap_or(base).assertions
    })
}

fn print(name: &str, costs: &[(PathBuf, Cost)]) {
    let row = |what: &str, part: &dyn Fn(&Cost) -> Duration| {
        let mut times: Vec<(Duration, &Path)> =
            costs.iter().map(|(path, cost)| (part(cost), path.as_path())).collect();
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 100].0.as_secs_f64() * 1e6;
        let slowest = times.last().map_or(Path::new(""), |&(_, path)| path);
        println!(
            "{name:<14} {what:<9} {:>6} seeds  median {:>8.0} µs  95 % {:>8.0} µs  slowest {:>8.0} µs {}",
            times.len(),
            at(50),
            at(95),
            at(100),
            slowest.display()
        );
    };
    if costs.is_empty() {
        return println!("{name:<14} no seeds");
    }
    row("preparing", &|cost| cost.preparing);
    row("making", &|cost| cost.making);
    row("printing", &|cost| cost.printing);
    row("all", &|cost| cost.preparing + cost.making + cost.printing);
}

fn main() {
    let mut paths = Vec::new();
    env::args().skip(1).for_each(|argument| seeds_in(Path::new(&argument), &mut paths));
    paths.sort();
    let mut costs: [Vec<(PathBuf, Cost)>; 4] = Default::default();
    for path in paths {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let source = SourceText::new(path.display().to_string(), text);
        let mut store = TermStore::new();
        let Ok(parsed) = parse_script(&mut store, &source, TheorySet::ALL) else {
            println!("{} cannot be read", path.display());
            continue;
        };
        let assertions = parsed.formula().assertions;
        for with_clauses in [false, true] {
            let cost = approximation(&mut store.clone(), &assertions, with_clauses);
            costs[usize::from(with_clauses)].push((path.clone(), cost));
        }
        costs[3].push((path.clone(), model_guided(&mut store.clone(), &assertions)));
        costs[2].extend(fusion(&mut store, &assertions).map(|cost| (path, cost)));
    }
    for (name, costs) in ["approximation", "clauses", "fusion", "model"].into_iter().zip(&costs) {
        print(name, costs);
    }
}
