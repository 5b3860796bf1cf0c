use super::*;

fn find(c: &Catalogue, text: &str) -> Vec<String> {
    c.find(text.as_bytes(), Where::Model).iter().map(|h| c.markers[h.marker].id.clone()).collect()
}

fn user(entries: &[(&str, &str, &str)]) -> String {
    let entry = |(id, text, matching): &(&str, &str, &str)| {
        format!(
            "[[marker]]\nid = {id:?}\ntext = {text:?}\nmatch = {matching:?}\nstands_for = [\"any\"]\n\
             fate = \"placeholder\"\nwhere = \"model\"\nclient = \"ours\"\nsource = \"ours\"\n"
        )
    };
    entries.iter().map(entry).collect()
}

#[test]
fn every_built_in_marker_finds_itself() {
    let c = Catalogue::built_in();
    assert!(c.markers.len() >= 400);
    let mut failed = Vec::new();
    for (i, m) in c.markers.iter().enumerate() {
        let text = m.text.replace("{}", "something").replace("{N}", "1,234");
        let beside = match m.matching {
            Match::Part => format!("\n{text} \r\n"),
            Match::Line => format!("before\n  {text}\r\nafter"),
            Match::Anywhere => format!("before {text} after"),
        };
        for text in [text, beside] {
            let hits = c.find(text.as_bytes(), m.place);
            // A marker inside of a longer one is found as the longer one; of two with one text the better witness is.
            let same = |other: &Marker| other.text.contains(&m.text) || other.fate == m.fate;
            if !hits.iter().any(|h| h.marker == i || same(&c.markers[h.marker])) {
                let got: Vec<_> = hits.iter().map(|h| &c.markers[h.marker].id).collect();
                failed.push(format!("{}: {text:?} gave {got:?}", m.id));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn built_in_entries_keep_the_rules() {
    const TYPES: [&str; 8] =
        ["text", "image", "audio", "resource", "resource_link", "structuredContent", "any", "result"];
    let c = Catalogue::built_in();
    let mut texts = FxHashSet::default();
    for m in &c.markers {
        let id = &m.id;
        let kebab = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        assert!(m.id.bytes().all(kebab), "{id}: not in kebab-case");
        assert!(m.stands_for.iter().all(|s| TYPES.contains(&s.as_str())), "{id}: stands for {:?}", m.stands_for);
        assert!(!m.client.is_empty(), "{id}: no client");
        let known = ["seen: ", "source: ", "report: "].iter().any(|s| m.source.starts_with(s));
        assert!(known, "{id}: source {:?}", m.source);
        assert!(texts.insert((&m.text, m.place)), "{id}: another entry has the same text");
        let template = Template::new(&m.text);
        if m.matching == Match::Anywhere {
            let few = template.literal_bytes() < 12 && m.fate != Says::None;
            assert!(!few, "{id}: too short for a text that may stand anywhere");
            let edge = m.text.starts_with("{}") || m.text.ends_with("{}");
            assert!(!edge, "{id}: a part that varies at an end of it says nothing");
        } else {
            assert_eq!(m.text, m.text.trim(), "{id}: blanks around it never match");
        }
    }
}

/// Texts as tools give them back every day: nothing in them is a client's doing.
const ORDINARY: [&str; 44] = [
    "",
    "ok",
    "null,\nnull\n1",
    "{\"content\": null, \"error\": null, \"items\": []}",
    "{\"status\":\"aborted\",\"reason\":\"No result provided by the build\"}",
    "{\n  \"error\": {\n    \"code\": \"invalid_type\",\n    \"path\": [\n      \"user\",\n      0\n    ],\n    \"message\": \"Required\"\n  }\n}",
    "{\"error\": {\"message\": \"Invalid Base64 string\", \"status\": 400}}",
    "const issue = {\n  \"code\": \"invalid_union\",\n  message: 'Invalid input',\n};",
    "# Guide\n\nSee the picture ![image](docs/a.png) or the [image](https://example.org/a.png) itself.",
    "| file | state |\n|---|---|\n| [image](a.png) | (empty) |\n| [audio](b.wav) | no output |",
    "- [resource](./resource.md)\n- [image]: #anchor\n\n[image]: https://example.org/image.png \"title\"",
    "[package]\nname = \"demo\"\n\n[resource]\npath = \"a\"\n\n[image]\nwidth = 3\n\n[audio]\nrate = 44100\n",
    "[gd_scene load_steps=2 format=3]\n\n[resource]\nscript = ExtResource(\"1\")\n",
    "The image was omitted because it is too large; run again with --full to get all images.",
    "fn main() {\n    // Image content is not supported yet.\n    todo!(\"resource links\");\n}",
    "if block.type == 'image':\n    return '[image omitted]'  # placeholder for the log\n",
    "match kind {\n    Kind::Image => \"[image]\".to_owned(),\n    Kind::Audio => \"[audio]\".to_owned(),\n}",
    "throw new Error(`unsupported content type ${type}`);\nthrow new Error('Unexpected response type');",
    "❌ Unexpected response type\n3 tests passed, 1 failed",
    "<html><body><img src=\"a.png\" alt=\"image\"/><!-- content omitted --></body></html>",
    "<resources>\n  <resource uri=\"/a\" />\n  <file name=\"b\"/>\n</resources>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>[image]</text></svg>",
    "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    open('x')\nFileNotFoundError: [Errno 2] No such file or directory: 'x'",
    "thread 'main' panicked at src/main.rs:3:5:\nindex out of bounds: the len is 3 but the index is 7\nnote: run with `RUST_BACKTRACE=1`",
    "TypeError: Cannot read properties of undefined (reading 'content')\n    at Object.<anonymous> (/srv/a.js:3:9)",
    "pydantic_core._pydantic_core.ValidationError: 1 validation error for User\nname\n  Field required [type=missing]",
    "2026-03-01T10:00:00Z INFO request timed out after 30s, retrying\n2026-03-01T10:00:31Z WARN connection closed",
    "Error: connect ECONNREFUSED 127.0.0.1:5432\nConnection closed by the server.",
    "HTTP/1.1 415 Unsupported Media Type\nContent-Type: text/plain\n\nUnsupported content type: use application/json instead\nretry later",
    "[12:00:01] ALICE: image omitted\n[12:00:07] BOB: did you get it?\n[12:00:09] ALICE: <Media omitted>",
    "diff --git a/a b/a\n@@ -1 +1 @@\n-[content truncated]\n+[content]",
    "line 1\n...\nline 9\n[...]\n(output truncated, 312 lines more)",
    "commit 3f2a1c0\n\n    Say so when a tool returned no text content\n",
    "test result: ok. 12 passed; 0 failed; 0 ignored; finished in 0.41s",
    "Binary files a/logo.png and b/logo.png differ",
    "Saved screenshot to out/a.png and resized it.",
    "id,name,image\n1,a,[image]\n2,b,(empty)\n3,c,null\n",
    "key: null\nimage: [image]\nempty: (empty)\nlist: []\n",
    "console.log(String({})) // [object Object]\n",
    "Expected: \"[object Object]\"\nReceived: \"{}\"\n[object Object]\n",
    "The user cancelled the order. No response was given. See attached image for details.",
    "Das Bild wurde ausgelassen, weil es zu groß ist. 图片内容已省略。 画像は省略されました。",
    "npm warn deprecated a@1.0.0: no longer supported\nadded 3 packages in 2s\n\n1 package is looking for funding",
    "SELECT * FROM t;\n id | image \n----+-------\n  1 | (null)\n(1 row)",
];

#[test]
fn ordinary_tool_output_holds_no_marker_of_a_loss() {
    let c = Catalogue::built_in();
    for text in ORDINARY {
        let hits = c.find(text.as_bytes(), Where::Model);
        let lost: Vec<_> = hits.iter().map(|h| &c.markers[h.marker]).filter(|m| m.fate != Says::None).collect();
        assert!(lost.is_empty(), "{text:?} gave {:?}", lost.iter().map(|m| &m.id).collect::<Vec<_>>());
    }
}

#[test]
fn markers_that_real_clients_wrote() {
    let c = Catalogue::built_in();
    let zod = "[\n  {\n    \"code\": \"custom\",\n    \"path\": [\n      \"content\",\n      1,\n      \"data\"\n    ],\n    \
               \"message\": \"Invalid Base64 string\"\n  }\n]";
    let union = "[\n  {\n    \"code\": \"invalid_union\",\n    \"errors\": [\n      [\n        {\n          \"path\": [\n            \
                 \"type\"\n          ]\n        }\n      ]\n    ],\n    \"path\": [\n      \"content\",\n      1\n    ],\n    \
                 \"message\": \"Invalid input\"\n  }\n]";
    for (text, id) in [
        ("image content omitted because it could not be processed", "codex-image-not-processed"),
        ("<audio content omitted because you do not support audio input>", "codex-audio-unsupported"),
        ("line 1 xxx…162500 tokens truncated…xxx\nline 9", "codex-tokens-truncated"),
        ("aaa…4067 chars truncated…bbb", "codex-chars-truncated"),
        (
            "tool call error: tool call failed for `s/t`\n\nCaused by:\n    Unexpected response type\n\nStack backtrace:\n   \
             0: <unknown>",
            "codex-unexpected-response",
        ),
        (
            "rendered\n\n[1 image omitted: could not be resized below the image size limit.]",
            "opencode-image-not-resized",
        ),
        ("[2 images omitted: could not be decoded.]", "opencode-images-not-decoded"),
        (
            "a\n\n[Binary MCP resource omitted: demo://b/2 (text/plain, 55 B) is not a supported attachment type]\n\nb",
            "opencode-blob-type",
        ),
        (
            "ERROR: Cannot read \"file:///r/a.pdf\" (this model does not support pdf input). Inform the user.",
            "opencode-modality-error",
        ),
        ("...596808 bytes truncated...\n", "opencode-bytes-truncated"),
        (zod, "zod-content-path"),
        (union, "zod-content-path"),
        ("An error occurred while running the tool. Please try again.", "openai-agents-error"),
        (
            "An error occurred while running the tool. Please try again. Error: 2 validation errors for X\n1",
            "openai-agents-error-detail",
        ),
        (
            "3 validation errors for CallToolResult\ncontent.1.ImageContent.data\n  Field required [type=missing]",
            "pydantic-call-tool-result",
        ),
        ("see attachments\n[image omitted]\n[resource omitted]", ""),
        ("\n[image omitted]\n[resource omitted]\n", "generic-image-omitted generic-resource-omitted"),
        ("[image]", "named-type-image"),
        ("null", "agent-framework-null"),
    ] {
        assert_eq!(find(c, text).join(" "), id, "{text}");
    }
}

#[test]
fn the_longest_of_overlapping_markers() {
    let c = Catalogue::built_in();
    let text = "[Resource from s at file:///a b] Binary content (a/b, 3 bytes) saved to /tmp/x";
    let hits = c.find(text.as_bytes(), Where::Model);
    assert_eq!(find(c, text), ["claude-code-resource-on-disk"]);
    assert_eq!(&text[hits[0].at.clone()], text.strip_suffix("/tmp/x").unwrap());
    let text = "  [image: image/png, content discarded]\t\r\nnext";
    let hits = c.find(text.as_bytes(), Where::Model);
    assert_eq!(&text[hits[0].at.clone()], "[image: image/png, content discarded]");
    // Longer, although it begins later.
    let own =
        Catalogue::new(Some(&user(&[("a", "one two", "anywhere"), ("b", "two three four", "anywhere")]))).unwrap();
    assert_eq!(find(&own, "one two three four"), ["b"]);
    assert_eq!(find(&own, "one two, two three four, one two"), ["a", "b", "a"]);
}

#[test]
fn a_part_stands_alone_or_among_markers() {
    let own =
        user(&[("p", "gone", "part"), ("l", "lost: {}", "line"), ("x", "go", "anywhere"), ("y", "gon", "line")]);
    let own = own.replace("\"go\"", "\"gon\"").replace("\"y\"\ntext = \"gon\"", "\"y\"\ntext = \"gone by\"");
    let c = Catalogue::new(Some(&own)).unwrap();
    assert_eq!(find(&c, "gone"), ["p"]);
    assert_eq!(find(&c, " \n gone\r\n\n"), ["p"]);
    assert_eq!(find(&c, "gone\nlost: a\ngone\n"), ["p", "l", "p"]);
    // Not alone: what stands inside of it counts again.
    assert_eq!(find(&c, "gone\nwith the wind"), ["x"]);
    assert_eq!(find(&c, "gone by"), ["y"]);
    let long = format!("{}gone", " ".repeat(PART_BYTES));
    assert_eq!(find(&c, &long), ["x"]);
}

#[test]
fn a_users_entries_come_first() {
    let text = "[image omitted: this bridge forwards text only]";
    assert_eq!(find(Catalogue::built_in(), text), ["bridge-text-only-image"]);
    let c = Catalogue::new(Some(&user(&[("ours", text, "line")]))).unwrap();
    assert_eq!(find(&c, text), ["ours"]);
    assert_eq!(c.markers[0].id, "ours");
    assert_eq!(c.markers.len(), Catalogue::built_in().markers.len() + 1);
    // The same id: in its place.
    let c = Catalogue::new(Some(&user(&[("bridge-text-only-image", "<no picture {}>", "line")]))).unwrap();
    assert_eq!(find(&c, "<no picture here>"), ["bridge-text-only-image"]);
    assert_eq!(find(&c, text), Vec::<String>::new());
    assert_eq!(c.markers.len(), Catalogue::built_in().markers.len());
}

#[test]
fn a_users_file_is_checked() {
    let error = |text: &str| Catalogue::new(Some(text)).err().map(|e| e.to_string()).unwrap_or_default();
    let good = user(&[("a", "gone for good", "line")]);
    assert_eq!(error(&good), "");
    for (from, to, says) in [
        ("id = \"a\"", "id = \" \"", "needs an id"),
        ("gone for good", "{}ab{N}", "3 literal bytes"),
        ("gone for good", "", "3 literal bytes"),
        ("gone for good", "{}{}{}abc{}{}{}{}{N}{}", "more than 8"),
        ("[\"any\"]", "[]", "stands for nothing"),
        ("\"line\"", "\"lines\"", "unknown variant"),
        ("\"placeholder\"", "\"lost\"", "unknown variant"),
        ("\"model\"", "\"wire\"", "unknown variant"),
        ("client = ", "clients = ", "unknown field"),
        ("source = \"ours\"\n", "", "missing field"),
        ("[[marker]]", "[[markers]]", "unknown field"),
        ("[[marker]]", "[[marker]", "marker file"),
    ] {
        let bad = error(&good.replace(from, to));
        assert!(bad.contains(says), "{from} -> {to}: {bad}");
    }
    let twice = user(&[("a", "gone for good", "line"), ("a", "gone again", "line")]);
    assert!(error(&twice).contains("used twice"));
}

#[test]
fn hostile_texts() {
    let c = Catalogue::built_in();
    let fill = |piece: &str| piece.repeat((1 << 20) / piece.len());
    // Near matches: a literal without its rest, in one line and in many; holes that never close.
    for piece in [
        "[image: ",
        "[image: \n",
        "[image",
        "omitted",
        " is no",
        "…1 tokens truncated",
        "\"path\": [\n      \"content\",\n      ",
        "[Tool '' provided the following ",
        " tokens) exceeds maximum allowed tokens (",
        "[audio: 1 1 ",
        "not supported",
        "MCP tool \"",
        "\u{2026}",
        "[[[[[[[[",
        "999999999",
    ] {
        let text = fill(piece);
        for h in c.find(text.as_bytes(), Where::Model) {
            assert!(h.at.end <= text.len() && h.at.start < h.at.end);
        }
    }
    assert_eq!(c.find(fill("Ignoring image content ").as_bytes(), Where::Log), []);
    assert_eq!(c.find(fill("Could not process ").as_bytes(), Where::Api), []);
    // Real ones, a hundred thousand in a row.
    let text = "[audio: content discarded]\n".repeat(100_000);
    assert_eq!(c.find(text.as_bytes(), Where::Model).len(), 100_000);
    // Bytes that are no text.
    let bytes: Vec<u8> = (0..=255u8).cycle().take(1 << 16).collect();
    c.find(&bytes, Where::Model);
    c.find(b"\xff\xfe[image: \xff, content discarded]\xff", Where::Model);
}
