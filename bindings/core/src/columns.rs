//! The flat table of a sweep as columns, for data frames.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use playsim::sweep::{
    ColumnType, FlatCell, FlatForm, FlatKey, FlatRows, FlatTable, Sweep, SweepError,
};

/// A column of the flat table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepColumn {
    /// Its name.
    pub name: Arc<str>,
    /// Its content, in words.
    pub says: &'static str,
    /// Whether a row may be without a value.
    pub is_nullable: bool,
    /// A value for each row.
    pub values: ColumnValues,
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnValues {
    /// Whole numbers.
    Numbers(Vec<Option<i64>>),
    /// Texts.
    Texts(Texts),
}

/// Texts, each different one kept once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Texts {
    indexes: Vec<Option<u32>>,
    texts: Vec<Arc<str>>,
    known: BTreeMap<Arc<str>, u32>,
}

impl Texts {
    /// The different texts, in the order in which they first occur.
    #[must_use]
    pub fn texts(&self) -> &[Arc<str>] {
        &self.texts
    }

    /// The index of each row's text among the [different](Texts::texts) ones.
    #[must_use]
    pub fn indexes(&self) -> &[Option<u32>] {
        &self.indexes
    }

    fn index_of(&mut self, text: &str) -> u32 {
        // Neighbours are mostly alike.
        let last = self.indexes.last().copied().flatten();
        let is_it = |index: &u32| {
            self.texts
                .get(*index as usize)
                .is_some_and(|it| **it == *text)
        };
        if let Some(index) = last.filter(is_it).or_else(|| self.known.get(text).copied()) {
            return index;
        }
        let index = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.known.insert(text, index);
        index
    }
}

impl ColumnValues {
    fn push(&mut self, cell: Option<FlatCell<'_>>) {
        match self {
            ColumnValues::Numbers(numbers) => numbers.push(match cell {
                Some(FlatCell::Number(number)) => i64::try_from(number).ok(),
                Some(FlatCell::Text(_)) | None => None,
            }),
            ColumnValues::Texts(texts) => {
                let index = match cell {
                    Some(FlatCell::Text(text)) => Some(texts.index_of(text)),
                    Some(FlatCell::Number(_)) | None => None,
                };
                texts.indexes.push(index);
            }
        }
    }
}

/// Plays a sweep and returns its flat table, with the rows and in the order of `playsim sweep`.
///
/// # Errors
///
/// If the sweep cannot be run, or was stopped.
pub fn sweep_columns(sweep: &Sweep<'_>, rows: FlatRows) -> Result<Vec<SweepColumn>, SweepError> {
    let table = sweep.flat(rows, FlatForm::Csv)?;
    let mut columns: Vec<SweepColumn> = table.columns().iter().map(empty).collect();
    match rows {
        FlatRows::Each => sweep.each(|session| {
            table
                .keys(session)
                .iter()
                .for_each(|key| put(&table, key, 1, &mut columns));
            ControlFlow::Continue(())
        })?,
        FlatRows::Alike | FlatRows::Breaks => count(sweep, &table, &mut columns)?,
    }
    Ok(columns)
}

/// Counts the rows that are alike, in the order of their text, as the command line has them.
fn count(
    sweep: &Sweep<'_>,
    table: &FlatTable,
    columns: &mut [SweepColumn],
) -> Result<(), SweepError> {
    let mut counted: BTreeMap<(u64, String), (FlatKey, u64)> = BTreeMap::new();
    for (keys, sessions) in sweep.count(|session| table.keys(session))? {
        for key in keys {
            let row = table.row(&key, sessions);
            let Some((combination, _, rest)) = table.form().split(row.trim_end()) else {
                continue;
            };
            counted
                .entry((combination, rest.to_owned()))
                .or_insert((key, 0))
                .1 += sessions;
        }
    }
    counted
        .values()
        .for_each(|(key, sessions)| put(table, key, *sessions, columns));
    Ok(())
}

fn put(table: &FlatTable, key: &FlatKey, sessions: u64, columns: &mut [SweepColumn]) {
    table.cells(key, sessions, |index, cell| {
        columns[index].values.push(cell)
    });
}

fn empty(column: &playsim::sweep::Column) -> SweepColumn {
    let values = match column.kind {
        ColumnType::Int64 => ColumnValues::Numbers(Vec::new()),
        ColumnType::Text => ColumnValues::Texts(Texts::default()),
    };
    SweepColumn {
        name: Arc::clone(&column.name),
        says: column.says,
        is_nullable: column.is_nullable,
        values,
    }
}
