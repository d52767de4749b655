; Three tasks on two machines: a declared sort and functions. Nothing is known of
; the machines but which tasks they run.
(set-logic QF_UFBV)

(declare-sort Machine 0)
(declare-fun runs-on ((_ BitVec 2)) Machine)
(declare-fun start ((_ BitVec 2)) (_ BitVec 4))
(declare-const fast Machine)
(declare-const slow Machine)

(assert (distinct fast slow))
(assert (or (= (runs-on #b00) fast) (= (runs-on #b00) slow)))
(assert (or (= (runs-on #b01) fast) (= (runs-on #b01) slow)))
(assert (= (runs-on #b10) slow))
; Tasks on one machine do not start together, and task 2 waits for task 0.
(assert (=> (= (runs-on #b00) (runs-on #b01)) (distinct (start #b00) (start #b01))))
(assert (bvult (start #b00) (start #b10)))
(assert (bvule (start #b10) #xc))

(check-sat)
