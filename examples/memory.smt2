; Two writes to a memory and a read, as a compiler's alias analysis sees them.
; Among the solutions, the addresses coincide in some and differ in others.
(set-logic QF_ABV)

(declare-const memory (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const p (_ BitVec 8))
(declare-const q (_ BitVec 8))
(declare-const r (_ BitVec 8))
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const overwritten Bool)
(declare-const read-back Bool)

(define-fun after () (Array (_ BitVec 8) (_ BitVec 8)) (store (store memory p x) q y))

(assert (bvult p #x40))                     ; p and q point into a buffer of 64 bytes,
(assert (bvult q #x40))
(assert (bvult r #x80))                     ; r may point behind it
(assert (= overwritten (= p q)))
(assert (= read-back (or (= r p) (= r q))))
(assert (= (select after r) (bvadd x #x01)))

(check-sat)
