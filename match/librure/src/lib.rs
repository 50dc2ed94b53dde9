//! The static library that tally links: the C API of the `regex` crate as it
//! is (crate `rure`), and beside it what that API lacks: a *plan*, which reads
//! patterns as a line-oriented grep must (`plan`), PCRE2 as a second engine
//! (`pcre2`), and a *scan*, which finds all matching lines of a buffer in one
//! call, whichever engine has compiled the pattern (`scan`). A *sieve* finds where a
//! large expression may match, as fast as a text is read (`sieve`). `inflate` decodes
//! DEFLATE, which has nothing to do with the others but that it has to be fast.
//!
//! Every pointer that crosses this border is documented where it does, in
//! `pattern`, `scanner`, `inflate` and `digest`; `tally.h` declares the same for C.

pub use rure_capi::*;

mod bits;
mod buffer;
mod caught;
mod digest;
mod engine;
mod inflate;
mod inner;
mod lines;
mod pattern;
mod pcre2;
mod plan;
mod scan;
mod scanner;
mod sieve;
