//! The error codes of ads: each code of the standards occurs in a scenario's `adError`, with a
//! message.
//!
//! The reference list of codes is a table that is not part of the project: if `PLAYSIM_CORPUS`
//! names a folder whose `tables/error_codes.json` lists them, none may be missing here.

use std::collections::BTreeMap;
use std::path::Path;

use playsim::api::{Kind, Value};
use playsim_ads::AD_ERRORS;

use super::cases::Case;

/// Codes that are sent only to error URLs, because the ad plays on, each with what it plays
/// without. A code that an `adError` has must not be listed.
const ERROR_URLS_ONLY: &[(u16, &str)] = &[
    (409, "its interactive file"),
    (410, "its verification"),
    (600, "its companions"),
    (601, "its companions"),
    (603, "its companions"),
    (604, "its companions"),
];

/// Every code occurs in the `adError` of a trace, unless it is listed above; those listed occur in
/// none.
pub(crate) fn check(cases: &[Case]) -> Result<(), String> {
    let reported = reported(cases)?;
    let mut problems = Vec::new();
    for (code, words) in AD_ERRORS {
        let error_urls_only = ERROR_URLS_ONLY.iter().find(|(listed, _)| listed == code);
        match (reported.get(code), error_urls_only) {
            (None, None) => problems.push(format!(
                "{code} is in the table, and no scenario reaches it"
            )),
            (Some((case, _)), Some(_)) => {
                problems.push(format!(
                    "{code} has an adError: {case} reaches it; remove it from the list"
                ));
            }
            (Some((case, message)), None) if message != words => {
                problems.push(format!(
                    "{case} reports {code} as \"{message}\"; the table has \"{words}\""
                ));
            }
            (Some(_), None) | (None, Some(_)) => {}
        }
    }
    for code in reported
        .keys()
        .filter(|code| AD_ERRORS.iter().all(|(known, _)| known != *code))
    {
        problems.push(format!(
            "a scenario reports {code}, which is not in the table"
        ));
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// The codes that occur in an `adError`, each with a scenario and the message.
fn reported(cases: &[Case]) -> Result<BTreeMap<u16, (String, String)>, String> {
    let mut reported = BTreeMap::new();
    for case in cases {
        let trace = &case.played()?.trace;
        for record in trace
            .records
            .iter()
            .filter(|record| record.kind == Kind::Event)
        {
            if &*record.name != "adError" {
                continue;
            }
            let code = record.data.get("code").and_then(Value::as_integer);
            let Some(code) = code.and_then(|code| u16::try_from(code).ok()) else {
                return Err(format!("{}: an adError has no code", case.name));
            };
            let message = record.data.get("message").and_then(Value::as_text);
            let message = message.map_or_else(String::new, ToString::to_string);
            reported
                .entry(code)
                .or_insert_with(|| (case.name.clone(), message));
        }
    }
    Ok(reported)
}

/// The table here has every code of the standard, each with its own wording.
pub(crate) fn all_are_known() -> Result<(), String> {
    let ascends = AD_ERRORS.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let mut words: Vec<&str> = AD_ERRORS.iter().map(|(_, words)| *words).collect();
    words.sort_unstable();
    words.dedup();
    if !ascends || words.len() != AD_ERRORS.len() || words.iter().any(|words| words.is_empty()) {
        return Err("two codes have the same number or the same message".to_owned());
    }
    let Some(folder) = std::env::var_os("PLAYSIM_CORPUS") else {
        println!("PLAYSIM_CORPUS is not set: the codes are not compared with the standard's");
        return Ok(());
    };
    let path = Path::new(&folder).join("tables/error_codes.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!(
            "{} is not there: the codes are not compared with the standard's",
            path.display()
        );
        return Ok(());
    };
    let table: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let listed = table["vast"]
        .as_array()
        .ok_or("the table has no codes of VAST")?;
    let of_vmap = table["vmap"]
        .as_array()
        .ok_or("the table has no codes of VMAP")?;
    let listed: Vec<u64> = listed
        .iter()
        .chain(of_vmap)
        .filter_map(|row| row["code"].as_u64())
        .collect();
    let is_known = |code: &&u64| {
        AD_ERRORS
            .iter()
            .any(|(known, _)| u64::from(*known) == **code)
    };
    let missing: Vec<&u64> = listed.iter().filter(|code| !is_known(code)).collect();
    // Those above 1008, the last one of VMAP, belong to the third-party SDK.
    let extra: Vec<u16> = AD_ERRORS
        .iter()
        .map(|(code, _)| *code)
        .filter(|code| *code <= 1_008)
        .collect();
    let extra: Vec<u16> = extra
        .into_iter()
        .filter(|code| !listed.contains(&u64::from(*code)))
        .collect();
    if missing.is_empty() && extra.is_empty() && listed.len() > 30 {
        Ok(())
    } else {
        Err(format!(
            "of {} codes {missing:?} are not known here, and {extra:?} are known only here",
            listed.len()
        ))
    }
}
