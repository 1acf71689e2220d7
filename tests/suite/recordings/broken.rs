//! Broken and hostile recordings: none panics, and none takes more memory than a multiple of its
//! size.

use std::fs;

use playsim::import::{self, Hints};
use playsim::report::waterfall::Detail;

use super::{recordings, settings};
use crate::nightly;

/// How many broken recordings are read in all, for each commit and each night. `PLAYSIM_CASES` sets
/// how many.
const CASES: (u64, u64) = (5_000, 100_000);
/// The most bytes in use at once while a recording is read, for each of its own.
const MULTIPLE: u64 = 6;
/// What a small recording takes besides.
const BASE: u64 = 1 << 20;

/// A small generator, so that a failure is found again.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}

/// Changes a recording: cuts, repeats or exchanges a piece, or replaces a value.
fn mutate(sound: &[u8], random: &mut Random) -> Vec<u8> {
    const PIECES: &[&str] = &[
        "null",
        "-1",
        "0",
        "1e308",
        "\"\"",
        "[]",
        "{}",
        "true",
        "\"\\ud800\"",
        "99999999999999999999",
        "{\"a\":[[[[",
        "\"2026-13-45T99:99:99Z\"",
        "\"x-unknown\"",
        "\u{feff}",
        "\\",
        "\"",
        "]]>",
        "<",
        "\u{0}",
        "[ERRORCODE]",
    ];
    let mut bytes = sound.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let length = random.below(64).min(bytes.len() - at);
        match random.below(5) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + length)),
            2 => {
                let piece = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            3 => {
                // The value behind a key.
                let colon = bytes[at..]
                    .iter()
                    .position(|byte| *byte == b':')
                    .map_or(at, |colon| at + colon + 1);
                let rest = &bytes[colon..];
                let end = rest
                    .iter()
                    .position(|byte| b",}]".contains(byte))
                    .unwrap_or(rest.len());
                let piece = PIECES[random.below(PIECES.len())];
                bytes.splice(colon..colon + end, piece.bytes());
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Reads a recording, and plays what can be read of it.
fn import(bytes: &[u8]) {
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let Ok(recording) = import::read("broken", bytes, &mut load) else {
        return;
    };
    let Ok(played) = import::play(recording, Hints::default(), &settings()) else {
        return;
    };
    assert!(!played.text(100, false, Detail::default()).is_empty());
    assert!(!played.json().is_empty());
}

#[test]
fn broken_recordings_are_read_as_far_as_they_can_be() {
    let cases = std::env::var("PLAYSIM_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or_else(|| nightly::cases(CASES.0, CASES.1) as usize);
    let recordings = recordings();
    let each = cases.div_ceil(recordings.len().max(1));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let of_thread = recordings.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        for (part, recordings) in recordings.chunks(of_thread).enumerate() {
            scope.spawn(move || {
                for (index, (name, file)) in recordings.iter().enumerate() {
                    let sound = fs::read(file).expect("it can be read");
                    let mut random = Random((part * of_thread + index) as u64);
                    for case in 0..each {
                        let broken = mutate(&sound, &mut random);
                        let told = std::panic::catch_unwind(|| import(&broken));
                        assert!(told.is_ok(), "{name}, case {case}");
                    }
                }
            });
        }
    });
}

#[test]
fn reading_takes_a_multiple_of_the_size_at_most() {
    for (name, file) in recordings() {
        let sound = fs::read(&file).expect("it can be read");
        let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let used = allocation_counter::measure(|| drop(import::read(&name, &sound[..], &mut load)));
        let most = MULTIPLE * sound.len() as u64 + BASE;
        assert!(
            used.bytes_max <= most,
            "{name}: {} bytes for {}",
            used.bytes_max,
            sound.len()
        );
    }
}

#[test]
fn bodies_that_nobody_needs_are_not_kept() {
    let film = "A".repeat(8 << 20);
    let entry = format!(
        r#"{{"startedDateTime":"2026-01-01T00:00:00Z","time":1,"request":{{"method":"GET","url":"http://a.test/film"}},
        "response":{{"status":200,"content":{{"size":1,"mimeType":"video/mp4","encoding":"base64","text":"{film}"}}}}}}"#
    );
    let archive = format!(r#"{{"log":{{"entries":[{entry},{entry},{entry},{entry}]}}}}"#);
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let used =
        allocation_counter::measure(|| drop(import::read("films", archive.as_bytes(), &mut load)));
    // The beginning that is read into memory, and the one that is being read, each in a buffer that
    // grows by doubling; not all four.
    assert!(
        used.bytes_max < 6 * film.len() as u64,
        "{} bytes",
        used.bytes_max
    );
}
