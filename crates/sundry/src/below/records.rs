//! Records: plain data that `serde` reads and writes.

/// An entry of a batch is a record of a run, or of why there was none.
///
/// ```
/// use sundry::record::{BatchEntry, FailureRecord, Status};
///
/// let entry = BatchEntry::Failed(FailureRecord {
///     formula: "door.smt2".to_string(),
///     error: "unknown symbol 'dor'".to_string(),
///     status: Status::Input,
///     version: "1".to_string(),
/// });
/// assert_eq!((entry.formula(), entry.status()), ("door.smt2", Status::Input));
/// ```
pub use sundry_report::BatchEntry;

/// The models of one class of predicates are counted together.
///
/// ```
/// use sundry::record::ClassRecord;
///
/// let record = ClassRecord { class: "10".to_string(), models: 3 };
/// assert_eq!(serde_json::to_string(&record)?, r#"{"class":"10","models":3}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub use sundry_report::ClassRecord;

/// The record of a measurement says what was measured, and how much of it models cover.
///
/// ```
/// use sundry::coverage::{INTEGER_BITS, Measurement};
/// use sundry::record::{CoverageRecord, Measure};
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut measurement = Measurement::new(&formula);
/// measurement.add_text("p,q\ntrue,false\n", None, &sundry::Control::default())?;
/// let (covered, total) = (measurement.covered(), formula.ast_bits() as u64);
/// let record = CoverageRecord {
///     formula: formula.name().to_string(),
///     measure: Measure::Ast,
///     coverage: covered as f64 / total as f64,
///     # version: "1".to_string(),
///     # integer_bits: INTEGER_BITS,
///     # decided: None,
///     # wires: None,
///     # predicates: None,
///     # models: Vec::new(),
///     total,
///     covered,
/// };
/// assert!(record.to_json().contains("\"coverage\": 0.5"));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::CoverageRecord;

/// A curve in a record has the same points as that of the run.
///
/// ```
/// use sundry::record::{CurveRecord, PartRecord};
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let PartRecord::Set(set) = *formula.sampler().run()?.figures else { panic!("a set") };
/// let last: Option<&CurveRecord> = set.curve.last();
/// assert_eq!(last.map(|point| (point.solutions, point.covered)), Some((1, 1)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::CurveRecord;

/// A decision about all AST-bits becomes a record of four figures.
///
/// ```
/// use sundry::coverage::Control;
/// use sundry::record::DecisionRecord;
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let decided = formula.decide(&Control::default())?;
/// let (valid, impossible, unknown) = (decided.valid, decided.impossible, decided.unknown);
/// let record = DecisionRecord { valid, impossible, unknown, complete: decided.is_complete };
/// assert_eq!(serde_json::to_value(&record).ok(), Some(serde_json::json!({"valid": 1, "impossible": 1, "unknown": 0, "complete": false})));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::DecisionRecord;

/// The reason why a run has ended has a word in records.
///
/// ```
/// use sundry::record::Ending;
///
/// assert_eq!(Ending::Timeout.name(), "timeout");
/// assert_eq!(serde_json::from_str::<Ending>("\"timeout\"")?, Ending::Timeout);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub use sundry_report::Ending;

/// A formula that brought no run has a message and a status.
///
/// ```
/// use sundry::record::{FailureRecord, Status};
///
/// let text = r#"{"formula": "door.smt2", "error": "unknown symbol 'dor'", "status": 2, "version": "1"}"#;
/// let failed: FailureRecord = serde_json::from_str(text)?;
/// assert_eq!(failed.status, Status::Input);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub use sundry_report::FailureRecord;

/// Coverage is measured in AST-bits, or in the points of other samplers.
///
/// ```
/// use sundry::record::Measure;
///
/// assert_eq!(serde_json::to_string(&[Measure::Ast, Measure::Wire])?, r#"["ast","wire"]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub use sundry_report::Measure;

/// The record of a measurement has an entry for each model.
///
/// ```
/// use sundry::record::ModelRecord;
///
/// let text = r#"{"model": "models.csv:1", "satisfies": false, "gain": 0, "covered": 3, "fault": "p is false"}"#;
/// let model: ModelRecord = serde_json::from_str(text)?;
/// assert!(!model.satisfies && model.missing.is_empty());
/// assert_eq!(model.fault.as_deref(), Some("p is false"));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub use sundry_report::ModelRecord;

/// The figures of a run depend on its kind.
///
/// ```
/// use sundry::record::PartRecord;
/// use sundry::{Formula, Strategy};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool)")?;
/// let figures = |strategy| Ok::<_, sundry::Error>(formula.sampler().strategy(strategy).run()?.figures);
/// assert!(matches!(*figures(Strategy::Cover)?, PartRecord::Set(_)));
/// assert!(matches!(*figures(Strategy::TWise(2))?, PartRecord::Tuples(_)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::PartRecord;

/// One predicate holds in some models and fails in others.
///
/// ```
/// use sundry::record::PredicateRecord;
///
/// let record: PredicateRecord = serde_json::from_str(r#"{"name": "both", "holds": 2, "fails": 0, "can_fail": true}"#)?;
/// // No model shows that the predicate fails, though it can.
/// assert!(record.fails == 0 && record.can_fail == Some(true));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub use sundry_report::PredicateRecord;

/// The coverage of predicates comes as a record too.
///
/// ```
/// use sundry::record::{PredicateRecord, PredicatesRecord};
///
/// let name = "both".to_string();
/// let both = PredicateRecord { name, holds: 1, fails: 1, can_hold: None, can_fail: None };
/// let record = PredicatesRecord {
///     file: "predicates.smt2".to_string(),
///     predicates: vec![both],
///     held: 1,
///     failed: 1,
///     both_ways: 1,
///     entropy: 1.0,
///     classes: Vec::new(),
/// };
/// assert_eq!(serde_json::to_value(&record)?["predicates"][0]["name"], "both");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub use sundry_report::PredicatesRecord;

/// The head of a record says which run it was: formula, strategy, options and seed.
///
/// ```
/// use sundry::record::{Ending, RunHead, Status};
///
/// let text = r#"{"formula": "door.smt2", "strategy": "cover", "options": {"target": 0.9}, "seed": 7, "version": "1",
///     "solutions": 3, "seconds": 0.5, "stopped_by": "target", "rejected": 0, "status": 0}"#;
/// let head: RunHead = serde_json::from_str(text)?;
/// assert_eq!((head.stopped_by, head.status), (Ending::Target, Status::Done));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub use sundry_report::RunHead;

/// Runs of one kind have the same columns in a table.
///
/// ```
/// use sundry::record::RunKind;
///
/// assert!(RunKind::Set.columns().contains(&"coverage"));
/// assert!(RunKind::Tuples.columns().contains(&"strength"));
/// ```
pub use sundry_report::RunKind;

/// The record of a run is its head and its figures.
///
/// ```
/// use std::collections::BTreeMap;
/// use sundry::record::{Ending, RunHead, RunKind, RunRecord, Status};
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let samples = formula.sampler().run()?;
/// let head = RunHead {
///     formula: formula.name().to_string(),
///     strategy: "cover".to_string(),
///     solutions: samples.solutions.len() as u64,
///     stopped_by: Ending::Complete,
///     # options: BTreeMap::new(),
///     # seed: 0,
///     # version: "1".to_string(),
///     # seconds: samples.elapsed.as_secs_f64(),
///     # rejected: 0,
///     # status: Status::Done,
/// };
/// let record = RunRecord { head, part: *samples.figures };
/// assert_eq!((record.kind(), record.set().map(|set| set.covered)), (RunKind::Set, Some(1)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::RunRecord;

/// The figures of a set are those that the command line prints.
///
/// ```
/// use sundry::record::{PartRecord, SetRecord};
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let PartRecord::Set(set) = *formula.sampler().run()?.figures else { panic!("a set") };
/// let SetRecord { covered, impossible, total, lower_bound, .. } = set;
/// assert_eq!((covered, impossible, total, lower_bound), (1, 1, 2, 1));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::SetRecord;

/// Each solution of a set has an entry, the best first.
///
/// ```
/// use sundry::record::{PartRecord, SolutionRecord};
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let PartRecord::Set(set) = *formula.sampler().run()?.figures else { panic!("a set") };
/// let solutions: &[SolutionRecord] = &set.per_solution;
/// assert_eq!(solutions.iter().map(|solution| solution.gain).sum::<u64>(), set.covered);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::SolutionRecord;

/// A status is the exit code of the command line, and of several the highest counts.
///
/// ```
/// use sundry::record::Status;
///
/// assert_eq!([Status::Done, Status::Limit, Status::Input].into_iter().max(), Some(Status::Limit));
/// assert_eq!(Status::Limit.code(), 3);
/// ```
pub use sundry_report::Status;

/// The figures of a set of combinations count what each solution adds.
///
/// ```
/// use sundry::record::{PartRecord, TuplesRecord};
/// use sundry::{Formula, Strategy};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let samples = formula.sampler().strategy(Strategy::TWise(2)).run()?;
/// let PartRecord::Tuples(TuplesRecord { tuples, impossible, gains, .. }) = *samples.figures else { panic!("pairs") };
/// assert_eq!((tuples, impossible, &gains[..]), (4, 1, &[1, 1, 1][..]));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::TuplesRecord;

/// The figures of uniform draws say how many solutions there are.
///
/// ```
/// use sundry::record::{PartRecord, UniformRecord};
/// use sundry::{Formula, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 4)) (assert (bvult x #x8))")?;
/// let samples = formula.sampler().strategy(Strategy::Uniform(0.3)).max_solutions(10).run()?;
/// let PartRecord::Volume(volume) = *samples.figures else { panic!("draws") };
/// let UniformRecord { exact, solutions_log2, .. } = volume.uniform.expect("uniform draws");
/// assert_eq!((exact, solutions_log2), (true, Some(3.0)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::UniformRecord;

/// The figures of a search at volume count its work.
///
/// ```
/// use sundry::record::{PartRecord, VolumeRecord};
/// use sundry::{Formula, Granularity, Strategy};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 16))")?;
/// let samples = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit)).max_solutions(100).run()?;
/// let PartRecord::Volume(VolumeRecord { candidates, valid, .. }) = *samples.figures else { panic!("at volume") };
/// assert!(candidates >= valid && valid >= 100);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_report::VolumeRecord;

/// Entries are read from lines of JSON, without those that a killed batch has left half written.
///
/// ```
/// use sundry::record::read_entries;
///
/// let text = r#"{"formula": "door.smt2", "error": "unknown symbol 'dor'", "status": 2, "version": "1"}
/// {"formula": "gate.smt2", "err"#;
/// let entries = read_entries(text.as_bytes())?;
/// assert_eq!(entries.iter().map(|entry| entry.formula()).collect::<Vec<_>>(), ["door.smt2"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub use sundry_report::read_entries;

/// An entry is written as one line of JSON.
///
/// ```
/// use sundry::record::{BatchEntry, read_entries, write_entry};
///
/// let text = r#"{"formula": "door.smt2", "error": "unknown symbol 'dor'", "status": 2, "version": "1"}"#;
/// let entries: Vec<BatchEntry> = read_entries(text.as_bytes())?;
/// let mut written = Vec::new();
/// write_entry(&mut written, &entries[0])?;
/// assert_eq!(read_entries(&written[..])?, entries);
/// # Ok::<(), std::io::Error>(())
/// ```
pub use sundry_report::write_entry;
