//! Buffers: where the lines of a scanned buffer are.

use memchr::{memchr, memrchr};

/// The buffer of a scan: whole lines.
#[derive(Clone, Copy)]
pub struct Buffer<'h> {
    pub hay: &'h [u8],
    pub term: u8,
    pub crlf: bool,
}

/// A line in a buffer: where it begins, where its text ends, and where it
/// ends.
#[derive(Clone, Copy)]
pub struct Line {
    pub start: usize,
    pub text: usize,
    pub end: usize,
}

impl Buffer<'_> {
    /// The line that begins at `start` and holds the place `at`.
    #[inline(always)]
    pub fn line(&self, start: usize, at: usize) -> Line {
        let Some(i) = memchr(self.term, &self.hay[at..]) else {
            let end = self.hay.len();
            return Line {
                start,
                text: end,
                end,
            };
        };
        self.ended(start, at + i)
    }

    /// The line that begins at `start` and whose terminator is at `at`.
    #[inline(always)]
    pub fn ended(&self, start: usize, at: usize) -> Line {
        let returned = self.crlf && at > start && self.hay[at - 1] == b'\r';
        Line {
            start,
            text: at - usize::from(returned),
            end: at + 1,
        }
    }

    /// The line that holds the place `at`, which is not before `floor`, a
    /// line's start.
    #[inline(always)]
    pub fn line_around(&self, floor: usize, at: usize) -> Line {
        let start = memrchr(self.term, &self.hay[floor..at]).map_or(floor, |i| floor + i + 1);
        self.line(start, at)
    }

    /// Whether a place where an empty match was found is in no line: within a
    /// terminator of two bytes, or behind the last one.
    #[inline(always)]
    pub fn nowhere(&self, at: usize) -> bool {
        match self.hay.get(at) {
            Some(&b) => self.crlf && b == self.term && at > 0 && self.hay[at - 1] == b'\r',
            None => self.hay.last() == Some(&self.term),
        }
    }
}
