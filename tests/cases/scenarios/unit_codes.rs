//! Every error code that a unit can cause is shown by a trace.
//!
//! The codes of SIMID are those of the table in the library; if `PLAYSIM_CORPUS` names the folder
//! of the reference tables, the table there must list the same. For VPAID there is 901, and 304 for
//! a unit that shows nothing.

use std::collections::BTreeSet;
use std::path::Path;

use playsim::api::{Kind, Value};
use playsim::media::{SimidError, SimidSide};

use super::cases::Case;

pub(crate) fn check(cases: &[Case]) -> Result<(), String> {
    let (mut simid, mut vast) = (BTreeSet::new(), BTreeSet::new());
    for case in cases
        .iter()
        .filter(|case| case.name.starts_with("simid/") || case.name.starts_with("vpaid/"))
    {
        for record in &case.played()?.trace.records {
            let Some(code) = record.data.get("code").and_then(Value::as_integer) else {
                continue;
            };
            match (record.kind, &*record.name) {
                (Kind::Ad, "simid") => drop(simid.insert(code)),
                (Kind::Event, "adError") => drop(vast.insert(code)),
                (Kind::Ad, "reject-interactive") => drop(vast.insert(code)),
                _ => {}
            }
        }
    }
    let mut missing: Vec<String> = SimidError::ALL
        .iter()
        .filter(|error| !simid.contains(&i64::from(error.code())))
        .map(|error| format!("no trace shows SIMID {}: {}", error.code(), error.meaning()))
        .collect();
    let units = [304, 409, 502, 901, 902]
        .into_iter()
        .filter(|code| !vast.contains(code));
    missing.extend(units.map(|code| format!("no trace of a unit shows {code}")));
    if missing.is_empty() {
        the_codes_match_the_reference_table()
    } else {
        Err(missing.join("\n"))
    }
}

fn the_codes_match_the_reference_table() -> Result<(), String> {
    let Some(folder) = std::env::var_os("PLAYSIM_CORPUS") else {
        println!(
            "PLAYSIM_CORPUS names no folder: the codes were not compared with the table there"
        );
        return Ok(());
    };
    let path = Path::new(&folder).join("tables/error_codes.json");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let table: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    for (side, name) in [
        (SimidSide::Creative, "creative_side"),
        (SimidSide::Player, "player_side"),
    ] {
        let listed = table["simid"][name]
            .as_object()
            .ok_or("the table has no codes of SIMID")?;
        let listed: BTreeSet<String> = listed.keys().cloned().collect();
        let known = SimidError::ALL.iter().filter(|error| error.side() == side);
        let known: BTreeSet<String> = known.map(|error| error.code().to_string()).collect();
        if listed != known {
            let differ: Vec<&String> = listed.symmetric_difference(&known).collect();
            return Err(format!("{name}: {differ:?} is in one table only"));
        }
    }
    Ok(())
}
