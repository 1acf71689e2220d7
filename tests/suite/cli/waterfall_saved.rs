//! `playsim waterfall`: what it means as a scenario (`--save`), what a person does, and its forms.

use super::*;

fn ad(id: &str) -> String {
    let tracking =
        |event: &str| format!("<Tracking event=\"{event}\">https://t.test/{event}</Tracking>");
    let events = ["mute", "unmute", "pause", "resume", "skip", "complete"]
        .map(tracking)
        .concat();
    format!(
        "<VAST version=\"4.2\"><Ad id=\"{id}\"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
         <Impression>https://t.test/impression</Impression><Creatives><Creative>\
         <Linear skipoffset=\"00:00:02\"><Duration>00:00:10</Duration>\
         <TrackingEvents>{events}</TrackingEvents>\
         <VideoClicks><ClickThrough>https://shop.test/</ClickThrough>\
         <ClickTracking>https://t.test/click</ClickTracking></VideoClicks>\
         <MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\">\
         https://m.test/{id}.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
    )
}

fn wrapper(to: &str) -> String {
    format!(
        "<VAST version=\"4.2\"><Ad id=\"w\"><Wrapper><AdSystem>t</AdSystem>\
         <VASTAdTagURI><![CDATA[{to}]]></VASTAdTagURI></Wrapper></Ad></VAST>"
    )
}

/// A folder with documents of every kind that is named differently than it can be saved.
fn documents(name: &str) -> PathBuf {
    let folder = folder(name);
    let write = |file: &str, text: &[u8]| {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    };
    write("here/spot.xml", ad("spot").as_bytes());
    write(
        "here/wrapper.xml",
        wrapper("https://ads.test/inner?cb=[CACHEBUSTING]").as_bytes(),
    );
    write("here/sub/spot.xml", ad("below").as_bytes());
    write("spot.xml", ad("above").as_bytes());
    write(
        "here/tag.http",
        format!("HTTP/1.1 200 OK\r\nA: b\r\n\r\n{}", ad("recorded")).as_bytes(),
    );
    let latin = format!(
        "<?xml version='1.0' encoding='ISO-8859-1'?>{}",
        ad("caf\u{e9}")
    );
    let latin: Vec<u8> = latin
        .chars()
        .map(|letter| u8::try_from(u32::from(letter)).unwrap())
        .collect();
    write("here/latin.xml", &latin);
    folder
}

fn digest_of_report(folder: &Path, args: &[&str]) -> String {
    let ran = run(
        folder,
        &[&["waterfall"], args, &["--format", "json"]].concat(),
    );
    let report: Json = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|_| panic!("it is not JSON: {}", ran.stderr));
    report["digest"]
        .as_str()
        .expect("it has a digest")
        .to_owned()
}

fn digest_of_run(folder: &Path, file: &str) -> String {
    let ran = run(folder, &["run", file, "--format", "jsonl", "--view", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines = json_lines(&ran.stdout);
    lines.last().expect("it has an outcome")["data"]["digest"]
        .as_str()
        .expect("it has a digest")
        .to_owned()
}

#[test]
fn a_saved_scenario_plays_the_same_trace() {
    let folder = documents("saved");
    let here = folder.join("here");
    let above = folder.join("spot.xml");
    let above = above.to_str().expect("the folder's name is UTF-8");
    let inner = "https://ads.test/inner=spot.xml@300ms";
    let cases: &[&[&str]] = &[
        &["spot.xml@120ms"],
        &[
            "empty@120ms",
            "404@90ms",
            "timeout",
            "refused",
            "spot.xml@503@1s",
            "spot.xml",
            "--timeout",
            "2s",
        ],
        &[
            "wrapper.xml",
            "--answer",
            inner,
            "--answer",
            "https://ads.test/inner=404",
        ],
        &[
            "404",
            "spot.xml",
            "sub/spot.xml",
            "../spot.xml",
            above,
            "--media",
            "missing",
        ],
        &[
            "404",
            "tag.http",
            "--media",
            "7s@1s",
            "--device",
            "mobile",
            "--content",
            "30s",
        ],
        &[
            "latin.xml",
            "--kind",
            "mid",
            "--profile",
            "ima",
            "--knob",
            "ad.media_timeout=3s",
            "--seed",
            "7",
        ],
        &[
            "spot.xml", "--skip", "6s", "--click", "1s..2s", "--pause", "3s..5s", "--mute",
            "--until", "20s",
        ],
        &[
            "https://ads.test/a?x=[y]&b=1",
            "--answer",
            "https://ads.test/a=sub/spot.xml",
        ],
    ];
    for (number, args) in cases.iter().enumerate() {
        let name = format!("cases/{number}/case");
        let saved = digest_of_report(&here, &[*args, &["--save", &name]].concat());
        assert_eq!(
            saved,
            digest_of_run(&here, &format!("{name}.yaml")),
            "{args:?}"
        );
    }
    // Where every document already has the name of a file below the scenario, nothing differs at
    // all.
    for args in [cases[0], cases[2], cases[5], cases[6]] {
        let number = cases
            .iter()
            .position(|known| *known == args)
            .expect("it is one of them");
        assert_eq!(
            digest_of_report(&here, args),
            digest_of_run(&here, &format!("cases/{number}/case.yaml")),
            "{args:?}"
        );
    }
    let mut names: Vec<String> = fs::read_dir(here.join("cases/3"))
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("it can be listed")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    assert_eq!(names, ["case.yaml", "spot-2.xml", "spot.xml", "sub"]);
}

#[test]
fn saving_says_what_was_written_and_overwrites_nothing() {
    let folder = documents("saved_twice").join("here");
    let args = [
        "waterfall",
        "404",
        "wrapper.xml",
        "--answer",
        "https://ads.test/inner=spot.xml",
    ];
    let save = |name: &str| run(&folder, &[&args[..], &["--save", name]].concat());
    let ran = save("case");
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            0,
            "wrote case.yaml\nTry next:\n  playsim run case.yaml --view ads\n"
        )
    );
    let text = fs::read_to_string(folder.join("case.yaml")).expect("it was written");
    let called = "# Written by: playsim waterfall 404 wrapper.xml \
                  --answer https://ads.test/inner=spot.xml --save case\nname: waterfall\n";
    assert!(text.starts_with(called), "{text}");
    let again = save("case");
    assert_eq!(again.code, 3);
    assert_eq!(
        again.stderr,
        "error: case.yaml already exists; nothing was written\n"
    );
    assert!(
        again.stdout.starts_with("pre-roll: filled"),
        "{}",
        again.stdout
    );
    fs::create_dir(folder.join("other")).expect("a folder can be made");
    fs::write(folder.join("other/spot.xml"), "<VAST/>").expect("it can be written");
    let other = save("other/case.yaml");
    assert_eq!(other.code, 3);
    assert!(
        other.stderr.ends_with(
            "spot.xml already exists with other content; nothing was written. \
             Choose an empty folder, such as playsim waterfall ... --save trials/case\n"
        ),
        "{}",
        other.stderr
    );
    assert!(!folder.join("other/case.yaml").exists());
    assert_eq!(save("..").code, 2);
}

/// The trackers that were called, each with its time in seconds.
fn called(folder: &Path, args: &[&str]) -> Vec<String> {
    let ran = run(
        folder,
        &[&["waterfall", "spot.xml", "--format", "json"], args].concat(),
    );
    let report: Json = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|_| panic!("it is not JSON: {}", ran.stderr));
    let beacons = report["breaks"][0]["beacons"]
        .as_array()
        .expect("it is a list")
        .iter();
    let shown = |it: &Json| {
        let at = it["at_us"].as_u64().expect("it is a number");
        format!(
            "{} {}",
            it["event"].as_str().expect("it is a name"),
            at / 1_000_000
        )
    };
    beacons
        .map(shown)
        .filter(|line| line != "impression 0")
        .collect()
}

#[test]
fn a_person_skips_clicks_pauses_and_mutes() {
    let folder = documents("persons").join("here");
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["complete 10"]),
        (&["--skip", "1s", "--skip", "6s"], &["skip 6"]),
        (
            &["--click", "2s..4s"],
            &["clickTracking 2", "pause 2", "resume 4", "complete 12"],
        ),
        (&["--click", "2s"], &["clickTracking 2", "pause 2"]),
        (
            &["--pause", "3s..5s", "--pause", "6s..6500ms"],
            &["pause 3", "resume 5", "pause 6", "resume 6", "complete 12"],
        ),
        (&["--pause", "3s"], &["pause 3"]),
        (&["--mute"], &["mute 0", "complete 10"]),
        (&["--mute", "2s", "--skip", "4s"], &["mute 2", "skip 4"]),
        (&["--mute=2s..3s"], &["mute 2", "unmute 3", "complete 10"]),
    ];
    for (args, expected) in cases {
        assert_eq!(called(&folder, args), *expected, "{args:?}");
    }
    let wrong = |args: &[&str]| {
        let ran = run(&folder, &[&["waterfall"], args].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        ran.stderr
    };
    let eaten = wrong(&["--mute", "spot.xml"]);
    assert!(
        eaten.contains("write --mute=0s or put --mute at the end"),
        "{eaten}"
    );
    let backwards = wrong(&["spot.xml", "--pause", "5s..3s"]);
    assert!(
        backwards.contains("it must end after it begins, like 3s..5s"),
        "{backwards}"
    );
    let endless = wrong(&["spot.xml", "--click", "soon"]);
    assert!(
        endless.contains("like 1.5s, 250ms, 2m or 01:02:03.500, or a range, like 3s..5s"),
        "{endless}"
    );
}

#[test]
fn the_trace_of_a_waterfall_has_every_form_that_run_has() {
    let folder = documents("saved_forms").join("here");
    let args = ["waterfall", "404@120ms", "spot.xml", "--save", "case"];
    assert_eq!(run(&folder, &args).code, 0);
    for (form, as_run) in [
        ("html", "html"),
        ("har", "har"),
        ("pixels", "pixels"),
        ("summary", "summary"),
        ("chrome-trace", "chrome-trace"),
        ("jsonl", "jsonl"),
        ("trace", "text"),
    ] {
        let options: &[&str] = if form == "jsonl" {
            &["--why", "--view", "ads", "--not", "beacon"]
        } else {
            &[]
        };
        let played = run(
            &folder,
            &[&["run", "case.yaml", "--format", as_run], options].concat(),
        );
        let tags = ["waterfall", "404@120ms", "spot.xml", "--format", form];
        let shown = run(&folder, &[&tags[..], options].concat());
        assert_eq!((shown.code, shown.stderr.as_str()), (0, ""), "{form}");
        // A page names the command that wrote it.
        let before = |text: &str| text.split("<p>Played again").next().map(str::to_owned);
        assert!(
            before(&shown.stdout) == before(&played.stdout),
            "{form} differs"
        );
        let written = run(&folder, &[&tags[..], options, &["-o", "out"]].concat());
        assert_eq!((written.code, written.stdout.as_str()), (0, ""));
        assert_eq!(
            fs::read_to_string(folder.join("out")).expect("it was written"),
            shown.stdout
        );
    }
    let nothing = run(
        &folder,
        &[
            "waterfall",
            "spot.xml",
            "--format",
            "pixels",
            "--only",
            "imperssion",
        ],
    );
    assert_eq!(nothing.code, 4);
    let report = run(
        &folder,
        &[
            "waterfall",
            "spot.xml",
            "-o",
            "report.txt",
            "--color",
            "always",
        ],
    );
    assert_eq!((report.code, report.stdout.as_str()), (0, ""));
    let report = fs::read_to_string(folder.join("report.txt")).expect("it was written");
    assert!(!report.contains('\u{1b}'), "{report}");
}

#[test]
fn options_that_have_no_effect_or_would_overwrite_are_refused() {
    let folder = documents("saved_refused").join("here");
    let refused = |args: &[&str]| {
        let ran = run(&folder, &[&["waterfall"], args].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        ran.stderr
    };
    for args in [["--why", "--why"], ["--only", "beacon"], ["--view", "ads"]] {
        let args = if args[0] == args[1] {
            &args[..1]
        } else {
            &args[..]
        };
        let text = refused(&[&["spot.xml"], args].concat());
        let expected = format!(
            "error: {} is about the lines of a trace; add --format trace (or html, jsonl, ...)\n",
            args[0]
        );
        assert_eq!(text, expected);
    }
    let overwritten = "spot.xml is a response of this waterfall, and -o would overwrite it";
    assert!(
        refused(&["404", "spot.xml@2s", "-o", "./spot.xml"])
            .contains(&overwritten.replace("spot.xml is", "./spot.xml is"))
    );
    let answer = [
        "wrapper.xml",
        "--answer",
        "https://ads.test/inner=spot.xml",
        "--trace",
        "spot.xml",
    ];
    assert!(refused(&answer).contains("spot.xml is a response of this waterfall, and --trace"));
    fs::copy(folder.join("spot.xml"), folder.join("inner.xml")).expect("it can be copied");
    assert!(
        refused(&["wrapper.xml", "--dir", ".", "-o", "inner.xml"])
            .contains("and -o would overwrite")
    );
    assert_eq!(
        refused(&["spot.xml", "-o", "x", "--trace", "x"]),
        "error: -o and --trace must be different files\n"
    );
}
