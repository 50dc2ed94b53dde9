//! Engines: what a scan asks of a compiled pattern.
//!
//! A scan is compiled once for each engine, so that the inner loop holds no
//! choice between them. An engine value belongs to one scanner: its scratch
//! space is its own, and workers do not meet in a pool.

use memchr::memmem;
use regex_automata::{meta, util::captures::Captures, Input};

/// Half-open, in bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// What a group that took no part in a match has matched.
    pub const NONE: Span = Span {
        start: usize::MAX,
        end: usize::MAX,
    };
}

/// Why a search could not be carried out: a PCRE2 error code (negative).
pub type Failure = i32;

pub trait Engine {
    /// The first match that starts at or after `at`.
    fn find_at(&mut self, hay: &[u8], at: usize) -> Result<Option<Span>, Failure>;

    /// A place within or at the end of a match in the first line that has one,
    /// searched from `at`; cheaper than the match itself. Only asked of
    /// patterns whose matches stay within their lines.
    fn touch_at(&mut self, hay: &[u8], at: usize) -> Result<Option<usize>, Failure> {
        Ok(self.find_at(hay, at)?.map(|m| m.end))
    }

    fn is_match(&mut self, hay: &[u8]) -> Result<bool, Failure> {
        Ok(self.find_at(hay, 0)?.is_some())
    }

    /// The groups of the first match at or after `at`, the match itself
    /// first, into `groups`, which has room for all of them.
    fn groups_at(&mut self, hay: &[u8], at: usize, groups: &mut [Span]) -> Result<bool, Failure>;
}

/// A pattern that rure has compiled.
pub struct Rure {
    pub re: regex::bytes::Regex,
    pub locations: regex::bytes::CaptureLocations,
}

impl Rure {
    pub fn new(re: &regex::bytes::Regex) -> Rure {
        // A clone shares the program, not the pool of scratch space.
        Rure {
            re: re.clone(),
            locations: re.capture_locations(),
        }
    }
}

impl Engine for Rure {
    #[inline(always)]
    fn find_at(&mut self, hay: &[u8], at: usize) -> Result<Option<Span>, Failure> {
        Ok(self.re.find_at(hay, at).map(|m| Span {
            start: m.start(),
            end: m.end(),
        }))
    }

    #[inline(always)]
    fn touch_at(&mut self, hay: &[u8], at: usize) -> Result<Option<usize>, Failure> {
        Ok(self.re.shortest_match_at(hay, at))
    }

    #[inline(always)]
    fn is_match(&mut self, hay: &[u8]) -> Result<bool, Failure> {
        Ok(self.re.is_match(hay))
    }

    fn groups_at(&mut self, hay: &[u8], at: usize, groups: &mut [Span]) -> Result<bool, Failure> {
        let found = self
            .re
            .captures_read_at(&mut self.locations, hay, at)
            .is_some();
        if found {
            for (i, group) in groups.iter_mut().enumerate() {
                *group = self
                    .locations
                    .get(i)
                    .map_or(Span::NONE, |(start, end)| Span { start, end });
            }
        }
        Ok(found)
    }
}

/// A pattern that is one literal text: what rure finds by the same search for
/// words, without the way to it.
pub struct Literal {
    text: Box<memmem::Finder<'static>>,
}

impl Literal {
    pub fn new(text: &memmem::Finder<'static>) -> Literal {
        Literal {
            text: Box::new(text.clone()),
        }
    }
}

impl Engine for Literal {
    #[inline(always)]
    fn find_at(&mut self, hay: &[u8], at: usize) -> Result<Option<Span>, Failure> {
        Ok(self.text.find(&hay[at..]).map(|i| {
            let start = at + i;
            Span {
                start,
                end: start + self.text.needle().len(),
            }
        }))
    }

    fn groups_at(&mut self, hay: &[u8], at: usize, groups: &mut [Span]) -> Result<bool, Failure> {
        let m = self.find_at(hay, at)?;
        if let (Some(m), Some(group)) = (m, groups.first_mut()) {
            *group = m;
        }
        Ok(m.is_some())
    }
}

/// A pattern that a plan has compiled, for what rure would be slow to: it
/// takes text, and a text of 100,000 alternatives would be parsed twice.
pub struct Meta {
    re: meta::Regex,
    cache: meta::Cache,
    captures: Captures,
}

impl Meta {
    pub fn new(re: &meta::Regex) -> Meta {
        Meta {
            cache: re.create_cache(),
            captures: re.create_captures(),
            re: re.clone(),
        }
    }
}

impl Engine for Meta {
    #[inline(always)]
    fn find_at(&mut self, hay: &[u8], at: usize) -> Result<Option<Span>, Failure> {
        let input = Input::new(hay).range(at..);
        let m = self.re.search_with(&mut self.cache, &input);
        Ok(m.map(|m| Span {
            start: m.start(),
            end: m.end(),
        }))
    }

    #[inline(always)]
    fn touch_at(&mut self, hay: &[u8], at: usize) -> Result<Option<usize>, Failure> {
        let input = Input::new(hay).range(at..).earliest(true);
        Ok(self
            .re
            .search_half_with(&mut self.cache, &input)
            .map(|m| m.offset()))
    }

    #[inline(always)]
    fn is_match(&mut self, hay: &[u8]) -> Result<bool, Failure> {
        Ok(self.touch_at(hay, 0)?.is_some())
    }

    fn groups_at(&mut self, hay: &[u8], at: usize, groups: &mut [Span]) -> Result<bool, Failure> {
        let input = Input::new(hay).range(at..);
        self.re
            .search_captures_with(&mut self.cache, &input, &mut self.captures);
        for (i, group) in groups.iter_mut().enumerate() {
            *group = self.captures.get_group(i).map_or(Span::NONE, |g| Span {
                start: g.start,
                end: g.end,
            });
        }
        Ok(self.captures.is_match())
    }
}

/// The non-overlapping matches of a haystack from left to right. An empty
/// match directly behind the match before it is none.
pub struct Matches {
    at: usize,
    last: usize,
}

impl Matches {
    #[inline(always)]
    pub fn from(at: usize) -> Matches {
        Matches {
            at,
            last: usize::MAX,
        }
    }

    #[inline(always)]
    pub fn next<E: Engine>(&mut self, engine: &mut E, hay: &[u8]) -> Result<Option<Span>, Failure> {
        while self.at <= hay.len() {
            let Some(m) = engine.find_at(hay, self.at)? else {
                break;
            };
            let repeated = m.start == m.end && m.end == self.last;
            self.at = if m.start == m.end { m.end + 1 } else { m.end };
            if !repeated {
                self.last = m.end;
                return Ok(Some(m));
            }
        }
        self.at = hay.len() + 1;
        Ok(None)
    }
}
