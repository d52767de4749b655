//! All readers over mutations of texts: nothing panics, nothing takes long, and every text that was read can be
//! printed and read again.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use rand::Rng;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sundry_testing::bytes::{TARGETS, run};

/// The number of mutations that each target gets.
const MUTATIONS: usize = 20_000;

/// Fragments of text that matter to some reader.
const WORDS: [&[u8]; 30] = [
    b"(",
    b")",
    b"|",
    b"\"",
    b";",
    b" ",
    b"\n",
    b"_",
    b"#b",
    b"#x",
    b"0",
    b"4294967296",
    b"-1",
    b"1.5",
    b"let",
    b"!",
    b"(check-sat)",
    b"(push 1)",
    b"(_ bv7 8)",
    b"(_ BitVec 8)",
    b"(as x Bool)",
    b"define-fun",
    b":",
    b"{",
    b"}",
    b"[",
    b"@",
    b"IF",
    b"features",
    b"\xff",
];

/// Texts to begin with, by name: the examples, and models.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = fs::read_dir(&folder).expect("the examples are there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let read = |path: &PathBuf| (path.display().to_string(), fs::read(path).expect("a file"));
    let mut texts: Vec<_> = paths.iter().map(read).collect();
    assert!(texts.len() >= 8, "the examples are gone");
    let models = [
        "((define-fun p () Bool true) (define-fun x () (_ BitVec 8) #x1f) (define-fun r () Real (/ 1.0 3.0)))",
        "((define-fun a () (Array (_ BitVec 8) (_ BitVec 4)) (store ((as const (Array (_ BitVec 8) (_ BitVec 4))) #x0) \
         #x01 #xf)) (define-fun w () String \"a\\u{62}\"))",
        "(model (define-fun f ((y (_ BitVec 8)) (z Bool)) Int (ite (= y #x00) (- 5) 7)) (declare-fun S!val!0 () S)
         (define-fun s () S S!val!0))",
        "sat\n((define-fun d () (_ FloatingPoint 8 24) (fp #b0 #x7f #b00000000000000000000000)))",
    ];
    for model in models {
        assert!(run("model", model.as_bytes()), "not read: {model}");
    }
    texts.extend(models.map(|text| ("model".to_string(), text.as_bytes().to_vec())));
    texts.push(read(&folder.join("../crates/debuginfo/tests/modules/shapes.wasm")));
    texts
}

/// Another text: some bytes of one are removed, repeated, changed, or in the place of those of another.
fn mutate(texts: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut text = texts.choose(random).expect("texts").clone();
    text.truncate(4_000);
    // One change in most texts, so that many can still be read.
    for _ in 0..1 + random.random_range(0..3) * random.random_range(0..3) {
        let from = random.random_range(0..=text.len());
        let to = (from + random.random_range(0..20)).min(text.len());
        match random.random_range(0..6) {
            0 => drop(text.drain(from..to)),
            1 => drop(text.splice(from..from, WORDS.choose(random).expect("words").iter().copied())),
            2 => drop(text.splice(from..to, WORDS.choose(random).expect("words").iter().copied())),
            3 => {
                let part = text[from..to].repeat(random.random_range(1..20));
                text.splice(to..to, part);
            }
            4 if from < text.len() => text[from] = random.random(),
            _ => {
                let other = texts.choose(random).expect("texts");
                let start = random.random_range(0..=other.len());
                let end = (start + random.random_range(0..60)).min(other.len());
                text.splice(from..to, other[start..end].iter().copied());
            }
        }
    }
    text
}

/// The texts that a target is given: those that belong to it more often than others.
fn texts_of(name: &str, all: &[(String, Vec<u8>)]) -> Vec<Vec<u8>> {
    let endings: &[&str] = match name {
        "dimacs" => &[".dimacs"],
        "uvl" => &[".uvl"],
        "pict" => &[".pict"],
        "module" | "debug-information" => &[".wasm"],
        "model" | "responses" => &["model"],
        _ => &[".smt2"],
    };
    let own = all.iter().filter(|(name, _)| endings.iter().any(|ending| name.ends_with(ending)));
    let own: Vec<Vec<u8>> = own.map(|(_, text)| text.clone()).collect();
    assert!(!own.is_empty(), "there is no text for {name}");
    own.iter().cycle().take(2 * all.len()).cloned().chain(all.iter().map(|(_, text)| text.clone())).collect()
}

#[test]
fn readers_stand_any_bytes() {
    let corpus = corpus();
    for (number, (name, target)) in (0u64..).zip(TARGETS) {
        let texts = texts_of(name, &corpus);
        let mut random = ChaCha8Rng::seed_from_u64(number);
        let mut read = 0;
        for _ in 0..MUTATIONS {
            let text = mutate(&texts, &mut random);
            match panic::catch_unwind(AssertUnwindSafe(|| target(&text))) {
                Ok(is_read) => read += usize::from(is_read),
                Err(_) => panic!("{name} on {:?}", String::from_utf8_lossy(&text)),
            }
        }
        println!("{read:>8} of {MUTATIONS} are read: {name}");
        assert!(100 * read > MUTATIONS, "{name} reads {read} of {MUTATIONS} only");
    }
}
