; Characters beyond those that are printed, and two ways to write one.
(set-logic QF_SLIA)
(declare-fun s () String)
(assert (= (str.at s 0) "\u{1F600}"))
(assert (distinct "\u0041" (str.at s 1)))
(assert (= (str.to_code (str.at s 1)) 65))
(set-info :status unsat)
(check-sat)
