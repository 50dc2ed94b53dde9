//! The static library that tally links: the C API of the `regex` crate as it
//! is (crate `rure`), and beside it two things that API lacks: a *plan*, which
//! reads a pattern as a line-oriented grep must (`plan`), and a *scan*, which
//! finds all matching lines of a buffer in one call (`scan`).
//!
//! Every pointer that crosses this border is documented in `tally.h`.

pub use rure_capi::*;

mod plan;
mod scan;
