//! Boolean terms as distances: connectives, relations and classes of floats.

use sundry_term::{ArithmeticOp as Number, FloatOp, Op, SortId, TermId};

use super::Compiler;
use crate::distance::Relation;
use crate::program::{Class, Order, Shape, Slot, Step, ValueOrder};

impl Compiler<'_> {
    pub(super) fn boolean(&mut self, step: impl FnOnce(u32) -> Step) -> Slot {
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

    pub(super) fn formula(&mut self, op: Op, arguments: &[TermId]) -> Option<Slot> {
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
}
