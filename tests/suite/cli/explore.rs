//! `playsim explore`: all ways of a scenario, what is broken in one of them, the scenarios that are
//! kept, the page.

use super::*;

/// A script that passes its test, unless the film is there only after its ad has ended.
const RACE: &str = "\
name: the film goes on where the viewer stopped, after the ad
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 60s, metadata_after: 200ms }, spot.mp4: { duration: 5s } }
network: { https://ads.test/tag: { after: 300ms, file: spot.xml } }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/tag] }] }
steps:
  - { at: 0s, init: { div: player, config: { id: p, width: \"640\", height: \"360\", video: film } } }
  - { on: ready, do: play }
  - { on: adStart, do: { volume: 0.2 } }
  - { on: adEnd, do: { currentTime: 30 } }
  - { on: seeked, do: { volume: 1 } }
  - { on: ended, read: [volume] }
expect:
  - { event: ended, times: 1 }
  - { read: volume, is: 1 }
";

const SPOT: &str = "\
<VAST version='4.2'><Ad id='spot'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
<Impression>https://t.test/i</Impression><Creatives><Creative><Linear skipoffset='00:00:01'>
<Duration>00:00:05</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>spot.mp4</MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
";

fn folder_with_race(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("race.yaml"), RACE).expect("it can be written");
    fs::write(folder.join("spot.xml"), SPOT).expect("it can be written");
    folder
}

fn json(folder: &Path, args: &[&str]) -> (i32, Json) {
    let ran = run(
        folder,
        &[&["explore", "race.yaml", "--format", "json"], args].concat(),
    );
    (
        ran.code,
        serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr)),
    )
}

#[test]
fn a_race_of_a_script_that_passes_its_test_is_found_and_kept() {
    let folder = folder_with_race("explore_race");
    assert_eq!(
        run(&folder, &["run", "race.yaml"]).code,
        0,
        "its test passes"
    );
    let ran = run(
        &folder,
        &[
            "explore",
            "race.yaml",
            "--acts",
            "0",
            "--keep",
            "ways",
            "--page",
            "page.html",
        ],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("complete: 31 ways"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("expected volume to be 1; it was 0.2"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("5.300001 media film.mp4 comes 5.100001 s later"),
        "{}",
        ran.stdout
    );
    // What is kept fails in the same way, and the scenario as it is passes.
    let broken = run(&folder, &["run", "ways/broken-1.yaml"]);
    assert_eq!(broken.code, 1, "{}", broken.stderr);
    assert!(
        broken.stderr.contains("it was 0.2 at 35.300001"),
        "{}",
        broken.stderr
    );
    assert_eq!(run(&folder, &["run", "ways/outcome-1.yaml"]).code, 0);
    let page = fs::read_to_string(folder.join("page.html")).expect("it was written");
    let page = page.strip_prefix("<!doctype html>\n").expect("it is HTML");
    let page = roxmltree::Document::parse(page).expect("it is well-formed");
    let ids: Vec<&str> = page
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    assert!(
        ["broken", "map", "graph", "outcomes", "o1", "o2"]
            .iter()
            .all(|id| ids.contains(id)),
        "{ids:?}"
    );
    // Nothing that was written before is overwritten.
    let again = run(
        &folder,
        &["explore", "race.yaml", "--acts", "0", "--keep", "ways"],
    );
    assert_eq!(again.code, 3, "{}", again.stdout);
    assert!(again.stderr.contains("already exists"), "{}", again.stderr);
}

#[test]
fn what_is_true_in_every_way_holds_in_every_kept_scenario() {
    let folder = folder_with_race("explore_statements");
    let (_, found) = json(&folder, &["--do", "skip,pause", "--moves", "0"]);
    let statements = found["statements"].as_array().expect("a list");
    assert!(
        statements.iter().any(|it| it["at_most_one"].is_array()),
        "{statements:?}"
    );
    let outcomes = found["outcomes"].as_array().expect("a list");
    assert!(outcomes.len() > 5);
    for outcome in outcomes {
        let mut scenario = outcome["way"]["scenario"].clone();
        scenario["expect"] = found["statements"].clone();
        let scenario = scenario.to_string();
        let ran = run_with_stdin(&folder, &["run", "-"], &scenario);
        assert_eq!(ran.code, 0, "{}\n{scenario}", ran.stderr);
    }
}

#[test]
fn the_result_is_the_same_whatever_the_threads_and_the_process() {
    let folder = folder_with_race("explore_threads");
    let args = ["--do", "skip,pause,stop()"];
    let one = json(&folder, &[&args[..], &["--threads", "1"]].concat());
    for threads in ["2", "5"] {
        assert!(
            one == json(&folder, &[&args[..], &["--threads", threads]].concat()),
            "{threads} threads"
        );
    }
    // Which orders of two choices there are within their regions is tried only if asked for.
    assert_eq!((one.0, &one.1["isComplete"]), (1, &Json::from(false)));
    assert_eq!(one.1["notTried"][0]["what"], "orders");
    let acts = json(&folder, &[&args[..], &["--moves", "0"]].concat());
    assert_eq!(acts.1["isComplete"], Json::from(true));
    assert_eq!(acts.1["notTried"], Json::Array(Vec::new()));
}

#[test]
fn both_sides_of_the_instant_from_which_an_ad_may_be_skipped_are_tried() {
    let folder = folder_with_race("explore_threshold");
    let (_, found) = json(&folder, &["--do", "skip", "--moves", "0"]);
    // The ad begins at 0.3 s and may be skipped from 1.3 s on, at which nothing else happens.
    let all = found["outcomes"].as_array().expect("a list");
    let choices = |class: &Json| {
        class["way"]["choices"][0]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let all: Vec<String> = all.iter().map(choices).collect();
    assert!(all.contains(&"1.300000 skip".to_owned()), "{all:?}");
}

#[test]
fn what_cannot_be_explored_is_an_error_with_a_proposal() {
    let folder = folder_with_race("explore_errors");
    for (args, code, message) in [
        (
            &["explore", "race.yaml", "--do", "pause,jump"][..],
            2,
            "\"jump\" is nothing that can be done; known are",
        ),
        (&["explore", "race.yaml", "--within", "50"], 2, "--within"),
        (&["explore", "none.yaml"], 3, "none.yaml"),
        (&["explore", "spot.xml"], 2, "spot.xml"),
        (&["explore", "race.yaml", "--acts", "99"], 2, "--acts"),
        (
            &["explore", "race.yaml", "--page", "race.yaml"],
            2,
            "race.yaml is the scenario, and --page would",
        ),
        (
            &["explore", "race.yaml", "--page", "spot.xml"],
            2,
            "spot.xml is a document of the scenario",
        ),
    ] {
        let ran = run(&folder, args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn an_exploration_that_is_cut_says_how_far_it_came() {
    let folder = folder_with_race("explore_cut");
    let ran = run(
        &folder,
        &["explore", "race.yaml", "--acts", "3", "--for", "0s"],
    );
    assert!(
        ran.stdout.contains("not complete: 1 way so far"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("cut: of the ways with one choice 0 %"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("true in every way"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("holds in every way that was tried\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("not tried   three or more choices"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.code, 5, "{}", ran.stderr);
}

#[test]
fn control_characters_of_a_document_leave_the_json_valid() {
    let folder = folder("explore_escapes");
    let case = RACE.replace("file: spot.xml", "text: \"\\uFEFF<VAST version='4.2'/>\"");
    fs::write(folder.join("race.yaml"), case).expect("it can be written");
    let (_, found) = json(&folder, &["--acts", "0"]);
    assert_eq!(found["isComplete"], true);
}
