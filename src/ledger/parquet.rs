//! The tables on disk: `calls.parquet` and `blocks.parquet`, each with the schema's version in its metadata.

use std::fs::File;
use std::path::Path;

use polars::prelude::DataFrame;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use polars_io::parquet::write::{KeyValueMetadata, ParquetWriter};

use super::schema::{BLOCKS_FILE, CALLS_FILE, SCHEMA_VERSION};
use super::{Ledger, LedgerError};

/// Key of the schema's version in the metadata of a file.
pub const VERSION_KEY: &str = "mcploss.schema_version";
/// Key of the table's name.
pub const TABLE_KEY: &str = "mcploss.table";

/// Writes both tables into `folder`, which is made if it is not there. A file appears whole or not at all.
///
/// # Errors
/// When the folder cannot be written to.
pub fn write(ledger: &Ledger, folder: &Path) -> Result<(), LedgerError> {
    std::fs::create_dir_all(folder).map_err(|source| io(folder, source))?;
    write_table(&ledger.calls, folder, CALLS_FILE, "calls")?;
    write_table(&ledger.blocks, folder, BLOCKS_FILE, "blocks")
}

fn write_table(table: &DataFrame, folder: &Path, file: &str, name: &str) -> Result<(), LedgerError> {
    // In the same folder: a rename never crosses file systems.
    let mut temp = tempfile::NamedTempFile::new_in(folder).map_err(|source| io(folder, source))?;
    let metadata = KeyValueMetadata::from_static(vec![
        (VERSION_KEY.to_owned(), SCHEMA_VERSION.to_string()),
        (TABLE_KEY.to_owned(), name.to_owned()),
    ]);
    ParquetWriter::new(temp.as_file_mut()).with_key_value_metadata(Some(metadata)).finish(&mut table.clone())?;
    let path = folder.join(file);
    readable_by_others(temp.path());
    temp.persist(&path).map_err(|e| io(&path, e.error))?;
    Ok(())
}

/// Temporary files are made for their owner alone; facts are ordinary files.
fn readable_by_others(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // A folder that does not allow it (FAT, some network drives) keeps what it has.
    let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644));
}

/// Reads both tables from `folder`.
///
/// # Errors
/// When they are not there or of another version.
pub fn read(folder: &Path) -> Result<Ledger, LedgerError> {
    Ok(Ledger { calls: read_table(folder, CALLS_FILE)?, blocks: read_table(folder, BLOCKS_FILE)? })
}

fn read_table(folder: &Path, file: &str) -> Result<DataFrame, LedgerError> {
    let path = folder.join(file);
    let mut reader = ParquetReader::new(File::open(&path).map_err(|source| io(&path, source))?);
    let found = reader
        .get_metadata()?
        .key_value_metadata()
        .iter()
        .flatten()
        .find(|kv| kv.key == VERSION_KEY)
        .and_then(|kv| kv.value.clone());
    if found.as_deref() != Some(SCHEMA_VERSION.to_string().as_str()) {
        let found = found.unwrap_or_else(|| "none".to_owned());
        return Err(LedgerError::Version { path: path.display().to_string(), found });
    }
    Ok(reader.finish()?)
}

fn io(path: &Path, source: std::io::Error) -> LedgerError {
    LedgerError::Io { path: path.display().to_string(), source }
}
