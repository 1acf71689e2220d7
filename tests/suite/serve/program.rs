//! The program itself, started as users start it.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use super::wire::Wire;

/// A folder for one test, empty at first.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("serve")
        .join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder can be removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// The command, run in a folder.
pub(crate) fn playsim(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playsim"));
    command
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.env("NO_COLOR", "1");
    command
}

/// What a run of the command printed, and its exit code.
pub(crate) fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = playsim(folder, args).output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints UTF-8");
    (
        output.status.code().expect("it exits on its own"),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A server whose catalog cannot grow: the file size limit is the current size of its file.
#[cfg(unix)]
pub(crate) fn full(folder: &Path, records: &str) -> Program {
    std::fs::write(folder.join("r.json"), records).expect("a file can be written");
    let (code, _, talk) = run(folder, &["catalog", "import", "c.redb", "r.json"]);
    assert_eq!(code, 0, "{talk}");
    let bytes = std::fs::metadata(folder.join("c.redb"))
        .expect("it was made")
        .len();
    let mut command = Command::new("sh");
    // Without the trap the signal would end the process.
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" serve --listen 127.0.0.1:0 --catalog c.redb",
        bytes / 512
    );
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_playsim")])
        .current_dir(folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Program::listening(command.spawn().expect("a shell runs"))
}

/// A server that runs as a process; it is killed when dropped.
pub(crate) struct Program {
    pub(crate) child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
}

impl Program {
    /// Starts `playsim serve` on a free port, and waits for the URL it prints.
    pub(crate) fn serve(folder: &Path, args: &[&str]) -> Program {
        let child = Program::spawn(folder, args);
        Program::listening(child)
    }

    /// Starts it without waiting.
    pub(crate) fn spawn(folder: &Path, args: &[&str]) -> Child {
        let all = [&["serve", "--listen", "127.0.0.1:0"], args].concat();
        playsim(folder, &all).spawn().expect("the binary runs")
    }

    fn listening(mut child: Child) -> Program {
        let mut stdout = BufReader::new(child.stdout.take().expect("its output is read"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it prints UTF-8");
        let Some(address) = line
            .trim_end()
            .strip_prefix("http://")
            .and_then(|text| text.parse().ok())
        else {
            let mut talk = String::new();
            let _ = child
                .stderr
                .take()
                .map(|mut stderr| stderr.read_to_string(&mut talk));
            panic!("its first line should be its URL, but is {line:?}: {talk}");
        };
        Program {
            child,
            stdout,
            address,
        }
    }

    pub(crate) fn wire(&self) -> Wire {
        Wire::to(self.address)
    }

    /// Kills it as `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Sends it a signal by name, as `kill` does.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([&format!("-{name}"), &self.child.id().to_string()])
            .status();
        assert!(status.expect("kill runs").success());
    }

    /// Waits for its end; returns its exit code, and the rest of its output.
    pub(crate) fn ended(mut self) -> (i32, String, String) {
        let (mut data, mut talk) = (String::new(), String::new());
        self.stdout
            .read_to_string(&mut data)
            .expect("it prints UTF-8");
        let mut stderr = self.child.stderr.take().expect("its messages are read");
        stderr.read_to_string(&mut talk).expect("it prints UTF-8");
        let status = self.child.wait().expect("it ends");
        (status.code().expect("it exits on its own"), data, talk)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
