//! `allpaths explain`: what decides, as a page and as numbers.

use std::path::PathBuf;

use allpaths::evaluate::Model;
use allpaths::explain::{Explainer, Explanation, Method};

use crate::Done;
use crate::input::{Input, ReadingArguments};
use crate::output::{self, grouped};
use crate::watch::{self, Progress};

const EXAMPLES: &str = "\
Examples:
  allpaths train MUTAG/ --model linear -o mutag.model
  allpaths explain mutag.model MUTAG/ -o why.html                  which paths and rings decide, and where they are
  allpaths explain mutag.model new/ -o why.html --json why.json    the same as numbers

The page needs nothing else: no network, no other file. For linear models, and kernels compared by linear or cosine, what
features add to a score is shared by vertices: their shares and the bias sum to it. For others a share is how much
lower the score is without what goes through a vertex (occlusion).
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Explain what a classifier says of graphs
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What `allpaths train` wrote
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// File, TU folder or name of a dataset to read
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Page to write; one that is there is replaced
    #[arg(short, long, value_name = "PAGE", required_unless_present_any = ["json", "svg"])]
    output: Option<PathBuf>,

    /// File for all numbers, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Folder for a picture of each graph, as SVG
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,

    /// Number of features to name for each graph
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// Number of threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Option<u32>,

    #[command(flatten)]
    reading: ReadingArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let model = Model::read(&arguments.model)?;
    let input = arguments.reading.read(&arguments.input)?;
    let monitor = watch::monitor();
    let explainer = Explainer::new(&model).top(arguments.top);
    let explainer = arguments.threads.into_iter().fold(explainer, |e, threads| e.threads(threads as usize));
    let explanation = {
        let _progress = Progress::of(format!("explaining {}", input.data.name()), 1, &monitor);
        explainer.explain_under(input.data.graphs(), &monitor)?
    };
    if let Some(path) = &arguments.output {
        explanation.write_page(path, &input.data, &described(&model))?;
    }
    if let Some(path) = &arguments.json {
        explanation.write_json(path)?;
    }
    if let Some(folder) = &arguments.svg {
        explanation.write_svgs(folder, &input.data)?;
    }
    print(arguments, &input, &explanation)?;
    Ok(Done::All)
}

/// A model in words.
fn described(model: &Model) -> String {
    match model {
        Model::Linear(model) => {
            format!("a linear machine on {} features", grouped(&model.embedding().columns().len()))
        }
        Model::Kernel(model) => format!("kernel {}", model.kernel().settings()),
    }
}

fn print(arguments: &Arguments, input: &Input, found: &Explanation) -> anyhow::Result<()> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let header = ["for", "against", "feature", "weight", "graphs"].map(str::to_owned);
    let mut rows = Vec::new();
    for (machine, features) in found.machines().iter().zip(found.features()) {
        let classes = |classes: &[i64]| classes.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let (positive, negative) = (classes(&machine.positive), classes(&machine.negative));
        for side in [1.0, -1.0] {
            let (own, other) = if side > 0.0 { (&positive, &negative) } else { (&negative, &positive) };
            for feature in features.iter().filter(|feature| feature.weight * side > 0.0).take(3) {
                rows.push(vec![
                    own.clone(),
                    other.clone(),
                    feature.feature.name.clone(),
                    format!("{:+.2}", feature.weight),
                    feature.graphs.to_string(),
                ]);
            }
        }
    }
    if !rows.is_empty() {
        output::table(&mut out, 3, &header, &rows)?;
        writeln!(out)?;
    }
    let how = match found.method() {
        Method::Shares => "shares of vertices and the bias sum to each score",
        Method::Occlusion => "by occlusion: shares sum to nothing",
        Method::Deletion => "by deletion of vertices: shares sum to nothing",
    };
    let graphs = input.data.graphs().len();
    let many = if graphs == 1 { "" } else { "s" };
    writeln!(out, "{} graph{many} explained, {how}", grouped(&graphs))?;
    for path in [&arguments.output, &arguments.json, &arguments.svg].into_iter().flatten() {
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}
