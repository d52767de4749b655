; The product of the first five numbers.
(set-logic ALL)
(define-fun-rec factorial ((n Int)) Int (ite (<= n 1) 1 (* n (factorial (- n 1)))))
(declare-fun x () Int)
(assert (= x (factorial 5)))
(assert (distinct x 120))
(set-info :status unsat)
(check-sat)
