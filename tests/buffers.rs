//! github-mcp-server logs buffers, not messages: they are put together, and read again from the file alone.

use mcploss::bytes::Chunk;
use mcploss::bytes::json::text_of;
use mcploss::dialect::raw::{Codec, Side};
use mcploss::dialect::{Context, by_name, codec};
use mcploss::event::Distiller;

const LOG: &str = r#"time=2026-08-20T10:00:00.002+02:00 level=INFO msg="starting server" version=0.20.0 host=""
time=2026-08-20T10:00:00.140+02:00 level=INFO msg="[stdin]: received bytes" count=96 data="{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/c"
time=2026-08-20T10:00:00.150+02:00 level=INFO msg="[stdout]: sending bytes" count=20 data="{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\n\\\"b\\\" \u20ac \xc3"
time=2026-08-20T10:00:01.500+02:00 level=INFO msg="[stdin]: received bytes" count=114 data="all\",\"params\":{\"name\":\"get\",\"arguments\":{}}}\n"
time=2026-08-20T10:00:01.600+02:00 level=INFO msg="[stdout]: sending bytes" count=20 data="\xa9\"}]}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"second\"}]}}\n"
panic: something else
"#;

#[test]
fn messages_span_lines_and_share_them() {
    let chunk = Chunk { file: 0, offset: 0, bytes: LOG.as_bytes() };
    let mut sink = Distiller::default();
    let dialect = by_name("github-mcp-server").unwrap();
    (dialect.parse)(chunk, Context { side: Side::Server, max_line_bytes: 1 << 20 }, &mut sink);
    let events = sink.finish();
    let texts: Vec<String> = events
        .blocks
        .iter()
        .map(|b| {
            let span = events.frames[b.frame as usize].span;
            let at = span.offset as usize;
            let text = codec::decode(Codec::SlogBuffers, &LOG.as_bytes()[at..at + span.len as usize]);
            String::from_utf8_lossy(&text_of(b.payload.of(&text))).into_owned()
        })
        .collect();
    assert_eq!(texts, ["a\n\"b\" € é", "second"]);
    assert_eq!(events.frames.iter().filter(|f| f.name.as_str() == "get").count(), 1);
    assert!(events.accounting[0].adds_up());
    assert_eq!(events.accounting[0].lines, 6);
}
