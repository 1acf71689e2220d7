//! Elements of EBML, from which WebM is made. RFC 8794.

/// An element: its ID, the size of its content, its parts.
pub(super) fn element(id: u32, parts: &[Vec<u8>]) -> Vec<u8> {
    let length = parts.iter().map(Vec::len).sum::<usize>() as u64;
    let mut bytes: Vec<u8> = id
        .to_be_bytes()
        .into_iter()
        .skip_while(|byte| *byte == 0)
        .collect();
    match u8::try_from(length) {
        Ok(short) if short < 0x7f => bytes.push(0x80 | short),
        Ok(_) | Err(_) => bytes.extend_from_slice(&size_of_four(length)),
    }
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    bytes
}

/// A Void element that is this long with its head: at least 5 bytes.
pub(super) fn void(length: u64) -> Vec<u8> {
    let content = length.saturating_sub(5);
    let mut bytes = vec![0xec];
    bytes.extend_from_slice(&size_of_four(content));
    bytes.resize(
        bytes.len() + usize::try_from(content).unwrap_or_default(),
        0,
    );
    bytes
}

/// A size in four bytes: up to 256 MB.
pub(super) fn size_of_four(length: u64) -> [u8; 4] {
    (1 << 28 | u32::try_from(length).unwrap_or_default()).to_be_bytes()
}

/// A size in eight bytes, seven of which hold the number.
pub(super) fn size_of_seven(length: u64) -> [u8; 8] {
    (1 << 56 | length).to_be_bytes()
}

/// A number in as few bytes as it takes.
pub(super) fn number(value: u64) -> Vec<u8> {
    let zeros = (value.leading_zeros() / 8).min(7) as usize;
    value.to_be_bytes()[zeros..].to_vec()
}

/// Microseconds as milliseconds, in the eight bytes of a binary fraction, rounded to the nearest.
/// IEEE 754
pub(super) fn float(micros: u64) -> [u8; 8] {
    const POINT: u32 = 64;
    if micros == 0 {
        return [0; 8];
    }
    // Milliseconds with 64 binary places.
    let fixed = (u128::from(micros) << POINT) / 1000;
    let top = 127 - fixed.leading_zeros();
    // 53 significant bits, the first of which is not written, and one more to round by.
    let bits = if top >= 53 {
        fixed >> (top - 53)
    } else {
        fixed << (53 - top)
    };
    let rounded = (bits + 1) >> 1;
    // Rounding up may give one more bit: it adds to the exponent, as it should.
    let exponent = u128::from(top + 1023 - POINT);
    let all = (exponent << 52) + (rounded - (1 << 52));
    u64::try_from(all).unwrap_or_default().to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_binary_fractions() {
        for (micros, due) in [
            (0, 0.0),
            (6_000_000, 6000.0),
            (2_350_000, 2350.0),
            (1, 0.001),
            (1_234_567, 1234.567),
            (40_000, 40.0),
        ] {
            #[expect(clippy::disallowed_types, reason = "it is what is tested")]
            let due: f64 = due;
            assert_eq!(float(micros), due.to_be_bytes(), "{micros}");
        }
    }

    #[test]
    fn numbers_take_as_few_bytes_as_possible() {
        assert_eq!(number(0), [0]);
        assert_eq!(number(255), [255]);
        assert_eq!(number(1_000_000), [0x0f, 0x42, 0x40]);
    }
}
