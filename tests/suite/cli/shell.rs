//! `playsim completions` and `playsim man`.

use super::{command, folder, run};

#[test]
fn completions_know_every_command() {
    let folder = folder("completions");
    let commands = [
        "run",
        "waterfall",
        "conform",
        "init-adapter",
        "--playground",
    ];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&folder, &["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        // fish names options without their hyphens.
        let missing: Vec<_> = commands
            .iter()
            .filter(|word| !ran.stdout.contains(word.trim_start_matches('-')))
            .collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
    }
    let ran = run(&folder, &["completions", "basch"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("bash"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn bash_completes() {
    let folder = folder("bash");
    std::fs::write(
        folder.join("playsim.bash"),
        run(&folder, &["completions", "bash"]).stdout,
    )
    .expect("it can be written");
    let complete = |words: &str, at: usize| {
        let before = at - 1;
        let script = format!(
            "source ./playsim.bash; COMP_WORDS=({words}); COMP_CWORD={at}; \
             _playsim playsim \"${{COMP_WORDS[{at}]}}\" \"${{COMP_WORDS[{before}]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let ran = std::process::Command::new("bash")
            .args(["-c", &script])
            .current_dir(&folder)
            .output();
        String::from_utf8(ran.expect("bash runs").stdout).expect("it is text")
    };
    assert_eq!(complete("playsim ru", 1), "run rules\n");
    assert_eq!(complete("playsim run --playg", 2), "--playground\n");
    assert_eq!(complete("playsim run --format ht", 3), "html\n");
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = folder("man");
    let first = run(&folder, &["man"]);
    assert!(
        first.code == 0 && first.stdout.contains(".TH playsim 1"),
        "{}",
        first.stdout
    );
    assert_eq!(run(&folder, &["man", "--folder", "man1"]).code, 0);
    assert_eq!(
        std::fs::read_to_string(folder.join("man1/playsim.1")).ok(),
        Some(first.stdout)
    );
    for name in ["run", "conform-report", "catalog-export", "man"] {
        let page =
            std::fs::read_to_string(folder.join(format!("man1/playsim-{name}.1"))).expect(name);
        assert!(
            page.replace('\\', "")
                .contains(&format!(".TH playsim-{name} 1")),
            "{page}"
        );
    }
    // A file where the folder should be.
    std::fs::write(folder.join("file"), "").expect("it can be written");
    let ran = run(&folder, &["man", "--folder", "file"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("file"), "{}", ran.stderr);
}

#[test]
fn the_version_names_the_formats() {
    let folder = folder("version");
    let text = String::from_utf8(
        command(&folder, &["--version"])
            .output()
            .expect("it runs")
            .stdout,
    )
    .expect("it is text");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        text,
        format!("playsim {version}\ntrace format 1\nrecording format 1\n")
    );
    assert_eq!(run(&folder, &["-V"]).stdout, format!("playsim {version}\n"));
}
