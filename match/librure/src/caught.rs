//! Panics stop at the border: what fails here is an error to Go, and not the end
//! of its process.

use std::{
    any::Any,
    panic::{catch_unwind, set_hook, AssertUnwindSafe},
    sync::Once,
};

static QUIET: Once = Once::new();

/// Does the work, or says why that has failed. What the work has changed may be
/// in any state then, and must not be used again.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // The error says it all; by itself a panic prints to standard error.
    QUIET.call_once(|| set_hook(Box::new(|_| {})));
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| words(&*panic))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!(
        "the regex engine has failed: {}",
        text.unwrap_or("it gives no reason")
    )
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn a_panic_becomes_an_error() {
        let list: Vec<u8> = Vec::new();
        let at = std::hint::black_box(3);
        assert_eq!(caught(|| 7), Ok(7));
        let error = caught(|| list[at]).unwrap_err();
        assert!(error.starts_with("the regex engine has failed: index out of bounds"), "{error}");
        let error = caught(|| -> u8 { panic!("no {at}") }).unwrap_err();
        assert_eq!(error, "the regex engine has failed: no 3");
    }
}
