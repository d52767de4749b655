; A bag without repetitions is as large as the largest union allows.
(set-logic ALL)
(declare-const a (Bag String))
(declare-const b (Bag String))
(assert (= (bag.setof a) a))
(assert (bag.member "x" a))
(assert (= (bag.union_max a b) (bag.difference_remove a (bag "x" 1))))
(set-info :status unsat)
(check-sat)
