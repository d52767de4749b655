; Between any two numbers there is a third; there is no least positive one.
(set-logic LRA)
(declare-fun c () Real)
(assert (forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (and (< x z) (< z y))))))
(assert (not (exists ((x Real)) (and (> x 0) (forall ((y Real)) (=> (> y 0) (<= x y)))))))
(assert (> c 1.5))
(set-info :status sat)
(check-sat)
