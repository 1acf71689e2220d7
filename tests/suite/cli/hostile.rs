//! Control characters in documents, scenarios, file names and arguments: every command shows them
//! escaped, none prints them raw. Rule TRACE-9.

use super::*;

/// One character of each kind that a terminal or a parser would interpret, as it occurs in a
/// document.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{8}\u{c}\u{7f}\u{9b}31m\u{85}\u{202e}\u{2066}\u{200f}\u{2028}\u{2029}\u{feff}";

/// The same inside a scenario's quotes; and a line break, after which a forged line could follow.
const WRITTEN: &str = r"\e[2J\e]0;owned\a\b\f\x7f\x9b31m\x85\u202e\u2066\u200f\u2028\u2029\ufeff\r\n     9.000000  player  > lie()";

/// A file name that a terminal would interpret.
const NAME: &str = "h\u{1b}[31m\u{202e}\u{9b}";

fn is_obeyed(letter: char) -> bool {
    let is_bidi = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter != '\n'
        && (letter.is_control() || is_bidi || "\u{2028}\u{2029}\u{feff}".contains(letter))
}

#[track_caller]
fn assert_harmless(what: &str, text: &str) {
    let found = text.lines().find(|line| line.contains(is_obeyed));
    assert!(
        found.is_none(),
        "{what} prints {:?}",
        found.unwrap_or_default()
    );
}

fn vast(title: &str) -> String {
    format!(
        "<VAST version=\"4.2\"><Error>https://t.test/e{title}</Error><Ad id=\"ad{title}\"><InLine>\
         <AdSystem version=\"1{title}\">sys{title}</AdSystem><AdTitle>title{title}</AdTitle>\
         <AdServingId>s{title}</AdServingId><Description>d{title}</Description><Advertiser>a{title}</Advertiser>\
         <Category authority=\"c{title}\">IAB{title}</Category><Pricing model=\"m{title}\" currency=\"x\">1</Pricing>\
         <Impression>https://t.test/i{title}</Impression><Impression>not {title} an address</Impression>\
         <Creatives><Creative id=\"c{title}\" adId=\"x{title}\" apiFramework=\"f{title}\">\
         <UniversalAdId idRegistry=\"r{title}\">u{title}</UniversalAdId><Linear><Duration>00:00:05</Duration>\
         <TrackingEvents><Tracking event=\"start\">https://t.test/s{title}</Tracking>\
         <Tracking event=\"odd{title}\">https://t.test/o{title}</Tracking></TrackingEvents>\
         <VideoClicks><ClickThrough>https://t.test/c{title}</ClickThrough></VideoClicks>\
         <MediaFiles><MediaFile type=\"video/mp4\" delivery=\"progressive\" width=\"640\" height=\"360\" \
         codec=\"k{title}\">https://m.test/spot{title}.mp4</MediaFile></MediaFiles></Linear></Creative>\
         <Creative><Linear><Duration>five{title}</Duration></Linear></Creative></Creatives>\
         <Extensions><Extension type=\"e{title}\" k=\"v{title}\"><x/></Extension></Extensions></InLine></Ad></VAST>"
    )
}

fn scenario() -> String {
    format!(
        "name: \"name{WRITTEN}\"\n\
         page: {{ containers: [\"box{WRITTEN}\"] }}\n\
         videos: [{{ id: \"v{WRITTEN}\", name: \"film{WRITTEN}\", renditions: {{ sd: \"film{WRITTEN}.mp4\" }} }}]\n\
         media: {{ default: {{ duration: 5s }} }}\n\
         network: {{ \"https://ads.test/a{WRITTEN}\": {{ after: 10ms, file: ad.xml }} }}\n\
         listeners:\n  \"call{WRITTEN}\": [play, {{ throw: \"thrown{WRITTEN}\" }}]\n\
         steps:\n  - {{ at: 0s, init: {{ div: \"box{WRITTEN}\", config: {{ id: \"p{WRITTEN}\", width: \"640\", height: \"360\", video: \"v{WRITTEN}\", \
         ads: [{{ adType: 0, adTimeType: s, mobile: [\"https://ads.test/a{WRITTEN}\", \"https://ads.test/b{WRITTEN}\"] }}] }}, on_ready: \"call{WRITTEN}\" }} }}\n\
         \x20 - {{ at: 1s, do: {{ on: [\"start\", \"call{WRITTEN}\"] }} }}\n\
         \x20 - {{ at: 2s, do: {{ on: [\"odd{WRITTEN}\", \"call{WRITTEN}\"] }} }}\n\
         \x20 - {{ at: 3s, read: [getTitle] }}\n\
         expect: [{{ event: adStart, data: {{ message: \"m{WRITTEN}\" }} }}]\n"
    )
}

/// A folder with hostile files of hostile names.
fn hostile(name: &str) -> PathBuf {
    let folder = folder(name);
    let write =
        |name: &str, text: &str| fs::write(folder.join(name), text).expect("it can be written");
    write("ad.xml", &vast(HOSTILE));
    write(&format!("{NAME}.xml"), &vast(HOSTILE));
    write(
        "broken.xml",
        &format!("<VAST><Ad id=\"{HOSTILE}\"></{HOSTILE}></VAST>"),
    );
    write(
        "page.xml",
        &format!(
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\"><vmap:AdBreak \
        timeOffset=\"{HOSTILE}\" breakType=\"{HOSTILE}\" breakId=\"{HOSTILE}\"><vmap:AdSource id=\"{HOSTILE}\"><vmap:AdTagURI \
        templateType=\"{HOSTILE}\">{HOSTILE}</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak></vmap:VMAP>"
        ),
    );
    write("case.yaml", &scenario());
    write(&format!("{NAME}.yaml"), &scenario());
    write(
        "wrong.yaml",
        &format!(
            "{}bad{HOSTILE}\tkey: [\"{HOSTILE}\"]\nvidoes: []\n",
            scenario()
        ),
    );
    write(
        "wrong.json",
        &format!("{{ \"videos\": [], \"{HOSTILE}\": \"{HOSTILE}\", }}"),
    );
    write(
        "call.yaml",
        &format!(
            "videos: [{{ id: v, renditions: {{ sd: a.mp4 }} }}]\nsteps: [{{ at: 0s, do: \"pl{WRITTEN}\" }}]\n"
        ),
    );
    write(
        "text.trace",
        &format!(
            "playsim trace 1  profile {HOSTILE}\n     0.000000  p{HOSTILE}  > play{HOSTILE}()\n"
        ),
    );
    write(
        "odd.jsonl",
        &format!(
            "{{\"t\":0,\"kind\":\"event\",\"name\":\"{}\"}}\n{HOSTILE}\n",
            WRITTEN
                .replace(r"\e", r"\u001b")
                .replace(r"\a", "")
                .replace(r"\x", r"\u00")
        ),
    );
    write("records.json", &format!("[{{ \"id\": \"{HOSTILE}\" }}"));
    folder
}

fn ran(folder: &Path, args: &[&str]) -> Ran {
    let ran = run(folder, args);
    let said = args.join(" ");
    assert!(ran.code <= 4, "{said}: {}", ran.stderr);
    assert_harmless(&format!("playsim {said}"), &ran.stdout);
    assert_harmless(&format!("playsim {said}, on standard error,"), &ran.stderr);
    ran
}

#[test]
fn no_command_prints_a_control_character_from_its_input() {
    let folder = hostile("hostile");
    let named = |ending: &str| format!("{NAME}.{ending}");
    let (xml, yaml) = (named("xml"), named("yaml"));
    for args in [
        &["vast", "ad.xml", "broken.xml", "page.xml", &xml][..],
        &[
            "vast",
            "--format",
            "json",
            "ad.xml",
            "broken.xml",
            "page.xml",
        ],
        &["waterfall", "ad.xml", "404"],
        &[
            "waterfall",
            "--format",
            "json",
            "ad.xml",
            &xml,
            "broken.xml",
        ],
        &["waterfall", &xml, "broken.xml", "page.xml"],
        &["waterfall", &format!("https://ads.test/{HOSTILE}")],
        &[
            "waterfall",
            "ad.xml",
            "--answer",
            &format!("https://{HOSTILE}=404"),
            "--media",
            &format!("{HOSTILE}=x"),
        ],
        &["waterfall", HOSTILE],
        &["waterfall", "ad.xml", "--dir", HOSTILE],
        &["run", "case.yaml", "--view", "all", "--why"],
        &["run", "case.yaml", &yaml],
        &["run", "case.yaml", "--format", "summary", "--why"],
        &["run", "case.yaml", "--format", "pixels"],
        &["run", "case.yaml", "--format", "jsonl", "--why"],
        &["run", "case.yaml", "--format", "har"],
        &[
            "run",
            "case.yaml",
            "--format",
            "html",
            "--view",
            "all",
            "--why",
        ],
        &["run", "case.yaml", "--format", "chrome-trace"],
        &["run", "case.yaml", "--only", HOSTILE],
        &["run", "case.yaml", "--check-determinism"],
        &["run", "wrong.yaml"],
        &["run", "wrong.json", "call.yaml", "missing\u{1b}.yaml"],
        &["run", "case.yaml", "--knob", HOSTILE, "--until", HOSTILE],
        &["run", "case.yaml", "--profile", HOSTILE],
        &["run", "case.yaml", "-o", &format!("nowhere{HOSTILE}/x")],
        &["diff", "case.yaml", &yaml, "--only", "adStart"],
        &["diff", "--profiles", "default", "literal", "case.yaml"],
        &["diff", "case.yaml", "text.trace"],
        &["diff", "case.yaml", "odd.jsonl"],
        &["diff", "case.yaml", "call.yaml"],
        &["explain", "case.yaml", "--event", "start"],
        &["explain", "case.yaml", "--event", HOSTILE],
        &["explain", "odd.jsonl", "--event", "0"],
        &["test"],
        &["test", "--report", "tap"],
        &["test", "--report", "github"],
        &["test", &yaml, "-k", HOSTILE],
        &["test", &format!("missing{HOSTILE}")],
        &["rules", HOSTILE],
        &["rules", "--search", HOSTILE],
        &["rules", "--knob", HOSTILE],
        &["new", HOSTILE],
        &["new", "x", "--from", HOSTILE],
        &["demo", HOSTILE],
        &["schema", HOSTILE],
        &[HOSTILE],
        &["run", "--", HOSTILE],
        &["run", &format!("--{HOSTILE}")],
        &["--color", HOSTILE],
        #[cfg(feature = "serve")]
        &["catalog", "import", &named("redb"), "records.json"],
        #[cfg(feature = "serve")]
        &["serve", "--listen", HOSTILE],
        #[cfg(feature = "serve")]
        &[
            "serve",
            "--import",
            "records.json",
            "--catalog",
            &format!("nowhere{HOSTILE}/x"),
        ],
    ] {
        ran(&folder, args);
    }
}

#[test]
fn an_escaped_control_character_can_be_identified() {
    let folder = hostile("hostile_shown");
    let shown = "\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{8}\\u{c}\\u{7f}\\u{9b}31m\\u{85}\\u{202e}";
    for args in [
        &["vast", "ad.xml"][..],
        &["run", "case.yaml"],
        &["run", "case.yaml", "--format", "summary"],
        &["run", "case.yaml", "--format", "pixels"],
        &["run", "case.yaml", "--format", "html"],
        &["waterfall", "ad.xml"],
        &["explain", "case.yaml", "--event", "start"],
    ] {
        let stdout = ran(&folder, args).stdout;
        assert!(stdout.contains(shown), "{}: {stdout}", args.join(" "));
        // No string from a document or scenario begins a line of its own; in HTML, lines have no
        // meaning.
        assert!(
            args.contains(&"html")
                || !stdout
                    .lines()
                    .any(|line| line.trim_start().starts_with("9.000000  player")),
            "{stdout}"
        );
    }
    // JSON has its own escapes, and a JSON parser gets the original characters.
    let line = ran(&folder, &["run", "case.yaml", "--format", "jsonl"]).stdout;
    assert!(
        line.contains("\\u001b[2J") && line.contains("\\u009b31m") && line.contains("\\u202e"),
        "{line}"
    );
    let reported = json_lines(&line)
        .into_iter()
        .any(|line| line["data"]["ad"] == format!("ad{HOSTILE}"));
    assert!(reported, "the ad's id is read back unchanged");
    let wrong = ran(&folder, &["run", "wrong.yaml"]).stderr;
    assert!(wrong.contains("\\u{1b}"), "{wrong}");
}

#[test]
fn colours_come_from_playsim_alone() {
    let folder = hostile("hostile_colour");
    for args in [
        &["--color", "always", "run", "wrong.yaml", "call.yaml"][..],
        &["--color", "always", "diff", "case.yaml", "text.trace"],
        &["--color", "always", "waterfall", "ad.xml", "404"],
        &["--color", "always", "test"],
        &["--color", "always", "run", "--until", HOSTILE],
    ] {
        let ran = run(&folder, args);
        for text in [ran.stdout, ran.stderr] {
            // An escape character only ever begins a colour sequence; nothing else remains.
            let mut parts = text.split("\u{1b}[");
            let first = parts.next().unwrap_or_default().to_owned();
            let behind = |part: &str| {
                part.split_once('m')
                    .filter(|(code, _)| {
                        !code.is_empty() && code.chars().all(|c| c.is_ascii_digit() || c == ';')
                    })
                    .map(|(_, rest)| rest.to_owned())
            };
            let rest: Option<Vec<String>> = parts.map(behind).collect();
            let rest = rest.unwrap_or_else(|| panic!("{}: {text:?}", args.join(" ")));
            assert_harmless(&args.join(" "), &(first + &rest.concat()));
        }
    }
}

#[test]
fn reports_of_tests_are_well_formed_whatever_a_case_contains() {
    let folder = hostile("hostile_reports");
    ran(
        &folder,
        &[
            "test",
            "--report",
            "junit=report.xml",
            "--report",
            "html=report.html",
        ],
    );
    for file in ["report.xml", "report.html"] {
        let text = fs::read_to_string(folder.join(file)).expect("it was written");
        assert_harmless(file, &text);
        assert!(text.contains("\\u{1b}"), "{file} shows what was there");
    }
    let xml = fs::read_to_string(folder.join("report.xml")).expect("it was written");
    roxmltree::Document::parse(&xml).expect("it is XML 1.0");
}
