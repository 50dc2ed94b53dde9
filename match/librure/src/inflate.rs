//! DEFLATE (RFC 1951) by `zlib-rs`, for Go: a stream that comes in pieces is
//! decoded into pieces, in bounded memory. What can be decoded comes out before
//! an error does, and the last of the input that is taken is the stream's own
//! last byte.

use crate::caught::caught;
use zlib_rs::{Inflate, InflateFlush, Status};

/// The largest window that the format knows, as a power of two.
const WINDOW_BITS: u8 = 15;

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
    stream: Inflate,
    /// The stream is at its end, or none from here on.
    end: Option<Stop>,
}

/// What a call has done.
#[repr(C)]
pub struct Progress {
    /// Bytes of the input.
    taken: usize,
    /// Bytes of the output.
    given: usize,
    stop: u32,
}

impl Inflater {
    fn new() -> Inflater {
        Inflater {
            stream: Inflate::new(false, WINDOW_BITS),
            end: None,
        }
    }

    fn reset(&mut self) {
        self.stream.reset(false);
        self.end = None;
    }

    fn inflate(&mut self, input: &[u8], out: &mut [u8]) -> Progress {
        if let Some(stop) = self.end {
            return Progress {
                taken: 0,
                given: 0,
                stop: stop as u32,
            };
        }
        let (taken, given) = (self.stream.total_in(), self.stream.total_out());
        let result = self.stream.decompress(input, out, InflateFlush::NoFlush);
        let taken = (self.stream.total_in() - taken) as usize;
        let given = (self.stream.total_out() - given) as usize;
        let stop = match result {
            Ok(Status::StreamEnd) => Stop::Done,
            Ok(_) if given == out.len() => Stop::Full,
            Ok(_) => Stop::Input,
            Err(_) => Stop::Corrupt,
        };
        if stop == Stop::Done || stop == Stop::Corrupt {
            self.end = Some(stop);
        }
        Progress {
            taken,
            given,
            stop: stop as u32,
        }
    }
}

/// Returns a decoder of one stream after another, for `tally_inflater_free`.
#[no_mangle]
pub extern "C" fn tally_inflater_new() -> *mut Inflater {
    Box::into_raw(Box::new(Inflater::new()))
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
        caught(|| (*inflater).inflate(input, out)).unwrap_or(Progress {
            taken: 0,
            given: 0,
            stop: Stop::Corrupt as u32,
        })
    }
}
