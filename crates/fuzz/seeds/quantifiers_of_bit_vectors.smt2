; Every odd number has an inverse, and there is an even one that has one too: not so.
(set-logic BV)
(assert (exists ((x (_ BitVec 5)))
    (and (= ((_ extract 0 0) x) #b0)
        (exists ((y (_ BitVec 5))) (= (bvmul x y) #b00001)))))
(set-info :status unsat)
(check-sat)
