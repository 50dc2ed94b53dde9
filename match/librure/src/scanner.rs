//! Scanners: one worker's way to run a pattern, and the calls that do it.

use crate::{
    caught::caught,
    engine::{Engine, Failure, Span},
    pattern::{AnyEngine, Pattern, Text},
    pcre2,
    plan::Reach,
    scan::{self, Found, Job, Row, State, Way},
};
use regex_automata::{util::prefilter::Prefilter, Span as Range};

pub struct Scanner {
    engine: AnyEngine,
    prefilter: Option<Prefilter>,
    shaky: bool,
    reach: Option<Reach>,
    byte: Option<u8>,
    groups: usize,
    found: Found,
    /// Why the last call failed; empty if it did not.
    error: String,
    /// A call has panicked: the engine's scratch space may be in any state.
    broken: bool,
}

/// What a call returns that could not be carried out at all.
const BROKEN: usize = usize::MAX;

/// Carries out a call with the scanner's engine, whose type is known inside.
macro_rules! with_engine {
    ($engine:expr, $e:ident => $call:expr) => {
        match $engine {
            AnyEngine::Literal($e) => $call,
            AnyEngine::Rure($e) => $call,
            AnyEngine::Meta($e) => $call,
            AnyEngine::Pcre2($e) => $call,
        }
    };
}

impl Scanner {
    /// Notes a failure, and returns what stands for it.
    fn checked<T: Default>(&mut self, result: Result<T, Failure>) -> T {
        self.error.clear();
        result.unwrap_or_else(|code| {
            self.error = format!("PCRE2: error matching: {}", pcre2::message(code));
            T::default()
        })
    }

    /// Carries out a call, unless one has panicked.
    fn call<T>(&mut self, work: impl FnOnce(&mut Scanner) -> T) -> Option<T> {
        if self.broken {
            return None;
        }
        caught(|| work(self))
            .inspect_err(|error| self.fail(error))
            .ok()
    }

    /// Notes a fault in the engine.
    fn fail(&mut self, error: &str) {
        self.error.clear();
        self.error.push_str(error);
        self.broken = true;
    }
}

/// # Safety
/// `p` is a pattern without error; it may be freed afterwards. The scanner is
/// null if there is not enough memory for its scratch space.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_new(p: *const Pattern) -> *mut Scanner {
    let p = unsafe { &*p };
    caught(|| {
        Box::into_raw(Box::new(Scanner {
            engine: p.engine(),
            prefilter: p.prefilter.clone(),
            shaky: p.shaky,
            reach: p.reach,
            byte: p.byte(),
            groups: p.groups(),
            found: Found::default(),
            error: String::new(),
            broken: false,
        }))
    })
    .unwrap_or(std::ptr::null_mut())
}

/// # Safety
/// `s` comes from `tally_scanner_new` and is not used again.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_free(s: *mut Scanner) {
    drop(unsafe { Box::from_raw(s) });
}

/// Why the last call with this scanner could not be carried out; empty if it
/// was. Only PCRE2 fails, but for a fault in the engine, which the call itself
/// tells; the scanner is of no use then.
///
/// # Safety
/// The text is valid until the scanner's next call.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_error(s: *const Scanner) -> Text {
    Text::of(unsafe { &(*s).error })
}

/// A scan as a function of its own: what it is given then cannot overlap, which
/// the compiler does not know of what a closure has captured. That cost 5 % where
/// nearly every line matches.
#[inline(never)]
fn scan<E: Engine>(
    engine: &mut E,
    found: &mut Found,
    hay: &[u8],
    job: Job,
    state: &mut State,
) -> Result<(), Failure> {
    scan::run(engine, found, hay, job, state)
}

/// Scans `hay` from `state.pos` for at most `max_lines` matching lines and
/// returns how many rows were kept. After a failure these are the lines
/// before the one that could not be matched, at which `state.pos` stands. After a
/// fault in the engine it is SIZE_MAX.
///
/// # Safety
/// `hay` points to `len` bytes, `state.pos` is a line's start within them,
/// and no other thread uses `s`.
#[no_mangle]
pub unsafe extern "C" fn tally_scan(
    s: *mut Scanner,
    hay: *const u8,
    len: usize,
    term: u8,
    flags: u32,
    max_lines: u64,
    state: *mut State,
) -> usize {
    let s = unsafe { &mut *s };
    let hay = unsafe { std::slice::from_raw_parts(hay, len) };
    let state = unsafe { &mut *state };
    if s.broken {
        return BROKEN;
    }
    let way = match &s.prefilter {
        _ if flags & scan::LINEWISE != 0 => Way::Lines,
        Some(words) => Way::Words(words),
        None if s.shaky => Way::Confirmed,
        None => match s.byte {
            Some(byte) if byte != term && scan::is_dense(byte, &hay[state.pos..]) => {
                Way::Byte(byte)
            }
            _ => Way::Buffer,
        },
    };
    let job = Job {
        way,
        term,
        flags,
        max_lines,
    };
    let scanned = caught(
        || with_engine!(&mut s.engine, e => scan(e, &mut s.found, hay, job, state)),
    );
    match scanned {
        Ok(result) => {
            s.checked(result);
            s.found.rows.len()
        }
        Err(error) => {
            s.fail(&error);
            BROKEN
        }
    }
}

/// Whether a line may match that holds this part: 0 if the part has nothing to do
/// with a match, 1 if it may have, -1 after a fault in the engine. Parts must
/// overlap by the pattern's reach less one byte, and none holds a terminator.
///
/// # Safety
/// As `tally_scan`; the pattern has a reach.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_may(s: *mut Scanner, hay: *const u8, len: usize) -> i32 {
    let s = unsafe { &mut *s };
    let hay = unsafe { std::slice::from_raw_parts(hay, len) };
    s.call(|s| {
        let all = Range {
            start: 0,
            end: hay.len(),
        };
        let word = s.prefilter.as_ref().map(|words| words.find(hay, all));
        match (word, s.reach) {
            (Some(None), _) => false,
            (_, Some(Reach::Match(_))) => {
                let result = with_engine!(&mut s.engine, e => e.is_match(hay));
                s.checked(result)
            }
            _ => true,
        }
    })
    .map_or(-1, i32::from)
}

/// # Safety
/// The rows are valid until the scanner's next scan.
#[no_mangle]
pub unsafe extern "C" fn tally_scan_rows(s: *const Scanner) -> *const Row {
    unsafe { (*s).found.rows.as_ptr() }
}

/// # Safety
/// As `tally_scan_rows`.
#[no_mangle]
pub unsafe extern "C" fn tally_scan_spans(s: *const Scanner) -> *const Span {
    unsafe { (*s).found.spans.as_ptr() }
}

/// Finds the first match at or after `at`: 1, or 0 if there is none, or -1 after a
/// fault in the engine.
///
/// # Safety
/// As `tally_scan`; `at <= len`.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_find(
    s: *mut Scanner,
    hay: *const u8,
    len: usize,
    at: usize,
    span: *mut Span,
) -> i32 {
    let s = unsafe { &mut *s };
    let hay = unsafe { std::slice::from_raw_parts(hay, len) };
    let found = s.call(|s| {
        let result = with_engine!(&mut s.engine, e => e.find_at(hay, at));
        s.checked(result)
    });
    match found {
        Some(Some(m)) => {
            unsafe { *span = m };
            1
        }
        Some(None) => 0,
        None => -1,
    }
}

/// Finds the groups of the first match at or after `at`; the result is that of
/// `tally_scanner_find`. A group that took no part in the match is `SIZE_MAX` to `SIZE_MAX`.
///
/// # Safety
/// As `tally_scanner_find`; `groups` has room for all groups of the pattern.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_groups(
    s: *mut Scanner,
    hay: *const u8,
    len: usize,
    at: usize,
    groups: *mut Span,
) -> i32 {
    let s = unsafe { &mut *s };
    let hay = unsafe { std::slice::from_raw_parts(hay, len) };
    let groups = unsafe { std::slice::from_raw_parts_mut(groups, s.groups) };
    s.call(|s| {
        let result = with_engine!(&mut s.engine, e => e.groups_at(hay, at, groups));
        s.checked(result)
    })
    .map_or(-1, i32::from)
}
