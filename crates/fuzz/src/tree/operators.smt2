; Classes of operators that take arguments of the same sorts and give results of the same sort:
;
;     (class (SORT…) SORT OPERATOR…)
;
; The sorts of the arguments come first. A point behind them means: one or more arguments of the last sort. Capital letters
; alone stand for any sort or number, the same wherever the letter occurs in a class. Operators without arguments are the
; small terms of their sort.
;
;     (dialect NAME (SORT…) SORT OPERATOR…)
;
; is a class of operators that few solvers know: mutants of a script have them if the script has some operator of that dialect.

; Core
(class () Bool true false)
(class (Bool) Bool not)
(class (Bool Bool .) Bool and or xor =>)
(class (E E .) Bool = distinct)
(class (Bool E E) E ite)

; Integers and reals
(class () Int 0 1)
(class (Int) Int - abs)
(dialect cvc5-integers (Int) Int int.pow2 int.log2)
(class (Int Int .) Int + - *)
(class (Int Int) Int div mod)
(dialect cvc5-integers (Int Int) Int div_total mod_total)
(class (Int Int .) Bool < <= > >=)
(class (Int) Real to_real)
(dialect cvc5-integers (Int Int Int) Int piand)
(class () Real 0.0 1.0)
(class (Real) Real - abs)
(class (Real Real .) Real + - * /)
(class (Real Real .) Bool < <= > >=)
(class (Real) Int to_int)
(class (Real) Bool is_int)

; Transcendental functions
(dialect cvc5-transcendentals () Real real.pi)
(class (Real) Real sin cos tan)
(dialect cvc5-transcendentals (Real) Real exp sqrt arcsin arccos arctan csc sec cot)
(dialect z3-transcendentals (Real) Real asin acos atan sinh cosh tanh)

; Bit-vectors
(class () (_ BitVec N) (_ bv0 N) (_ bv1 N))
(class ((_ BitVec N)) (_ BitVec N) bvnot bvneg)
(class ((_ BitVec N) (_ BitVec N) .) (_ BitVec N) bvand bvor bvxor bvadd bvmul)
(class ((_ BitVec N) (_ BitVec N)) (_ BitVec N)
  bvsub bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvnand bvnor bvxnor)
(class ((_ BitVec N) (_ BitVec N)) Bool bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge)
(class ((_ BitVec N) (_ BitVec N)) Bool bvuaddo bvsaddo bvusubo bvssubo bvumulo bvsmulo bvsdivo)
(class ((_ BitVec N)) Bool bvnego)
(class ((_ BitVec N)) Int ubv_to_int sbv_to_int)
(class ((_ BitVec N) (_ BitVec N)) (_ BitVec 1) bvcomp)

; Floating-point numbers
(class () RoundingMode RNE RNA RTP RTN RTZ)
(class () (_ FloatingPoint M N) (_ +zero M N) (_ -zero M N) (_ +oo M N) (_ -oo M N) (_ NaN M N))
(class ((_ FloatingPoint M N)) (_ FloatingPoint M N) fp.abs fp.neg)
(class (RoundingMode (_ FloatingPoint M N)) (_ FloatingPoint M N) fp.sqrt fp.roundToIntegral)
(class (RoundingMode (_ FloatingPoint M N) (_ FloatingPoint M N)) (_ FloatingPoint M N) fp.add fp.sub fp.mul fp.div)
(class ((_ FloatingPoint M N) (_ FloatingPoint M N)) (_ FloatingPoint M N) fp.rem fp.min fp.max)
(class ((_ FloatingPoint M N) (_ FloatingPoint M N) .) Bool fp.eq fp.lt fp.leq fp.gt fp.geq)
(class ((_ FloatingPoint M N)) Bool
  fp.isNormal fp.isSubnormal fp.isZero fp.isInfinite fp.isNaN fp.isNegative fp.isPositive)

; Arrays
(class ((Array E F) E) F select)
(class ((Array E F) E F) (Array E F) store)

; Strings and regular languages
(class () String "" "a")
(class (String String .) String str.++)
(class (String) Int str.len str.to_int str.to_code)
(class (Int) String str.from_int str.from_code)
(class (String) String str.rev str.to_lower str.to_upper)
(class (String Int) String str.at)
(class (String Int Int) String str.substr)
(class (String Int String) String str.update)
(class (String String Int) Int str.indexof)
(class (String String String) String str.replace str.replace_all)
(class (String String) Bool str.prefixof str.suffixof str.contains str.< str.<=)
(class (String) Bool str.is_digit)
(class (String RegLan) Bool str.in_re)
(class (String RegLan String) String str.replace_re str.replace_re_all)
(class (String RegLan Int) Int str.indexof_re)
(class () RegLan re.none re.all re.allchar)
(class (String) RegLan str.to_re)
(class (RegLan) RegLan re.* re.+ re.opt re.comp)
(class (RegLan RegLan .) RegLan re.++ re.union re.inter)
(class (RegLan RegLan) RegLan re.diff)
(class (String String) RegLan re.range)

; Sequences
(class () (Seq E) (as seq.empty (Seq E)))
(class (E) (Seq E) seq.unit)
(class ((Seq E) (Seq E) .) (Seq E) seq.++)
(class ((Seq E)) Int seq.len)
(class ((Seq E)) (Seq E) seq.rev)
(class ((Seq E) Int) E seq.nth)
(class ((Seq E) Int) (Seq E) seq.at)
(class ((Seq E) Int Int) (Seq E) seq.extract)
(class ((Seq E) Int (Seq E)) (Seq E) seq.update)
(class ((Seq E) (Seq E) (Seq E)) (Seq E) seq.replace seq.replace_all)
(class ((Seq E) (Seq E) Int) Int seq.indexof)
(class ((Seq E) (Seq E)) Bool seq.prefixof seq.suffixof seq.contains)

; Sets of cvc5
(class () (Set E) (as set.empty (Set E)))
(class (E) (Set E) set.singleton)
(class ((Set E) (Set E)) (Set E) set.union set.inter set.minus)
(class ((Set E) (Set E)) Bool set.subset)
(class (E (Set E)) Bool set.member)
(class (E (Set E)) (Set E) set.insert)
(class ((Set E)) Int set.card)
(class ((Set E)) E set.choose)
(class ((Set E)) Bool set.is_empty set.is_singleton)
(class ((-> E Bool) (Set E)) (Set E) set.filter)
(class ((-> E F) (Set E)) (Set F) set.map)
(class ((-> E Bool) (Set E)) Bool set.all set.some)
(class ((-> E F F) F (Set E)) F set.fold)

; Relations: sets of tuples
(class ((Set (Tuple E E))) (Set (Tuple E E)) rel.tclosure)
(class ((Set (Tuple E F))) (Set (Tuple F E)) rel.transpose)
(class ((Set (Tuple E F)) (Set (Tuple F G))) (Set (Tuple E G)) rel.join)
(class ((Set (Tuple E)) (Set (Tuple F))) (Set (Tuple E F)) rel.product)
(class (E) (Tuple E) tuple)
(class (E F) (Tuple E F) tuple)

; Finite sets of z3
(class () (FiniteSet E) (as set.empty (FiniteSet E)))
(class (E) (FiniteSet E) set.singleton)
(class ((FiniteSet E) (FiniteSet E)) (FiniteSet E) set.union set.intersect set.difference)
(class ((FiniteSet E) (FiniteSet E)) Bool set.subset)
(class (E (FiniteSet E)) Bool set.in)
(class ((FiniteSet E)) Int set.size)
(class (Int Int) (FiniteSet Int) set.range)
(class ((-> E Bool) (FiniteSet E)) (FiniteSet E) set.filter)
(class ((-> E F) (FiniteSet E)) (FiniteSet F) set.map)

; Sets of cvc4, by their former names
(dialect cvc4-sets ((Set E) (Set E)) (Set E) union intersection setminus)
(dialect cvc4-sets ((Set E) (Set E)) Bool subset)
(dialect cvc4-sets (E (Set E)) Bool member)
(dialect cvc4-sets ((Set E)) Int card)
(dialect cvc4-sets (E) (Set E) singleton)

; Bags
(class () (Bag E) (as bag.empty (Bag E)))
(class (E Int) (Bag E) bag)
(class ((Bag E) (Bag E)) (Bag E)
  bag.union_max bag.union_disjoint bag.inter_min bag.difference_subtract bag.difference_remove)
(class ((Bag E) (Bag E)) Bool bag.subbag)
(class (E (Bag E)) Bool bag.member)
(class (E (Bag E)) Int bag.count)
(class ((Bag E)) Int bag.card)
(class ((Bag E)) (Bag E) bag.setof)
(class ((Bag E)) E bag.choose)
(class ((-> E Bool) (Bag E)) (Bag E) bag.filter)
(class ((-> E F) (Bag E)) (Bag F) bag.map)

; Finite fields
(class () (_ FiniteField N) (as ff0 (_ FiniteField N)) (as ff1 (_ FiniteField N)))
(class ((_ FiniteField N)) (_ FiniteField N) ff.neg)
(class ((_ FiniteField N) (_ FiniteField N) .) (_ FiniteField N) ff.add ff.mul)
(class ((_ FiniteField N) (_ FiniteField N) .) (_ FiniteField N) ff.bitsum)

; Separation logic, whose `pto` has the sorts of the declared heap
(dialect separation () Bool sep.emp)
(dialect separation (Bool Bool .) Bool sep)
(dialect separation (Bool Bool) Bool wand)
