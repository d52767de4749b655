//! Coverage by models of any origin, and the order in which models add most.

/// A set of numbers says, for instance, which predicates hold in a solution.
///
/// ```
/// use sundry::coverage::BitSet;
///
/// let mut seen = BitSet::new(100);
/// seen.insert(3);
/// seen.insert(70);
/// assert_eq!(seen.iter().collect::<Vec<_>>(), [3, 70]);
/// assert!(seen.contains(70) && !seen.contains(71));
/// ```
pub use sundry_coverage::BitSet;

/// A class is the choice of predicates that hold in a solution.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Class, Control, Measurement};
///
/// let reader = Formula::reader().predicates("(define-fun first () Bool p) (define-fun second () Bool q)");
/// let formula = reader.read("(declare-const p Bool) (declare-const q Bool)")?;
/// let measured = Measurement::new(&formula).add_text("p,q\ntrue,false\n", None, &Control::default())?;
/// assert_eq!(measured[0].class.as_ref().map(Class::digits).as_deref(), Some("10"));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_coverage::Class;

/// A collection that knows what each item would add can be put in order by [`greedy_order`](crate::coverage::greedy_order).
///
/// ```
/// use sundry::coverage::{BitSet, Gains, greedy_order};
///
/// struct Rows(Vec<BitSet>, BitSet);
///
/// impl Gains for Rows {
///     type Gain = usize;
///     fn gain(&self, row: usize, _: Option<&usize>) -> usize {
///         self.0[row].count_without(&self.1)
///     }
///     fn take(&mut self, row: usize) {
///         self.1.union_with(&self.0[row]);
///     }
/// }
///
/// let rows = [0b0001, 0b0111, 0b1001].map(|row| BitSet::from_words(vec![row], 4));
/// assert_eq!(greedy_order(3, &mut Rows(rows.to_vec(), BitSet::new(4))), [1, 2, 0]);
/// ```
pub use sundry_coverage::Gains;

/// A formula counts so many low bits of each integer, and its sign, unless
/// [`Formula::with_integer_bits`](crate::Formula::with_integer_bits) says otherwise.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Control, INTEGER_BITS};
///
/// let formula = Formula::parse("(declare-const n Int) (assert (> n 5))")?;
/// let count = formula.ast_bits();
/// let same = formula.with_integer_bits(INTEGER_BITS, &Control::default())?;
/// assert_eq!(same.ast_bits(), count);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_coverage::INTEGER_BITS;

/// [`Formula::with_integer_bits`](crate::Formula::with_integer_bits) takes at most so many bits.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Control, MAXIMAL_INTEGER_BITS};
///
/// let formula = Formula::parse("(declare-const n Int) (assert (> n 5))")?;
/// let control = Control::default();
/// assert!(formula.clone().with_integer_bits(MAXIMAL_INTEGER_BITS, &control).is_ok());
/// assert!(formula.with_integer_bits(MAXIMAL_INTEGER_BITS + 1, &control).is_err());
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_coverage::MAXIMAL_INTEGER_BITS;

/// A predicate comes from a definition without parameters that goes along with a formula.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::Predicate;
///
/// let reader = Formula::reader().predicates("(define-fun both () Bool (and p q))");
/// let formula = reader.read("(declare-const p Bool) (declare-const q Bool)")?;
/// let [Predicate { name, term }] = formula.predicates() else { panic!("there is one") };
/// assert!(name == "both" && formula.parts().problem.store.is_bool(*term));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_coverage::Predicate;

/// A measurement counts the models in which each predicate holds, and the classes of models.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Control, Measurement, PredicateCoverage};
///
/// let reader = Formula::reader().predicates("(define-fun both () Bool (and p q))");
/// let formula = reader.read("(declare-const p Bool) (declare-const q Bool)")?;
/// let mut measurement = Measurement::new(&formula);
/// measurement.add_text("p,q\ntrue,false\ntrue,true\nfalse,true\n", None, &Control::default())?;
/// let coverage: &PredicateCoverage = measurement.predicates();
/// assert_eq!((coverage.holds(0), coverage.models(), coverage.class_count()), (1, 3, 2));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_coverage::PredicateCoverage;

/// The coverage by points of wires grows with each solution.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Control, Measurement, WireCoverage};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 4)) (assert (bvult x #x8))")?;
/// let mut measurement = Measurement::new(&formula).with_wires(&Control::default()).expect("no limit");
/// let measured = measurement.add_text("x\n#x1\n#x2\n", None, &Control::default())?;
/// let mut coverage = WireCoverage::new(measurement.wires().expect("they are wanted"));
/// measured.iter().filter_map(|model| model.wires.as_ref()).for_each(|seen| _ = coverage.add(seen));
/// // A point is covered when it was seen both ways: two bits of x, and no other.
/// assert_eq!(coverage.covered(), 2);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_coverage::WireCoverage;

/// Other samplers measure by the points of a formula, which have numbers.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::WirePoints;
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let problem = &formula.parts().problem;
/// // The two constants, the assertion, and the conjunction of all assertions.
/// assert_eq!(WirePoints::new(&problem.store, &problem.assertions).total(), 4);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_coverage::WirePoints;

/// One solution shows a value of each point, which [`WireCoverage`](crate::coverage::WireCoverage) adds up.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Control, Measurement, WiresSeen};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut measurement = Measurement::new(&formula).with_wires(&Control::default()).expect("no limit");
/// let measured = measurement.add_text("p,q\ntrue,true\ntrue,true\n", None, &Control::default())?;
/// let [first, second]: [Option<&WiresSeen>; 2] = [0, 1].map(|model| measured[model].wires.as_ref());
/// assert!(first.is_some() && first == second);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_coverage::WiresSeen;

/// Models that add most come first in the greedy order.
///
/// ```
/// use sundry::coverage::{Gains, greedy_order};
///
/// struct Lengths([usize; 3]);
///
/// impl Gains for Lengths {
///     type Gain = usize;
///     fn gain(&self, item: usize, _: Option<&usize>) -> usize {
///         self.0[item]
///     }
///     fn take(&mut self, _: usize) {}
/// }
///
/// assert_eq!(greedy_order(3, &mut Lengths([4, 9, 7])), [1, 2, 0]);
/// ```
pub use sundry_coverage::greedy_order;

/// Many models are judged faster together than one by one.
///
/// ```
/// use sundry::coverage::{Control, Measurement, Verifier};
///
/// let formula = sundry::Formula::parse("(declare-const p Bool) (assert p)")?;
/// let read = Measurement::new(&formula).read("((define-fun p () Bool true)) ((define-fun p () Bool false))")?;
/// let models: Vec<_> = read.into_iter().map(|read| read.model).collect();
/// let problem = &formula.parts().problem;
/// let wrong = Verifier::new(problem).first_wrong(problem, &problem.store, &models, &Control::default());
/// assert_eq!(wrong, Ok(Some(1)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_sample::Verifier;

/// A model that was read knows which symbols its text leaves out.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Measurement, ReadModel};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool)")?;
/// let models: Vec<ReadModel> = Measurement::new(&formula).read("((define-fun p () Bool true))")?;
/// assert_eq!(models[0].missing, [formula.constant("q").expect("it is declared")]);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_smtlib::ReadModel;
