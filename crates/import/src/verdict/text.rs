//! A verdict as tables.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::headline::{kinds, short, words};
use super::pixels::{sent_with, unfilled};
use super::{
    AdVerdict, BreakVerdict, PageVerdict, PixelVerdict, PlayedLength, RecordedBreakKind, TagResult,
    TagVerdict,
};
use crate::evidence::{Certainty, bare};
use playsim_base::time::{Span, Time};
use playsim_base::words::{Paint, counted, fitted, padded, seconds, width, write_rows};
use playsim_scenario::world::is_data_url;

/// The width of the picture, in columns.
const PICTURE: usize = 24;
/// The width of a tag's URL.
const NAME: usize = 26;

/// How a verdict is printed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    pub(crate) width: usize,
    pub(crate) paint: Paint,
}

impl fmt::Display for PageVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        let printer = Printer {
            width: 100,
            paint: Paint(false),
        };
        printer.headline(self, &mut out)?;
        printer.picture(self, &mut out)?;
        printer.tags(self, &mut out)?;
        printer.pixels(self, &mut out)?;
        printer.unknown(self, &mut out)?;
        f.write_str(&playsim_base::escape::lines(&out))
    }
}

impl Printer {
    /// Writes a string in lines that fit.
    pub(crate) fn wrapped(&self, head: &str, text: &str, out: &mut String) -> fmt::Result {
        write_rows(
            out,
            head,
            &[text.to_owned()],
            self.width.saturating_sub(width(head)).max(40),
        );
        Ok(())
    }

    /// Writes the result, with how sure it is where it is not seen.
    pub(crate) fn headline(&self, it: &PageVerdict, out: &mut String) -> fmt::Result {
        for sentence in &it.headline.sentences {
            let mark = match sentence.certainty {
                Certainty::Seen => String::new(),
                other @ (Certainty::Inferred | Certainty::Assumed | Certainty::Unknown) => {
                    format!("  [{other}]")
                }
            };
            self.wrapped("", &format!("{}{mark}", capital(&sentence.text)), out)?;
        }
        Ok(())
    }

    /// Writes the picture: each break with its tags on one axis, and its ads.
    pub(crate) fn picture(&self, it: &PageVerdict, out: &mut String) -> fmt::Result {
        it.breaks.iter().try_for_each(|it| self.one_break(it, out))
    }

    fn one_break(&self, it: &BreakVerdict, out: &mut String) -> fmt::Result {
        let sure = if it.certainty == Certainty::Seen {
            String::new()
        } else {
            format!(" [{}]", it.certainty)
        };
        let title = format!("{}{sure}, from {} s", kinds(it), seconds(it.begin.micros()));
        writeln!(out, "\n{}", self.paint.strong(&title))?;
        let tag_end = |tag: &TagVerdict| {
            tag.asked
                + tag
                    .waited
                    .unwrap_or_default()
                    .max(tag.took.unwrap_or_default())
        };
        let first = it.ads.first().map(|ad| ad.start);
        let end = it
            .tags
            .iter()
            .map(tag_end)
            .chain(first)
            .max()
            .unwrap_or(it.begin);
        let axis = Axis {
            from: it.begin,
            span: (end - it.begin).max(Span::from_millis(1)),
        };
        let numbers = it.tags.len().to_string().len();
        for tag in &it.tags {
            let name = padded(&fitted(short(&tag.url), NAME), NAME);
            let head = format!("  {:>numbers$}  {name} {} ", tag.number, axis.bar(tag));
            let mut text = words(tag);
            if tag.together {
                text.push_str("; asked at once with others");
            }
            let text = format!("{text}  [{}]", tag.certainty);
            self.wrapped(&head, &text, out)?;
        }
        for ad in &it.ads {
            self.ad(it, ad, out)?;
        }
        for ad in &it.missing {
            let name = ad.id.as_deref().unwrap_or("ad");
            let text = format!("was not shown: {}  [entry {}]", ad.words, ad.entry);
            self.wrapped(&format!("  {}  ", fitted(name, NAME)), &text, out)?;
        }
        Ok(())
    }

    fn ad(&self, it: &BreakVerdict, ad: &AdVerdict, out: &mut String) -> fmt::Result {
        let name = ad.id.as_deref().unwrap_or("ad");
        let after = seconds((ad.start - it.begin).micros());
        let mut text = format!(
            "began at {} s, {after} s after the break",
            seconds(ad.start.micros())
        );
        match &ad.end {
            Some((end, how)) => {
                let _ = write!(
                    text,
                    "; {how} after {} s",
                    seconds((*end - ad.start).micros())
                );
            }
            None => text.push_str("; no pixel shows its end"),
        }
        if let Some(documented) = ad.documented {
            let _ = write!(text, ", {} s by its document", seconds(documented.micros()));
        }
        let (entry, by) = &ad.shown_by;
        let _ = write!(text, "  [{by}, entry {entry}]");
        self.wrapped(&format!("  {}  ", fitted(name, NAME)), &text, out)?;
        match &ad.played {
            PlayedLength::AsDocumented | PlayedLength::Unknown => Ok(()),
            PlayedLength::OtherLength { .. }
            | PlayedLength::OtherPace { .. }
            | PlayedLength::FiredEarly { .. } => {
                self.wrapped("      ", &played(ad).unwrap_or_default(), out)
            }
        }
    }

    /// Writes the answer of each tag, with its redirects and wrappers.
    pub(crate) fn tags(&self, it: &PageVerdict, out: &mut String) -> fmt::Result {
        writeln!(out, "\n{}", self.paint.strong("tags"))?;
        let head = format!("  {:>3} {:>9} {:>8} {:>8}  ", "", "asked", "took", "waited");
        writeln!(out, "{}", self.paint.faint(&format!("{head}answer")))?;
        let span =
            |span: Option<Span>| span.map_or_else(String::new, |span| seconds(span.micros()));
        for one in &it.breaks {
            for tag in &one.tags {
                let status = tag
                    .status
                    .map_or_else(String::new, |status| format!("{status}, "));
                let head = format!(
                    "  {:>3} {:>9} {:>8} {:>8}  ",
                    tag.number,
                    seconds(tag.asked.micros()),
                    span(tag.took),
                    span(tag.waited)
                );
                self.wrapped(
                    &head,
                    &format!("{status}{}  [entry {}]", tag.answer, tag.entry),
                    out,
                )?;
                writeln!(out, "      {}", readable(&tag.url))?;
                self.unfilled("      ", &tag.url, out)?;
                for hop in &tag.hops {
                    let what = if hop.is_redirect {
                        "redirect"
                    } else if hop.hop == 0 {
                        "tag"
                    } else {
                        "wrapper"
                    };
                    let head = format!(
                        "      {what:8} {:>8} {:>8}  ",
                        seconds(hop.asked.micros()),
                        span(hop.took)
                    );
                    self.wrapped(&head, &hop.how, out)?;
                    writeln!(out, "               {}", readable(&hop.url))?;
                    self.unfilled("               ", &hop.url, out)?;
                }
                if !tag.codes.is_empty() {
                    let codes: Vec<String> = tag.codes.iter().map(u16::to_string).collect();
                    writeln!(out, "      error pixels: {}", codes.join(", "))?;
                }
            }
        }
        if let Some(limit) = &it.limit {
            let text = match limit.upper {
                Some(upper) if limit.lower == upper => {
                    format!(
                        "the player gives up after {} s  [inferred]",
                        seconds(upper.micros())
                    )
                }
                Some(upper) => format!(
                    "the player gives up after {} to {} s  [inferred]",
                    seconds(limit.lower.micros()),
                    seconds(upper.micros())
                ),
                None => {
                    format!(
                        "the player waited for {} s without giving up  [seen]",
                        seconds(limit.lower.micros())
                    )
                }
            };
            writeln!(out, "  {text}")?;
        }
        Ok(())
    }

    /// Writes which macros a URL was sent with.
    fn unfilled(&self, indent: &str, url: &str, out: &mut String) -> fmt::Result {
        let macros = unfilled(url);
        if macros.is_empty() {
            return Ok(());
        }
        self.wrapped(indent, &sent_with(&macros), out)
    }

    /// Writes the pixels as they were sent.
    pub(crate) fn pixels(&self, it: &PageVerdict, out: &mut String) -> fmt::Result {
        let faulty = it
            .pixels
            .iter()
            .filter(|pixel| !pixel.faults.is_empty())
            .count();
        let is_unknown = |tag: &TagVerdict| matches!(tag.outcome, TagResult::Unknown { .. });
        let title = match (it.pixels.len(), faulty) {
            (0, _) if it.tags().all(is_unknown) => {
                "which requests are pixels is unknown".to_owned()
            }
            (0, _) => "no pixels were sent".to_owned(),
            (count, 0) => format!("{} as sent", counted(count, "pixel")),
            (count, faulty) => format!(
                "{} as sent, {faulty} of them faulty",
                counted(count, "pixel")
            ),
        };
        writeln!(out, "\n{}", self.paint.strong(&title))?;
        it.pixels
            .iter()
            .try_for_each(|pixel| self.pixel(pixel, out))
    }

    fn pixel(&self, pixel: &PixelVerdict, out: &mut String) -> fmt::Result {
        let status = pixel
            .status
            .map_or_else(|| "-".to_owned(), |status| status.to_string());
        let hop = pixel
            .hop
            .map_or_else(|| "-".to_owned(), |hop| hop.to_string());
        let head = format!(
            "  {:>9} {status:>4}  {} {hop:>3}  ",
            seconds(pixel.at.micros()),
            padded(&fitted(pixel.event.name(), 14), 14)
        );
        let room = self.width.saturating_sub(width(&head)).max(20);
        let line = format!("{head}{}", fitted(&pixel.url, room));
        writeln!(
            out,
            "{}",
            if pixel.faults.is_empty() {
                line
            } else {
                self.paint.bad(&line)
            }
        )?;
        let faults: Vec<String> = pixel.faults.iter().map(ToString::to_string).collect();
        if faults.is_empty() {
            Ok(())
        } else {
            self.wrapped("             ", &faults.join("; "), out)
        }
    }

    /// Writes the unknown parts of the recording.
    pub(crate) fn unknown(&self, it: &PageVerdict, out: &mut String) -> fmt::Result {
        if it.unknown.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "\n{}",
            self.paint.strong("what the recording cannot tell")
        )?;
        for one in &it.unknown {
            let how = one
                .next_time
                .as_ref()
                .map_or_else(String::new, |how| format!("; {how}"));
            self.wrapped("  ", &format!("{}{how}", one.what), out)?;
        }
        Ok(())
    }
}

/// Returns the finding about the spacing of an ad's pixels, if it is not as documented.
pub(crate) fn played(ad: &AdVerdict) -> Option<String> {
    let documented = ad
        .documented
        .map_or_else(String::new, |span| seconds(span.micros()));
    match &ad.played {
        PlayedLength::AsDocumented | PlayedLength::Unknown => None,
        PlayedLength::OtherLength { file } => Some(format!(
            "the file is {} s long, as its header says; the document says {documented} s",
            seconds(file.micros())
        )),
        PlayedLength::OtherPace { length } => Some(format!(
            "all quarters are off by the same share, as if it lasted {} s and not {documented} s: either the file is that \
             long, or they were fired so; the recording does not have the header of the file",
            seconds(length.micros())
        )),
        PlayedLength::FiredEarly { events, file } => {
            let each: Vec<String> = events
                .iter()
                .map(|(event, by)| format!("{event} by {} s", seconds(by.micros())))
                .collect();
            let why = match file {
                Some(file) => format!(
                    "the file is {} s long, as its header says",
                    seconds(file.micros())
                ),
                None => format!(
                    "the others do not show another length than the documented {documented} s"
                ),
            };
            Some(format!("fired early: {}; {why}", each.join(", ")))
        }
    }
}

struct Axis {
    from: Time,
    span: Span,
}

impl Axis {
    /// Returns the bar of a tag: solid until it was answered, dotted where the page waited for
    /// nothing.
    fn bar(&self, tag: &TagVerdict) -> String {
        let column = |at: Time| {
            let at = (at - self.from).micros().saturating_mul(PICTURE as u64);
            usize::try_from(at / self.span.micros().max(1))
                .unwrap_or(PICTURE)
                .min(PICTURE)
        };
        let took = tag.took.unwrap_or_default();
        let (letter, long) = match tag.outcome {
            TagResult::GivenUp { between } => ('╳', between.1),
            TagResult::Unknown { .. } => ('░', took.max(tag.waited.unwrap_or_default())),
            TagResult::NoAd { .. } | TagResult::Failed { .. } => ('▒', took),
            TagResult::Filled { .. }
            | TagResult::ShownLate { .. }
            | TagResult::AnsweredNotShown { .. }
            | TagResult::Scheduled { .. } => ('█', took),
        };
        let from = column(tag.asked).min(PICTURE - 1);
        let to = column(tag.asked + long).max(from + 1);
        (0..PICTURE)
            .map(|at| {
                if (from..to).contains(&at) {
                    letter
                } else {
                    ' '
                }
            })
            .collect()
    }
}

/// Returns a string with a capital as its first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

impl BreakVerdict {
    /// Returns whether it is the request for a schedule, which has no ads itself.
    #[must_use]
    pub fn is_schedule(&self) -> bool {
        self.kinds == [RecordedBreakKind::Schedule]
    }
}

/// Returns a URL as it can be read: of a `data:` URL without its data.
fn readable(url: &str) -> Cow<'_, str> {
    if is_data_url(url) {
        Cow::Owned(format!("{},…", bare(url)))
    } else {
        Cow::Borrowed(url)
    }
}
