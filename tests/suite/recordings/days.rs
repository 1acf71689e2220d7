//! Many recordings as one table: the archives that were written by hand, together and beside each
//! other.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use playsim::import::{
    ChangedFigure, ChangedValues, Evidence, OutcomeKind, PageVerdict, RecordingChange,
    RecordingSet, RecordingTable, differences,
};
use serde_json::Value;

use super::{WITHIN, folder, hints, read};

/// The archives, with what is known of each; none if the package leaves them out.
fn archives() -> Vec<(String, PathBuf, Value)> {
    let Ok(entries) = fs::read_dir(folder().join("by_hand")) else {
        eprintln!("no recordings: the package leaves them out");
        return Vec::new();
    };
    let files = entries.flatten().map(|entry| entry.path());
    let mut found: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|ending| ending == "har"))
        .map(|file| {
            let truth =
                fs::read_to_string(file.with_extension("json")).expect("each has its truth");
            let name = file
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, file, serde_json::from_str(&truth).expect("JSON"))
        })
        .collect();
    found.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    found
}

fn verdict(file: &Path) -> (Evidence, PageVerdict) {
    let evidence = Evidence::of(read(file), hints(file)).expect("it has tags");
    let verdict = PageVerdict::of(&evidence);
    (evidence, verdict)
}

fn set<'f>(files: impl IntoIterator<Item = (&'f str, &'f Path)>) -> RecordingSet {
    let mut set = RecordingSet::default();
    for (name, file) in files {
        let (evidence, verdict) = verdict(file);
        set.add(name, &evidence, &verdict);
    }
    set
}

/// A set of these archives written by hand, each so many times.
fn repeated(archives: &[(&str, usize)]) -> RecordingSet {
    let by_hand = folder().join("by_hand");
    let mut set = RecordingSet::default();
    for (name, times) in archives {
        let (evidence, verdict) = verdict(&by_hand.join(name));
        for time in 0..*times {
            set.add(&format!("{time:02}-{name}"), &evidence, &verdict);
        }
    }
    set
}

fn outcome(kind: &str) -> OutcomeKind {
    match kind {
        "filled" => OutcomeKind::Filled,
        "no-ad" => OutcomeKind::NoAd,
        "failed" => OutcomeKind::Failed,
        "given-up" => OutcomeKind::GivenUp,
        "shown-late" => OutcomeKind::Late,
        "scheduled" => OutcomeKind::Schedule,
        "unknown" => OutcomeKind::Unknown,
        other => panic!("{other} has no column of its own"),
    }
}

#[test]
fn the_sums_are_those_of_the_servers() {
    let archives = archives();
    if archives.is_empty() {
        return;
    }
    let table = RecordingTable::of(
        set(archives.iter().map(|(name, file, _)| (&**name, &**file))),
        None,
    );
    assert_eq!(table.set.recordings, archives.len() as u64);
    let truths = || archives.iter().map(|(_, _, truth)| truth);
    let shown = |word: &str| truths().filter(|truth| truth["shown"] == word).count() as u64;
    assert_eq!(table.set.with_ad.count, shown("all") + shown("some"));
    assert_eq!(table.set.without_ad.count, shown("none"));
    assert_eq!(table.set.unknown.count, shown("unknown"));
    let kinds: Vec<&str> = truths()
        .flat_map(|truth| {
            truth["tags"]
                .as_array()
                .expect("a list")
                .iter()
                .filter_map(Value::as_str)
        })
        .collect();
    let count = |outcome| table.tags.iter().map(|tag| tag.count(outcome)).sum::<u64>();
    let is_not_shown = |kind: &&&str| **kind == "answered-not-shown";
    for it in OutcomeKind::ALL {
        if !matches!(it, OutcomeKind::Late | OutcomeKind::NotShown) {
            let due = kinds
                .iter()
                .filter(|kind| !is_not_shown(kind) && outcome(kind) == it)
                .count();
            assert_eq!(count(it), due as u64, "{it:?}");
        }
    }
    // What was not shown is late or not; late.har says which.
    let not_shown = kinds.iter().filter(is_not_shown).count()
        + kinds.iter().filter(|it| **it == "shown-late").count();
    assert_eq!(
        count(OutcomeKind::Late) + count(OutcomeKind::NotShown),
        not_shown as u64
    );
    for tag in &table.tags {
        assert_eq!(
            tag.outcomes.iter().map(|it| it.count.count).sum::<u64>(),
            tag.asked.count,
            "{}",
            tag.url
        );
        let waits = table
            .tags
            .iter()
            .filter_map(|tag| tag.share_of_wait)
            .map(|share| share.millionths());
        assert!((999_900..=1_000_100).contains(&waits.sum::<i64>()));
    }
    let late = table.tags.iter().flat_map(|tag| &tag.outcomes).find(|it| {
        it.outcome == OutcomeKind::Late
            && it.count.recordings.iter().any(|name| &**name == "late.har")
    });
    assert!(late.is_some(), "{}", table.text(120, false));
    // pixels.har: the impression was answered with 404.
    let lost = table
        .tags
        .iter()
        .find(|tag| tag.lost_impressions.count > 0)
        .expect("one was lost");
    assert_eq!(
        lost.lost_impressions
            .recordings
            .iter()
            .map(|it| &**it)
            .collect::<Vec<_>>(),
        ["pixels.har"]
    );
    assert_eq!(table.set.lost_impressions, 1);
}

#[test]
fn it_does_not_matter_which_thread_adds_what() {
    let archives = archives();
    let named = || archives.iter().map(|(name, file, _)| (&**name, &**file));
    let forward = RecordingTable::of(set(named()), None);
    for part in [1, 3, 8] {
        let mut merged = set(named().skip(part).collect::<Vec<_>>().into_iter().rev());
        merged.merge(set(named().take(part)));
        let merged = RecordingTable::of(merged, None);
        assert_eq!(merged.json(), forward.json(), "{part}");
        assert_eq!(merged.text(100, false), forward.text(100, false), "{part}");
    }
}

#[test]
fn what_changed_comes_first_and_chance_is_left_out() {
    if archives().is_empty() {
        return;
    }
    let today = || repeated(&[("late.har", 12), ("redirects.har", 12)]);
    let before = repeated(&[("pixels.har", 12), ("redirects.har", 12)]);
    let table = RecordingTable::of(today(), Some(before));
    assert!(
        table.changes.is_sorted_by_key(|it| it.chance),
        "{:?}",
        table.changes
    );
    let is_late = |it: &&RecordingChange| it.figure == ChangedFigure::Outcome(OutcomeKind::Late);
    let late = table
        .changes
        .iter()
        .find(is_late)
        .expect("12 more came too late");
    assert!(
        late.is_beyond_chance && late.is_worse() == Some(true),
        "{late:?}"
    );
    let ChangedValues::Share { now, before, by } = late.values else {
        panic!("a share")
    };
    assert_eq!((now, before), ((12, 24), (0, 24)));
    assert_eq!(by.difference.to_string(), "0.5");
    assert!(
        by.low.millionths() > 250_000 && by.high.millionths() < 750_000,
        "{by:?}"
    );
    assert!(table.has_changed());
    // Nothing differs from itself, and little from a little.
    let same = RecordingTable::of(today(), Some(today()));
    assert!(same.changes.is_empty(), "{:?}", same.changes);
    let few = RecordingTable::of(
        repeated(&[("late.har", 2)]),
        Some(repeated(&[("pixels.har", 2)])),
    );
    assert!(
        !few.changes.is_empty() && !few.has_changed(),
        "{:?}",
        few.changes
    );
}

#[test]
fn two_verdicts_differ_where_the_pages_did() {
    let archives = archives();
    for (name, file, _) in &archives {
        let (_, own) = verdict(file);
        assert_eq!(differences(&own, &own, WITHIN), [], "{name}");
        for (other_name, other, _) in archives.iter().filter(|(other, ..)| other != name) {
            let found = differences(&own, &verdict(other).1, WITHIN);
            assert!(!found.is_empty(), "{name} and {other_name}");
        }
    }
    if !archives.is_empty() {
        let by_hand = folder().join("by_hand");
        let [late, pixels] = ["late.har", "pixels.har"].map(|name| verdict(&by_hand.join(name)).1);
        let found = differences(&late, &pixels, WITHIN);
        let has = |what: &str, first: Option<&str>, second: Option<&str>| {
            found.iter().any(|it| {
                it.what == what && it.first.as_deref() == first && it.second.as_deref() == second
            })
        };
        assert!(has(
            "tag ib.adnxs-like.example/ptv: what became of it",
            Some("late"),
            Some("filled")
        ));
        assert!(has(
            "tag adx.adform-like.example/mid=1",
            Some("there"),
            None
        ));
        assert!(has(
            "pixel impression t.example/impression: status",
            Some("200"),
            Some("404")
        ));
        assert!(has(
            "pixel midpoint t.example/midpoint (2)",
            None,
            Some("there")
        ));
    }
}

/// A folder with two sets of recordings, one of which has a file that cannot be read.
fn sets(name: &str) -> Option<PathBuf> {
    let by_hand = folder().join("by_hand");
    if !by_hand.exists() {
        return None;
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    for (day, archive, count) in [
        ("today", "late.har", 12),
        ("today", "redirects.har", 4),
        ("before", "pixels.har", 12),
    ] {
        fs::create_dir_all(root.join(day)).expect("it can be made");
        for number in 0..count {
            let file = root.join(day).join(format!("{number:02}-{archive}"));
            fs::copy(by_hand.join(archive), file).expect("it can be copied");
        }
    }
    fs::create_dir_all(root.join("broken")).expect("it can be made");
    fs::copy(by_hand.join("late.har"), root.join("broken/one.har")).expect("it can be copied");
    fs::write(root.join("broken/cut.har"), "{\"log\":{\"entries\":[").expect("it can be written");
    Some(root)
}

fn run(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playsim"));
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .args(args)
        .current_dir(folder)
        .env("COLUMNS", "100")
        .output()
        .expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        text(stdout),
        text(stderr),
        status.code().expect("it exits on its own"),
    )
}

#[test]
fn folders_and_files_are_sets_and_exit_codes_say_what_happened() {
    let Some(root) = sets("days-sets") else {
        return;
    };
    let (alone, stderr, code) = run(&root, &["waterfall", "today"]);
    assert_eq!((code, &*stderr), (0, ""), "{alone}");
    assert!(
        alone.starts_with("16 recordings, 16 with an ad (100 %, 81 to 100)"),
        "{alone}"
    );
    assert!(
        alone.contains("late ×12: today/00-late.har, today/01-late.har, today/02-late.har"),
        "{alone}"
    );
    let args = ["waterfall", "today", "--against", "before"];
    let (two, _, code) = run(&root, &args);
    assert_eq!(code, 1, "{two}");
    assert!(two.contains("what changed beyond chance\n  1  "), "{two}");
    for format in ["text", "json", "csv", "html"] {
        let of = |threads: &str| {
            run(
                &root,
                &[&args[..], &["--format", format, "--threads", threads]].concat(),
            )
            .0
        };
        let (one, several) = (of("1"), of("3"));
        let without = |page: &str| page.replace("--threads 1", "").replace("--threads 3", "");
        assert_eq!(without(&one), without(&several), "{format}");
        assert!(one.contains("ib.adnxs-like.example/ptv"), "{format}");
    }
    let (files, _, code) = run(
        &root,
        &["waterfall", "today/00-late.har", "before/00-pixels.har"],
    );
    assert!(files.starts_with("2 recordings, 2 with an ad"), "{files}");
    assert_eq!(code, 0);
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_left_out() {
    let Some(root) = sets("days-broken") else {
        return;
    };
    let (text, stderr, code) = run(&root, &["waterfall", "broken"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.starts_with("1 recording, 1 with an ad"), "{text}");
    assert!(
        text.contains("left out, in no sum\n  broken/cut.har: the file ends early"),
        "{text}"
    );
    assert!(
        stderr.contains("broken/cut.har: left out: the file ends early"),
        "{stderr}"
    );
    let (csv, _, _) = run(&root, &["waterfall", "broken", "--format", "csv"]);
    let widths: Vec<usize> = csv.lines().map(|line| cells(line).len()).collect();
    assert!(
        widths.len() == 4 && widths.iter().all(|width| *width == widths[0]),
        "{widths:?}\n{csv}"
    );
    assert!(
        cells(csv.lines().last().expect("rows"))[1] == "broken/cut.har",
        "{csv}"
    );
    let (text, stderr, code) = run(&root, &["waterfall", "today", "gone.har"]);
    assert_eq!(code, 3, "{text}\n{stderr}");
    assert!(
        stderr.contains("gone.har: left out: cannot read gone.har"),
        "{stderr}"
    );
}

/// The cells of a row of CSV.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => cells.last_mut().expect("one at least").push(other),
        }
    }
    cells
}

#[test]
fn options_of_one_recording_are_refused() {
    let Some(root) = sets("days-options") else {
        return;
    };
    for option in [
        "--timeout=2s",
        "--save=x",
        "--skip=2s",
        "--profile=ima",
        "--vary=ad.timeout=1s",
        "--within=1s",
    ] {
        let (stdout, stderr, code) = run(&root, &["waterfall", "today", option]);
        let name = option.split('=').next().expect("a name");
        assert_eq!((code, &*stdout), (2, ""), "{option}");
        assert!(
            stderr.contains(&format!("{name} does not work with many recordings")),
            "{stderr}"
        );
    }
    let (_, stderr, code) = run(&root, &["waterfall", "today", "--format", "har"]);
    assert!(
        code == 2 && stderr.contains("--format har does not work with many recordings"),
        "{stderr}"
    );
    let (_, stderr, code) = run(
        &root,
        &["waterfall", "today/00-late.har", "--format", "csv"],
    );
    assert!(
        code == 2 && stderr.contains("(--format csv is for many recordings)"),
        "{stderr}"
    );
    let (_, stderr, code) = run(
        &root,
        &[
            "waterfall",
            "today/00-late.har",
            "today/01-late.har",
            "-o",
            "today/01-late.har",
        ],
    );
    assert!(
        code == 2 && stderr.contains("-o would overwrite it"),
        "{stderr}"
    );
    fs::create_dir_all(root.join("empty")).expect("it can be made");
    let (_, stderr, code) = run(&root, &["waterfall", "today", "--against", "empty"]);
    assert!(
        code == 2 && stderr.contains("empty has no recordings"),
        "{stderr}"
    );
}

#[test]
fn diff_compares_what_two_pages_did() {
    let Some(root) = sets("days-diff") else {
        return;
    };
    let (same, stderr, code) = run(&root, &["diff", "today/00-late.har", "today/01-late.har"]);
    assert_eq!((code, &*same), (0, ""), "{stderr}");
    let (text, _, code) = run(
        &root,
        &["diff", "today/00-late.har", "before/00-pixels.har"],
    );
    assert_eq!(code, 1);
    assert!(
        text.starts_with("- today/00-late.har\n+ before/00-pixels.har\n"),
        "{text}"
    );
    assert!(
        text.contains("what became of it\n- late\n+ filled\n"),
        "{text}"
    );
    fs::write(root.join("trace.jsonl"), "").expect("it can be written");
    let (_, stderr, code) = run(&root, &["diff", "today/00-late.har", "trace.jsonl"]);
    assert!(
        code == 2 && stderr.contains("is a recording of a page, and trace.jsonl is not"),
        "{stderr}"
    );
    let (_, stderr, code) = run(
        &root,
        &[
            "diff",
            "today/00-late.har",
            "today/01-late.har",
            "--only",
            "x",
        ],
    );
    assert!(code == 2 && stderr.contains("not --only"), "{stderr}");
}

#[test]
fn recordings_of_a_like_course_stand_together() {
    let Some(root) = sets("days-courses") else {
        return;
    };
    let (json, _, _) = run(
        &root,
        &[
            "waterfall",
            "today",
            "--against",
            "before",
            "--format",
            "json",
        ],
    );
    let table: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let courses = table["courses"].as_array().expect("a list");
    let seen: Vec<_> = courses
        .iter()
        .map(|it| (it["count"].as_u64(), it["before"].as_u64()))
        .collect();
    // Before, twelve filled by the tag that redirects today.
    assert_eq!(seen, [(Some(12), Some(0)), (Some(4), Some(12))], "{json}");
    let outcomes: Vec<&str> = courses[0]["tags"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["outcome"].as_str())
        .collect();
    assert_eq!(outcomes, ["late", "filled"]);
    assert_eq!(courses[0]["recordings"].as_array().map(Vec::len), Some(5));
    let (text, _, _) = run(&root, &["waterfall", "today", "--against", "before"]);
    assert!(
        text.contains(
            "recordings of a like course\n  12, before 0  ib.adnxs-like.example/ptv late"
        ),
        "{text}"
    );
}

#[test]
fn each_recording_gets_a_page_to_which_its_name_leads() {
    let Some(root) = sets("days-pages") else {
        return;
    };
    let args = [
        "waterfall",
        "today",
        "--against",
        "before",
        "--format",
        "html",
        "-o",
        "pages/",
    ];
    let (stdout, stderr, code) = run(&root, &args);
    assert_eq!((code, &*stdout), (1, ""), "{stderr}");
    let index = fs::read_to_string(root.join("pages/index.html")).expect("it is written");
    let mut count = 0;
    for entry in fs::read_dir(root.join("pages"))
        .expect("it is made")
        .flatten()
    {
        let name = entry.file_name().into_string().expect("UTF-8");
        if name == "index.html" {
            continue;
        }
        let page = fs::read_to_string(entry.path()).expect("it is written");
        assert!(
            page.starts_with("<!doctype html>") && page.contains("recorded"),
            "{name}"
        );
        // Those to compare with are named where they differ.
        assert!(
            name.starts_with("before-") || index.contains(&format!("href=\"{name}\"")),
            "{name}"
        );
        count += 1;
    }
    assert_eq!(count, 28);
    // A dot for each recording of both sets, of one in twelve at most where they would not fit, and
    // one in the key.
    assert!(index.matches("class=\"d-ad\"").count() > 4, "{index}");
    let (_, stderr, code) = run(&root, &["waterfall", "today", "-o", "pages/"]);
    assert!(
        code == 2 && stderr.contains("is a folder, to which only pages are written"),
        "{stderr}"
    );
}
