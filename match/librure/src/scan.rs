//! Scans: all matching lines of a buffer in one call.
//!
//! Crossing from Go to C costs tens of nanoseconds, more than finding the
//! next match when nearly every line has one. So the loop over a buffer's
//! matches is here: it finds a match, widens it to its line, numbers the line,
//! folds it into the digest, and goes on behind it.
//!
//! The fast way to find the next line that matches is to run the pattern over
//! the buffer, which needs matches that stay within their lines. The plain one
//! is to match each line alone; `Way` names these and what is between them.

use memchr::memchr_iter;
use regex_automata::{util::prefilter::Prefilter, Span as Range};

use crate::{
    bits::{bits, BLOCK},
    buffer::{Buffer, Line},
    digest::{self, Digest},
    engine::{Engine, Failure, Matches, Span},
};

/// Rows are wanted, not only counts.
pub const ROWS: u32 = 1 << 0;
/// All matches of each line are wanted (or counted, without ROWS).
pub const SPANS: u32 = 1 << 1;
/// Lines are numbered and folded into the digest.
pub const DIGEST: u32 = 1 << 2;
/// Each line is a haystack of its own, without its terminator.
pub const LINEWISE: u32 = 1 << 3;
/// Terminators are CRLF or LF: a CR before LF belongs to the terminator.
pub const CRLF: u32 = 1 << 4;
/// Lines are numbered.
pub const NUMBER: u32 = 1 << 5;

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
    /// Where the next search starts in the buffer: a line's start.
    pub pos: usize,
    /// Up to where in the buffer lines have been counted (a line's start).
    counted: usize,
    /// The number of the line that starts at `counted`.
    number: u64,
    lines: u64,
    matches: u64,
    digest: Digest,
}

/// The lines that a scan has found.
#[derive(Default)]
pub struct Found {
    pub rows: Vec<Row>,
    pub spans: Vec<Span>,
}

/// How much of a buffer tells whether a byte is in most lines, and how many
/// of them it then holds at least.
const SAMPLE: usize = 1024;
const DENSE: usize = 8;

/// Whether a byte seems to be in most lines.
pub fn is_dense(byte: u8, hay: &[u8]) -> bool {
    memchr_iter(byte, &hay[..hay.len().min(SAMPLE)])
        .take(DENSE)
        .count()
        == DENSE
}

/// How lines that match are found.
#[derive(Clone, Copy)]
pub enum Way<'a> {
    /// The pattern runs over the whole buffer.
    Buffer,
    /// It does, and each line that it finds is matched again alone.
    Confirmed,
    /// Each line that holds one of these words is matched alone.
    Words(&'a Prefilter),
    /// This byte is looked for, and it is in most lines.
    Byte(u8),
    /// Each line is matched alone: the only way for patterns with `\A` or `\z`
    /// and for PCRE2, and what tests hold the other ways against.
    Lines,
}

/// What a scan is asked to do.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub way: Way<'a>,
    pub term: u8,
    pub flags: u32,
    pub max_lines: u64,
}

/// Scans `hay` from `st.pos` on for at most `max_lines` matching lines. After
/// a failure, `st.pos` is the start of the line that could not be matched.
#[inline(always)]
pub fn run<E: Engine>(
    engine: &mut E,
    found: &mut Found,
    hay: &[u8],
    job: Job,
    st: &mut State,
) -> Result<(), Failure> {
    found.rows.clear();
    found.spans.clear();
    if job.max_lines == 0 {
        return Ok(());
    }
    let buffer = Buffer {
        hay,
        term: job.term,
        crlf: job.flags & CRLF != 0,
    };
    let mut digest = digest::Adder::default();
    let scan = Scan {
        engine,
        found,
        buffer,
        flags: job.flags,
        left: job.max_lines,
        digest: &mut digest,
    };
    let result = match job.way {
        Way::Lines => scan.line_by_line(st, |_, pos| Ok((pos < hay.len()).then_some(pos))),
        Way::Words(words) => scan.line_by_line(st, |_, pos| {
            Ok(words
                .find(
                    hay,
                    Range {
                        start: pos,
                        end: hay.len(),
                    },
                )
                .map(|word| word.start))
        }),
        Way::Confirmed => scan.line_by_line(st, |engine, pos| engine.touch_at(hay, pos)),
        Way::Byte(byte) => scan.byte(st, byte),
        Way::Buffer if job.flags & SPANS != 0 => scan.matches(st),
        Way::Buffer => scan.whole(st),
    };
    if job.flags & DIGEST != 0 {
        digest.flush(&mut st.digest);
    }
    result
}

struct Scan<'a, E> {
    engine: &'a mut E,
    found: &'a mut Found,
    buffer: Buffer<'a>,
    flags: u32,
    left: u64,
    digest: &'a mut digest::Adder,
}

impl<E: Engine> Scan<'_, E> {
    /// Matches lines alone. `candidate` returns a place in the next line that
    /// may match, given a line's start.
    #[inline(always)]
    fn line_by_line(
        mut self,
        st: &mut State,
        candidate: impl Fn(&mut E, usize) -> Result<Option<usize>, Failure>,
    ) -> Result<(), Failure> {
        let hay = self.buffer.hay;
        while self.left > 0 && st.pos < hay.len() {
            let Some(at) = candidate(self.engine, st.pos)? else {
                st.pos = hay.len();
                break;
            };
            if at == hay.len() && hay.last() == Some(&self.buffer.term) {
                st.pos = at; // an empty match behind the last line
                break;
            }
            let line = self.buffer.line_around(st.pos, at);
            let text = &self.buffer.hay[line.start..line.text];
            st.pos = line.start;
            if self.flags & SPANS != 0 {
                let mut matches = Matches::from(0);
                let mut next = matches.next(self.engine, text)?;
                if next.is_some() {
                    let kept = self.found.spans.len();
                    let mut n = 0;
                    while let Some(m) = next {
                        n += self.span(line, line.start + m.start, line.start + m.end);
                        next = matches
                            .next(self.engine, text)
                            .inspect_err(|_| self.found.spans.truncate(kept))?;
                    }
                    st.matches += n.max(1);
                    self.row(st, line);
                }
            } else if self.engine.is_match(text)? {
                self.row(st, line);
            }
            st.pos = line.end;
        }
        Ok(())
    }

    /// Runs over the buffer from match to match.
    #[inline(always)]
    fn matches(mut self, st: &mut State) -> Result<(), Failure> {
        let buffer = self.buffer;
        let mut matches = Matches::from(st.pos);
        let mut next = self.next_match(&mut matches, buffer.hay)?;
        while let Some(first) = next {
            if st.pos == buffer.hay.len() {
                break; // an empty match behind the last line, which is done
            }
            let line = buffer.line_around(st.pos, first.start);
            st.pos = line.end;
            let mut n = self.span(line, first.start, first.end);
            // With the last line that is asked for the search ends, so that
            // it does not run on to a match that nobody wants.
            let end = if self.left == 1 {
                line.text
            } else {
                buffer.hay.len()
            };
            loop {
                next = self.next_match(&mut matches, &buffer.hay[..end])?;
                match next {
                    Some(m) if m.start < line.end => n += self.span(line, m.start, m.end),
                    _ => break,
                }
            }
            st.matches += n.max(1);
            self.row(st, line);
            if self.left == 0 {
                return Ok(());
            }
        }
        st.pos = buffer.hay.len();
        Ok(())
    }

    #[inline(always)]
    fn next_match(&mut self, matches: &mut Matches, hay: &[u8]) -> Result<Option<Span>, Failure> {
        loop {
            match matches.next(self.engine, hay)? {
                Some(m) if m.start == m.end && self.buffer.nowhere(m.start) => {}
                m => return Ok(m),
            }
        }
    }

    /// Runs over the buffer from line to line.
    #[inline(always)]
    fn whole(mut self, st: &mut State) -> Result<(), Failure> {
        let buffer = self.buffer;
        let mut from = st.pos;
        while self.left > 0 && from < buffer.hay.len() {
            let Some(at) = self.engine.touch_at(buffer.hay, from)? else {
                break;
            };
            if buffer.nowhere(at) {
                // Only an empty match ends here: the line has no other, or
                // that would have been found before.
                from = at + 1;
                continue;
            }
            let line = buffer.line_around(st.pos, at);
            from = line.end;
            st.pos = line.end;
            self.row(st, line);
        }
        if self.left > 0 {
            st.pos = buffer.hay.len();
        }
        Ok(())
    }

    /// Runs over the buffer in blocks and takes lines and matches from the
    /// bits of each. Where nearly every line matches, looking for the next
    /// match, its line's start and its end would begin three searches anew
    /// for every few bytes.
    #[inline(always)]
    fn byte(mut self, st: &mut State, needle: u8) -> Result<(), Failure> {
        let hay = self.buffer.hay;
        let numbered = self.flags & (NUMBER | DIGEST) != 0;
        if numbered && st.counted < st.pos {
            st.number += memchr_iter(self.buffer.term, &hay[st.counted..st.pos]).count() as u64;
            st.counted = st.pos;
        }
        let (mut start, mut hit) = (st.pos, false);
        for at in (st.pos..hay.len()).step_by(BLOCK) {
            let (mut needles, mut ends) = bits(&hay[at..], needle, self.buffer.term);
            loop {
                // The bits up to the line's end, or all that are left.
                let within = ends ^ ends.wrapping_sub(1);
                let mut found = needles & within;
                hit |= found != 0;
                while found != 0 && self.flags & SPANS != 0 {
                    st.matches += 1;
                    if self.flags & ROWS != 0 {
                        let m = at + found.trailing_zeros() as usize - start;
                        self.found.spans.push(Span {
                            start: m,
                            end: m + 1,
                        });
                    }
                    found &= found - 1;
                }
                if ends == 0 {
                    break;
                }
                let text = at + ends.trailing_zeros() as usize;
                needles &= !within;
                ends &= ends - 1;
                let line = self.buffer.ended(start, text);
                start = line.end;
                if hit {
                    hit = false;
                    self.row(st, line);
                    if self.left == 0 {
                        st.pos = start;
                        return Ok(());
                    }
                } else if numbered {
                    st.number += 1;
                    st.counted = start;
                }
            }
        }
        if hit {
            self.row(
                st,
                Line {
                    start,
                    text: hay.len(),
                    end: hay.len(),
                },
            );
        }
        st.pos = hay.len();
        Ok(())
    }

    /// Keeps a match, given by its place in the buffer, and returns how many
    /// it counts for: behind a line without terminator there is nothing that
    /// an empty match could stand before. (A line that has only such a match
    /// matches once all the same.)
    #[inline(always)]
    fn span(&mut self, line: Line, start: usize, end: usize) -> u64 {
        if start >= line.end {
            return 0;
        }
        if self.flags & ROWS != 0 {
            self.found.spans.push(Span {
                start: start - line.start,
                end: end - line.start,
            });
        }
        1
    }

    /// Counts a line and keeps it.
    #[inline(always)]
    fn row(&mut self, st: &mut State, line: Line) {
        self.left -= 1;
        st.lines += 1;
        let hay = self.buffer.hay;
        let mut number = 0;
        if self.flags & (NUMBER | DIGEST) != 0 {
            if st.counted < line.start {
                st.number +=
                    memchr_iter(self.buffer.term, &hay[st.counted..line.start]).count() as u64;
            }
            number = st.number;
            // The line itself is counted right away, so that nothing is left
            // to count where the next one matches too.
            st.counted = line.end;
            st.number += 1;
        }
        if self.flags & DIGEST != 0 {
            let text = &hay[line.start..line.text];
            self.digest.add(&mut st.digest, text, number);
        }
        if self.flags & ROWS != 0 {
            self.found.rows.push(Row {
                start: line.start,
                end: line.end,
                number,
                spans_end: self.found.spans.len(),
            });
        }
    }
}
