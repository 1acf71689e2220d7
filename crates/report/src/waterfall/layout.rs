//! Building blocks of the waterfall tables: times and bars.

use super::{RequestPurpose, TagRequest};
use playsim_base::words::width;

/// The kind of a bar: a request for a tag's own document, for one after a wrapper, or for media.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stretch {
    Tag,
    Wrapper,
    Media,
}

impl Stretch {
    fn of(request: &TagRequest) -> Stretch {
        match request.purpose {
            RequestPurpose::Media => Stretch::Media,
            RequestPurpose::Wrapper => Stretch::Wrapper,
            RequestPurpose::AdTag | RequestPurpose::Other(_) => Stretch::Tag,
        }
    }

    const fn letter(self) -> char {
        match self {
            Stretch::Tag => '█',
            Stretch::Wrapper => '▓',
            Stretch::Media => '░',
        }
    }
}

/// The legend of the bars.
pub(super) const LEGEND: &str = "█ tag  ▓ wrapper  ░ media";

/// The period that bars cover, and their width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) from_us: u64,
    pub(super) to_us: u64,
    pub(super) width: usize,
}

impl Axis {
    /// Returns the column of an instant; the end is in the last one.
    fn column(&self, at_us: u64) -> usize {
        let (length, width) = (
            self.to_us.saturating_sub(self.from_us).max(1),
            self.width as u128,
        );
        let into = at_us.saturating_sub(self.from_us).min(length);
        usize::try_from(u128::from(into) * width / u128::from(length))
            .unwrap_or(self.width)
            .min(self.width)
    }

    /// Returns a bar for requests, each at least one character wide. Open requests reach to the
    /// end.
    pub(super) fn bar<'a>(&self, requests: impl Iterator<Item = &'a TagRequest>) -> String {
        let mut letters = vec![' '; self.width];
        for request in requests {
            let first = self
                .column(request.asked_us)
                .min(self.width.saturating_sub(1));
            let last = self
                .column(request.over_us().unwrap_or(self.to_us))
                .max(first + 1);
            let letter = Stretch::of(request).letter();
            // A request that takes no time must not hide one that does.
            let takes_time = request.over_us() != Some(request.asked_us);
            let cells = letters.iter_mut().take(last).skip(first);
            cells
                .filter(|it| takes_time || **it == ' ')
                .for_each(|it| *it = letter);
        }
        let bar: String = letters.into_iter().collect();
        bar.trim_end().to_owned()
    }

    /// Returns its two ends, as a heading.
    pub(super) fn ends(&self, clock: Clock) -> String {
        let (from, to) = (clock.at(self.from_us), clock.at(self.to_us));
        let gap = self.width.saturating_sub(width(&from) + width(&to)).max(1);
        format!("{from}{:gap$}{to}", "")
    }
}

/// How times are written: as seconds with three decimals, or with six where three are not enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    is_fine: bool,
}

impl Clock {
    /// Returns the format that these times need.
    pub(super) fn of(mut times: impl Iterator<Item = u64>) -> Clock {
        Clock {
            is_fine: times.any(|us| us % 1_000 != 0),
        }
    }

    pub(super) fn at(self, us: u64) -> String {
        let (seconds, rest) = (us / 1_000_000, us % 1_000_000);
        if self.is_fine {
            format!("{seconds}.{rest:06}")
        } else {
            format!("{seconds}.{:03}", rest / 1_000)
        }
    }

    /// Formats a time; an unknown one is a dash.
    pub(super) fn maybe(self, us: Option<u64>) -> String {
        us.map_or_else(|| "-".to_owned(), |us| self.at(us))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(purpose: &str, asked_us: u64, answered_us: Option<u64>) -> TagRequest {
        TagRequest {
            purpose: purpose.to_owned().into(),
            asked_us,
            answered_us,
            ..TagRequest::default()
        }
    }

    #[test]
    fn a_bar_shows_the_length_of_each_request_and_is_never_empty() {
        let axis = Axis {
            from_us: 0,
            to_us: 1_000,
            width: 10,
        };
        let requests = [
            request("ad-tag", 0, Some(300)),
            request("wrapper", 300, Some(500)),
            request("media", 500, Some(500)),
            request("media", 900, None),
        ];
        assert_eq!(axis.bar(requests.iter()), "███▓▓░   ░");
        assert_eq!(axis.bar(requests[..0].iter()), "");
        let instant = Axis {
            from_us: 5,
            to_us: 5,
            width: 4,
        };
        assert_eq!(instant.bar([request("ad-tag", 5, Some(5))].iter()), "█");
        let late = [request("ad-tag", 1_000, Some(1_000))];
        assert_eq!(axis.bar(late.iter()), "         █");
    }

    #[test]
    fn times_have_three_decimals_or_six() {
        let clock = Clock::of([120_000, 5_000_000].into_iter());
        assert_eq!(
            (clock.at(120_000), clock.maybe(None)),
            ("0.120".to_owned(), "-".to_owned())
        );
        assert_eq!(Clock::of([1].into_iter()).at(1), "0.000001");
    }
}
