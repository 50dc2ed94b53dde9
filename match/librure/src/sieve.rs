//! Sieves: where in a text a match of a large expression may begin, as fast as
//! the text is read.
//!
//! The regex crate skips ahead by literal prefixes, of which an expression that
//! forgives case, marks and slips has too many. A sieve asks less and asks it of
//! every place at once: which *classes* of bytes the first four bytes of a match
//! may belong to. These are known from the automaton. Sequences of four classes
//! are spread over eight buckets, one for each bit of a byte, and a place is kept
//! if one bucket has its four bytes (Teddy, by Geoffrey Langdale, with classes
//! for literals). Where that is so, the automaton looks, from that place alone.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use memchr::memchr;
use regex_automata::{
    hybrid::dfa::{Cache, DFA},
    nfa::thompson::{self, State, NFA},
    util::{primitives::StateID, syntax},
    Anchored, Input,
};

use crate::pattern::Text;

/// How many bytes of a match are looked at before the automaton is asked.
const DEPTH: usize = 4;

/// One for each bit of a byte.
const BUCKETS: usize = 8;

/// The share of places that may be kept; above it a sieve does not pay.
const DENSEST: f32 = 0.25;

/// How far from a match the next one is looked for, at most: all that matters
/// is which lines have one, but a line may be long.
const STRIDE: usize = 2 << 10;

/// How long a match may be that has only begun where a text is cut, in bytes.
const LONGEST: usize = 4 << 10;

/// The automaton's room for states, in bytes; full, it begins anew.
const CACHE: usize = 16 << 20;

/// How large an expression may be, in bytes of its automaton.
const LIMIT: usize = 8 << 20;

type Class = [u64; 4];

fn has(class: &Class, byte: u8) -> bool {
    class[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
}

fn bytes(class: &Class) -> impl Iterator<Item = u8> + '_ {
    (0..).zip(class).flat_map(|(i, &word)| {
        std::iter::successors(Some(word), |&w| Some(w & w.wrapping_sub(1)))
            .take_while(|&w| w != 0)
            .map(move |w| 64 * i + w.trailing_zeros() as u8)
    })
}

fn add(class: &mut Class, byte: u8) {
    class[usize::from(byte >> 6)] |= 1 << (byte & 63);
}

/// How often a byte occurs, roughly, in prose and in programs.
fn share(byte: u8) -> f32 {
    match byte {
        b' ' => 0.15,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 0.06,
        b'd' | b'l' | b'c' | b'u' | b'p' | b'm' | b'f' | b'h' => 0.025,
        b'a'..=b'z' => 0.008,
        b'\t' | b'\n' | b'_' => 0.03,
        b'A'..=b'Z' | b'0'..=b'9' => 0.006,
        b'!'..=b'~' => 0.008,
        0x80..=0xff => 0.0008,
        _ => 0.0005,
    }
}

/// For each place of a match: the buckets that a byte may be in, and those that
/// each of its parts may be in, which are more.
#[derive(Clone)]
struct Masks {
    exact: [[u8; 256]; DEPTH],
    parts: [[[u8; 16]; DEPTH]; PARTS.len()],
}

impl Masks {
    fn new(buckets: &[[Class; DEPTH]; BUCKETS]) -> Masks {
        let mut m = Masks {
            exact: [[0; 256]; DEPTH],
            parts: Default::default(),
        };
        for (bucket, classes) in buckets.iter().enumerate() {
            for (i, class) in classes.iter().enumerate() {
                for byte in bytes(class) {
                    m.exact[i][usize::from(byte)] |= 1 << bucket;
                    for (table, part) in m.parts.iter_mut().zip(PARTS) {
                        table[i][usize::from(part(byte))] |= 1 << bucket;
                    }
                }
            }
        }
        m
    }

    /// Reports whether a place is kept. A match may be shorter than what is looked
    /// at, at the end of a text.
    fn keep(&self, hay: &[u8], at: usize) -> bool {
        let of = |i: usize, byte: u8| self.exact[i][usize::from(byte)];
        match hay[at..] {
            [a, b, c, d, ..] => of(0, a) & of(1, b) & of(2, c) & of(3, d) != 0,
            ref rest => (0..).zip(rest).fold(0xff, |kept, (i, &b)| kept & of(i, b)) != 0,
        }
    }
}

struct Compiled {
    dfa: DFA,
    masks: Masks,
}

/// A sieve, for all workers.
pub struct Sieve(Result<Arc<Compiled>, String>);

/// One worker's way to use a sieve.
pub struct Sifter {
    sieve: Arc<Compiled>,
    cache: Cache,
    kept: Vec<usize>,
    found: Vec<usize>,
}

impl Compiled {
    fn new(pattern: &str) -> Result<Compiled, String> {
        let nfa = thompson::Compiler::new()
            .syntax(syntax::Config::new().utf8(false).multi_line(true))
            .configure(
                thompson::Config::new()
                    .utf8(false)
                    .nfa_size_limit(Some(LIMIT)),
            )
            .build(pattern)
            .map_err(|e| e.to_string())?;
        let masks = spread(&collect(&nfa)).ok_or("it may begin with anything")?;
        let dfa = DFA::builder()
            .configure(
                DFA::config()
                    .cache_capacity(CACHE)
                    .skip_cache_capacity_check(true),
            )
            .build_from_nfa(nfa)
            .map_err(|e| e.to_string())?;
        Ok(Compiled { dfa, masks })
    }
}

/// Collects the sequences of classes that matches begin with: of the states that
/// the automaton may be in after each of these bytes, and what it may read there. Assertions are taken to hold.
fn collect(nfa: &NFA) -> Vec<[Class; DEPTH]> {
    let mut sets = Vec::new();
    descend(nfa, &[nfa.start_anchored()], 0, [[0; 4]; DEPTH], &mut sets);
    sets
}

fn descend(
    nfa: &NFA,
    states: &[StateID],
    depth: usize,
    mut classes: [Class; DEPTH],
    sets: &mut Vec<[Class; DEPTH]>,
) {
    let Some(reads) = reads(nfa, states) else {
        // There is a match already, whatever follows.
        classes[depth..].fill([u64::MAX; 4]);
        sets.push(classes);
        return;
    };
    if depth + 1 == DEPTH {
        for (from, to, _) in reads {
            (from..=to).for_each(|byte| add(&mut classes[depth], byte));
        }
        sets.push(classes);
        return;
    }
    let mut next = vec![Vec::new(); 256];
    for (from, to, state) in reads {
        for byte in from..=to {
            next[usize::from(byte)].push(state);
        }
    }
    let mut groups: BTreeMap<Vec<StateID>, Class> = BTreeMap::new();
    for (byte, mut states) in (0..=255).zip(next) {
        if !states.is_empty() {
            states.sort_unstable();
            states.dedup();
            add(groups.entry(states).or_default(), byte);
        }
    }
    for (states, class) in groups {
        classes[depth] = class;
        descend(nfa, &states, depth + 1, classes, sets);
    }
}

/// Returns what is read next in some states, or those that are reached from them
/// without reading, and what that leads to; None if one of them is a match.
fn reads(nfa: &NFA, states: &[StateID]) -> Option<Vec<(u8, u8, StateID)>> {
    let mut seen = HashSet::new();
    let mut open = states.to_vec();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match nfa.state(id) {
            State::ByteRange { trans: t } => found.push((t.start, t.end, t.next)),
            State::Sparse(list) => {
                found.extend(list.transitions.iter().map(|t| (t.start, t.end, t.next)));
            }
            State::Dense(list) => found
                .extend((0..=255).filter_map(|b| list.matches_byte(b).map(|next| (b, b, next)))),
            State::Look { next, .. } | State::Capture { next, .. } => open.push(*next),
            State::Union { alternates } => open.extend(alternates.iter()),
            State::BinaryUnion { alt1, alt2 } => open.extend([*alt1, *alt2]),
            State::Fail => {}
            State::Match { .. } => return None,
        }
    }
    Some(found)
}

/// How often one of a sequence of classes occurs.
fn density(classes: &[Class; DEPTH]) -> f32 {
    classes
        .iter()
        .map(|class| bytes(class).map(share).sum::<f32>())
        .product()
}

/// The four bits of a byte that one of the vector tables is about.
const PARTS: [fn(u8) -> u8; 3] = [|b| b & 15, |b| b >> 4, |b| b >> 2 & 15];

/// What a bucket keeps at one place: for each part, the bytes that have it in
/// common with one that is meant. All of them together are kept.
type Reach = [Class; PARTS.len()];

fn reach(class: &Class, alike: &[[Class; 16]; PARTS.len()]) -> Reach {
    std::array::from_fn(|part| {
        let seen = bytes(class).fold(0u16, |seen, b| seen | 1 << PARTS[part](b));
        (0..16)
            .filter(|bits| seen >> bits & 1 == 1)
            .fold([0; 4], |all, bits| or(&all, &alike[part][bits]))
    })
}

fn or(a: &Class, b: &Class) -> Class {
    std::array::from_fn(|i| a[i] | b[i])
}

fn join(a: &Reach, b: &Reach) -> Reach {
    std::array::from_fn(|part| or(&a[part], &b[part]))
}

/// How often each set of eight neighbouring bytes occurs.
struct Shares([[f32; 256]; 32]);

impl Shares {
    fn new() -> Shares {
        Shares(std::array::from_fn(|group| {
            std::array::from_fn(|set| {
                (0..8)
                    .filter(|i| set >> i & 1 == 1)
                    .map(|i| share((group * 8 + i) as u8))
                    .sum()
            })
        }))
    }

    /// The share of places that is kept.
    fn of(&self, reaches: &[Reach; DEPTH]) -> f32 {
        let one = |[low, high, middle]: &Reach| -> f32 {
            (0..4)
                .flat_map(|i| (low[i] & high[i] & middle[i]).to_le_bytes())
                .zip(&self.0)
                .map(|(set, group)| group[usize::from(set)])
                .sum()
        };
        reaches.iter().map(one).product()
    }
}

/// Spreads sequences over the buckets, each to where it adds least; None if too
/// many places would be kept. ASCII and other bytes are kept apart, since the
/// halves of their bytes go together to many more.
fn spread(sets: &[[Class; DEPTH]]) -> Option<Masks> {
    let mut parts: Vec<[Class; DEPTH]> = Vec::new();
    for set in sets {
        for which in 0..1 << DEPTH {
            let mut part = *set;
            for (i, class) in part.iter_mut().enumerate() {
                let other = if which >> i & 1 == 0 { 2..4 } else { 0..2 };
                class[other].fill(0);
            }
            if part.iter().all(|class| *class != [0; 4]) {
                parts.push(part);
            }
        }
    }
    parts.sort_unstable();
    parts.dedup();
    parts.sort_by_cached_key(|p| std::cmp::Reverse((density(p) * 1e12) as u64));
    let shares = Shares::new();
    let alike = PARTS.map(|part| {
        let mut of: [Class; 16] = [[0; 4]; 16];
        (0..=255).for_each(|b| add(&mut of[usize::from(part(b))], b));
        of
    });
    let mut buckets = [[[0; 4]; DEPTH]; BUCKETS];
    let mut reaches = [[Reach::default(); DEPTH]; BUCKETS];
    let mut kept = [0.0; BUCKETS];
    for part in parts {
        let own = part.each_ref().map(|class| reach(class, &alike));
        let joined = |bucket: usize| {
            let with = std::array::from_fn(|i| join(&reaches[bucket][i], &own[i]));
            let after = shares.of(&with);
            (after - kept[bucket], bucket, after, with)
        };
        let best = (0..BUCKETS).map(joined).min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, bucket, after, with) = best.expect("there are buckets");
        (kept[bucket], reaches[bucket]) = (after, with);
        for (class, more) in buckets[bucket].iter_mut().zip(&part) {
            *class = or(class, more);
        }
    }
    let dense: f32 = buckets.iter().map(density).sum();
    (dense <= DENSEST).then(|| Masks::new(&buckets))
}

impl Sifter {
    /// Asks the automaton about one place. `open` says that the text goes on
    /// behind `hay`: then what may become a match counts.
    fn confirm(&mut self, hay: &[u8], at: usize, open: bool) -> bool {
        let input = Input::new(hay)
            .range(at..)
            .anchored(Anchored::Yes)
            .earliest(true);
        if open && hay.len() - at <= LONGEST {
            return self.alive(&input);
        }
        // What the automaton cannot decide is for others to look at.
        !matches!(
            self.sieve.dfa.try_search_fwd(&mut self.cache, &input),
            Ok(None)
        )
    }

    /// Reports whether there is a match, or one may come behind the end.
    fn alive(&mut self, input: &Input) -> bool {
        let (dfa, cache) = (&self.sieve.dfa, &mut self.cache);
        let Ok(mut state) = dfa.start_state_forward(cache, input) else {
            return true;
        };
        for &byte in &input.haystack()[input.get_range()] {
            match dfa.next_state(cache, state, byte) {
                Ok(next) if next.is_dead() => return false,
                Ok(next) if !next.is_tagged() => state = next,
                _ => return true,
            }
        }
        true
    }

    /// Finds up to `max` places at or after `at` and returns where to go on.
    fn sift(&mut self, hay: &[u8], mut at: usize, max: usize, open: bool) -> usize {
        self.found.clear();
        let mut kept = std::mem::take(&mut self.kept);
        while at < hay.len() && self.found.len() < max {
            kept.clear();
            let end = stretch(&self.sieve.masks, hay, at, &mut kept);
            for &place in &kept {
                if place < at || !self.confirm(hay, place, open) {
                    continue;
                }
                self.found.push(place);
                let far = hay.len().min(place + STRIDE);
                at = memchr(b'\n', &hay[place..far]).map_or(far, |i| place + i + 1);
                if self.found.len() == max {
                    break;
                }
            }
            if self.found.len() < max {
                at = at.max(end);
            }
        }
        self.kept = kept;
        at
    }
}

/// How much is looked at before the automaton is asked about what was kept, in
/// blocks of vectors: one after the other costs a wrong guess of the processor for
/// nearly each.
const BLOCKS: usize = 64;

/// Adds the places that a bucket keeps in a stretch of `hay` that begins at `at`,
/// and returns where it ends.
fn stretch(masks: &Masks, hay: &[u8], at: usize, kept: &mut Vec<usize>) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: the instructions are there.
        if std::is_x86_feature_detected!("avx512vbmi") && std::is_x86_feature_detected!("avx512bw")
        {
            return unsafe { stretch_avx512(masks, hay, at, kept) };
        }
        if std::is_x86_feature_detected!("avx2") {
            return unsafe { stretch_avx2(masks, hay, at, kept) };
        }
    }
    stretch_plain(masks, hay, at, kept)
}

/// The plain twin.
fn stretch_plain(masks: &Masks, hay: &[u8], at: usize, kept: &mut Vec<usize>) -> usize {
    let end = hay.len().min(at + 32 * BLOCKS);
    kept.extend((at..end).filter(|&p| masks.keep(hay, p)));
    end
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn stretch_avx2(masks: &Masks, hay: &[u8], at: usize, kept: &mut Vec<usize>) -> usize {
    use std::arch::x86_64::*;
    const WIDTH: usize = 32;
    let blocks = (hay.len() - at).saturating_sub(DEPTH - 1) / WIDTH;
    if blocks == 0 {
        return stretch_plain(masks, hay, at, kept);
    }
    let blocks = blocks.min(BLOCKS);
    let twice = |table: &[u8; 16]| unsafe {
        _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()))
    };
    let [low, high, middle] = masks.parts.each_ref().map(|t| t.each_ref().map(twice));
    let half = _mm256_set1_epi8(15);
    let buckets = |i: usize, bytes: __m256i| {
        let l = _mm256_and_si256(bytes, half);
        let h = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
        let m = _mm256_and_si256(_mm256_srli_epi16(bytes, 2), half);
        _mm256_and_si256(
            _mm256_and_si256(
                _mm256_shuffle_epi8(low[i], l),
                _mm256_shuffle_epi8(high[i], h),
            ),
            _mm256_shuffle_epi8(middle[i], m),
        )
    };
    let zero = _mm256_setzero_si256();
    // The blocks with a place in them, without a branch.
    let mut some = [(0, 0u32); BLOCKS];
    let mut n = 0;
    for block in 0..blocks {
        let from = at + block * WIDTH;
        // SAFETY: all loads lie within hay.
        let sets = unsafe {
            let load = |i: usize| _mm256_loadu_si256(hay.as_ptr().add(from + i).cast());
            _mm256_and_si256(
                _mm256_and_si256(buckets(0, load(0)), buckets(1, load(1))),
                _mm256_and_si256(buckets(2, load(2)), buckets(3, load(3))),
            )
        };
        let places = !_mm256_movemask_epi8(_mm256_cmpeq_epi8(sets, zero)) as u32;
        some[n] = (from, places);
        n += usize::from(places != 0);
    }
    for &(from, mut places) in &some[..n] {
        while places != 0 {
            let place = from + places.trailing_zeros() as usize;
            if masks.keep(hay, place) {
                kept.push(place);
            }
            places &= places - 1;
        }
    }
    at + blocks * WIDTH
}

/// Looks bytes up whole, in tables of 256: nothing is kept that is not meant.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
unsafe fn stretch_avx512(masks: &Masks, hay: &[u8], at: usize, kept: &mut Vec<usize>) -> usize {
    use std::arch::x86_64::*;
    const WIDTH: usize = 64;
    let blocks = (hay.len() - at).saturating_sub(DEPTH - 1) / WIDTH;
    if blocks == 0 {
        return stretch_plain(masks, hay, at, kept);
    }
    let blocks = blocks.min(32 * BLOCKS / WIDTH);
    let tables = masks.exact.each_ref().map(|table| {
        // SAFETY: there are four quarters.
        [0, 1, 2, 3].map(|i| unsafe { _mm512_loadu_si512(table.as_ptr().add(64 * i).cast()) })
    });
    let buckets = |i: usize, bytes: __m512i| {
        let [a, b, c, d] = tables[i];
        _mm512_mask_blend_epi8(
            _mm512_movepi8_mask(bytes),
            _mm512_permutex2var_epi8(a, bytes, b),
            _mm512_permutex2var_epi8(c, bytes, d),
        )
    };
    let mut some = [(0, 0u64); 32 * BLOCKS / WIDTH];
    let mut n = 0;
    for block in 0..blocks {
        let from = at + block * WIDTH;
        // SAFETY: all loads lie within hay.
        let load = |i: usize| unsafe { _mm512_loadu_si512(hay.as_ptr().add(from + i).cast()) };
        let sets = _mm512_and_si512(
            _mm512_and_si512(buckets(0, load(0)), buckets(1, load(1))),
            _mm512_and_si512(buckets(2, load(2)), buckets(3, load(3))),
        );
        let places = _mm512_test_epi8_mask(sets, sets);
        some[n] = (from, places);
        n += usize::from(places != 0);
    }
    for &(from, mut places) in &some[..n] {
        while places != 0 {
            kept.push(from + places.trailing_zeros() as usize);
            places &= places - 1;
        }
    }
    at + blocks * WIDTH
}

/// Compiles an expression in the syntax of the regex crate. It is large and has
/// no assertion about words.
///
/// # Safety
/// `pattern` points to `len` bytes.
#[no_mangle]
pub unsafe extern "C" fn tally_sieve_new(pattern: *const u8, len: usize) -> *mut Sieve {
    let pattern = unsafe { std::slice::from_raw_parts(pattern, len) };
    let made = std::str::from_utf8(pattern)
        .map_err(|e| e.to_string())
        .and_then(Compiled::new);
    Box::into_raw(Box::new(Sieve(made.map(Arc::new))))
}

/// Why there is no sieve; empty if there is one.
///
/// # Safety
/// `s` comes from `tally_sieve_new`; the text is valid until it is freed.
#[no_mangle]
pub unsafe extern "C" fn tally_sieve_error(s: *const Sieve) -> Text {
    match unsafe { &(*s).0 } {
        Ok(_) => Text::of(""),
        Err(e) => Text::of(e),
    }
}

/// # Safety
/// `s` comes from `tally_sieve_new` and is not used again.
#[no_mangle]
pub unsafe extern "C" fn tally_sieve_free(s: *mut Sieve) {
    drop(unsafe { Box::from_raw(s) });
}

/// # Safety
/// `s` is a sieve without error; it may be freed afterwards.
#[no_mangle]
pub unsafe extern "C" fn tally_sifter_new(s: *const Sieve) -> *mut Sifter {
    let sieve = match unsafe { &(*s).0 } {
        Ok(sieve) => sieve.clone(),
        Err(e) => panic!("no sieve: {e}"),
    };
    let cache = sieve.dfa.create_cache();
    Box::into_raw(Box::new(Sifter {
        sieve,
        cache,
        kept: Vec::new(),
        found: Vec::new(),
    }))
}

/// # Safety
/// `s` comes from `tally_sifter_new` and is not used again.
#[no_mangle]
pub unsafe extern "C" fn tally_sifter_free(s: *mut Sifter) {
    drop(unsafe { Box::from_raw(s) });
}

/// Finds places where a match begins, in ascending order, from `*at` on, which
/// is set to where to go on: `len` if there are no more. Of a line, and of two
/// kilobytes, one place is enough. `open` says that the text goes on behind `hay`;
/// then a place where a match may have begun is one. The places are valid until the
/// next call.
///
/// # Safety
/// `hay` points to `len` bytes, and no other thread uses `s`.
#[no_mangle]
pub unsafe extern "C" fn tally_sift(
    s: *mut Sifter,
    hay: *const u8,
    len: usize,
    at: *mut usize,
    max: usize,
    open: bool,
    found: *mut *const usize,
) -> usize {
    let s = unsafe { &mut *s };
    let hay = unsafe { std::slice::from_raw_parts(hay, len) };
    unsafe {
        *at = s.sift(hay, *at, max, open);
        *found = s.found.as_ptr();
    }
    s.found.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sifter(pattern: &str) -> Sifter {
        let sieve = Arc::new(Compiled::new(pattern).unwrap());
        let cache = sieve.dfa.create_cache();
        Sifter {
            sieve,
            cache,
            kept: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The places that the automaton alone finds, one of each line.
    fn plainly(s: &mut Sifter, hay: &[u8]) -> Vec<usize> {
        let (mut list, mut at) = (Vec::new(), 0);
        while at < hay.len() {
            if s.confirm(hay, at, false) {
                list.push(at);
                let end = hay.len().min(at + STRIDE);
                at = memchr(b'\n', &hay[at..end]).map_or(end, |i| at + i + 1);
            } else {
                at += 1;
            }
        }
        list
    }

    #[test]
    fn nothing_is_lost() {
        let mut x = 1u32;
        for pattern in [
            "(?i)qéq+x?",
            "(?i:qx|é.q|x(?:\\*|<b>)*q)",
            "(?-u:q\\x00x)",
            "x\\s*q",
        ] {
            let mut s = sifter(pattern);
            for _ in 0..3000 {
                let mut hay = Vec::new();
                for _ in 0..(x >> 8) % 90 {
                    x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                    let pieces = [
                        "q", "Q", "x", "é", "É", "*", "<b>", "\n", "\0", " ", "y", "z",
                    ];
                    hay.extend_from_slice(pieces[(x >> 24) as usize % pieces.len()].as_bytes());
                }
                x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                let want = plainly(&mut s, &hay);
                assert_eq!(s.sift(&hay, 0, usize::MAX, false), hay.len());
                assert_eq!(s.found, want, "{pattern} in {hay:?}");
                // Of a text that goes on, no match is lost that begins in it.
                let cut = hay.len() * (x >> 20) as usize % 4096 / 4096;
                s.sift(&hay[..cut], 0, 1, true);
                if let Some(&first) = want.first().filter(|&&first| first < cut) {
                    assert!(s.found.first().is_some_and(|&f| f <= first), "{hay:?}");
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vectors_keep_what_plain_code_keeps() {
        let sieve = Compiled::new("(?i:qéq+x?|vac|x\\x00{2})").unwrap();
        let mut x = 1u32;
        for len in (0..400).chain([32 * BLOCKS - 1, 32 * BLOCKS + 3, 9000]) {
            let hay: Vec<u8> = std::iter::repeat_with(|| {
                x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                b"qQvVaAcC\xc3\xa9\x89x\0n \n"[(x >> 24) as usize % 16]
            })
            .take(len)
            .collect();
            let all = |f: &dyn Fn(usize, &mut Vec<usize>) -> usize| {
                let (mut at, mut kept) = (0, Vec::new());
                while at < hay.len() {
                    at = f(at, &mut kept);
                }
                kept
            };
            let masks = &sieve.masks;
            let want = all(&|at, kept| stretch_plain(masks, &hay, at, kept));
            // SAFETY: the instructions are there.
            if std::is_x86_feature_detected!("avx2") {
                assert_eq!(want, all(&|at, kept| unsafe { stretch_avx2(masks, &hay, at, kept) }));
            }
            if std::is_x86_feature_detected!("avx512vbmi") {
                assert_eq!(want, all(&|at, kept| unsafe { stretch_avx512(masks, &hay, at, kept) }));
            }
        }
    }

    #[test]
    fn what_begins_with_anything_is_refused() {
        assert!(Compiled::new("[a-z ]+x").is_err());
    }
}
