//! The information at the beginning of a media file.
//!
//! Source: RFC 9110 section 14.4.

use playsim_base::time::Span;

/// A media file, as far as its beginning and its headers show it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaStart {
    /// The media type that the server says.
    pub mime: String,
    /// Its size in bytes.
    pub bytes: Option<u64>,
    /// How long it plays, if it is an MP4 or WebM file whose header comes first.
    pub length: Option<Span>,
}

/// Returns the size of a whole file, by the headers of a response with a part of it.
pub(super) fn whole(content_range: Option<&str>, content_length: Option<&str>) -> Option<u64> {
    match content_range {
        Some(range) => range.rsplit('/').next()?.trim().parse().ok(),
        None => content_length?.trim().parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_that_of_the_whole_file() {
        assert_eq!(
            whole(Some("bytes 0-65535/1000000"), Some("65536")),
            Some(1_000_000)
        );
        assert_eq!(whole(Some("bytes 0-65535/*"), Some("65536")), None);
        assert_eq!(whole(None, Some("12")), Some(12));
    }
}
