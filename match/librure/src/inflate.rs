//! DEFLATE (RFC 1951): a stream that comes in pieces is decoded into pieces,
//! in bounded memory. What can be decoded comes out before an error does.
//!
//! Between two calls no more than the bits of one unfinished symbol, or of one
//! field, wait in `Place::bits`; so a stream ends at its own last byte,
//! whatever stands behind it.

mod fast;
mod table;

use fast::{Exit, Place};
use table::{Table, END, LITERAL, OTHER};

const LITERAL_ROOT: usize = 11;
const DISTANCE_ROOT: usize = 8;

/// The codes of a block.
pub struct Codes {
    literals: Table<LITERAL_ROOT, { (1 << LITERAL_ROOT) + 288 / 2 * 16 }>,
    distances: Table<DISTANCE_ROOT, { (1 << DISTANCE_ROOT) + 32 / 2 * 128 }>,
    /// They are those that every decoder knows.
    fixed: bool,
}

/// How far back a match may lie.
const WINDOW: usize = 32 << 10;

/// How much is decoded at once: what a second-level cache has room for.
const FRESH: usize = 64 << 10;

/// The order in which the lengths of the codes' codes come (3.2.7).
const LENGTHS_ORDER: [u8; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// The most literals and lengths, and the most distances, that a block may
/// have codes for.
const MAX_LITERALS: usize = 286;
const MAX_DISTANCES: usize = 30;

/// What comes next in a stream.
#[derive(Clone, Copy)]
enum State {
    /// The first bits of a block.
    Head,
    /// The size of a block that is not compressed.
    Size,
    /// The rest of one, in bytes.
    Stored(usize),
    /// How many codes a block describes.
    Counts,
    /// The lengths of the codes that the codes' lengths are written in.
    Lengths {
        of: usize,
        at: usize,
    },
    /// The lengths of the codes.
    Codes {
        at: usize,
    },
    Symbols,
    End(Stop),
}

/// Why decoding does not go on.
#[derive(Clone, Copy, PartialEq)]
#[repr(u32)]
enum Stop {
    /// More input is needed.
    Input = 0,
    /// What was decoded has to be taken first.
    Full = 1,
    Done = 2,
    Corrupt = 3,
}

pub struct Inflater {
    state: State,
    /// No block follows this one.
    last: bool,
    place: Place,
    /// Up to `place.to` the output: what matches refer to, and from `given` on
    /// what nobody has taken yet.
    out: [u8; WINDOW + FRESH + fast::ROOM],
    given: usize,
    /// The lengths of the codes of a block, and how many are of literals.
    lengths: [u8; MAX_LITERALS + MAX_DISTANCES],
    literals: usize,
    all: usize,
    lengths_code: Table<7, 128>,
    codes: Codes,
}

impl Inflater {
    fn new() -> Box<Inflater> {
        Box::new(Inflater {
            state: State::Head,
            last: false,
            place: Place {
                bits: 0,
                count: 0,
                from: 0,
                to: 0,
            },
            out: [0; WINDOW + FRESH + fast::ROOM],
            given: 0,
            lengths: [0; MAX_LITERALS + MAX_DISTANCES],
            literals: 0,
            all: 0,
            lengths_code: Table::new(),
            codes: Codes {
                literals: Table::new(),
                distances: Table::new(),
                fixed: false,
            },
        })
    }

    /// Starts with another stream.
    fn reset(&mut self) {
        self.state = State::Head;
        self.place.bits = 0;
        self.place.count = 0;
        self.place.to = 0;
        self.given = 0;
    }

    /// Decodes from `input` to `out`.
    fn inflate(&mut self, input: &[u8], out: &mut [u8]) -> Progress {
        self.place.from = 0;
        let mut stop = Stop::Full;
        if self.given == self.place.to {
            if self.place.to >= WINDOW + FRESH {
                self.out
                    .copy_within(self.place.to - WINDOW..self.place.to, 0);
                self.place.to = WINDOW;
                self.given = WINDOW;
            }
            stop = match self.decode(input) {
                Err(stop) => stop,
                Ok(never) => match never {},
            };
        }
        let n = out.len().min(self.place.to - self.given);
        out[..n].copy_from_slice(&self.out[self.given..self.given + n]);
        self.given += n;
        if self.given < self.place.to {
            stop = Stop::Full;
        } else if let State::End(end) = self.state {
            stop = end;
        }
        Progress {
            taken: self.place.from,
            given: n,
            stop,
        }
    }

    fn decode(&mut self, input: &[u8]) -> Result<Never, Stop> {
        loop {
            let next = self.step(input);
            match next {
                Ok(state) => self.state = state,
                Err(stop @ (Stop::Done | Stop::Corrupt)) => {
                    self.state = State::End(stop);
                    return Err(stop);
                }
                Err(stop) => return Err(stop),
            }
        }
    }

    fn step(&mut self, input: &[u8]) -> Result<State, Stop> {
        match self.state {
            State::Head => {
                let head = self.take(input, 3)?;
                self.last = head & 1 != 0;
                match head >> 1 {
                    0 => {
                        // The block begins with a whole byte.
                        self.consume(self.place.count % 8);
                        Ok(State::Size)
                    }
                    1 => self.use_fixed_codes(),
                    2 => Ok(State::Counts),
                    _ => Err(Stop::Corrupt),
                }
            }
            State::Size => {
                let size = self.take(input, 32)?;
                if size & 0xFFFF != !(size >> 16) & 0xFFFF {
                    return Err(Stop::Corrupt);
                }
                Ok(State::Stored(size & 0xFFFF))
            }
            State::Stored(0) => self.block_ended(),
            State::Stored(left) => self.store(input, left),
            State::Counts => {
                let counts = self.take(input, 14)?;
                self.literals = (counts & 31) + 257;
                let distances = (counts >> 5 & 31) + 1;
                self.all = self.literals + distances;
                if self.literals > MAX_LITERALS || distances > MAX_DISTANCES {
                    return Err(Stop::Corrupt);
                }
                self.lengths[..LENGTHS_ORDER.len()].fill(0);
                let of = (counts >> 10) + 4;
                Ok(State::Lengths { of, at: 0 })
            }
            State::Lengths { of, at } if at == of => {
                let lengths = &self.lengths[..LENGTHS_ORDER.len()];
                if !self.lengths_code.build(lengths, table::code_length) {
                    return Err(Stop::Corrupt);
                }
                Ok(State::Codes { at: 0 })
            }
            State::Lengths { of, at } => {
                let length = self.take(input, 3)?;
                self.lengths[usize::from(LENGTHS_ORDER[at])] = length as u8;
                Ok(State::Lengths { of, at: at + 1 })
            }
            State::Codes { at } if at == self.all => self.use_codes(),
            State::Codes { at } => self.length(input, at),
            State::Symbols => self.symbols(input),
            State::End(stop) => Err(stop),
        }
    }

    /// Makes `n` bits available, at most 56. That `input` has too few is no
    /// loss: those that it has are kept.
    #[inline(always)]
    fn need(&mut self, input: &[u8], n: u32) -> Result<(), Stop> {
        let p = &mut self.place;
        while p.count < n {
            let byte = input.get(p.from).ok_or(Stop::Input)?;
            p.bits |= u64::from(*byte) << p.count;
            p.count += 8;
            p.from += 1;
        }
        Ok(())
    }

    #[inline(always)]
    fn consume(&mut self, n: u32) {
        self.place.bits >>= n;
        self.place.count -= n;
    }

    /// Takes a field of `n` bits.
    fn take(&mut self, input: &[u8], n: u32) -> Result<usize, Stop> {
        self.need(input, n)?;
        let field = self.place.bits & ((1 << n) - 1);
        self.consume(n);
        Ok(field as usize)
    }

    fn block_ended(&self) -> Result<State, Stop> {
        if self.last {
            return Err(Stop::Done);
        }
        Ok(State::Head)
    }

    /// Copies what is not compressed.
    fn store(&mut self, input: &[u8], left: usize) -> Result<State, Stop> {
        let p = &mut self.place;
        let n = left
            .min(input.len() - p.from)
            .min((WINDOW + FRESH).saturating_sub(p.to));
        self.out[p.to..p.to + n].copy_from_slice(&input[p.from..p.from + n]);
        p.from += n;
        p.to += n;
        if n == 0 {
            return Err(if p.from == input.len() {
                Stop::Input
            } else {
                Stop::Full
            });
        }
        Ok(State::Stored(left - n))
    }

    fn use_fixed_codes(&mut self) -> Result<State, Stop> {
        let codes = &mut self.codes;
        if !codes.fixed {
            let (literals, distances) = table::fixed_lengths();
            codes.literals.build(&literals, table::literal_or_length);
            codes.distances.build(&distances, table::distance);
            codes.fixed = true;
        }
        Ok(State::Symbols)
    }

    fn use_codes(&mut self) -> Result<State, Stop> {
        let (literals, distances) = self.lengths[..self.all].split_at(self.literals);
        let codes = &mut self.codes;
        codes.fixed = false;
        if codes.literals.build(literals, table::literal_or_length)
            && codes.distances.build(distances, table::distance)
        {
            Ok(State::Symbols)
        } else {
            Err(Stop::Corrupt)
        }
    }

    /// Decodes the length of a code, or of several.
    fn length(&mut self, input: &[u8], at: usize) -> Result<State, Stop> {
        let entry = loop {
            let entry = self.lengths_code.look_up(self.place.bits);
            if self.place.count >= code_bits(entry) {
                break entry;
            }
            self.need(input, self.place.count + 1)?;
        };
        if entry & OTHER != 0 {
            return Err(Stop::Corrupt);
        }
        let symbol = (entry >> 16) as u8;
        let (base, extra, length) = match symbol {
            16 if at == 0 => return Err(Stop::Corrupt),
            16 => (3, 2, self.lengths[at - 1]),
            17 => (3, 3, 0),
            18 => (11, 7, 0),
            _ => (1, 0, symbol),
        };
        let code = code_bits(entry);
        self.need(input, code + extra)?;
        self.consume(code);
        let times = base + self.take(input, extra)?;
        if at + times > self.all {
            return Err(Stop::Corrupt);
        }
        self.lengths[at..at + times].fill(length);
        Ok(State::Codes { at: at + times })
    }

    /// Decodes symbols until the block ends.
    fn symbols(&mut self, input: &[u8]) -> Result<State, Stop> {
        loop {
            if self.place.to >= WINDOW + FRESH {
                return Err(Stop::Full);
            }
            match fast::run(&self.codes, input, &mut self.out, &mut self.place) {
                Exit::Edge => {}
                Exit::Block => return self.block_ended(),
                Exit::Corrupt => return Err(Stop::Corrupt),
            }
            if self.place.to < WINDOW + FRESH && self.symbol(input)? {
                return self.block_ended();
            }
        }
    }

    /// Decodes one symbol, and the distance that belongs to it, with no bit
    /// more than these have. Returns true at the end of the block. What it
    /// cannot finish it does not begin.
    fn symbol(&mut self, input: &[u8]) -> Result<bool, Stop> {
        let entry = loop {
            let entry = self.codes.literals.look_up(self.place.bits);
            if self.place.count >= code_bits(entry) {
                break entry;
            }
            self.need(input, self.place.count + 1)?;
        };
        if entry & LITERAL != 0 {
            self.consume(code_bits(entry));
            self.out[self.place.to] = (entry >> 16) as u8;
            self.place.to += 1;
            return Ok(false);
        }
        if entry & OTHER != 0 {
            if entry & END == 0 {
                return Err(Stop::Corrupt);
            }
            self.consume(code_bits(entry));
            return Ok(true);
        }
        let before = all_bits(entry);
        self.need(input, before)?;
        let length = value(entry, self.place.bits);
        let entry = loop {
            let entry = self.codes.distances.look_up(self.place.bits >> before);
            if self.place.count >= before + code_bits(entry) {
                break entry;
            }
            self.need(input, self.place.count + 1)?;
        };
        if entry & OTHER != 0 {
            return Err(Stop::Corrupt);
        }
        self.need(input, before + all_bits(entry))?;
        let distance = value(entry, self.place.bits >> before);
        let to = self.place.to;
        if distance > to {
            return Err(Stop::Corrupt);
        }
        self.consume(before + all_bits(entry));
        for i in to..to + length {
            self.out[i] = self.out[i - distance];
        }
        self.place.to += length;
        Ok(false)
    }
}

/// How many bits an entry's code has.
fn code_bits(entry: u32) -> u32 {
    entry >> 8 & 31
}

/// How many bits an entry's code and what belongs to it have.
fn all_bits(entry: u32) -> u32 {
    entry & 0xFF
}

/// The length or distance that the next bits are.
fn value(entry: u32, bits: u64) -> usize {
    let extra = bits & ((1 << all_bits(entry)) - 1);
    (entry >> 16) as usize + (extra >> code_bits(entry)) as usize
}

/// No value, since decoding ends only by a [`Stop`].
enum Never {}

/// What a call of [`tally_inflate`] has done.
#[repr(C)]
pub struct Progress {
    taken: usize,
    given: usize,
    stop: Stop,
}

#[no_mangle]
pub extern "C" fn tally_inflater_new() -> *mut Inflater {
    Box::into_raw(Inflater::new())
}

/// # Safety
/// `inflater` comes from `tally_inflater_new` and is not used again.
#[no_mangle]
pub unsafe extern "C" fn tally_inflater_free(inflater: *mut Inflater) {
    drop(unsafe { Box::from_raw(inflater) });
}

/// Starts with another stream.
///
/// # Safety
/// `inflater` comes from `tally_inflater_new`.
#[no_mangle]
pub unsafe extern "C" fn tally_inflater_reset(inflater: *mut Inflater) {
    unsafe { (*inflater).reset() };
}

/// Decodes what comes next in the stream, as far as the input reaches and as
/// the output has room. An end, or that the stream is corrupt, is said with
/// the last of the output, and again by every later call.
///
/// # Safety
/// `inflater` comes from `tally_inflater_new` and no other thread uses it;
/// `input` points to `input_len` bytes and `out` to `out_len`, which are not
/// the same.
#[no_mangle]
pub unsafe extern "C" fn tally_inflate(
    inflater: *mut Inflater,
    input: *const u8,
    input_len: usize,
    out: *mut u8,
    out_len: usize,
) -> Progress {
    unsafe {
        let input = std::slice::from_raw_parts(input, input_len);
        let out = std::slice::from_raw_parts_mut(out, out_len);
        (*inflater).inflate(input, out)
    }
}
