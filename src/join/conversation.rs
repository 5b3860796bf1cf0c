//! Model conversations: which calls the model made and where it was first shown what they returned.

use crate::bytes::SourceSet;
use crate::event::{Events, Sym};

/// Where an item of a conversation was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Index into [`Events::turns`]: the request in which it was shown.
    pub turn: u32,
    /// Index into [`Events::items`].
    pub item: u32,
}

/// A tool call as the model logs hold it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelCall {
    /// The model's call id; empty where the API has none.
    pub call_id: Sym,
    /// Tool as the model knows it.
    pub name: Sym,
    /// Name space beside the name.
    pub namespace: Sym,
    /// Hash of the arguments.
    pub args_hash: u64,
    /// Number of the conversation.
    pub conversation: u32,
    /// The item with which the model asked.
    pub call: Option<Sighting>,
    /// First request that showed the output.
    pub output: Option<Sighting>,
    /// Output in the client's own record.
    pub kept: Option<Sighting>,
    /// A later request that shows another output in its place.
    pub replaced: Option<Sighting>,
    /// A later request of the same conversation that no longer has it.
    pub evicted_in: Option<u32>,
}

/// Finds all calls of all conversations.
pub fn model_calls(_events: &Events, _sources: &SourceSet) -> Vec<ModelCall> {
    Vec::new()
}
