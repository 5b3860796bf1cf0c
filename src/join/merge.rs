//! One call seen by several logs is one call.

use super::{Call, ClockOffset, Exchange};
use crate::event::Events;

/// Merges the views of server, wire and client logs.
pub fn merge(_events: &Events, _exchanges: Vec<Exchange>) -> (Vec<Call>, Vec<ClockOffset>) {
    Default::default()
}
