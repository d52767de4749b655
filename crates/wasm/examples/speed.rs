//! The speed of the interpreter without shadows, beside that of `wasmi`, on small programs.
//!
//! `cargo run --release -p sundry-wasm --example speed -- [SECONDS]`: both run by turns, so that a busy machine slows both, and each
//! program gets so many seconds. The table has medians. Both have to return the same results.

use std::time::{Duration, Instant};

use sundry_wasm::{Machine, MachineLimits, Module, Plain};

/// The programs, which are functions of one 32-bit number, with the argument of each.
const PROGRAMS: [(&str, i32); 5] =
    [("calls", 24), ("sieve", 30_000), ("hash", 200_000), ("matrices", 36), ("sort", 300)];

const SOURCE: &str = r#"(module
  (memory 4)

  ;; Fibonacci numbers by two calls each.
  (func $calls (export "calls") (param $n i32) (result i32)
    (if (result i32) (i32.lt_u (local.get $n) (i32.const 2))
      (then (local.get $n))
      (else (i32.add
        (call $calls (i32.sub (local.get $n) (i32.const 1)))
        (call $calls (i32.sub (local.get $n) (i32.const 2)))))))

  ;; The number of primes below a number.
  (func (export "sieve") (param $n i32) (result i32)
    (local $i i32) (local $j i32) (local $count i32)
    (memory.fill (i32.const 0) (i32.const 0) (local.get $n))
    (local.set $i (i32.const 2))
    (loop $next
      (if (i32.eqz (i32.load8_u (local.get $i)))
        (then
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (local.set $j (i32.add (local.get $i) (local.get $i)))
          (block $done
            (loop $strike
              (br_if $done (i32.ge_u (local.get $j) (local.get $n)))
              (i32.store8 (local.get $j) (i32.const 1))
              (local.set $j (i32.add (local.get $j) (local.get $i)))
              (br $strike)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $n))))
    (local.get $count))

  ;; Rotations, products and sums of a word.
  (func (export "hash") (param $n i32) (result i32)
    (local $h i32)
    (local.set $h (i32.const 0x811c9dc5))
    (loop $next
      (local.set $h (i32.mul (i32.xor (local.get $h) (local.get $n)) (i32.const 0x01000193)))
      (local.set $h (i32.add (i32.rotl (local.get $h) (i32.const 5)) (i32.shr_u (local.get $h) (i32.const 11))))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $next (local.get $n)))
    (local.get $h))

  ;; The trace of the product of two square matrices of doubles.
  (func (export "matrices") (param $n i32) (result i32)
    (local $i i32) (local $j i32) (local $k i32) (local $sum f64) (local $trace f64)
    (loop $fill
      (f64.store (i32.shl (local.get $i) (i32.const 3)) (f64.convert_i32_u (i32.and (local.get $i) (i32.const 15))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $fill (i32.lt_u (local.get $i) (i32.mul (local.get $n) (local.get $n)))))
    (local.set $i (i32.const 0))
    (loop $rows
      (local.set $j (i32.const 0))
      (loop $columns
        (local.set $k (i32.const 0))
        (local.set $sum (f64.const 0))
        (loop $terms
          (local.set $sum (f64.add (local.get $sum) (f64.mul
            (f64.load (i32.shl (i32.add (i32.mul (local.get $i) (local.get $n)) (local.get $k)) (i32.const 3)))
            (f64.load (i32.shl (i32.add (i32.mul (local.get $k) (local.get $n)) (local.get $j)) (i32.const 3))))))
          (local.set $k (i32.add (local.get $k) (i32.const 1)))
          (br_if $terms (i32.lt_u (local.get $k) (local.get $n))))
        (if (i32.eq (local.get $i) (local.get $j))
          (then (local.set $trace (f64.add (local.get $trace) (local.get $sum)))))
        (local.set $j (i32.add (local.get $j) (i32.const 1)))
        (br_if $columns (i32.lt_u (local.get $j) (local.get $n))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $i) (local.get $n))))
    (i32.trunc_f64_s (local.get $trace)))

  ;; Insertion sort of words that follow from each other; the word in the middle.
  (func (export "sort") (param $n i32) (result i32)
    (local $i i32) (local $j i32) (local $word i32)
    (local.set $word (i32.const 12345))
    (loop $fill
      (local.set $word (i32.add (i32.mul (local.get $word) (i32.const 1103515245)) (i32.const 12345)))
      (i32.store (i32.shl (local.get $i) (i32.const 2)) (local.get $word))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $fill (i32.lt_u (local.get $i) (local.get $n))))
    (local.set $i (i32.const 1))
    (loop $next
      (local.set $word (i32.load (i32.shl (local.get $i) (i32.const 2))))
      (local.set $j (local.get $i))
      (block $placed
        (loop $move
          (br_if $placed (i32.eqz (local.get $j)))
          (br_if $placed (i32.le_s
            (i32.load (i32.shl (i32.sub (local.get $j) (i32.const 1)) (i32.const 2))) (local.get $word)))
          (i32.store (i32.shl (local.get $j) (i32.const 2))
            (i32.load (i32.shl (i32.sub (local.get $j) (i32.const 1)) (i32.const 2))))
          (local.set $j (i32.sub (local.get $j) (i32.const 1)))
          (br $move)))
      (i32.store (i32.shl (local.get $j) (i32.const 2)) (local.get $word))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $n))))
    (i32.load (i32.shl (i32.shr_u (local.get $n) (i32.const 1)) (i32.const 2)))))
"#;

/// The time of one call, and its result.
fn timed<R>(call: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = call();
    (start.elapsed().as_secs_f64(), result)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2.0);
    let bytes = wast::parser::ParseBuffer::new(SOURCE)
        .and_then(|buffer| wast::parser::parse::<wast::Wat<'_>>(&buffer)?.encode())
        .expect("the source is right");
    let module = Module::read(&bytes).expect("the module is right");
    let engine = wasmi::Engine::default();
    let other = wasmi::Module::new(&engine, &bytes).expect("the module is right");
    let mut store = wasmi::Store::new(&engine, ());
    let instance =
        wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &other).expect("it has no imports");
    println!("| program | milliseconds | wasmi | share of its speed |\n| --- | ---: | ---: | ---: |");
    let mut logarithms = 0.0;
    for (name, argument) in PROGRAMS {
        let index = module.exported_function(name).expect("it is exported");
        let function = instance.get_typed_func::<i32, i32>(&store, name).expect("it is exported");
        let limits = MachineLimits::default();
        let (mut ours, mut others) = (Vec::new(), Vec::new());
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs_f64(seconds) {
            let mut machine = Machine::new(&module, limits).expect("there is memory");
            let (time, results) = timed(|| machine.call(&module, index, &[argument as u64], &mut Plain));
            ours.push(time);
            let (time, result) = timed(|| function.call(&mut store, argument));
            others.push(time);
            let result = result.expect("no program traps");
            assert_eq!(results.expect("no program traps")[0], u64::from(result as u32), "{name}");
        }
        let (ours, others) = (median(&mut ours), median(&mut others));
        logarithms += (others / ours).ln();
        println!("| {name} | {:.2} | {:.2} | {:.2} |", 1e3 * ours, 1e3 * others, others / ours);
    }
    println!("\ngeometric mean of the shares: {:.2}", (logarithms / PROGRAMS.len() as f64).exp());
}
