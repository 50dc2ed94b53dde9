//! The digest of the lines that match, as package `digest` defines it
//! (`match/digest/lines.go` says why it is what it is):
//!
//!   sum of m·r^number mod 2^61-1, twice: with the lower and with the upper
//!   half of xxh3-128(text), each without its 3 lowest bits, for m
//!
//! This is its fast twin. Lines whose numbers differ only in the lowest 6 bits
//! are added up without a reduction, with m·r^(those bits); that sum is reduced
//! once and takes the rest of the power.

use xxhash_rust::xxh3::xxh3_128;

const P: u64 = (1 << 61) - 1;

/// The two values for r: primitive roots, so that no power comes twice.
const ROOTS: [u64; 2] = [0x487e_d511_0b46_12c, 0x16fc_2a2c_515d_a557];

/// The bits of a number that a table takes at a time. 64 products of two
/// numbers below 2^61 fit into 128 bits.
const BITS: u32 = 6;
const SIZE: usize = 1 << BITS;
const LEVELS: usize = 64_usize.div_ceil(BITS as usize);

/// `POWERS[k][i]` is r^(i·SIZE^k), for both roots.
static POWERS: [[[u64; 2]; SIZE]; LEVELS] = powers();

const fn powers() -> [[[u64; 2]; SIZE]; LEVELS] {
    let mut all = [[[1; 2]; SIZE]; LEVELS];
    let mut step = ROOTS;
    let mut level = 0;
    while level < LEVELS {
        let mut i = 1;
        while i < SIZE {
            all[level][i] = times(all[level][i - 1], step);
            i += 1;
        }
        step = times(all[level][SIZE - 1], step);
        level += 1;
    }
    all
}

const fn times(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [
        reduced(a[0] as u128 * b[0] as u128),
        reduced(a[1] as u128 * b[1] as u128),
    ]
}

/// x mod P.
const fn reduced(x: u128) -> u64 {
    let sum = (x as u64 & P) + ((x >> 61) as u64 & P) + (x >> 122) as u64;
    let sum = (sum & P) + (sum >> 61);
    if sum >= P {
        sum - P
    } else {
        sum
    }
}

/// xxh3-128.
#[repr(C)]
pub struct Hash {
    lower: u64,
    upper: u64,
}

/// Hashes a text.
///
/// # Safety
/// `text` points at `len` bytes.
#[no_mangle]
pub unsafe extern "C" fn tally_hash_of(text: *const u8, len: usize) -> Hash {
    let hash = xxh3_128(unsafe { std::slice::from_raw_parts(text, len) });
    Hash {
        lower: hash as u64,
        upper: (hash >> 64) as u64,
    }
}

/// Digests of lines, both below P.
pub type Digest = [u64; 2];

/// Adds lines to a digest; what is not yet flushed is not in it.
#[derive(Default)]
pub struct Adder {
    /// The upper bits of the numbers of the lines in `sums`.
    block: u64,
    sums: [u128; 2],
}

impl Adder {
    #[inline(always)]
    pub fn add(&mut self, to: &mut Digest, text: &[u8], number: u64) {
        if number >> BITS != self.block {
            self.flush(to);
            self.block = number >> BITS;
        }
        let hash = xxh3_128(text);
        let power = &POWERS[0][number as usize % SIZE];
        self.sums[0] += u128::from(hash as u64 >> 3) * u128::from(power[0]);
        self.sums[1] += u128::from((hash >> 64) as u64 >> 3) * u128::from(power[1]);
    }

    #[inline(never)]
    pub fn flush(&mut self, to: &mut Digest) {
        let mut sums = [reduced(self.sums[0]), reduced(self.sums[1])];
        let (mut number, mut level) = (self.block, 1);
        while number != 0 {
            sums = times(sums, POWERS[level][number as usize % SIZE]);
            number >>= BITS;
            level += 1;
        }
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = reduced(u128::from(*to) + u128::from(sum));
        }
        self.sums = [0; 2];
    }
}
