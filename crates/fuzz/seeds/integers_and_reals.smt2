; A number and the integer that it is rounded to are at most one half apart.
(set-logic QF_LIRA)
(declare-fun x () Real)
(declare-fun n () Int)
(assert (= n (to_int (+ x 0.5))))
(assert (or (> (- (to_real n) x) 0.5) (<= (- (to_real n) x) (- 0.5))))
(set-info :status unsat)
(check-sat)
