//! The width and height of a player, as its configuration gives them.
//!
//! A side is a number of pixels, a percentage of the window, or follows from the other side by an
//! aspect ratio. Two ratios leave the width open: it is 640 pixels then, and the ratio given as the
//! height counts.
//!
//! Rules: INIT-2, INIT-3, SIZE-1, SIZE-3.

use playsim_base::number::Decimal;

/// Width and height of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size(Form);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Sides { width: Length, height: Length },
    Width(Length, Ratio),
    Height(Length, Ratio),
}

/// A side as written in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Length(Length),
    /// Follows from the other side.
    Ratio(Ratio),
}

/// How long a side is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Length {
    Pixels(u64),
    /// A percentage of the window.
    Percent(Decimal),
}

/// Width to height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Ratio {
    width: u32,
    height: u32,
}

/// Width and height if not given. Rule INIT-2.
pub(super) const USUAL: (Side, Side) = (
    Side::Length(Length::Pixels(640)),
    Side::Length(Length::Pixels(360)),
);

impl Side {
    /// Reads digits, a percentage such as `50%`, or a ratio such as `16x9`; `None` if it is none of
    /// them.
    pub(super) fn read(text: &str) -> Option<Side> {
        if let Some(percent) = text.strip_suffix('%') {
            let is_plain = percent
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
            return percent
                .parse::<Decimal>()
                .ok()
                .filter(|_| is_plain)
                .map(|it| Side::Length(Length::Percent(it)));
        }
        if let Some((width, height)) = text.split_once('x') {
            let ratio = Ratio {
                width: number(width)?,
                height: number(height)?,
            };
            return (ratio.width > 0 && ratio.height > 0).then_some(Side::Ratio(ratio));
        }
        number(text).map(|pixels| Side::Length(Length::Pixels(pixels.into())))
    }
}

/// Reads digits only: `parse` would also accept a sign.
fn number(digits: &str) -> Option<u32> {
    digits
        .parse()
        .ok()
        .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Length {
    fn in_window(self, side_of_window: u32) -> u64 {
        match self {
            Length::Pixels(pixels) => pixels,
            Length::Percent(percent) => {
                let whole = i128::from(percent.millionths()) * i128::from(side_of_window);
                u64::try_from(whole / 100_000_000).unwrap_or_default()
            }
        }
    }
}

impl Size {
    pub(super) fn new(width: Side, height: Side) -> Size {
        Size(match (width, height) {
            (Side::Length(width), Side::Length(height)) => Form::Sides { width, height },
            (Side::Length(width), Side::Ratio(ratio)) => Form::Width(width, ratio),
            (Side::Ratio(ratio), Side::Length(height)) => Form::Height(height, ratio),
            (Side::Ratio(_), Side::Ratio(ratio)) => Form::Width(Length::Pixels(640), ratio),
        })
    }

    /// A size in pixels.
    pub(crate) fn of_pixels(width: u64, height: u64) -> Size {
        Size(Form::Sides {
            width: Length::Pixels(width),
            height: Length::Pixels(height),
        })
    }

    /// Width and height in whole pixels in a window of the given width and height.
    #[must_use]
    pub fn in_window(self, window: (u32, u32)) -> (u64, u64) {
        match self.0 {
            Form::Sides { width, height } => {
                (width.in_window(window.0), height.in_window(window.1))
            }
            Form::Width(width, ratio) => {
                let width = width.in_window(window.0);
                (
                    width,
                    width.saturating_mul(ratio.height.into()) / u64::from(ratio.width),
                )
            }
            Form::Height(height, ratio) => {
                let height = height.in_window(window.1);
                (
                    height.saturating_mul(ratio.width.into()) / u64::from(ratio.height),
                    height,
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_digits_a_percentage_or_a_ratio() {
        let size = |width: &str, height: &str| {
            let (width, height) = (Side::read(width).unwrap(), Side::read(height).unwrap());
            Size::new(width, height).in_window((1280, 720))
        };
        assert_eq!(size("640", "0"), (640, 0));
        assert_eq!(size("50%", "33.333333%"), (640, 239));
        assert_eq!(size("100%", "16x9"), (1280, 720));
        assert_eq!(size("4x3", "300"), (400, 300));
        assert_eq!(size("4x3", "16x9"), (640, 360));
        for wrong in [
            "", "wide", "-1", "+1", "1.5", "10px", "%", "-5%", "1e2%", "x", "0x9", "16x", "16x9x4",
        ] {
            assert_eq!(Side::read(wrong), None, "{wrong}");
        }
    }
}
