//! The binary as a user meets it: arguments, files, what is printed where, exit codes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use playsim::scenario;
use playsim::sim::Simulation;
use playsim::trace::{Filter, write_text};
use serde_json::Value as Json;

mod check;
mod code;
mod conform;
mod documents;
mod explore;
mod exports;
mod files;
mod fuzz;
mod golden;
mod hostile;
mod kinds;
mod replay;
mod run;
mod shell;
mod sweep;
mod tables;
mod traces;
mod vary;
mod waterfall;
mod waterfall_detail;
mod waterfall_saved;

/// A folder for one test, empty at first.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("cli")
        .join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder can be removed");
    }
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playsim"));
    command
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("COLUMNS", "100");
    command
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE");
    command.env_remove("CI");
    command
}

/// What a run of the binary printed, and its exit code.
struct Ran {
    stdout: String,
    stderr: String,
    code: i32,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            stdout: String::from_utf8(output.stdout).expect("data are UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
            code: output.status.code().expect("it exits on its own"),
        }
    }
}

fn run(folder: &Path, args: &[&str]) -> Ran {
    command(folder, args)
        .output()
        .expect("the binary runs")
        .into()
}

fn run_with_stdin(folder: &Path, args: &[&str], text: &str) -> Ran {
    let mut command = command(folder, args);
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("it has a standard input");
    stdin
        .write_all(text.as_bytes())
        .expect("it reads its standard input");
    drop(stdin);
    child.wait_with_output().expect("it ends").into()
}

/// A folder with what `playsim new first` writes.
fn folder_with_first(name: &str) -> PathBuf {
    let folder = folder(name);
    let ran = run(&folder, &["new", "first"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    folder
}

/// Parses a trace of JSON lines.
fn json_lines(text: &str) -> Vec<Json> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect()
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cli"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn help_is_short_and_names_the_exit_codes() {
    let folder = folder("help");
    let help = run(&folder, &["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    snapshot("help", &help.stdout);
    for name in [
        "demo",
        "new",
        "run",
        "test",
        "diff",
        "explain",
        "vast",
        "waterfall",
        "sweep",
        "rules",
        "schema",
        "code",
        "fuzz",
    ] {
        let help = run(&folder, &[name, "--help"]);
        assert_eq!(help.code, 0);
        snapshot(&format!("help_{name}"), &help.stdout);
    }
}

#[test]
fn without_a_command_help_goes_to_standard_error_and_usage_is_wrong() {
    let ran = run(&folder("nothing"), &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage:\n  playsim FILE"));
    assert_eq!(run(&folder("nothing"), &["demo", "--nix"]).code, 2);
    assert_eq!(run(&folder("nothing"), &["run"]).code, 2);
}

#[test]
fn a_misspelt_command_is_reported_with_the_nearest_one() {
    let ran = run(&folder("misspelt"), &["rnu", "case.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains("a similar subcommand exists: 'run'"),
        "{}",
        ran.stderr
    );
    let ran = run(&folder("misspelt"), &["run", "--seed", "-1", "case.yaml"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("must be a whole number from 0"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_demo_is_what_the_library_plays() {
    let ran = run(&folder("demo"), &["demo"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let [(name, text), (other, content)] = scenario::demo();
    let mut load = |path: &str| {
        if path == other {
            Ok(content.to_owned())
        } else {
            Err(std::io::Error::other("there is no such file"))
        }
    };
    let scenario = scenario::read(name, text, &mut load).expect("the demo reads without error");
    let trace = Simulation::new(&scenario)
        .expect("the demo can be played")
        .run();
    let mut printed = String::new();
    write_text(&trace, &Filter::default(), false, &mut printed)
        .expect("writing to a vector succeeds");
    assert_eq!(ran.stdout, printed);
    assert!(ran.stderr.contains("playsim new first"));
    snapshot("demo", &ran.stdout);
}

#[test]
fn new_writes_a_scenario_that_runs_as_expected() {
    let folder = folder_with_first("new");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("it can be read")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    assert_eq!(names, ["ad.xml", "first.yaml", "scenario.schema.json"]);
    let ran = run(&folder, &["run", "first.yaml"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout
            .starts_with("playsim trace 1  profile default  seed 0\n")
    );
    let schema = fs::read_to_string(folder.join("scenario.schema.json")).expect("it was written");
    assert_eq!(run(&folder, &["schema", "scenario"]).stdout, schema);
}

#[test]
fn new_overwrites_nothing() {
    let folder = folder_with_first("new_again");
    let again = run(&folder, &["new", "first"]);
    assert_eq!(again.code, 3);
    assert!(
        again
            .stderr
            .contains("first.yaml already exists; nothing was written"),
        "{}",
        again.stderr
    );
    // Identical files are left alone: a second scenario may be created next to the first.
    assert_eq!(run(&folder, &["new", "second"]).code, 0);
    fs::write(folder.join("ad.xml"), "<VAST/>").expect("it can be written");
    let third = run(&folder, &["new", "third"]);
    assert_eq!(third.code, 3);
    assert!(
        third
            .stderr
            .contains("ad.xml already exists with other content"),
        "{}",
        third.stderr
    );
    assert!(!folder.join("third.yaml").exists());
    assert_eq!(run(&folder, &["new", ".."]).code, 2);
    let spaced = run(&folder, &["new", "apart/two words"]);
    assert!(
        spaced
            .stderr
            .ends_with("playsim run \"apart/two words.yaml\"\n"),
        "{}",
        spaced.stderr
    );
}

#[test]
fn only_diagnostics_are_coloured() {
    let folder = folder_with_first("color");
    let plain = run(&folder, &["run", "first.yaml", "--color", "never"]);
    let colored = run(&folder, &["run", "first.yaml", "--color", "always"]);
    assert_eq!(plain.stdout, colored.stdout);
    assert!(
        run(&folder, &["run", "--color=always", "--nix"])
            .stderr
            .contains('\u{1b}')
    );
    assert!(
        !run(&folder, &["run", "--color=never", "--nix"])
            .stderr
            .contains('\u{1b}')
    );
    let mut without = command(&folder, &["run", "nothing.yaml"]);
    let ran: Ran = without
        .env("NO_COLOR", "1")
        .output()
        .expect("the binary runs")
        .into();
    assert!(!ran.stderr.contains('\u{1b}'));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = folder_with_first("pipe");
    let mut command = command(&folder, &["rules", "--format", "json"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}
