//! Huffman codes as tables (RFC 1951, 3.2.2 to 3.2.6).
//!
//! A table is looked up with the next bits of the stream, the first one
//! lowest. Codes of at most `root` bits are there as often as other bits may
//! follow them; a longer one leads to a second table behind the first, which
//! its further bits are looked up in. All second tables of a code are of one
//! size.
//!
//! An entry, from its lowest bit:
//!
//! | bits | what |
//! |---|---|
//! | 0–7 | how many bits to consume: the code's and the extra ones behind it |
//! | 8–12 | how many of them are the code's |
//! | 13–15 | [`END`], [`LINK`], [`OTHER`] |
//! | 16–30 | the literal, the base of a length or distance, or where a second table begins |
//! | 31 | [`LITERAL`] |

/// The symbol is a byte of the text.
pub const LITERAL: u32 = 1 << 31;
/// The symbol is neither literal nor length nor distance: [`LINK`], [`END`],
/// or, without these, no symbol at all.
pub const OTHER: u32 = 1 << 15;
/// The code goes on in a second table.
pub const LINK: u32 = 1 << 14;
/// The end of the block.
pub const END: u32 = 1 << 13;

/// The longest code.
const MAX_BITS: usize = 15;

/// The most symbols that a code has.
const MAX_SYMBOLS: usize = 288;

/// What the bits behind a length or a distance are added to, and their number.
type Base = (u16, u8);

#[rustfmt::skip]
const LENGTHS: [Base; 29] = [
    (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1),
    (15, 1), (17, 1), (19, 2), (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3),
    (67, 4), (83, 4), (99, 4), (115, 4), (131, 5), (163, 5), (195, 5), (227, 5), (258, 0),
];

#[rustfmt::skip]
const DISTANCES: [Base; 30] = [
    (1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (7, 1), (9, 2), (13, 2), (17, 3), (25, 3),
    (33, 4), (49, 4), (65, 5), (97, 5), (129, 6), (193, 6), (257, 7), (385, 7), (513, 8), (769, 8),
    (1025, 9), (1537, 9), (2049, 10), (3073, 10), (4097, 11), (6145, 11), (8193, 12), (12289, 12),
    (16385, 13), (24577, 13),
];

const fn of_base((base, extra): Base) -> u32 {
    (base as u32) << 16 | extra as u32
}

/// What the symbols of literals, lengths and the end mean.
pub fn literal_or_length(symbol: usize) -> u32 {
    match symbol {
        0..=255 => LITERAL | (symbol as u32) << 16,
        256 => OTHER | END,
        _ => LENGTHS.get(symbol - 257).map_or(OTHER, |b| of_base(*b)),
    }
}

/// What the symbols of distances mean.
pub fn distance(symbol: usize) -> u32 {
    DISTANCES.get(symbol).map_or(OTHER, |b| of_base(*b))
}

/// What the symbols mean of which the lengths of codes are written.
pub fn code_length(symbol: usize) -> u32 {
    (symbol as u32) << 16
}

/// The lengths of the codes that every decoder knows, literals and lengths
/// before distances.
pub fn fixed_lengths() -> ([u8; 288], [u8; 32]) {
    let mut lengths = [8; 288];
    lengths[144..256].fill(9);
    lengths[256..280].fill(7);
    (lengths, [5; 32])
}

/// A code, with `ROOT` bits for the first of the tables that share `SIZE`
/// entries. At most every second symbol needs a second table, since one holds
/// two symbols at least; that gives `SIZE`.
pub struct Table<const ROOT: usize, const SIZE: usize> {
    pub entries: [u32; SIZE],
    /// How many bits a second table is looked up with.
    pub further: u32,
}

impl<const ROOT: usize, const SIZE: usize> Table<ROOT, SIZE> {
    pub const fn new() -> Self {
        Table {
            entries: [OTHER; SIZE],
            further: 0,
        }
    }

    /// Returns what the next bits are, with what is to consume counted from
    /// the first of them.
    #[inline(always)]
    pub fn look_up(&self, bits: u64) -> u32 {
        let entry = self.entries[bits as usize & ((1 << ROOT) - 1)];
        if entry & LINK == 0 {
            return entry;
        }
        self.follow(entry, bits >> ROOT) + (ROOT as u32 * 0x101)
    }

    /// Returns what the bits behind those of a link are.
    #[inline(always)]
    pub fn follow(&self, link: u32, bits: u64) -> u32 {
        let at = bits as usize & ((1 << self.further) - 1);
        self.entries[(link >> 16) as usize + at]
    }

    /// Makes the table of a code from the lengths of its symbols' codes, zero
    /// for those that have none. Returns false if there is no such code. The
    /// code may be empty, or one symbol with one bit; then other bits are no
    /// symbol.
    pub fn build(&mut self, lengths: &[u8], meaning: impl Fn(usize) -> u32) -> bool {
        let mut count = [0usize; MAX_BITS + 1];
        for &n in lengths {
            count[usize::from(n)] += 1;
        }
        let longest = (1..=MAX_BITS).rev().find(|&n| count[n] > 0).unwrap_or(0);
        let used: usize = (1..=longest).map(|n| count[n] << (longest - n)).sum();
        if used != 1 << longest && (longest > 1 || used > 1) {
            return false;
        }
        let mut start = [0usize; MAX_BITS + 2];
        for n in 1..=MAX_BITS {
            start[n + 1] = start[n] + count[n];
        }
        let mut in_order = [0u16; MAX_SYMBOLS];
        let mut next = start;
        for (symbol, &n) in lengths.iter().enumerate().filter(|(_, &n)| n > 0) {
            in_order[next[usize::from(n)]] = symbol as u16;
            next[usize::from(n)] += 1;
        }

        self.further = longest.saturating_sub(ROOT) as u32;
        self.entries[..2].fill(OTHER | ((longest.min(1) as u32) * 0x101));
        let (mut code, mut end) = (0u16, 1 << ROOT);
        for n in 1..=longest.max(ROOT) {
            if n > 1 {
                code <<= 1;
                if n <= ROOT {
                    // The bit that comes in has either value behind the others.
                    self.entries.copy_within(..1 << (n - 1), 1 << (n - 1));
                }
            }
            if n > longest {
                continue;
            }
            for &symbol in &in_order[start[n]..start[n + 1]] {
                let bits = usize::from(code.reverse_bits() >> (16 - n));
                code = code.wrapping_add(1);
                let meaning = meaning(usize::from(symbol));
                if n <= ROOT {
                    self.entries[bits] = meaning + n as u32 * 0x101;
                } else {
                    self.put_far(bits, n, meaning, &mut end);
                }
            }
        }
        true
    }

    /// Enters a symbol with a code of `n` bits, more than `ROOT`, into a second
    /// table; a new one begins at `end`.
    fn put_far(&mut self, bits: usize, n: usize, meaning: u32, end: &mut usize) {
        let link = &mut self.entries[bits & ((1 << ROOT) - 1)];
        if *link & LINK == 0 {
            *link = OTHER | LINK | ((*end as u32) << 16) | (ROOT as u32 * 0x101);
            *end += 1 << self.further;
        }
        let table = (*link >> 16) as usize;
        let entry = meaning + (n - ROOT) as u32 * 0x101;
        for at in (bits >> ROOT..1 << self.further).step_by(1 << (n - ROOT)) {
            self.entries[table + at] = entry;
        }
    }
}
