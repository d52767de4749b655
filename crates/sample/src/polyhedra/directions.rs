//! Directions along which a solution can move: they leave all equalities of a polyhedron as they are.
//!
//! Steps along single variables alone would not leave a corner, nor a narrow cone. So there are three kinds of directions: the vectors of a basis of what
//! leaves the equalities alone, vectors that leave some random rows alone too, and the differences of solutions.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sundry_linear::{Rational, scale_to_coprime_integers};

use super::form::Form;

/// Rows that a direction leaves alone, at most: with more of them, its components get long.
const MOST_ROWS: usize = 6;
/// Bits of numbers above which solutions have no direction.
const LONGEST: usize = 256;
/// Work, in multiplications of numbers, for one basis; more of it is too much.
const WORK: usize = 2_000_000;

/// Vectors that leave all of these forms unchanged, whose combinations are all such vectors: one for each variable that the forms do not determine. Their
/// components are coprime integers. `None` where that takes too much work.
pub(super) fn basis(forms: &[&Form], variables: usize) -> Option<Vec<Form>> {
    let mut solved: Vec<Option<Form>> = vec![None; variables];
    let mut work = 0;
    for form in forms {
        let mut form = (*form).clone();
        // Replaces solved variables by what they equal.
        while let Some((variable, factor)) =
            form.terms().iter().find(|(variable, _)| solved[*variable as usize].is_some()).cloned()
        {
            let row = solved[variable as usize].as_ref().expect("the variable is solved");
            work += row.terms().len() + form.terms().len();
            form = form.plus(row, &-&factor);
        }
        if work > WORK {
            return None;
        }
        // The variable with the smallest factor keeps numbers small.
        let size = |term: &&(u32, Rational)| term.1.magnitude();
        let Some((variable, factor)) = form.terms().iter().min_by_key(size).cloned() else { continue };
        let row = form.scaled(&factor.reciprocal());
        for other in solved.iter_mut().flatten() {
            let Some((_, factor)) = other.terms().iter().find(|term| term.0 == variable).cloned() else {
                continue;
            };
            work += other.terms().len() + row.terms().len();
            *other = other.plus(&row, &-&factor);
        }
        solved[variable as usize] = Some(row);
    }
    // By columns: the solved variables that each free one moves.
    let mut moved: Vec<Vec<(u32, Rational)>> = vec![Vec::new(); variables];
    for (variable, row) in solved.iter().enumerate() {
        let Some(row) = row else { continue };
        for (free, factor) in row.terms().iter().filter(|term| term.0 as usize != variable) {
            moved[*free as usize].push((variable as u32, -factor));
        }
    }
    let free = (0..variables).filter(|&variable| solved[variable].is_none());
    let vectors = free.map(|variable| {
        let mut terms = std::mem::take(&mut moved[variable]);
        terms.push((variable as u32, Rational::ONE));
        terms.sort_unstable_by_key(|term| term.0);
        integral(&Form::new(terms.into_iter()))
    });
    Some(vectors.collect())
}

/// The multiple of a vector, which is not zero, whose components are coprime integers.
pub(super) fn integral(vector: &Form) -> Form {
    let scale = scale_to_coprime_integers(vector.terms().iter().map(|(_, factor)| factor));
    vector.scaled(&scale.expect("the vector is not zero"))
}

/// Vectors that leave the equalities and some random rows unchanged.
pub(super) fn along_rows(
    equalities: &[Form],
    rows: &[&Form],
    variables: usize,
    random: &mut ChaCha8Rng,
) -> Vec<Form> {
    let mut kept: Vec<&Form> = rows.to_vec();
    kept.shuffle(random);
    let count = random.random_range(0..=kept.len().min(MOST_ROWS));
    kept.truncate(count);
    let forms: Vec<&Form> = equalities.iter().chain(kept).collect();
    basis(&forms, variables).unwrap_or_default()
}

/// The direction from one solution to another; `None` where they are the same, or the numbers are too long.
pub(super) fn between(from: &[Rational], to: &[Rational]) -> Option<Form> {
    let terms = from.iter().zip(to).enumerate().map(|(variable, (from, to))| (variable as u32, to - from));
    let vector = Form::new(terms);
    let direction = (!vector.is_zero()).then(|| integral(&vector))?;
    let is_short = direction.terms().iter().all(|(_, component)| component.bit_length() <= LONGEST);
    is_short.then_some(direction)
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn product(form: &Form, vector: &Form, variables: usize) -> Rational {
        let mut values = vec![Rational::ZERO; variables];
        vector.terms().iter().for_each(|(variable, factor)| values[*variable as usize] = factor.clone());
        form.value(&values)
    }

    #[test]
    fn a_basis_leaves_the_forms_alone() {
        let forms = [Form::of(&[2, 3, 0, 1, 0]), Form::of(&[0, 5, -7, 0, 1]), Form::of(&[2, 8, -7, 1, 1])];
        let vectors = basis(&forms.iter().collect::<Vec<_>>(), 5).expect("the forms are small");
        // The third form is the sum of the others.
        assert_eq!(vectors.len(), 3);
        for vector in &vectors {
            assert!(vector.terms().iter().all(|(_, factor)| factor.is_integer()));
            assert!(forms.iter().all(|form| product(form, vector, 5).is_zero()));
        }
    }

    #[test]
    fn directions_along_rows_leave_the_equalities_alone() {
        let equalities = [Form::of(&[1, 1, 1, 1])];
        let rows = [Form::of(&[3, -7, 0, 0]), Form::of(&[0, 1, 2, 0])];
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..20 {
            let vectors = along_rows(&equalities, &rows.iter().collect::<Vec<_>>(), 4, &mut random);
            assert!(!vectors.is_empty());
            assert!(vectors.iter().all(|vector| product(&equalities[0], vector, 4).is_zero()));
        }
    }

    #[test]
    fn differences_are_coprime() {
        let point =
            |values: &[i64]| -> Vec<Rational> { values.iter().copied().map(Rational::from).collect() };
        assert_eq!(between(&point(&[1, 2, 3]), &point(&[1, 8, -6])), Some(Form::of(&[0, 2, -3])));
        assert_eq!(between(&point(&[4]), &point(&[4])), None);
    }
}
