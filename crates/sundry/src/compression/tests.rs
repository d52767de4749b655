use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sundry_term::{Control, LookObserver, Stopped};

use super::*;

const TEXT: &[u8] = b"(declare-const x (_ BitVec 8))\n(assert (= x #x00))\n(check-sat)\n";

/// A text in one of the formats.
fn compress(compression: Compression, text: &[u8]) -> Vec<u8> {
    match compression {
        Compression::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(text).expect("in memory");
            encoder.finish().expect("in memory")
        }
        Compression::Bzip2 => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
            encoder.write_all(text).expect("in memory");
            encoder.finish().expect("in memory")
        }
        Compression::Xz => {
            let options = lzma_rust2::XzOptions::default();
            let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).expect("in memory");
            encoder.write_all(text).expect("in memory");
            encoder.finish().expect("in memory")
        }
        Compression::Zstandard => {
            ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
        }
    }
}

fn expand(bytes: &[u8]) -> io::Result<(Option<Compression>, Vec<u8>)> {
    let mut expanded = Expanded::new(bytes)?;
    let mut text = Vec::new();
    expanded.read_to_end(&mut text)?;
    Ok((expanded.compression(), text))
}

#[test]
fn every_format_is_recognised_by_its_content() {
    for compression in Compression::ALL {
        for text in [TEXT, b"", &[b'x'; 300_000]] {
            let found = expand(&compress(compression, text)).expect("expands");
            assert!(found == (Some(compression), text.to_vec()), "{compression}");
        }
    }
    for plain in [&b""[..], TEXT, b"B", b"BZh", b"BZh9 is a name", b"(", b"(\xb5\x2f", b"\x1f", b"P*M "] {
        assert_eq!(expand(plain).expect("no compression"), (None, plain.to_vec()));
    }
}

#[test]
fn parts_one_behind_the_other_are_one_text() {
    for compression in Compression::ALL {
        let mut both = compress(compression, b"(assert ");
        both.extend(compress(compression, b""));
        both.extend(compress(compression, b"p)"));
        assert_eq!(expand(&both).expect("expands"), (Some(compression), b"(assert p)".to_vec()));
    }
    let mut skipped = b"\x53\x2a\x4d\x18\x05\x00\x00\x00never".to_vec();
    skipped.extend(compress(Compression::Zstandard, b"p"));
    skipped.extend(b"\x50\x2a\x4d\x18\x01\x00\x00\x00x");
    assert_eq!(expand(&skipped).expect("expands"), (Some(Compression::Zstandard), b"p".to_vec()));
    skipped.pop();
    assert_eq!(expand(&skipped).expect_err("cut off").kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn what_is_cut_off_is_an_error() {
    for compression in Compression::ALL {
        let whole = compress(compression, TEXT);
        for length in 12..whole.len() {
            assert!(expand(&whole[..length]).is_err(), "{compression} cut at {length}");
        }
    }
}

/// One byte of the input is another. Where the format has a checksum over it, that is an error; whatever it is, it is
/// not a panic, and what comes out is no longer than what such an input can hold.
#[test]
fn what_is_corrupt_is_an_error() {
    for compression in Compression::ALL {
        let whole = compress(compression, TEXT);
        let mut silent = 0;
        for position in 0..whole.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[position] ^= change;
                silent +=
                    usize::from(expand(&bytes).is_ok_and(|(kind, text)| kind.is_some() && text != TEXT));
            }
        }
        // The frames that the encoder of the tests writes have a checksum, too.
        assert_eq!(silent, 0, "{compression}");
    }
}

/// The smallest valid frame with a checksum that is wrong: one raw block of one byte.
#[test]
fn checksums_of_frames_are_compared() {
    let frame = |checksum: [u8; 4]| {
        let mut bytes = b"\x28\xb5\x2f\xfd\x24\x01\x09\x00\x00p".to_vec();
        bytes.extend(checksum);
        bytes
    };
    let error = expand(&frame([1, 2, 3, 4])).expect_err("a wrong checksum");
    assert_eq!(error.to_string(), "the checksum of a frame is wrong");
}

#[test]
fn names_lose_only_the_suffix_of_a_compression() {
    let pairs = [
        ("a/f.smt2.gz", "a/f.smt2"),
        ("f.smt2.bz2", "f.smt2"),
        ("f.xz", "f"),
        ("f.g.zst", "f.g"),
        ("f.smt2", "f.smt2"),
        ("gz", "gz"),
        (".gz", ".gz"),
    ];
    for (name, without) in pairs {
        assert_eq!(without_suffix(Path::new(name)), Path::new(without));
    }
}

#[test]
fn every_compression_is_bounded_while_it_expands() {
    for compression in Compression::ALL {
        let bomb = compress(compression, &[b' '; 10 << 20]);
        assert!(bomb.len() < 100 << 10, "{compression}: {}", bomb.len());
        let read = |control: &Control| Expanded::new(&bomb[..]).expect("begins").read_whole(control);
        assert_eq!(read(&Control::default()).expect("expands").len(), 10 << 20);
        let (memory, looks) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
        let flag = Arc::clone(&memory);
        let observer: LookObserver = Arc::new(move || {
            flag.store(looks.fetch_add(1, Ordering::Relaxed) == 50, Ordering::Relaxed);
        });
        let control = Control::default().with_memory(memory).with_observer(observer);
        let unread = read(&control).expect_err("one piece too many");
        assert!(matches!(unread, Unread::Stopped(Stopped::Memory)), "{unread}");
        assert_eq!(unread.to_string(), "memory was used up before all of the text was read");
    }
}
