//! Sums of products as polynomials, modulo 2^width: products are multiplied out to see whether both sides of an
//! equality are the same.
//!
//! A polynomial is only looked at, and written down again where no product is left of it: multiplying out makes
//! circuits larger, and the products of the formula keep their circuits in any case.

use std::collections::BTreeMap;

use smallvec::SmallVec;
use sundry_term::{BitVector, Op, TermId};

use super::context::Context;
use super::linear::{self, Linear, multiple_of};

/// Terms that are looked at, for one equality.
const MAXIMAL_TERMS: usize = 48;
/// Monomials of a polynomial.
const MAXIMAL_MONOMIALS: usize = 48;
/// Factors of a monomial.
const MAXIMAL_DEGREE: usize = 12;

/// Addends that may be left of an equality without products.
const MAXIMAL_REST: usize = 4;

/// The factors of a product in ascending order; none for the constant.
type Monomial = SmallVec<[TermId; 4]>;

/// Coefficients of monomials, none of them 0.
struct Polynomial(BTreeMap<Monomial, BitVector>);

impl Polynomial {
    fn of(monomial: Monomial, coefficient: BitVector) -> Polynomial {
        let mut polynomial = Polynomial(BTreeMap::new());
        polynomial.add(monomial, &coefficient);
        polynomial
    }

    fn add(&mut self, monomial: Monomial, coefficient: &BitVector) {
        let sum = match self.0.remove(&monomial) {
            Some(before) => before.add(coefficient),
            None => coefficient.clone(),
        };
        if !sum.is_zero() {
            self.0.insert(monomial, sum);
        }
    }

    /// The sum with a multiple of another; `None` if it is too large.
    fn plus(mut self, other: Polynomial, factor: &BitVector) -> Option<Polynomial> {
        for (monomial, coefficient) in other.0 {
            self.add(monomial, &coefficient.mul(factor));
        }
        (self.0.len() <= MAXIMAL_MONOMIALS).then_some(self)
    }

    /// The product; `None` if it is too large.
    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial(BTreeMap::new());
        for (left, k) in &self.0 {
            for (right, l) in &other.0 {
                let mut monomial: Monomial = left.iter().chain(right).copied().collect();
                monomial.sort_unstable();
                if monomial.len() > MAXIMAL_DEGREE {
                    return None;
                }
                product.add(monomial, &k.mul(l));
            }
            if product.0.len() > MAXIMAL_MONOMIALS {
                return None;
            }
        }
        Some(product)
    }
}

/// The polynomial of the low bits of a term, modulo 2^width; `None` if it is too large. The number of terms that may still be
/// looked at decreases.
///
/// The low bits of sums and products depend on the low bits of their arguments only. So a term that is no sum or product is one unknown,
/// whichever number of its low bits is asked for.
fn polynomial(context: &Context<'_>, term: TermId, width: u32, left: &mut usize) -> Option<Polynomial> {
    *left = left.checked_sub(1)?;
    let one = BitVector::one(width);
    let minus = BitVector::ones(width);
    let zero = || Polynomial(BTreeMap::new());
    if let Some(value) = context.bits(term) {
        return Some(Polynomial::of(Monomial::new(), value.extract(width - 1, 0)));
    }
    let arguments = context.arguments(term);
    match context.op(term) {
        Op::BvAdd => arguments
            .iter()
            .try_fold(zero(), |sum, &addend| sum.plus(polynomial(context, addend, width, left)?, &one)),
        Op::BvNeg => zero().plus(polynomial(context, arguments[0], width, left)?, &minus),
        // The complement of a is −a − 1.
        Op::BvNot => Polynomial::of(Monomial::new(), minus.clone())
            .plus(polynomial(context, arguments[0], width, left)?, &minus),
        Op::BvMul => arguments.iter().try_fold(Polynomial::of(Monomial::new(), one), |product, &factor| {
            product.times(&polynomial(context, factor, width, left)?)
        }),
        Op::Extract { low: 0, .. } => polynomial(context, arguments[0], width, left),
        Op::Concat => {
            let low = arguments[arguments.len() - 1];
            let by = context.width(low);
            if width <= by {
                return polynomial(context, low, width, left);
            }
            match arguments[..] {
                // Multiplied by 2^by, a polynomial modulo 2^(width − by) is one modulo 2^width.
                [high, _] if context.bits(low).is_some_and(BitVector::is_zero) => {
                    let Polynomial(factors) = polynomial(context, high, width - by, left)?;
                    let shifted = |factor| BitVector::concat(&factor, &BitVector::zero(by));
                    Some(Polynomial(
                        factors.into_iter().map(|(term, factor)| (term, shifted(factor))).collect(),
                    ))
                }
                _ => Some(Polynomial::of(Monomial::from_slice(&[term]), one)),
            }
        }
        _ => Some(Polynomial::of(Monomial::from_slice(&[term]), one)),
    }
}

/// Whether a term is a product of two terms, or a sum of such ones as far as a short look shows.
fn has_product(context: &Context<'_>, term: TermId) -> bool {
    let mut open: SmallVec<[TermId; 8]> = SmallVec::from_slice(&[term]);
    let mut visited = 0;
    while let Some(term) = open.pop() {
        visited += 1;
        if visited > MAXIMAL_TERMS {
            return false;
        }
        match context.op(term) {
            Op::BvMul if multiple_of(context, term).is_none() => return true,
            Op::BvAdd | Op::BvNot | Op::BvNeg | Op::BvMul | Op::Concat | Op::Extract { low: 0, .. } => {
                open.extend(context.arguments(term))
            }
            _ => {}
        }
    }
    false
}

/// The low bits of a term, or the term with zeros in front.
fn resized(context: &mut Context<'_>, term: TermId, width: u32) -> TermId {
    let before = context.width(term);
    if before < width {
        let zeros = context.zero(width - before);
        return context.concat(&[zeros, term]);
    }
    context.extract(term, width - 1, 0)
}

/// `= (bvmul a (bvadd b c)) (bvadd (bvmul a b) (bvmul a c))` → `true`, `= (bvmul a (bvadd b 1)) (bvadd (bvmul a b) c)` → `= a c`:
/// the difference of both sides multiplied out, where no product remains, or it is odd for all values
pub(super) fn equality(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let width = context.store.width(left)?;
    if !has_product(context, left) && !has_product(context, right) {
        return None;
    }
    let mut terms = MAXIMAL_TERMS;
    let minus = BitVector::ones(width);
    let right = polynomial(context, right, width, &mut terms)?;
    let mut difference = polynomial(context, left, width, &mut terms)?.plus(right, &minus)?;
    let constant = difference.0.remove(&Monomial::new()).unwrap_or_else(|| BitVector::zero(width));
    let is_odd = constant.bit(0) && difference.0.values().all(|coefficient| !coefficient.bit(0));
    if is_odd {
        return Some(context.boolean(false));
    }
    if difference.0.len() > MAXIMAL_REST || difference.0.keys().any(|monomial| monomial.len() > 1) {
        return None;
    }
    let mut addends: SmallVec<_> = difference
        .0
        .into_iter()
        .map(|(monomial, factor)| (resized(context, monomial[0], width), factor))
        .collect();
    addends.sort_unstable_by_key(|&(term, _)| term);
    // Slices of different terms may be the same.
    if addends.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    let form = Linear::new(addends, constant);
    linear::is_zero(context, &form, arguments)
}
