//! The bounds of a scenario's values. The reader enforces them for files, and
//! [`check`](super::check) for scenarios made in Rust.

use std::sync::Arc;

use playsim_api::Decimal;
use playsim_api::media::MOST_BITS_PER_SECOND;

/// The least and the most.
pub(super) type Bounds<T> = (T, T);

/// Width or height of a window or a picture.
pub(super) const PIXELS: Bounds<u32> = (0, 100_000);
/// From silent to full volume. Rule VOL-5.
pub(super) const VOLUME: Bounds<Decimal> = (Decimal::ZERO, Decimal::ONE);
/// A share of the player in percent. Rule VIEW-2.
pub(super) const PERCENT: Bounds<Decimal> = (Decimal::ZERO, Decimal::from_integer(100));
/// Bits per second of media, limited so that sums of them do not overflow. Rule MEL-25.
pub(super) const BITRATE: Bounds<u64> = (1, MOST_BITS_PER_SECOND);
/// Bits that arrive per second. Rule MEL-25.
pub(super) const BANDWIDTH: Bounds<u64> = (0, BITRATE.1);
/// The status of a response.
pub(super) const STATUS: Bounds<u16> = (100, 599);
/// The status of a redirect. Rule CHN-4.
pub(super) const REDIRECT_STATUS: Bounds<u16> = (300, 399);
/// The status that is returned instead of editing. Rule EDIT-44.
pub(super) const FAULT_STATUS: Bounds<u16> = (200, 599);
/// How often a SIMID unit sends a message at one instant. Rule SIMID-7.
pub(crate) const SIMID_TIMES: Bounds<u32> = (1, 1_000);
/// A count that starts at one.
pub(super) const FROM_ONE: Bounds<u32> = (1, u32::MAX);
/// How deep values nest, limited so that a debug build does not overflow the 2 MB stack of a test
/// thread.
pub(super) const DEPTH: usize = 32;

/// Reads a two-letter country code, in upper or lower case, and returns it in capitals. Rule
/// EDIT-27.
pub(super) fn country(code: &str) -> Option<Arc<str>> {
    let is_code = code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_alphabetic());
    is_code.then(|| code.to_ascii_uppercase().into())
}

/// Whether it is a language tag as pages write it: parts of letters and digits, with hyphens
/// between.
pub(super) fn is_language(text: &str) -> bool {
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_alphanumeric())
    };
    text.split('-').all(is_part)
}
