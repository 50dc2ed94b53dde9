//! The inner loop: symbols of a block while there is plenty of input and of
//! room, so that neither is looked at more than once for each match. Its plain
//! twin is `Inflater::symbol`, which goes on where there is not; the fuzz
//! target of package inflate compares them.

use super::{
    table::{END, LINK, LITERAL, OTHER},
    Codes, DISTANCE_ROOT, LITERAL_ROOT,
};

/// How many bytes of input the loop wants: two refills in a round, each of
/// which reads eight and moves on by at most seven, and one before the first.
pub const INPUT: usize = 32;

/// How many bytes of room the loop wants: three literals, the longest match,
/// and what copying in units of 16 bytes writes behind it.
pub const ROOM: usize = 3 + 258 + 16;

/// Why the loop ended.
pub enum Exit {
    /// Less than [`INPUT`] or [`ROOM`] is left.
    Edge,
    /// The block has ended.
    Block,
    /// The next bits are no symbol, or go back too far.
    Corrupt,
}

/// Where a stream stands.
#[derive(Clone, Copy)]
pub struct Place {
    /// The next bits, the first one lowest; those behind `count` are zero.
    pub bits: u64,
    pub count: u32,
    /// The next byte of input that is not in `bits`.
    pub from: usize,
    /// Where the next byte of output goes.
    pub to: usize,
}

impl Place {
    /// Gives whole bytes back to the input.
    fn give_back(&mut self) {
        self.from -= (self.count / 8) as usize;
        self.count %= 8;
        self.bits &= (1 << self.count) - 1;
    }
}

/// Decodes from `input` to `out`, which holds all that may be referred to. The
/// bits at hand are fewer than the next symbol has.
pub fn run(codes: &Codes, input: &[u8], out: &mut [u8], p: &mut Place) -> Exit {
    if p.from + INPUT > input.len() || p.to + ROOM > out.len() {
        return Exit::Edge;
    }
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has the instructions; for the rest see below.
        return unsafe { run_bmi2(codes, input, out, p) };
    }
    // SAFETY: there is input and room for the first round.
    unsafe { rounds(codes, input, out, p) }
}

/// The same with shifts that need no certain register, which saves a fifth.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
unsafe fn run_bmi2(codes: &Codes, input: &[u8], out: &mut [u8], p: &mut Place) -> Exit {
    unsafe { rounds(codes, input, out, p) }
}

/// Bits at hand. Of `count` only the lowest six bits mean something, since
/// whole entries are subtracted from it; what is in `bits` behind them is the
/// input that follows, which a refill finds again.
struct Bits {
    bits: u64,
    count: u32,
    next: *const u8,
}

impl Bits {
    /// Makes at least 56 bits available.
    ///
    /// # Safety
    /// Eight bytes can be read at `next`.
    #[inline(always)]
    unsafe fn refill(&mut self) {
        let more = u64::from_le_bytes(unsafe { self.next.cast::<[u8; 8]>().read() });
        let count = self.count & 63;
        self.bits |= more << count;
        self.next = unsafe { self.next.add(((63 - count) >> 3) as usize) };
        self.count = count | 56;
    }

    #[inline(always)]
    fn consume(&mut self, entry: u32) {
        self.bits = self.bits.wrapping_shr(entry);
        self.count = self.count.wrapping_sub(entry);
    }

    /// Consumes a length or a distance, and returns it.
    #[inline(always)]
    fn value(&mut self, entry: u32) -> usize {
        let all = self.bits & !(u64::MAX.wrapping_shl(entry));
        let extra = all.wrapping_shr(entry >> 8);
        self.consume(entry);
        (entry >> 16) as usize + extra as usize
    }
}

/// # Safety
/// There are [`INPUT`] bytes behind `p.from` and [`ROOM`] behind `p.to`.
#[inline(always)]
unsafe fn rounds(codes: &Codes, input: &[u8], out: &mut [u8], p: &mut Place) -> Exit {
    let first = input.as_ptr();
    let base = out.as_mut_ptr();
    let last_from = unsafe { first.add(input.len() - INPUT) };
    let last_to = unsafe { base.add(out.len() - ROOM) };
    let mut to = unsafe { base.add(p.to) };
    let mut b = Bits {
        bits: p.bits,
        count: p.count,
        next: unsafe { first.add(p.from) },
    };
    let literals = &codes.literals;
    let look = |b: &Bits| literals.entries[b.bits as usize & ((1 << LITERAL_ROOT) - 1)];

    // SAFETY, for all of the loop: a round begins with `next <= last_from` and
    // `to <= last_to`, and reads and writes no more than the two allow for. A
    // round consumes at most 56 bits between refills: two literals from the
    // first table and one symbol of 20 bits, then 28 bits of a distance.
    let exit = unsafe {
        b.refill();
        let mut entry = look(&b);
        loop {
            if entry & LITERAL != 0 {
                b.consume(entry);
                to.write((entry >> 16) as u8);
                to = to.add(1);
                entry = look(&b);
                if entry & LITERAL != 0 {
                    b.consume(entry);
                    to.write((entry >> 16) as u8);
                    to = to.add(1);
                    entry = look(&b);
                }
            }
            if entry & OTHER != 0 && entry & LINK != 0 {
                b.consume(entry);
                entry = literals.follow(entry, b.bits);
            }
            if entry & LITERAL != 0 {
                b.consume(entry);
                to.write((entry >> 16) as u8);
                to = to.add(1);
            } else if entry & OTHER != 0 {
                b.consume(entry);
                break if entry & END != 0 {
                    Exit::Block
                } else {
                    Exit::Corrupt
                };
            } else {
                let length = b.value(entry);
                b.refill();
                let mut entry =
                    codes.distances.entries[b.bits as usize & ((1 << DISTANCE_ROOT) - 1)];
                if entry & LINK != 0 && entry & OTHER != 0 {
                    b.consume(entry);
                    entry = codes.distances.follow(entry, b.bits);
                }
                if entry & OTHER != 0 {
                    b.consume(entry);
                    break Exit::Corrupt;
                }
                let distance = b.value(entry);
                if distance > to.offset_from(base) as usize {
                    break Exit::Corrupt;
                }
                copy(to, distance, length);
                to = to.add(length);
            }
            if b.next > last_from || to > last_to {
                break Exit::Edge;
            }
            b.refill();
            entry = look(&b);
        }
    };
    p.bits = b.bits;
    p.count = b.count & 63;
    // SAFETY: both point into their slices, or to their ends.
    unsafe {
        p.from = b.next.offset_from(first) as usize;
        p.to = to.offset_from(base) as usize;
    }
    p.give_back();
    exit
}

/// Repeats the `length` bytes that begin `distance` before `to`.
///
/// # Safety
/// There are `distance` bytes before `to`, and room for `length` and 16 more.
#[inline(always)]
unsafe fn copy(to: *mut u8, distance: usize, length: usize) {
    unsafe {
        let end = to.add(length);
        let mut from = to.sub(distance).cast_const();
        let mut to = to;
        if distance >= 16 {
            loop {
                to.cast::<[u8; 16]>().write(from.cast::<[u8; 16]>().read());
                to = to.add(16);
                from = from.add(16);
                if to >= end {
                    break;
                }
            }
        } else if distance == 1 {
            to.write_bytes(*from, length);
        } else {
            // What the bytes behind the first `distance` get, the next steps
            // correct.
            let step = distance.min(8);
            loop {
                to.cast::<[u8; 8]>().write(from.cast::<[u8; 8]>().read());
                to = to.add(step);
                from = from.add(step);
                if to >= end {
                    break;
                }
            }
        }
    }
}
