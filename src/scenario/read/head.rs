//! What a scenario is called and how it is run.

use super::node::{Key, Node, Object, Tree, Wrong, shown};
use super::{Reading, scalar};
use crate::knobs::{self, KNOBS, Knob, Knobs, Profile, Takes};
use crate::rules::{self, RuleId};
use crate::scenario::{Scenario, Until};
use crate::words;

/// Name, rules, profile, knobs, seed and end.
pub(super) fn head(fields: &mut Object<'_>, scenario: &mut Scenario, reading: &mut Reading<'_>) {
    if let Some(node) = fields.field("name") {
        scenario.name = reading.keep(scalar::text(node, "name")).unwrap_or_default();
    }
    if let Some(node) = fields.field("rules") {
        let items = reading.keep(node.list("rules", "[REQ-4, BRK-10]")).unwrap_or_default();
        scenario.rules = items.iter().filter_map(|item| reading.keep(rule(item))).collect();
    }
    profile_and_knobs(fields, scenario, reading);
    if let Some(node) = fields.field("seed") {
        scenario.seed = reading.keep(scalar::whole(node, "seed", 0, u64::MAX)).unwrap_or_default();
    }
    if let Some(node) = fields.field("until") {
        scenario.until = reading.keep(until(node)).unwrap_or_default();
    }
}

/// The profile, the scenario's knobs on top of it, and above both what was said outside the text.
fn profile_and_knobs(fields: &mut Object<'_>, scenario: &mut Scenario, reading: &mut Reading<'_>) {
    let own = fields.field("profile").map(profile).transpose();
    let own = reading.keep(own).flatten().unwrap_or(Profile::Default);
    scenario.profile = reading.overrides.profile_over(own);
    scenario.knobs = scenario.profile.knobs();
    // What the text says is sound by its own knobs, whatever it is played with.
    reading.hears_html = own.knobs().bus_expose_html.is_on();
    if let Some(node) = fields.field("knobs") {
        let entries = reading.keep(node.entries("knobs", "{ ad.timeout: 5s }")).unwrap_or_default();
        for (key, node) in entries {
            let set = knob(key, node, &mut scenario.knobs);
            reading.keep(set);
            if key.text == "bus.expose_html" {
                reading.hears_html = scenario.knobs.bus_expose_html.is_on();
            }
        }
    }
    reading.overrides.put_on(&mut scenario.knobs);
    reading.hears_html |= scenario.knobs.bus_expose_html.is_on();
}

fn rule(node: &Node) -> Result<RuleId, Wrong> {
    let text = scalar::text(node, "a rule")?;
    RuleId::read(&text).ok_or_else(|| {
        let message = format!("no rule is named \"{}\"", shown(&text));
        let known: Vec<String> = rules::all().map(|rule| rule.to_string()).collect();
        let wrong = Wrong::new(&node.range, message);
        match words::nearest(&text, known.iter().map(String::as_str)) {
            Some(meant) => wrong.meant(meant),
            None => Wrong { message: wrong.message + "; playsim rules lists them", ..wrong },
        }
    })
}

fn profile(node: &Node) -> Result<Profile, Wrong> {
    let name = scalar::text(node, "profile")?;
    let known = Profile::ALL.iter().map(|profile| profile.name());
    Profile::read(&name).ok_or_else(|| Wrong::unknown(&node.range, "profile", &name, known))
}

fn knob(key: &Key, node: &Node, knobs: &mut Knobs) -> Result<(), Wrong> {
    let known = KNOBS.iter().map(|knob| knob.name);
    let Some(knob) = Knob::read(&key.text) else {
        if knobs::is_alternative(&key.text) {
            return Err(Wrong::later(&key.range, &key.text, knobs::WHERE_LISTED));
        }
        return Err(Wrong::unknown(&key.range, "knob", &key.text, known));
    };
    let value = match (&node.tree, (knob.takes)()) {
        (Tree::Text(word), Takes::Limit) if word == "off" => word.clone(),
        (Tree::Bool(false), Takes::Limit) => "off".to_owned(),
        (Tree::Text(text) | Tree::Number(text), Takes::Number | Takes::Words(_) | Takes::Form(_)) => {
            text.clone()
        }
        (Tree::Bool(truth), Takes::Words(_)) => (if *truth { "on" } else { "off" }).to_owned(),
        (Tree::Number(zero), Takes::Length | Takes::Limit) if zero == "0" => zero.clone(),
        (_, Takes::Length | Takes::Limit) => scalar::span(node, knob.name)?.in_seconds(),
        (_, Takes::Number) => return Err(node.not(knob.name, "a whole number")),
        (_, Takes::Words(_) | Takes::Form(_)) => return Err(node.not(knob.name, &knob.takes_in_words())),
    };
    knobs.set(knob.name, &value).map_err(|_| {
        let wrong = node.not(knob.name, &knob.takes_in_words());
        let Takes::Words(words) = (knob.takes)() else { return wrong };
        match words::nearest(&value, words.iter().map(|(word, _)| *word)) {
            Some(meant) => wrong.meant(meant),
            None => wrong,
        }
    })
}

fn until(node: &Node) -> Result<Until, Wrong> {
    match &node.tree {
        Tree::Text(word) if word == "idle" => Ok(Until::Idle),
        Tree::Text(word) if word.chars().all(char::is_alphabetic) => {
            let wrong = node.not("until", "a time, like 120s, or idle");
            Err(if words::nearest(word, ["idle"]).is_some() { wrong.meant("idle") } else { wrong })
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_) | Tree::Map(_) => {
            scalar::time(node, "until").map(Until::At)
        }
    }
}
