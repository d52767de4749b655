; How an editor can be built: a small configurable system with constraints between its options.
; It has 252 variants; `sundry sample editor.smt2 --strategy all` lists them.
(set-logic QF_BV)

(declare-const gui Bool)                  ; windows, not only a terminal
(declare-const toolkit (_ BitVec 2))      ; 0 none, 1 GTK, 2 Qt
(declare-const spelling Bool)
(declare-const language (_ BitVec 2))     ; 0 none, 1 English, 2 French, 3 German
(declare-const network Bool)
(declare-const updates Bool)
(declare-const plugins Bool)
(declare-const sandbox Bool)
(declare-const log (_ BitVec 2))          ; 0 none, 1 errors, 2 all

(assert (not (= toolkit #b11)))
(assert (= gui (not (= toolkit #b00))))
(assert (= spelling (not (= language #b00))))
(assert (=> updates network))
(assert (=> sandbox plugins))
(assert (not (= log #b11)))
(assert (=> (and plugins (not sandbox)) (= log #b10)))

(check-sat)
