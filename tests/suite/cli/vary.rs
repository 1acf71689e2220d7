//! `playsim waterfall --vary` and `--compare`: what would have helped.

use super::*;

/// A folder with a document that fills, and one that wraps it.
fn folder_with_ad(name: &str) -> PathBuf {
    let folder = folder_with_first(name);
    let wrapper = "<VAST version=\"4.2\"><Ad id=\"w\"><Wrapper><AdSystem>s</AdSystem>\
        <VASTAdTagURI>https://ads.test/inner?cb=[CACHEBUSTING]&amp;t=[TIMESTAMP]</VASTAdTagURI></Wrapper></Ad></VAST>";
    fs::write(folder.join("wrapper.xml"), wrapper).expect("it can be written");
    folder
}

const TAGS: &[&str] = &["waterfall", "empty@120ms", "ad.xml@2600ms", "ad.xml@300ms"];

fn vary(folder: &Path, args: &[&str]) -> Ran {
    run(folder, &[TAGS, args].concat())
}

/// The table as JSON, and the exit code.
fn table(folder: &Path, args: &[&str]) -> (Json, i32) {
    let ran = run(folder, &[args, &["--format", "json"]].concat());
    (
        serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|_| panic!("it is not JSON: {}", ran.stderr)),
        ran.code,
    )
}

fn has(object: &Json, keys: &str) {
    let found: Vec<&str> = object
        .as_object()
        .expect("it is an object")
        .keys()
        .map(String::as_str)
        .collect();
    for key in keys.split(' ') {
        assert!(found.contains(&key), "{key} is not in {object:#}");
    }
    assert_eq!(found.len(), keys.split(' ').count(), "{found:?}");
}

#[test]
fn a_range_has_a_row_for_each_value_and_exact_tipping_points() {
    let folder = folder_with_ad("vary");
    let ran = vary(&folder, &["--vary", "ad.timeout=250ms..4s/750ms"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    snapshot("vary", &ran.stdout);
    let too_long = |line: &&str| line.chars().count() > 100;
    assert_eq!(ran.stdout.lines().find(too_long), None);
    let ran = vary(&folder, &["--vary", "ad.timeout=1ms..100ms/50ms"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
}

#[test]
fn figures_are_the_same_for_any_number_of_threads() {
    let folder = folder_with_ad("vary_random");
    let args = |threads| {
        let random = [
            "--vary",
            "tag2.after=lognormal(1s, 0.8)",
            "--vary",
            "tag3.fill=60%",
            "--runs",
            "1100",
        ];
        vary(
            &folder,
            &[
                &random[..],
                &[
                    "--seed",
                    "3",
                    "--price",
                    "tag2=2.50,tag3=1",
                    "--threads",
                    threads,
                ],
            ]
            .concat(),
        )
    };
    let one = args("1");
    assert_eq!((one.code, one.stderr.as_str()), (0, ""));
    assert_eq!(one.stdout, args("2").stdout);
    assert_eq!(one.stdout, args("7").stdout);
    snapshot("vary_random", &one.stdout);
}

#[test]
fn configurations_stand_side_by_side() {
    let folder = folder_with_ad("vary_compare");
    let ran = vary(
        &folder,
        &["--compare", "base", "ima", "ad.timeout=1s+tag3.answer=404"],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    snapshot("vary_compare", &ran.stdout);
    let ran = vary(
        &folder,
        &["--compare", "base", "base", "--vary", "tag2.after=1s"],
    );
    assert!(
        ran.stdout.contains("(all configurations are alike)"),
        "{}",
        ran.stdout
    );
}

/// Each run fills the macros of a wrapper's URL with other values; the answer must be found all the
/// same.
#[test]
fn answers_are_found_whatever_the_macros_become() {
    let folder = folder_with_ad("vary_macros");
    let answer = "https://ads.test/inner?cb=[CB]&t=[T]=ad.xml@50ms";
    let args = [
        "waterfall",
        "timeout",
        "wrapper.xml@80ms",
        "--answer",
        answer,
    ];
    let (found, code) = table(
        &folder,
        &[&args[..], &["--vary", "ad.timeout=1s..4s/333ms"]].concat(),
    );
    assert_eq!(code, 0);
    for row in found["rows"].as_array().expect("there are rows") {
        assert_eq!(
            (&row["outcome"]["filled_by"][0], &row["outcome"]["unlisted"]),
            (&"tag2".into(), &0.into())
        );
    }
    let random = [
        "--vary",
        "tag2.after=uniform(0, 1s)",
        "--runs",
        "300",
        "--timeout",
        "2s",
    ];
    let (found, _) = table(&folder, &[&args[..], &random].concat());
    assert_eq!(
        found["rows"][0]["figures"]["filled"]["share"],
        Json::from(1)
    );
    // Tags after the one that fills in the base are asked in other rows, and their wrappers
    // answered too.
    let later = [
        "waterfall",
        "ad.xml@2s",
        "wrapper.xml",
        "--answer",
        answer,
        "--vary",
        "ad.timeout=1s,3s",
    ];
    let (found, _) = table(&folder, &later);
    assert_eq!(found["rows"][0]["outcome"]["filled_by"][0], "tag2");
    let without = ["waterfall", "wrapper.xml", "--vary", "ad.timeout=1s,3s"];
    let ran = run(&folder, &without);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .contains("Cannot tell: what https://ads.test/inner")
            && ran.stdout.contains("what tag1 leads to is not given"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .contains("note: what these URLs answer is not given"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ran.stderr
            .matches("--answer 'https://ads.test/inner?cb=")
            .count(),
        1,
        "{}",
        ran.stderr
    );
}

#[test]
fn the_table_has_the_documented_keys() {
    let folder = folder_with_ad("vary_keys");
    let args = [TAGS, &["--vary", "tag2.after=1s..9s/4s"]].concat();
    let (exact, _) = table(&folder, &args);
    let random = [
        "--vary",
        "tag2.after=exponential(1s)",
        "--runs",
        "200",
        "--price",
        "tag2=1",
    ];
    let (random, _) = table(&folder, &[TAGS, &random].concat());
    let keys = "answer profile knobs tags varied fixed assumed basis without_effect runs seed confidence_percent rows now \
                reasons tipping_points tried_between cut returns";
    for table in [&exact, &random] {
        has(table, keys);
        has(
            &table["rows"][0],
            "values outcome earned figures difference",
        );
    }
    has(&exact["tags"][0], "tag wp address silent_until_us");
    has(&exact["varied"][0], "name unit values points now now_point");
    let (compared, _) = table(
        &folder,
        &[TAGS, &["--compare", "base", "ad.timeout=1s"]].concat(),
    );
    has(
        &compared["reasons"][0],
        "configuration lines because is_partial",
    );
    let (ordered, _) = table(
        &folder,
        &[
            TAGS,
            &[
                "--vary",
                "order=all",
                "--vary",
                "tag2.fill=50%",
                "--runs",
                "50",
            ],
        ]
        .concat(),
    );
    has(
        &ordered["rows"][1]["difference"],
        "filled first_frame revenue",
    );
    has(&ordered["rows"][1]["difference"]["filled"], "mean low high");
    has(&random["fixed"][0], "name value");
    has(
        &exact["tipping_points"][0],
        "name value point others before after",
    );
    let outcome = &exact["rows"][0]["outcome"];
    has(
        outcome,
        "filled_by breaks breaks_filled failed first_frame shown pixels unlisted asked unknown ended",
    );
    has(&outcome["asked"][0], "tag hops");
    has(&outcome["failed"][0], "tag code");
    has(&outcome["first_frame"], "after_us of");
    has(&outcome["shown"][0], "tag ads");
    has(&outcome["pixels"][0], "event calls");
    let figures = &random["rows"][0]["figures"];
    has(
        figures,
        "runs filled tags first_frame without_frame revenue unlisted unknown",
    );
    has(&figures["filled"], "count share low high");
    has(&figures["tags"][0], "tag asked hops filled failed");
    has(&figures["tags"][0]["failed"][0], "code sessions");
    has(&figures["first_frame"][0], "percent us low_us high_us");
    has(
        &figures["revenue"],
        "per_mille low high currency without_price",
    );

    let chapter =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/report-json.md"));
    let chapter = chapter.expect("the book has a chapter");
    let mut objects = vec![&exact, &random, &compared, &ordered];
    while let Some(value) = objects.pop() {
        match value {
            Json::Object(fields) => {
                for (key, value) in fields {
                    assert!(
                        chapter.contains(&format!("`{key}`")),
                        "the book does not name {key}"
                    );
                    objects.push(value);
                }
            }
            Json::Array(items) => objects.extend(items),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_what_to_write_instead() {
    let folder = folder_with_ad("vary_wrong");
    for (args, message) in [
        (
            &["--vary", "tag5.after=1s"][..],
            "tag5: there are 3 tags, tag1 to tag3",
        ),
        (
            &["--vary", "ad.timeuot=1s"],
            "--vary: nothing named \"ad.timeuot\" can be varied; did you mean \"ad.timeout\"?",
        ),
        (&["--vary", "order=1,2"], "order=1,2: tag3 is missing"),
        (&["--vary", "order=1,2,2"], "tag2 is in it twice"),
        (
            &["--vary", "tag2.off=maybe"],
            "tag2.off alone leaves it out",
        ),
        (
            &["--vary", "tag2.hop1.after=1s"],
            "no session requested what is behind 1 wrapper of tag2",
        ),
        (
            &["--compare", "base", "jwplayer"],
            "there is none of JW Player, because",
        ),
        (
            &["--compare", "base", "--vary", "order=all"],
            "--vary order has several values",
        ),
        (
            &["--vary", "ad.timeout=5s..1s"],
            "write it like 250ms..5s/250ms",
        ),
        (
            &["--vary", "tag1.after=lognorm(1s, 1)"],
            "did you mean lognormal?",
        ),
        (
            &["--vary", "tag2.answer=nix.xml"],
            "cannot read nix.xml: no such file or folder",
        ),
        (
            &["--runs", "5"],
            "--runs is about many runs; add what differs",
        ),
        (
            &["--vary", "ad.timeout=1s", "--runs", "5"],
            "nothing here is random",
        ),
        (
            &["--vary", "ad.timeout=1s", "--threads", "0"],
            "must be a whole number from 1 to 1024",
        ),
        (
            &["--vary", "ad.timeout=1s", "--price", "2"],
            "such as tag1=2.50",
        ),
        (
            &["--vary", "ad.timeout=1s", "--price", "tag9=2"],
            "tag9: there are 3 tags",
        ),
        (
            &["--vary", "ad.timeout=1s", "--format", "har"],
            "--format har is about one run",
        ),
        (
            &["--vary", "ad.timeout=1s", "--save", "x"],
            "--save is about one run",
        ),
        (
            &["--vary", "ad.timeout=1s", "--pixels", "all"],
            "--pixels is about one run",
        ),
        (
            &["--vary", "ad.timeout=1s", "-o", "ad.xml"],
            "-o would overwrite it",
        ),
        (
            &["--compare", "base", "ad.xml"],
            "is it a tag? put the tags before --compare",
        ),
        (
            &["--compare", "base", "--vary", "ad.timeout=1s,2s"],
            "--compare ad.timeout=... ad.timeout=...",
        ),
    ] {
        let ran = vary(&folder, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

/// The first sentence of a table.
fn answer(folder: &Path, args: &[&str]) -> String {
    let (found, _) = table(folder, args);
    found["answer"][0]
        .as_str()
        .unwrap_or_else(|| panic!("no answer: {found:#}"))
        .to_owned()
}

#[test]
fn the_first_line_answers_the_question() {
    let folder = folder_with_ad("vary_answer");
    let ran = vary(&folder, &["--vary", "order=all", "--price", "tag1=9"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout
            .starts_with("tag3 before tag1 gives an ad of tag3 in place of one of tag2"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("tag1=9 has no effect: tag1 shows no ad, whatever is varied"),
        "{}",
        ran.stdout
    );
    snapshot("vary_order", &ran.stdout);
    let first = |args: &[&str]| answer(&folder, &[TAGS, args].concat());
    assert_eq!(
        first(&["--vary", "ad.timeout=250ms..6s/750ms"]),
        "You can lower the timeout from 5 s to 0.3 s without losing the fill; below that nothing fills."
    );
    assert_eq!(
        first(&["--vary", "tag2.off=no,yes"]),
        "Leaving out tag2 gives an ad of tag3 in place of one of tag2 and a first frame 2.3 s sooner."
    );
}

#[test]
fn a_scenario_is_played_changed_and_varied_like_the_tags_that_it_was_made_of() {
    let folder = folder_with_ad("vary_scenario");
    let json = |args: &[&str]| table(&folder, args).0;
    let (tags, scenario) = (
        json(&[TAGS, &["--save", "trial"]].concat()),
        json(&["waterfall", "trial.yaml"]),
    );
    assert_eq!(
        (&tags["digest"], tags["digest"].is_string()),
        (&scenario["digest"], true)
    );
    let orders = ["--vary", "order=all", "--vary", "ad.timeout=1s,4s"];
    let (mut tags, scenario) = (
        json(&[TAGS, &orders].concat()),
        json(&[&["waterfall", "trial.yaml"], &orders[..]].concat()),
    );
    // Documents have other names in the scenario, which the places of ads begin with.
    for at in ["filled_by", "failed", "first_frame", "asked", "pixels"] {
        let of = |found: &Json| -> Vec<Json> {
            let rows = found["rows"].as_array().expect("there are rows").iter();
            rows.map(|row| row["outcome"][at].clone()).collect()
        };
        assert_eq!(of(&tags), of(&scenario), "{at}");
    }
    assert_eq!(tags["rows"].as_array_mut().map(|rows| rows.len()), Some(12));
    let changed = json(&[
        "waterfall",
        "trial.yaml",
        "--answer",
        "answer:empty=ad.xml@100ms",
    ]);
    assert_eq!(
        changed["breaks"][0]["tags"][0]["outcome"], "filled",
        "{changed:#}"
    );
    for (args, why) in [
        (
            &["--kind", "mid"][..],
            "--kind does not work with a scenario, which says that itself; change trial.yaml",
        ),
        (
            &["--answer", "https://no.test/[x]=404"],
            "trial.yaml has no answer for this URL",
        ),
        (
            &["-o", "both.txt", "--trace", "both.txt"],
            "-o and --trace must be different files",
        ),
        (
            &["-o", "trial.yaml"],
            "trial.yaml is read for trial.yaml, and -o would overwrite it",
        ),
    ] {
        let ran = run(&folder, &[&["waterfall", "trial.yaml"], args].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(why), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn what_a_recording_cannot_know_is_unknown_and_can_be_assumed() {
    let folder = folder_with_ad("vary_recording");
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recordings");
    let copy = |from: &str, to: &str| {
        fs::copy(recordings.join(from), folder.join(to)).expect("the recording can be copied");
    };
    copy("late_aborted_devtools/session.har", "aborted.har");
    copy("by_hand/late.har", "late.har");
    let aborted = [
        "waterfall",
        "aborted.har",
        "--tag",
        "ads.test/late",
        "--vary",
        "ad.timeout=1s,3s",
    ];
    let ran = run(&folder, &aborted);
    assert!(
        ran.stdout
            .contains("beyond 2.002 s: unknown, the player gave up on tag1"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.starts_with(
            "Up to 2.002 s nothing fills, whatever the timeout is; beyond that it is unknown"
        ),
        "{}",
        ran.stdout
    );
    let (found, _) = table(&folder, &aborted);
    let unknown = |row: usize| {
        found["rows"][row]["outcome"]["unknown"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!((unknown(0), unknown(1)), (Some(0), Some(2)));
    assert_eq!(found["tags"][0]["silent_until_us"], 2_002_000);
    // The page has no line of the unknown, and shades it.
    let ran = run(
        &folder,
        &[
            "waterfall",
            "aborted.har",
            "--tag",
            "ads.test/late",
            "--vary",
            "ad.timeout=1s..4s/1s",
            "--format",
            "html",
        ],
    );
    assert!(ran.stdout.contains("class=\"z-un\""), "{}", ran.stderr);
    // What is assumed is known.
    let assumed = [&aborted[..], &["--vary", "tag1.after=2500ms"]].concat();
    let (found, code) = table(&folder, &assumed);
    assert_eq!(found["rows"][1]["outcome"]["filled_by"][0], "tag1");
    assert_eq!(
        (code, found["assumed"].as_array().map(Vec::len)),
        (0, Some(1))
    );
    // An answer that is given takes the place of the recorded one.
    let url = "https://ib.adnxs-like.example/ptv?id=13232354";
    let given = format!("{url}=ad.xml@100ms");
    let (found, _) = table(&folder, &["waterfall", "late.har", "--answer", &given]);
    let tags = &found["simulation"]["report"]["breaks"][0]["tags"];
    assert_eq!(
        (&tags[0]["outcome"], &tags[1]["outcome"]),
        (&"filled".into(), &"not-asked".into()),
        "{tags:#}"
    );
    let ran = run(
        &folder,
        &["waterfall", "late.har", "--answer", "https://no.test/=404"],
    );
    assert!(
        ran.stderr.contains("late.har has no answer for this URL"),
        "{}",
        ran.stderr
    );
}

/// The second tag was given up after 2 s, and the third one filled.
#[test]
fn the_page_of_a_recording_says_what_would_have_helped() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recordings/three_tags_playwright");
    let page = run(&folder, &["waterfall", "session.har", "--format", "html"]).stdout;
    let row = |change: &str| {
        let from = page.find(&format!("<th scope=\"row\">{change}</th>"));
        let from = from.unwrap_or_else(|| panic!("there is no row \"{change}\""));
        page[from..].split("</tr>").next().expect("a row")
    };
    for (change, after, sooner) in [
        ("no change", "2.393", ""),
        ("timeout 500 ms", "0.893", "\u{2212}1.500"),
        ("tag 3 first", "0.245", "\u{2212}2.148"),
        ("without tag 2", "0.393", "\u{2212}2.000"),
    ] {
        let row = row(change);
        assert!(row.contains("ad of ads.test/three"), "{row}");
        assert!(
            row.contains(&format!(">{after}<")) && row.contains(&format!(">{sooner}<")),
            "{row}"
        );
    }
}
