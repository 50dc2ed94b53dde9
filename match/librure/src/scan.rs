//! Scans: all matching lines of a buffer in one call.
//!
//! Crossing from Go to C costs tens of nanoseconds, more than finding the
//! next match when nearly every line has one. So the loop over a buffer's
//! matches is here: it finds a match, widens it to its line, numbers the line,
//! folds it into the digest, and goes on behind it. The same loop line by line
//! (`LINEWISE`) is both the plain twin that tests hold it against and the way
//! patterns with `\A` or `\z` are searched.

use memchr::{memchr, memchr_iter, memrchr};
use regex::bytes::Regex;
use xxhash_rust::xxh64::xxh64;

/// Rows are wanted, not only counts.
const ROWS: u32 = 1 << 0;
/// All matches of each line are wanted (or counted, without ROWS).
const SPANS: u32 = 1 << 1;
/// Lines are numbered and folded into the digest.
const DIGEST: u32 = 1 << 2;
/// Each line is a haystack of its own, without its terminator.
const LINEWISE: u32 = 1 << 3;
/// Terminators are CRLF or LF: a CR before LF belongs to the terminator.
const CRLF: u32 = 1 << 4;
/// Lines are numbered.
const NUMBER: u32 = 1 << 5;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Span {
    start: usize,
    end: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Row {
    /// The line in the buffer, terminator included.
    start: usize,
    end: usize,
    /// Its number, if lines are numbered.
    number: u64,
    /// Where its spans end in the list of spans (they begin where the row
    /// before ended); their offsets count from the line's start.
    spans_end: usize,
}

/// What a scan carries from call to call over one haystack. `pos`, `counted`
/// and `number` are set by the caller for each buffer.
#[repr(C)]
pub struct State {
    /// Where the next search starts in the buffer.
    pos: usize,
    /// Up to where in the buffer lines have been counted (a line's start).
    counted: usize,
    /// The number of the line that starts at `counted`.
    number: u64,
    lines: u64,
    matches: u64,
    digest_sum: u64,
    digest_weighted: u64,
}

/// One worker's copy of a compiled pattern with its own scratch space.
pub struct Scanner {
    re: Regex,
    rows: Vec<Row>,
    spans: Vec<Span>,
}

/// The line that holds position `at` (which must not be behind the last line).
#[inline(always)]
fn line_around(hay: &[u8], floor: usize, at: usize, term: u8) -> (usize, usize) {
    let start = memrchr(term, &hay[floor..at]).map_or(floor, |i| floor + i + 1);
    let end = memchr(term, &hay[at..]).map_or(hay.len(), |i| at + i + 1);
    (start, end)
}

/// A line without its terminator.
#[inline(always)]
fn body(line: &[u8], term: u8, crlf: bool) -> &[u8] {
    match line.split_last() {
        Some((&b, rest)) if b == term => match rest.split_last() {
            Some((b'\r', rest)) if crlf => rest,
            _ => rest,
        },
        _ => line,
    }
}

impl Scanner {
    /// The next matching line at or after `pos`.
    #[inline(always)]
    fn next(&self, hay: &[u8], mut pos: usize, term: u8, flags: u32) -> Option<(usize, usize)> {
        if flags & LINEWISE != 0 {
            while pos < hay.len() {
                let end = memchr(term, &hay[pos..]).map_or(hay.len(), |i| pos + i + 1);
                if self.re.is_match(body(&hay[pos..end], term, flags & CRLF != 0)) {
                    return Some((pos, end));
                }
                pos = end;
            }
            return None;
        }
        let m = self.re.find_at(hay, pos)?;
        // An empty match behind the last terminator is in no line.
        if m.start() == hay.len() && (hay.is_empty() || hay[hay.len() - 1] == term) {
            return None;
        }
        // `pos` is a line's start, so no earlier line can hold the match.
        Some(line_around(hay, pos, m.start(), term))
    }

    fn run(&mut self, hay: &[u8], term: u8, flags: u32, max_lines: u64, st: &mut State) {
        self.rows.clear();
        self.spans.clear();
        let mut left = max_lines;
        while left > 0 && st.pos < hay.len() {
            let Some((start, end)) = self.next(hay, st.pos, term, flags) else {
                st.pos = hay.len();
                return;
            };
            left -= 1;
            st.pos = end;
            st.lines += 1;
            if flags & (NUMBER | DIGEST) != 0 {
                st.number += memchr_iter(term, &hay[st.counted..start]).count() as u64;
                st.counted = start;
            }
            let text = body(&hay[start..end], term, flags & CRLF != 0);
            if flags & DIGEST != 0 {
                let m = xxh64(text, 0) | 1;
                st.digest_sum = st.digest_sum.wrapping_add(m);
                st.digest_weighted =
                    st.digest_weighted.wrapping_add(m.wrapping_mul(st.number));
            }
            if flags & SPANS != 0 {
                for m in self.re.find_iter(text) {
                    // Behind a line without terminator there is nothing that
                    // an empty match could stand before.
                    if m.start() >= end - start {
                        break;
                    }
                    st.matches += 1;
                    if flags & ROWS != 0 {
                        self.spans.push(Span { start: m.start(), end: m.end() });
                    }
                }
            }
            if flags & ROWS != 0 {
                self.rows.push(Row {
                    start,
                    end,
                    number: st.number,
                    spans_end: self.spans.len(),
                });
            }
        }
    }
}

/// # Safety
/// `re` comes from `rure_compile` and outlives nothing here: it is copied.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_new(re: *const rure_capi::Regex) -> *mut Scanner {
    let re: &Regex = unsafe { &*re };
    // A clone shares the compiled program but has scratch space of its own,
    // so that workers do not meet in the regex crate's pool.
    Box::into_raw(Box::new(Scanner {
        re: re.clone(),
        rows: Vec::new(),
        spans: Vec::new(),
    }))
}

/// # Safety
/// `s` comes from `tally_scanner_new` and is not used again.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_free(s: *mut Scanner) {
    drop(unsafe { Box::from_raw(s) });
}

/// Scans `hay` from `state.pos` for at most `max_lines` matching lines and
/// returns how many rows were kept.
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
    s.run(hay, term, flags, max_lines, unsafe { &mut *state });
    s.rows.len()
}

/// # Safety
/// The rows are valid until the scanner's next scan.
#[no_mangle]
pub unsafe extern "C" fn tally_scan_rows(s: *const Scanner) -> *const Row {
    unsafe { (*s).rows.as_ptr() }
}

/// # Safety
/// As `tally_scan_rows`.
#[no_mangle]
pub unsafe extern "C" fn tally_scan_spans(s: *const Scanner) -> *const Span {
    unsafe { (*s).spans.as_ptr() }
}

/// Finds the first match at or after `at`; false if there is none.
///
/// # Safety
/// As `tally_scan`; `at <= len`.
#[no_mangle]
pub unsafe extern "C" fn tally_scanner_find(
    s: *const Scanner,
    hay: *const u8,
    len: usize,
    at: usize,
    span: *mut Span,
) -> bool {
    let hay = unsafe { std::slice::from_raw_parts(hay, len) };
    match unsafe { (*s).re.find_at(hay, at) } {
        Some(m) => {
            unsafe { *span = Span { start: m.start(), end: m.end() } };
            true
        }
        None => false,
    }
}
