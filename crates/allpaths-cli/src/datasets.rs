//! `allpaths datasets`: what datasets are known by name, where they are, and how they come here.

use std::path::PathBuf;

use allpaths::dataset::{Collection, PUBLISHED, Published};
use serde::Serialize;

use crate::output::{self, OutputFormat, grouped};
use crate::watch::{self, Progress};
use crate::{Done, size};

const EXAMPLES: &str = "\
Examples:
  allpaths datasets                                what is known, and which are here
  allpaths datasets fetch MUTAG ENZYMES            download them, unless they are here
  allpaths count MUTAG                             every command that reads files takes names, too

A dataset is looked for in $ALLPATHS_DATA/datasets, then in the cache, then fetched from the site of
the TU Dortmund collection into the cache: $ALLPATHS_CACHE, or a folder allpaths among the caches of
the system. $ALLPATHS_SITE names another site.";

/// List datasets that are known by name, and fetch them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    listing: ListingArguments,
}

#[derive(clap::Subcommand)]
enum Action {
    Fetch(FetchArguments),
}

/// Download datasets into the cache, unless they are here
#[derive(clap::Args)]
struct FetchArguments {
    /// Names of datasets
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,

    /// Most bytes that a download may have [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_download: Option<u64>,

    /// Address below which there are files NAME.zip [default: the TU Dortmund collection]
    #[arg(long, value_name = "URL")]
    site: Option<String>,

    #[command(flatten)]
    listing: ListingArguments,
}

#[derive(clap::Args)]
struct ListingArguments {
    /// How to print
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,
}

/// One dataset, and where it is.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    set: &'static Published,
    place: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    match &arguments.action {
        None => {
            let collection = Collection::from_environment();
            let line = |set: &'static Published| Line { set, place: collection.find(set.name) };
            arguments.listing.print(&PUBLISHED.iter().map(line).collect::<Vec<_>>())?;
        }
        Some(Action::Fetch(arguments)) => arguments.listing.print(&arguments.fetch()?)?,
    }
    Ok(Done::All)
}

impl FetchArguments {
    fn fetch(&self) -> anyhow::Result<Vec<Line>> {
        let mut collection = Collection::from_environment();
        if let Some(site) = &self.site {
            collection = collection.site(site);
        }
        if let Some(bytes) = self.max_download {
            collection = collection.max_download(bytes);
        }
        let monitor = watch::monitor();
        let mut lines = Vec::new();
        for name in &self.names {
            let _progress = Progress::of(format!("fetching {name}"), 1, &monitor);
            let place = Some(collection.fetch(name, &monitor)?);
            lines.extend(Published::find(name).map(|set| Line { set, place }));
        }
        Ok(lines)
    }
}

impl ListingArguments {
    fn print(&self, lines: &[Line]) -> anyhow::Result<()> {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        match self.format {
            OutputFormat::Json => lines.iter().try_for_each(|line| output::json(&mut out, line))?,
            OutputFormat::Csv => {
                let header =
                    "name,graphs,classes,vertex_labels,edge_labels,vertex_attributes,edge_attributes,place";
                output::csv(&mut out, &header.split(',').map(str::to_owned).collect::<Vec<_>>())?;
                lines.iter().try_for_each(|line| output::csv(&mut out, &line.fields()))?;
            }
            OutputFormat::Table => {
                let header =
                    ["dataset", " graphs", "classes", "labels of", "numbers of", "place"].map(str::to_owned);
                let rows: Vec<_> = lines.iter().map(Line::cells).collect();
                output::table(&mut out, header.len(), &header, &rows)?;
            }
        }
        Ok(())
    }
}

impl Line {
    fn place(&self) -> String {
        self.place.as_ref().map_or_else(String::new, |place| place.display().to_string())
    }

    fn fields(&self) -> Vec<String> {
        let set = self.set;
        let numbers = [set.graphs, set.classes].map(|number| number.to_string());
        let labels = [set.vertex_labels, set.edge_labels].map(|has| has.to_string());
        let attributes = [set.vertex_attributes, set.edge_attributes].map(|number| number.to_string());
        [vec![set.name.to_owned()], numbers.into(), labels.into(), attributes.into(), vec![self.place()]]
            .concat()
    }

    /// Cells of a table, numbers padded to stand one below the other.
    fn cells(&self) -> Vec<String> {
        let set = self.set;
        let of = |vertices: bool, edges: bool| {
            let parts = [(vertices, "vertices"), (edges, "edges")];
            parts.iter().filter(|(has, _)| *has).map(|&(_, what)| what).collect::<Vec<_>>().join(", ")
        };
        vec![
            set.name.to_owned(),
            format!("{:>7}", grouped(&set.graphs)),
            format!("{:>7}", set.classes),
            of(set.vertex_labels, set.edge_labels),
            of(set.vertex_attributes > 0, set.edge_attributes > 0),
            self.place(),
        ]
    }
}
