; What a small expression is worth, by cases; adding nothing changes nothing.
(set-logic ALL)
(declare-datatypes ((Expr 0)) (((number (value Int)) (negation (of Expr)) (sum (left Expr) (right Expr)))))
(declare-fun e () Expr)
(define-fun leaf ((x Expr)) Int (match x (((number n) n) ((negation y) (- (value y))) (z 0))))
(assert (match e (((sum l r) (and ((_ is number) l) (= (leaf l) 0) (distinct (+ (leaf l) (leaf r)) (leaf r)))) (x false))))
(set-info :status unsat)
(check-sat)
