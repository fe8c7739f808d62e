//! Which lengths are taken at which refinement.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// How long the paths and cycles are that are taken, for each number of refinement rounds.
///
/// The profile `0:7` takes paths and cycles to length 7 on the plain labels: the all-paths-and-cycles kernel. `0:0,1:0,2:0` takes only vertices, after no,
/// one and two rounds: the Weisfeiler-Lehman kernel. `0:7,1:3` and the like are between; `triangle:4` stands for all with rounds and
/// length summing to 4 at most.
///
/// # Example
///
/// ```
/// # use allpaths::embed::Profile;
/// let triangle: Profile = "triangle:2".parse()?;
/// assert_eq!(triangle, Profile::new([(0, 2), (1, 1), (2, 0)])?);
/// assert_eq!(triangle.to_string(), "0:2,1:1,2:0");
/// assert_eq!(triangle.cells().count(), 6);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Profile {
    /// Rounds, ascending, with the longest length of each.
    rounds: Vec<(usize, usize)>,
}

/// The paths and cycles of one length on labels refined so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// Rounds of refinement.
    pub refinement: usize,
    /// Edges of each path or cycle; 0 for vertices alone.
    pub length: usize,
}

/// More rounds tell nothing new on any graph of a sane size.
const MOST_ROUNDS: usize = 1000;

impl Profile {
    /// Lengths to `max_length` on plain labels.
    pub fn up_to(max_length: usize) -> Self {
        Self { rounds: vec![(0, max_length)] }
    }

    /// The given rounds, each with its longest length.
    ///
    /// # Errors
    ///
    /// When there are none, when one is given twice, or when a number of rounds is beyond 1000.
    pub fn new(rounds: impl IntoIterator<Item = (usize, usize)>) -> Result<Self> {
        let mut rounds: Vec<_> = rounds.into_iter().collect();
        rounds.sort_unstable();
        let twice = rounds.windows(2).find(|pair| pair[0].0 == pair[1].0);
        match (twice, rounds.last()) {
            (Some(pair), _) => Err(Error::settings(format!(
                "a profile says twice how long paths are at refinement {}",
                pair[0].0
            ))),
            (_, None) => Err(Error::settings(
                "a profile without refinements takes nothing: 0:6 takes paths to length 6",
            )),
            (_, Some(&(most, _))) if most > MOST_ROUNDS => Err(Error::settings(format!(
                "{most} rounds of refinement are beyond reason: ask for at most {MOST_ROUNDS}"
            ))),
            _ => Ok(Self { rounds }),
        }
    }

    /// Rounds that are known to be few and ascending.
    pub(crate) fn fixed(rounds: &[(usize, usize)]) -> Self {
        debug_assert!(rounds.is_sorted_by(|a, b| a.0 < b.0));
        Self { rounds: rounds.to_vec() }
    }

    /// All rounds and lengths that sum to `sum` at most.
    ///
    /// # Errors
    ///
    /// When there are more than 1000 rounds.
    pub fn triangle(sum: usize) -> Result<Self> {
        Self::new((0..=sum.min(MOST_ROUNDS + 1)).map(|rounds| (rounds, sum - rounds)))
    }

    /// The numbers of rounds, ascending, each with its longest length.
    pub fn rounds(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.rounds.iter().copied()
    }

    /// The longest length of all.
    pub fn max_length(&self) -> usize {
        self.rounds.iter().map(|&(_, length)| length).max().unwrap_or(0)
    }

    /// All cells, by refinement and length.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let lengths = |(refinement, longest)| (0..=longest).map(move |length| Cell { refinement, length });
        self.rounds().flat_map(lengths)
    }
}

impl FromStr for Profile {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let number = |digits: &str| digits.trim().parse::<usize>().ok();
        let wrong = |part: &str| {
            Error::settings(format!(
                "{part:?} is no part of a profile: write 0:7,1:3 (refinement:length) or triangle:4"
            ))
        };
        if let Some(sum) = text.trim().strip_prefix("triangle:") {
            return Self::triangle(number(sum).ok_or_else(|| wrong(text))?);
        }
        let pair = |part: &str| {
            let (rounds, length) = part.split_once(':')?;
            Some((number(rounds)?, number(length)?))
        };
        let pairs: Result<Vec<_>> =
            text.split(',').map(|part| pair(part).ok_or_else(|| wrong(part))).collect();
        Self::new(pairs?)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (rounds, length)) in self.rounds().enumerate() {
            write!(f, "{}{rounds}:{length}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl From<Profile> for String {
    fn from(profile: Profile) -> Self {
        profile.to_string()
    }
}

impl TryFrom<String> for Profile {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_profile_is_refused() {
        for text in ["", "7", "0:", "0:x", "0:1,0:2", "triangle:", "1001:0", "triangle:-1", "0:7;1:3"] {
            assert!(text.parse::<Profile>().is_err(), "{text:?}");
        }
        assert_eq!(" 1:3, 0:7".parse::<Profile>().unwrap().to_string(), "0:7,1:3");
    }
}
