//! Attributes as they are met, record by record, gathered into columns.

use crate::graph::{Attribute, Values};

/// One value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Real(f64),
    Text(String),
}

impl Value {
    /// A number as written: a real if a double holds it exactly enough to print it again, else its digits.
    pub(super) fn number(text: &str) -> Option<Self> {
        const EXACT: i64 = 1 << 53;
        match text.parse::<i64>() {
            Ok(n) if n.abs() > EXACT => Some(Value::Text(text.to_owned())),
            Ok(n) => Some(Value::Real(n as f64)),
            Err(_) => text.parse().ok().filter(|x: &f64| x.is_finite()).map(Value::Real),
        }
    }

    fn text(&self) -> String {
        match self {
            Value::Real(x) => x.to_string(),
            Value::Text(text) => text.clone(),
        }
    }
}

/// Columns that grow with the records; a record that does not mention a column has no value there.
#[derive(Debug, Default)]
pub(super) struct Columns {
    columns: Vec<(String, Vec<Option<Value>>)>,
    rows: usize,
    /// Where the next value probably goes: records repeat their keys in order.
    next: usize,
}

impl Columns {
    /// Begins a record.
    pub(super) fn begin(&mut self) {
        self.rows += 1;
        self.next = 0;
    }

    /// Sets a value of the record begun last; false if it has one already.
    pub(super) fn set(&mut self, name: &str, value: Value) -> bool {
        let place = match self.columns.get(self.next).is_some_and(|(known, _)| known == name) {
            true => self.next,
            false => self.columns.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                self.columns.push((name.to_owned(), Vec::new()));
                self.columns.len() - 1
            }),
        };
        self.next = place + 1;
        let values = &mut self.columns[place].1;
        if values.len() == self.rows {
            return false;
        }
        values.resize(self.rows - 1, None);
        values.push(Some(value));
        true
    }

    /// Takes a column out, if every record has a value there.
    pub(super) fn take_complete(&mut self, name: &str) -> Option<Vec<Value>> {
        let place = self.columns.iter().position(|(known, values)| {
            known == name && values.len() == self.rows && values.iter().all(Option::is_some)
        })?;
        self.next = 0;
        Some(self.columns.remove(place).1.into_iter().flatten().collect())
    }

    /// Takes a column of numbers out, if every record has one there.
    pub(super) fn take_reals(&mut self, name: &str) -> Option<Vec<f64>> {
        let column = self.columns.iter().find(|(known, _)| known == name)?;
        if !column.1.iter().all(|value| matches!(value, Some(Value::Real(_)))) {
            return None;
        }
        let real = |value| if let Value::Real(x) = value { x } else { f64::NAN };
        Some(self.take_complete(name)?.into_iter().map(real).collect())
    }

    /// Takes a column out as text, if every record has a value there.
    pub(super) fn take_texts(&mut self, name: &str) -> Option<Vec<String>> {
        Some(self.take_complete(name)?.iter().map(Value::text).collect())
    }

    /// What is left: columns of numbers as such, all others as text.
    pub(super) fn into_attributes(self) -> Vec<Attribute> {
        let rows = self.rows;
        let attribute = |(name, mut values): (String, Vec<Option<Value>>)| {
            values.resize(rows, None);
            let number = |value: &Option<Value>| match value {
                Some(Value::Real(x)) => Some(Some(*x)),
                Some(Value::Text(_)) => None,
                None => Some(None),
            };
            let reals: Option<Vec<Option<f64>>> = values.iter().map(number).collect();
            let texts = || values.iter().map(|value| value.as_ref().map(Value::text)).collect();
            Attribute::new(name, reals.map_or_else(|| Values::Text(texts()), Values::Real))
        };
        self.columns.into_iter().map(attribute).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_mixtures_and_repeats() {
        let mut columns = Columns::default();
        columns.begin();
        assert!(columns.set("a", Value::Real(1.0)));
        assert!(!columns.set("a", Value::Real(2.0)));
        columns.begin();
        assert!(columns.set("b", Value::Text("x".into())));
        columns.begin();
        assert!(columns.set("b", Value::Real(2.5)));
        assert_eq!(columns.take_complete("a"), None);
        let attributes = columns.into_attributes();
        assert_eq!(attributes[0].values(), &Values::Real(vec![Some(1.0), None, None]));
        let texts = vec![None, Some("x".to_owned()), Some("2.5".to_owned())];
        assert_eq!(attributes[1].values(), &Values::Text(texts));
    }

    #[test]
    fn long_integers_keep_their_digits() {
        assert_eq!(Value::number("9223372036854775807"), Some(Value::Text("9223372036854775807".into())));
        assert_eq!(Value::number("-3"), Some(Value::Real(-3.0)));
        assert_eq!(Value::number("inf"), None);
    }
}
