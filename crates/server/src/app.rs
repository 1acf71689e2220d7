//! The state that all connections share: the service, its clock, and the writer of the catalog
//! file.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::body::Space;
use super::clock::{Clock, Pace};
use super::store::{CatalogChange, Store};
use super::writer::{Writer, Written};
use super::{ServeError, ServerConfig, records};
use playsim_api::catalog::{Catalog, VideoRecord};
use playsim_api::page::Page;
use playsim_scenario::edit::{EditRequest, EditResponse, FaultPlan, Service, Setup};

/// The server without its sockets.
#[derive(Debug)]
pub(super) struct App {
    state: Mutex<State>,
    /// `None` if the records are kept in memory.
    writer: Option<Writer>,
    space: Space,
    max_body: u64,
    control_bytes: u64,
    openapi: String,
}

/// The state that requests change, one at a time.
#[derive(Debug)]
pub(super) struct State {
    pub(super) service: Service,
    pub(super) clock: Clock,
    /// The records after a reset.
    start: Catalog,
    pace: Pace,
}

impl App {
    /// Opens the catalog. `failed` is called, once, if it can no longer be written.
    pub(super) fn open(
        config: ServerConfig,
        failed: impl FnOnce(String) + Send + 'static,
    ) -> Result<App, ServeError> {
        let (catalog, writer) = match &config.catalog {
            Some(path) => {
                let store = Store::open(path)?;
                let (catalog, added) = stored(path, &store, &config.seeds)?;
                if !added.is_empty() {
                    store
                        .write(&added)
                        .map_err(|error| ServeError::Write(error.to_string()))?;
                }
                (catalog, Some(Writer::to(store, failed)))
            }
            None => (config.seeds.clone(), None),
        };
        let space = Space::new(&config.limits);
        let setup = Setup {
            knobs: config.knobs.clone().into(),
            channels: config.channels.as_deref().map(Arc::from),
            token: config.token.as_deref().map(Arc::from),
        };
        let state = State {
            service: Service::new(catalog.clone(), setup),
            clock: Clock::new(epoch_micros(), config.pace),
            start: catalog,
            pace: config.pace,
        };
        let knobs = &config.knobs;
        Ok(App {
            space,
            max_body: knobs.edit_max_body.0,
            control_bytes: config.limits.control_bytes as u64,
            openapi: format!("{:#}\n", super::openapi(knobs)),
            state: Mutex::new(state),
            writer,
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // Even if another thread has panicked while holding the lock, the records are consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    pub(super) fn max_body(&self) -> u64 {
        self.max_body
    }

    pub(super) fn control_bytes(&self) -> u64 {
        self.control_bytes
    }

    pub(super) fn openapi(&self) -> &str {
        &self.openapi
    }

    pub(super) fn records(&self) -> usize {
        self.state().service.catalog().len()
    }

    /// Handles a request, in the order of arrival (EDIT-47), and passes its change to the writer.
    pub(super) fn handle(&self, request: EditRequest<'_>) -> (EditResponse, Option<Written>) {
        let mut state = self.state();
        let now = state.clock.now();
        let answer = state.service.handle(now, request);
        let changed = answer
            .entry
            .after
            .as_ref()
            .filter(|_| answer.entry.has_changed());
        // Passed to the writer while the state is locked, so that edits are written in the same
        // order.
        let written = changed.and_then(|record| {
            let writer = self.writer.as_ref()?;
            Some(writer.write(vec![CatalogChange::Put(
                record.id.to_string(),
                records::stored(record),
            )]))
        });
        (answer, written)
    }

    /// Replaces all records; a reset restores the new ones.
    pub(super) fn replace(&self, catalog: Catalog) -> Option<Written> {
        let mut state = self.state();
        state.start = catalog.clone();
        *state.service.catalog_mut() = catalog;
        self.write_all(&state)
    }

    /// Resets the server: the initial records, an empty journal, no faults, and the clock at its
    /// start.
    pub(super) fn reset(&self) -> Option<Written> {
        let mut state = self.state();
        let start = state.start.clone();
        state.service.reset(start);
        state.clock = Clock::new(epoch_micros(), state.pace);
        self.write_all(&state)
    }

    /// Replaces the planned faults. Rule EDIT-44.
    pub(super) fn plan(&self, plans: Vec<FaultPlan>) {
        let mut state = self.state();
        state.service.replace_plans(plans);
    }

    fn write_all(&self, state: &State) -> Option<Written> {
        let all = state.service.catalog().iter();
        let writer = self.writer.as_ref()?;
        let all = all
            .map(|record| (record.id.to_string(), records::stored(record)))
            .collect();
        Some(writer.write(vec![CatalogChange::All(all)]))
    }
}

/// Returns the records of a file together with the seeds whose id it lacks, and the changes that
/// add those to the file.
fn stored(
    path: &Path,
    store: &Store,
    seeds: &Catalog,
) -> Result<(Catalog, Vec<CatalogChange>), ServeError> {
    let unreadable = |error: String| ServeError::Record {
        path: path.to_owned(),
        why: error,
    };
    let texts = store
        .records()
        .map_err(|error| unreadable(error.to_string()))?;
    let read = |json: &String| serde_json::from_str::<VideoRecord>(json);
    let mut catalog: Catalog = texts
        .iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(|error| unreadable(error.to_string()))?;
    let mut added = Vec::new();
    for record in seeds.iter() {
        if catalog.get(&record.id).is_none() {
            added.push(CatalogChange::Put(
                record.id.to_string(),
                records::stored(record),
            ));
            catalog.insert(Arc::clone(record));
        }
    }
    Ok((catalog, added))
}

/// Returns the date at time 0, which is that of a default page. Rule CLK-10.
fn epoch_micros() -> i64 {
    Page::default().epoch_micros
}
