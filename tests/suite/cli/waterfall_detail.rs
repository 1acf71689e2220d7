//! `playsim waterfall`: what its report says about media, VMAP schedules, each pixel, and times.

use super::*;

/// A document with a linear ad.
fn ad(id: &str, sequence: &str, duration: &str, inside: &str) -> String {
    format!(
        "<Ad id=\"{id}\"{sequence}><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
         <Error>https://t.test/{id}/error?code=[ERRORCODE]</Error>\
         <Impression>https://t.test/{id}/impression</Impression>{inside}\
         <Creatives><Creative><Linear skipoffset=\"00:00:02\">{duration}\
         <TrackingEvents><Tracking event=\"start\">https://t.test/{id}/start</Tracking>\
         <Tracking event=\"midpoint\">https://t.test/{id}/midpoint</Tracking>\
         <Tracking event=\"complete\">https://t.test/{id}/complete</Tracking>\
         <Tracking event=\"progress\" offset=\"00:01:00\">https://t.test/{id}/progress</Tracking>\
         <Tracking event=\"mute\">https://t.test/{id}/mute</Tracking></TrackingEvents>\
         <VideoClicks><ClickTracking>https://t.test/{id}/click</ClickTracking></VideoClicks>\
         <MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\">\
         https://m.test/shared.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>"
    )
}

fn lasting(duration: &str) -> String {
    format!("<Duration>{duration}</Duration>")
}

fn vast(ads: &str) -> String {
    format!("<VAST version=\"4.2\">{ads}</VAST>")
}

fn wrapper(id: &str, sequence: &str, to: &str) -> String {
    format!(
        "<Ad id=\"{id}\"{sequence}><Wrapper><AdSystem>t</AdSystem>\
         <Impression>https://t.test/{id}/impression</Impression>\
         <VASTAdTagURI><![CDATA[{to}]]></VASTAdTagURI></Wrapper></Ad>"
    )
}

fn written(name: &str, files: &[(&str, String)]) -> PathBuf {
    let folder = folder(name);
    for (file, text) in files {
        fs::write(folder.join(file), text).expect("it can be written");
    }
    folder
}

fn text(folder: &Path, args: &[&str]) -> String {
    run(folder, &[&["waterfall"], args].concat()).stdout
}

fn report(folder: &Path, args: &[&str]) -> Json {
    let ran = run(
        folder,
        &[&["waterfall"], args, &["--format", "json"]].concat(),
    );
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("it is not JSON: {}", ran.stderr))
}

/// The values of some keys of each entry of a list.
fn each(list: &Json, keys: &[&str]) -> Vec<Vec<Json>> {
    let entries = list.as_array().expect("it is a list").iter();
    entries
        .map(|entry| keys.iter().map(|key| entry[key].clone()).collect())
        .collect()
}

fn reason_of<'j>(uncalled: &'j Json, url: &str) -> &'j str {
    let found = uncalled
        .as_array()
        .expect("it is a list")
        .iter()
        .find(|pixel| pixel["url"] == url);
    found.unwrap_or_else(|| panic!("{url} is not in {uncalled:#}"))["reason"]
        .as_str()
        .expect("it is a string")
}

#[test]
fn media_of_unknown_length_last_as_long_as_their_ad_says() {
    let pod = vast(
        &(ad("one", " sequence=\"1\"", &lasting("00:00:15"), "")
            + &ad("two", " sequence=\"2\"", &lasting("00:00:31"), "")
            + &ad("three", " sequence=\"3\"", "", "")),
    );
    let folder = written("waterfall_lengths", &[("pod.xml", pod)]);
    let lengths = |args: &[&str]| {
        let report = report(&folder, &[&["pod.xml"], args].concat());
        let differs = report["breaks"][0]["tags"][0]["warnings"]
            .as_array()
            .expect("it is a list")
            .iter()
            .filter(|warning| warning["code"] == "duration-differs")
            .count();
        (
            each(
                &report["breaks"][0]["played"],
                &["duration_us", "length_from"],
            ),
            differs,
        )
    };
    let row = |us: u64, from: &str| vec![us.into(), from.into()];
    assert_eq!(
        lengths(&[]),
        (
            vec![
                row(15_000_000, "ad"),
                row(31_000_000, "ad"),
                row(15_000_000, "assumed")
            ],
            0
        )
    );
    let given = vec![row(15_000_000, "given"); 3];
    assert_eq!(
        lengths(&["--media", "https://m.test/shared.mp4=15s"]),
        (given.clone(), 1)
    );
    assert_eq!(lengths(&["--media", "15s"]), (given, 1));
    assert!(text(&folder, &["pod.xml"]).contains("the length of its media is unknown"));
}

#[test]
fn each_break_of_a_schedule_has_a_line_and_those_that_do_not_open_a_reason() {
    let row = |id: &str, offset: &str, kind: &str, source: &str| {
        format!(
            "<AdBreak breakId=\"{id}\" timeOffset=\"{offset}\" breakType=\"{kind}\">{source}<TrackingEvents>\
             <Tracking event=\"breakStart\">https://t.test/{id}/begin</Tracking></TrackingEvents></AdBreak>"
        )
    };
    let inside = |id: &str| {
        let vast = vast(&ad(id, "", &lasting("00:00:05"), ""));
        format!("<AdSource><VASTAdData>{vast}</VASTAdData></AdSource>")
    };
    let vmap = format!(
        "<VMAP version=\"1.0\">\n{}\n{}\n{}\n{}\n{}</VMAP>",
        row("before", "start", "linear", &inside("before")),
        row("early", "00:00:20", "linear", &inside("early")),
        row("late", "00:11:00", "linear", &inside("late")),
        row("odd", "#1", "linear", &inside("odd")),
        row("never", "soon", "linear", ""),
    );
    let folder = written("waterfall_schedule", &[("vmap.xml", vmap)]);
    let rows = |args: &[&str]| {
        let report = report(&folder, &[&["vmap.xml"], args].concat());
        each(
            &report["schedules"][0]["breaks"],
            &["id", "begin_us", "outcome", "reason"],
        )
    };
    let row = |id: &str, begin_us: Json, outcome: &str, reason: Json| {
        vec![id.into(), begin_us, outcome.into(), reason]
    };
    let nothing = || Json::Array(Vec::new());
    let due = "its timeOffset or breakType is missing or invalid";
    let short = [
        row("before", vec![0].into(), "filled", Json::Null),
        row("early", vec![25_000_000].into(), "filled", Json::Null),
        row(
            "late",
            nothing(),
            "never-reached",
            "the content lasts 60 s".into(),
        ),
        row(
            "odd",
            nothing(),
            "left-out",
            "positions are ignored if the document has other offsets".into(),
        ),
        row("never", nothing(), "left-out", due.into()),
    ];
    assert_eq!(rows(&[]), short);
    assert_eq!(
        rows(&["--content", "12m"])[2],
        row("late", vec![670_000_000].into(), "filled", Json::Null)
    );
    let long = report(&folder, &["vmap.xml", "--content", "12m"]);
    assert_eq!(
        (&long["content_us"], &long["outcome"]),
        (&720_000_000.into(), &"idle".into())
    );
    let shown = text(&folder, &["vmap.xml", "--pixels", "all"]);
    assert!(shown.contains("the content lasts 60 s"), "{shown}");
    assert!(text(&folder, &["vmap.xml", "--content", "12m"]).contains("the content lasts 720 s"));
    snapshot("waterfall_schedule", &shown);
    let report = report(&folder, &["vmap.xml"]);
    assert_eq!(report["breaks"][0]["tags"][0]["outcome"], "scheduled");
    let uncalled = &report["breaks"][0]["uncalled"];
    for url in [
        "https://t.test/late/begin",
        "https://t.test/late/impression",
    ] {
        assert_eq!(
            reason_of(uncalled, url),
            "the break did not begin: the content lasts 60 s"
        );
    }
    // The summary of a run does not call such a tag undecided or a failure either.
    let scenario = "name: s\nvideos: [{ id: v1, renditions: { sd: film.mp4 } }]\n\
        media: { film.mp4: { duration: 60s }, default: { duration: 5s } }\n\
        network: { \"https://a.test/v\": { file: vmap.xml } }\n\
        player: { ads: [{ adType: 0, adTimeType: s, mobile: [\"https://a.test/v\"] }] }\n\
        steps:\n  - { at: 0s, init: { div: player, config: { id: p, width: \"640\", height: \"360\", video: v1 } } }\n  \
        - { on: ready, do: play }\n";
    fs::write(folder.join("s.yaml"), scenario).expect("it can be written");
    let summary = run(&folder, &["run", "s.yaml", "--format", "summary"]);
    assert!(
        summary.stdout.contains("schedule of 3 breaks (VMAP)"),
        "{}\n{}",
        summary.stdout,
        summary.stderr
    );
}

#[test]
fn an_error_pixel_has_its_reason_next_to_it() {
    let verification = "<AdVerifications><Verification vendor=\"seen\"/></AdVerifications>";
    let one = ad("one", "", &lasting("00:00:15"), verification).replace(
        "</MediaFile></MediaFiles>",
        "</MediaFile><InteractiveCreativeFile type=\"text/html\" apiFramework=\"other\">\
         https://m.test/unit.html</InteractiveCreativeFile></MediaFiles>",
    );
    let flash = ad("flash", "", &lasting("00:00:15"), "")
        .replace("video/mp4", "application/x-shockwave-flash");
    let empty = "<VAST version=\"4.2\"><Error>https://t.test/empty?code=[ERRORCODE]</Error></VAST>"
        .to_owned();
    let folder = written(
        "waterfall_reasons",
        &[
            ("one.xml", vast(&one)),
            ("flash.xml", vast(&flash)),
            ("empty.xml", empty),
        ],
    );
    let args = ["empty.xml", "flash.xml", "one.xml"];
    let report = report(&folder, &args);
    let beacons = &report["breaks"][0]["beacons"];
    let errors = each(beacons, &["event", "wp", "code", "reason"]).into_iter();
    let errors: Vec<Vec<Json>> = errors.filter(|beacon| beacon[0] == "error").collect();
    let row = |wp: u32, code: u32, reason: &str| {
        vec![Json::from("error"), wp.into(), code.into(), reason.into()]
    };
    assert_eq!(
        errors,
        [
            row(0, 303, "the response has no ad"),
            row(1, 403, errors[1][3].as_str().expect("there is a reason")),
            row(2, 410, "seen: the page cannot run it"),
            row(
                2,
                409,
                "https://m.test/unit.html: its framework is not SIMID"
            ),
        ]
    );
    assert!(
        errors[1][3]
            .as_str()
            .expect("it is a string")
            .contains("shockwave"),
        "{errors:?}"
    );
    let faults = each(&report["breaks"][0]["tags"][2]["faults"], &["what", "code"]);
    assert_eq!(
        faults,
        [
            vec![Json::from("verification"), 410.into()],
            vec!["interactive".into(), 409.into()]
        ]
    );
    let shown = text(&folder, &args);
    for reported in [
        "409: https://m.test/unit.html: its framework is not SIMID",
        "410: seen: the page cannot run it",
        "303: the response has no ad",
    ] {
        assert!(shown.contains(reported), "{reported} is not in\n{shown}");
    }
}

#[test]
fn a_pixel_that_was_not_called_has_its_reason() {
    let two = vast(
        &(ad("first", "", &lasting("00:00:15"), "") + &ad("second", "", &lasting("00:00:15"), "")),
    );
    let folder = written(
        "waterfall_pixels",
        &[
            ("two.xml", two),
            ("other.xml", vast(&ad("third", "", "", ""))),
        ],
    );
    let report = report(&folder, &["two.xml", "other.xml", "--skip", "3s"]);
    let uncalled = &report["breaks"][0]["uncalled"];
    for (url, reason) in [
        ("first/midpoint", "the ad was skipped before midpoint"),
        ("first/complete", "the ad was skipped before its end"),
        (
            "first/progress",
            "its offset is 60 s, but the ad lasts 15 s",
        ),
        ("first/mute", "called only when the user mutes the player"),
        ("first/click", "called only on a click on the ad"),
        ("first/error?code=[ERRORCODE]", "called only on an error"),
        ("second/impression", "the ad was not chosen"),
        (
            "third/impression",
            "the tag was not requested: tag 1 filled",
        ),
    ] {
        assert_eq!(
            reason_of(uncalled, &format!("https://t.test/{url}")),
            reason
        );
    }
    let called = report["breaks"][0]["beacons"]
        .as_array()
        .expect("it is a list");
    assert_eq!(
        called
            .iter()
            .map(|it| it["event"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["impression", "start"]
    );
    assert!(
        uncalled
            .as_array()
            .unwrap()
            .iter()
            .all(|pixel| pixel["url"] != "https://t.test/first/start")
    );
    let args = ["two.xml", "other.xml", "--skip", "3s"];
    assert!(text(&folder, &args).contains("22 pixels were not called; --pixels all lists them"));
    let all = text(&folder, &[&args[..], &["--pixels", "all"]].concat());
    assert!(
        all.contains("the ad was skipped before midpoint (two.xml:1:"),
        "{all}"
    );
}

#[test]
fn times_count_from_the_tags_own_request_and_later_hops_are_drawn_where_they_happen() {
    let long = |pod: u32| {
        format!(
            "https://ads.test/gampad/ads?slot=/1234/sample&sz=640x480&pod={pod}&lip=true&max=30000&tail=1"
        )
    };
    let pod = vast(
        &(wrapper("w1", " sequence=\"1\"", &long(1)) + &wrapper("w2", " sequence=\"2\"", &long(2))),
    );
    let one = vast(&ad(
        "one",
        "",
        &lasting("00:00:10"),
        "<Impression>https://t.test/x?a=[NOBODY]</Impression>",
    ));
    let folder = written("waterfall_times", &[("pod.xml", pod), ("one.xml", one)]);
    let answers: Vec<String> = [1, 2]
        .iter()
        .map(|pod| format!("{}=one.xml@300ms", long(*pod)))
        .collect();
    let args = [
        "pod.xml@100ms",
        "--answer",
        &answers[0],
        "--answer",
        &answers[1],
        "--timeout",
        "2s",
    ];
    let report = report(&folder, &args);
    let tag = &report["breaks"][0]["tags"][0];
    assert_eq!(
        (&tag["answered_us"], &tag["decided_us"]),
        (&100_000.into(), &400_000.into())
    );
    assert_eq!(
        (&report["timeout_us"], &report["media_timeout_us"]),
        (&2_000_000.into(), &8_000_000.into())
    );
    let macros = &report["breaks"][0]["unfilled"];
    assert_eq!(
        each(macros, &["name", "urls"]),
        [vec![
            Json::from("[NOBODY]"),
            vec!["https://t.test/x?a=[NOBODY]"].into()
        ]]
    );
    snapshot("waterfall_later", &text(&folder, &args));
}

#[test]
fn everything_tolerated_is_listed_on_request() {
    let odd = "<VAST><Ad id=\"a\"><InLine><Creatives><Creative><Linear><Duration>00:00:05.0</Duration><MediaFiles>\
        <MediaFile type=\"video/mp4\"> https://m.test/a.mp4 </MediaFile></MediaFiles></Linear></Creative></Creatives>\
        </InLine></Ad></VAST>";
    let folder = written("waterfall_warnings", &[("odd.xml", odd.to_owned())]);
    let count = report(&folder, &["odd.xml"])["breaks"][0]["tags"][0]["warnings"]
        .as_array()
        .unwrap()
        .len();
    assert!(count > 2, "{count}");
    let short = text(&folder, &["odd.xml"]);
    assert!(
        short.contains(&format!(
            "(and {} more; --warnings all lists them)",
            count - 1
        )),
        "{short}"
    );
    assert_eq!(
        text(&folder, &["odd.xml", "--warnings", "all"])
            .matches("tolerated: ")
            .count(),
        count
    );
}

#[test]
fn files_that_are_no_recordings_are_refused_by_name() {
    let folder = folder("waterfall_other_forms");
    let log = "192.0.2.1 - - [23/Sep/2026:14:05:01 +0200] \"GET /vast?a=1 HTTP/2.0\" 200 64 \"-\" \"x\"\n";
    for (name, text, due) in [
        ("access.log", log, "is an access log of a server"),
        (
            "flows",
            "1841:7:version;2:21#4:type;4:http;",
            "mitmdump -nr",
        ),
        (
            "net.json",
            "{\"constants\":{\"a\":1},\"events\":[]}",
            "is a NetLog",
        ),
        (
            "v.txt",
            "> GET /vast HTTP/1.1\n< HTTP/1.1 200 OK\n",
            "curl -v",
        ),
    ] {
        fs::write(folder.join(name), text).expect("it can be written");
        for command in ["waterfall", "import"] {
            let ran = run(&folder, &[command, name]);
            assert_eq!(ran.code, 2, "{}", ran.stdout);
            assert!(ran.stderr.contains(due), "{name}: {}", ran.stderr);
        }
    }
}
