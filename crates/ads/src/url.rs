//! Whether a string can be a URL.

/// Whether a string can be a URL: it has a scheme, or starts like a path. Rule REQ-16.
pub(super) fn is_url(text: &str) -> bool {
    if text.starts_with('/') {
        return true;
    }
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let mut letters = scheme.bytes();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        && !rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_a_scheme_or_start_like_a_path() {
        for text in [
            "https://a.test/x",
            "//a.test/x",
            "/x",
            "HTTP://a",
            "data:,x",
        ] {
            assert!(is_url(text), "{text}");
        }
        for text in ["", "a.test/x", "not a url", "x y:z", ":x", "http:", "1a:b"] {
            assert!(!is_url(text), "{text}");
        }
    }
}
