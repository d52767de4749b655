; The same conversions by the names that they had before version 2.7.
(set-logic ALL)
(declare-fun x () (_ BitVec 5))
(declare-fun n () Int)
(assert (= n (bv2nat (bvmul x #b00011))))
(assert (= x ((_ int2bv 5) (* 11 n))))
(assert (distinct (* 3 (bv2nat x)) n))
(set-info :status sat)
(check-sat)
