//! Just enough of a shell for the commands in the documents.
//!
//! `playsim`, `cargo run` of the binary and of examples, `cat`, `echo $?`, `curl` against a server
//! that was started with `playsim serve ... &` or `playsim world ... &`; `> FILE` at the end. Other
//! `cargo` commands, `git`, `npm` and `cd` are not run: what they name must exist.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use super::{root, text_of};

/// A shell in a folder, with the server that it started.
pub(crate) struct Shell {
    folder: PathBuf,
    last_code: i32,
    server: Option<Server>,
}

/// A server on a free port; the documents name another.
struct Server {
    child: Child,
    /// Kept open: a server that cannot write its output may end.
    _streams: (
        Option<BufReader<ChildStdout>>,
        Option<BufReader<ChildStderr>>,
    ),
    shown: String,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Shell {
    pub(crate) fn new(folder: &Path) -> Shell {
        Shell {
            folder: folder.to_owned(),
            last_code: 0,
            server: None,
        }
    }

    /// Runs a line. Gives the exit code and what it prints: standard output, then standard error.
    pub(crate) fn run(&mut self, line: &str) -> Result<(i32, String), String> {
        let words = words(line);
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut target = None;
        if let [.., ">", file] = words[..] {
            target = Some(file);
            words.truncate(words.len() - 2);
        }
        let (code, printed) = match words[..] {
            ["playsim", "serve" | "world", .., "&"] => (0, self.serve(&words[1..words.len() - 1])?),
            ["playsim", ..] => self.spawn(
                Path::new(env!("CARGO_BIN_EXE_playsim")),
                &words[1..],
                target,
            )?,
            ["cargo", "run", "--", ..] => self.spawn(
                Path::new(env!("CARGO_BIN_EXE_playsim")),
                &words[3..],
                target,
            )?,
            ["cargo", "run", "--example", name] => match example(name)? {
                Some(program) => self.spawn(&program, &[], target)?,
                None => return Err(format!("build it first: cargo build --example {name}")),
            },
            ["cat", file] => (
                0,
                fs::read_to_string(self.folder.join(file))
                    .map_err(|error| format!("{file}: {error}"))?,
            ),
            ["echo", "$?"] => (0, format!("{}\n", self.last_code)),
            ["curl", ..] => (0, self.curl(&words[1..])?),
            ["git" | "cd" | "mkdir" | "mdbook" | "npm", ..] => (0, String::new()),
            _ => (0, cargo(&words)?),
        };
        self.last_code = code;
        Ok((code, printed))
    }

    fn spawn(
        &self,
        program: &Path,
        args: &[&str],
        target: Option<&str>,
    ) -> Result<(i32, String), String> {
        let output = command(program, &self.folder, args)
            .output()
            .map_err(|error| error.to_string())?;
        let mut printed = output.stdout;
        if let Some(file) = target {
            fs::write(self.folder.join(file), &printed).map_err(|error| error.to_string())?;
            printed.clear();
        }
        printed.extend(output.stderr);
        let printed = String::from_utf8(printed).map_err(|error| error.to_string())?;
        Ok((output.status.code().ok_or("it was killed")?, printed))
    }

    fn serve(&mut self, args: &[&str]) -> Result<String, String> {
        let listen = args
            .iter()
            .position(|word| *word == "--listen")
            .ok_or("name the port with --listen")?;
        let shown = (*args.get(listen + 1).ok_or("--listen takes a value")?).to_owned();
        let mut args = args.to_vec();
        args[listen + 1] = "127.0.0.1:0";
        let mut command = command(
            Path::new(env!("CARGO_BIN_EXE_playsim")),
            &self.folder,
            &args,
        );
        let started = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started.map_err(|error| error.to_string())?;
        let (mut stdout, mut stderr) = (String::new(), String::new());
        let mut streams = (
            child.stdout.take().map(BufReader::new),
            child.stderr.take().map(BufReader::new),
        );
        let _ = streams
            .0
            .as_mut()
            .map(|stream| stream.read_line(&mut stdout));
        while let Some(Ok(1..)) = streams
            .1
            .as_mut()
            .map(|stream| stream.read_line(&mut stderr))
        {
            if stderr.ends_with("stop with Ctrl-C\n") {
                break;
            }
        }
        let address = stdout.trim_end().trim_start_matches("http://").to_owned();
        let printed = (stdout + &stderr).replace(&address, &shown);
        self.server = Some(Server {
            child,
            _streams: streams,
            shown,
            address,
        });
        Ok(printed)
    }

    /// A request with fields as multipart (`-F`), or with a method (`-X`) and a body (`-d`),
    /// perhaps through a proxy.
    fn curl(&self, args: &[&str]) -> Result<String, String> {
        let server = self.server.as_ref().ok_or("no server is running")?;
        let (mut body, mut method, mut path, mut kind) =
            (String::new(), "GET", "", "application/json");
        let (mut args, mut is_proxy) = (args.iter(), false);
        while let Some(arg) = args.next() {
            match *arg {
                "-s" => {}
                "--proxy" => {
                    let proxy = args.next().and_then(|url| url.strip_prefix("http://"));
                    is_proxy = proxy.ok_or("--proxy takes a URL")? == server.shown;
                }
                url if is_proxy => path = url,
                "-X" => method = args.next().ok_or("-X takes a method")?,
                "-d" => {
                    (method, body) = ("POST", (*args.next().ok_or("-d takes a body")?).to_owned())
                }
                "-F" => {
                    let (name, value) = args
                        .next()
                        .and_then(|field| field.split_once('='))
                        .ok_or("-F name=value")?;
                    body += &format!(
                        "--end\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
                    );
                    (method, kind) = ("POST", "multipart/form-data; boundary=end");
                }
                url => {
                    path = url
                        .strip_prefix(&format!("http://{}", server.shown))
                        .ok_or("another server")?
                }
            }
        }
        if kind.starts_with("multipart") {
            body += "--end--\r\n";
        }
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            server.shown,
            body.len()
        );
        let mut response = String::new();
        let talk = |response: &mut String| {
            let mut stream = TcpStream::connect(&server.address)?;
            stream.write_all(request.as_bytes())?;
            stream.read_to_string(response)
        };
        talk(&mut response).map_err(|error| error.to_string())?;
        let (_, body) = response
            .split_once("\r\n\r\n")
            .ok_or("the response has no body")?;
        Ok(format!("{}\n", body.trim_end()))
    }
}

fn command(program: &Path, folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("COLUMNS", "100");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command
}

/// The program of an example; `None` if there is none that is as new as its source.
fn example(name: &str) -> Result<Option<PathBuf>, String> {
    let source = root().join(format!("examples/{name}.rs"));
    let written = source
        .metadata()
        .and_then(|file| file.modified())
        .map_err(|error| error.to_string())?;
    let folder = Path::new(env!("CARGO_BIN_EXE_playsim")).with_file_name("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let built = program.metadata().and_then(|file| file.modified());
    Ok(built.is_ok_and(|built| built >= written).then_some(program))
}

/// Whether a command runs an example that is not built, as with `cargo test --test suite` alone.
/// Where `CI` is set that is a failure.
pub(crate) fn is_put_off(line: &str) -> bool {
    let name = line.strip_prefix("cargo run --example ");
    std::env::var_os("CI").is_none()
        && name.is_some_and(|name| matches!(example(name.trim()), Ok(None)))
}

/// A command for cargo that is not run here: what it names must exist.
fn cargo(words: &[&str]) -> Result<String, String> {
    let mut words = words.iter().skip_while(|word| word.contains('='));
    if words.next() != Some(&"cargo") {
        return Err("this command is not known to the test".to_owned());
    }
    while let Some(word) = words.next() {
        let (folder, kind) = match *word {
            "--" => break,
            "--test" => ("tests", "test"),
            "--bench" => ("benches", "bench"),
            "--example" => ("examples", "example"),
            _ => continue,
        };
        let name = words.next().ok_or("a name is missing")?;
        let is_there = [
            format!("{folder}/{name}.rs"),
            format!("{folder}/{name}/main.rs"),
        ]
        .iter()
        .any(|path| root().join(path).exists());
        if !is_there {
            return Err(format!("there is no {kind} {name}"));
        }
    }
    Ok(String::new())
}

/// The words of a line, without quotes and without a comment at its end.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            None if c == '#' && word.is_none() => break,
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Commands and options of the binary in `inline code` that its help does not name.
pub(crate) fn unknown_words(documents: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut helps = BTreeMap::new();
    for path in documents.iter().filter(|path| *path != "CHANGELOG.md") {
        let text = text_of(path);
        let mut is_block = false;
        for (number, line) in text.lines().enumerate() {
            is_block ^= line.starts_with("```");
            if is_block {
                continue;
            }
            let spans = line
                .split('`')
                .skip(1)
                .step_by(2)
                .filter(|span| span.starts_with("playsim "));
            // `playsim COMMAND --help` is about all of them, and so is `playsim FILE`.
            let is_one = |span: &&str| !span.contains(" COMMAND") && *span != "playsim FILE";
            for span in spans.filter(is_one) {
                let words = words(span);
                let given: Vec<&str> = words.iter().map(String::as_str).skip(1).collect();
                let sub = given
                    .first()
                    .copied()
                    .filter(|word| !word.starts_with('-'))
                    .unwrap_or_default();
                // A file stands for the command that reads it.
                let sub = match sub.rsplit_once('.') {
                    Some((_, "har")) => "waterfall",
                    Some((_, "xml")) => "vast",
                    Some((_, "yaml")) => "run",
                    Some(_) | None => sub,
                };
                let help = helps.entry(sub.to_owned()).or_insert_with(|| help(sub));
                let flags = given.iter().filter(|word| word.starts_with('-'));
                let mut flags = flags.map(|flag| flag.split('=').next().unwrap_or(flag));
                if let Some(flag) = flags.find(|flag| !help.contains(*flag)) {
                    problems.push(format!(
                        "{path}:{}: `{span}`: the help does not name {flag}",
                        number + 1
                    ));
                }
                if help.is_empty() {
                    problems.push(format!(
                        "{path}:{}: `{span}`: there is no such command",
                        number + 1
                    ));
                }
            }
        }
    }
    problems
}

fn help(sub: &str) -> String {
    let args: Vec<&str> = [sub, "--help"]
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect();
    let output = command(Path::new(env!("CARGO_BIN_EXE_playsim")), root(), &args).output();
    output
        .ok()
        .filter(|output| output.status.success())
        .map_or_else(String::new, |output| {
            String::from_utf8_lossy(&output.stdout).into_owned()
        })
}
