; What is cut out of a sequence at an end cannot be longer than the rest.
(set-logic ALL)
(declare-fun s () (Seq (_ BitVec 4)))
(declare-fun i () Int)
(assert (<= 0 i (seq.len s)))
(assert (distinct s (seq.++ (seq.extract s 0 i) (seq.extract s i (- (seq.len s) i)))))
(set-info :status unsat)
(check-sat)
