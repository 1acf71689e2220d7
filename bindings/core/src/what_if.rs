//! A scenario played with other settings.

use playsim::Scenario;
use playsim::sweep::{Axis, Configuration, RecordedBasis, Sweep, SweepError, Table, WhatIfPage};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::Answer;
use crate::answers::{failure, page, whole_page};

/// The most sessions that are played while somebody waits.
const MOST_RUNS: u64 = 20_000;

/// What is played.
#[derive(Deserialize)]
pub(crate) struct WhatIf {
    /// Settings with one value or several, as `--vary` takes them.
    #[serde(default)]
    vary: Vec<String>,
    /// Configurations beside each other, as `--compare` takes them.
    #[serde(default)]
    compare: Vec<String>,
    /// How often each is played, if something is random.
    runs: Option<u64>,
    /// Whether the page is wanted with its frame, too.
    #[serde(default)]
    html: bool,
}

impl WhatIf {
    /// Plays the scenario: `{ "page", "table", "html"? }`, the page without its frame, the table as
    /// `playsim waterfall --vary --format json` prints it, and the page with its frame.
    pub(crate) fn answer(
        &self,
        scenario: &Scenario,
        recording: Option<RecordedBasis<'_>>,
    ) -> Answer {
        let table = self.table(scenario).map_err(|error| failure(&error))?;
        let shown = WhatIfPage::new(&table).with_scenario(scenario);
        let shown = recording.map_or(shown, |it| shown.with_recording(it));
        let shown = shown.page();
        let html = if self.html {
            format!(",\"html\":{}", whole_page(&shown))
        } else {
            String::new()
        };
        Ok(format!(
            "{{\"page\":{},\"table\":{}{html}}}",
            page(&shown),
            table.json()
        ))
    }

    fn table(&self, scenario: &Scenario) -> Result<Table, SweepError> {
        let read = |text: &String| Axis::read(text, &mut no_files);
        let axes = self
            .vary
            .iter()
            .map(read)
            .collect::<Result<Vec<Axis>, _>>()?;
        let sweep = axes
            .into_iter()
            .fold(Sweep::of(scenario).seed(scenario.seed), Sweep::vary);
        let configurations = self
            .compare
            .iter()
            .map(|text| Configuration::read(text, &mut no_files));
        let configurations = configurations.collect::<Result<Vec<_>, _>>()?;
        let sweep = if configurations.is_empty() {
            sweep
        } else {
            sweep.compare(configurations)
        };
        if sweep.is_random() {
            sweep.runs(self.runs.unwrap_or(2_000).min(MOST_RUNS)).run()
        } else {
            sweep.run()
        }
    }
}

/// The settings of a scenario that are worth varying, with their current values:
/// `{ "tags": [{ "tag", "address", "after" }], "timeout" }`. A value is null if the scenario does
/// not say it.
pub(crate) fn settings(scenario: &Scenario) -> Answer {
    let first = Sweep::of(scenario)
        .vary(axis("ad.timeout=1s,2s")?)
        .run()
        .map_err(|error| failure(&error))?;
    let now = |table: &Table| table.varied.first().and_then(|varied| varied.now.clone());
    let after = |tag: &playsim::sweep::SweptTag| -> Result<Json, String> {
        let axis = axis(&format!("{}.after=1s,2s", tag.tag))?;
        // A tag without a response of its own has no latency.
        let latency = Sweep::of(scenario)
            .vary(axis)
            .run()
            .ok()
            .as_ref()
            .and_then(now);
        Ok(json!({ "tag": tag.tag.to_string(), "address": tag.address, "after": latency }))
    };
    let tags = first
        .tags
        .iter()
        .map(after)
        .collect::<Result<Vec<Json>, String>>()?;
    Ok(json!({ "timeout": now(&first), "tags": tags }).to_string())
}

fn axis(text: &str) -> Result<Axis, String> {
    Axis::read(text, &mut no_files).map_err(|error| failure(&error))
}

fn no_files(_: &str) -> Result<playsim::scenario::AnswerScript, String> {
    Err("no response can be given here; change the scenario".to_owned())
}
