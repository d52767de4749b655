//! Bugs: findings that probably have the same cause.
//!
//! The signature identifies a crash. Other findings count as one bug if they have the same solver, the same kind of
//! error, and the same operators in the reduced formula. If releases of a solver are compared, the last one that
//! shows a defect represents all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::path::PathBuf;

use rustc_hash::FxBuildHasher;
use sundry_external::{Verdict, command_with_options};

use crate::campaign::bug::{Bug, Kind};
use crate::judge::defect::Defect;
use crate::judge::finding::Finding;

/// The common features of all findings of a bug. A bug that needs options is another than the same without them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Key {
    /// The last release that shows the defect, or the solver, and a description of the error with the options.
    coarse: (String, String),
    /// The operators in the reduced formula.
    operators: String,
}

/// The result of adding a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    /// The folder of the bug, if the finding is the first or the smallest of it.
    pub smallest: Option<PathBuf>,
    /// Whether the bug was not known before.
    pub is_new: bool,
}

/// The bugs of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Bugs(BTreeMap<Key, Bug>);

impl FromIterator<Bug> for Bugs {
    fn from_iter<I: IntoIterator<Item = Bug>>(bugs: I) -> Bugs {
        Bugs(bugs.into_iter().map(|bug| (Key::of(&bug), bug)).collect())
    }
}

impl Bugs {
    /// All bugs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Bug> {
        self.0.values()
    }

    /// All bugs in the order of their folders.
    pub fn sorted(&self) -> Vec<Bug> {
        let mut bugs: Vec<Bug> = self.0.values().cloned().collect();
        bugs.sort_by(|one, other| one.folder.cmp(&other.folder));
        bugs
    }

    /// The number of bugs if operators do not count as a difference.
    pub fn coarse(&self) -> usize {
        self.0.keys().map(|key| &key.coarse).collect::<BTreeSet<_>>().len()
    }

    /// Adds a finding: as a new bug, or to a known one. If the finding is the first or the smallest of its bug,
    /// `keep` stores its files; a bug that cannot be stored is not added.
    ///
    /// # Errors
    /// The errors of `keep`.
    pub fn add<E>(
        &mut self,
        finding: &Finding,
        keep: impl FnOnce(&Bug) -> Result<(), E>,
    ) -> Result<Added, E> {
        let mut bug = Bug::of(finding);
        bug.folder = Key::of(&bug).folder_name(&finding.defect, bug.releases.is_some());
        self.join(bug, keep)
    }

    /// Adds a bug of another campaign: as a new bug, or its findings to a known one. As [`add`](Self::add) does, `keep` stores the
    /// files of a bug that is new, or whose formula is smaller than that of the known one. The names of seeds are taken to
    /// differ between campaigns with different mutants.
    ///
    /// # Errors
    /// The errors of `keep`.
    pub fn join<E>(&mut self, mut bug: Bug, keep: impl FnOnce(&Bug) -> Result<(), E>) -> Result<Added, E> {
        let key = Key::of(&bug);
        let known = self.0.get_mut(&key);
        let is_new = known.is_none();
        if let Some(known) = known {
            // After a kill, the last mutants are tried again.
            known.findings.append(&mut bug.findings);
            known.count = known.findings.len();
            known.in_seed |= bug.in_seed;
            known.shown_by.append(&mut bug.shown_by);
            // The order of findings depends on the threads.
            let rank = |bug: &Bug| (bug.bytes, bug.seed.clone(), bug.mutant);
            if rank(&bug) >= rank(known) {
                return Ok(Added { smallest: None, is_new });
            }
            let (findings, shown_by) = (known.findings.clone(), known.shown_by.clone());
            // A campaign of an earlier version may have given another name to its folder.
            let folder = known.folder.clone();
            bug = Bug { count: known.count, in_seed: known.in_seed, findings, shown_by, folder, ..bug };
        }
        keep(&bug)?;
        let folder = bug.folder.clone();
        self.0.insert(key, bug);
        Ok(Added { smallest: Some(folder), is_new })
    }

    /// Removes bugs of the same finding whose reduction an earlier run had cut short, and returns their folders.
    pub fn remove_cut_short(&mut self, again: &Finding) -> Vec<PathBuf> {
        let is_same = |bug: &Bug| {
            bug.cut_short
                && bug.solver == again.solver
                && bug.options == again.options
                && bug.seed == again.seed
                && bug.mutant == again.mutant
        };
        let keys: Vec<Key> =
            self.0.iter().filter(|(_, bug)| is_same(bug)).map(|(key, _)| key.clone()).collect();
        keys.iter().filter_map(|key| self.0.remove(key)).map(|bug| bug.folder).collect()
    }
}

impl Key {
    fn of(bug: &Bug) -> Key {
        // All unconfirmed findings are one kind: their formulas are not reduced.
        let defect =
            if bug.confirmed { bug.defect.clone() } else { format!("{}, not confirmed", bug.defect) };
        let defect = command_with_options(&defect, &bug.options);
        let operators = match bug.kind {
            _ if bug.cut_short => format!("{}, mutant {}", bug.seed, bug.mutant),
            Kind::Crash => String::new(),
            // A seed is asked about as its author wrote it, and as it is printed: that is one finding, until the operators say that there are two.
            _ if bug.unfinished && bug.mutant == 0 => bug.seed.clone(),
            _ => bug.skeleton.clone(),
        };
        let culprit = bug.releases.as_ref().map_or(&bug.solver, |(_, last)| last);
        Key { coarse: (culprit.clone(), defect), operators }
    }

    /// A name that is the same in every run: the solver, the kind of error, and a number for the rest. Of a solver with releases that show the bug,
    /// any of them may be the one whose report stands in the folder, so the name has no version.
    fn folder_name(&self, defect: &Defect, has_releases: bool) -> PathBuf {
        let program = self.coarse.0.split_whitespace().next().unwrap_or_default();
        let program = program.rsplit('/').next().unwrap_or_default();
        let program = if has_releases { without_version(program) } else { program };
        let is_plain =
            |character: &char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_');
        let program: String = program.chars().filter(is_plain).collect();
        let what = match defect {
            Defect::WrongAnswer { right: Verdict::Sat } => "wrong-unsat",
            Defect::WrongAnswer { .. } => "wrong-sat",
            Defect::InvalidModel => "invalid-model",
            Defect::SatisfiableCore | Defect::StrayCore => "wrong-core",
            Defect::Crash(_) => "crash",
        };
        let number = FxBuildHasher.hash_one(self) as u32;
        PathBuf::from(format!("{program}-{what}-{number:08x}"))
    }
}

/// The name of a program up to its version, which begins with a digit behind a dash.
fn without_version(program: &str) -> &str {
    let is_version = |(dash, _): &(usize, &str)| {
        *dash > 0 && program[dash + 1..].starts_with(|character: char| character.is_ascii_digit())
    };
    let version = program.match_indices(['-', '_']).find(is_version);
    version.map_or(program, |(dash, _)| &program[..dash])
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::judge::defect::Witness;
    use crate::judge::finding::{DefectStatus, Reduction};

    /// A finding with a mutant; without operators it was cut short.
    fn finding(mutant: usize, operators: Option<&str>) -> Finding {
        let reduction = operators.map(|operators| Reduction {
            script: format!("(assert ({operators}))\n"),
            skeleton: operators.to_string(),
            checks: 3,
            is_finished: true,
        });
        Finding {
            defect: Defect::InvalidModel,
            witness: Witness::Evaluator(0),
            evidence: None,
            solver: "z3".into(),
            options: Vec::new(),
            cures: Vec::new(),
            seed: "s.smt2".into(),
            mutant,
            script: "(check-sat)\n".into(),
            rewritten: None,
            in_seed: mutant == 0,
            changes: Vec::new(),
            said: Vec::new(),
            releases: Vec::new(),
            is_cut_short: reduction.is_none(),
            reduction,
        }
    }

    fn add(bugs: &mut Bugs, finding: &Finding) -> Added {
        bugs.add(finding, |_| Ok::<(), Infallible>(())).unwrap_or_else(|never| match never {})
    }

    #[test]
    fn what_is_found_again_counts_once() {
        let counts = |bugs: &Bugs| bugs.iter().map(|bug| bug.count).collect::<Vec<_>>();
        let mut bugs = Bugs::default();
        let news = [(3, "mod"), (4, "mod"), (3, "mod"), (5, "div")]
            .map(|(mutant, operators)| add(&mut bugs, &finding(mutant, Some(operators))).is_new);
        assert_eq!((counts(&bugs), news), (vec![1, 2], [true, false, false, true]));
        // After a kill, bugs are read from where they were kept.
        let mut bugs: Bugs = bugs.sorted().into_iter().collect();
        add(&mut bugs, &finding(4, Some("mod")));
        assert_eq!((counts(&bugs), bugs.coarse()), (vec![1, 2], 1));
    }

    #[test]
    fn a_bug_of_several_releases_has_a_folder_without_a_version() {
        let on = |solver: &str, mutant, releases: &[(&str, DefectStatus)]| Finding {
            solver: solver.into(),
            releases: releases.iter().map(|&(name, shown)| (name.to_string(), shown)).collect(),
            ..finding(mutant, Some("mod"))
        };
        let releases = [("/opt/z3-4.8.7", DefectStatus::Yes), ("/opt/z3-4.8.10", DefectStatus::Yes)];
        let mut bugs = Bugs::default();
        let first = add(&mut bugs, &on("/opt/z3-4.8.10", 4, &releases));
        let smaller = add(&mut bugs, &on("/opt/z3-4.8.7", 3, &releases));
        assert_eq!(first.smallest, smaller.smallest);
        let [bug] = &bugs.sorted()[..] else { panic!("{bugs:?}") };
        assert!(bug.folder.to_string_lossy().starts_with("z3-invalid-model-"), "{bug:?}");
        assert_eq!(bug.solver, "/opt/z3-4.8.7");
        assert!(bug.shown_by.iter().eq(["/opt/z3-4.8.10", "/opt/z3-4.8.7"]), "{bug:?}");
        let alone = add(&mut bugs, &on("/opt/z3-4.8.7", 4, &[])).smallest.expect("it is new");
        assert!(alone.to_string_lossy().starts_with("z3-4.8.7-invalid-model-"), "{alone:?}");
        assert_eq!(
            ["z3", "cvc5-linux", "cvc5_1.0", "-3"].map(without_version),
            ["z3", "cvc5-linux", "cvc5", "-3"]
        );
    }

    #[test]
    fn the_smallest_finding_stands_for_its_bug() {
        let mut bugs = Bugs::default();
        let small = add(&mut bugs, &finding(4, Some("mod")));
        // Of two equal sizes, the earlier mutant counts.
        let same = add(&mut bugs, &finding(3, Some("mod")));
        let later = add(&mut bugs, &finding(9, Some("mod")));
        assert!(small.smallest.is_some() && small.smallest == same.smallest);
        assert_eq!(later, Added { smallest: None, is_new: false });
    }

    #[test]
    fn campaigns_that_ran_apart_become_one() {
        let mut campaigns = [(); 2].map(|()| Bugs::default());
        for (campaign, findings) in campaigns.iter_mut().zip([&[(3, "mod"), (4, "div")][..], &[(3, "mod")]]) {
            for &(mutant, operators) in findings {
                add(campaign, &finding(mutant, Some(operators)));
            }
        }
        let mut merged = Bugs::default();
        let mut kept = Vec::new();
        for (label, campaign) in ["a", "b"].into_iter().zip(&campaigns) {
            for bug in campaign.sorted() {
                let seed = format!("{label}: {}", bug.seed);
                let findings = bug.findings.iter().map(|(_, mutant)| (seed.clone(), *mutant)).collect();
                let keep = |bug: &Bug| {
                    kept.push(bug.folder.clone());
                    Ok::<(), Infallible>(())
                };
                let _ = merged.join(Bug { seed, findings, ..bug }, keep);
            }
        }
        let counts: Vec<usize> = merged.iter().map(|bug| bug.count).collect();
        assert_eq!((counts, kept.len()), (vec![1, 2], 2));
        let folders = |bugs: &Bugs| bugs.sorted().into_iter().map(|bug| bug.folder).collect::<Vec<_>>();
        assert_eq!(folders(&merged), folders(&campaigns[0]));
    }

    #[test]
    fn a_seed_that_is_not_reduced_to_the_end_is_one_bug() {
        let of_seed = |operators: &str, is_finished: bool| {
            let finding = finding(0, Some(operators));
            let reduction = finding.reduction.map(|reduction| Reduction { is_finished, ..reduction });
            Finding { reduction, ..finding }
        };
        let mut bugs = Bugs::default();
        assert!(add(&mut bugs, &of_seed("- distinct mod", false)).is_new);
        assert!(!add(&mut bugs, &of_seed("- > distinct mod", false)).is_new);
        assert!(add(&mut bugs, &of_seed("mod", true)).is_new && add(&mut bugs, &of_seed("div", true)).is_new);
    }

    #[test]
    fn what_cannot_be_kept_is_no_bug() {
        let mut bugs = Bugs::default();
        assert_eq!(bugs.add(&finding(3, Some("mod")), |_| Err("the disk is full")), Err("the disk is full"));
        assert_eq!(bugs.iter().len(), 0);
    }

    #[test]
    fn what_was_cut_short_gives_way_to_what_it_becomes() {
        let mut bugs = Bugs::default();
        let cut = [3, 4].map(|mutant| add(&mut bugs, &finding(mutant, None)).smallest);
        let whole = finding(3, Some("mod"));
        assert_eq!(bugs.remove_cut_short(&whole), cut[0].clone().into_iter().collect::<Vec<_>>());
        add(&mut bugs, &whole);
        assert_eq!(bugs.iter().filter(|bug| bug.cut_short).count(), 1);
    }
}
