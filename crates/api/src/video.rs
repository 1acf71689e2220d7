//! Videos: the record that the service has of one, and its media.
//!
//! The fields of a record are a table, [`fields`](fields()), with one reader.
//!
//! Rules: CH-9 to CH-12, QUAL-1, QUAL-2, META-1, PL-19, CLICK-1.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use playsim_base::named::{from_str, named};
use playsim_base::value::Value;

mod countries;
mod fault;
mod fields;
mod kind;
mod read;
mod record;
mod slot;
mod text;
mod timestamp;

pub use fault::{InvalidValue, ValueSource};
pub use fault::{proposing, quoted};
pub use fields::{Field, Group, field, fields};
pub use fields::{ID, OWNER};
pub use fields::{Inline, LAST};
pub use kind::{FieldKind, Shape};
pub use read::{Seen, Written};
pub use record::{AgeGate, PIXELS, RecordState, VideoRecord};
pub use timestamp::read_timestamp;

/// A video as the player sees it: its record and its media.
///
/// The fields of the record are available on the video itself, as in `video.name`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Video {
    /// Its record.
    pub record: VideoRecord,
    /// Media URLs by rendition.
    pub renditions: Vec<(Rendition, Arc<str>)>,
    /// Ad objects at video level, as page code would write them. Rule AD-13.
    pub ads: Vec<Value>,
}

impl Deref for Video {
    type Target = VideoRecord;
    fn deref(&self) -> &VideoRecord {
        &self.record
    }
}

/// A day of the calendar, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

from_str!(Day, "a day as day-month-year, like 31-01-2024");

impl Day {
    fn read(text: &str) -> Option<Day> {
        let is_formed = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                2 | 5 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i16>().ok();
        let (day, month, year) = (number(0..2)?, number(3..5)?, number(6..10)?);
        let (day, month) = (i8::try_from(day).ok()?, i8::try_from(month).ok()?);
        let date = jiff::civil::Date::new(year, month, day)
            .ok()
            .filter(|_| is_formed)?;
        let days = date
            .since((jiff::Unit::Day, jiff::civil::date(1970, 1, 1)))
            .ok()?
            .get_days();
        Some(Day(days))
    }

    /// Returns the day in UTC of an instant in microseconds since 1970-01-01. Rule CLK-10.
    #[must_use]
    pub fn of_micros(micros: i64) -> Day {
        const MICROS_PER_DAY: i64 = 24 * 3600 * 1_000_000;
        Day(i32::try_from(micros.div_euclid(MICROS_PER_DAY)).unwrap_or(i32::MAX))
    }
}

/// As it is written: `31-01-2024`.
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let epoch = jiff::civil::date(1970, 1, 1);
        // Days outside the calendar are written as its first or last day.
        let end = if self.0 < 0 {
            jiff::civil::Date::MIN
        } else {
            jiff::civil::Date::MAX
        };
        let days = jiff::Span::new().try_days(self.0);
        let date = days.map_or(end, |days| epoch.saturating_add(days));
        write!(
            f,
            "{:02}-{:02}-{:04}",
            date.day(),
            date.month(),
            date.year()
        )
    }
}

/// A chapter as the record holds it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChapterMark {
    /// When it begins, as written. Rule CH-9.
    pub timestamp: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
}

named! {
    /// A rendition, from the lowest quality to the highest. Rules QUAL-1, QUAL-2.
    Rendition {
        Ld "ld" "Low definition.",
        Sd "sd" "Standard definition.",
        Hsd "hsd" "High standard definition.",
        Hd "hd" "High definition.",
        Fhd "fhd" "Full high definition.",
    }
}

impl Video {
    /// A video with this id, without media.
    #[must_use]
    pub fn new(id: impl Into<Arc<str>>) -> Video {
        Video {
            record: VideoRecord {
                id: id.into(),
                ..VideoRecord::default()
            },
            ..Video::default()
        }
    }

    /// Adds the media URL of a rendition.
    #[must_use]
    pub fn with_rendition(mut self, rendition: Rendition, url: impl Into<Arc<str>>) -> Video {
        self.renditions.push((rendition, url.into()));
        self
    }

    /// Returns the same video with another record.
    #[must_use]
    pub fn with_record(&self, record: VideoRecord) -> Video {
        Video {
            record,
            renditions: self.renditions.clone(),
            ads: self.ads.clone(),
        }
    }

    /// Returns the media URL of a rendition, if it has that one.
    #[must_use]
    pub fn address(&self, rendition: Rendition) -> Option<&Arc<str>> {
        self.renditions
            .iter()
            .find(|(known, _)| *known == rendition)
            .map(|(_, address)| address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_day_month_year() {
        for text in ["01-01-1970", "31-12-1969", "29-02-2024", "01-01-0001"] {
            assert_eq!(
                text.parse::<Day>()
                    .ok()
                    .map(|day| day.to_string())
                    .as_deref(),
                Some(text)
            );
        }
        for wrong in [
            "",
            "2024-01-31",
            "1-2-2024",
            "30-02-2024",
            "00-00-0000",
            "31-01-24",
            " 1-01-2024",
        ] {
            assert_eq!(wrong.parse::<Day>().ok(), None, "{wrong}");
        }
        assert_eq!(Day::of_micros(-1), "31-12-1969".parse::<Day>().unwrap());
        assert_eq!(Day::of_micros(i64::MAX).to_string(), "31-12-9999");
        assert!(!Day::of_micros(i64::MIN).to_string().is_empty());
        assert!("31-12-1999".parse::<Day>().ok() < "01-01-2000".parse::<Day>().ok());
    }
}
