//! The share of the work that goes to mutants: by what they have found of late for so much work, and what questions have.
//!
//! Work is counted, not measured, so that explorations with the same options are the same on every machine. Its unit is an instruction of a plain run.

/// The work after which what was found before counts half.
const WINDOW: f64 = 60e6;

/// The work for which one thing found is expected at first.
const FIRST_WORK: f64 = 3e6;

/// The least share of mutants, as long as they have any.
const LEAST: f64 = 0.03;

/// The yield of one kind of work.
struct Yield {
    found: f64,
    work: f64,
    /// The work since something was found.
    in_vain: f64,
}

impl Yield {
    fn note(&mut self, found: f64, work: f64) {
        let kept = WINDOW / (WINDOW + work);
        self.found = self.found * kept + found;
        self.work = self.work * kept + work;
        self.in_vain = if found > 0.0 { 0.0 } else { self.in_vain + work };
    }

    fn rate(&self) -> f64 {
        // The more was in vain, the less is expected, however long ago the rest was.
        ((self.found + 1.0) / (self.work + FIRST_WORK)).min(1.0 / self.in_vain.max(1.0))
    }
}

/// Shares out the work.
pub struct Share {
    mutants: Yield,
    questions: Yield,
    /// The work that mutants may do before the next question.
    credit: f64,
    /// The greatest share of mutants.
    most: f64,
}

impl Share {
    /// A share of mutants of at most this part of the work.
    pub fn new(most: f64) -> Share {
        let none = || Yield { found: 0.0, work: 0.0, in_vain: 0.0 };
        Share { mutants: none(), questions: none(), credit: 0.0, most }
    }

    /// Takes note of work on questions and the runs of their answers.
    pub fn note_questions(&mut self, found: f64, work: u64) {
        let work = work as f64;
        self.questions.note(found, work);
        let rates = (self.mutants.rate(), self.questions.rate());
        let share = (rates.0 / (rates.0 + rates.1)).max(LEAST).min(self.most);
        self.credit += work * share / (1.0 - share);
    }

    /// Takes note of work on mutants.
    pub fn note_mutants(&mut self, found: f64, work: u64) {
        self.mutants.note(found, work as f64);
        self.credit -= work as f64;
    }

    /// Lets mutants do so much work now.
    pub fn grant(&mut self, work: u64) {
        self.credit = self.credit.max(work as f64);
    }

    /// Whether it is the turn of mutants.
    pub fn is_turn_of_mutants(&self) -> bool {
        self.credit > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of 1,000 units of work that goes to mutants, if questions and mutants find something in every so many units.
    fn part(most: f64, of_questions: u64, of_mutants: u64) -> f64 {
        let mut share = Share::new(most);
        let (mut questions, mut mutants) = (0, 0);
        while questions + mutants < 1_000 {
            let found = |number: u64, every: u64| if number.is_multiple_of(every) { 1.0 } else { 0.0 };
            if share.is_turn_of_mutants() {
                mutants += 1;
                share.note_mutants(found(mutants, of_mutants), 1_000_000);
            } else {
                questions += 1;
                share.note_questions(found(questions, of_questions), 1_000_000);
            }
        }
        mutants as f64 / 1_000.0
    }

    #[test]
    fn work_goes_where_more_is_found() {
        let parts = [part(0.9, 1, 1_000_000), part(0.9, 10, 10), part(0.9, 1_000_000, 1)];
        assert!(parts[0] < 0.06 && (0.4..0.6).contains(&parts[1]) && parts[2] > 0.8, "{parts:?}");
        assert!(part(0.2, 1_000_000, 1) <= 0.21 && part(0.0, 1_000_000, 1) == 0.0);
    }
}
