//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::{pipeline, size};
use crate::bytes::Limits;
use crate::dialect::{self, Dialect};

const EXAMPLES: &str = "\
Examples:
  mcploss analyze logs/                 each log recognised by its content
  mcploss explain '#12' logs/           one call through all logs
  mcploss formats                       which logs are read, how to turn them on

Exit codes: 0 it ran, 1 a gate failed, 2 it could not run, 3 the evidence is
incomplete and --strict was given.";

const ANALYZE_EXAMPLES: &str = "\
Examples:
  mcploss analyze logs/ 'archive/*.jsonl.zst'
  mcploss analyze --server mcp.jsonl --model gateway.jsonl.gz --since 7d
  mcploss analyze logs/ --json | jq .verdict.sentence
  mcploss analyze logs/ --facts facts/      then ask facts/blocks.parquet";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  mcploss explain '#12' logs/           the call that analyze calls #12
  mcploss explain call_7Qm2 logs/       by the model's call id
  mcploss explain fetch_doc logs/       lists the calls of a tool";

/// Who lost the block? Follows every MCP content block through server, client and model logs, offline.
#[derive(Debug, Parser)]
#[command(name = "mcploss", version, about, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say who lost what, how often and how
    #[command(after_help = ANALYZE_EXAMPLES)]
    Analyze(AnalyzeArgs),
    /// Show one call through all logs, block by block
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// List the log formats: whose they are, what they prove, how to turn them on
    Formats(FormatsArgs),
    /// List the columns of the tables that --facts writes
    FactsSchema(FormatsArgs),
    /// List the rules that decide a block's fate, or the markers
    Rules(RulesArgs),
    /// Print the completion script of a shell
    Completions {
        /// Which shell
        #[arg(value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Write manual pages into a folder
    Man {
        /// Where to
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// Which logs to read, and how.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct LogArgs {
    /// Log of the MCP server (repeatable)
    #[arg(long, value_name = "PATH", help_heading = "Logs")]
    pub server: Vec<String>,
    /// Log of the MCP client (repeatable)
    #[arg(long, value_name = "PATH", help_heading = "Logs")]
    pub client: Vec<String>,
    /// Log of model requests (repeatable)
    #[arg(long, value_name = "PATH", help_heading = "Logs")]
    pub model: Vec<String>,
    /// Read all files as this format instead of recognising it; see `mcploss formats`
    #[arg(long = "as", value_name = "FORMAT", value_parser = parse_dialect, help_heading = "Logs")]
    pub dialect: Option<DialectArg>,
    /// File with further markers (TOML), for clients of your own
    #[arg(long, value_name = "FILE", help_heading = "Logs")]
    pub markers: Option<PathBuf>,
    /// Skip longer lines; a size such as 64M or 2G
    #[arg(long, value_name = "BYTES", value_parser = size::parse, help_heading = "Logs")]
    pub max_line: Option<u64>,
    /// Read at most so much of each compressed file
    #[arg(long, value_name = "BYTES", value_parser = size::parse, help_heading = "Logs")]
    pub max_decompressed: Option<u64>,
    /// Say on stderr how each file was recognised
    #[arg(long, help_heading = "Logs")]
    pub explain_detection: bool,
    /// No progress bar and no warnings
    #[arg(long, short)]
    pub quiet: bool,
}

impl LogArgs {
    /// The caps.
    pub fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits {
            max_line_bytes: self.max_line.unwrap_or(default.max_line_bytes),
            max_decompressed_bytes: self.max_decompressed.unwrap_or(default.max_decompressed_bytes),
        }
    }
}

/// A dialect named on the command line.
#[derive(Clone, Copy)]
pub struct DialectArg(pub &'static Dialect);

impl std::fmt::Debug for DialectArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}

fn parse_dialect(name: &str) -> Result<DialectArg, String> {
    dialect::by_name(name)
        .map(DialectArg)
        .ok_or_else(|| format!("no such format; known are {}", pipeline::dialect_names()))
}

/// Arguments of `analyze`.
#[derive(Args, Clone, Debug)]
pub struct AnalyzeArgs {
    /// Files, folders, quoted globs, or - for standard input; each is recognised by its content
    #[arg(value_name = "PATH", required_unless_present_any = ["server", "client", "model"])]
    pub paths: Vec<String>,
    /// Which logs.
    #[command(flatten)]
    pub logs: LogArgs,
    /// Which calls.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Print one JSON document (docs/json.md) instead of the report
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Write plots as SVG files into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub plots: Option<PathBuf>,
    /// Write calls.parquet and blocks.parquet into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub facts: Option<PathBuf>,
    /// Exit with 3 when a block cannot be judged, or an input or line cannot be read
    #[arg(long, help_heading = "Output")]
    pub strict: bool,
    /// When to use colours: auto, always or never
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "WHEN",
        help_heading = "Output"
    )]
    pub color: When,
    /// Say on stderr how long each stage took
    #[arg(long, help_heading = "Output")]
    pub timings: bool,
}

/// Which calls to count.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct FilterArgs {
    /// Only calls at this time or later: RFC 3339, a day, or an age such as 7d
    #[arg(long, value_name = "TIME", help_heading = "Calls")]
    pub since: Option<String>,
    /// Only calls before this time
    #[arg(long, value_name = "TIME", help_heading = "Calls")]
    pub until: Option<String>,
    /// Only calls of this tool
    #[arg(long, value_name = "NAME", help_heading = "Calls")]
    pub tool: Option<String>,
    /// Only calls of this session
    #[arg(long, value_name = "NAME", help_heading = "Calls")]
    pub session: Option<String>,
    /// Only calls of this MCP server, by the name in its serverInfo
    #[arg(long, value_name = "NAME", help_heading = "Calls")]
    pub mcp_server: Option<String>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Arguments of `explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArgs {
    /// #N as in analyze's report, a JSON-RPC id, the model's call id, or a tool
    #[arg(value_name = "CALL")]
    pub call: String,
    /// Files, folders, quoted globs, or - for standard input
    #[arg(value_name = "PATH", required_unless_present_any = ["server", "client", "model"])]
    pub paths: Vec<String>,
    /// Which logs.
    #[command(flatten)]
    pub logs: LogArgs,
    /// Show secrets (keys, tokens) in excerpts as they are
    #[arg(long)]
    pub no_mask: bool,
    /// When to use colours: auto, always or never
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, value_name = "WHEN")]
    pub color: When,
}

/// Arguments of the listing commands.
#[derive(Args, Clone, Copy, Debug)]
pub struct FormatsArgs {
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
    /// When to use colours: auto, always or never
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, value_name = "WHEN")]
    pub color: When,
}

/// Options of `rules`.
#[derive(Args, Clone, Debug)]
pub struct RulesArgs {
    /// List the built-in markers instead
    #[arg(long)]
    pub markers: bool,
    /// How to show them.
    #[command(flatten)]
    pub show: FormatsArgs,
}
