//! Names that repeat (tools, MIME types, call ids) are stored once and passed as numbers.

use std::hash::Hash;
use std::sync::{LazyLock, RwLock};

use rustc_hash::FxHashMap;

/// An interned name. `Sym::default()` is the empty name. The numbers depend on the order of threads: never
/// sort or print by them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sym(u32);

#[derive(Default)]
struct Table {
    by_name: FxHashMap<&'static str, u32>,
    names: Vec<&'static str>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let mut t = Table::default();
    t.by_name.insert("", 0);
    t.names.push("");
    RwLock::new(t)
});

impl Sym {
    /// Interns a name; bytes that are not UTF-8 are replaced.
    pub fn new(name: &[u8]) -> Sym {
        if name.is_empty() {
            return Sym(0);
        }
        let name = String::from_utf8_lossy(name);
        let find = |t: &Table| t.by_name.get(name.as_ref()).copied().map(Sym);
        if let Some(sym) = TABLE.read().ok().as_deref().and_then(find) {
            return sym;
        }
        let Ok(mut table) = TABLE.write() else { return Sym(0) };
        if let Some(sym) = find(&table) {
            return sym;
        }
        // Names live as long as the run: a table that only grows may hand out references for good.
        let kept: &'static str = Box::leak(name.into_owned().into_boxed_str());
        let number = table.names.len() as u32;
        table.names.push(kept);
        table.by_name.insert(kept, number);
        Sym(number)
    }

    /// The name.
    pub fn as_str(self) -> &'static str {
        TABLE.read().ok().and_then(|t| t.names.get(self.0 as usize).copied()).unwrap_or("")
    }

    /// Is it the empty name?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl From<&str> for Sym {
    fn from(name: &str) -> Sym {
        Sym::new(name.as_bytes())
    }
}

impl std::fmt::Display for Sym {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
