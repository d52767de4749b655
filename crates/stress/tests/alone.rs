//! Inputs that are printed read back the same, and their offspring does not depend on the store that they are in: so a search that
//! is resumed goes on as if it had never been interrupted.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_smtlib::SourceText;
use sundry_stress::{Individual, Material, Mutator, UnreadableInput, cross, mutate, random_input};
use sundry_term::TermStore;

/// The logic of what mutators make up.
const LOGIC: Option<&str> = Some("QF_SLIA");

/// Notations that could get lost, of every theory.
const INPUTS: &[&str] = &[
    "(declare-const x Int) (declare-const y Int) (assert (= (- 5) (* (- x) y))) (assert (> x (- (- 3)) y))
     (assert (= (mod x 3) (div y (- 7)) (abs (- 2)))) (assert ((_ divisible 3) x)) (assert (= 0 (- 0)))",
    "(declare-const r Real) (declare-const s Real) (declare-const x Int)
     (assert (< (/ 1 3) r (/ (- 7) 2.5))) (assert (= (to_real x) (- r 0.125))) (assert (= x (to_int (* s 2.0))))",
    "(declare-const v String) (declare-const w String)
     (assert (= v \"a\"\"b\\u{5c}n\\u{e9}\\u{2ffff}\")) (assert (str.in_re w ((_ re.loop 1 3) (re.range \"a\" \"c\"))))
     (assert (str.in_re v (re.union re.none (re.++ re.allchar ((_ re.^ 2) (str.to_re \"\"))) (re.comp re.all))))",
    "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 12))
     (assert (= ((_ extract 6 3) x) ((_ rotate_left 2) #b0101))) (assert (= y ((_ zero_extend 4) (bvneg x)) (_ bv17 12)))
     (assert (bvult ((_ repeat 3) ((_ sign_extend 1) #b101)) y)) (assert (= (concat x #xf) y))",
    "(declare-const f (_ FloatingPoint 5 11)) (declare-const g (_ FloatingPoint 3 4)) (declare-const m RoundingMode)
     (assert (fp.lt f (fp #b0 #b01111 #b0000000001))) (assert (= g (_ +oo 3 4) (_ -zero 3 4) (_ NaN 3 4)))
     (assert (fp.eq ((_ to_fp 3 4) RTZ f) (fp.fma m g g g))) (assert (= ((_ fp.to_ubv 6) RNA f) #b000111))
     (assert (= f ((_ to_fp 5 11) #x3c00) ((_ to_fp_unsigned 5 11) RNE #x12)))",
    "(declare-sort U 0) (declare-fun h (U Int) U) (declare-const u U) (declare-const a (Array U Int))
     (declare-const b (Array Int (Array Int Bool)))
     (assert (= u (h u (select a u)))) (assert (= a ((as const (Array U Int)) 3)))
     (assert (select (select (store b 1 (select b 2)) 1) 0)) (assert (= (h (h u 1) 2) u))",
    "(declare-fun f (Int) Int) (declare-const |a b| Int)
     (assert (forall ((j Int) (k Int)) (=> (< j k) (exists ((l Int)) (< (f j) (f l) |a b|)))))",
    "(declare-const p Bool) (declare-const q Bool) (declare-const x (_ BitVec 8))
     (assert (let ((y (bvmul x x))) (let ((z (bvadd y y))) (= (bvudiv z y) (ite (xor p q) z y)))))
     (assert (let ((y (bvmul x x))) (distinct (bvadd y y) y x)))",
    "(declare-const s (Seq Int)) (assert (= s (seq.++ (seq.unit 1) (as seq.empty (Seq Int)) s)))",
    "(declare-datatype List ((nil) (cons (head Int) (tail List)))) (declare-const l List) (declare-const m List)
     (assert (= l (cons 1 (tail m)))) (assert ((_ is cons) (tail l))) (assert (> (head m) (head (tail m))))",
    "(declare-datatypes ((Tree 1) (Forest 1)) ((par (X) ((node (value X) (children (Forest X)))))
         (par (X) ((none) (some (first (Tree X)) (rest (Forest X)))))))
     (declare-const t (Tree Int)) (declare-const u (Tree Bool)) (declare-const a (Array Int (Forest Int)))
     (assert (= (select a (value t)) (children t))) (assert (= u (node true (as none (Forest Bool)))))",
    "(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
         ((ite (< n 1) true (odd (- n 1))) (ite (< n 1) false (even (- n 1)))))
     (define-fun-rec twice ((b Bool) (n Int)) Int (ite (and b (even n)) (* 2 n) n))
     (declare-const x Int) (assert (= (twice (odd x) x) 4)) (assert (even (+ x 1)))",
];

fn read(store: &mut TermStore, text: &str) -> Individual {
    let input = Individual::read(store, &SourceText::new("input", text));
    input.unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn print(store: &TermStore, input: &Individual) -> String {
    input.inquiry(store, None).text.to_string()
}

/// A store in which terms, sorts and symbols have other numbers, and in which names mean other things as well.
fn busy_store() -> TermStore {
    let mut store = TermStore::new();
    for text in INPUTS.iter().rev() {
        read(&mut store, text);
    }
    read(
        &mut store,
        "(declare-const x Real) (declare-const v0 Int) (declare-const k0 Int) (declare-const k1 String)
         (declare-fun v1 (Int) Int) (declare-const x_0 Int) (assert (< x x_0 k0 v0 (v1 (str.len k1))))",
    );
    store
}

/// Inputs with something of every theory, and random ones of several logics.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = INPUTS.iter().map(ToString::to_string).collect();
    for logic in ["QF_SLIA", "QF_BV", "QF_ABV", "QF_NIA", "QF_NRA", "QF_FP", "QF_UFLIA", "QF_LIRA"] {
        let mut store = TermStore::new();
        let material = Material::of_logic(&mut store, logic).expect(logic);
        let mut random = ChaCha8Rng::seed_from_u64(9);
        texts.extend((0..5).map(|_| {
            let input = random_input(&mut store, &material, &mut random);
            print(&store, &input)
        }));
    }
    texts
}

#[test]
fn what_is_printed_reads_back_as_the_same_assertions() {
    let mut store = TermStore::new();
    for text in texts() {
        let input = read(&mut store, &text);
        let printed = print(&store, &input);
        assert_eq!(read(&mut store, &printed), input, "{printed}");
        let mut other = busy_store();
        let again = read(&mut other, &printed);
        assert_eq!(print(&other, &again), printed);
    }
}

#[test]
fn offspring_does_not_depend_on_the_store() {
    let texts = texts();
    let breed = |one: &str, other: &str, store: &mut TermStore, number: usize| {
        let (one, other) = (read(store, one), read(store, other));
        let mut random = ChaCha8Rng::seed_from_u64(number as u64);
        let (left, right) = cross(store, &one, &other, &mut random);
        let applied = Mutator::ALL.map(|mutator| mutator.apply(store, &left, LOGIC, &mut random));
        let (_, mutated) = mutate(store, &right, LOGIC, &mut random);
        let mut all = vec![left, right, mutated];
        all.extend(applied.into_iter().flatten());
        all.iter().map(|input| print(store, input)).collect::<Vec<String>>()
    };
    let mut busy = busy_store();
    for (number, text) in texts.iter().enumerate() {
        for distance in [1, 7] {
            let other = &texts[(number + distance) % texts.len()];
            let expected = breed(text, other, &mut TermStore::new(), number);
            assert_eq!(breed(text, other, &mut busy, number), expected);
        }
    }
}

#[test]
fn equal_declarations_are_one() {
    let mut store = TermStore::new();
    let text = "(declare-sort U 0) (declare-fun f (U) U) (declare-const u U) (assert (= (f u) u))";
    assert_eq!(read(&mut store, text), read(&mut store, text));
    for text in INPUTS {
        assert_eq!(read(&mut store, text), read(&mut store, text));
    }
    let colours = |last: &str| {
        format!("(declare-datatype Colour ((red) ({last}))) (declare-const c Colour) (assert (= c red))")
    };
    let [one, other] = ["green", "blue"].map(|last| read(&mut store, &colours(last)));
    assert_ne!(one, other);
}

/// Assertions stay where something else has the names of their functions, sorts or datatypes; constants are renamed.
#[test]
fn names_mean_one_thing_in_each_child() {
    let texts = [
        "(declare-datatype List ((nil) (cons (head Int) (tail List)))) (declare-const l List)
         (assert (= (head l) 1)) (assert (not (= l nil)))",
        "(declare-datatype List ((nil) (cons (head Bool) (tail List)))) (declare-const k List)
         (assert (head k)) (assert (= k nil))",
        "(declare-const nil Int) (declare-const head Int) (assert (< nil head)) (assert (= nil 1))",
        "(declare-sort List 0) (declare-const l List) (declare-const m List) (assert (= l m)) (assert (distinct l m))",
        "(declare-fun head (Int) Int) (declare-const l Int) (assert (= (head l) 1)) (assert (forall ((l Int)) (> (head l) l)))",
        "(define-fun-rec head ((x Int)) Int (ite (< x 1) 0 (head (- x 1)))) (assert (= (head 3) 0)) (assert (= (head 2) 1))",
    ];
    let mut store = TermStore::new();
    let inputs = texts.map(|text| read(&mut store, text));
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut moved = 0;
    for one in &inputs {
        for other in &inputs {
            let (left, right) = cross(&mut store, one, other, &mut random);
            moved += usize::from(left != *one);
            for child in [left, right] {
                let text = print(&store, &child);
                assert_eq!(read(&mut store, &text), child, "{text}");
            }
        }
    }
    assert!(moved > 10, "{moved}");
}

#[test]
fn illegal_scripts_are_refused() {
    let illegal = Individual::read(&mut TermStore::new(), &SourceText::new("input", "(assert 3)"));
    assert!(matches!(illegal, Err(UnreadableInput::Illegal(_))));
}
