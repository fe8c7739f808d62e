//! Attributes as they are met, record by record, gathered into columns.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Reader;
use super::text::Text;
use crate::Result;
use crate::graph::{Attribute, Values};

/// One value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Real(f64),
    Text(Cow<'a, str>),
}

impl<'a> Value<'a> {
    /// A number as written: a real if a double holds it exactly enough to print it again, else its digits.
    pub(super) fn number(text: &'a str) -> Option<Self> {
        const EXACT: u64 = 1 << 53;
        match text.parse::<i64>() {
            Ok(n) if n.unsigned_abs() > EXACT => Some(Value::Text(text.into())),
            Ok(n) => Some(Value::Real(n as f64)),
            Err(_) => match text.parse::<f64>() {
                Ok(_) if text.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit()) => {
                    Some(Value::Text(text.into()))
                }
                Ok(x) if x.is_finite() => Some(Value::Real(x)),
                _ => None,
            },
        }
    }

    fn into_text(self) -> Cow<'a, str> {
        match self {
            Value::Real(x) => x.to_string().into(),
            Value::Text(text) => text,
        }
    }
}

/// Columns that grow with the records; a record that does not mention a column has no value there.
#[derive(Debug)]
pub(super) struct Columns<'a> {
    known: Vec<(Cow<'a, str>, Vec<Option<Value<'a>>>)>,
    places: FxHashMap<Cow<'a, str>, usize>,
    /// Memory of columns that were taken, for others.
    spare: Vec<Vec<Option<Value<'a>>>>,
    rows: usize,
    /// Where the next value probably goes: records repeat their keys in order.
    next: usize,
    /// How many more values and gaps may be held; nothing once there were too many.
    room: Option<usize>,
    repeats: usize,
}

impl<'a> Columns<'a> {
    /// Columns of a file.
    pub(super) fn new(text: &Text, reader: &Reader) -> Self {
        // A value takes more than a byte of the file, a gap takes none: only gaps can need more than that.
        Self::with_room(reader.room(16).max(text.bytes().len()))
    }

    /// Columns with room for so many values and gaps.
    pub(super) fn with_room(room: usize) -> Self {
        Self {
            known: Vec::new(),
            places: FxHashMap::default(),
            spare: Vec::new(),
            rows: 0,
            next: 0,
            room: Some(room),
            repeats: 0,
        }
    }

    /// Begins a record.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.rows += 1;
        self.next = 0;
    }

    /// Sets a value of the record begun last, unless it has one of that name.
    #[inline]
    pub(super) fn set(&mut self, name: impl Into<Cow<'a, str>>, value: Value<'a>) {
        let name = name.into();
        let place = if self.known.get(self.next).is_some_and(|(known, _)| *known == name) {
            self.next
        } else {
            self.place(name)
        };
        self.next = place + 1;
        self.set_at(place, value);
    }

    /// The place of a column, for [`Columns::set_at`].
    pub(super) fn place(&mut self, name: Cow<'a, str>) -> usize {
        let (known, spare) = (&mut self.known, &mut self.spare);
        *self.places.entry(name).or_insert_with_key(|name| {
            known.push((name.clone(), spare.pop().unwrap_or_default()));
            known.len() - 1
        })
    }

    /// As [`Columns::set`], by the place of the column.
    #[inline]
    pub(super) fn set_at(&mut self, place: usize, value: Value<'a>) {
        let values = &mut self.known[place].1;
        let missing = self.rows - values.len();
        if missing == 0 {
            self.repeats += 1;
            return;
        }
        self.room = self.room.and_then(|room| room.checked_sub(missing));
        if self.room.is_some() {
            values.resize(self.rows - 1, None);
            values.push(Some(value));
        }
    }

    /// Refuses columns that are nearly all gaps and too many, and notes values that were not taken.
    pub(super) fn check(&self, text: &Text, notes: &mut Vec<String>) -> Result<()> {
        if self.room.is_none() {
            let reason = "too many different attributes, most of them without a value, to hold in memory";
            return Err(text.whole_error(reason).past_limit());
        }
        if self.repeats > 0 {
            let values = if self.repeats == 1 { "value" } else { "values" };
            notes.push(format!("{} {values} not read: the record has one of that name", self.repeats));
        }
        Ok(())
    }

    /// Whether there was room for all.
    pub(super) fn had_room(&self) -> bool {
        self.room.is_some()
    }

    /// How many records have no value in a column.
    pub(super) fn gaps(&self, name: &str) -> usize {
        let held = self.places.get(name).map_or(0, |&place| self.known[place].1.iter().flatten().count());
        self.rows - held
    }

    /// Gives each record a value in a column where it has none.
    pub(super) fn fill(&mut self, name: impl Into<Cow<'a, str>>, value: &Value<'a>) {
        let place = self.place(name.into());
        let values = &mut self.known[place].1;
        values.resize(self.rows, None);
        for gap in values.iter_mut().filter(|value| value.is_none()) {
            *gap = Some(value.clone());
        }
    }

    /// Whether a column has a value in every record, and no value twice.
    pub(super) fn all_differ(&self, name: &str) -> bool {
        let mut seen = FxHashSet::default();
        self.places.get(name).is_some_and(|&place| {
            let values = &self.known[place].1;
            let new =
                |value: &Option<Value<'a>>| value.clone().is_some_and(|value| seen.insert(value.into_text()));
            values.len() == self.rows && values.iter().all(new)
        })
    }

    /// Takes a column out, if every record has a value there that is wanted.
    fn take(
        &mut self,
        name: &str,
        wanted: impl Fn(&Value<'a>) -> bool,
    ) -> Option<impl Iterator<Item = Value<'a>>> {
        let values = &mut self.known[*self.places.get(name)?].1;
        let complete =
            values.len() == self.rows && values.iter().all(|value| value.as_ref().is_some_and(&wanted));
        complete.then(|| values.drain(..).flatten())
    }

    /// Takes a column of numbers out, if every record has one there.
    pub(super) fn take_reals(&mut self, name: &str) -> Option<Vec<f64>> {
        let values = self.take(name, |value| matches!(value, Value::Real(_)))?;
        Some(values.map(|value| if let Value::Real(x) = value { x } else { f64::NAN }).collect())
    }

    /// Takes a column out as text, if every record has a value there.
    pub(super) fn take_texts(&mut self, name: &str) -> Option<impl Iterator<Item = Cow<'a, str>>> {
        Some(self.take(name, |_| true)?.map(Value::into_text))
    }

    /// Takes columns of text in which all is numbers as numbers.
    pub(super) fn tell_numbers(&mut self) {
        for (_, values) in &mut self.known {
            let number = |value: &Option<Value<'a>>| match value {
                Some(Value::Text(text)) => match Value::number(text)? {
                    Value::Real(x) => Some(Some(Value::Real(x))),
                    Value::Text(_) => None,
                },
                other => Some(other.clone()),
            };
            if let Some(numbers) = values.iter().map(number).collect() {
                *values = numbers;
            }
        }
    }

    /// Takes what is left: columns of numbers as such, all others as text. The next record is the first one again.
    pub(super) fn take_attributes(&mut self) -> Vec<Attribute> {
        let rows = std::mem::take(&mut self.rows);
        self.repeats = 0;
        // Clearing it would take time for all that it ever held.
        self.places = FxHashMap::default();
        let mut attributes = Vec::new();
        for (name, mut values) in self.known.drain(..) {
            if !values.is_empty() {
                values.resize(rows, None);
                attributes.push(Attribute::new(name, taken(&mut values)));
            }
            self.spare.push(values);
        }
        attributes
    }
}

fn taken(values: &mut Vec<Option<Value<'_>>>) -> Values {
    let number = |value: &Option<Value<'_>>| match value {
        Some(Value::Real(x)) => Some(Some(*x)),
        Some(Value::Text(_)) => None,
        None => Some(None),
    };
    let reals: Option<Vec<Option<f64>>> = values.iter().map(number).collect();
    let texts = values.drain(..);
    match reals {
        Some(reals) => Values::Real(reals),
        None => Values::Text(texts.map(|value| Some(value?.into_text().into_owned())).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_mixtures_and_repeats() {
        let mut columns = Columns::with_room(100);
        columns.begin();
        columns.set("a", Value::Real(1.0));
        columns.set("a", Value::Real(2.0));
        columns.begin();
        columns.set("b", Value::Text("x".into()));
        columns.begin();
        columns.set("b", Value::Real(2.5));
        assert_eq!(columns.repeats, 1);
        assert_eq!(columns.gaps("a"), 2);
        assert_eq!(columns.take_texts("a").map(Iterator::count), None);
        let attributes = columns.take_attributes();
        assert_eq!(attributes[0].values(), &Values::Real(vec![Some(1.0), None, None]));
        let texts = vec![None, Some("x".to_owned()), Some("2.5".to_owned())];
        assert_eq!(attributes[1].values(), &Values::Text(texts));
    }

    #[test]
    fn what_is_taken_is_gone_and_what_is_full_says_so() {
        let mut columns = Columns::with_room(4);
        columns.begin();
        columns.set("a", Value::Real(1.0));
        columns.begin();
        columns.set("a", Value::Real(1.0));
        assert!(!columns.all_differ("a"));
        assert_eq!(columns.take_reals("a"), Some(vec![1.0, 1.0]));
        assert_eq!(columns.take_reals("a"), None);
        assert!(columns.room.is_some());
        columns.begin();
        columns.set("b", Value::Real(1.0));
        assert!(columns.room.is_none());
        assert_eq!(columns.take_attributes(), []);
    }

    #[test]
    fn long_integers_keep_their_digits() {
        for long in ["9223372036854775807", "-9223372036854775808", "99999999999999999999"] {
            assert_eq!(Value::number(long), Some(Value::Text(long.into())));
        }
        assert_eq!(Value::number("-3"), Some(Value::Real(-3.0)));
        assert_eq!(Value::number("1e19"), Some(Value::Real(1e19)));
        assert_eq!(Value::number("inf"), None);
    }
}
