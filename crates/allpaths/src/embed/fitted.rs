//! An embedding that knows its columns.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::features::{Columns, Feature, Features, IdRows, Rows};
use super::run::Keys;
use super::vocabulary::{Ids, Kept, Places};
use super::worker::Worker;
use super::{AllPathsCycles, Cell, Stopped};
use crate::count::Limits;
use crate::label::{Bins, Bounds, ID_VERSION, Kind, LabelMap, id_of_name, relabelled};
use crate::{Error, Graph, Monitor, Result, versions, whole};

/// An embedding with what it learnt: which labels keep their names, and which features have columns.
///
/// Made by [`AllPathsCycles::fit`]; puts graphs into the same columns wherever and whenever.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub(super) settings: AllPathsCycles,
    pub(super) bounds: Vec<Bounds>,
    pub(super) map: LabelMap,
    pub(super) columns: Columns,
    /// Filled when the first graphs are put into the columns, for all copies at once.
    pub(super) places: Arc<OnceLock<Places>>,
}

/// The version of the files that hold one.
const VERSION: u64 = 1;

/// What a vocabulary that is in no file is called in messages.
const IN_MEMORY: &str = "vocabulary";

/// What is written.
#[derive(Serialize, Deserialize)]
struct File<'a> {
    version: u64,
    ids: u64,
    settings: Cow<'a, AllPathsCycles>,
    bins: Cow<'a, [Bounds]>,
    labels: Cow<'a, LabelMap>,
    features: Cow<'a, [Feature]>,
}

impl Fitted {
    /// The settings it was made with.
    pub fn settings(&self) -> &AllPathsCycles {
        &self.settings
    }

    /// Which labels keep their names.
    pub fn labels(&self) -> &LabelMap {
        &self.map
    }

    /// Where bins of attributes end.
    pub(crate) fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }

    /// What the columns stand for.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// With a column for each of these features.
    pub(super) fn with_columns(self, features: Vec<Feature>) -> Self {
        Self { places: Arc::default(), columns: Columns::Named(features.into()), ..self }
    }

    /// Every feature there can be, where the settings ask for them all.
    pub(super) fn all_bins(&self) -> Result<Option<Vec<Feature>>> {
        let settings = &self.settings;
        if !settings.all_bins {
            return Ok(None);
        }
        let bins = Bins::new(&self.map, settings.profile.max_length())?;
        let feature = |(length, name): (usize, String)| Feature {
            id: id_of_name(&name),
            name,
            kind: Kind::Path,
            cell: Cell { refinement: 0, length },
        };
        let mut features: Vec<Feature> = bins.all_paths().into_iter().map(feature).collect();
        features.sort_by(|a, b| a.order().cmp(&b.order()));
        Ok(Some(features))
    }

    /// Writes it to a file, as JSON; read back, it puts graphs into the same columns.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, Graph, embed::Fitted};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("columns.json");
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// let fitted = AllPathsCycles::up_to(3).fit(&[triangle])?;
    /// fitted.write(&path)?;
    /// assert_eq!(Fitted::read(&path)?.columns(), fitted.columns());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        whole::file(path.as_ref(), |out| Ok(serde_json::to_writer(out, &self.file())?))
    }

    /// What [`Fitted::write`] writes to a file.
    ///
    /// # Errors
    ///
    /// When memory runs out.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, Graph, embed::Fitted};
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// let fitted = AllPathsCycles::up_to(3).fit(&[triangle])?;
    /// assert_eq!(Fitted::from_bytes(&fitted.to_bytes()?)?.columns(), fitted.columns());
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(&self.file()).map_err(|error| Error::io(Path::new(IN_MEMORY), error.into()))
    }

    fn file(&self) -> File<'_> {
        let features = match &self.columns {
            Columns::Named(features) => Cow::Borrowed(&**features),
            Columns::Hashed(_) => Cow::Borrowed([].as_slice()),
        };
        let (settings, labels) = (Cow::Borrowed(&self.settings), Cow::Borrowed(&self.map));
        let bins = Cow::Borrowed(self.bounds.as_slice());
        File { version: VERSION, ids: ID_VERSION, settings, bins, labels, features }
    }

    /// Reads what [`Fitted::write`] wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or was written by a later version.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
        Self::parse(path, &bytes)
    }

    /// Takes what [`Fitted::to_bytes`] gave.
    ///
    /// # Errors
    ///
    /// When it is damaged, or from a later version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::parse(Path::new(IN_MEMORY), bytes)
    }

    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let file: File<'_> = versions::read(path, "a vocabulary", VERSION, bytes)?;
        let features = file.features.into_owned();
        if let Some(feature) = features.iter().find(|feature| feature.id != id_of_name(&feature.name)) {
            return Err(Error::file(
                path,
                format!("{} is not the id of {:?}: the file is damaged", feature.id, feature.name),
            ));
        }
        if let Some(pair) = features.windows(2).find(|pair| pair[0].order() >= pair[1].order()) {
            return Err(Error::file(
                path,
                format!("{:?} is out of order: the file is damaged", pair[1].name),
            ));
        }
        let fitted = file.settings.fitted(file.bins.into_owned(), file.labels.into_owned())?;
        match fitted.columns {
            Columns::Named(_) => Ok(fitted.with_columns(features)),
            Columns::Hashed(_) => Ok(fitted),
        }
    }

    /// Runs on another number of threads; all processors if none is given.
    #[must_use]
    pub fn threads(mut self, threads: Option<usize>) -> Self {
        self.settings.threads = threads;
        self
    }

    /// Under other limits, with another way to treat graphs that are over their budget.
    #[must_use]
    pub fn limits(mut self, limits: Limits, stopped: Stopped) -> Self {
        (self.settings.limits, self.settings.stopped) = (limits, stopped);
        self
    }

    /// Embeds graphs in the columns that were learnt. Features without a column are counted in [`Features::unseen`] and left out.
    ///
    /// # Errors
    ///
    /// With [`Stopped::Fail`], when a graph is over its budget.
    pub fn transform<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<Features> {
        self.transform_under(graphs.as_ref(), &Monitor::new())
    }

    /// Embeds graphs in the columns that were learnt, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Fitted::transform`].
    pub fn transform_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Features> {
        let rows = match &self.columns {
            Columns::Named(features) => {
                let places = self.places.get_or_init(|| Places::of(features));
                self.run(graphs, monitor, || places, Rows::sorted)?
            }
            Columns::Hashed(bits) => {
                let column = |id: u64| Some((id >> (64 - bits)) as u32);
                self.run(graphs, monitor, || Ids, |rows| rows.under(column))?
            }
        };
        Ok(Features::new(self.columns.clone(), rows))
    }

    /// Embeds graphs by the ids of their features, whatever has a column.
    ///
    /// # Errors
    ///
    /// As [`Fitted::transform`].
    pub fn ids_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<IdRows> {
        Ok(IdRows(self.run(graphs, monitor, || Ids, |rows| rows)?))
    }

    /// What finds features in graphs, with the scratch of one thread.
    pub(crate) fn worker(&self) -> Result<Worker<'_>> {
        Worker::new(&self.settings, &self.map)
    }

    /// Graphs with bins in their labels, where attributes are binned.
    pub(crate) fn binned<'a>(&self, graphs: &'a [Graph]) -> Result<Cow<'a, [Graph]>> {
        match self.bounds.is_empty() {
            true => Ok(Cow::Borrowed(graphs)),
            false => relabelled(graphs, &self.bounds).map(Cow::Owned),
        }
    }

    /// Sets workers to graphs, each with keys of its own, and makes of their rows what they are to be.
    fn run<K: Keys + Send, L: Copy + Ord + Send>(
        &self,
        graphs: &[Graph],
        monitor: &Monitor,
        keys: impl Fn() -> K + Sync + Send,
        made: impl Fn(Rows<K::Key>) -> Rows<L> + Sync + Send,
    ) -> Result<Rows<L>> {
        let worker = || Worker::new(&self.settings, &self.map);
        self.settings.manner().rows(&self.binned(graphs)?, monitor, worker, keys, made)
    }

    /// Embeds what is rare, too: for graphs to be compared with those that told which features are rare.
    pub(crate) fn with_rare(mut self) -> Self {
        self.settings.min_graphs = 1;
        self
    }

    /// Embeds graphs with a column for each feature that enough of them have, whatever columns were learnt.
    pub(crate) fn learn_under<T: Kept>(
        &self,
        graphs: &[Graph],
        monitor: &Monitor,
    ) -> Result<(Vec<T>, Rows<u32>)> {
        let worker = || Worker::new(&self.settings, &self.map);
        self.settings.manner().learn(&self.binned(graphs)?, monitor, worker, self.settings.min_graphs)
    }
}
