//! All solutions of formulas with a small number of bits, found by enumeration and by sampling, against the list of
//! all their models.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry_sample::{
    Control, Event, Granularity, Problem, Request, SampleError, StopReason, VolumeOptions, VolumeStrategy,
    sample,
};
use sundry_term::{Model, Sort, SymbolId};

use crate::brute_force::{problem, small_case};
use crate::campaign;
use crate::enumerate::for_each_model;

#[test]
fn all_are_found_and_each_once() {
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    let mut unsupported = 0;
    for seed in campaign::seeds(600, 10) {
        let problem = problem(&small_case(seed));
        let constants: Vec<SymbolId> =
            problem.symbols.iter().copied().filter(|&symbol| is_constant(&problem, symbol)).collect();
        // Some are left out, differently from seed to seed.
        let some = (0..).zip(&constants).filter(|(number, _)| seed >> (number % 7) & 1 == 0);
        let some: Vec<SymbolId> = some.map(|(_, &symbol)| symbol).collect();
        for names in [&constants, &some] {
            let mut expected = BTreeSet::new();
            for_each_model(&problem, &mut |model, _| {
                expected.insert(values(model, names));
            });
            let found = match enumerate(&problem, Some(names), VolumeStrategy::All, seed) {
                Ok(found) => found,
                // Arrays of arrays, and arrays given to functions.
                Err(SampleError::Unsupported(_)) => {
                    unsupported += 1;
                    break;
                }
                Err(error) => panic!("seed {seed}: {error:?}"),
            };
            let different: BTreeSet<String> = found.iter().map(|model| values(model, names)).collect();
            assert_eq!(different, expected, "seed {seed}");
            assert_eq!(found.len(), expected.len(), "seed {seed}: something comes twice");
            *counts.entry(found.len().checked_ilog2().map_or(0, |bits| bits + 1)).or_default() += 1;
        }
        // Sampling comes to the same end by itself.
        if constants.len() == problem.symbols.len() {
            let found = enumerate(&problem, None, VolumeStrategy::Combine, seed).expect("constants only");
            let mut count = 0;
            for_each_model(&problem, &mut |_, _| count += 1);
            assert_eq!(found.len(), count, "seed {seed}");
        } else {
            let refused = enumerate(&problem, None, VolumeStrategy::All, seed);
            assert!(matches!(refused, Err(SampleError::NotEnumerable(_))), "seed {seed}");
        }
    }
    println!("formulas by the bits of their number of solutions: {counts:?}; {unsupported} unsupported");
    assert!(counts.len() >= 5, "formulas are too much alike: {counts:?}");
}

fn is_constant(problem: &Problem, symbol: SymbolId) -> bool {
    let declared = problem.store.symbol(symbol);
    declared.arguments.is_empty()
        && matches!(problem.store.sort(declared.result), Sort::Bool | Sort::BitVec(_))
}

/// The values of these constants in a model, complete or not.
fn values(model: &Model, names: &[SymbolId]) -> String {
    names.iter().map(|&name| format!("{:?} ", model.constant(name).expect("a value"))).collect()
}

/// The solutions that a strategy finds until it reports that there are no more, judged.
fn enumerate(
    problem: &Problem,
    project: Option<&[SymbolId]>,
    strategy: VolumeStrategy,
    seed: u64,
) -> Result<Vec<Model>, SampleError> {
    let control = Control::default().with_deadline(Some(Instant::now() + Duration::from_secs(60)));
    let options = VolumeOptions {
        granularity: [Granularity::Bit, Granularity::Value, Granularity::Gate][seed as usize % 3],
        project: project.map(<[SymbolId]>::to_vec),
        memory: 1 << 20,
        ..VolumeOptions::new(strategy)
    };
    let request = Request { seed, control, ..Request::volume(options) };
    let mut found = Vec::new();
    let summary = sample(problem, &request, &mut |event| {
        if let Event::Solutions(solutions) = event {
            let judged = solutions.models().map(|model| problem.judge(model, &Control::default()));
            found.extend(judged.map(|solution| (*solution.expect("a solution").model).clone()));
        }
        ControlFlow::Continue(())
    })?;
    let expected = if found.is_empty() { StopReason::Unsatisfiable } else { StopReason::Complete };
    assert_eq!((summary.stopped_by, summary.rejected), (expected, 0), "seed {seed}");
    Ok(found)
}
