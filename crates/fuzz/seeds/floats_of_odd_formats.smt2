; Widening a number to a format with more of both kinds of bits and back changes nothing.
(set-logic QF_FP)
(declare-fun x () (_ FloatingPoint 3 5))
(declare-fun r () RoundingMode)
(declare-fun s () RoundingMode)
(assert (distinct ((_ to_fp 3 5) r ((_ to_fp 4 7) s x)) x))
(set-info :status unsat)
(check-sat)
