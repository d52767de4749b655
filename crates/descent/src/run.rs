//! Running a program: the distances of all assertions under one assignment.

use std::cmp::Ordering;

use dashu_int::IBig;
use sundry_term::{
    BitVector, ChosenResults, Control, FloatFormat, Stopped, TermStore, Value, evaluate_operator_within,
};

use crate::cone::Cone;
use crate::distance::{Distance, FAR, Relation, scaled};
use crate::program::{Class, Order, Program, Registers, Shape, Slot, Step, ValueOrder, WordOp};
use crate::theta::{compare, infinity, integer, place, place_of_number, steps_between};

impl Program {
    /// Computes all registers, after the variables were loaded.
    ///
    /// # Errors
    /// The reason for which the control stopped the evaluator.
    pub(crate) fn run(
        &self,
        store: &TermStore,
        registers: &mut Registers,
        control: &Control,
    ) -> Result<(), Stopped> {
        self.steps.iter().try_for_each(|step| self.execute(step, store, registers, control))
    }

    /// Computes the registers that depend on a variable, after it was loaded, if all others are as they were computed.
    ///
    /// # Errors
    /// The reason for which the control stopped the evaluator.
    pub(crate) fn run_cone(
        &self,
        cone: &Cone,
        store: &TermStore,
        registers: &mut Registers,
        control: &Control,
    ) -> Result<(), Stopped> {
        let mut steps = cone.steps.iter().map(|&number| &self.steps[number as usize]);
        steps.try_for_each(|step| self.execute(step, store, registers, control))
    }

    #[inline(always)]
    fn execute(
        &self,
        step: &Step,
        store: &TermStore,
        registers: &mut Registers,
        control: &Control,
    ) -> Result<(), Stopped> {
        let Registers { words, values, distances } = registers;
        let word = |words: &[u64], register: u32| words[register as usize];
        match *step {
            Step::Native { op, format, operands, result } => {
                let operands = operands.map(|operand| word(words, operand));
                words[result as usize] = format.apply(op, operands);
            }
            Step::Convert { conversion, format, operand, result } => {
                words[result as usize] = format.convert(conversion, word(words, operand));
            }
            Step::Word { op, width, operands, result } => {
                let [left, right] = operands.map(|operand| word(words, operand));
                words[result as usize] = word_result(op, width, left, right);
            }
            Step::ChooseWord { condition, operands: [consequent, alternative], result } => {
                let holds = distances[condition as usize].holds();
                words[result as usize] = word(words, if holds { consequent } else { alternative });
            }
            Step::ChooseValue { condition, operands: [consequent, alternative], result } => {
                let chosen = if distances[condition as usize].holds() { consequent } else { alternative };
                values[result as usize] = values[chosen as usize].clone();
            }
            Step::Compare { relation, order, operands, result } => {
                let [left, right] = operands.map(|operand| word(words, operand));
                distances[result as usize] = compare_words(relation, order, left, right);
            }
            Step::CompareValues { relation, order, operands, result } => {
                let [left, right] = operands.map(|operand| &values[operand as usize]);
                distances[result as usize] = compare_values(relation, order, left, right);
            }
            Step::Classify { class, format, operand, result } => {
                distances[result as usize] = classify(class, format, word(words, operand));
            }
            Step::Truth { operand, result } => {
                distances[result as usize] = Distance::flat(word(words, operand) == 1);
            }
            Step::Not { operand, result } => {
                distances[result as usize] = distances[operand as usize].negated();
            }
            Step::And { operands, result } => {
                let [left, right] = operands.map(|operand| distances[operand as usize]);
                distances[result as usize] = left.and(right);
            }
            Step::Or { operands, result } => {
                let [left, right] = operands.map(|operand| distances[operand as usize]);
                distances[result as usize] = left.or(right);
            }
            Step::Xor { operands, result } => {
                let [left, right] = operands.map(|operand| distances[operand as usize]);
                distances[result as usize] = left.xor(right);
            }
            Step::Choice { operands, result } => {
                let [condition, consequent, alternative] =
                    operands.map(|operand| distances[operand as usize]);
                distances[result as usize] = condition.choice(consequent, alternative);
            }
            Step::Evaluate { op, ref operands, result } => {
                let operands = &self.operands[operands.clone()];
                let operands: Vec<Value> = operands
                    .iter()
                    .map(|&operand| match operand {
                        Slot::Distance(register) => Value::Bool(distances[register as usize].holds()),
                        Slot::Word(register, shape) => shape.value(words[register as usize]),
                        Slot::Value(register) => values[register as usize].clone(),
                    })
                    .collect();
                let operands: Vec<&Value> = operands.iter().collect();
                let value = match evaluate_operator_within(store, op, &operands, control)? {
                    Ok(value) => Some(value),
                    // Results that the standard leaves open are as models choose unless they say otherwise.
                    Err(_) => ChosenResults::default().of(op, &operands),
                };
                // Results that are open for other reasons keep what was there: the judge decides.
                if let Some(value) = value {
                    match result {
                        Slot::Distance(register) => {
                            distances[register as usize] = Distance::flat(value == Value::Bool(true));
                        }
                        Slot::Word(register, _) => words[register as usize] = Shape::word(&value),
                        Slot::Value(register) => values[register as usize] = value,
                    }
                }
            }
        }
        Ok(())
    }
}

fn signed(word: u64, width: u32) -> i64 {
    ((word << (64 - width)) as i64) >> (64 - width)
}

fn word_result(op: WordOp, width: u32, left: u64, right: u64) -> u64 {
    let result = match op {
        WordOp::Not => !left,
        WordOp::Neg => left.wrapping_neg(),
        WordOp::And => left & right,
        WordOp::Or => left | right,
        WordOp::Xor => left ^ right,
        WordOp::Add => left.wrapping_add(right),
        WordOp::Sub => left.wrapping_sub(right),
        WordOp::Mul => left.wrapping_mul(right),
        WordOp::Udiv => left.checked_div(right).unwrap_or(u64::MAX),
        WordOp::Urem => left.checked_rem(right).unwrap_or(left),
        WordOp::Shl if right < u64::from(width) => left << right,
        WordOp::Lshr if right < u64::from(width) => left >> right,
        WordOp::Shl | WordOp::Lshr => 0,
        WordOp::Ashr => (signed(left, width) >> right.min(u64::from(width) - 1)) as u64,
        WordOp::Concat(low) => left << low | right,
        WordOp::Extract(low) => left >> low,
        WordOp::SignExtend(from) => signed(left, from) as u64,
        WordOp::FloatOfBits(format) => match place(format, left) {
            Some(_) => left,
            None => infinity(format) | 1 << (format.significand_bits() - 2),
        },
        WordOp::BitsOfFloat(format) => place(format, left).map_or(0, |_| left),
    };
    result & (u64::MAX >> (64 - width))
}

fn compare_words(relation: Relation, order: Order, left: u64, right: u64) -> Distance {
    let places = match order {
        Order::Identity(_) | Order::Unordered if left == right => return Distance::new(true, 1.0),
        Order::Unordered => return Distance::flat(false),
        Order::Unsigned => {
            return compare_bits(relation, left.cmp(&right), left.abs_diff(right), left ^ right);
        }
        Order::Signed(width) => {
            let (first, second) = (signed(left, width), signed(right, width));
            return compare_bits(relation, first.cmp(&second), first.abs_diff(second), left ^ right);
        }
        Order::Identity(format) => place(format, left).zip(place(format, right)),
        Order::Ieee(format) => place_of_number(format, left).zip(place_of_number(format, right)),
    };
    match places {
        Some((left, right)) => relation.distance(left.cmp(&right), left.abs_diff(right) as f64),
        None => Distance::far(false),
    }
}

/// The distance of words. Equality may be near because few bits differ.
fn compare_bits(relation: Relation, order: Ordering, steps: u64, difference: u64) -> Distance {
    let distance = relation.distance(order, steps as f64);
    match relation {
        Relation::Equal => {
            Distance { to_true: distance.to_true.min(f64::from(difference.count_ones())), ..distance }
        }
        _ => distance,
    }
}

fn compare_values(relation: Relation, order: ValueOrder, left: &Value, right: &Value) -> Distance {
    let compared = match (left, right) {
        (Value::Float(left), Value::Float(right)) => {
            let is_identity = order == ValueOrder::Identity;
            if is_identity && left == right {
                return Distance::new(true, 1.0);
            }
            compare(left, right, is_identity)
        }
        (Value::BitVec(left), Value::BitVec(right)) => {
            // Numbers with sign are in the order of numbers without when the sign is flipped.
            let number = |bits: &BitVector| match order {
                ValueOrder::Signed => {
                    IBig::from(integer(&bits.with_bit(bits.width() - 1, !bits.is_negative())))
                }
                _ => IBig::from(integer(bits)),
            };
            let (left, right) = (number(left), number(right));
            Some((left.cmp(&right), steps_between(&left, &right)))
        }
        (Value::Int(left), Value::Int(right)) => Some((left.cmp(right), steps_between(left, right))),
        (Value::Real(left), Value::Real(right)) => {
            // In steps of 2^-60, of which each started one counts, so that different reals are apart.
            let difference = (&**left - &**right).to_f64().value().abs();
            let steps = (difference * (1u64 << 60) as f64).clamp(1.0, f64::MAX);
            Some((left.cmp(right), if left == right { 0.0 } else { steps }))
        }
        _ => return Distance::flat(left == right),
    };
    match compared {
        Some((order, steps)) => relation.distance(order, steps),
        None => Distance::far(false),
    }
}

fn classify(class: Class, format: FloatFormat, bits: u64) -> Distance {
    let Some(number) = place(format, bits) else {
        return Distance::far(class == Class::Nan);
    };
    let is_negative = number < 0;
    let magnitude = if is_negative { -(number + 1) } else { number } as u64;
    let (infinity, normal) = (infinity(format), 1u64 << (format.significand_bits() - 1));
    // The least and the greatest magnitude in the class.
    let (least, greatest) = match class {
        Class::Nan => return Distance::new(false, FAR),
        Class::Negative => {
            return Distance::new(is_negative, scaled(magnitude as f64 + 1.0));
        }
        Class::Positive => {
            return Distance::new(!is_negative, scaled(magnitude as f64 + 1.0));
        }
        Class::Normal => (normal, infinity - 1),
        Class::Subnormal => (1, normal - 1),
        Class::Zero => (0, 0),
        Class::Infinite => (infinity, infinity),
    };
    let outside = if magnitude < least { least - magnitude } else { magnitude.saturating_sub(greatest) };
    if outside > 0 {
        return Distance::new(false, scaled(outside as f64));
    }
    let to_leave = (magnitude - least).min(greatest - magnitude) + 1;
    Distance::new(true, scaled(to_leave as f64))
}
