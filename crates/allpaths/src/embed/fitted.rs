//! An embedding that knows its columns.

use super::features::{Columns, Feature, Features, IdRows, Rows};
use super::run::Keys;
use super::vocabulary::{Ids, Places};
use super::worker::Worker;
use super::{AllPathsCycles, Cell};
use crate::label::{Bins, Kind, LabelMap, id_of_name};
use crate::{Graph, Monitor, Result};

/// An embedding with what it learnt: which labels keep their names, and which features have columns.
///
/// Made by [`AllPathsCycles::fit`]; puts graphs into the same columns wherever and whenever.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub(super) settings: AllPathsCycles,
    pub(super) map: LabelMap,
    pub(super) columns: Columns,
    pub(super) places: Places,
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

    /// What the columns stand for.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// With a column for each of these features.
    pub(super) fn with_columns(self, features: Vec<Feature>) -> Self {
        Self { places: Places::of(&features), columns: Columns::Named(features), ..self }
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
            Columns::Named(_) => self.run(graphs, monitor, || &self.places)?,
            Columns::Hashed(bits) => {
                self.ids_under(graphs, monitor)?.0.keyed(|id| Some((id >> (64 - bits)) as u32))
            }
        };
        Ok(Features::new(self.columns.clone(), rows.sorted()))
    }

    /// Embeds graphs by the ids of their features, whatever has a column.
    ///
    /// # Errors
    ///
    /// As [`Fitted::transform`].
    pub fn ids_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<IdRows> {
        Ok(IdRows(self.run(graphs, monitor, || Ids)?))
    }

    /// Sets workers to graphs, each with keys of its own.
    fn run<K: Keys + Send>(
        &self,
        graphs: &[Graph],
        monitor: &Monitor,
        keys: impl Fn() -> K + Sync + Send,
    ) -> Result<Rows<K::Key>> {
        let worker = || Worker::new(&self.settings, &self.map);
        let (parts, _) = self.settings.manner().run(graphs, monitor, worker, keys)?;
        Ok(Rows::concatenated(parts.into_iter().map(|(_, rows)| rows)))
    }
}
