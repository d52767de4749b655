; The sine stays below its argument and above a parabola.
(set-logic ALL)
(declare-const x Real)
(declare-const y Real)
(assert (and (< 0.0 x) (< x 1.0)))
(assert (= y (sin x)))
(assert (or (> y (+ x 0.5)) (< (exp x) 1.0)))
(set-info :status unsat)
(check-sat)
