//! Graphs as JSON in the node-link form of networkx, which D3 and others read too.
//!
//! ```json
//! {
//!   "directed": false, "multigraph": false, "graph": {},
//!   "nodes": [{"id": 1, "label": "C"}, {"id": 2, "label": "O"}],
//!   "links": [{"source": 1, "target": 2, "weight": 0.5}]
//! }
//! ```
//!
//! - Edges are in `links` or in `edges`. A vertex is called by its `id`, a number or a text: `1` and `"1"` are the
//!   same name.
//! - A vertex's `label` is its label, an edge's `label` its label and its `weight` (or `value`) its weight, if every
//!   one has it; all else is kept as attributes: numbers and text as such, `true` and `false` as text, `null` as
//!   no value. Lists and objects are not read.
//! - Repeated edges are merged, whatever `multigraph` says; their `key` is an attribute. `graph` is not read.

use std::borrow::Cow;

use super::columns::{Columns, Value};
use super::json::{Token, Tokens};
use super::records::{LabelRule, Records};
use super::text::Text;
use super::{Dataset, Reader};
use crate::Result;

pub(super) fn read(text: &Text, reader: &Reader) -> Result<Dataset> {
    let mut tokens = Tokens::new(text)?;
    let mut records = Records::new(text, reader);
    let mut directed = false;
    let (mut nodes, mut links) = (None, None);
    let mut nested = false;
    tokens.sign(b'{')?;
    let mut first = true;
    while let Some(key) = tokens.key(first)? {
        first = false;
        match &*key {
            "directed" => match tokens.next()? {
                Token::Word("true") => directed = true,
                Token::Word("false") => directed = false,
                token => return Err(tokens.expected("true or false", &token)),
            },
            "nodes" | "links" | "edges" => {
                let list = if key == "nodes" { &mut nodes } else { &mut links };
                if let Some(other) = list.replace(key.clone()) {
                    return Err(tokens.error(format!("expected one list of {other}, found {key} too")));
                }
                nested |= read_list(&mut tokens, &mut records, &key)?;
            }
            _ => {
                let value = tokens.next()?;
                tokens.skip(value)?;
            }
        }
    }
    match tokens.next()? {
        Token::End => {}
        token => return Err(tokens.expected("one graph and nothing after it", &token)),
    }
    for (list, name) in [(nodes, "nodes"), (links, "links")] {
        if list.is_none() {
            return Err(text.whole_error(format!("no list of {name} in this JSON file")));
        }
    }
    let mut notes = Vec::new();
    if nested {
        notes.push("lists and objects nested in a node or link are not read".to_owned());
    }
    let directed = reader.directed.unwrap_or(directed);
    let builder = records.finish(directed, LabelRule::Label, &mut notes)?;
    Dataset::single(text, builder, notes)
}

/// Reads the nodes or the links; tells whether there was something nested in them.
fn read_list<'a>(tokens: &mut Tokens<'a>, records: &mut Records<'a>, list: &str) -> Result<bool> {
    let mut nested = false;
    tokens.sign(b'[')?;
    let mut first = true;
    while let Some(token) = tokens.item(first)? {
        first = false;
        if token != Token::Sign(b'{') {
            return Err(tokens.expected(&format!("an object in {list}"), &token));
        }
        let at = tokens.place();
        if list == "nodes" {
            let [id] = read_record(tokens, ["id"], &mut records.vertices, &mut nested)?;
            let id = id.ok_or_else(|| tokens.error("expected an id in each node, found none"))?;
            records.vertex(at, &id)?;
        } else {
            let keys = ["source", "target"];
            let [Some(source), Some(target)] = read_record(tokens, keys, &mut records.links, &mut nested)?
            else {
                let reason =
                    format!("expected a source and a target in each of the {list}, found one missing");
                return Err(tokens.error(reason));
            };
            records.edge(at, &source, &target);
        }
    }
    Ok(nested)
}

/// Reads a node or a link: the ids that place it, and its other attributes into their columns.
fn read_record<'a, const N: usize>(
    tokens: &mut Tokens<'a>,
    keys: [&str; N],
    columns: &mut Columns<'a>,
    nested: &mut bool,
) -> Result<[Option<Cow<'a, str>>; N]> {
    let mut ids = [const { None }; N];
    columns.begin();
    let mut first = true;
    while let Some(key) = tokens.key(first)? {
        first = false;
        let token = tokens.next()?;
        if let Some(place) = keys.iter().position(|&place| place == key) {
            let id = match token {
                Token::Text(id) => id,
                Token::Number(id) => Cow::Borrowed(id),
                token => return Err(tokens.expected(&format!("a number or a text as {key}"), &token)),
            };
            if ids[place].replace(id).is_some() {
                return Err(tokens.error(format!("expected one {key}, found a second one")));
            }
            continue;
        }
        match token {
            Token::Text(text) => columns.set(key, Value::Text(text)),
            Token::Number(number) => match Value::number(number) {
                Some(value) => columns.set(key, value),
                None => return Err(tokens.expected("a finite number", &Token::Number(number))),
            },
            Token::Word("null") => {}
            Token::Word(word) => columns.set(key, Value::Text(word.into())),
            token => {
                *nested = true;
                tokens.skip(token)?;
            }
        }
    }
    Ok(ids)
}
