; Sums of numbers that fit neither wrap around nor change their sign.
(set-logic ALL)
(declare-fun x () (_ BitVec 4))
(declare-fun y () (_ BitVec 4))
(assert (distinct (ubv_to_int (bvadd x y)) (mod (+ (ubv_to_int x) (ubv_to_int y)) 16)))
(set-info :status unsat)
(check-sat)
