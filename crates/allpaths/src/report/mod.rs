//! Pictures for pages that show what was found.

mod chart;

pub(crate) use chart::{Axis, Chart, Mark, Series, Unit, seconds};
