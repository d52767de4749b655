; No function of this grammar is right for all arguments, in the language of SyGuS.
(set-logic BV)
(synth-fun f ((x (_ BitVec 4))) (_ BitVec 4)
    ((S (_ BitVec 4)))
    ((S (_ BitVec 4) (x #x0 #x1))))
(declare-var x (_ BitVec 4))
(constraint (= (f x) (bvadd x #x1)))
(set-info :status unsat)
(check-synth)
