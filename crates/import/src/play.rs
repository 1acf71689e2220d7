//! A recording from evidence to verdict to simulation, and its printed forms.

use std::borrow::Cow;
use std::fmt::{self, Write};

use serde::Serialize;

use super::certainty::{Certainty, Note};
use super::evidence::{Evidence, Hints};
use super::recording::RequestRecording;
use super::simulation::{PageDifference, PageSimulation, PlaySettings, Player, Rank, View};
use super::verdict::{PageVerdict, Printer};
use super::{ImportFault, verdict};
use playsim_base::escape;
use playsim_base::words::{Paint, counted, seconds};
use playsim_report::waterfall::Detail;
use playsim_scenario::{Overrides, Scenario};

/// The smallest and largest widths of a table that are readable.
const WIDTH: (usize, usize) = (80, 160);

/// A recording, understood and played.
#[derive(Debug)]
pub struct PlayedRecording {
    /// The evidence of each request.
    pub evidence: Evidence,
    /// The verdict about the page.
    pub verdict: PageVerdict,
    /// The simulation of the documented player in the same world; `None` if the recording has no
    /// bodies.
    pub simulation: Option<PageSimulation>,
    /// How the recording was read, the assumptions of the simulation, and how to overrule them.
    pub notes: Vec<Note>,
}

/// Finds the evidence of a recording, the verdict about the page, and the documented player's
/// behaviour in the same world.
///
/// ```
/// use playsim_import::{Hints, PlaySettings, play, read};
///
/// // The archive of a page with two tags, as a browser saves it.
/// let archive = include_str!("../../../fixtures/recordings/by_hand/late.har");
/// let mut no_files = |_: &str| Err(std::io::ErrorKind::NotFound.into());
/// let recording = read("late.har", archive.as_bytes(), &mut no_files)?;
///
/// let mut settings = PlaySettings::default();
/// settings.overrides.set_knob("ad.timeout", "10s")?;
/// let played = play(recording, Hints::default(), &settings)?;
///
/// // The page, from the recording alone: it gave up on its first tag, and showed the second's ad.
/// assert!(played.verdict.is_shown());
/// // The documented player with the same answers would have waited and shown another ad.
/// let simulation = played.simulation.as_ref().ok_or("without bodies nothing is simulated")?;
/// assert!(simulation.report.is_filled() && !played.is_as_documented());
/// println!("{}", played.text(100, false, Default::default()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If no request is an ad tag.
pub fn play(
    recording: RequestRecording,
    hints: Hints,
    settings: &PlaySettings,
) -> Result<PlayedRecording, ImportFault> {
    play_changed(recording, hints, settings, |_| ())
}

/// Does the same as [`play`], and lets `change` change the scenario before it is played: other
/// responses, acts of a person, a seed.
///
/// # Errors
///
/// If no request is an ad tag, or the changed scenario cannot be played.
pub fn play_changed(
    recording: RequestRecording,
    hints: Hints,
    settings: &PlaySettings,
    change: impl FnOnce(&mut Scenario),
) -> Result<PlayedRecording, ImportFault> {
    let evidence = Evidence::of(recording, hints)?;
    let verdict = PageVerdict::of(&evidence);
    let mut notes = evidence.notes.clone();
    let mut simulation = None;
    if !evidence.is_bodiless() {
        let (mut scenario, concluded) = scenario(&evidence, &verdict, &settings.overrides);
        change(&mut scenario);
        notes.extend(concluded);
        let within = settings.within.max(evidence.recording.clock.slack());
        let played = PageSimulation::of(&evidence, &verdict, scenario, within);
        simulation = Some(played.map_err(|error| ImportFault::NotPlayable(error.to_string()))?);
    }
    notes.extend(removed(&evidence));
    Ok(PlayedRecording {
        evidence,
        verdict,
        simulation,
        notes,
    })
}

/// Returns the scenario that plays the recorded page, and its assumptions.
#[must_use]
pub fn scenario(
    evidence: &Evidence,
    verdict: &PageVerdict,
    overrides: &Overrides,
) -> (Scenario, Vec<Note>) {
    Player { evidence, verdict }.scenario(overrides)
}

/// Names the secrets that were removed, if any.
#[must_use]
pub fn removed(evidence: &Evidence) -> Option<Note> {
    let names = evidence.removed.join(", ");
    (!names.is_empty()).then(|| {
        Note::seen(format!(
            "left out as secrets: {names}; --keep-secrets keeps those in URLs and documents"
        ))
    })
}

#[derive(Serialize)]
struct All<'a> {
    verdict: &'a PageVerdict,
    evidence: &'a Evidence,
    simulation: Option<View<'a>>,
    notes: &'a [Note],
}

impl PlayedRecording {
    /// Returns the deviations of the page from the documented behaviour, the worst first.
    #[must_use]
    pub fn differences(&self) -> &[PageDifference] {
        self.simulation
            .as_ref()
            .map(|it| &*it.differences)
            .unwrap_or_default()
    }

    /// Returns whether an ad was shown in every break, as documented, and nothing essential is
    /// unknown.
    #[must_use]
    pub fn is_as_documented(&self) -> bool {
        self.verdict.is_shown() && self.differences().is_empty()
    }

    /// Returns how sure the time limit of a tag is that was simulated with these overrides.
    #[must_use]
    pub fn limit_certainty(&self, overrides: &Overrides) -> Certainty {
        match &self.verdict.limit {
            _ if overrides.sets_knob("ad.timeout") => Certainty::Assumed,
            Some(_) => Certainty::Inferred,
            None => Certainty::Unknown,
        }
    }

    /// Returns one JSON object, indented, without a line feed at its end.
    #[must_use]
    pub fn json(&self) -> String {
        let all = All {
            verdict: &self.verdict,
            evidence: &self.evidence,
            simulation: self.simulation.as_ref().map(PageSimulation::view),
            notes: &self.notes,
        };
        let text = serde_json::to_string_pretty(&all)
            .expect("strings and numbers can always be written as JSON");
        escape::json(&text).into_owned()
    }

    /// Returns tables for reading, in a width in columns: what the page did first, the simulation
    /// last. `color` marks differences for terminals, unless strings contain control characters;
    /// those are shown escaped. Rule TRACE-9.
    #[must_use]
    pub fn text(&self, width: usize, color: bool, detail: Detail) -> String {
        let mut out = match escape::lines(&self.recorded(width, false)) {
            Cow::Borrowed(_) if color => self.recorded(width, true),
            shown @ (Cow::Borrowed(_) | Cow::Owned(_)) => shown.into_owned(),
        };
        if let Some(it) = &self.simulation {
            out.push_str("\nsimulated: a player that follows the rules, with the same answers\n\n");
            out.push_str(&it.report.detailed_text(width, color, detail));
            out.push('\n');
            out.push_str(&it.comparison.text(width, color));
        }
        out
    }

    fn recorded(&self, width: usize, color: bool) -> String {
        let printer = Printer {
            width: width.clamp(WIDTH.0, WIDTH.1),
            paint: Paint(color),
        };
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(printer, &mut out);
        out
    }

    fn write(&self, printer: Printer, out: &mut String) -> fmt::Result {
        let recording = &self.evidence.recording;
        let by = if recording.tool.is_empty() {
            String::new()
        } else {
            format!(", {}", recording.tool)
        };
        let count = counted(recording.sent(), "request");
        writeln!(
            out,
            "{}",
            printer
                .paint
                .faint(&format!("recorded: {}{by}, {count}", recording.name))
        )?;
        printer.headline(&self.verdict, out)?;
        let unknown = self.verdict.unknown.len();
        let left = match (&self.simulation, self.differences().len()) {
            (None, _) => "without bodies nothing can be simulated".to_owned(),
            (Some(_), 0) if self.verdict.headline.is_unknown => {
                "nothing that is known differs from the rules".to_owned()
            }
            (Some(_), 0) => "nothing differs from the rules".to_owned(),
            (Some(_), count) => format!("{} from the rules", counted(count, "difference")),
        };
        let unknown = if unknown > 0 {
            format!("; {unknown} unknown, see below")
        } else {
            String::new()
        };
        writeln!(out, "{left}{unknown}")?;
        if let Some(player) = self.played_as() {
            writeln!(out, "the rules are those of {player}")?;
        }
        printer.picture(&self.verdict, out)?;
        self.differences_text(printer, out)?;
        printer.tags(&self.verdict, out)?;
        self.grounds(printer, out)?;
        printer.pixels(&self.verdict, out)?;
        printer.unknown(&self.verdict, out)?;
        if !self.notes.is_empty() {
            writeln!(out, "\n{}", printer.paint.strong("how it was read"))?;
            self.notes
                .iter()
                .try_for_each(|note| printer.wrapped("  ", &note.to_string(), out))?;
        }
        Ok(())
    }

    /// The player that the page was held against, and what is known of it; `None` if it is the
    /// documented one.
    pub(crate) fn played_as(&self) -> Option<String> {
        self.simulation.as_ref()?.scenario.profile.basis()
    }

    fn differences_text(&self, printer: Printer, out: &mut String) -> fmt::Result {
        let Some(it) = self
            .simulation
            .as_ref()
            .filter(|it| !it.differences.is_empty())
        else {
            return Ok(());
        };
        let within = seconds(it.comparison.within_us);
        let title = "where the page differed from the rules";
        writeln!(
            out,
            "\n{} (differences in time up to {within} s are ignored)",
            printer.paint.strong(title)
        )?;
        for (index, one) in it.differences.iter().enumerate() {
            let times = if one.count > 1 {
                format!(" ({} times)", one.count)
            } else {
                String::new()
            };
            let line = format!(
                "{}{times}  [{}, {}]",
                one.what,
                one.rank.word(),
                one.certainty
            );
            printer.wrapped(&format!("{:>3}  ", index + 1), &line, out)?;
            let why = one.why.as_deref().unwrap_or("reason unknown");
            let rule = one
                .rule
                .as_ref()
                .map_or_else(String::new, |rule| format!("  (due by {rule})"));
            printer.wrapped("     ", &format!("{why}{rule}"), out)?;
        }
        Ok(())
    }

    /// Writes why tags are judged as they are, where that is not seen.
    fn grounds(&self, printer: Printer, out: &mut String) -> fmt::Result {
        for tag in self.verdict.tags() {
            let found = || {
                verdict::is_found(&self.evidence, tag)
                    .map(|ground| format!("it is a tag, since {ground}"))
            };
            if let Some(reason) = verdict::reason(&self.evidence, tag).or_else(found) {
                let text = format!(
                    "{}: {reason}  [{}]",
                    verdict::short(&tag.url),
                    tag.certainty
                );
                printer.wrapped("  ", &text, out)?;
            }
        }
        Ok(())
    }
}

impl Rank {
    /// Returns the words for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Rank::NotCounted => "not shown or not counted",
            Rank::CountedWrongly => "counted wrongly",
            Rank::WrongCode => "wrong code",
            Rank::WrongTime => "wrong time",
            Rank::Cosmetic => "cosmetic",
        }
    }
}
