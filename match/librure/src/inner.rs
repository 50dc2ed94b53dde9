//! Inner literals: words of which every match of an expression holds one.
//!
//! Where matches stay within their lines, a line without any of the words
//! needs no look. Finding words is far cheaper than running an automaton over
//! every byte, and a line that has one is then matched by itself. The regex
//! crate does the like for words at a match's start; here they may stand
//! anywhere in it, since a line's start is known without running backwards.

use regex_automata::{util::prefilter::Prefilter, MatchKind};
use regex_syntax::hir::{literal, Class, Hir, HirKind, Look};

/// More words than this are slow to find (Teddy's own limit).
const MAX_WORDS: usize = 64;
/// A word's bytes beyond this number make nothing rarer.
const MAX_LEN: usize = 32;
/// Characters of a class beyond this number are no choice of words any more.
const MAX_CLASS: usize = 10;
const MAX_REPEAT: u32 = 10;
/// So many single bytes are found as fast as one.
const MAX_BYTES: usize = 3;

/// Returns a finder of words that every match of the expression holds, if
/// looking for them first promises to be faster. Matches must stay within
/// their lines.
pub fn prefilter(hir: &Hir) -> Option<Prefilter> {
    if hir.properties().is_alternation_literal() || starts_well(hir) {
        return None; // the regex crate finds these by itself
    }
    let words = known(hir).best?;
    promising(&words)
        .then(|| Prefilter::new(MatchKind::LeftmostFirst, &words))
        .flatten()
}

/// Whether finding the words and matching their lines is likely to be faster
/// than running over the buffer. Measured on C source, two common letters (`te`
/// in `\wte\w`) made it four times as fast, one common letter (`i` in
/// `\bi\w+x`) half as fast: then most lines have to be matched, one by one.
fn promising(words: &Words) -> bool {
    match words.iter().map(Vec::len).min() {
        None | Some(0) => false,
        Some(1) => words.len() <= MAX_BYTES && words.iter().flatten().all(|&b| rarity(b) == RARE),
        _ => true,
    }
}

/// Whether the regex crate has words to look for at a match's start. With
/// boundaries of Unicode words it may nevertheless fall back to its slowest
/// engine on text that is not ASCII, for the rest of the buffer.
fn starts_well(hir: &Hir) -> bool {
    let looks = hir.properties().look_set();
    if looks.contains_word_unicode() || looks.contains(Look::WordStartHalfUnicode) {
        return false;
    }
    let mut seq = literal::Extractor::new().extract(hir);
    seq.optimize_for_prefix_by_preference();
    seq.literals()
        .is_some_and(|all| all.iter().all(|l| l.len() >= 2))
}

type Words = Vec<Vec<u8>>;

/// What is known about the texts that an expression matches.
struct Known {
    /// Each of them is one of `start`, and nothing more.
    exact: bool,
    /// Each begins with one of `start` and ends with one of `end`; the empty
    /// word says nothing.
    start: Words,
    end: Words,
    /// Each holds one of these.
    best: Option<Words>,
}

fn nothing() -> Words {
    vec![Vec::new()]
}

impl Known {
    fn exact(words: Words) -> Known {
        Known {
            exact: true,
            end: words.clone(),
            best: useful(words.clone()),
            start: words,
        }
    }

    fn unknown() -> Known {
        Known {
            exact: false,
            start: nothing(),
            end: nothing(),
            best: None,
        }
    }

    fn consider(&mut self, words: Option<Words>) {
        let Some(words) = words else { return };
        match &self.best {
            Some(best) if weight(best) >= weight(&words) => {}
            _ => self.best = Some(words),
        }
    }
}

fn known(hir: &Hir) -> Known {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Known::exact(nothing()),
        HirKind::Literal(l) => literal(&l.0),
        HirKind::Class(class) => Known::exact_or_unknown(members(class)),
        HirKind::Capture(c) => known(&c.sub),
        HirKind::Concat(parts) => concat(parts.iter().map(known)),
        HirKind::Alternation(parts) => alternation(parts),
        HirKind::Repetition(r) => {
            let sub = known(&r.sub);
            match (r.min, r.max) {
                (0, Some(1)) if sub.exact => {
                    let mut words = sub.start;
                    words.push(Vec::new());
                    Known::exact_or_unknown(Some(words))
                }
                (0, _) => Known::unknown(),
                (min, max) if sub.exact => {
                    let again = min.min(MAX_REPEAT);
                    let mut all = concat((0..again).map(|_| Known::exact(sub.start.clone())));
                    all.exact &= max == Some(again);
                    all
                }
                _ => Known {
                    exact: false,
                    ..sub
                },
            }
        }
    }
}

impl Known {
    fn exact_or_unknown(words: Option<Words>) -> Known {
        match words {
            Some(words) if words.len() <= MAX_WORDS => Known::exact(words),
            _ => Known::unknown(),
        }
    }
}

/// A long literal is known by its first and last bytes.
fn literal(bytes: &[u8]) -> Known {
    if bytes.len() <= MAX_LEN {
        return Known::exact(vec![bytes.to_vec()]);
    }
    let start = vec![bytes[..MAX_LEN].to_vec()];
    Known {
        exact: false,
        end: vec![bytes[bytes.len() - MAX_LEN..].to_vec()],
        best: Some(start.clone()),
        start,
    }
}

fn members(class: &Class) -> Option<Words> {
    let mut words = Words::new();
    match class {
        Class::Unicode(c) => {
            for r in c.ranges() {
                if words.len() + r.len() > MAX_CLASS {
                    return None;
                }
                words.extend((r.start()..=r.end()).map(|c| c.to_string().into_bytes()));
            }
        }
        Class::Bytes(c) => {
            for r in c.ranges() {
                if words.len() + r.len() > MAX_CLASS {
                    return None;
                }
                words.extend((r.start()..=r.end()).map(|b| vec![b]));
            }
        }
    }
    Some(words)
}

/// Follows the parts of a concatenation with a run of words that all matches
/// hold at the place reached; where the run would grow too much, it is weighed
/// and a new one begins.
fn concat(parts: impl Iterator<Item = Known>) -> Known {
    let mut all = Known {
        exact: true,
        ..Known::unknown()
    };
    let mut run = nothing();
    for part in parts {
        all.consider(part.best);
        match product(&run, &part.start) {
            Some(words) if part.exact => {
                run = words;
                continue;
            }
            Some(words) => {
                if all.exact {
                    all.start = words.clone();
                }
                all.consider(useful(words));
            }
            None => {
                if all.exact {
                    all.start = run.clone();
                }
                all.consider(useful(run));
            }
        }
        all.exact = false;
        run = part.end;
    }
    all.consider(useful(run.clone()));
    if all.exact {
        all.start = run.clone();
    }
    all.end = run;
    all
}

fn alternation(parts: &[Hir]) -> Known {
    let mut all = Known {
        exact: true,
        start: Words::new(),
        end: Words::new(),
        best: Some(Words::new()),
    };
    for part in parts {
        let part = known(part);
        all.exact &= part.exact;
        all.start.extend(part.start);
        all.end.extend(part.end);
        all.best = match (all.best, part.best) {
            (Some(mut words), Some(more)) => {
                words.extend(more);
                Some(words)
            }
            _ => None,
        };
        if all.start.len().max(all.end.len()) > MAX_WORDS {
            (all.exact, all.start, all.end) = (false, nothing(), nothing());
        }
        all.best = all.best.filter(|words| words.len() <= MAX_WORDS);
        if !all.exact && all.best.is_none() {
            return Known::unknown();
        }
    }
    all
}

/// Every word of the one followed by every word of the other.
fn product(a: &Words, b: &Words) -> Option<Words> {
    let longest = |words: &Words| words.iter().map(Vec::len).max().unwrap_or(0);
    if a.len() * b.len() > MAX_WORDS || longest(a) + longest(b) > MAX_LEN {
        return None;
    }
    Some(
        a.iter()
            .flat_map(|x| b.iter().map(|y| [&x[..], &y[..]].concat()))
            .collect(),
    )
}

/// The words, unless one of them is empty and so in every text.
fn useful(words: Words) -> Option<Words> {
    (!words.is_empty() && words.iter().all(|w| !w.is_empty())).then_some(words)
}

/// How rare the commonest of the words is, less for many words.
fn weight(words: &Words) -> u32 {
    let rarity = |w: &Vec<u8>| w.iter().map(|&b| rarity(b)).sum::<u32>();
    let least = words.iter().map(rarity).min().unwrap_or(0);
    least.saturating_sub(words.len().ilog2() / 2)
}

/// How much a byte makes a word rarer, by its frequency in prose and code.
fn rarity(b: u8) -> u32 {
    match b {
        b' ' | b'\t' | b'e' | b't' => 1,
        b'a'..=b'z' | b'0' | b'1' | b'_' | b'(' | b')' | b',' | b'.' | b'=' | b';' => 2,
        _ => RARE,
    }
}

const RARE: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use regex_syntax::ParserBuilder;

    fn words(pattern: &str) -> Vec<String> {
        let hir = ParserBuilder::new()
            .utf8(false)
            .build()
            .parse(pattern)
            .unwrap();
        let best = known(&hir).best.unwrap_or_default();
        best.iter()
            .map(|w| String::from_utf8_lossy(w).into_owned())
            .collect()
    }

    #[test]
    fn finds_words_that_every_match_holds() {
        let cases: &[(&str, &[&str])] = &[
            (r"[A-Z]+_SUSPEND", &["_SUSPEND"]),
            (r"\w+ing\b.*\d", &["ing"]),
            (
                r"\s+(Sherlock|[A-Z]atso[a-z]|Moriarty)\s+",
                &["Sherlock", "atso", "Moriarty"],
            ),
            (r"\w(foo|bar)\w", &["foo", "bar"]),
            (r"\w(foo|\d)\w", &[]),
            (r"\wab?c\w", &["abc", "ac"]),
            (r"\w(ab){2}\w", &["abab"]),
            (r"\w(ab){2,}cd\w", &["ababcd", "abab"]),
            (r"\w(ab)*\w", &[]),
            (r"(\w+foo){2}", &["foo"]),
            (r"\wx[a-c]y\w", &["xay", "xby", "xcy"]),
            (r"\w*", &[]),
            (r"", &[]),
            (r"[a&&b]", &[]),
        ];
        for (pattern, want) in cases {
            let got = words(pattern);
            if *pattern == r"\w(ab){2,}cd\w" {
                // Either is right: what was repeated may be followed by more.
                assert!(
                    got.iter().all(|w| want.contains(&w.as_str())),
                    "{pattern}: {got:?}"
                );
                continue;
            }
            assert_eq!(&got, want, "{pattern}");
        }
    }
}
