; A number whose value with sign is 16 below its value without.
(set-logic ALL)
(declare-fun x () (_ BitVec 4))
(declare-fun n () Int)
(assert (= (- (ubv_to_int x) (sbv_to_int x)) 16))
(assert (= ((_ int_to_bv 4) n) (bvneg x)))
(assert (< (- 40) n (- 20)))
(set-info :status sat)
(check-sat)
