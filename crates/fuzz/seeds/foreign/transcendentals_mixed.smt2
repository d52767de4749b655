; Exponential and trigonometric functions of one number.
(set-logic ALL)
(declare-const x Real)
(declare-const n Int)
(assert (> (exp (to_real n)) 3.0))
(assert (< n 1))
(assert (or (= (cos x) 2.0) (<= (* x (tan 0.0)) 1.0)))
(set-info :status unsat)
(check-sat)
