//! Every tracking event of the standards is called in a committed trace, or listed with the reason
//! why it cannot be.
//!
//! The names are those of the table of tracking events in the folder that `PLAYSIM_CORPUS` names;
//! if that is set, the list that documents are read with is compared with it.

use std::collections::BTreeSet;

use playsim::vast::TRACKING_EVENTS;

use super::cases::folder;

/// Those that nothing calls yet, with the reason.
const NOT_CALLED: &[(&str, &str)] = &[];

pub(crate) fn check() -> Result<(), String> {
    let called = called_in_snapshots()?;
    let is_called = |event: &str| NOT_CALLED.iter().all(|(other, _)| *other != event);
    let missing = TRACKING_EVENTS
        .iter()
        .filter(|event| is_called(event) && !called.contains(**event));
    let mut problems: Vec<String> = missing
        .map(|event| format!("no committed trace calls {event}"))
        .collect();
    let stale = NOT_CALLED
        .iter()
        .filter(|(event, _)| called.contains(*event));
    problems.extend(
        stale.map(|(event, why)| format!("{event} is called, though the list says: {why}")),
    );
    if let Some(table) = table()? {
        let known: BTreeSet<&str> = TRACKING_EVENTS.iter().copied().collect();
        let of_table: BTreeSet<&str> = table.iter().map(String::as_str).collect();
        let differs = known.symmetric_difference(&of_table);
        problems.extend(
            differs.map(|event| format!("{event} is in one list only, the reader's or the table")),
        );
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// The names of all beacons in snapshots: in their lines the name follows `!`.
fn called_in_snapshots() -> Result<BTreeSet<String>, String> {
    let mut called = BTreeSet::new();
    let mut folders = vec![folder()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "snap") {
                let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
                let names = text
                    .lines()
                    .filter_map(|line| line.trim_start().strip_prefix("! "));
                called.extend(
                    names
                        .filter_map(|rest| rest.split(' ').next())
                        .map(str::to_owned),
                );
            }
        }
    }
    Ok(called)
}

/// The names in the table, if there is one.
fn table() -> Result<Option<Vec<String>>, String> {
    let Some(folder) = std::env::var_os("PLAYSIM_CORPUS") else {
        println!("PLAYSIM_CORPUS names no folder: the list of tracking events was not compared");
        return Ok(None);
    };
    let path = std::path::Path::new(&folder).join("tables/tracking_events.json");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let table: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let rows = table["events"]
        .as_array()
        .ok_or("the table has no events")?;
    let name = |row: &serde_json::Value| row["event"].as_str().map(str::to_owned);
    rows.iter()
        .map(name)
        .collect::<Option<_>>()
        .map(Some)
        .ok_or_else(|| "a row has no event".to_owned())
}
