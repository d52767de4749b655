; No solution: the product of two odd numbers is odd.
; `sundry sample` says so, writes no file, and ends with exit code 1.
(set-logic QF_BV)

(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))

(assert (= ((_ extract 0 0) x) #b1))
(assert (= ((_ extract 0 0) y) #b1))
(assert (= ((_ extract 0 0) (bvmul x y)) #b0))

(check-sat)
