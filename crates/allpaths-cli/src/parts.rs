//! Many files in, many files out: which inputs there are, what becomes of each, and which are done.
//!
//! Every input becomes one part in a folder, written beside its place and moved there when it is whole. A manifest beside the parts lists those that are
//! done, a line each, in the order of the inputs. Whatever stops a run, the next one finds a list of parts that are there, drops half a line at its end,
//! and goes on behind it: in the end folder and manifest hold the same bytes as if nothing had happened.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use allpaths::count::Outcome;
use allpaths::dataset::Format;
use serde::{Deserialize, Serialize};

use crate::Usage;
use crate::input::Missing;

/// One of several runs that share the inputs among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    number: usize,
    of: usize,
}

impl Default for Shard {
    fn default() -> Self {
        Self { number: 1, of: 1 }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |text: &str| text.parse::<usize>().ok();
        let numbers = text.split_once('/').and_then(|(number, of)| Some((parse(number)?, parse(of)?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("a shard is a number from 1 and how many there are, as in 2/8".to_owned()),
        }
    }
}

impl Shard {
    /// Whether it has the input of that number, from 0.
    fn has(self, input: usize) -> bool {
        input % self.of == self.number - 1
    }
}

/// The inputs that paths stand for: patterns with `*`, `?`, `[a-z]` and `**` for all that match, folders that are no dataset for the files in them that can be read,
/// both by name. `-` is standard input.
pub(crate) fn expanded(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        let is_pattern = is_pattern(path);
        let found = match path {
            _ if is_pattern => matching(path)?,
            _ if path.is_dir() && !is_dataset(path)? => files_in(path)?,
            _ => vec![path.clone()],
        };
        if found.is_empty() {
            let what = if is_pattern { "nothing is called like that" } else { "no file that can be read" };
            return Err(Missing::because(format!("{}: {what}", path.display())).into());
        }
        all.extend(found);
    }
    Ok(all)
}

/// Whether paths may stand for several inputs.
pub(crate) fn are_many(paths: &[PathBuf]) -> bool {
    let is_folder = |path: &PathBuf| path.is_dir() && !is_dataset(path).unwrap_or(true);
    paths.len() > 1 || paths.iter().any(|path| is_pattern(path) || is_folder(path))
}

fn names_in(folder: &Path) -> std::io::Result<Vec<String>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names: std::io::Result<Vec<_>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect();
    let mut names: Vec<String> = names?.into_iter().filter_map(|name| name.into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    Ok(names)
}

/// Whether a folder is one dataset in the TU format.
fn is_dataset(folder: &Path) -> std::io::Result<bool> {
    Ok(names_in(folder)?.iter().any(|name| name.ends_with("_A.txt")))
}

fn files_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let names = names_in(folder)?.into_iter().filter(|name| Format::of_name(name).is_some());
    Ok(names.map(|name| folder.join(name)).filter(|path| path.is_file()).collect())
}

/// What a pattern stands for, by name, but for hidden files.
fn matching(pattern: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let options = glob::MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..glob::MatchOptions::new()
    };
    let wrong = |reason: &dyn std::fmt::Display| Usage(format!("{}: {reason}", pattern.display()));
    let text = pattern.to_str().ok_or_else(|| wrong(&"a pattern must be text in UTF-8"))?;
    let found = glob::glob_with(text, options).map_err(|error| wrong(&error))?;
    found.map(|path| Ok(path.map_err(std::io::Error::from)?)).collect()
}

/// Whether a path is a pattern: nothing is called like that, and it has signs of one.
fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[']) && !path.exists()
}

/// A part that is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) input: String,
    /// How many bytes the input had; 0 for what is no file.
    bytes: u64,
    pub(crate) output: String,
    /// How many bytes the output has.
    written: u64,
    pub(crate) graphs: u64,
    pub(crate) nonzeros: u64,
    pub(crate) unseen: u64,
    pub(crate) incomplete: u64,
    pub(crate) outcome: Outcome,
}

/// The first line of a manifest.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    version: u64,
    shard: String,
    inputs: usize,
    /// A hash of everything that the parts depend on, beside the inputs.
    settings: String,
}

const VERSION: u64 = 1;

/// What is to be done in a folder, and what is done.
pub(crate) struct Manifest {
    folder: PathBuf,
    file: File,
    /// By input.
    done: HashMap<String, Part>,
}

/// An input and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) input: PathBuf,
    pub(crate) output: PathBuf,
}

/// Where the inputs of a shard go: to files of their names, with another ending.
pub(crate) fn works(
    inputs: &[PathBuf],
    folder: &Path,
    ending: &str,
    shard: Shard,
) -> Result<Vec<Work>, Usage> {
    let work = |input: &PathBuf| {
        let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let stem = if name == "-" { "stdin".into() } else { stem };
        Work { input: input.clone(), output: folder.join(format!("{stem}.{ending}")) }
    };
    let works: Vec<Work> = inputs.iter().map(work).collect();
    let mut by_output: Vec<&Work> = works.iter().collect();
    by_output.sort_by_key(|work| &work.output);
    if let Some(pair) = by_output.windows(2).find(|pair| pair[0].output == pair[1].output) {
        let [one, other] = [pair[0], pair[1]].map(|work| work.input.display());
        let output = pair[0].output.display();
        return Err(Usage(format!("{one} and {other} would both be written to {output}: give them apart")));
    }
    Ok(works.into_iter().enumerate().filter(|&(number, _)| shard.has(number)).map(|(_, work)| work).collect())
}

impl Manifest {
    /// Begins in a folder, which is made if it is not there, or goes on where another run ended.
    pub(crate) fn open(
        folder: &Path,
        (shard, inputs): (Shard, usize),
        settings: &[u8],
        resume: bool,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        let name = match shard.of {
            1 => "manifest.jsonl".to_owned(),
            of => format!("manifest-{}-of-{of}.jsonl", shard.number),
        };
        let path = folder.join(name);
        let shown = path.display().to_string();
        let head = Head {
            version: VERSION,
            shard: format!("{}/{}", shard.number, shard.of),
            inputs,
            settings: format!("{:016x}", fnv(settings)),
        };
        if path.exists() && !resume {
            let reason = "parts were written here before: --resume goes on, or take another folder";
            return Err(Usage(format!("{shown}: {reason}")).into());
        }
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
        let text = fs::read_to_string(&path)?;
        // A line without its end was being written when the run was stopped.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        file.seek(std::io::SeekFrom::End(0))?;
        let mut lines = text[..whole].lines();
        let damaged = |error: serde_json::Error| anyhow::anyhow!("{shown}: is damaged: {error}");
        let mut manifest = Self { folder: folder.to_owned(), file, done: HashMap::new() };
        match lines.next() {
            None => manifest.append(&head)?,
            Some(line) if serde_json::from_str::<Head>(line).map_err(damaged)? == head => {}
            Some(_) => {
                let reason =
                    "its parts were made from other inputs, with other settings or by another version";
                return Err(Usage(format!("{shown}: {reason}: take another folder")).into());
            }
        }
        let done = lines.map(serde_json::from_str).collect::<Result<Vec<Part>, _>>().map_err(damaged)?;
        manifest.done = done.into_iter().map(|part| (part.input.clone(), part)).collect();
        manifest.sweep()?;
        Ok(manifest)
    }

    fn append(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)?;
        Ok(self.file.sync_data()?)
    }

    /// Removes what runs that were killed left unfinished, unless the run is still there.
    fn sweep(&self) -> std::io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name().into_string().unwrap_or_default();
            let process = name
                .strip_prefix('.')
                .and_then(|name| name.strip_suffix(".partial"))
                .and_then(|name| name.rsplit_once('.'))
                .and_then(|(_, numbers)| numbers.split_once('-'))
                .and_then(|(process, _)| process.parse::<u32>().ok());
            if let Some(process) = process {
                let is_running =
                    process != std::process::id() && Path::new("/proc").join(process.to_string()).exists();
                if !is_running {
                    fs::remove_file(self.folder.join(name))?;
                }
            }
        }
        Ok(())
    }

    /// The part that is done, if it is and is still as it was.
    pub(crate) fn find(&self, work: &Work) -> anyhow::Result<Option<&Part>> {
        let input = work.input.display().to_string();
        let Some(part) = self.done.get(&input) else { return Ok(None) };
        if part.bytes != length(&work.input) {
            let output = work.output.display();
            return Err(
                Missing::because(format!("{input}: has changed since {output} was made of it")).into()
            );
        }
        Ok(Some(part).filter(|part| length(&work.output) == part.written))
    }

    /// Notes that a part is done.
    pub(crate) fn add(&mut self, work: &Work, counted: &Part) -> anyhow::Result<()> {
        let part = Part {
            input: work.input.display().to_string(),
            bytes: length(&work.input),
            output: work.output.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            written: length(&work.output),
            ..counted.clone()
        };
        // One whose file was lost is made anew, and stands in the list already.
        if self.done.get(&part.input) != Some(&part) {
            self.append(&part)?;
            self.done.insert(part.input.clone(), part);
        }
        Ok(())
    }
}

impl Part {
    /// What was counted in a part, whatever it is called.
    pub(crate) fn counted(
        graphs: u64,
        nonzeros: u64,
        unseen: u64,
        incomplete: u64,
        outcome: Outcome,
    ) -> Self {
        let (input, output) = (String::new(), String::new());
        Self { input, bytes: 0, output, written: 0, graphs, nonzeros, unseen, incomplete, outcome }
    }
}

/// How many bytes a file has; 0 for what is no file.
fn length(path: &Path) -> u64 {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map_or(0, |about| about.len())
}

/// The hash of Fowler, Noll and Vo (1a), the same everywhere.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "b.parquet",
            "a.parquet",
            "a.parquet.gz",
            ".hidden.parquet",
            "part-7",
            "part-07",
            "more/c.parquet",
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (pattern, expected) in [
            ("*.parquet", &["a.parquet", "b.parquet"][..]),
            ("part-??", &["part-07"]),
            ("?art-[0-9]", &["part-7"]),
            ("*a*t-*", &["part-07", "part-7"]),
            ("*/*.parquet", &["more/c.parquet"]),
            (".*.parquet", &[]),
            ("nothing*", &[]),
        ] {
            let expected: Vec<PathBuf> = expected.iter().map(|name| folder.path().join(name)).collect();
            assert_eq!(matching(&folder.path().join(pattern)).unwrap(), expected, "{pattern}");
        }
        assert!(matching(Path::new("a[b")).is_err());
    }

    #[test]
    fn shards_have_every_input_once() {
        let inputs: Vec<PathBuf> = (0..10).map(|i| PathBuf::from(format!("{i}.smi"))).collect();
        let of = |shard: &str| works(&inputs, Path::new("out"), "parquet", shard.parse().unwrap()).unwrap();
        let mut all: Vec<Work> = ["1/3", "2/3", "3/3"].into_iter().flat_map(of).collect();
        all.sort_by(|a, b| a.input.cmp(&b.input));
        assert_eq!(all, of("1/1"));
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn two_inputs_of_one_name_are_refused() {
        let inputs = ["a/x.smi".into(), "b/x.sdf".into()];
        let error = works(&inputs, Path::new("out"), "svm", Shard { number: 1, of: 1 }).unwrap_err();
        assert!(error.to_string().contains("a/x.smi and b/x.sdf would both be written to out"), "{error}");
    }
}
