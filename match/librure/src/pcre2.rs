//! PCRE2 as an engine: compiled with ripgrep's settings, with machine code
//! where the platform has it, and with scratch space for each scanner.

use std::{ffi::c_void, ptr, sync::Arc};

use pcre2_sys::*;

use crate::{
    engine::{Engine, Failure, Span},
    plan::{CASE_INSENSITIVE, CRLF, DOT_ALL, FIXED, SMART_CASE, UNICODE, WHOLE_LINE, WORD},
};

/// How far the stack of compiled patterns may grow; ripgrep's value. Only what
/// is used of it takes memory.
const JIT_STACK_MAX: usize = 10 << 20;
const JIT_STACK_START: usize = 32 << 10;

/// PCRE2's word for a start behind the end (`\K` where it makes no sense).
const ERROR_INTERNAL: Failure = -44;

pub struct Code {
    ptr: *mut pcre2_code_8,
    jit: bool,
    pub insensitive: bool,
}

// SAFETY: a compiled pattern is never written to after `compile` returns.
unsafe impl Send for Code {}
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        unsafe { pcre2_code_free_8(self.ptr) }
    }
}

impl Code {
    /// Compiles what matches where any of the patterns does. The flags are
    /// those of a plan.
    pub fn compile(patterns: &[&str], flags: u32) -> Result<Code, String> {
        let text = joined(patterns, flags);
        let mut options = PCRE2_MULTILINE;
        if flags & UNICODE != 0 {
            options |= PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF;
        }
        if flags & DOT_ALL != 0 {
            options |= PCRE2_DOTALL;
        }
        let insensitive =
            flags & CASE_INSENSITIVE != 0 || flags & SMART_CASE != 0 && !has_upper(&text.joined);
        if insensitive {
            options |= PCRE2_CASELESS;
        }
        // SAFETY: the context is freed on every way out, and PCRE2 keeps no
        // reference to it or to the text.
        unsafe {
            let context = pcre2_compile_context_create_8(ptr::null_mut());
            assert!(!context.is_null(), "out of memory");
            if flags & CRLF != 0 {
                pcre2_set_newline_8(context, PCRE2_NEWLINE_ANYCRLF);
            }
            let (mut code, mut offset) = (0, 0);
            let text = &text.bounded;
            let compiled = pcre2_compile_8(
                text.as_ptr(),
                text.len(),
                options,
                &mut code,
                &mut offset,
                context,
            );
            pcre2_compile_context_free_8(context);
            if compiled.is_null() {
                return Err(format!(
                    "PCRE2: error compiling pattern at offset {offset}: {}",
                    message(code)
                ));
            }
            // Where this fails, PCRE2 interprets the pattern.
            let jit = pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE) == 0;
            Ok(Code {
                ptr: compiled,
                jit,
                insensitive,
            })
        }
    }

    /// The name of each group, the whole match included; empty for none.
    pub fn names(&self) -> Vec<String> {
        let number = |what| {
            let mut value: u32 = 0;
            unsafe { pcre2_pattern_info_8(self.ptr, what, (&raw mut value).cast()) };
            value as usize
        };
        let mut names = vec![String::new(); 1 + number(PCRE2_INFO_CAPTURECOUNT)];
        let size = number(PCRE2_INFO_NAMEENTRYSIZE);
        let mut table: *const u8 = ptr::null();
        unsafe { pcre2_pattern_info_8(self.ptr, PCRE2_INFO_NAMETABLE, (&raw mut table).cast()) };
        for i in 0..number(PCRE2_INFO_NAMECOUNT) {
            // An entry is the group's number in two bytes, high one first,
            // then its name, filled up with NUL.
            let entry = unsafe { std::slice::from_raw_parts(table.add(i * size), size) };
            let name = entry[2..].split(|&b| b == 0).next().unwrap_or_default();
            let group = usize::from(entry[0]) << 8 | usize::from(entry[1]);
            names[group] = String::from_utf8_lossy(name).into_owned();
        }
        names
    }
}

/// One pattern of several, as it was typed and within its boundaries.
struct Text {
    joined: String,
    bounded: String,
}

fn joined(patterns: &[&str], flags: u32) -> Text {
    let mut joined = String::new();
    for (i, p) in patterns.iter().enumerate() {
        joined.push_str(if i == 0 { "(?:" } else { "|(?:" });
        if flags & FIXED != 0 {
            quote(p, &mut joined);
        } else {
            joined.push_str(p);
        }
        joined.push(')');
    }
    let bounded = match flags {
        f if f & WHOLE_LINE != 0 => format!("(?m:^)(?:{joined})(?m:$)"),
        f if f & WORD != 0 => format!(r"(?<!\w)(?:{joined})(?!\w)"),
        _ => joined.clone(),
    };
    Text { joined, bounded }
}

fn quote(literal: &str, to: &mut String) {
    for c in literal.chars() {
        if r"\.+*?()|[]{}^$#-".contains(c) {
            to.push('\\');
        }
        to.push(c);
    }
}

/// Whether a character that is not escaped is upper case: all that smart case
/// knows about patterns whose syntax only PCRE2 can read.
fn has_upper(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c.is_uppercase() {
            return true;
        }
    }
    false
}

/// PCRE2's text for one of its error codes.
pub fn message(code: i32) -> String {
    let mut text = [0u8; 256];
    let n = unsafe { pcre2_get_error_message_8(code, text.as_mut_ptr(), text.len()) };
    String::from_utf8_lossy(&text[..usize::try_from(n).unwrap_or(0)]).into_owned()
}

/// A compiled pattern with what one scanner needs to run it.
pub struct Pcre2 {
    code: Arc<Code>,
    data: *mut pcre2_match_data_8,
    context: *mut pcre2_match_context_8,
    stack: *mut pcre2_jit_stack_8,
}

impl Pcre2 {
    pub fn new(code: &Arc<Code>) -> Pcre2 {
        // SAFETY: `drop` frees these, and the match context refers to the
        // stack no longer than both live.
        unsafe {
            let data = pcre2_match_data_create_from_pattern_8(code.ptr, ptr::null_mut());
            let context = pcre2_match_context_create_8(ptr::null_mut());
            assert!(!data.is_null() && !context.is_null(), "out of memory");
            let mut stack = ptr::null_mut();
            if code.jit {
                stack = pcre2_jit_stack_create_8(JIT_STACK_START, JIT_STACK_MAX, ptr::null_mut());
                assert!(!stack.is_null(), "out of memory");
                pcre2_jit_stack_assign_8(context, None, stack.cast::<c_void>());
            }
            Pcre2 {
                code: code.clone(),
                data,
                context,
                stack,
            }
        }
    }

    /// Where the groups of the last match are: two offsets for each.
    fn offsets(&self) -> &[usize] {
        unsafe {
            let count = pcre2_get_ovector_count_8(self.data) as usize;
            std::slice::from_raw_parts(pcre2_get_ovector_pointer_8(self.data), 2 * count)
        }
    }
}

impl Drop for Pcre2 {
    fn drop(&mut self) {
        unsafe {
            pcre2_jit_stack_free_8(self.stack);
            pcre2_match_context_free_8(self.context);
            pcre2_match_data_free_8(self.data);
        }
    }
}

impl Engine for Pcre2 {
    fn find_at(&mut self, hay: &[u8], at: usize) -> Result<Option<Span>, Failure> {
        // SAFETY: `data` was made for this pattern, and no other thread uses
        // it; PCRE2_MATCH_INVALID_UTF lets the haystack be any bytes.
        let n = unsafe {
            pcre2_match_8(
                self.code.ptr,
                hay.as_ptr(),
                hay.len(),
                at,
                0,
                self.data,
                self.context,
            )
        };
        match n {
            PCRE2_ERROR_NOMATCH => Ok(None),
            n if n < 0 => Err(n),
            _ => {
                let offsets = self.offsets();
                let m = Span {
                    start: offsets[0],
                    end: offsets[1],
                };
                if m.start > m.end {
                    return Err(ERROR_INTERNAL);
                }
                Ok(Some(m))
            }
        }
    }

    fn groups_at(&mut self, hay: &[u8], at: usize, groups: &mut [Span]) -> Result<bool, Failure> {
        if self.find_at(hay, at)?.is_none() {
            return Ok(false);
        }
        // PCRE2 marks a group that took no part as Span::NONE does.
        for (group, at) in groups.iter_mut().zip(self.offsets().chunks_exact(2)) {
            *group = Span {
                start: at[0],
                end: at[1],
            };
        }
        Ok(true)
    }
}

/// Whether PCRE2 compiles to machine code on this platform.
pub fn has_jit() -> bool {
    let mut value: u32 = 0;
    unsafe { pcre2_config_8(PCRE2_CONFIG_JIT, (&raw mut value).cast()) };
    value == 1
}
