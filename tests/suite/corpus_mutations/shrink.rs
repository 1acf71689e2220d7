//! Reduces a failing document: removes every part without which it still fails.

/// The number of smaller documents tried.
const MOST_TRIES: u32 = 2_000;

/// Returns the smallest document found that still fails.
pub(crate) fn shrink(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut small: Vec<char> = text.chars().collect();
    let mut tries = 0;
    let mut length = small.len() / 2;
    while length > 0 && tries < MOST_TRIES {
        let before = small.len();
        let mut start = 0;
        while start < small.len() && tries < MOST_TRIES {
            let end = (start + length).min(small.len());
            let smaller: String = small[..start].iter().chain(&small[end..]).collect();
            tries += 1;
            if fails(&smaller) {
                drop(small.drain(start..end));
            } else {
                start = end;
            }
        }
        if small.len() == before || length > 1 {
            length /= 2;
        }
    }
    small.into_iter().collect()
}
