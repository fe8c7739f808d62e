//! Pictures for pages that show what was found.

mod chart;
pub(crate) mod drawing;
pub(crate) mod layout;
mod stress;

pub(crate) use chart::{Axis, Chart, Mark, Series, Unit, seconds};
