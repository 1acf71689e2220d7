//! `playsim waterfall` with tags: documents, saved responses and URLs.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use playsim::import::Hints;
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::{ScriptedAnswer, in_order};
use playsim::time::Span;
#[cfg(feature = "fetch")]
use playsim_base::words::counted;

use super::places::Places;
use super::session::Session;
use super::spec;
use super::tag::{Kind, Tag};
use super::world::World;
use crate::cli::failure::{Failure, bail};
use crate::cli::output::Talk;
#[cfg(feature = "fetch")]
use crate::cli::requests::Requests;
use crate::cli::save::SavedAs;
use crate::cli::{Exit, file, input, reading};

/// The length of the content, if it is not given.
const CONTENT: Span = Span::from_secs(60);

/// What is only for tags.
#[derive(Debug, clap::Args)]
pub(super) struct OfTags {
    /// Look for responses in this folder, named by URL: for https://ads.test/a/inner?x=1, the file
    /// ads.test/a/inner or inner, with or without .xml
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The duration of media files, or how they fail, see below; may be repeated
    #[arg(long, value_name = "[URL=]MEDIA")]
    media: Vec<String>,
    /// The type of ad break [default: pre]
    #[arg(long, value_enum, value_name = "KIND")]
    kind: Option<Kind>,
    /// The device that shows the page [default: desktop]
    #[arg(long, value_enum, value_name = "DEVICE")]
    device: Option<Device>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Device {
    Desktop,
    Mobile,
}

/// Tags, and what is given for them.
pub(super) struct Tags<'a> {
    pub(super) session: Session<'a>,
    /// The arguments.
    pub(super) words: &'a [String],
    pub(super) of: &'a OfTags,
    /// The length of the content is among them.
    pub(super) hints: Hints,
    #[cfg(feature = "fetch")]
    pub(super) requests: &'a Requests,
}

/// The arguments, with the files of folders in the place of the folders.
#[derive(Debug)]
struct Words {
    tags: Vec<String>,
    /// Those of `--answer`, and those of folders.
    answers: Vec<String>,
}

impl Tags<'_> {
    /// Plays the tags, and prints the report.
    pub(super) fn play(&self) -> Result<Exit, Failure> {
        let (session, talk) = (&self.session, self.session.talk);
        let words = self.words()?;
        if session.play.vary.vary.is_given() {
            return self.play_varied(&words);
        }
        let place = session.save.map(SavedAs::read).transpose()?;
        let (mut world, tags) = self.world(&words)?;
        let mut trace = world.play(&tags)?;
        if place.is_some() {
            trace = world.name_documents(trace)?;
        }
        self.check_read(&words, &world)?;
        let mut report = Waterfalls::of_played(&trace, world.scenario());
        report.leave_open();
        let mut exit = Exit::of(report.is_filled() && report.is_told());
        exit = exit.and(session.show(&report, world.scenario(), &trace));
        exit = exit.and(session.keep_trace(&trace));
        session.advise(&report.unanswered, self.of.dir.as_deref());
        #[cfg(feature = "fetch")]
        if let Some(client) = world.without_servers() {
            let requests = counted(client.legs().len(), "request");
            talk.say(&format!(
                "note: {requests} to real servers; no pixel was called"
            ));
        }
        for unused in world.unused() {
            talk.say(&format!(
                "note: {unused}, given with --answer or --media, was never requested"
            ));
        }
        if let Some(place) = place {
            place.write_scenario(world.scenario(), "playsim waterfall ... --save", talk)?;
        }
        Ok(exit)
    }

    /// Plays the tags with several settings.
    fn play_varied(&self, words: &Words) -> Result<Exit, Failure> {
        let (mut world, tags) = self.world(words)?;
        let (mut table, unanswered) = self.session.vary_tags(&mut world, &tags)?;
        self.check_read(words, &world)?;
        let open = unanswered.iter();
        let open = open.map(|it| format!("Cannot tell: what {} answers is not given.", it.url));
        table.answer.splice(0..0, open);
        let exit = self.session.show_table(&table, world.scenario(), None);
        self.session.advise(&unanswered, self.of.dir.as_deref());
        Ok(exit.and(Exit::of(unanswered.is_empty())))
    }

    /// Puts the files of folders in the place of the folders.
    fn words(&self) -> Result<Words, Failure> {
        let mut words = Words {
            tags: Vec::new(),
            answers: self.session.play.answer.clone(),
        };
        for word in self.words {
            if Path::new(word).is_dir() {
                read_folder(Path::new(word), &mut words, self.session.talk)?;
            } else {
                words.tags.push(word.clone());
            }
        }
        Ok(words)
    }

    /// Checks that no output would overwrite a file that was read, or another output.
    fn check_read(&self, words: &Words, world: &World) -> Result<(), Failure> {
        let tags = words.tags.iter().map(|word| spec::suffixes(word).0);
        let answers = words.answers.iter().flat_map(|word| {
            word.match_indices('=')
                .map(|(at, _)| spec::suffixes(&word[at + 1..]).0)
        });
        let files = tags.chain(answers).map(Path::new);
        let read: Vec<&Path> = files
            .chain(world.files().iter().map(PathBuf::as_path))
            .collect();
        let is_read = |output: &Path| read.iter().any(|file| input::is_same(file, output));
        self.session
            .check_outputs(is_read, "a response of this waterfall")
    }

    fn world(&self, words: &Words) -> Result<(World, Vec<Tag>), Failure> {
        let (talk, play, of) = (self.session.talk, self.session.play, self.of);
        let stdins = words
            .tags
            .iter()
            .chain(&words.answers)
            .filter(|word| spec::is_stdin(word))
            .count();
        if stdins > 1 {
            bail!("only one of the responses can be standard input");
        }
        let mut tags = words
            .tags
            .iter()
            .map(|word| Tag::read(word, talk))
            .collect::<Result<Vec<Tag>, _>>()?;
        let answers = Places::read(&words.answers, |word| spec::place(word, talk))?;
        let media = Places::read(&of.media, spec::media)?;
        let overrides = play.overrides()?;
        if let Some(dir) = of.dir.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(no_folder(dir));
        }
        let mut world = World::new(
            answers,
            of.dir.clone(),
            media,
            &play.setting,
            &overrides,
            of.kind.unwrap_or_default(),
        );
        if !self.hints.content.is_empty() {
            bail!(
                "--content must be a length, like 60s; a part of a URL only works with a recording"
            );
        }
        world.set_content(self.hints.content_length.unwrap_or(CONTENT));
        if of.device == Some(Device::Mobile) {
            world.set_mobile();
        }
        world.add_steps(play.acts.steps());
        self.ask_servers(words, &mut world, &mut tags)?;
        Ok((world, tags))
    }

    /// Lets real servers be asked for URLs, unless something says what they respond.
    #[cfg(feature = "fetch")]
    fn ask_servers(
        &self,
        words: &Words,
        world: &mut World,
        tags: &mut [Tag],
    ) -> Result<(), Failure> {
        let is_scripted = !words.answers.is_empty() || self.of.dir.is_some();
        if is_scripted || !tags.iter().any(Tag::needs_server) {
            return match self.session.options.of::<Requests>() {
                Some(option) => bail!(
                    "{option} is about real servers, and none is asked: give URLs, without --answer and --dir"
                ),
                None => Ok(()),
            };
        }
        for tag in tags.iter_mut().filter(|tag| tag.needs_server()) {
            tag.address = self.requests.filled(&tag.address).into();
        }
        let asked = tags.iter().filter(|tag| tag.needs_server());
        let client = self.requests.client(asked.map(|tag| &*tag.address))?;
        world.ask_servers(client);
        if self.session.play.vary.vary.is_given() {
            // Other settings may reach tags that are not reached now, and no server is asked
            // thousands of times.
            world.ask_all(tags)?;
            world.without_servers();
        }
        Ok(())
    }

    #[cfg(not(feature = "fetch"))]
    fn ask_servers(
        &self,
        _words: &Words,
        _world: &mut World,
        _tags: &mut [Tag],
    ) -> Result<(), Failure> {
        Ok(())
    }
}

/// The error for a folder of responses that is none.
fn no_folder(dir: &Path) -> Failure {
    let name = input::name(dir);
    if !dir.is_file() {
        return Failure::Io(format!("--dir {name}: there is no such folder"));
    }
    let folder = dir.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(|| ".".to_owned(), input::name);
    Failure::Io(format!(
        "--dir {name} is a file, not a folder; give its folder, or the one URL that it responds to:\n  \
         --dir {}\n  --answer {}",
        spec::quoted(&folder),
        spec::quoted(&format!("https://ads.test/tag={name}"))
    ))
}

/// Adds what the files of a folder mean, in the order of the numbers that their names begin
/// with: a file answers the URL of the wrapper in the file before it, or else a tag. An empty file
/// is a tag that never answered.
fn read_folder(folder: &Path, words: &mut Words, talk: &Talk) -> Result<(), Failure> {
    let name = input::name(folder);
    let is_answer = |path: &Path| file::has_ending(path, &["http", "txt", "vast", "xml"]);
    let files = reading::files_in(folder, is_answer)?;
    if files.is_empty() {
        bail!(
            "{name} has no answers; expected numbered files such as 1.http, written by: curl -si URL > {name}/1.http"
        );
    }
    let mut contents = Vec::new();
    for file in files.iter().map(|file| input::name(file)) {
        let text = spec::body(&file, talk)?.unwrap_or_default();
        contents.push((file, text));
    }
    for saved in in_order(contents) {
        let answer = match saved.failure() {
            Some(ScriptedAnswer::Fails(fault)) => fault.name().to_owned(),
            Some(_) => "timeout".to_owned(),
            None => saved.file,
        };
        match saved.wrapped {
            Some(url) => words.answers.push(format!("{url}={answer}")),
            None => words.tags.push(answer),
        }
    }
    Ok(())
}
