//! The five formulas that every stage is measured on: small, made here, and of different kinds, so that a change that
//! costs anything shows in one of them at least.
//!
//! Formulas from files were rejected: counts of different commits are comparable only where both read the same text.

use std::fmt::Write;

use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A formula of the benches.
#[derive(Copy, Clone)]
pub enum Formula {
    /// Sums, products and divisions of 16-bit words.
    Arithmetic,
    /// Clauses over Booleans and comparisons of bytes.
    Logic,
    /// Writes to a memory, and reads from it.
    Memory,
    /// Words split and joined, as in programs that read packets.
    Packets,
    /// Words of 300 bits.
    Wide,
}

impl Formula {
    /// The formula as an SMT-LIB script.
    pub fn script(self) -> String {
        let mut script = Script::new();
        match self {
            Formula::Arithmetic => script.arithmetic(),
            Formula::Logic => script.logic(),
            Formula::Memory => script.memory(),
            Formula::Packets => script.packets(),
            Formula::Wide => script.wide(),
        }
        script.text + "(check-sat)\n"
    }
}

/// A script that grows, and the random choices in it.
struct Script {
    text: String,
    random: ChaCha8Rng,
}

impl Script {
    fn new() -> Self {
        Script { text: "(set-logic ALL)\n".into(), random: ChaCha8Rng::seed_from_u64(0) }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        self.text.write_fmt(line).expect("a string takes all text");
        self.text.push('\n');
    }

    fn declare(&mut self, prefix: char, count: u32, sort: &str) {
        for number in 0..count {
            self.line(format_args!("(declare-const {prefix}{number} {sort})"));
        }
    }

    /// The number of one of `count` constants.
    fn one_of(&mut self, count: u32) -> u32 {
        self.random.random_range(0..count)
    }

    fn arithmetic(&mut self) {
        self.declare('x', 12, "(_ BitVec 16)");
        for _ in 0..10 {
            let [a, b, c, d, e] = [0; 5].map(|_| self.one_of(12));
            let bound: u16 = self.random.random();
            self.line(format_args!(
                "(assert (bvult (bvadd (bvmul x{a} x{b}) (bvudiv x{c} (bvor x{d} #x0001))) (bvsub x{e} #x{bound:04x})))"
            ));
            self.line(format_args!(
                "(assert (distinct (bvsrem x{b} x{c}) (bvshl x{d} (bvand x{a} #x000f))))"
            ));
            self.line(format_args!(
                "(assert (=> (bvslt x{a} x{e}) (bvsle (bvneg x{b}) (bvlshr x{c} #x0003))))"
            ));
        }
    }

    fn logic(&mut self) {
        self.declare('p', 60, "Bool");
        self.declare('x', 20, "(_ BitVec 8)");
        for _ in 0..300 {
            let [p, q, r] = [0; 3].map(|_| self.one_of(60));
            let [a, b] = [0; 2].map(|_| self.one_of(20));
            let byte: u8 = self.random.random();
            self.line(format_args!("(assert (or p{p} (not p{q}) (bvule x{a} x{b}) (= x{a} #x{byte:02x})))"));
            self.line(format_args!(
                "(assert (let ((l (and p{p} p{r}))) (=> l (ite p{q} (distinct x{a} x{b}) (not l)))))"
            ));
        }
    }

    fn memory(&mut self) {
        self.declare('m', 1, "(Array (_ BitVec 8) (_ BitVec 8))");
        self.declare('x', 24, "(_ BitVec 8)");
        for step in 1..40 {
            let previous = step - 1;
            let [address, value, read] = [0; 3].map(|_| self.one_of(24));
            self.line(format_args!(
                "(define-fun m{step} () (Array (_ BitVec 8) (_ BitVec 8)) (store m{previous} x{address} (bvadd x{value} #x01)))"
            ));
            self.line(format_args!(
                "(assert (bvule (select m{step} x{read}) (select m{previous} x{value})))"
            ));
        }
    }

    fn packets(&mut self) {
        self.declare('w', 16, "(_ BitVec 64)");
        for _ in 0..60 {
            let [a, b, c] = [0; 3].map(|_| self.one_of(16));
            let low = 8 * self.one_of(6);
            let high = low + 15;
            self.line(format_args!(
                "(assert (= (bvxor ((_ extract {high} {low}) w{a}) ((_ extract 15 0) w{b})) (concat ((_ extract 7 0) w{c}) #x{low:02x})))"
            ));
            self.line(format_args!(
                "(assert (bvult ((_ zero_extend 48) ((_ extract {high} {low}) w{b})) (bvor ((_ rotate_left {low}) w{c}) w{a})))"
            ));
            self.line(format_args!(
                "(assert (not (= ((_ sign_extend 56) ((_ extract 7 0) w{a})) (bvand w{b} w{c}))))"
            ));
        }
    }

    fn wide(&mut self) {
        self.declare('x', 10, "(_ BitVec 300)");
        for _ in 0..12 {
            let [a, b, c] = [0; 3].map(|_| self.one_of(10));
            self.line(format_args!(
                "(assert (bvult (bvxor x{a} (bvadd x{b} x{c})) (bvor x{b} (bvnot x{a}))))"
            ));
            self.line(format_args!("(assert (distinct (bvshl x{a} x{b}) (concat ((_ extract 99 0) x{c}) ((_ extract 299 100) x{a}))))"));
        }
    }
}
