//! The state of reading a scenario: its files, the names that it defines, and the errors so far.

use std::io;
use std::sync::Arc;

use super::node::{Node, Object, Wrong, shown};
use super::scalar;
use crate::Overrides;
use playsim_api::page::Page;

/// The state of reading a scenario.
pub(crate) struct Reading<'a> {
    load: &'a mut dyn FnMut(&str) -> io::Result<String>,
    pub(crate) overrides: &'a Overrides,
    /// Files that have been read.
    loaded: Vec<(Arc<str>, Arc<str>)>,
    /// The names of all listeners, including those that are defined further down.
    pub(crate) listeners: Vec<Arc<str>>,
    /// The ids of the page's containers.
    pub(crate) containers: Vec<Arc<str>>,
    /// The knobs that the file sets, by name.
    pub(crate) knobs: Vec<(&'static str, String)>,
    /// Whether page code receives the media element's own events. Rule EVT-18.
    pub(crate) hears_html: bool,
    /// Whether page code is outside of the scenario.
    pub(crate) is_driven: bool,
    /// The names of kept values, and where page code uses one.
    pub(crate) kept: Vec<Arc<str>>,
    pub(crate) used: Vec<(std::ops::Range<usize>, Arc<str>)>,
    pub(crate) wrongs: Vec<Wrong>,
}

impl<'a> Reading<'a> {
    /// Starts reading. Listeners are known in advance, since a step may name one that is defined
    /// further down.
    pub(crate) fn new(
        load: &'a mut dyn FnMut(&str) -> io::Result<String>,
        overrides: &'a Overrides,
        listeners: Vec<Arc<str>>,
    ) -> Reading<'a> {
        let mut reading = Reading {
            load,
            overrides,
            loaded: Vec::new(),
            listeners,
            containers: Vec::new(),
            knobs: Vec::new(),
            hears_html: false,
            is_driven: false,
            kept: Vec::new(),
            used: Vec::new(),
            wrongs: Vec::new(),
        };
        reading.set_containers(&Page::default());
        reading
    }

    /// Sets the containers to those of this page.
    pub(crate) fn set_containers(&mut self, page: &Page) {
        self.containers = page
            .containers
            .iter()
            .map(|container| container.id.clone())
            .collect();
    }

    /// Returns the value, or keeps the error and returns `None`.
    pub(crate) fn keep<T>(&mut self, result: Result<T, Wrong>) -> Option<T> {
        result.map_err(|wrong| self.wrongs.push(wrong)).ok()
    }

    /// Returns the name and content of a file that the scenario names.
    pub(crate) fn file(&mut self, node: &Node) -> Result<(Arc<str>, Arc<str>), Wrong> {
        let path = scalar::name(node, "file")?;
        let shown = shown(&path);
        if path.split('/').any(|part| part == "..") {
            let message =
                format!("\"{shown}\" leaves the scenario's folder; files must be in or below it");
            return Err(Wrong::new(&node.range, message));
        }
        if !is_file_path(&path) {
            let message = format!(
                "\"{shown}\" is not a path relative to the scenario's folder, like answers/ad.xml"
            );
            return Err(Wrong::new(&node.range, message));
        }
        if let Some((_, text)) = self.loaded.iter().find(|(known, _)| *known == path) {
            return Ok((path, Arc::clone(text)));
        }
        let text = (self.load)(&path).map_err(|why| {
            Wrong::new(
                &node.range,
                format!("file \"{shown}\" cannot be read: {why}"),
            )
        })?;
        let text: Arc<str> = text.into();
        self.loaded.push((Arc::clone(&path), Arc::clone(&text)));
        Ok((path, text))
    }
}

/// Whether a scenario may name a file with this path, which must not leave its folder.
pub(crate) fn is_file_path(path: &str) -> bool {
    let is_relative = !path.is_empty() && !path.contains(['\\', ':']) && !path.starts_with('/');
    is_relative && path.split('/').all(|part| part != "..")
}

impl Object<'_> {
    /// Reports the unknown fields.
    pub(crate) fn end(self, reading: &mut Reading<'_>) {
        reading.wrongs.extend(self.unknown());
    }
}
