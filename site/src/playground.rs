//! Links that open a scenario in the playground.

use std::collections::BTreeMap;
use std::io::Write as _;

use data_encoding::BASE64URL_NOPAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;

use crate::frame::Area;

/// Returns the link to a scenario, the first of its files: its state as JSON, deflated, in Base64
/// for URLs, as `playground/src/share.ts` reads it.
pub(crate) fn link(files: &[(&str, &str)]) -> String {
    let mut rest: BTreeMap<&str, &str> = files.iter().copied().collect();
    let (name, scenario) = files.first().copied().unwrap_or_default();
    rest.remove(name);
    let state = json!({ "name": name, "scenario": scenario, "files": rest }).to_string();
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = packed
        .write_all(state.as_bytes())
        .and_then(|()| packed.finish());
    let packed = packed.expect("writing to memory cannot fail");
    format!(
        "{}#s={}",
        Area::Playground.path(),
        BASE64URL_NOPAD.encode(&packed)
    )
}
