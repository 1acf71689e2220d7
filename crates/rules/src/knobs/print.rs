//! Lists of knobs and profiles: as text, JSON and Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::{Claim, EvidenceKind, Knob, Measurement, Profile, Switch};
use playsim_base::words::{counted, write_cells, write_rows};

/// Returns a table for a terminal of `width` columns: each knob with its default, what it decides,
/// its valid values and the rules that depend on it; then the profiles with those of these knobs
/// that they change.
///
/// The last column is at least 36 characters wide, whatever the width.
#[must_use]
pub fn text(knobs: &[&Knob], width: usize) -> String {
    let names = knobs
        .iter()
        .map(|knob| knob.name.len())
        .max()
        .unwrap_or(0)
        .max(PROFILE_COLUMNS);
    let defaults = knobs
        .iter()
        .map(|knob| knob.default().len())
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for knob in knobs {
        let head = format!("{:names$}  {:defaults$}  ", knob.name, knob.default());
        let mut parts = vec![knob.about.to_owned()];
        let readings = readings(knob);
        parts.extend(
            readings
                .iter()
                .map(|(word, means)| format!("{word}: {means}")),
        );
        let takes = if readings.is_empty() {
            knob.takes_in_words() + " | "
        } else {
            String::new()
        };
        parts.push(format!("[{takes}{}]", rules(knob)));
        write_rows(
            &mut out,
            &head,
            &parts,
            width.saturating_sub(head.len()).max(35),
        );
    }
    let _ = writeln!(out, "{}\n", counted(knobs.len(), "knob"));
    for profile in Profile::ALL {
        let head = format!("{:names$}  ", profile.name());
        let differences: Vec<String> = differences(*profile, knobs)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let version = profile
            .version()
            .map(|version| format!(" Version: {version}."))
            .unwrap_or_default();
        let mut parts = vec![
            format!("{}{version}", profile.gist()),
            differences.join(" "),
        ];
        parts.extend(basis(*profile));
        write_rows(
            &mut out,
            &head,
            &parts,
            width.saturating_sub(head.len()).max(35),
        );
    }
    let _ = writeln!(out, "{}", counted(Profile::ALL.len(), "profile"));
    out
}

/// The length of the longest profile name.
const PROFILE_COLUMNS: usize = 14;

/// Returns a JSON object with `knobs` and `profiles`.
///
/// A knob has `name`, `about`, `takes`, `values` (only for a choice between words: each `value`
/// with what it `means`), `default` and `rules`; a profile has `name`, `about`, `version` (of the
/// product that it describes, if any), `differs`, an object of values by knob, and `measured`,
/// where it was recorded: the player, browser and day, how many recordings were compared, and for
/// each setting how many of them decide and contradict it. A setting that is not in it, that fewer
/// than three recordings decide or that one contradicts was read, not measured.
///
/// # Panics
///
/// Never: strings can always be written as JSON.
#[must_use]
pub fn json(knobs: &[&Knob]) -> String {
    let entries = Listed {
        knobs: knobs.iter().map(|knob| KnobEntry::of(knob)).collect(),
        profiles: Profile::ALL
            .iter()
            .map(|profile| ProfileEntry {
                name: profile.name(),
                about: profile.gist(),
                version: profile.version(),
                differs: differences(*profile, knobs).collect(),
                measured: profile.measurement(),
            })
            .collect(),
    };
    let mut out = serde_json::to_string_pretty(&entries).expect("strings can be written as JSON");
    out.push('\n');
    out
}

/// Returns a Markdown table for each group of knobs and one of the profiles, each under a heading.
#[must_use]
pub fn markdown(knobs: &[&Knob]) -> String {
    let mut out = String::new();
    let mut group = "";
    for knob in knobs {
        if knob.group != std::mem::replace(&mut group, knob.group) {
            let gap = if out.is_empty() { "" } else { "\n" };
            out.push_str(&format!(
                "{gap}## {group}\n\n| Knob | Default | Values | Decides | Rules |\n|---|---|---|---|---|\n"
            ));
        }
        let readings: Vec<String> = readings(knob)
            .iter()
            .map(|(word, means)| format!("`{word}`: {means}"))
            .collect();
        let takes = if readings.is_empty() {
            knob.takes_in_words()
        } else {
            readings.join("<br>")
        };
        let rules: Vec<String> = knob.rules.iter().map(ToString::to_string).collect();
        let cells = [
            format!("`{}`", knob.name),
            format!("`{}`", knob.default()),
            takes,
            knob.about.to_owned(),
            rules.join(", "),
        ];
        write_cells(&mut out, &cells);
    }
    out.push_str(
        "\n## Profiles\n\n| Profile | Behaves like | Version | Differs in |\n|---|---|---|---|\n",
    );
    for profile in Profile::ALL {
        let differences: Vec<String> = differences(*profile, knobs)
            .map(|(name, value)| format!("`{name}={value}`"))
            .collect();
        let version = profile.version().unwrap_or_default().to_owned();
        let basis = basis(*profile).map(|it| format!(" {it}"));
        let cells = [
            format!("`{}`", profile.name()),
            format!("{}{}", profile.gist(), basis.unwrap_or_default()),
            version,
            differences.join(" "),
        ];
        write_cells(&mut out, &cells);
    }
    out
}

/// Returns the chapter on product sources: what each profile of a product claims, with the
/// evidence, and what is not known about it.
#[must_use]
pub fn sources() -> String {
    let mut out = String::from(SOURCES);
    for profile in Profile::ALL {
        let Some(claims) = profile.claims() else {
            continue;
        };
        let _ = write!(
            out,
            "\n## {}\n\n{}| knob | value | evidence | | recordings |\n|---|---|---|---|---|\n",
            profile.name(),
            basis(*profile).map_or_else(String::new, |it| it + "\n\n"),
        );
        for claim in claims {
            let knob = format!("`{}`", claim.knob);
            let cells = match claim.known {
                Ok((read, evidence)) => {
                    let place = match evidence.kind {
                        EvidenceKind::Source => format!("{}: `{}`", evidence.of, evidence.place),
                        EvidenceKind::Document | EvidenceKind::Issue => {
                            format!("{}: {}", evidence.of, evidence.place)
                        }
                    };
                    let (value, recordings) = measured(*profile, claim, Some(read));
                    [knob, value, place, evidence.says.to_owned(), recordings]
                }
                Err(why) => {
                    let (value, recordings) = measured(*profile, claim, None);
                    [knob, value, "none".to_owned(), why.to_owned(), recordings]
                }
            };
            write_cells(&mut out, &cells);
        }
    }
    out
}

/// Returns what a profile of a product rests on: how many of its claims recordings decide.
fn basis(profile: Profile) -> Option<String> {
    let claims = profile.claims()?;
    let Some(it) = profile.measurement() else {
        return Some("Read, not measured.".to_owned());
    };
    let decided = claims
        .iter()
        .filter(|claim| it.of(claim.knob).is_some_and(|it| it.is_decided()));
    Some(format!(
        "{} of {} measured in {} of {} in {}, of {}; the others are read, not measured.",
        decided.count(),
        counted(claims.len(), "claim"),
        counted(it.recordings, "recording"),
        it.player,
        it.browser,
        it.recorded
    ))
}

/// Returns the value of a claim, and what recordings say about it.
fn measured(profile: Profile, claim: &Claim, read: Option<&str>) -> (String, String) {
    let value = read.map_or_else(|| "not known".to_owned(), |it| format!("`{it}`"));
    let Some((all, it)) = profile
        .measurement()
        .and_then(|all| Some((all, all.of(claim.knob)?)))
    else {
        let said = if read.is_some() { "read, " } else { "" };
        return (value, format!("{said}not measured"));
    };
    if !it.is_decided() {
        let (need, contradict, decision) = (it.decided_by, it.contradicted_by, it.decision.word());
        let said = read.map_or_else(
            || decision.to_owned(),
            |_| format!("read, {decision}: {need} need it, {contradict} contradict it"),
        );
        return (value, said);
    }
    let replaced = match read {
        Some(read) if *read == it.value => String::new(),
        Some(read) => format!("; `{read}` was read"),
        None => String::new(),
    };
    let said = format!(
        "measured: {} of {} decide it, none contradicts it{replaced}",
        it.decided_by, all.recordings
    );
    (format!("`{}`", it.value), said)
}

/// The head of the chapter on product sources.
const SOURCES: &str = "\
# Product sources

Where each value of a product's profile comes from: file and function of its source in the version that is named, the
words of a standard or of its documentation, or a public issue. What is *not known* keeps the default of its knob; the
column before the last says why. The last column says what recordings of the product decide: a value that at least three
of them need and none contradicts is *measured*, and replaces one that was read. A profile that names no knob for
something says nothing about it.
[Terms of products](product-terms.md) goes the other way, from a product's words to playsim.

This page is made from the profiles: a row without evidence cannot be written. [Test a real player](conform.md) says how
far a profile agrees with recordings.
";

#[derive(Serialize)]
struct Listed {
    knobs: Vec<KnobEntry>,
    profiles: Vec<ProfileEntry>,
}

/// A knob as a JSON object; the order of the fields is the order of the keys.
#[derive(Serialize)]
struct KnobEntry {
    group: &'static str,
    name: &'static str,
    about: &'static str,
    takes: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Choice>,
    default: String,
    rules: Vec<String>,
}

#[derive(Serialize)]
struct Choice {
    value: &'static str,
    means: &'static str,
}

#[derive(Serialize)]
struct ProfileEntry {
    name: &'static str,
    about: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'static str>,
    differs: BTreeMap<&'static str, &'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<&'static Measurement>,
}

impl KnobEntry {
    fn of(knob: &Knob) -> KnobEntry {
        let values = (knob.takes)()
            .words()
            .iter()
            .map(|(value, means)| Choice { value, means })
            .collect();
        KnobEntry {
            group: knob.group,
            name: knob.name,
            about: knob.about,
            takes: knob.takes_in_words(),
            values,
            default: knob.default(),
            rules: knob.rules.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Returns the words that a knob can be set to, with their meanings; none for on and off, which
/// need no explanation.
fn readings(knob: &Knob) -> Vec<(&'static str, &'static str)> {
    let takes = (knob.takes)();
    let is_switch = takes
        .words()
        .first()
        .is_some_and(|(word, _)| *word == Switch::Off.name());
    if is_switch {
        Vec::new()
    } else {
        takes.words().to_vec()
    }
}

/// Returns those of these knobs that a profile changes.
fn differences(
    profile: Profile,
    knobs: &[&Knob],
) -> impl Iterator<Item = (&'static str, &'static str)> {
    profile
        .differences()
        .filter(|(name, _)| knobs.iter().any(|knob| knob.name == *name))
}

fn rules(knob: &Knob) -> String {
    let names: Vec<String> = knob.rules.iter().map(ToString::to_string).collect();
    format!(
        "{} {}",
        if names.len() == 1 { "rule" } else { "rules" },
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::KNOBS;

    fn all() -> Vec<&'static Knob> {
        KNOBS.iter().collect()
    }

    #[test]
    fn a_table_fits_its_width() {
        for width in [80, 100, 200] {
            let text = text(&all(), width);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{widest:?} of {width}");
        }
        let profiles = text(&[], 80);
        assert!(
            profiles.starts_with("0 knobs\n\ndefault         The player of the reference"),
            "{profiles}"
        );
    }

    #[test]
    fn every_format_lists_every_knob_profile_and_rule() {
        let (text, json, markdown) = (text(&all(), 100), json(&all()), markdown(&all()));
        for knob in KNOBS {
            for form in [&text, &json, &markdown] {
                assert!(
                    form.contains(knob.name) && form.contains(&knob.rules[0].to_string()),
                    "{}",
                    knob.name
                );
            }
        }
        assert!(
            text.contains("timeupdate.jitter=seeded")
                && markdown.contains("`timeupdate.jitter=seeded`")
        );
        assert!(json.contains("\"timeupdate.jitter\": \"seeded\""));
        assert!(text.contains("Version: 6.4.4.") && markdown.contains("| 6.4.4 |"));
        assert!(json.contains("\"version\": \"6.4.4\""));
    }

    #[test]
    fn profiles_show_only_the_knobs_that_are_listed() {
        let one = [Knob::named("detect").expect("a knob")];
        let text = text(&one, 100);
        assert!(
            text.contains("detect=on_timeupdate") && !text.contains("timeupdate.jitter"),
            "{text}"
        );
    }
}
