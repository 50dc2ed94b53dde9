//! Bytes as bits: where in a block two bytes are.

/// The number of bytes in a block.
pub const BLOCK: usize = 64;

/// Returns one bit for each byte of the block at the start of `hay` that is
/// `a`, and one for each that is `b`. Behind the end of `hay` there is neither.
#[inline(always)]
pub fn bits(hay: &[u8], a: u8, b: u8) -> (u64, u64) {
    match hay.first_chunk() {
        Some(block) => of_block(block, a, b),
        None => plain(hay, a, b),
    }
}

/// Every x86-64 has these instructions.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn of_block(block: &[u8; BLOCK], a: u8, b: u8) -> (u64, u64) {
    use std::arch::x86_64::*;
    let (mut of_a, mut of_b) = (0, 0);
    for (i, part) in block.chunks_exact(16).enumerate() {
        // SAFETY: a part is 16 bytes, and the load needs no alignment.
        unsafe {
            let bytes = _mm_loadu_si128(part.as_ptr().cast());
            let equal = |x: u8| {
                let same = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(x as i8));
                u64::from(_mm_movemask_epi8(same) as u32) << (16 * i)
            };
            of_a |= equal(a);
            of_b |= equal(b);
        }
    }
    (of_a, of_b)
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn of_block(block: &[u8; BLOCK], a: u8, b: u8) -> (u64, u64) {
    plain(block, a, b)
}

/// The same byte by byte, for at most a block.
fn plain(hay: &[u8], a: u8, b: u8) -> (u64, u64) {
    hay.iter()
        .enumerate()
        .fold((0, 0), |(of_a, of_b), (i, &x)| {
            (of_a | u64::from(x == a) << i, of_b | u64::from(x == b) << i)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_its_bytes() {
        let mut x = 1u32;
        let mut hay = [0; BLOCK + 7];
        for _ in 0..1000 {
            for byte in &mut hay {
                x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                *byte = (x >> 30) as u8 | 0xfc * (x >> 29 & 1) as u8;
            }
            for n in [0, 1, BLOCK - 1, BLOCK, BLOCK + 7] {
                let want = plain(&hay[..n.min(BLOCK)], 1, 0xfe);
                assert_eq!(bits(&hay[..n], 1, 0xfe), want, "{n} bytes");
            }
        }
    }
}
