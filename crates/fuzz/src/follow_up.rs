//! What is done about a defect that showed twice: it is made small, and everybody is asked about the result.

use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use sundry_external::{Limits, Solver};
use sundry_term::{SymbolId, TermId, TermStore};

use crate::defect::{Defect, Witness};
use crate::finding::{Reduction, Said, skeleton};
use crate::known::KnownModel;
use crate::oracle::{Examination, Examiner};
use crate::question::{Desk, Question};
use crate::reduce::{Check, Reduced, Subject, reduce};

/// While a script is reduced, a solver gets this many times as long as it took for the whole,
const TIME_FACTOR: u32 = 4;
/// and no less than this.
const LEAST_TIME: Duration = Duration::from_millis(200);

/// A solver with a defect.
#[derive(Copy, Clone)]
pub(crate) struct Suspect<'s> {
    pub(crate) solver: &'s Solver,
    pub(crate) defect: &'s Defect,
    /// Who says so.
    pub(crate) witness: &'s Witness,
    /// How long it took to show it.
    pub(crate) time: Duration,
}

/// What became of a defect.
pub(crate) struct FollowedUp {
    /// Who says so of the smallest script.
    pub(crate) witness: Witness,
    /// A smaller script; none where nobody confirms the defect.
    pub(crate) reduction: Option<Reduction>,
    /// What these say of the smallest script.
    pub(crate) said: Vec<Said>,
    /// Whether these releases show it too.
    pub(crate) releases: Vec<(String, bool)>,
}

/// Who helps to follow up.
#[derive(Copy, Clone)]
pub(crate) struct FollowUp<'a> {
    pub(crate) examiner: Examiner<'a>,
    pub(crate) solvers: &'a [Solver],
    /// Releases of solvers, the oldest first.
    pub(crate) releases: &'a [Solver],
    /// How long a script may be reduced.
    pub(crate) reduction: Duration,
}

impl FollowUp<'_> {
    /// Reduces the formula as far as it shows the same, and asks everybody about what is left.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub(crate) fn pursue(
        self,
        store: &mut TermStore,
        question: &Question,
        model: Option<&KnownModel>,
        suspect: Suspect<'_>,
    ) -> io::Result<FollowedUp> {
        let mut witness = suspect.witness.clone();
        let mut subject = question.subject.clone();
        let mut reduction = None;
        if witness.confirms(suspect.defect) {
            let desk = self.examiner.desk;
            let wall = (suspect.time * TIME_FACTOR).max(LEAST_TIME).min(desk.limits.wall);
            let limits = Limits { wall, ..desk.limits.clone() };
            let examiner = Examiner { desk: Desk { limits: &limits, ..desk }, ..self.examiner };
            let until = Some(Instant::now() + self.reduction);
            let Suspect { solver, defect, .. } = suspect;
            let origin = Origin { model, definitions: &question.definitions };
            let mut check = SameDefect { examiner, solver, origin, defect, until, witness: None };
            if let Some(reduced) = reduce(store, subject.clone(), &mut check)? {
                witness = check.witness.unwrap_or(witness);
                let Reduced { text, checks, is_finished, .. } = reduced;
                subject = reduced.subject;
                let skeleton = skeleton(store, &subject);
                reduction = Some(Reduction { script: text, skeleton, checks, is_finished });
            }
        }
        let script = reduction.as_ref().map_or(&question.script, |reduction| &reduction.script);
        let everyone = self.solvers.iter().chain(self.examiner.references);
        let said = everyone.map(|other| Ok(Said::of(other, &self.examiner.desk.ask(other, script)?)));
        let said = said.collect::<io::Result<Vec<Said>>>()?;
        let mut releases = Vec::new();
        for solver in self.releases {
            let (examiner, defect) = (self.examiner, suspect.defect);
            let origin = Origin { model, definitions: &question.definitions };
            let mut check = SameDefect { examiner, solver, origin, defect, until: None, witness: None };
            releases.push((solver.name.clone(), check.shows(store, &subject, script)?));
        }
        Ok(FollowedUp { witness, reduction, said, releases })
    }
}

/// What is known of the whole script.
#[derive(Copy, Clone)]
struct Origin<'e> {
    /// A model of the seed.
    model: Option<&'e KnownModel>,
    /// What constants stand for that are not those of the seed.
    definitions: &'e [(SymbolId, TermId)],
}

/// Whether a solver has the same defect, also on other scripts.
struct SameDefect<'e> {
    examiner: Examiner<'e>,
    solver: &'e Solver,
    origin: Origin<'e>,
    defect: &'e Defect,
    /// When there is no time left.
    until: Option<Instant>,
    /// Who said so last.
    witness: Option<Witness>,
}

impl Check for SameDefect<'_> {
    type Error = io::Error;

    fn shows(&mut self, store: &mut TermStore, subject: &Subject, text: &str) -> io::Result<bool> {
        let Some(mut question) = Question::of_subject(store, subject.clone(), text.to_string()) else {
            return Ok(false);
        };
        question.definitions = self.origin.definitions.to_vec();
        let reply = self.examiner.desk.ask(self.solver, text)?;
        let model = self.origin.model;
        let examination = self.examiner.examine(store, &question, model, self.solver, &reply)?;
        let same = examination
            .filter(|Examination { defect, witness }| defect == self.defect && witness.confirms(defect));
        let shows = same.is_some();
        self.witness = same.map(|examination| examination.witness).or(self.witness.take());
        Ok(shows)
    }

    fn goes_on(&self) -> bool {
        !self.examiner.desk.interrupted.load(Ordering::Relaxed)
            && self.until.is_none_or(|until| Instant::now() < until)
    }
}
