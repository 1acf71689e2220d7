//! Evidence as a table and as JSON: one row for each request that has to do with ads.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

use super::{Bodies, Certainty, Evidence, Ground, Role, bare};
use crate::certainty::Note;
use crate::recording::{Exchange, RecordedOutcome};
use playsim_base::escape;
use playsim_base::words::{counted, seconds};
use playsim_vast::TrackedEvent;

/// The findings about one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvidenceRow {
    /// The position in the file, from 0.
    pub entry: usize,
    /// Its role: `tag`, `hop`, `redirect`, `media`, `interactive`, `verification`, `pixel`,
    /// `content`, `bid`, `unit`, `ignored`, `other`.
    pub role: &'static str,
    /// Of a pixel: its event.
    pub event: Option<TrackedEvent>,
    /// How sure that is.
    pub certainty: Certainty,
    /// Why.
    pub ground: Ground,
    /// When it was asked.
    pub asked_us: u64,
    /// When it was over.
    pub over_us: Option<u64>,
    /// The script that asked for it.
    pub by: Option<String>,
    /// The browser's resource type.
    pub purpose: Option<String>,
    /// The URL.
    pub url: String,
    /// The status.
    pub status: Option<u16>,
    /// The browser's words, if it failed.
    pub words: Option<String>,
    /// Of an ad document: the answer.
    pub answer: Option<super::RecordedAnswer>,
}

#[derive(Serialize)]
struct View<'a> {
    recording: &'a str,
    tool: &'a str,
    epoch_us: Option<i64>,
    bodies: Bodies,
    requests: Vec<EvidenceRow>,
    gaps_us: Vec<[u64; 2]>,
    removed: &'a [String],
    notes: &'a [Note],
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        View {
            recording: &self.recording.name,
            tool: &self.recording.tool,
            epoch_us: self.recording.epoch_micros,
            bodies: self.bodies,
            requests: self.rows(),
            gaps_us: self
                .gaps
                .iter()
                .map(|(from, to)| [from.micros(), to.micros()])
                .collect(),
            removed: &self.removed,
            notes: &self.notes,
        }
        .serialize(serializer)
    }
}

impl Evidence {
    /// Returns the findings about each request that concerns ads or the content.
    #[must_use]
    pub fn rows(&self) -> Vec<EvidenceRow> {
        self.each()
            .filter(|(finding, _)| !matches!(finding.role, Role::Other | Role::Ignored))
            .map(|(finding, it)| self.row(finding, it))
            .collect()
    }

    fn row(&self, finding: &super::RequestFinding, it: &Exchange) -> EvidenceRow {
        let (role, event) = match finding.role {
            Role::Document(document) if self.documents[document].tag == document => ("tag", None),
            Role::Document(_) => ("hop", None),
            Role::Redirected(_) => ("redirect", None),
            Role::Media(_) => ("media", None),
            Role::Interactive(_) => ("interactive", None),
            Role::Verification(_) => ("verification", None),
            Role::Pixel(name) => ("pixel", self.names.all[name].what.tracked().cloned()),
            Role::Content => ("content", None),
            Role::Aside if finding.ground == Ground::Bid => ("bid", None),
            Role::Aside => ("unit", None),
            Role::Ignored => ("ignored", None),
            Role::Other => ("other", None),
        };
        let answer = if let Role::Document(document) = finding.role {
            Some(self.answered(document))
        } else {
            None
        };
        let status = match it.outcome {
            RecordedOutcome::Response(status) | RecordedOutcome::Redirect(status, _) => {
                Some(status)
            }
            RecordedOutcome::Failed(_)
            | RecordedOutcome::BrokeOff(_)
            | RecordedOutcome::Unknown => None,
        };
        EvidenceRow {
            entry: it.number,
            role,
            event,
            certainty: finding.certainty,
            ground: finding.ground.clone(),
            asked_us: it.at().micros(),
            over_us: it.time.map(|_| it.over().micros()),
            by: it.initiator.as_ref().map(ToString::to_string),
            purpose: it.purpose.clone(),
            url: it.url.to_string(),
            status,
            words: it.outcome.words().map(str::to_owned),
            answer,
        }
    }

    /// Returns one JSON object, indented, without a line feed at its end.
    #[must_use]
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self)
            .expect("strings and numbers can always be written as JSON");
        escape::json(&text).into_owned()
    }

    /// Returns the reason for the role of a request, with the positions of the requests that show
    /// it.
    #[must_use]
    pub fn ground(&self, ground: &Ground) -> String {
        let entry = |index: &usize| {
            self.recording
                .exchanges
                .get(*index)
                .map_or(*index, |it| it.number)
        };
        let document = |index: &usize| {
            self.documents
                .get(*index)
                .map_or(0, |it| entry(&it.exchange))
        };
        match ground {
            Ground::Body => "its answer is an ad document".to_owned(),
            Ground::InsideJson { field } => {
                format!("an ad document is in the field {field} of its answer")
            }
            Ground::Named { document: index } => {
                format!("the answer of entry {} names it", document(index))
            }
            Ground::NamedBySeveral { document: index } => {
                format!(
                    "several answers name it; the ad of entry {} was on the screen",
                    document(index)
                )
            }
            Ground::LastUrl { document: index } => format!(
                "the wrapper of entry {} names a URL that was redirected to it",
                document(index)
            ),
            Ground::Bid => {
                "its answer has ads, of which the page played none from there".to_owned()
            }
            Ground::OfUnit => "an ad's own program asked for it".to_owned(),
            Ground::Redirect { from } => format!("entry {} was redirected to it", entry(from)),
            Ground::Hint => "an option says so".to_owned(),
            Ground::SameUrl { tag } => {
                format!("it has the URL of entry {}, but for the query", entry(tag))
            }
            Ground::FillsGap { after, before } => {
                format!(
                    "it fills the gap between entries {} and {}",
                    entry(after),
                    entry(before)
                )
            }
            Ground::Precedes { tag } => {
                format!("entry {} followed as soon as it was over", entry(tag))
            }
            Ground::Follows { tag } => {
                format!("it followed as soon as entry {} was over", entry(tag))
            }
            Ground::Nothing => "nothing names it".to_owned(),
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        for row in self.rows() {
            let status = row
                .status
                .map(|status| status.to_string())
                .or(row.words.clone());
            let event = row
                .event
                .map_or_else(String::new, |event| format!(" {event}"));
            out.push_str(&format!(
                "{:>4} {:>9}  {}{event}  {}  {}  [{}: {}]\n",
                row.entry,
                seconds(row.asked_us),
                row.role,
                status.as_deref().unwrap_or("-"),
                row.url,
                row.certainty,
                self.ground(&row.ground)
            ));
        }
        f.write_str(&escape::lines(&out))
    }
}

/// Returns which requests are taken for ad tags although their answers do not say so: one sentence
/// for each URL and ground.
pub(super) fn taken(evidence: &Evidence) -> Vec<Note> {
    let mut all: BTreeMap<(&str, &'static str), Vec<usize>> = BTreeMap::new();
    for (document, it) in evidence
        .documents
        .iter()
        .enumerate()
        .filter(|(_, it)| it.by.is_none())
    {
        let finding = &evidence.findings[it.exchange];
        let kind = match finding.ground {
            Ground::SameUrl { .. } => "same URL",
            Ground::FillsGap { .. } => "gap",
            Ground::Precedes { .. } | Ground::Follows { .. } => "order",
            Ground::Body
            | Ground::InsideJson { .. }
            | Ground::Named { .. }
            | Ground::NamedBySeveral { .. }
            | Ground::LastUrl { .. }
            | Ground::Bid
            | Ground::OfUnit
            | Ground::Redirect { .. }
            | Ground::Hint
            | Ground::Nothing => continue,
        };
        all.entry((bare(&evidence.exchange(document).url), kind))
            .or_default()
            .push(document);
    }
    let note = |((url, _), documents): ((&str, &str), Vec<usize>)| {
        let finding = evidence.finding(documents[0]);
        let answered = in_words(evidence.answer(documents[0]));
        let ground = evidence.ground(&finding.ground);
        let more = match documents.len() {
            1 => String::new(),
            count => format!(
                "; so are {} of the same URL",
                counted(count - 1, "more request")
            ),
        };
        Note {
            text: format!(
                "{url} {answered} and is taken for an ad tag, since {ground}{more}; if it is not one, add --ignore '{url}'"
            ),
            certainty: finding.certainty,
        }
    };
    all.into_iter().map(note).collect()
}

fn in_words(it: &Exchange) -> String {
    match &it.outcome {
        RecordedOutcome::Response(status) if it.is_unread() => {
            format!("was answered with {status}, without its body in the recording,")
        }
        RecordedOutcome::Response(status) => {
            format!("was answered with {status} and no ad document")
        }
        RecordedOutcome::Redirect(..) => "was redirected to where no ad document was".to_owned(),
        RecordedOutcome::BrokeOff(_) => "was answered with a body that broke off".to_owned(),
        RecordedOutcome::Failed(Some(how)) => format!("failed ({how})"),
        RecordedOutcome::Failed(None) | RecordedOutcome::Unknown => "was not answered".to_owned(),
    }
}
