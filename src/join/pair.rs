//! Sessions, and the request and response of each id.
//!
//! An id means one request within (file, side, session name, run of the client): `initialize` opens the next
//! run. Both directions number their requests from the same start, so the direction is part of the key; where
//! a log has none, it follows from the method and from what is open.

use rustc_hash::FxHashMap;

use super::{Exchange, Session};
use crate::bytes::Span;
use crate::dialect::raw::{Dir, Method, Side};
use crate::event::{Events, Frame, FrameFlags, Id, Sym};

/// What pairing found.
#[derive(Default)]
pub struct Paired {
    /// Sessions.
    pub sessions: Vec<Session>,
    /// One log's calls, in the order of their first frame.
    pub exchanges: Vec<Exchange>,
    /// Responses with blocks but no request.
    pub orphans: (Vec<Span>, u64),
}

/// A request that waits for its response.
#[derive(Clone, Copy)]
struct Open {
    frame: u32,
    session: u32,
    exchange: Option<u32>,
}

/// What is open in one (file, side, session name).
#[derive(Default)]
struct Line {
    session: u32,
    has_frames: bool,
    has_answered_initialize: bool,
    open: FxHashMap<(Dir, Id), Vec<Open>>,
    answered: FxHashMap<(Dir, Id), u32>,
}

type LineKey = (u32, Side, Sym);

#[derive(Default)]
struct Pairing {
    out: Paired,
    lines: FxHashMap<LineKey, Line>,
    tasks: FxHashMap<Sym, u32>,
    homeless: Vec<(u32, u32)>,
}

/// At most so many spans of orphaned responses are kept as examples.
const MAX_ORPHAN_EXAMPLES: usize = 5;

/// Pairs the frames of all logs.
pub fn pair(events: &Events) -> Paired {
    let mut p = Pairing::default();
    for (index, frame) in events.frames.iter().enumerate() {
        if !frame.is(FrameFlags::IS_KEPT) {
            p.frame(events, index as u32, frame);
        }
    }
    p.find_homes(events);
    p.out
}

impl Pairing {
    fn frame(&mut self, events: &Events, index: u32, frame: &Frame) {
        let side = frame.side.unwrap_or(Side::Wire);
        let key = (frame.span.file, side, frame.session);
        if !self.lines.contains_key(&key) {
            let session = self.open_session(key, 0);
            self.lines.insert(key, Line { session, ..Line::default() });
        }
        let restarts = self.lines.get(&key).is_some_and(|line| restarts(line, frame));
        if restarts {
            let epoch = self.lines.get(&key).map_or(0, |l| self.out.sessions[l.session as usize].epoch + 1);
            let session = self.open_session(key, epoch);
            if let Some(line) = self.lines.get_mut(&key) {
                line.session = session;
                line.has_answered_initialize = false;
                line.answered.clear();
            }
        }
        let Some(line) = self.lines.get_mut(&key) else { return };
        line.has_frames = true;
        let session = line.session;
        if frame.is(FrameFlags::HAS_METHOD) {
            self.request(events, key, session, index, frame);
        } else if frame.is_response() {
            self.response(events, key, session, index, frame);
        }
    }

    fn open_session(&mut self, (file, side, name): LineKey, epoch: u32) -> u32 {
        self.out.sessions.push(Session { file, name, epoch, side: Some(side), ..Session::default() });
        self.out.sessions.len() as u32 - 1
    }

    fn request(&mut self, events: &Events, key: LineKey, session: u32, index: u32, frame: &Frame) {
        if let Some(extra) = &frame.extra {
            let s = &mut self.out.sessions[session as usize];
            if frame.method == Method::Initialize || s.client.is_empty() {
                if !extra.peer_name.is_empty() {
                    (s.client, s.client_version) = (extra.peer_name, extra.peer_version);
                }
                if s.protocol.is_empty() {
                    s.protocol = extra.protocol_version;
                }
            }
        }
        let Some(line) = self.lines.get_mut(&key) else { return };
        if frame.method == Method::Cancelled {
            let open = line.open.get(&(Dir::ToServer, frame.id)).and_then(|o| o.last());
            let exchange =
                open.and_then(|o| o.exchange).or(line.answered.get(&(Dir::ToServer, frame.id)).copied());
            if let Some(e) = exchange.filter(|_| frame.dir != Dir::ToClient) {
                self.out.exchanges[e as usize].cancelled = Some(index);
            }
            return;
        }
        if frame.id == Id::None {
            return;
        }
        let dir = match (frame.dir, frame.method) {
            // Only the client asks for these.
            (Dir::Unknown, Method::Other) => Dir::Unknown,
            (Dir::Unknown, _) => Dir::ToServer,
            (known, _) => known,
        };
        let waiting = line.open.entry((dir, frame.id)).or_default();
        // The same request logged twice (two loggers, a line for sending and one for having sent).
        let twin = waiting.iter().any(|o| {
            let other = &events.frames[o.frame as usize];
            o.session == session
                && (other.method, other.name, other.args_hash) == (frame.method, frame.name, frame.args_hash)
        });
        if twin {
            return;
        }
        let is_call = matches!(frame.method, Method::ToolsCall | Method::ResourcesRead | Method::PromptsGet);
        let exchange = is_call.then_some(self.out.exchanges.len() as u32);
        waiting.push(Open { frame: index, session, exchange });
        if is_call {
            self.out.exchanges.push(Exchange { session, request: Some(index), ..Exchange::default() });
        }
    }

    fn response(&mut self, events: &Events, key: LineKey, session: u32, index: u32, frame: &Frame) {
        let Some(line) = self.lines.get_mut(&key) else { return };
        let Some((open, dir, is_ambiguous)) = take_open(line, frame) else {
            let asked = opposite(frame.dir);
            let earlier =
                [asked, Dir::ToServer].into_iter().find_map(|d| line.answered.get(&(d, frame.id)).copied());
            match earlier {
                Some(e) => self.out.exchanges[e as usize].second_response = Some(index),
                None => {
                    note_server(&mut self.out.sessions[session as usize], index, frame, None);
                    self.homeless.push((index, session));
                }
            }
            return;
        };
        let request = &events.frames[open.frame as usize];
        note_server(&mut self.out.sessions[open.session as usize], index, frame, Some(request.method));
        line.has_answered_initialize |= request.method == Method::Initialize;
        match open.exchange {
            Some(e) => {
                line.answered.insert((dir, frame.id), e);
                let exchange = &mut self.out.exchanges[e as usize];
                exchange.response = Some(index);
                exchange.is_ambiguous |= is_ambiguous;
                if let Some(extra) = frame.extra.as_ref().filter(|x| !x.task_id.is_empty())
                    && frame.is(FrameFlags::IS_INTERIM)
                {
                    self.tasks.insert(extra.task_id, e);
                }
            }
            None if request.method == Method::Tasks => self.task_result(index, request, frame),
            None => {}
        }
    }

    /// The result of a task comes as the answer to `tasks/result` (or `tasks/get`), under another id.
    fn task_result(&mut self, index: u32, request: &Frame, frame: &Frame) {
        let task = request.extra.as_ref().map(|x| x.task_id).filter(|t| !t.is_empty());
        let exchange = task.and_then(|t| self.tasks.get(&t).copied());
        if let Some(e) = exchange.filter(|_| frame.is(FrameFlags::HAS_CONTENT) || frame.block_count > 0) {
            self.out.exchanges[e as usize].response = Some(index);
        }
    }

    /// Responses whose request is in another file: rotated logs, and `tee` of the two directions.
    fn find_homes(&mut self, events: &Events) {
        if self.homeless.is_empty() {
            return;
        }
        let mut open: FxHashMap<(Side, Id), Vec<Open>> = FxHashMap::default();
        for ((_, side, _), line) in &self.lines {
            for ((dir, id), waiting) in &line.open {
                if *dir != Dir::ToClient {
                    open.entry((*side, *id)).or_default().extend(waiting.iter().filter(|o| o.exchange.is_some()));
                }
            }
        }
        for waiting in open.values_mut() {
            waiting.sort_by_key(|o| o.frame);
        }
        for (index, session) in std::mem::take(&mut self.homeless) {
            let frame = &events.frames[index as usize];
            if frame.dir == Dir::ToServer {
                continue;
            }
            let key = (frame.side.unwrap_or(Side::Wire), frame.id);
            let mine = &self.out.sessions[session as usize];
            let candidates = open.entry(key).or_default();
            let fits = |o: &Open| {
                let request = &events.frames[o.frame as usize];
                let theirs = &self.out.sessions[o.session as usize];
                let in_time = !matches!((request.time_us, frame.time_us), (Some(a), Some(b)) if a > b);
                let same_name = request.session == frame.session;
                let timed = request.time_us.is_some() && frame.time_us.is_some();
                theirs.file != mine.file && in_time && same_name && (timed || theirs.epoch == mine.epoch)
            };
            let fitting: Vec<usize> = (0..candidates.len()).filter(|i| fits(&candidates[*i])).collect();
            let best = fitting.iter().copied().max_by_key(|i| {
                let o = &candidates[*i];
                (events.frames[o.frame as usize].time_us, std::cmp::Reverse(o.frame))
            });
            match best {
                Some(at) => {
                    let open = candidates.remove(at);
                    if let Some(e) = open.exchange {
                        let exchange = &mut self.out.exchanges[e as usize];
                        exchange.response = Some(index);
                        exchange.is_ambiguous |= fitting.len() > 1 && frame.time_us.is_none();
                    }
                }
                None if frame.block_count > 0 => {
                    self.out.orphans.1 += 1;
                    if self.out.orphans.0.len() < MAX_ORPHAN_EXAMPLES {
                        self.out.orphans.0.push(frame.span);
                    }
                    self.out.exchanges.push(Exchange { session, response: Some(index), ..Exchange::default() });
                }
                None => {}
            }
        }
    }
}

/// Does this frame open the next run of ids in its line?
fn restarts(line: &Line, frame: &Frame) -> bool {
    if frame.method == Method::Initialize && frame.is(FrameFlags::HAS_METHOD) {
        // The same `initialize` logged twice is no restart.
        return line.has_frames && !line.open.contains_key(&(Dir::ToServer, frame.id))
            || line.has_answered_initialize;
    }
    // A log of one direction only shows the answer to `initialize`.
    let answers_initialize = frame.is_response()
        && frame.extra.as_ref().is_some_and(|x| !x.protocol_version.is_empty() && !x.capabilities.is_empty());
    answers_initialize
        && line.has_frames
        && !line.open.values().any(|waiting| !waiting.is_empty())
        && line.answered.is_empty()
        && line.has_answered_initialize
}

fn note_server(s: &mut Session, index: u32, frame: &Frame, asked: Option<Method>) {
    let Some(extra) = &frame.extra else { return };
    let introduces = match asked {
        Some(method) => matches!(method, Method::Initialize | Method::Discover),
        None => !extra.protocol_version.is_empty(),
    };
    if introduces {
        s.initialized = Some(index);
        if !extra.protocol_version.is_empty() {
            s.protocol = extra.protocol_version;
        }
        if !extra.peer_name.is_empty() {
            (s.server, s.server_version) = (extra.peer_name, extra.peer_version);
        }
    }
}

fn opposite(dir: Dir) -> Dir {
    match dir {
        Dir::ToServer => Dir::ToClient,
        Dir::ToClient => Dir::ToServer,
        Dir::Unknown => Dir::Unknown,
    }
}

/// Takes the open request that a response answers: of the latest run that has one, the oldest. The flag says
/// that another could have been meant.
fn take_open(line: &mut Line, frame: &Frame) -> Option<(Open, Dir, bool)> {
    let directions: &[Dir] = match frame.dir {
        Dir::ToClient => &[Dir::ToServer, Dir::Unknown],
        Dir::ToServer => &[Dir::ToClient, Dir::Unknown],
        // A result with content answers the client; other requests of the client come before those of the server.
        Dir::Unknown => &[Dir::ToServer, Dir::Unknown, Dir::ToClient],
    };
    let has_content = frame.is(FrameFlags::HAS_CONTENT) || frame.block_count > 0;
    let mut open_in = directions.iter().copied().filter(|d| line.open.contains_key(&(*d, frame.id)));
    let first = open_in.next()?;
    let second = open_in.next();
    // `roots/list` and `sampling` of the server beside a call of the client under the same number, in a log
    // without directions: without content the server's request is the one that was answered.
    let is_call = |d: Dir| line.open.get(&(d, frame.id)).is_some_and(|w| w.iter().any(|o| o.exchange.is_some()));
    let dir = match second {
        Some(other) if !has_content && is_call(first) && !is_call(other) && !frame.is(FrameFlags::HAS_ERROR) => {
            other
        }
        _ => first,
    };
    let waiting = line.open.get_mut(&(dir, frame.id))?;
    let newest = waiting.iter().map(|o| o.session).max()?;
    let at = waiting.iter().position(|o| o.session == newest)?;
    let is_ambiguous = waiting.iter().filter(|o| o.session == newest).count() > 1;
    let open = waiting.remove(at);
    if waiting.is_empty() {
        line.open.remove(&(dir, frame.id));
    }
    Some((open, dir, is_ambiguous))
}
