//! `playsim waterfall`: which tag failed, when and why; what arguments mean; what is refused.

use playsim::knobs::{Profile, Profiles};

use super::*;

/// A folder with the documents of the scenarios of common failures, and a few more.
fn folder_with_documents(name: &str) -> PathBuf {
    let folder = folder(name);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios/failures");
    for entry in fs::read_dir(from).expect("there are fixtures") {
        let path = entry.expect("they can be listed").path();
        if path
            .extension()
            .is_some_and(|ending| ending == "xml" || ending == "yaml")
        {
            fs::copy(&path, folder.join(path.file_name().expect("it has a name")))
                .expect("it can be copied");
        }
    }
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
    fs::write(path, text).expect("it can be written");
}

fn waterfall(folder: &Path, args: &[&str]) -> Ran {
    run(folder, &[&["waterfall"], args].concat())
}

/// The report as JSON, and the exit code.
fn report(folder: &Path, args: &[&str]) -> (Json, i32) {
    let ran = waterfall(folder, &[args, &["--format", "json"]].concat());
    (
        serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|_| panic!("it is not JSON: {}", ran.stderr)),
        ran.code,
    )
}

/// The codes of the tags in order; for a tag without a code, its outcome.
fn codes(report: &Json) -> Vec<String> {
    let tags = report["breaks"][0]["tags"]
        .as_array()
        .expect("there are tags");
    let code = |tag: &Json| tag["code"].as_u64().map(|code| code.to_string());
    tags.iter()
        .map(|tag| code(tag).unwrap_or_else(|| tag["outcome"].as_str().unwrap().to_owned()))
        .collect()
}

#[test]
fn each_tag_has_a_line_then_come_the_ads_and_their_beacons() {
    let folder = folder_with_documents("waterfall");
    let args = [
        "no_ad.xml@120ms",
        "404@90ms",
        "timeout",
        "broken.xml@50ms",
        "flash.xml@50ms",
        "loop_a.xml@80ms",
        "pod_closed.xml@80ms",
        "pod_open.xml@80ms",
        "spot.xml",
        "--timeout",
        "2s",
        "--answer",
        "https://ads.test/b=loop_b.xml@40ms",
        "--answer",
        "https://ads.test/a=loop_a.xml@40ms",
        "--answer",
        "https://ads.test/pod=pod.xml@70ms",
    ];
    let ran = waterfall(&folder, &args);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    snapshot("waterfall", &ran.stdout);
    let too_long = |line: &&str| line.chars().count() > 100;
    assert_eq!(ran.stdout.lines().find(too_long), None);
    let (report, code) = report(&folder, &args);
    assert_eq!(code, 0);
    assert_eq!(
        codes(&report),
        [
            "303",
            "301",
            "301",
            "100",
            "403",
            "302",
            "303",
            "filled",
            "not-asked"
        ]
    );
    // The digest is that of the whole trace, which says more than the report.
    let mut report = report;
    assert_eq!(report["digest"].take().as_str().map(str::len), Some(32));
    snapshot("waterfall_json", &format!("{report:#}\n"));
}

#[test]
fn the_report_has_the_documented_keys() {
    let folder = folder_with_documents("waterfall_keys");
    let (report, _) = report(
        &folder,
        &[
            "flash.xml",
            "pod_open.xml",
            "--answer",
            "https://ads.test/pod=pod.xml",
        ],
    );
    let has = |object: &Json, keys: &str| {
        for key in keys.split(' ') {
            assert!(object.get(key).is_some(), "{key} is not in {object:#}");
        }
    };
    has(
        &report,
        "profile knobs seed timeout_us media_timeout_us content_us breaks schedules unanswered outcome",
    );
    let first = &report["breaks"][0];
    has(&report, "digest");
    has(
        first,
        "player kind why cue_us begin_us end_us outcome id offset at tags played beacons",
    );
    has(first, "uncalled unfilled");
    has(
        &first["tags"][0],
        "pod wp address hops asked_us answered_us decided_us outcome code message reason at",
    );
    has(
        &first["tags"][0],
        "requests rejected faults ignored warnings",
    );
    has(
        &first["tags"][0]["requests"][0],
        "purpose hop url asked_us answered_us timed_out_us late_us status",
    );
    has(&first["tags"][0]["requests"][0], "fault file listed");
    has(&first["tags"][0]["rejected"][0], "at_us ad code reason at");
    has(
        &first["played"][0],
        "pod wp ad hops media duration_us length_from start_us end_us end at",
    );
    has(
        &first["beacons"][0],
        "at_us event pod wp hop ad url code reason at",
    );
    has(&first["uncalled"][0], "pod wp hop ad event url at reason");
    let chapter =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/report-json.md"));
    let chapter = chapter.expect("the book has a chapter on JSON");
    for object in [
        &report,
        first,
        &first["tags"][0],
        &first["tags"][0]["requests"][0],
        &first["played"][0],
        &first["beacons"][0],
        &first["uncalled"][0],
    ] {
        for key in object.as_object().expect("it is an object").keys() {
            assert!(
                chapter.contains(&format!("`{key}`")),
                "the book does not name {key}"
            );
        }
    }
}

#[test]
fn nothing_filled_is_a_finding() {
    let folder = folder_with_documents("waterfall_nothing");
    let ran = waterfall(
        &folder,
        &[
            "empty",
            "404",
            "refused@1s",
            "reset",
            "truncated",
            "spot.xml@503",
        ],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(
        ran.stdout
            .starts_with("pre-roll: none of 6 tags filled, decided after 1.000 s"),
        "{}",
        ran.stdout
    );
    let (report, code) = report(
        &folder,
        &[
            "empty",
            "404",
            "refused@1s",
            "reset",
            "truncated",
            "spot.xml@503",
        ],
    );
    assert_eq!(
        (codes(&report), code),
        (
            vec!["303", "301", "301", "301", "301", "301"]
                .into_iter()
                .map(str::to_owned)
                .collect(),
            1
        )
    );
    let statuses = &report["breaks"][0]["tags"][5]["requests"][0]["status"];
    assert_eq!(statuses, 503);
}

#[test]
fn a_url_without_a_response_is_named_with_a_suggestion() {
    let folder = folder_with_documents("waterfall_unanswered");
    let ran = waterfall(&folder, &["pod_open.xml"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stderr,
        "note: what these URLs answer is not given; to set a response, add\n  \
         --answer https://ads.test/pod=FILE\n\
         to record the response of a URL:\n  curl -si https://ads.test/pod > tag.http\n"
    );
    // Nothing is made up in its place.
    let due = "cannot tell: what https://ads.test/pod answers is not given";
    assert!(ran.stdout.contains(due), "{}", ran.stdout);
    assert!(!ran.stdout.contains("404") && !ran.stdout.contains("301"));
    let (told, _) = report(&folder, &["pod_open.xml"]);
    let tag = &told["breaks"][0]["tags"][0];
    assert_eq!(
        (&tag["outcome"], &tag["code"]),
        (&"unknown".into(), &Json::Null)
    );
    // A tag behind it may not be asked for: what it gives is not the result.
    let (behind, code) = report(&folder, &["pod_open.xml", "spot.xml"]);
    assert_eq!(
        (codes(&behind), code),
        (vec!["unknown".to_owned(), "filled".to_owned()], 1)
    );
    // The suggestion works, and a misspelt URL is reported.
    assert_eq!(
        waterfall(
            &folder,
            &["pod_open.xml", "--answer", "https://ads.test/pod=pod.xml"]
        )
        .code,
        0
    );
    let slip = waterfall(
        &folder,
        &["pod_open.xml", "--answer", "https://ads.test/pd=pod.xml"],
    );
    assert_eq!(slip.code, 1);
    assert!(
        slip.stderr
            .contains("note: https://ads.test/pd, given with --answer"),
        "{}",
        slip.stderr
    );
    let with_folder = waterfall(&folder, &["pod_open.xml", "--dir", "."]);
    assert_eq!((with_folder.code, with_folder.stderr.as_str()), (0, ""));
    write(&folder, "other/nothing.txt", "");
    let other = waterfall(&folder, &["pod_open.xml", "--dir", "other"]);
    assert!(
        other
            .stderr
            .contains("or put files with these names into other:\n  ads.test/pod.xml\n"),
        "{}",
        other.stderr
    );
}

#[test]
fn urls_get_responses_by_name_by_folder_and_with_macros() {
    let folder = folder_with_documents("waterfall_addresses");
    let tag = "<VAST version='4.2'><Ad><Wrapper><AdSystem>t</AdSystem><VASTAdTagURI><![CDATA[\
        https://ads.test/deep/spot?cb=[CACHEBUSTING]&x=1]]></VASTAdTagURI></Wrapper></Ad></VAST>";
    write(&folder, "answers/one.test/tag", tag);
    let asked = "https://one.test/tag?cb=[CACHEBUSTING]";
    let (by_name, code) = report(
        &folder,
        &[
            asked,
            "--dir",
            "answers",
            "--answer",
            "https://ads.test/deep/spot?cb=[CB]&x=1=spot.xml@1s",
        ],
    );
    assert_eq!((codes(&by_name), code), (vec!["filled".to_owned()], 0));
    let requests = &by_name["breaks"][0]["tags"][0]["requests"];
    assert_eq!(
        (&requests[0]["file"], &requests[1]["file"]),
        (&"answers/one.test/tag".into(), &"spot.xml".into())
    );
    assert_eq!(requests[1]["answered_us"], 1_000_000);
    assert!(
        !requests[0]["url"].as_str().unwrap().contains('['),
        "macros are filled: {requests}"
    );
    // The last part of the path is enough, and several responses are used in turn.
    fs::copy(folder.join("spot.xml"), folder.join("answers/spot.xml")).expect("it can be copied");
    let (by_folder, _) = report(&folder, &[asked, "--dir", "answers"]);
    assert_eq!(codes(&by_folder), ["filled"]);
    let twice = [
        "https://a.test/x",
        "https://a.test/x",
        "--answer",
        "https://a.test/x=404",
    ];
    let (in_turn, _) = report(
        &folder,
        &[&twice[..], &["--answer", "https://a.test/x=spot.xml"]].concat(),
    );
    assert_eq!(codes(&in_turn), ["301", "filled"]);
    let (files, _) = report(&folder, &["spot.xml@6s", "spot.xml@1s"]);
    assert_eq!(codes(&files), ["301", "filled"]);
}

#[test]
fn a_recorded_response_and_standard_input_are_tags() {
    let folder = folder_with_documents("waterfall_recorded");
    let spot = fs::read_to_string(folder.join("spot.xml")).expect("it is there");
    write(
        &folder,
        "good.http",
        &format!("HTTP/2 302\r\nlocation: /x\r\n\r\nHTTP/2 200\r\na: b\r\n\r\n{spot}"),
    );
    write(
        &folder,
        "bad.http",
        "HTTP/1.1 503 Service Unavailable\n\nsorry\n",
    );
    let (recorded, _) = report(&folder, &["bad.http", "good.http"]);
    assert_eq!(codes(&recorded), ["301", "filled"]);
    assert_eq!(
        recorded["breaks"][0]["tags"][0]["reason"],
        "the status is 503"
    );
    let ran = run_with_stdin(&folder, &["waterfall", "404", "stdin@200ms"], &spot);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("file:stdin "), "{}", ran.stdout);
    assert_eq!(waterfall(&folder, &["-", "-"]).code, 2);
}

#[test]
fn a_data_url_is_a_document_for_which_no_server_is_asked() {
    let folder = folder_with_documents("waterfall_data_url");
    let spot = fs::read_to_string(folder.join("spot.xml")).expect("it was written");
    let coded: String = spot.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let tag = format!("data:text/xml,{coded}");
    let ran = waterfall(&folder, &["404", &tag]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let (report, _) = report(&folder, &[&tag]);
    assert_eq!(report["breaks"][0]["played"][0]["duration_us"], 10_000_000);
}

#[test]
fn media_are_as_long_as_their_ad_says_or_as_the_option_says() {
    let folder = folder_with_documents("waterfall_media");
    let (stated, _) = report(&folder, &["spot.xml"]);
    assert_eq!(stated["breaks"][0]["played"][0]["duration_us"], 10_000_000);
    let said = |media: &str| report(&folder, &["spot.xml", "--media", media]).0;
    assert_eq!(
        said("7s@1s")["breaks"][0]["played"][0]["start_us"],
        1_000_000
    );
    assert_eq!(
        said("7s")["breaks"][0]["played"][0]["duration_us"],
        7_000_000
    );
    for (media, code) in [
        ("missing", "401"),
        ("404", "401"),
        ("decode", "405"),
        ("5s@20s", "402"),
    ] {
        assert_eq!(codes(&said(media)), [code], "{media}");
    }
    assert_eq!(codes(&said("https://m.test/spot.mp4=missing")), ["401"]);
    assert_eq!(codes(&said("https://m.test/other.mp4=missing")), ["filled"]);
    let unused = waterfall(
        &folder,
        &["spot.xml", "--media", "https://m.test/other.mp4=missing"],
    );
    assert!(
        unused.stderr.contains(
            "note: https://m.test/other.mp4, given with --answer or --media, was never requested"
        ),
        "{}",
        unused.stderr
    );
}

#[test]
fn the_break_the_device_the_profile_and_knobs_can_be_set() {
    let folder = folder_with_documents("waterfall_setting");
    for (kind, begin) in [("pre", 0), ("mid", 10_000_000), ("post", 60_000_000)] {
        let (report, code) = report(&folder, &["spot.xml", "--kind", kind, "--device", "mobile"]);
        let first = &report["breaks"][0];
        assert_eq!(
            (&first["kind"], &first["begin_us"], code),
            (&kind.into(), &begin.into(), 0)
        );
    }
    let (overlay, code) = report(&folder, &["spot.xml", "--kind", "overlay"]);
    assert_eq!((codes(&overlay), code), (vec!["201".to_owned()], 1));
    let deep: Vec<String> = (2..7)
        .map(|hop| format!("https://ads.test/{hop}=deep_{hop}.xml"))
        .collect();
    let mut args = vec!["deep_1.xml", "--answer", "https://ads.test/spot=spot.xml"];
    args.extend(deep.iter().flat_map(|answer| ["--answer", answer]));
    assert_eq!(codes(&report(&folder, &args).0), ["302"]);
    args.extend(["--knob", "ad.max_wrappers=6", "--profile", "observed"]);
    let (deeper, _) = report(&folder, &args);
    assert_eq!(
        (codes(&deeper), &deeper["profile"]),
        (vec!["filled".to_owned()], &"observed".into())
    );
    assert_eq!(deeper["knobs"]["ad.max_wrappers"], "6");
    assert_eq!(deeper["breaks"][0]["tags"][0]["hops"], 7);
}

#[test]
fn the_headline_says_which_player_answers_and_whether_it_was_measured() {
    let folder = folder_with_documents("waterfall_player");
    write(&folder, "whole.har", &archive(true));
    write(
        &folder,
        "mine.yaml",
        "{ profile: mine, about: 'some, fitted to 9 recordings', base: shaka }",
    );
    let measured = Profiles::from(Profile::Shaka).basis().expect("a player");
    assert!(measured.starts_with("shaka, measured in "), "{measured}");
    let bases = [
        ("mine.yaml", "mine (some, fitted to 9 recordings)"),
        ("shaka", &*measured),
        ("ima", "ima, read, not measured"),
    ];
    for (profile, basis) in bases {
        for given in ["spot.xml", "whole.har"] {
            for vary in [&[][..], &["--vary", "tag1.after=1s,2s"]] {
                let args = [&[given, "--profile", profile], vary].concat();
                let (report, _) = report(&folder, &args);
                let report = report.pointer("/simulation/report").unwrap_or(&report);
                assert_eq!(report["basis"], basis, "{args:?}");
                let page = [&args[..], &["--format", "html"]].concat();
                for shown in [&args, &page] {
                    let shown = waterfall(&folder, shown).stdout.replace("\n       ", " ");
                    assert!(shown.contains(basis), "{args:?}: {shown}");
                }
            }
        }
    }
    assert_eq!(report(&folder, &["spot.xml"]).0["basis"], Json::Null);
}

#[test]
fn a_wrapper_with_a_counter_in_its_url_ends() {
    let folder = folder_with_documents("waterfall_loop");
    let tag = "<VAST version='4.2'><Ad><Wrapper><AdSystem>t</AdSystem><VASTAdTagURI><![CDATA[\
        https://ads.test/loop?cb=[CACHEBUSTING]]]></VASTAdTagURI></Wrapper></Ad></VAST>";
    write(&folder, "loop.xml", tag);
    let (report, _) = report(
        &folder,
        &[
            "loop.xml",
            "spot.xml",
            "--answer",
            "https://ads.test/loop=loop.xml",
        ],
    );
    assert_eq!(codes(&report), ["302", "filled"]);
}

#[test]
fn the_trace_is_written_to_the_given_file() {
    let folder = folder_with_documents("waterfall_trace");
    assert_eq!(
        waterfall(&folder, &["404", "spot.xml", "--trace", "own.jsonl"]).code,
        0
    );
    let explained = run(&folder, &["explain", "own.jsonl", "--event", "adError"]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    let nowhere = waterfall(&folder, &["spot.xml", "--trace", "no/such/own.jsonl"]);
    assert_eq!(nowhere.code, 3);
}

#[test]
fn invalid_responses_are_refused() {
    let folder = folder_with_documents("waterfall_refused");
    assert_eq!(
        run(&folder, &["run", "timeout.yaml", "-o", "own.trace"]).code,
        0
    );
    write(&folder, "broken.http", "HTTP/1.1 hello\n\n");
    let text = "{ \"videos\": [] }";
    write(&folder, "own.json", text);
    write(&folder, "some/tag.xml", "<VAST version='4.2'/>");
    write(&folder, "session.har", "{}");
    write(
        &folder,
        "log.json",
        "{\n  \"log\": {\n    \"version\": \"1.2\" } }",
    );
    for (args, code, reported) in [
        (
            &["timeout.yaml", "404"][..],
            2,
            "is a scenario, not an ad server's response; play it alone, with\n  playsim waterfall timeout.yaml",
        ),
        (&["own.json", "404"], 2, "own.json is a scenario"),
        (&["own.trace"], 2, "own.trace is a trace"),
        (
            &["broken.http"],
            2,
            "it must be a status line such as HTTP/1.1 200 OK",
        ),
        (
            &["nothing.xml"],
            3,
            "cannot read nothing.xml: no such file or folder",
        ),
        (&["timout"], 3, "did you mean timeout?"),
        (
            &["spoot.xml"],
            3,
            "no such file or folder; did you mean spot.xml?",
        ),
        (
            &["ads.test/tag?a=1&b=2"],
            3,
            "a URL begins with its scheme: 'https://ads.test/tag?a=1&b=2'",
        ),
        (
            &["zzz"],
            3,
            "a response is a file, or one of 404, empty, timeout, refused, reset, truncated, cors and blocked",
        ),
        (
            &["https://a.test/x", "--answer", "https://a.test/x=some"],
            3,
            "some is a folder, not a response. Name a file of it, or the URLs whose responses are in it:\n  \
             playsim waterfall some/tag.xml\n  playsim waterfall https://ads.test/tag --dir some\n",
        ),
        (
            &["spot.xml", "--dir", "some/tag.xml"],
            3,
            "--dir some\n  --answer https://ads.test/tag=some/tag.xml\n",
        ),
        (
            &[
                "https://a.test/x",
                "--answer",
                "https://a.test/x=session.har",
            ],
            2,
            "not one response; play all of it with\n  playsim waterfall session.har\n",
        ),
        (
            &["https://a.test/x", "--answer", "https://a.test/x=log.json"],
            2,
            "is a recording of many requests",
        ),
        (
            &["."],
            2,
            "./session.har: left out: ./session.har is JSON, but not an HTTP archive",
        ),
        (
            &["spot.xml@2"],
            2,
            "after @ write a duration such as 250ms or a status such as 404; \"2\"",
        ),
        (
            &["timeout@2s"],
            2,
            "timeout takes no delay; set the time limit with --timeout",
        ),
        (&["reset@404"], 2, "has no status"),
        (&["404@503"], 2, "has two statuses"),
        (
            &["spot.xml", "--answer", "spot.xml"],
            2,
            "it must be a URL and its response",
        ),
        (
            &["spot.xml", "--answer", "https://a.test/x=nothing.xml"],
            3,
            "cannot read nothing.xml",
        ),
        (
            &["spot.xml", "--media", "long"],
            2,
            "it must be a duration such as 30s, or one of missing",
        ),
        (
            &["spot.xml", "--dir", "nowhere"],
            3,
            "--dir nowhere: there is no such folder",
        ),
        (
            &["spot.xml", "--kind", "midroll"],
            2,
            "invalid value 'midroll'",
        ),
        (
            &["spot.xml", "--timeout", "2"],
            2,
            "must be a length of time with its unit, like 1.5s, 250ms",
        ),
        (
            &["spot.xml", "--knob", "ad.timeuot=2s"],
            2,
            "did you mean \"ad.timeout\"?",
        ),
        (&[], 2, "required arguments were not provided"),
    ] {
        let ran = waterfall(&folder, args);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (code, ""),
            "{args:?}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(reported),
            "{args:?}: {reported} is not in\n{}",
            ran.stderr
        );
    }
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    let folder = folder_with_documents("waterfall_color");
    let plain = waterfall(&folder, &["404", "spot.xml"]);
    let colored = waterfall(&folder, &["404", "spot.xml", "--color", "always"]);
    assert!(!plain.stdout.contains('\u{1b}'));
    assert!(
        colored.stdout.contains("\u{1b}[31mno fill 301\u{1b}[0m")
            && colored.stdout.contains("\u{1b}[32mfilled")
    );
    let without: String = colored
        .stdout
        .split('\u{1b}')
        .map(|part| {
            part.split_once('m').map_or(
                part,
                |(code, rest)| if code.starts_with('[') { rest } else { part },
            )
        })
        .collect();
    assert_eq!(without, plain.stdout);
    let json = waterfall(
        &folder,
        &["404", "spot.xml", "--color", "always", "--format", "json"],
    );
    assert!(!json.stdout.contains('\u{1b}'));
}

#[test]
fn the_table_fits_a_narrow_or_wide_terminal() {
    let folder = folder_with_documents("waterfall_width");
    for columns in ["0", "40", "80", "160", "100000"] {
        let mut command = command(&folder, &["waterfall", "404@1s", "spot.xml@1s"]);
        let ran: Ran = command
            .env("COLUMNS", columns)
            .output()
            .expect("the binary runs")
            .into();
        assert_eq!(ran.code, 0, "{columns}: {}", ran.stderr);
        let width: usize = columns.parse().expect("it is a number");
        let fits =
            |line: &str| line.chars().count() <= width.clamp(80, 160) || line.contains("://");
        assert!(ran.stdout.lines().all(fits), "{columns}:\n{}", ran.stdout);
    }
}

#[test]
fn the_common_failures_are_listed_played_and_written() {
    let folder = folder("failures");
    let list = run(&folder, &["demo", "--list"]);
    assert_eq!(list.code, 0);
    snapshot("demo_list", &list.stdout);
    for ready in playsim_scenario::FAILURES {
        let ran = run(&folder, &["demo", ready.name]);
        assert_eq!(ran.code, 0, "{}: {}", ready.name, ran.stderr);
        let new = format!("{0}/{0}", ready.name);
        assert_eq!(
            run(&folder, &["new", &new, "--from", ready.name]).code,
            0,
            "{}",
            ready.name
        );
        let written = run(&folder, &["run", &format!("{new}.yaml")]);
        assert_eq!(
            (written.code, &written.stdout),
            (0, &ran.stdout),
            "{}: {}",
            ready.name,
            written.stderr
        );
        let text = fs::read_to_string(folder.join(format!("{new}.yaml"))).expect("it was written");
        assert!(
            text.starts_with("# yaml-language-server: $schema=./scenario.schema.json\n"),
            "{text}"
        );
    }
    assert_eq!(run(&folder, &["demo", "Wrapper-Loop"]).code, 0);
    let wrong = run(&folder, &["demo", "wraper_loop"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("did you mean \"wrapper_loop\"?"),
        "{}",
        wrong.stderr
    );
    assert_eq!(
        run(&folder, &["new", "first", "--from", "waterfall"]).code,
        0
    );
    assert_eq!(run(&folder, &["run", "first.yaml"]).code, 0);
}

#[test]
fn every_scenario_of_a_common_failure_ships_with_playsim() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios/failures");
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("there is the folder")
        .filter_map(|file| {
            file.expect("it can be listed")
                .file_name()
                .into_string()
                .ok()
        })
        .filter_map(|name| name.strip_suffix(".yaml").map(str::to_owned))
        .collect();
    names.sort();
    let mut known: Vec<&str> = playsim_scenario::FAILURES
        .iter()
        .map(|ready| ready.name)
        .collect();
    known.sort_unstable();
    assert_eq!(known, names);
}

/// An archive of a tag that fills and its pixel, with or without the bodies of answers.
fn archive(has_bodies: bool) -> String {
    let vast = "<VAST version='3.0'><Ad id='a'><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle><Impression>https://t.test/impression\
                </Impression><Creatives><Creative><Linear><Duration>00:00:04</Duration><MediaFiles><MediaFile delivery='progressive' \
                type='video/mp4' width='640' height='360'>https://m.test/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives>\
                </InLine></Ad></VAST>";
    let entry = |at: u32, url: &str, mime: &str, body: &str| {
        let mut content = serde_json::json!({ "size": 1, "mimeType": mime });
        if has_bodies {
            content["text"] = body.into();
        }
        serde_json::json!({
            "startedDateTime": format!("2026-01-01T12:00:00.{at:03}Z"),
            "time": 50,
            "request": { "method": "GET", "url": url, "headers": [] },
            "response": { "status": 200, "redirectURL": "", "headers": [], "content": content },
        })
    };
    let entries = [
        entry(100, "https://ads.test/tag", "text/xml", vast),
        entry(200, "https://t.test/impression", "image/gif", ""),
    ];
    serde_json::json!({ "log": { "version": "1.2", "creator": { "name": "x", "version": "1" }, "entries": entries } })
        .to_string()
}

#[test]
fn the_page_of_a_recording_is_written_with_and_without_bodies() {
    let folder = folder("waterfall_page");
    write(&folder, "whole.har", &archive(true));
    write(&folder, "bare.har", &archive(false));
    let page = |args: &[&str]| waterfall(&folder, &[args, &["--format", "html"]].concat());
    let whole = page(&["whole.har", "-o", "whole.html"]);
    assert_eq!((whole.code, &*whole.stdout), (0, ""), "{}", whole.stderr);
    let html = fs::read_to_string(folder.join("whole.html")).expect("it is written");
    for due in [
        "<b class=\"about\">recorded</b>",
        "playsim waterfall whole.har --vary ad.timeout=250ms..5s/250ms",
        "playsim waterfall whole.har --format html<",
    ] {
        assert!(html.contains(due), "{due}");
    }
    let bare = page(&["bare.har"]);
    assert_eq!(bare.code, 2, "{}", bare.stdout);
    let due = ["shows a video ad", "--tag 'https://ads.test/tag'"];
    assert!(
        due.iter().all(|due| bare.stderr.contains(due)),
        "{}",
        bare.stderr
    );
    let bare = page(&["bare.har", "--tag", "ads.test/tag"]);
    assert_eq!(bare.code, 1, "{}", bare.stderr);
    assert!(
        bare.stdout.contains("Bodies are missing"),
        "{}",
        bare.stdout
    );
    // What selects lines of a trace needs one, and must match some.
    let selected = page(&[
        "bare.har",
        "--tag",
        "ads.test/tag",
        "--only",
        "adStart",
        "-o",
        "none.html",
    ]);
    assert!(
        selected.stderr.contains("the recording has no bodies"),
        "{}",
        selected.stderr
    );
    assert!(!folder.join("none.html").exists());
    let nothing = page(&["whole.har", "--only", "adPause"]);
    assert!(
        nothing.code != 0 && !nothing.stderr.is_empty(),
        "{}",
        nothing.stderr
    );
}

#[test]
fn an_option_for_something_else_is_refused_and_says_for_what_it_is() {
    let folder = folder_with_documents("waterfall_options");
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recordings/by_hand");
    fs::create_dir_all(folder.join("day")).expect("a folder can be made");
    for to in ["late.har", "day/late.har"] {
        fs::copy(recordings.join("late.har"), folder.join(to))
            .expect("the recording can be copied");
    }
    let saved = waterfall(&folder, &["empty@120ms", "spot.xml", "--save", "trial"]);
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    let (one, tags) = ("tags, a scenario or a recording", "tags");
    let recorded = "a recording or many recordings";
    for (option, refused_by, what_for) in [
        ("--answer=https://a.test/=404", &["day"][..], one),
        ("--dir=.", &["trial.yaml", "late.har", "day"], tags),
        ("--media=30s", &["trial.yaml", "late.har", "day"], tags),
        // Also with the value that is the default.
        ("--kind=pre", &["trial.yaml", "late.har", "day"], tags),
        ("--device=mobile", &["trial.yaml", "late.har", "day"], tags),
        (
            "--content=60s",
            &["trial.yaml"],
            "tags, a recording or many recordings",
        ),
        ("--timeout=5s", &["day"], one),
        (
            "--within=500ms",
            &["spot.xml", "trial.yaml", "day"],
            "a recording",
        ),
        ("--pixels=called", &["day"], one),
        ("--warnings=first", &["day"], one),
        (
            "--save=again",
            &["trial.yaml", "day"],
            "tags or a recording",
        ),
        ("--seed=3", &["day"], one),
        ("--skip=2s", &["day"], one),
        ("--vary=ad.timeout=1s", &["day"], one),
        ("--tag=ads.test", &["spot.xml", "trial.yaml"], recorded),
        ("--keep-secrets", &["spot.xml", "trial.yaml"], recorded),
    ] {
        for given in ["spot.xml", "trial.yaml", "late.har", "day"] {
            let ran = waterfall(&folder, &[given, option]);
            let name = option.split('=').next().expect("a name");
            let refused = format!("({name} is for {what_for})");
            assert_eq!(
                refused_by.contains(&given),
                ran.stderr.contains(&refused),
                "{given} {option}: {}",
                ran.stderr
            );
            assert!(
                !refused_by.contains(&given) || (ran.code == 2 && ran.stdout.is_empty()),
                "{given} {option}"
            );
        }
    }
}

#[test]
fn the_exit_code_says_the_result_of_what_is_given() {
    let folder = folder_with_documents("waterfall_exit");
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recordings");
    fs::create_dir_all(folder.join("day")).expect("a folder can be made");
    for (from, to) in [
        ("three_tags_playwright/session.har", "good.har"),
        ("by_hand/late.har", "day/late.har"),
        ("nothing_fills_playwright/session.har", "empty.har"),
    ] {
        fs::copy(recordings.join(from), folder.join(to)).expect("the recording can be copied");
    }
    let code = |args: &[&str]| waterfall(&folder, args).code;
    assert_eq!((code(&["404", "spot.xml"]), code(&["404"])), (0, 1));
    assert_eq!(
        (
            code(&["spot.xml", "--save", "trial"]),
            code(&["404", "--save", "none"])
        ),
        (0, 1)
    );
    assert_eq!((code(&["trial.yaml"]), code(&["none.yaml"])), (0, 1));
    // Nothing differs; a page that left what is documented shows an ad, and is 1 alone and 0 among
    // many.
    let longer = ["--knob", "ad.timeout=10s"];
    assert_eq!(
        (
            code(&["good.har"]),
            code(&[&["day/late.har"], &longer[..]].concat())
        ),
        (0, 1)
    );
    assert_eq!((code(&["day"]), code(&["empty.har", "empty.har"])), (0, 1));
    assert_eq!(
        (
            code(&["empty.har"]),
            code(&["day/late.har", "--vary", "ad.timeout=1s,10s"])
        ),
        (1, 0)
    );
}
