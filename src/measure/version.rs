//! Is a loss confined to some versions of a client?

use std::cmp::Ordering;

use serde::Serialize;

use super::tally::Tally;

/// Versions with the loss, told from those without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VersionNote {
    /// Client.
    pub client: String,
    /// `only in` one version, or `since` a version.
    pub relation: &'static str,
    /// That version.
    pub version: String,
    /// Versions that delivered all blocks of the same type, and how many.
    pub clean_versions: Vec<String>,
    /// Blocks of the same type that these delivered.
    pub clean_blocks: u64,
}

/// Looks at one client's tallies by version, all of the same block type. `None` unless some versions lost and
/// others did not.
pub fn isolate(client: &str, by_version: &[(String, Tally)]) -> Option<VersionNote> {
    let mut known: Vec<_> = by_version.iter().filter(|(v, t)| !v.is_empty() && t.judged > 0).collect();
    known.sort_by(|a, b| compare(&a.0, &b.0));
    let (lossy, clean): (Vec<_>, Vec<_>) = known.iter().copied().partition(|(_, t)| t.lost > 0);
    let first = &lossy.first()?.0;
    if clean.is_empty() {
        return None;
    }
    let all_clean_before = clean.iter().all(|(v, _)| compare(v, first) == Ordering::Less);
    let relation = match lossy.len() {
        1 => "only in",
        _ if all_clean_before => "since",
        _ => return None,
    };
    Some(VersionNote {
        client: client.to_owned(),
        relation,
        version: first.clone(),
        clean_blocks: clean.iter().map(|(_, t)| t.delivery.count).sum(),
        clean_versions: clean.iter().map(|(v, _)| v.clone()).collect(),
    })
}

/// Compares versions piece by piece, numbers as numbers: `0.9` stands before `0.10`.
pub fn compare(a: &str, b: &str) -> Ordering {
    let pieces = |s: &str| -> Vec<String> { s.split(['.', '-', '+', '_']).map(str::to_owned).collect() };
    for (x, y) in pieces(a).iter().zip(&pieces(b)) {
        let order = match (x.parse::<u64>(), y.parse::<u64>()) {
            (Ok(x), Ok(y)) => x.cmp(&y),
            // `1.0-rc` stands before `1.0.1`: words before numbers.
            (Ok(_), Err(_)) => Ordering::Greater,
            (Err(_), Ok(_)) => Ordering::Less,
            (Err(_), Err(_)) => x.cmp(y),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

#[cfg(test)]
mod tests {
    use super::super::interval::Ratio;
    use super::*;

    fn tally(lost: u64, delivered: u64) -> Tally {
        let judged = lost + delivered;
        Tally { lost, delivered, judged, delivery: Ratio::new(delivered, judged), ..Tally::default() }
    }

    fn of(rows: &[(&str, u64, u64)]) -> Option<(&'static str, String)> {
        let rows: Vec<_> = rows.iter().map(|(v, lost, ok)| ((*v).to_owned(), tally(*lost, *ok))).collect();
        isolate("c", &rows).map(|n| (n.relation, n.version))
    }

    #[test]
    fn numbers_compare_as_numbers() {
        assert_eq!(compare("0.9.0", "0.10.0"), Ordering::Less);
        assert_eq!(compare("1.0-rc", "1.0.1"), Ordering::Less);
        assert_eq!(compare("1.2", "1.2"), Ordering::Equal);
    }

    #[test]
    fn one_lossy_version_stands_out() {
        assert_eq!(of(&[("1.0", 0, 9), ("1.1", 4, 1), ("1.2", 0, 3)]), Some(("only in", "1.1".into())));
        assert_eq!(of(&[("1.9", 0, 9), ("1.10", 4, 1), ("1.11", 2, 3)]), Some(("since", "1.10".into())));
    }

    #[test]
    fn nothing_is_said_without_a_clean_version_or_order() {
        assert_eq!(of(&[("1.0", 1, 9), ("1.1", 4, 1)]), None);
        assert_eq!(of(&[("1.0", 2, 0), ("1.1", 0, 5), ("1.2", 2, 0)]), None);
        assert_eq!(of(&[("1.0", 0, 0), ("1.1", 4, 1)]), None);
    }
}
