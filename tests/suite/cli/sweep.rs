//! `playsim sweep`: a flat table, on one machine or many.

use super::*;

const RANDOM: &[&str] = &[
    "sweep",
    "first.yaml",
    "--vary",
    "tag2.after=lognormal(2s, 1.5)",
    "--vary",
    "ad.timeout=1s,5s",
];

/// Runs a sweep of 1,201 sessions for each combination, unless the arguments say how many.
fn sweep(folder: &Path, args: &[&str]) -> Ran {
    let runs = if args.contains(&"--runs") {
        &[][..]
    } else {
        &["--runs", "1201"]
    };
    run(folder, &[RANDOM, runs, args].concat())
}

fn table(folder: &Path, args: &[&str]) -> String {
    let ran = sweep(folder, args);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}");
    ran.stdout
}

/// The files of shards, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    files.sort();
    files
}

#[test]
fn rows_of_alike_sessions_are_few_and_sum_up_to_all() {
    let folder = folder_with_first("sweep_alike");
    let text = table(&folder, &["--format", "jsonl"]);
    let rows = json_lines(&text);
    let sum = |of: &dyn Fn(&Json) -> bool| {
        rows.iter()
            .filter(|row| of(row))
            .map(|row| row["sessions"].as_u64().expect("a number"))
            .sum::<u64>()
    };
    assert_eq!(sum(&|_| true), 2 * 1_201);
    assert_eq!(sum(&|row| row["combination"] == 1), 1_201);
    assert!(
        rows.iter()
            .all(|row| row["run"].is_null() && row["ended"] == "idle")
    );
    // A longer time limit fills more often, and always by the second tag.
    let filled =
        |combination: u64| sum(&|row| row["combination"] == combination && row["filled_tag"] == 2);
    assert!(
        (300..1_000).contains(&filled(0)) && filled(1) > filled(0) + 300,
        "{} {}",
        filled(0),
        filled(1)
    );
    let is_second =
        |row: &Json| row["tag2.after"] == "lognormal(2s, 1.5)" && row["ad.timeout"] == "5s";
    assert!(
        rows.iter()
            .all(|row| is_second(row) == (row["combination"] == 1))
    );
    snapshot("sweep_alike", &table(&folder, &["--runs", "3"]));
    snapshot(
        "sweep_columns",
        &run(&folder, &["sweep", "--columns"]).stdout,
    );
    snapshot(
        "sweep_columns_breaks",
        &sweep(&folder, &["--rows", "breaks", "--columns"]).stdout,
    );
}

/// A pre-roll that its tag fills now and then, and a mid-roll that it always does.
const TWO_BREAKS: &str = "\
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 9s }, spot.mp4: { duration: 2s } }
network:
  https://ads.test/first: { after: 100ms, file: ad.xml }
  https://ads.test/second: { after: 100ms, file: ad.xml }
  https://ads.test/none: { after: 100ms, text: <VAST version=\"4.2\"/> }
player:
  ads:
    - { adType: 0, adTimeType: s, mobile: [https://ads.test/first] }
    - { adType: 1, adTimeType: s, cuepoints: [3], mobile: [https://ads.test/none, https://ads.test/second] }
";

#[test]
fn a_break_that_fills_does_not_hide_one_that_does_not() {
    let folder = folder_with_first("sweep_breaks");
    fs::write(folder.join("two.yaml"), TWO_BREAKS).expect("it can be written");
    let args = [
        "sweep",
        "two.yaml",
        "--vary",
        "tag1.fill=50%",
        "--runs",
        "400",
        "--format",
        "jsonl",
    ];
    let rows = |more: &[&str]| {
        let ran = run(&folder, &[&args, more].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        json_lines(&ran.stdout)
    };
    let sum = |rows: &[Json], of: &dyn Fn(&Json) -> u64| {
        rows.iter()
            .map(|row| row["sessions"].as_u64().expect("a number") * of(row))
            .sum::<u64>()
    };
    let count = |row: &Json, name: &str| row[name].as_u64().expect("a number");
    let (sessions, breaks) = (rows(&[]), rows(&["--rows", "breaks"]));
    // Every session shows an ad, and every second pre-roll.
    assert_eq!(
        sum(&sessions, &|row| u64::from(!row["filled_tag"].is_null())),
        400
    );
    let fill = |kind: &str| {
        let of_kind: Vec<Json> = breaks
            .iter()
            .filter(|row| row["kind"] == kind)
            .cloned()
            .collect();
        assert_eq!(sum(&of_kind, &|_| 1), 400, "{of_kind:?}");
        sum(&of_kind, &|row| u64::from(!row["filled_tag"].is_null()))
    };
    assert!((150..250).contains(&fill("pre")), "{}", fill("pre"));
    assert_eq!(fill("mid"), 400);
    // The rate over all breaks, from either table.
    assert_eq!(sum(&sessions, &|row| count(row, "breaks")), 800);
    assert_eq!(
        sum(&sessions, &|row| count(row, "breaks_filled")),
        fill("pre") + fill("mid")
    );
    let mid = breaks
        .iter()
        .find(|row| row["kind"] == "mid")
        .expect("there is a mid-roll");
    assert_eq!(
        (
            &mid["break"],
            &mid["cue_us"],
            &mid["filled_tag"],
            &mid["codes"],
            &mid["player"]
        ),
        (
            &2.into(),
            &3_000_000.into(),
            &2.into(),
            &"tag1:303".into(),
            &1.into()
        )
    );
    snapshot(
        "sweep_breaks",
        &run(&folder, &[&args[..5], &["20", "--rows", "breaks"]].concat()).stdout,
    );
    // Shards of them add up, too.
    for shard in ["0/3", "1/3", "2/3"] {
        let more = ["--rows", "breaks", "--shard", shard, "--into", "shards"];
        assert_eq!(run(&folder, &[&args[..], &more].concat()).code, 0);
    }
    assert_eq!(rows(&["--rows", "breaks", "--merge", "shards"]), breaks);
}

#[test]
fn rows_of_each_session_add_up_to_those_of_alike_ones() {
    let folder = folder_with_first("sweep_each");
    let each = json_lines(&table(&folder, &["--rows", "each", "--format", "jsonl"]));
    let numbers: Vec<(u64, u64)> = each
        .iter()
        .map(|row| {
            (
                row["combination"].as_u64().expect("a number"),
                row["run"].as_u64().expect("a number"),
            )
        })
        .collect();
    let expected = (0..2).flat_map(|combination| (0..1_201).map(move |run| (combination, run)));
    assert_eq!(numbers, expected.collect::<Vec<_>>());
    let alike = json_lines(&table(&folder, &["--format", "jsonl"]));
    for row in alike {
        let is_alike = |other: &&Json| {
            let exact = |name: &str| row[name] == other[name];
            let up = |us: &Json| us.as_u64().map(|us| us.div_ceil(1_000) * 1_000);
            [
                "combination",
                "ended",
                "filled_tag",
                "codes",
                "beacons",
                "first_frame_of",
            ]
            .into_iter()
            .all(exact)
                && up(&other["first_frame_us"]) == row["first_frame_us"].as_u64()
        };
        assert_eq!(
            row["sessions"],
            each.iter().filter(is_alike).count(),
            "{row}"
        );
    }
}

#[test]
fn threads_and_shards_change_nothing() {
    let folder = folder_with_first("sweep_shards");
    for form in ["csv", "jsonl"] {
        for rows in ["alike", "each", "breaks"] {
            let kind = ["--format", form, "--rows", rows];
            let whole = table(&folder, &kind);
            for threads in ["1", "2", "7"] {
                assert_eq!(
                    table(&folder, &[&kind[..], &["--threads", threads]].concat()),
                    whole
                );
            }
            let shards = format!("{form}_{rows}");
            for shard in ["2/3", "0/3", "1/3"] {
                let ran = sweep(
                    &folder,
                    &[&kind[..], &["--shard", shard, "--into", &shards]].concat(),
                );
                assert_eq!(ran.code, 0, "{}", ran.stderr);
            }
            let merged = table(&folder, &[&kind[..], &["--merge", &shards]].concat());
            assert_eq!(merged, whole);
            if (form, rows) == ("jsonl", "each") {
                let all = files(&folder.join(&shards)).into_iter();
                let all: String = all
                    .map(|path| fs::read_to_string(path).expect("it is text"))
                    .collect();
                assert_eq!(all, whole);
            }
        }
    }
    // More shards than sessions: some are empty, and the sum is the same.
    let few = ["--runs", "2"];
    for index in 0..6 {
        let shard = format!("{index}/6");
        assert_eq!(
            sweep(
                &folder,
                &[&few[..], &["--shard", &shard, "--into", "few"]].concat()
            )
            .code,
            0
        );
    }
    let merged = table(&folder, &[&few[..], &["--merge", "few"]].concat());
    assert_eq!(merged, table(&folder, &few));
    let piped: Vec<String> = ["0/2", "1/2"]
        .map(|shard| {
            table(
                &folder,
                &["--rows", "each", "--format", "jsonl", "--shard", shard],
            )
        })
        .into();
    assert_eq!(
        piped.concat(),
        table(&folder, &["--rows", "each", "--format", "jsonl"])
    );
}

#[test]
fn a_shard_is_played_once_and_a_cut_one_again() {
    let folder = folder_with_first("sweep_again");
    let shard = |index: &str| sweep(&folder, &["--shard", index, "--into", "shards"]);
    let first = shard("0/2");
    assert!(first.stderr.starts_with("wrote shards"), "{}", first.stderr);
    let again = shard("0/2");
    assert_eq!(again.code, 0);
    assert!(
        again.stderr.contains("is there already"),
        "{}",
        again.stderr
    );
    let merge = || sweep(&folder, &["--merge", "shards"]);
    let ran = merge();
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr
            .contains("missing in shards: shard 1/2; play it, as with --shard 1/2"),
        "{}",
        ran.stderr
    );
    // What a process that was killed leaves behind is no shard, and is used again.
    let [file] = files(&folder.join("shards")).try_into().expect("one file");
    let (sweep_and_shard, _) = file
        .to_str()
        .expect("it is UTF-8")
        .rsplit_once('-')
        .expect("it ends in a proof");
    let cut = sweep_and_shard.replace("-0-of-2", "-1-of-2") + ".0.part";
    fs::write(&cut, "combination,sess").expect("it can be written");
    assert_eq!(merge().code, 2);
    assert_eq!(shard("1/2").code, 0);
    assert_eq!(merge().stdout, table(&folder, &[]));
    assert!(!Path::new(&cut).exists());
}

#[test]
fn a_table_in_a_file_is_whole_and_overwrites_nothing_that_is_read() {
    let folder = folder_with_first("sweep_output");
    let whole = table(&folder, &["--rows", "each"]);
    for _ in 0..2 {
        assert_eq!(
            sweep(&folder, &["--rows", "each", "-o", "table.csv"]).code,
            0
        );
        assert_eq!(
            fs::read_to_string(folder.join("table.csv")).ok(),
            Some(whole.clone())
        );
    }
    assert_eq!(
        sweep(&folder, &["--shard", "0/1", "--into", "shards"]).code,
        0
    );
    let [shard] = files(&folder.join("shards")).try_into().expect("one file");
    let shard = shard
        .strip_prefix(&folder)
        .expect("it is below")
        .to_str()
        .expect("it is UTF-8");
    for (args, what) in [
        (&["-o", "first.yaml"][..], "the scenario"),
        (&["-o", "ad.xml"], "a document of the scenario"),
        (&["--merge", "shards", "-o", shard], "one of the shards"),
    ] {
        let before = fs::read(folder.join(args[args.len() - 1])).expect("it is readable");
        let ran = sweep(&folder, args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(
            ran.stderr
                .contains(&format!("is {what}, and -o would overwrite it")),
            "{}",
            ran.stderr
        );
        assert_eq!(
            fs::read(folder.join(args[args.len() - 1])).ok(),
            Some(before)
        );
    }
    let ran = run(&folder, &["run", "first.yaml", "-o", "ad.xml"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("ad.xml is a document of first.yaml, and -o would overwrite it"),
        "{}",
        ran.stderr
    );
    let left = files(&folder)
        .into_iter()
        .filter(|file| file.to_string_lossy().ends_with(".part"));
    assert_eq!(left.count(), 0);
}

#[test]
fn the_name_of_the_file_does_not_matter() {
    let folder = folder_with_first("sweep_renamed");
    assert_eq!(
        sweep(&folder, &["--shard", "0/1", "--into", "shards"]).code,
        0
    );
    fs::rename(folder.join("first.yaml"), folder.join("other.yaml")).expect("it can be renamed");
    let [_, _, random @ ..] = RANDOM else {
        panic!("it begins with the command and the scenario")
    };
    let args = [
        &["sweep", "other.yaml"],
        random,
        &["--runs", "1201", "--merge", "shards"],
    ]
    .concat();
    let ran = run(&folder, &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn shards_that_do_not_make_up_the_sweep_are_refused() {
    let folder = folder_with_first("sweep_wrong");
    let refused = |args: &[&str], why: &str| {
        let ran = sweep(&folder, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(why), "{args:?}: {}", ran.stderr);
    };
    for (index, into) in [
        ("0/2", "one"),
        ("1/2", "one"),
        ("0/2", "two"),
        ("1/3", "two"),
    ] {
        assert_eq!(sweep(&folder, &["--shard", index, "--into", into]).code, 0);
    }
    refused(&["--merge", "one", "--seed", "7"], "is of another sweep");
    refused(
        &[
            "--merge",
            "one",
            "--knob",
            "ad.timeout=9s",
            "--rows",
            "each",
        ],
        "is of another sweep",
    );
    refused(&["--merge", "two"], "two has shards of 2 and of 3");
    refused(&["--merge", "."], "there are no shards of this sweep in .");
    let [first, second] = files(&folder.join("one")).try_into().expect("two files");
    let whole = fs::read_to_string(&second).expect("it is text");
    let (short, _) = whole.trim_end().rsplit_once('\n').expect("it has lines");
    fs::write(&second, short.to_owned() + "\n").expect("it can be written");
    let name = second
        .file_name()
        .and_then(|name| name.to_str())
        .expect("it is UTF-8")
        .to_owned();
    let changed = &format!(
        "{name} is broken: it was changed or cut after it was written; remove it and play"
    );
    refused(&["--merge", "one"], changed);
    // Words, counts that are the same in sum, and no table at all.
    let mut moved = whole.lines().map(str::to_owned).collect::<Vec<_>>();
    let count = |line: &str| {
        line.split(',')
            .nth(1)
            .and_then(|count| count.parse::<u64>().ok())
            .expect("a count")
    };
    let (from, to) = (count(&moved[1]), count(&moved[2]));
    moved[1] = moved[1].replacen(&format!(",{from},"), &format!(",{},", from + 1), 1);
    moved[2] = moved[2].replacen(&format!(",{to},"), &format!(",{},", to - 1), 1);
    for text in [
        whole.replace("content", "contend"),
        moved.join("\n") + "\n",
        "nonsense\n".to_owned(),
    ] {
        assert_ne!(text, whole);
        fs::write(&second, text).expect("it can be written");
        refused(&["--merge", "one"], changed);
    }
    // The rows of another shard, under this one's name with either proof.
    let renamed = "it has the rows of shard 0/2, and the name of shard 1/2; remove it";
    fs::copy(&first, &second).expect("it can be copied");
    refused(&["--merge", "one"], renamed);
    fs::remove_file(&second).expect("it can be removed");
    let name = first
        .file_name()
        .and_then(|name| name.to_str())
        .expect("it is UTF-8");
    fs::copy(
        &first,
        first.with_file_name(name.replace("-0-of-2", "-1-of-2")),
    )
    .expect("it can be copied");
    refused(&["--merge", "one"], renamed);
    // Whole again.
    fs::remove_file(first.with_file_name(name.replace("-0-of-2", "-1-of-2")))
        .expect("it can be removed");
    fs::write(&second, &whole).expect("it can be written");
    assert_eq!(
        sweep(&folder, &["--merge", "one"]).stdout,
        table(&folder, &[])
    );
}

#[test]
fn mistakes_are_named() {
    let folder = folder_with_first("sweep_mistakes");
    for (args, code, why) in [
        (&["--shard", "8/8"][..], 2, "the last one is 7/8"),
        (&["--shard", "one"], 2, "write it like 0/8"),
        (&["--into", "shards"], 2, "--shard <I/N>"),
        (&["--merge", "nowhere"], 3, "cannot read nowhere"),
        (
            &["--vary", "tag9.after=1s"],
            2,
            "there are 2 tags, tag1 to tag2",
        ),
        (&["--runs", "0"], 2, "runs must be at least 1"),
        (&["--runs", "-1"], 2, "must be a whole number from 0"),
        (&["--shard", "-1/2"], 2, "write it like 0/8"),
        (
            &["--vary", "ad.timeout=2s"],
            2,
            "ad.timeout is varied twice",
        ),
        (&["--vary", "profile=imaa"], 2, "--vary: unknown profile"),
        (
            &["--merge", "shards", "--into", "other"],
            2,
            "cannot be used with",
        ),
        (&["-o", "first.yaml"], 2, "-o would overwrite it"),
    ] {
        let ran = sweep(&folder, args);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (code, ""),
            "{args:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(why), "{args:?}: {}", ran.stderr);
    }
    let ran = run(&folder, &["sweep", "first.yaml", "--runs", "7"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("nothing here is random"),
        "{}",
        ran.stderr
    );
    // Without chance each combination is played once; without anything to vary there is one.
    assert_eq!(
        run(&folder, &["sweep", "first.yaml"])
            .stdout
            .lines()
            .count(),
        2
    );
    let ran = run(
        &folder,
        &[
            "sweep",
            "first.yaml",
            "--compare",
            "base",
            "ima",
            "--rows",
            "each",
        ],
    );
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stderr);
}
