//! The tables on disk.

use mcploss::ledger::schema::{BLOCKS_FILE, TABLES};
use mcploss::ledger::{CALLS_FILE, LedgerError, parquet};
use mcploss::measure::summary;

use crate::fixture;

#[test]
fn what_is_written_is_read_back() {
    let sources = fixture::sources();
    let ledger = fixture::lossy().ledger(&sources);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("made/on/demand");
    parquet::write(&ledger, &folder).unwrap();
    parquet::write(&ledger, &folder).unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, [BLOCKS_FILE, CALLS_FILE], "no temporary file is left");
    let back = parquet::read(&folder).unwrap();
    assert!(back.calls.equals_missing(&ledger.calls));
    assert!(back.blocks.equals_missing(&ledger.blocks));
    let (a, b) = (summary(&ledger).unwrap(), summary(&back).unwrap());
    assert_eq!(serde_json::to_string(&a).unwrap(), serde_json::to_string(&b).unwrap());
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(parquet::read(folder.path()), Err(LedgerError::Io { .. })));
    std::fs::write(folder.path().join(CALLS_FILE), b"PAR1 not really PAR1").unwrap();
    assert!(parquet::read(folder.path()).is_err());
}

#[test]
fn columns_are_named_once_and_explained() {
    for table in TABLES {
        let mut names: Vec<_> = table.columns().map(|c| c.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{}", table.name);
        for c in table.columns() {
            assert!(!c.meaning.is_empty(), "{}", c.name);
            assert!(
                c.name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit()),
                "{}",
                c.name
            );
            assert!(!c.name.ends_with("_bytes") || c.unit == "bytes", "{}", c.name);
        }
    }
}

#[test]
fn tables_have_the_documented_columns() {
    let ledger = fixture::lossy().ledger(&fixture::sources());
    for (table, frame) in TABLES.iter().zip([&ledger.calls, &ledger.blocks]) {
        let documented: Vec<_> = table.columns().map(|c| c.name).collect();
        let have: Vec<_> = frame.get_column_names().iter().map(|n| n.as_str()).collect();
        assert_eq!(documented, have);
    }
}
