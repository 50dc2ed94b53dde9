//! Patterns: what is compiled once and shared by all workers, and the calls
//! that make one.

use std::sync::Arc;

use memchr::memmem;
use regex_automata::{meta, util::prefilter::Prefilter};

use crate::{
    caught::caught,
    engine::{Literal, Meta, Rure},
    pcre2::{self, Pcre2},
    plan::{Plan, Reach, FACT_HAYSTACK_ANCHOR, FACT_INSENSITIVE, FACT_WITHIN_LINE, MULTI_LINE},
};

/// A compiled pattern, or the reason why there is none.
pub struct Pattern {
    compiled: Result<Compiled, String>,
    /// The group's names, the whole match first; empty for none.
    names: Vec<String>,
    pub prefilter: Option<Prefilter>,
    pub shaky: bool,
    pub reach: Option<Reach>,
    facts: u32,
}

enum Compiled {
    Literal(Box<memmem::Finder<'static>>),
    Rure(regex::bytes::Regex),
    Meta(meta::Regex),
    Pcre2(Arc<pcre2::Code>),
}

/// A pattern's engine for one scanner, which holds it in memory of its own, so
/// that its size does not matter.
#[allow(clippy::large_enum_variant)]
pub enum AnyEngine {
    Literal(Literal),
    Rure(Rure),
    Meta(Meta),
    Pcre2(Pcre2),
}

impl Pattern {
    fn refused(error: String) -> Pattern {
        Pattern {
            compiled: Err(error),
            names: Vec::new(),
            prefilter: None,
            shaky: false,
            reach: None,
            facts: 0,
        }
    }

    fn of_rure(re: &regex::bytes::Regex, plan: &Plan) -> Pattern {
        Pattern {
            names: re
                .capture_names()
                .map(|n| n.unwrap_or_default().to_string())
                .collect(),
            compiled: Ok(match &plan.literal {
                Some(text) => Compiled::Literal(Box::new(memmem::Finder::new(text).into_owned())),
                None => Compiled::Rure(re.clone()),
            }),
            prefilter: plan.prefilter.clone(),
            shaky: plan.shaky,
            reach: plan.reach,
            facts: plan.facts,
        }
    }

    fn of_plan(plan: &Plan, size_limit: usize, dfa_size_limit: usize) -> Pattern {
        // ripgrep's configuration.
        let config = meta::Config::new()
            .utf8_empty(false)
            .nfa_size_limit(Some(size_limit))
            .hybrid_cache_capacity(dfa_size_limit)
            .onepass_size_limit(Some(10 << 20))
            .dfa_size_limit(Some(1 << 20))
            .dfa_state_limit(Some(1_000));
        match meta::Builder::new()
            .configure(config)
            .build_from_hir(&plan.hir)
        {
            Ok(re) => Pattern {
                names: re
                    .group_info()
                    .pattern_names(regex_automata::PatternID::ZERO)
                    .map(|n| n.unwrap_or_default().to_string())
                    .collect(),
                compiled: Ok(Compiled::Meta(re)),
                prefilter: plan.prefilter.clone(),
                shaky: plan.shaky,
                reach: plan.reach,
                facts: plan.facts,
            },
            Err(e) => Pattern::refused(match e.size_limit() {
                Some(limit) => format!("compiled regex exceeds size limit of {limit}"),
                None => e.to_string(),
            }),
        }
    }

    fn of_pcre2(patterns: &[&str], flags: u32) -> Pattern {
        match pcre2::Code::compile(patterns, flags) {
            Ok(code) => {
                let mut facts = 0;
                if code.insensitive {
                    facts |= FACT_INSENSITIVE;
                }
                if flags & MULTI_LINE == 0 {
                    // What PCRE2 could match is not known, and its looks behind
                    // and ahead may see other lines: each line is matched alone.
                    facts |= FACT_WITHIN_LINE | FACT_HAYSTACK_ANCHOR;
                }
                Pattern {
                    names: code.names(),
                    compiled: Ok(Compiled::Pcre2(Arc::new(code))),
                    prefilter: None,
                    shaky: false,
                    reach: None,
                    facts,
                }
            }
            Err(e) => Pattern::refused(e),
        }
    }

    pub fn groups(&self) -> usize {
        self.names.len()
    }

    /// The byte that is all that the pattern matches.
    pub fn byte(&self) -> Option<u8> {
        match &self.compiled {
            Ok(Compiled::Literal(text)) if text.needle().len() == 1 => Some(text.needle()[0]),
            _ => None,
        }
    }

    /// An engine of its own for each caller. The pattern must be compiled.
    pub fn engine(&self) -> AnyEngine {
        match &self.compiled {
            Ok(Compiled::Literal(text)) => AnyEngine::Literal(Literal::new(text)),
            Ok(Compiled::Rure(re)) => AnyEngine::Rure(Rure::new(re)),
            Ok(Compiled::Meta(re)) => AnyEngine::Meta(Meta::new(re)),
            Ok(Compiled::Pcre2(code)) => AnyEngine::Pcre2(Pcre2::new(code)),
            Err(e) => unreachable!("{e}"),
        }
    }
}

/// A text that belongs to what it was taken from.
#[repr(C)]
pub struct Text {
    ptr: *const u8,
    len: usize,
}

impl Text {
    pub fn of(s: &str) -> Text {
        Text {
            ptr: s.as_ptr(),
            len: s.len(),
        }
    }
}

/// Reads `n` patterns that stand one after the other in `text`, each ending
/// where `ends` says.
unsafe fn patterns<'a>(
    text: *const u8,
    ends: *const usize,
    n: usize,
) -> Result<Vec<&'a str>, String> {
    let ends = unsafe { std::slice::from_raw_parts(ends, n) };
    let mut start = 0;
    ends.iter()
        .map(|&end| {
            let bytes = unsafe { std::slice::from_raw_parts(text.add(start), end - start) };
            start = end;
            std::str::from_utf8(bytes).map_err(|e| e.to_string())
        })
        .collect()
}

/// # Safety
/// `text` holds the patterns and `ends` their `n` ends; neither is null.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_new(
    text: *const u8,
    ends: *const usize,
    n: usize,
    flags: u32,
) -> *mut Result<Plan, String> {
    let plan = unsafe { patterns(text, ends, n) }
        .and_then(|p| caught(|| Plan::new(&p, flags)).and_then(|plan| plan));
    Box::into_raw(Box::new(plan))
}

/// Why there is no plan; empty if there is one.
///
/// # Safety
/// `plan` comes from `tally_plan_new`; the text lives as long as the plan.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_error(plan: *const Result<Plan, String>) -> Text {
    Text::of(unsafe { &*plan }.as_ref().err().map_or("", String::as_str))
}

/// What `rure_compile` is to compile; empty if the plan should be compiled
/// by itself.
///
/// # Safety
/// As `tally_plan_error`.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_text(plan: *const Result<Plan, String>) -> Text {
    Text::of(unsafe { &*plan }.as_ref().map_or("", |p| p.text.as_str()))
}

/// # Safety
/// `plan` comes from `tally_plan_new` and is not used again.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_free(plan: *mut Result<Plan, String>) {
    drop(unsafe { Box::from_raw(plan) });
}

fn planned(plan: &Result<Plan, String>, compile: impl FnOnce(&Plan) -> Pattern) -> *mut Pattern {
    Box::into_raw(Box::new(match plan {
        Ok(plan) => caught(|| compile(plan)).unwrap_or_else(Pattern::refused),
        Err(e) => Pattern::refused(e.clone()),
    }))
}

/// The pattern that rure compiled from the plan's text.
///
/// # Safety
/// `plan` comes from `tally_plan_new`, `re` from `rure_compile`; both may be
/// freed afterwards.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_of_rure(
    plan: *const Result<Plan, String>,
    re: *const rure_capi::Regex,
) -> *mut Pattern {
    let re: &regex::bytes::Regex = unsafe { &*re };
    planned(unsafe { &*plan }, |plan| Pattern::of_rure(re, plan))
}

/// Compiles the plan itself; the limits are in bytes.
///
/// # Safety
/// As `tally_pattern_of_rure`.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_of_plan(
    plan: *const Result<Plan, String>,
    size_limit: usize,
    dfa_size_limit: usize,
) -> *mut Pattern {
    planned(unsafe { &*plan }, |plan| {
        Pattern::of_plan(plan, size_limit, dfa_size_limit)
    })
}

/// Compiles patterns in PCRE2's syntax.
///
/// # Safety
/// As `tally_plan_new`.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_of_pcre2(
    text: *const u8,
    ends: *const usize,
    n: usize,
    flags: u32,
) -> *mut Pattern {
    let pattern = match unsafe { patterns(text, ends, n) } {
        Ok(patterns) => {
            caught(|| Pattern::of_pcre2(&patterns, flags)).unwrap_or_else(Pattern::refused)
        }
        Err(e) => Pattern::refused(e),
    };
    Box::into_raw(Box::new(pattern))
}

/// Why the pattern is not compiled; empty if it is.
///
/// # Safety
/// The text lives as long as the pattern.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_error(p: *const Pattern) -> Text {
    Text::of(
        unsafe { &*p }
            .compiled
            .as_ref()
            .err()
            .map_or("", String::as_str),
    )
}

/// # Safety
/// `p` is a pattern.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_facts(p: *const Pattern) -> u32 {
    unsafe { (*p).facts }
}

/// How many bytes at a time tell that a line does not match, as
/// `tally_scanner_may` finds out; 0 if only the whole line does.
///
/// # Safety
/// `p` is a pattern.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_reach(p: *const Pattern) -> usize {
    unsafe { &*p }.reach.map_or(0, Reach::bytes)
}

/// # Safety
/// `p` is a pattern.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_groups(p: *const Pattern) -> usize {
    unsafe { &*p }.groups()
}

/// # Safety
/// `p` is a pattern, and the text lives as long; `group` is less than the
/// number of its groups.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_group_name(p: *const Pattern, group: usize) -> Text {
    Text::of(&unsafe { &*p }.names[group])
}

/// # Safety
/// `p` is a pattern and is not used again.
#[no_mangle]
pub unsafe extern "C" fn tally_pattern_free(p: *mut Pattern) {
    drop(unsafe { Box::from_raw(p) });
}

/// The version of PCRE2: the number before the dot times 1000, plus the one
/// behind it. It is the version that crate pcre2-sys states, and that ripgrep
/// prints.
#[no_mangle]
pub extern "C" fn tally_pcre2_version() -> u32 {
    pcre2_sys::PCRE2_MAJOR * 1000 + pcre2_sys::PCRE2_MINOR
}

/// Whether PCRE2 compiles patterns to machine code on this platform.
#[no_mangle]
pub extern "C" fn tally_pcre2_jit() -> bool {
    pcre2::has_jit()
}
