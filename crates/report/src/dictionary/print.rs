//! Prints entries: as text, JSON or Markdown.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::{CodeFamily, Condition, Entry, Who};
use playsim_base::words;
use playsim_rules::RuleId;

/// The indentation below a heading.
const BELOW: &str = "  ";

/// Returns everything that is known about some codes, as text in lines of a width.
#[must_use]
pub fn text(entries: &[&Entry], width: usize) -> String {
    let entries: Vec<String> = entries.iter().map(|entry| one(entry, width)).collect();
    entries.join("\n")
}

/// Returns the codes and titles of entries, with a heading for each family.
#[must_use]
pub fn list(entries: &[&Entry], width: usize) -> String {
    let mut out = String::new();
    for family in CodeFamily::ALL {
        let own: Vec<&&Entry> = entries
            .iter()
            .filter(|entry| entry.family == *family)
            .collect();
        let longest = own
            .iter()
            .map(|entry| entry.code.to_string().len())
            .max()
            .unwrap_or_default();
        if own.is_empty() {
            continue;
        }
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(
            out,
            "{gap}{} ({})",
            family.title(),
            family.gist().trim_end_matches('.')
        );
        for entry in own {
            let head = format!("{BELOW}{:longest$}  ", entry.code.to_string());
            let name = entry
                .sdk_name
                .map(|name| format!(" [{name}]"))
                .unwrap_or_default();
            let text = format!("{}{name}", entry.title);
            words::write_rows(&mut out, &head, &[text], width.saturating_sub(head.len()));
        }
    }
    out
}

/// Returns entries as a JSON list; each has all keys.
#[must_use]
pub fn json(entries: &[&Entry]) -> String {
    let list: Vec<Json> = entries.iter().map(|entry| value(entry)).collect();
    format!("{:#}\n", Json::from(list))
}

/// Returns entries as a chapter of a book, with a heading for each family and code.
#[must_use]
pub fn markdown(entries: &[&Entry]) -> String {
    let mut out = String::new();
    for family in CodeFamily::ALL {
        let own: Vec<&&Entry> = entries
            .iter()
            .filter(|entry| entry.family == *family)
            .collect();
        if own.is_empty() {
            continue;
        }
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{gap}## {}\n\n{}", family.title(), family.gist());
        for entry in own {
            let _ = writeln!(
                out,
                "\n### {} {}\n\n{}\n",
                entry.code,
                entry.title,
                plain(entry.meaning)
            );
            let lists = [
                ("Usually because", entry.causes),
                ("What helps", entry.remedies),
            ];
            let _ = writeln!(out, "*Who has to act:* {}.", who(entry.who));
            for (heading, items) in lists {
                let _ = writeln!(out, "\n*{heading}:*\n");
                items.iter().for_each(|item| {
                    let _ = writeln!(out, "- {}", plain(item));
                });
            }
            let rules = joined(entry.rules().iter().map(RuleId::to_string));
            let mut about: Vec<String> = Vec::new();
            about.extend(entry.since.map(|since| format!("since VAST {since}")));
            about.extend(entry.sdk_name.map(|name| format!("in the SDK `{name}`")));
            about.extend(
                Some(rules)
                    .filter(|rules| !rules.is_empty())
                    .map(|rules| format!("rules {rules}")),
            );
            if !about.is_empty() {
                let _ = writeln!(out, "\n({})", about.join("; "));
            }
        }
    }
    out
}

/// Escapes text for Markdown, such as tags in angle brackets and macros in square brackets.
fn plain(text: &str) -> String {
    text.replace('<', "\\<")
        .replace('[', "\\[")
        .replace('*', "\\*")
        .replace('_', "\\_")
}

fn one(entry: &Entry, width: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} {}: {}",
        entry.family.title(),
        entry.code,
        entry.title
    );
    let source = entry.family.gist().trim_end_matches('.');
    let since = entry
        .since
        .map(|since| format!(", since VAST {since}"))
        .unwrap_or_default();
    let name = entry
        .sdk_name
        .map(|name| format!("; {name} in the SDK"))
        .unwrap_or_default();
    let _ = writeln!(out, "{BELOW}({source}{since}{name})\n");
    let text_width = width.saturating_sub(BELOW.len() * 2);
    words::write_rows(&mut out, BELOW, &[entry.meaning.to_owned()], text_width);
    let mut list = |heading: &str, items: &[&str]| {
        let _ = writeln!(out, "\n{heading}");
        for item in items {
            words::write_rows(&mut out, "  - ", &[(*item).to_owned()], text_width);
        }
    };
    list("usually because", entry.causes);
    list("what helps", entry.remedies);
    let _ = writeln!(out, "\nwho has to act\n{BELOW}{}", who(entry.who));
    let rules = entry.rules();
    if !rules.is_empty() {
        let longest = rules
            .iter()
            .map(|rule| rule.to_string().len())
            .max()
            .unwrap_or_default();
        let _ = writeln!(out, "\nwhat gives it here");
        for rule in rules {
            let head = format!("{BELOW}{:longest$}  ", rule.to_string());
            words::write_rows(
                &mut out,
                &head,
                &[first(rule)],
                width.saturating_sub(head.len()),
            );
        }
    }
    let knobs = entry.knobs();
    if !knobs.is_empty() {
        let names = joined(knobs.iter().map(|knob| knob.name.to_owned()));
        words::write_rows(
            &mut out,
            BELOW,
            &[format!("knobs that decide it: {names}")],
            text_width,
        );
    }
    let conditions = entry.conditions();
    if !conditions.is_empty() {
        let _ = writeln!(out, "\nwhat products give");
        for condition in &conditions {
            words::write_rows(&mut out, BELOW, &[condition.about.to_owned()], text_width);
            words::write_rows(
                &mut out,
                "    ",
                &[answers(condition)],
                width.saturating_sub(4),
            );
        }
    }
    out
}

/// Returns the codes that products give. Products with the same answer are grouped.
fn answers(condition: &Condition) -> String {
    let mut answers: Vec<(String, Vec<&str>)> = Vec::new();
    for given in &condition.given {
        let name = given.profile.name();
        let codes: Vec<String> = given.codes.iter().map(ToString::to_string).collect();
        let says_codes =
            given.says.contains("code") || codes.iter().any(|code| given.says.contains(code));
        let says = match &codes[..] {
            [] => given.says.to_owned(),
            _ if says_codes => given.says.to_owned(),
            codes => format!("{}, {}", codes.join(" and "), given.says),
        };
        match answers.iter_mut().find(|(known, _)| *known == says) {
            Some((_, names)) => names.push(name),
            None => answers.push((says, vec![name])),
        }
    }
    let answers = answers
        .iter()
        .map(|(says, names)| format!("{}: {says}", names.join(", ")));
    answers.collect::<Vec<_>>().join(" | ")
}

/// Returns the first sentence of a rule; `playsim rules` has the others.
fn first(rule: RuleId) -> String {
    let gist = rule.row().gist;
    gist.split_once(". ")
        .map_or_else(|| gist.to_owned(), |(first, _)| format!("{first}. ..."))
}

fn who(who: &[Who]) -> String {
    joined(who.iter().map(|who| format!("the {}", who.name())))
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

fn value(entry: &Entry) -> Json {
    let rule = |rule: &RuleId| json!({ "id": rule.to_string(), "gist": rule.row().gist });
    let condition = |condition: &Condition| {
        let given = condition.given.iter().map(
            |given| json!({ "product": given.profile.name(), "codes": given.codes, "says": given.says }),
        );
        json!({ "about": condition.about, "given": given.collect::<Vec<_>>() })
    };
    json!({
        "family": entry.family.name(),
        "code": entry.number().map_or_else(|| Json::from(entry.code.to_string()), Json::from),
        "title": entry.title,
        "source": entry.family.gist().trim_end_matches('.'),
        "since": entry.since,
        "sdk_name": entry.sdk_name,
        "meaning": entry.meaning,
        "causes": entry.causes,
        "who": entry.who.iter().map(|who| who.name()).collect::<Vec<_>>(),
        "remedies": entry.remedies,
        "rules": entry.rules().iter().map(rule).collect::<Vec<_>>(),
        "knobs": entry.knobs().iter().map(|knob| knob.name).collect::<Vec<_>>(),
        "conditions": entry.conditions().iter().map(condition).collect::<Vec<_>>(),
    })
}
