; A bit trick under test: rounding up to the next power of two.
; Solutions are inputs that exercise every bit of every step.
(set-logic QF_BV)

(declare-const input (_ BitVec 16))

(define-fun minus-one () (_ BitVec 16) (bvsub input #x0001))
(define-fun s1 () (_ BitVec 16) (bvor minus-one (bvlshr minus-one #x0001)))
(define-fun s2 () (_ BitVec 16) (bvor s1 (bvlshr s1 #x0002)))
(define-fun s4 () (_ BitVec 16) (bvor s2 (bvlshr s2 #x0004)))
(define-fun s8 () (_ BitVec 16) (bvor s4 (bvlshr s4 #x0008)))
(define-fun result () (_ BitVec 16) (bvadd s8 #x0001))

(assert (bvule #x0001 input))
(assert (bvule input #x8000))
; What the trick promises: at least the input, and a single bit set.
(assert (bvule input result))
(assert (= (bvand result (bvsub result #x0001)) #x0000))

(check-sat)
