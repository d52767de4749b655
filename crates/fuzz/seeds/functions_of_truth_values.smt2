; Applied three times, a function of one truth value is what it is applied once.
(set-logic QF_UF)
(declare-fun f (Bool) Bool)
(declare-fun x () Bool)
(assert (distinct (f (f (f x))) (f x)))
(set-info :status unsat)
(check-sat)
