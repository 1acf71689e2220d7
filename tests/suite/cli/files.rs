//! What is read and written: nothing outside of a folder, no pipe that a file names, and no half of
//! a file.

#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

/// What no output may show.
const HUSH: &str = "hush-hush";

const OUT: &str = "it leads out of its folder, and nothing outside is read";
const NOT_REGULAR: &str = "it is not a regular file";

fn scenario(document: &str) -> String {
    format!(
        "videos: [{{ id: v, renditions: {{ sd: film.mp4 }} }}]\n\
         media: {{ default: {{ duration: 5s }} }}\n\
         network: {{ 'https://ads.test/a': {{ file: {document} }} }}\n\
         steps:\n  - at: 0s\n    init: {{ div: player, config: {{ id: p, video: v, ads: \
         [{{ adType: 0, adTimeType: s, mobile: ['https://ads.test/a'] }}] }} }}\n"
    )
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("it can be written");
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo is there").success());
}

/// Two folders: one with a secret, and one that has a link to it and a pipe, as documents.
fn with_links(name: &str) -> PathBuf {
    let folder = folder(name);
    let (outside, inside) = (folder.join("outside"), folder.join("inside"));
    for folder in [&outside, &inside] {
        fs::create_dir_all(folder).expect("a folder can be made");
    }
    write(
        &outside.join("secret.xml"),
        &format!("<VAST version='4.2'><!-- {HUSH} --></VAST>"),
    );
    let link = |from: &str, to: &str| symlink(from, inside.join(to)).expect("a link can be made");
    link("../outside/secret.xml", "link.xml");
    link("../outside", "sub");
    pipe(&inside.join("pipe.xml"));
    for (file, document) in [
        ("link.yaml", "link.xml"),
        ("sub.yaml", "sub/secret.xml"),
        ("pipe.yaml", "pipe.xml"),
    ] {
        write(&inside.join(file), &scenario(document));
    }
    for (file, body) in [
        ("link.har", "link.xml"),
        ("sub.har", "sub/secret.xml"),
        ("pipe.har", "pipe.xml"),
    ] {
        let entry = format!(
            r#"{{"startedDateTime":"2026-01-01T00:00:00.000Z","time":10,
            "request":{{"method":"GET","url":"https://ads.test/vast?x"}},
            "response":{{"status":200,"content":{{"mimeType":"text/xml","_file":"{body}"}}}}}}"#
        );
        write(
            &inside.join(file),
            &format!(r#"{{"log":{{"version":"1.2","entries":[{entry}]}}}}"#),
        );
    }
    inside
}

#[test]
fn no_command_reads_what_a_link_out_of_the_folder_or_a_pipe_leads_to() {
    let inside = with_links("links");
    for (stem, why) in [("link", OUT), ("sub", OUT), ("pipe", NOT_REGULAR)] {
        let (case, archive) = (format!("{stem}.yaml"), format!("{stem}.har"));
        for args in [
            &["run", &case][..],
            &["run", &case, "--format", "har"],
            &["run", &case, "--format", "html"],
            &["world", &case],
            &["waterfall", &case],
            &["test", &case],
            &["sweep", &case, "--runs", "2"],
            &["explore", &case],
            &["fuzz", &case, "--runs", "0"],
            &["diff", &case, &case],
        ] {
            let ran = run(&inside, args);
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert!(ran.code >= 2, "{args:?}: {all}");
            assert!(all.contains(why) && !all.contains(HUSH), "{args:?}: {all}");
        }
        for args in [
            &["waterfall", &archive, "--format", "html"][..],
            &["import", &archive],
            &["check", "--from", "har", &archive],
        ] {
            let ran = run(&inside, args);
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!all.contains(HUSH), "{args:?}: {all}");
        }
    }
}

#[test]
fn what_is_found_in_a_folder_is_read_only_if_it_belongs_there() {
    let inside = with_links("found");
    write(
        &inside.join("../outside/other.yaml"),
        &format!("videos: {HUSH}"),
    );
    symlink("../outside/other.yaml", inside.join("found.yaml")).expect("a link can be made");
    write(&inside.join("fine.yaml"), &scenario("fine.xml"));
    write(&inside.join("fine.xml"), "<VAST version='4.2'/>");
    symlink("../outside/secret.xml", inside.join("fine.trace")).expect("a link can be made");
    let ran = run(&inside, &["test", "--bless"]);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    for due in [
        format!("cannot read found.yaml: {OUT}"),
        format!("cannot read fine.trace: {OUT}"),
    ] {
        assert!(all.contains(&due), "{due}: {all}");
    }
    assert!(!all.contains(HUSH), "{all}");
    let secret = fs::read_to_string(inside.join("../outside/secret.xml"));
    assert!(secret.expect("it is there").contains(HUSH));

    // Documents that an answer names, and a folder of answers.
    let wrapper = |uri: &str| {
        format!(
            "<VAST version='4.2'><Ad id='w'><Wrapper><AdSystem>s</AdSystem>\
             <VASTAdTagURI><![CDATA[{uri}]]></VASTAdTagURI></Wrapper></Ad></VAST>"
        )
    };
    for (name, uri) in [
        ("to_link.xml", "link.xml"),
        ("up.xml", "..%2Foutside%2Fsecret.xml"),
    ] {
        write(&inside.join(name), &wrapper(uri));
        let ran = run(&inside, &["waterfall", name, "--format", "html"]);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(all.contains(OUT) && !all.contains(HUSH), "{name}: {all}");
    }
    let named = run(&inside.join(".."), &["waterfall", "inside/to_link.xml"]);
    assert!(named.stderr.contains(OUT), "{}", named.stderr);
    let answers = inside.join("answers");
    fs::create_dir_all(&answers).expect("a folder can be made");
    symlink("../../outside/secret.xml", answers.join("1.xml")).expect("a link can be made");
    let ran = run(&inside, &["waterfall", "answers", "--format", "html"]);
    assert!(ran.code >= 2 && ran.stderr.contains(OUT), "{}", ran.stderr);
}

#[test]
fn what_the_user_names_may_be_a_link_or_a_pipe() {
    let inside = with_links("named");
    let ran = run(&inside, &["vast", "link.xml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // A link within the folder is no other file.
    write(&inside.join("own.xml"), "<VAST version='4.2'/>");
    symlink("own.xml", inside.join("alias.xml")).expect("a link can be made");
    write(&inside.join("alias.yaml"), &scenario("alias.xml"));
    assert_eq!(run(&inside, &["run", "alias.yaml"]).code, 0);
    let mut reader = command(&inside, &["vast", "pipe.xml"]);
    let reader = reader.stdout(Stdio::piped()).spawn().expect("it runs");
    write(&inside.join("pipe.xml"), "<VAST version='4.2'/>");
    let read = reader.wait_with_output().expect("it ends");
    assert!(read.status.success());
}

#[test]
fn a_scenario_and_a_golden_trace_have_a_limit_on_their_size() {
    let folder = folder_with_first("large");
    let large = |name: &str| {
        let file = fs::File::create(folder.join(name)).expect("it can be made");
        file.set_len((64 << 20) + 1).expect("it can be long");
    };
    large("first.trace");
    large("large.yaml");
    let ran = run(&folder, &["test", "."]);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    for name in ["first.trace", "large.yaml"] {
        let due = format!("cannot read {name}: it is larger than 64 MB");
        assert!(all.contains(&due), "{due}: {all}");
    }
}

/// Runs with a limit on the size of files, in blocks of 512 bytes; what goes beyond is an error of
/// the disk.
fn on_a_full_disk(folder: &Path, blocks: u32, args: &[&str]) -> Ran {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    let output = shell
        .args(["-c", &script, env!("CARGO_BIN_EXE_playsim")])
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    output.expect("there is a shell").into()
}

fn parts(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("it is there").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".part")).collect()
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = folder_with_first("full");
    let html = ["--format", "html"];
    for (name, args) in [
        (
            "run.html",
            &[&["run", "first.yaml", "-o", "run.html"], &html[..]].concat()[..],
        ),
        (
            "run.new",
            &[&["run", "first.yaml", "-o", "run.new"], &html[..]].concat(),
        ),
        (
            "waterfall.html",
            &[
                &["waterfall", "first.yaml", "-o", "waterfall.html"],
                &html[..],
            ]
            .concat(),
        ),
        (
            "page.html",
            &[
                "explore",
                "first.yaml",
                "--acts",
                "0",
                "--page",
                "page.html",
            ],
        ),
        (
            "saved.yaml",
            &["waterfall", "ad.xml", "empty", "--save", "saved"],
        ),
        ("first.trace", &["test", "--bless", "first.yaml"]),
        (
            "report.html",
            &["test", "first.yaml", "--report", "html=report.html"],
        ),
        (
            "sweep.csv",
            &[
                "sweep",
                "first.yaml",
                "--vary",
                "tag1.after=lognormal(300ms, 0.5)",
                "--runs",
                "3000",
                "-o",
                "sweep.csv",
            ],
        ),
    ] {
        let has_old = !matches!(name, "run.new" | "saved.yaml");
        if has_old {
            write(&folder.join(name), "old");
        }
        let ran = on_a_full_disk(&folder, 1, args);
        assert_eq!(ran.code, 3, "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stderr.contains("cannot write"),
            "{args:?}: {}",
            ran.stderr
        );
        let there = fs::read_to_string(folder.join(name)).ok();
        assert_eq!(there.as_deref(), has_old.then_some("old"), "{args:?}");
        assert_eq!(parts(&folder), [""; 0], "{args:?}");
    }
}

#[test]
fn a_file_that_is_replaced_keeps_its_links_and_its_rights() {
    let folder = folder_with_first("replaced");
    write(&folder.join("real.html"), "old");
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(folder.join("real.html"), private).expect("it is ours");
    symlink("real.html", folder.join("page.html")).expect("a link can be made");
    let args = ["run", "first.yaml", "--format", "html", "-o", "page.html"];
    let ran = run(&folder, &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = fs::read_to_string(folder.join("real.html")).expect("it is there");
    assert!(page.contains("</html>"));
    let about = fs::symlink_metadata(folder.join("page.html")).expect("it is there");
    assert!(about.is_symlink());
    let about = fs::metadata(folder.join("real.html")).expect("it is there");
    assert_eq!(about.permissions().mode() & 0o777, 0o600);
    // A device is written to, not replaced.
    let ran = run(&folder, &["run", "first.yaml", "-o", "/dev/null"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn a_signal_leaves_no_part_of_a_file() {
    let folder = folder_with_first("signal");
    for signal in ["-INT", "-TERM"] {
        let args = [
            "sweep",
            "first.yaml",
            "--vary",
            "tag1.after=lognormal(300ms, 0.5)",
            "--runs",
            "100000000",
            "-o",
            "table.csv",
        ];
        let mut child = command(&folder, &args).spawn().expect("it runs");
        let begins = (0..2_000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            !parts(&folder).is_empty()
        });
        assert!(begins, "the table is never begun");
        let id = child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill is there").success());
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(130), "{signal}");
        assert_eq!(parts(&folder), [""; 0], "{signal}");
        assert!(!folder.join("table.csv").exists(), "{signal}");
    }
}
