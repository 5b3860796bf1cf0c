//! Sums: no block and no line is counted twice or not at all, whatever the verdicts are.

use mcploss::event::BlockType;
use mcploss::judge::{Blame, Fate};
use mcploss::ledger::{Filter, Outcome};
use mcploss::measure::{Ratio, Tally, summary};
use proptest::prelude::*;

use crate::fixture::{self, Run};

fn total(t: &Tally) -> u64 {
    t.delivered + t.transformed + t.truncated + t.evicted + t.lost + t.by_design + t.unobserved
}

fn blame_of(fate: Fate) -> Blame {
    match Outcome::of(fate) {
        Outcome::Delivered | Outcome::Transformed => Blame::Nobody,
        Outcome::Unobserved => Blame::Undetermined,
        Outcome::ByDesign => Blame::Design,
        _ if fate == Fate::ServerInvalid => Blame::Server,
        _ if fate == Fate::NotReceived => Blame::Transport,
        _ => Blame::Client,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_block_is_counted_once(picks in proptest::collection::vec((0..16usize, 0..7usize, 0..4usize), 0..60)) {
        let mut run = Run::default();
        for (fate, block_type, tool) in &picks {
            let fate = Fate::ALL[*fate];
            let tool = ["a", "b", "", "c\n"][*tool];
            run.calls(1, tool, BlockType::ALL[*block_type], fate, blame_of(fate), |_, _| {});
        }
        let s = run.summary();
        let n = picks.len() as u64;
        prop_assert_eq!(s.blocks.returned, n);
        prop_assert_eq!(total(&s.blocks), n);
        prop_assert_eq!(s.blocks.judged + s.blocks.by_design + s.blocks.unobserved, n);
        prop_assert_eq!(s.calls, n);
        prop_assert_eq!(s.types.iter().map(|t| t.tally.returned).sum::<u64>(), n);
        for group in [&s.delivery.servers, &s.delivery.clients] {
            prop_assert_eq!(group.iter().map(|t| total(&t.tally)).sum::<u64>(), n);
        }
        prop_assert_eq!(s.delivery.days.iter().map(|t| total(&t.tally)).sum::<u64>(), n);
        prop_assert_eq!(s.delivery.tools.iter().map(|t| total(&t.tally)).sum::<u64>(), n);
        prop_assert_eq!(s.call_states.iter().map(|c| c.calls).sum::<u64>(), n);
        let of = |o: Outcome| s.mechanisms.iter().filter(|m| m.outcome == o.id()).map(|m| m.blocks).sum::<u64>();
        prop_assert_eq!(of(Outcome::Lost), s.blocks.lost);
        prop_assert_eq!(of(Outcome::Truncated), s.blocks.truncated);
        prop_assert_eq!(of(Outcome::ByDesign), s.blocks.by_design);
        prop_assert_eq!(s.unobserved.iter().map(|u| u.blocks).sum::<u64>(), s.blocks.unobserved);
        let by_types: u64 = s.verdict.types.iter().map(|t| t.loss.count).sum();
        let by_others: u64 = s.verdict.others.iter().map(|o| o.blocks).sum();
        prop_assert_eq!(by_types + by_others, s.blocks.lost);
        for m in &s.mechanisms {
            prop_assert_eq!(m.details.iter().map(|d| d.blocks).sum::<u64>(), m.blocks);
            prop_assert!(!m.examples.is_empty());
        }
    }
}

#[test]
fn every_fate_has_one_outcome_and_losses_are_losses() {
    for fate in Fate::ALL {
        let outcome = Outcome::of(fate);
        assert_eq!(outcome == Outcome::Lost, fate.is_lost(), "{}", fate.id());
        let whole = matches!(outcome, Outcome::Delivered | Outcome::Transformed | Outcome::Evicted);
        assert_eq!(whole, fate.is_delivered(), "{}", fate.id());
    }
}

#[test]
fn lines_read_are_lines_understood_and_not() {
    let i = fixture::inputs();
    assert_eq!(i.lines, i.understood_lines() + i.skipped.iter().map(|s| s.lines).sum::<u64>());
    assert_eq!(i.lines, i.files.iter().map(|f| f.lines).sum::<u64>());
    assert!(i.has_gaps());
}

#[test]
fn numbers_of_the_lossy_run() {
    let s = fixture::lossy().summary();
    assert_eq!(s.verdict.types[0].loss, Ratio::new(41, 58));
    assert_eq!(s.verdict.version.as_ref().map(|v| (v.relation, v.version.as_str())), Some(("only in", "1.1.0")));
    assert_eq!(s.admissions.after_loss, Ratio::new(9, 39));
    assert_eq!(s.admissions.after_none_lost, Ratio::new(0, 47));
    assert_eq!(s.blocks.base64_text, 5);
    assert_eq!(s.blocks.delivery.count - s.blocks.delivery_without_base64_text.count, 5);
    let svg = s.mime_rejections.iter().find(|m| m.mime == "image/svg+xml").unwrap();
    assert_eq!((svg.rejected, svg.mislabelled), (Ratio::new(4, 4), 4));
}

#[test]
fn a_filter_keeps_whole_calls_with_their_numbers() {
    let sources = fixture::sources();
    let ledger = fixture::lossy().ledger(&sources);
    let all = summary(&ledger).unwrap();
    let filter = Filter { tool: Some("render".to_owned()), ..Filter::default() };
    let some = ledger.clone().filter(&filter).unwrap();
    let s = summary(&some).unwrap();
    assert_eq!((s.calls, s.blocks.returned, s.blocks.lost), (5, 5, 5));
    let of = |s: &mcploss::measure::Summary| {
        s.mechanisms.iter().find(|m| m.fate == "mime-rejected" && m.blame == "client").unwrap().examples.clone()
    };
    assert_eq!(of(&s), of(&all));
    // Windows are half open: nothing is lost or counted twice between two of them.
    let start = 1_777_636_800_000_000;
    let middle = start + 60_000_000 * 50;
    let before = Filter { until_us: Some(middle), ..Filter::default() };
    let after = Filter { since_us: Some(middle), ..Filter::default() };
    let count = |f: &Filter| ledger.clone().filter(f).unwrap().calls.height();
    assert_eq!(count(&before), 50);
    assert_eq!(count(&before) + count(&after), ledger.calls.height());
}
