; Two integers drive a function through three comparisons, one inside the other:
;
;     if x + y >= 2 { if 2y - x >= 1 { if 2x - y >= 0 { D } else { C } } else { B } } else { A }
;
; The assertions are the path to D. On its way to an answer, a solver tries values that reach A and B:
;
;     sundry solve examples/branches.smt2 --partial steps.jsonl
;
; After the motivating example of Zhang et al., "Multiplex Symbolic Execution" (ASE 2020), figures 2 and 3.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (>= (+ x y) 2))
(assert (>= (- (* 2 y) x) 1))
(assert (>= (- (* 2 x) y) 0))
(check-sat)
(get-model)
