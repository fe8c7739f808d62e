//! `allpaths completions`: what a shell needs to complete our arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Done;

/// Print a script that makes a shell complete the arguments of allpaths
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  allpaths completions bash > ~/.local/share/bash-completion/completions/allpaths"
)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Arguments::command(), "allpaths", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(Done::All)
}
