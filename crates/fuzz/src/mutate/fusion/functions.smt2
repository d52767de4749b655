; Fusion functions: a variable z that combines x and y, and the terms that recover x and y.
;
; a, b and c stand for literals that satisfy the condition, if there is one; if x and y are arrays, they have the sort of
; the indices. After "Validating SMT solvers via semantic fusion" (Winterer, Zhang & Su, PLDI 2020), with more functions,
; and with bit-vectors and truth values added. Two solvers prove the functions that are valid for all values.
;
; (always Z X Y [CONDITION])        for all x and y, X and Y are x and y where z is Z
; (sometimes Z X Y [CONDITION])     not for all: usable only if x = X and y = Y are asserted

(integers
  (always (+ x y) (- z y) (- z x))
  (always (- x y) (+ z y) (- x z))
  (always (+ x a y) (- z a y) (- z a x))
  (always (- a x y) (- a z y) (- a z x))
  (always (+ (* a x) (* b y) c) (div (- z (* b y) c) a) (div (- z (* a x) c) b)
    (and (distinct a 0) (distinct b 0)))
  (always (- (* a x) y) (div (+ z y) a) (- (* a x) z) (distinct a 0))
)

(integers-with-products
  (sometimes (* x y) (div z y) (div z x))
  (sometimes (* a x y) (div z (* a y)) (div z (* a x)) (distinct a 0))
  (sometimes (div x y) (* z y) (div x z))
)

(reals
  (always (+ x y) (- z y) (- z x))
  (always (- x y) (+ z y) (- x z))
  (always (+ x a y) (- z a y) (- z a x))
  (always (- a x y) (- a z y) (- a z x))
  (always (+ (* a x) (* b y) c) (/ (- z (* b y) c) a) (/ (- z (* a x) c) b)
    (and (distinct a 0.0) (distinct b 0.0)))
  (always (- (/ x a) y) (* a (+ z y)) (- (/ x a) z) (distinct a 0.0))
)

(reals-with-products
  (sometimes (* x y) (/ z y) (/ z x))
  (sometimes (* a x y) (/ z (* a y)) (/ z (* a x)) (distinct a 0.0))
  (sometimes (/ x y) (* z y) (/ x z))
)

(truth-values
  (always (xor x y) (xor z y) (xor z x))
  (always (= x y) (= z y) (= z x))
  (always (distinct x y) (distinct y z) (distinct x z))
  (always (ite x (not y) y) (ite y (not z) z) (ite x (not z) z))
)

(bit-vectors
  (always (bvxor x y) (bvxor z y) (bvxor z x))
  (always (bvxnor x y) (bvxnor z y) (bvxnor z x))
  (always (bvadd x y) (bvsub z y) (bvsub z x))
  (always (bvsub x y) (bvadd z y) (bvsub x z))
  (always (bvadd (bvxor x a) y) (bvxor (bvsub z y) a) (bvsub z (bvxor x a)))
  (always (bvxor (bvadd x a) y) (bvsub (bvxor z y) a) (bvxor z (bvadd x a)))
  (always (bvsub (bvnot x) y) (bvnot (bvadd z y)) (bvsub (bvnot x) z))
  (always (bvneg (bvadd x y)) (bvsub (bvneg z) y) (bvsub (bvneg z) x))
  (always (bvadd ((_ rotate_left 1) x) y) ((_ rotate_right 1) (bvsub z y)) (bvsub z ((_ rotate_left 1) x)))
  (always (bvand x y) (bvor z x) (bvor z y))
  (always (bvor x y) (bvand z x) (bvand z y))
  (sometimes (bvmul x y) (bvudiv z y) (bvudiv z x))
)

(strings
  (always (str.++ x y) (str.substr z 0 (str.len x)) (str.substr z (str.len x) (str.len y)))
  (always (str.++ x y) (str.substr z 0 (- (str.len z) (str.len y))) (str.replace z x ""))
  (always (str.++ x a y) (str.substr z 0 (str.len x)) (str.replace (str.replace z x "") a ""))
  (always (str.++ x a y) (str.substr z 0 (- (str.len z) (str.len y) (str.len a)))
    (str.substr z (+ (str.len x) (str.len a)) (str.len y)))
  (sometimes (str.++ x y) (str.replace z y "") (str.replace z x ""))
)

(sequences
  (always (seq.++ x y) (seq.extract z 0 (seq.len x)) (seq.extract z (seq.len x) (seq.len y)))
  (always (seq.++ x y) (seq.extract z 0 (- (seq.len z) (seq.len y))) (seq.extract z (seq.len x) (seq.len y)))
  (always (seq.++ x a y) (seq.extract z 0 (seq.len x))
    (seq.extract z (+ (seq.len x) (seq.len a)) (seq.len y)))
)

; No operation on floating-point values has an inverse, so a comparison decides whether z is x or y.
(floating-point
  (always (ite (fp.lt x y) x y) (ite (fp.lt x y) z x) (ite (fp.lt x y) y z))
  (always (ite (fp.isNaN x) x y) (ite (fp.isNaN x) z x) (ite (fp.isNaN x) y z))
  (always (ite (fp.geq y a) x y) (ite (fp.geq y a) z x) (ite (fp.geq y a) y z))
)

(arrays
  (always (store x a (select y a)) (store z a (select x a)) (store y a (select z a)))
  (always (store x a (select y b)) (store z a (select x a)) (store y b (select z a)))
)
