//! Runs that are noted as soon as they end, so that a campaign that is killed within a generation repeats none of them.

use rustc_hash::FxHashMap;
use sundry_external::Inquiry;

use crate::campaign::keeper::{Keeper, NotedRun, Stop};
use crate::run::measured::Measured;
use crate::run::runner::Workers;
use crate::search::Runner;

/// Runs that an earlier run of the program has noted, by their scripts.
pub(crate) type Noted = FxHashMap<String, Measured>;

/// Workers whose runs are noted.
pub(crate) struct NotingRunner<'a, K> {
    pub(crate) workers: &'a Workers,
    pub(crate) keeper: &'a mut K,
    /// Runs of this generation that took place before the program was stopped.
    pub(crate) noted: &'a mut Noted,
    /// All that was run, in the order of the inputs.
    pub(crate) news: Vec<(Inquiry, Measured)>,
}

impl<K: Keeper> Runner for NotingRunner<'_, K> {
    type Stop = Stop<K::Error>;

    fn run(&mut self, inputs: &[Inquiry]) -> Result<Vec<Measured>, Self::Stop> {
        let mut measured: Vec<Option<Measured>> =
            inputs.iter().map(|input| self.noted.remove(&*input.text)).collect();
        let new: Vec<usize> = (0..inputs.len()).filter(|&number| measured[number].is_none()).collect();
        let inquiries: Vec<Inquiry> = new.iter().map(|&number| inputs[number].clone()).collect();
        let keeper = &mut *self.keeper;
        let keeping = &self.workers.contest.stopwatches.keeping;
        let all = self.workers.run(&inquiries, &mut |number, result: Measured| {
            let run = NotedRun { script: inquiries[number].text.to_string(), measured: result };
            keeping.time(|| keeper.note_run(&run)).map_err(Stop::Keeping)?;
            measured[new[number]] = Some(run.measured);
            Ok::<(), Self::Stop>(())
        })?;
        if !all {
            return Err(Stop::Interrupted);
        }
        let mut measured: Vec<Measured> = measured.into_iter().flatten().collect();
        for number in self.workers.measure_close(inputs, &mut measured)? {
            let run =
                NotedRun { script: inputs[number].text.to_string(), measured: measured[number].clone() };
            keeping.time(|| self.keeper.note_run(&run)).map_err(Stop::Keeping)?;
        }
        self.news.extend(inputs.iter().cloned().zip(measured.iter().cloned()));
        Ok(measured)
    }
}
