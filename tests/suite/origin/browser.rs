//! Films in a browser: their length, seeks, ends, stalls, errors.
//!
//! Needs Node, the package `playwright-core` and Chromium, which the project does not include;
//! without them it says so and passes. `PLAYSIM_PLAYWRIGHT` names the folder whose `node_modules`
//! has the package (default: `conform`), `PLAYSIM_CHROMIUM` the browser (default:
//! /usr/bin/chromium).

use std::path::{Path, PathBuf};
use std::process::Command;

use super::sockets::Running;

const CASE: &str = r#"
videos: [{ id: film, renditions: { sd: http://m.test/film.webm } }]
media:
  http://m.test/film.webm: { duration: 6s }
  http://m.test/ad.mp4: { duration: 2350ms }
  http://m.test/hour.webm: { duration: 1h }
  http://m.test/sound.webm: { duration: 2350ms, sound: true }
  http://m.test/late.webm: { duration: 2s, metadata_after: 1s }
  http://m.test/stall.webm: { duration: 4s, stalls: [{ at: 2s, for: 1500ms }] }
  http://m.test/network.webm: { duration: 4s, fails: { at: 2s, how: network } }
  http://m.test/decode.webm: { duration: 4s, fails: { at: 2s, how: decode } }
  http://m.test/unsupported.webm: { fails: { how: unsupported } }
  http://m.test/missing.webm: { fails: { how: not-found } }
  http://m.test/reset.webm: { fails: { how: network } }
network:
  http://ads.test/one:
    text: |
      <VAST version="4.2"><Ad><InLine><Creatives><Creative><Linear><VideoClicks>
      <ClickThrough>http://shop.test/page.html</ClickThrough></VideoClicks><MediaFiles>
      <MediaFile type="video/mp4" width="320" height="180">http://m.test/ad.mp4</MediaFile>
      </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
"#;

#[test]
fn films_play_in_a_browser_as_the_scenario_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let packages = variable("PLAYSIM_PLAYWRIGHT").unwrap_or_else(|| root.join("conform"));
    let chromium =
        variable("PLAYSIM_CHROMIUM").unwrap_or_else(|| PathBuf::from("/usr/bin/chromium"));
    let has_node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_node || !chromium.exists() || !packages.join("node_modules/playwright-core").exists() {
        eprintln!("not played: Node, playwright-core or Chromium is not installed");
        return;
    }
    let server = Running::of(CASE);
    let mut command = Command::new("node");
    command
        .arg(root.join("tests/page/films.mjs"))
        .arg(&packages)
        .arg(&chromium)
        .arg(server.address.to_string());
    let output = command.output().expect("Node runs");
    let (said, wrong) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}{wrong}");
    eprintln!("{said}");
}
