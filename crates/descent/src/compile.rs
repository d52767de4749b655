//! The compiler from assertions to programs.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Control, FloatFormat, FloatOp, Op, RoundingMode, Sort, SortId, TermId, TermStore, Value};

use crate::bounds::restrict;
use crate::cone::cones;
use crate::distance::{Distance, Relation};
use crate::native::{NativeConversion, NativeFormat, NativeOp};
use crate::program::{Class, Order, Program, Shape, Slot, Step, Unsupported, ValueOrder, WordOp};
use crate::variable::{Kind, Variable};

/// The work of a step by the evaluator, in steps of the processor's arithmetic.
const WORK_OF_EVALUATION: u64 = 200;

/// The reason for which there is no program.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// The search does not support a term.
    Unsupported(Unsupported),
    /// A control has stopped the compiler.
    Stopped(sundry_term::Stopped),
}

impl Program {
    /// Creates a program for assertions.
    ///
    /// # Errors
    /// The assertions have a term that is unsupported, or the control has stopped the compiler.
    pub fn new(store: &TermStore, assertions: &[TermId], control: &Control) -> Result<Program, CompileError> {
        let mut compiler = Compiler { store, program: Program::default(), slots: FxHashMap::default() };
        let conjuncts = conjuncts(store, assertions);
        let terms = store.reachable_within(&conjuncts, control).map_err(CompileError::Stopped)?;
        for term in terms {
            control.spend(32).map_err(CompileError::Stopped)?;
            let slot = compiler.compile(term).ok_or(CompileError::Unsupported(Unsupported { term }))?;
            compiler.slots.insert(term, slot);
        }
        let roots = conjuncts.iter().map(|conjunct| compiler.distance(*conjunct)).collect();
        let mut program = Program { roots, ..compiler.program };
        program.work = program.steps.iter().map(Step::work).sum::<u64>() + program.roots.len() as u64;
        program.literals.sort_unstable_by_key(|&(_, word)| word);
        program.literals.dedup();
        restrict(store, &conjuncts, &mut program.variables);
        program.cones = cones(&program);
        Ok(program)
    }
}

/// The parts of assertions that all have to be true.
fn conjuncts(store: &TermStore, assertions: &[TermId]) -> Vec<TermId> {
    let mut conjuncts = Vec::new();
    let mut stack: Vec<TermId> = assertions.iter().rev().copied().collect();
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::And => stack.extend(store.args(term).iter().rev()),
            _ => conjuncts.push(term),
        }
    }
    conjuncts
}

impl Step {
    /// The work of the step, in steps of the processor's arithmetic.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Step::Evaluate { .. } | Step::CompareValues { .. } | Step::ChooseValue { .. } => {
                WORK_OF_EVALUATION
            }
            _ => 1,
        }
    }
}

struct Compiler<'a> {
    store: &'a TermStore,
    program: Program,
    slots: FxHashMap<TermId, Slot>,
}

impl Compiler<'_> {
    // ---- registers

    fn new_word(&mut self) -> u32 {
        self.program.registers.words.push(0);
        self.program.registers.words.len() as u32 - 1
    }

    fn new_distance(&mut self) -> u32 {
        self.program.registers.distances.push(Distance::flat(false));
        self.program.registers.distances.len() as u32 - 1
    }

    /// A place for values of a sort; `None` if there are no such places.
    fn new_slot(&mut self, sort: SortId) -> Option<Slot> {
        let shape = match *self.store.sort(sort) {
            Sort::Bool => return Some(Slot::Distance(self.new_distance())),
            Sort::BitVec(width) if width <= 64 => Shape::Bits(width),
            Sort::Float(format) if format.width() <= 64 => Shape::Float(format),
            Sort::RoundingMode => Shape::Mode,
            Sort::BitVec(_) | Sort::Float(_) | Sort::Int | Sort::Real => {
                self.program.registers.values.push(Value::default_of(self.store, sort));
                return Some(Slot::Value(self.program.registers.values.len() as u32 - 1));
            }
            _ => return None,
        };
        Some(Slot::Word(self.new_word(), shape))
    }

    fn word(&self, term: TermId) -> u32 {
        match self.slots[&term] {
            Slot::Word(register, _) => register,
            slot => unreachable!("{slot:?} is no word"),
        }
    }

    fn distance(&self, term: TermId) -> u32 {
        match self.slots[&term] {
            Slot::Distance(register) => register,
            slot => unreachable!("{slot:?} is no distance"),
        }
    }

    // ---- terms; `None` means unsupported

    fn compile(&mut self, term: TermId) -> Option<Slot> {
        let (store, op, sort) = (self.store, self.store.op(term), self.store.sort_of(term));
        let arguments = store.args(term);
        match op {
            Op::Constant(_) => return self.literal(sort, store.value(term)?),
            Op::Apply(symbol) if arguments.is_empty() => {
                let kind = Kind::of(store, sort)?;
                if kind == Kind::Bool {
                    let operand = self.new_word();
                    let slot = Slot::Word(operand, Shape::Bits(1));
                    self.program.variables.push(Variable::new(symbol, kind, slot));
                    return Some(self.boolean(|result| Step::Truth { operand, result }));
                }
                let slot = self.new_slot(sort)?;
                self.program.variables.push(Variable::new(symbol, kind, slot));
                return Some(slot);
            }
            Op::Apply(_) => return None,
            _ => {}
        }
        if sort == SortId::BOOL {
            return self.formula(op, arguments);
        }
        if op == Op::Ite {
            let (condition, result) = (self.distance(arguments[0]), self.new_slot(sort)?);
            self.program.steps.push(match (self.slots[&arguments[1]], self.slots[&arguments[2]], result) {
                (Slot::Word(left, _), Slot::Word(right, _), Slot::Word(result, _)) => {
                    Step::ChooseWord { condition, operands: [left, right], result }
                }
                (Slot::Value(left), Slot::Value(right), Slot::Value(result)) => {
                    Step::ChooseValue { condition, operands: [left, right], result }
                }
                _ => return None,
            });
            return Some(result);
        }
        self.word_operation(op, sort, arguments).or_else(|| self.evaluate(op, sort, arguments))
    }

    fn literal(&mut self, sort: SortId, value: &Value) -> Option<Slot> {
        let slot = self.new_slot(sort)?;
        let registers = &mut self.program.registers;
        match slot {
            Slot::Distance(register) => {
                registers.distances[register as usize] = Distance::far(value.as_bool()?);
            }
            Slot::Word(register, shape) => {
                registers.words[register as usize] = Shape::word(value);
                self.program.literals.push((shape, Shape::word(value)));
            }
            Slot::Value(register) => registers.values[register as usize] = value.clone(),
        }
        Some(slot)
    }

    /// Any operator, by the evaluator.
    fn evaluate(&mut self, op: Op, sort: SortId, arguments: &[TermId]) -> Option<Slot> {
        let result = self.new_slot(sort)?;
        let start = self.program.operands.len();
        self.program.operands.extend(arguments.iter().map(|argument| self.slots[argument]));
        let operands = start..self.program.operands.len();
        self.program.steps.push(Step::Evaluate { op, operands, result });
        Some(result)
    }

    // ---- Booleans

    fn boolean(&mut self, step: impl FnOnce(u32) -> Step) -> Slot {
        let result = self.new_distance();
        self.program.steps.push(step(result));
        Slot::Distance(result)
    }

    /// Joins distances from the left, at least one.
    fn fold(
        &mut self,
        mut distances: impl Iterator<Item = u32>,
        step: impl Fn([u32; 2], u32) -> Step,
    ) -> Option<Slot> {
        let first = distances.next()?;
        Some(Slot::Distance(distances.fold(first, |left, right| {
            let result = self.new_distance();
            self.program.steps.push(step([left, right], result));
            result
        })))
    }

    fn formula(&mut self, op: Op, arguments: &[TermId]) -> Option<Slot> {
        let and = |operands, result| Step::And { operands, result };
        let or = |operands, result| Step::Or { operands, result };
        let booleans = || arguments.iter().filter(|argument| self.store.is_bool(**argument));
        let distances: Vec<u32> = booleans().map(|&argument| self.distance(argument)).collect();
        match op {
            Op::Not => Some(self.boolean(|result| Step::Not { operand: distances[0], result })),
            Op::And => self.fold(distances.into_iter(), and),
            Op::Or => self.fold(distances.into_iter(), or),
            Op::Xor => self.fold(distances.into_iter(), |operands, result| Step::Xor { operands, result }),
            Op::Implies => {
                // A conclusion, or the negation of some premise.
                let (&conclusion, premises) = distances.split_last()?;
                let mut disjuncts = vec![conclusion];
                for &operand in premises {
                    let negation = self.boolean(|result| Step::Not { operand, result });
                    let Slot::Distance(negation) = negation else { return None };
                    disjuncts.push(negation);
                }
                self.fold(disjuncts.into_iter(), or)
            }
            Op::Ite => {
                let operands = [distances[0], distances[1], distances[2]];
                Some(self.boolean(|result| Step::Choice { operands, result }))
            }
            Op::Equal => {
                let pairs = arguments.windows(2).map(|pair| (pair[0], pair[1]));
                let pairs = self.related(Relation::Equal, op, pairs)?;
                self.fold(pairs.into_iter(), and)
            }
            Op::Distinct => {
                let pairs = arguments.iter().enumerate();
                let pairs =
                    pairs.flat_map(|(i, &left)| arguments[i + 1..].iter().map(move |&right| (left, right)));
                let equal = self.related(Relation::Equal, op, pairs)?;
                let some = self.fold(equal.into_iter(), or)?;
                let Slot::Distance(operand) = some else { return None };
                Some(self.boolean(|result| Step::Not { operand, result }))
            }
            _ => self.predicate(op, arguments),
        }
    }

    fn predicate(&mut self, op: Op, arguments: &[TermId]) -> Option<Slot> {
        use sundry_term::ArithmeticOp as Number;
        let (relation, is_swapped) = match op {
            Op::Float(FloatOp::Eq) => (Relation::Equal, false),
            Op::Float(FloatOp::Lt) | Op::BvUlt | Op::BvSlt | Op::Arithmetic(Number::Less) => {
                (Relation::Less, false)
            }
            Op::Float(FloatOp::Gt) | Op::BvUgt | Op::BvSgt | Op::Arithmetic(Number::Greater) => {
                (Relation::Less, true)
            }
            Op::Float(FloatOp::Leq) | Op::BvUle | Op::BvSle | Op::Arithmetic(Number::LessOrEqual) => {
                (Relation::LessOrEqual, false)
            }
            Op::Float(FloatOp::Geq) | Op::BvUge | Op::BvSge | Op::Arithmetic(Number::GreaterOrEqual) => {
                (Relation::LessOrEqual, true)
            }
            _ => {
                return self
                    .classification(op, arguments)
                    .or_else(|| self.evaluate(op, SortId::BOOL, arguments));
            }
        };
        let pairs = arguments.windows(2).map(|pair| match is_swapped {
            false => (pair[0], pair[1]),
            true => (pair[1], pair[0]),
        });
        let distances = self.related(relation, op, pairs)?;
        self.fold(distances.into_iter(), |operands, result| Step::And { operands, result })
    }

    fn classification(&mut self, op: Op, arguments: &[TermId]) -> Option<Slot> {
        let Op::Float(op) = op else { return None };
        let class = match op {
            FloatOp::IsNormal => Class::Normal,
            FloatOp::IsSubnormal => Class::Subnormal,
            FloatOp::IsZero => Class::Zero,
            FloatOp::IsInfinite => Class::Infinite,
            FloatOp::IsNan => Class::Nan,
            FloatOp::IsNegative => Class::Negative,
            FloatOp::IsPositive => Class::Positive,
            _ => return None,
        };
        let Slot::Word(operand, Shape::Float(format)) = self.slots[&arguments[0]] else { return None };
        Some(self.boolean(|result| Step::Classify { class, format, operand, result }))
    }

    /// The distances of a relation between the terms of each pair.
    fn related(
        &mut self,
        relation: Relation,
        op: Op,
        pairs: impl Iterator<Item = (TermId, TermId)>,
    ) -> Option<Vec<u32>> {
        let mut results = Vec::new();
        for (left, right) in pairs {
            let result = self.new_distance();
            let step = match (self.slots[&left], self.slots[&right]) {
                (Slot::Distance(left), Slot::Distance(right)) => {
                    let different = self.new_distance();
                    self.program.steps.push(Step::Xor { operands: [left, right], result: different });
                    Step::Not { operand: different, result }
                }
                (Slot::Word(left, shape), Slot::Word(right, _)) => {
                    let order = match (shape, op) {
                        (Shape::Float(format), Op::Equal | Op::Distinct) => Order::Identity(format),
                        (Shape::Float(format), _) => Order::Ieee(format),
                        (Shape::Bits(width), Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge) => {
                            Order::Signed(width)
                        }
                        (Shape::Bits(_), _) => Order::Unsigned,
                        (Shape::Mode, _) => Order::Unordered,
                    };
                    Step::Compare { relation, order, operands: [left, right], result }
                }
                (Slot::Value(left), Slot::Value(right)) => {
                    let order = match op {
                        Op::Equal | Op::Distinct => ValueOrder::Identity,
                        Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge => ValueOrder::Signed,
                        _ => ValueOrder::Plain,
                    };
                    Step::CompareValues { relation, order, operands: [left, right], result }
                }
                _ => return None,
            };
            self.program.steps.push(step);
            results.push(result);
        }
        Some(results)
    }

    // ---- words

    /// An operation on words that the processor computes; `None` leaves it to the evaluator.
    fn word_operation(&mut self, op: Op, sort: SortId, arguments: &[TermId]) -> Option<Slot> {
        let is_word = |argument: &TermId| matches!(self.slots[argument], Slot::Word(..));
        if !arguments.iter().all(is_word)
            || !matches!(self.store.sort(sort), Sort::BitVec(1..=64) | Sort::Float(_))
        {
            return None;
        }
        if let Op::Float(op) = op {
            return self.float_operation(op, sort, arguments);
        }
        let width = self.store.bit_vec_width(sort)?;
        let operand_width = self.store.bit_vec_width(self.store.sort_of(*arguments.last()?))?;
        let op = match op {
            Op::BvNot => WordOp::Not,
            Op::BvNeg => WordOp::Neg,
            Op::BvAnd => WordOp::And,
            Op::BvOr => WordOp::Or,
            Op::BvXor => WordOp::Xor,
            Op::BvAdd => WordOp::Add,
            Op::BvSub => WordOp::Sub,
            Op::BvMul => WordOp::Mul,
            Op::BvUdiv => WordOp::Udiv,
            Op::BvUrem => WordOp::Urem,
            Op::BvShl => WordOp::Shl,
            Op::BvLshr => WordOp::Lshr,
            Op::BvAshr => WordOp::Ashr,
            Op::Concat if arguments.len() == 2 => WordOp::Concat(operand_width),
            Op::Extract { low, .. } => WordOp::Extract(low),
            Op::ZeroExtend(_) => WordOp::Extract(0),
            Op::SignExtend(_) => WordOp::SignExtend(operand_width),
            _ => return None,
        };
        let first = self.word(arguments[0]);
        if arguments.len() == 1 {
            return self.word_step(op, sort, width, [first, first]);
        }
        let mut slot = self.slots[&arguments[0]];
        for &argument in &arguments[1..] {
            let Slot::Word(left, _) = slot else { return None };
            slot = self.word_step(op, sort, width, [left, self.word(argument)])?;
        }
        Some(slot)
    }

    fn word_step(&mut self, op: WordOp, sort: SortId, width: u32, operands: [u32; 2]) -> Option<Slot> {
        let slot = self.new_slot(sort)?;
        let Slot::Word(result, _) = slot else { return None };
        self.program.steps.push(Step::Word { op, width, operands, result });
        Some(slot)
    }

    // ---- floats

    /// The mode that a term is, if it is a literal.
    fn mode(&self, term: TermId) -> Option<RoundingMode> {
        match self.store.value(term)? {
            Value::RoundingMode(mode) => Some(*mode),
            _ => None,
        }
    }

    fn float_operation(&mut self, op: FloatOp, sort: SortId, arguments: &[TermId]) -> Option<Slot> {
        let format = |term: TermId| match *self.store.sort(self.store.sort_of(term)) {
            Sort::Float(format) => Some(format),
            _ => None,
        };
        let result_format = match *self.store.sort(sort) {
            Sort::Float(format) if format.width() > 64 => return None,
            Sort::Float(format) => Some(format),
            _ => None,
        };
        let width = self.store.bit_vec_width(sort);
        let bits_of = |term: TermId| self.store.bit_vec_width(self.store.sort_of(term));
        let nearest = |term: TermId| self.mode(term).filter(|mode| *mode == RoundingMode::NearestTiesToEven);
        let op = match op {
            FloatOp::Fp => {
                let widths = (bits_of(arguments[1])?, bits_of(arguments[2])?);
                let [sign, exponent, fraction] = [0, 1, 2].map(|i| self.word(arguments[i]));
                return self.assembled([sign, exponent, fraction], widths, result_format?, sort);
            }
            FloatOp::ToFp(to) if arguments.len() == 1 => {
                let operand = self.word(arguments[0]);
                return self.word_step(WordOp::FloatOfBits(to), sort, to.width(), [operand; 2]);
            }
            FloatOp::ToIeeeBv => {
                let (operand, from) = (self.word(arguments[0]), format(arguments[0])?);
                return self.word_step(WordOp::BitsOfFloat(from), sort, from.width(), [operand; 2]);
            }
            FloatOp::ToFp(to) => {
                nearest(arguments[0])?;
                let conversion = match (format(arguments[1]), bits_of(arguments[1])) {
                    (Some(from), _) => {
                        NativeFormat::of(from).filter(|&native| Some(native) != NativeFormat::of(to))?;
                        NativeConversion::OtherFormat
                    }
                    (_, width) => NativeConversion::FromSigned(width?),
                };
                return self.conversion(conversion, to, arguments[1], sort);
            }
            FloatOp::ToFpUnsigned(to) => {
                nearest(arguments[0])?;
                return self.conversion(NativeConversion::FromUnsigned, to, arguments[1], sort);
            }
            FloatOp::ToUbv(_) => {
                let conversion = NativeConversion::ToUnsigned(width?, self.mode(arguments[0])?);
                return self.conversion(conversion, format(arguments[1])?, arguments[1], sort);
            }
            FloatOp::ToSbv(_) => {
                let conversion = NativeConversion::ToSigned(width?, self.mode(arguments[0])?);
                return self.conversion(conversion, format(arguments[1])?, arguments[1], sort);
            }
            FloatOp::Add => NativeOp::Add,
            FloatOp::Sub => NativeOp::Sub,
            FloatOp::Mul => NativeOp::Mul,
            FloatOp::Div => NativeOp::Div,
            FloatOp::Fma => NativeOp::Fma,
            FloatOp::Sqrt => NativeOp::Sqrt,
            FloatOp::Rem => NativeOp::Rem,
            FloatOp::Abs => NativeOp::Abs,
            FloatOp::Neg => NativeOp::Neg,
            FloatOp::Min => NativeOp::Min,
            FloatOp::Max => NativeOp::Max,
            FloatOp::RoundToIntegral => NativeOp::Integral(self.mode(arguments[0])?),
            _ => return None,
        };
        let operands = match op {
            NativeOp::Rem | NativeOp::Abs | NativeOp::Neg | NativeOp::Min | NativeOp::Max => arguments,
            NativeOp::Integral(_) => &arguments[1..],
            _ => {
                nearest(arguments[0])?;
                &arguments[1..]
            }
        };
        let format = NativeFormat::of(result_format?)?;
        let operand = |i: usize| operands.get(i).map_or(0, |&term| self.word(term));
        let operands = [0, 1, 2].map(operand);
        let slot = self.new_slot(sort)?;
        let Slot::Word(result, _) = slot else { return None };
        self.program.steps.push(Step::Native { op, format, operands, result });
        Some(slot)
    }

    fn conversion(
        &mut self,
        conversion: NativeConversion,
        format: FloatFormat,
        operand: TermId,
        sort: SortId,
    ) -> Option<Slot> {
        let (format, operand) = (NativeFormat::of(format)?, self.word(operand));
        let slot = self.new_slot(sort)?;
        let Slot::Word(result, _) = slot else { return None };
        self.program.steps.push(Step::Convert { conversion, format, operand, result });
        Some(slot)
    }

    /// The float with these parts.
    fn assembled(
        &mut self,
        [sign, exponent, fraction]: [u32; 3],
        (exponent_width, fraction_width): (u32, u32),
        format: FloatFormat,
        sort: SortId,
    ) -> Option<Slot> {
        let width = format.width();
        let (front, bits) = (self.new_word(), self.new_word());
        let concat = |low| WordOp::Concat(low);
        self.program.steps.extend([
            Step::Word { op: concat(exponent_width), width, operands: [sign, exponent], result: front },
            Step::Word { op: concat(fraction_width), width, operands: [front, fraction], result: bits },
        ]);
        self.word_step(WordOp::FloatOfBits(format), sort, width, [bits; 2])
    }
}
