//! Share of blocks that reached the model, by tool, server, client and day.

use polars::prelude::{IntoLazy, PolarsResult};
use serde::Serialize;

use super::tally::{self, Tally};
use crate::ledger::Ledger;

/// Delivered-to-model ratios.
#[derive(Clone, Debug, Serialize)]
pub struct Delivery {
    /// By tool; the largest share lost first.
    pub tools: Vec<ToolTally>,
    /// By server.
    pub servers: Vec<PeerTally>,
    /// By client and version.
    pub clients: Vec<PeerTally>,
    /// By day.
    pub days: Vec<DayTally>,
}

/// The blocks of one tool.
#[derive(Clone, Debug, Serialize)]
pub struct ToolTally {
    /// Server; empty when the logs do not say.
    pub server: String,
    /// Tool.
    pub tool: String,
    /// Its blocks.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The blocks of one server or client.
#[derive(Clone, Debug, Serialize)]
pub struct PeerTally {
    /// Name; empty when the logs do not say.
    pub name: String,
    /// Version.
    pub version: String,
    /// Its blocks.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The blocks of one day.
#[derive(Clone, Debug, Serialize)]
pub struct DayTally {
    /// Day in UTC, `YYYY-MM-DD`; empty for calls without a time.
    pub day: String,
    /// Its blocks.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Measures by tool, server, client and day.
pub fn delivery(ledger: &Ledger) -> PolarsResult<Delivery> {
    let pair = |names: Vec<String>| {
        let mut names = names.into_iter();
        (names.next().unwrap_or_default(), names.next().unwrap_or_default())
    };
    let blocks = || ledger.blocks.clone().lazy();
    let mut tools: Vec<ToolTally> = tally::by(blocks(), &["server", "tool"])?
        .into_iter()
        .map(|(names, tally)| {
            let (server, tool) = pair(names);
            ToolTally { server, tool, tally }
        })
        .collect();
    // By the lower end of the interval: one lost block of one does not stand before 400 of 500.
    let badness = |t: &ToolTally| t.tally.loss.wilson().map_or(-1.0, |(low, _)| low);
    tools.sort_by(|a, b| badness(b).total_cmp(&badness(a)).then(b.tally.returned.cmp(&a.tally.returned)));
    let peers = |columns: &[&str]| -> PolarsResult<Vec<PeerTally>> {
        let all = tally::by(blocks(), columns)?.into_iter();
        Ok(all
            .map(|(names, tally)| {
                let (name, version) = pair(names);
                PeerTally { name, version, tally }
            })
            .collect())
    };
    Ok(Delivery {
        tools,
        servers: peers(&["server", "server_version"])?,
        clients: peers(&["client", "client_version"])?,
        days: tally::by(blocks(), &["day"])?
            .into_iter()
            .map(|(names, tally)| DayTally { day: names.concat(), tally })
            .collect(),
    })
}
