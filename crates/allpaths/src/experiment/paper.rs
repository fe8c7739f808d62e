//! What the paper reports, and the settings its appendix lists.

/// The datasets, in the paper's order.
pub(super) const DATASETS: [&str; 5] = ["MUTAG", "PTC_MR", "NCI1", "NCI109", "ENZYMES"];

/// The settings for one dataset. The appendix lists no C.
pub(super) struct Appendix {
    pub(super) dataset: &'static str,
    /// The longest length of paths and cycles.
    pub(super) length: usize,
    /// The fraction of the total variance below which features of paths and cycles are cut.
    pub(super) cut: f64,
    /// Of shortest paths: what features are compared by, after they are standardised.
    pub(super) shortest_path: Compared,
    /// Levels of the Weisfeiler-Lehman kernel.
    pub(super) wl: usize,
    /// Levels of the optimal assignment kernel.
    pub(super) wl_oa: usize,
    /// What features of both are compared by.
    pub(super) refined: Compared,
}

/// What a machine of the paper sees.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Compared {
    /// The features themselves.
    Linear,
    /// A radial basis function whose scale is found automatically.
    Rbf,
    /// One whose scale is given.
    RbfOfScale(f64),
}

/// The cut of every kernel but all paths and cycles, whose is sometimes another.
pub(super) const CUT: f64 = 1e-5;

pub(super) const APPENDIX: [Appendix; 5] = [
    Appendix {
        dataset: "MUTAG",
        length: 4,
        cut: 1e-5,
        shortest_path: Compared::Linear,
        wl: 2,
        wl_oa: 2,
        refined: Compared::Linear,
    },
    Appendix {
        dataset: "PTC_MR",
        length: 5,
        cut: 1e-5,
        shortest_path: Compared::Linear,
        wl: 4,
        wl_oa: 3,
        refined: Compared::Rbf,
    },
    Appendix {
        dataset: "NCI1",
        length: 3,
        cut: 1e-5,
        shortest_path: Compared::Rbf,
        wl: 7,
        wl_oa: 7,
        refined: Compared::Linear,
    },
    Appendix {
        dataset: "NCI109",
        length: 3,
        cut: 1e-5,
        shortest_path: Compared::Rbf,
        wl: 7,
        wl_oa: 7,
        refined: Compared::Linear,
    },
    Appendix {
        dataset: "ENZYMES",
        length: 3,
        cut: 1e-6,
        shortest_path: Compared::RbfOfScale(1.0),
        wl: 2,
        wl_oa: 3,
        refined: Compared::Linear,
    },
];

/// The kernels that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    AllPathsCycles,
    ShortestPath,
    Graphlet,
    Wl,
    WlOa,
}

impl Method {
    pub(super) const ALL: [Self; 5] =
        [Self::AllPathsCycles, Self::ShortestPath, Self::Graphlet, Self::Wl, Self::WlOa];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AllPathsCycles => "All paths and cycles",
            Self::ShortestPath => "Shortest paths",
            Self::Graphlet => "Graphlets",
            Self::Wl => "Weisfeiler-Lehman",
            Self::WlOa => "WL optimal assignment",
        }
    }

    /// Accuracies of Table 2, in percent, in the order of the datasets.
    fn accuracies(self) -> [f64; 5] {
        match self {
            Self::AllPathsCycles => [89.8, 62.2, 80.0, 79.9, 53.3],
            Self::ShortestPath => [85.1, 61.2, 75.6, 75.1, 44.8],
            Self::Graphlet => [85.2, 54.7, 70.5, 69.3, 30.6],
            Self::Wl => [90.8, 63.5, 85.4, 85.7, 50.2],
            Self::WlOa => [85.3, 65.1, 86.0, 85.8, 56.6],
        }
    }

    /// Times of Table 3, in seconds.
    fn times(self) -> Option<[f64; 5]> {
        match self {
            Self::AllPathsCycles => Some([3.5, 4.2, 38.7, 38.1, 19.4]),
            Self::ShortestPath => Some([0.5, 0.4, 70.3, 71.6, 2.4]),
            Self::Graphlet => None,
            Self::Wl => Some([0.1, 0.4, 27.5, 33.0, 0.4]),
            Self::WlOa => Some([0.1, 0.4, 2196.0, 2257.0, 16.6]),
        }
    }

    /// Its accuracy on a dataset, in percent.
    pub(super) fn accuracy(self, dataset: &str) -> Option<f64> {
        Some(self.accuracies()[place(dataset)?])
    }

    /// Its time on a dataset, in seconds, if the paper has it.
    pub(super) fn seconds(self, dataset: &str) -> Option<f64> {
        Some(self.times()?[place(dataset)?])
    }
}

/// The best accuracy of any kernel on a dataset, in percent.
pub(super) fn best(dataset: &str) -> Option<f64> {
    Method::ALL.iter().filter_map(|method| method.accuracy(dataset)).reduce(f64::max)
}

fn place(dataset: &str) -> Option<usize> {
    DATASETS.iter().position(|name| *name == dataset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dataset_has_settings_and_the_best_are_those_in_bold() {
        assert!(APPENDIX.iter().map(|appendix| appendix.dataset).eq(DATASETS));
        let best: Vec<f64> = DATASETS.iter().filter_map(|dataset| best(dataset)).collect();
        assert_eq!(best, [90.8, 65.1, 86.0, 85.8, 56.6]);
        assert_eq!(Method::Wl.accuracy("DD"), None);
    }
}
