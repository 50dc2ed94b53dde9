//! Plans: what a pattern means for a search in lines.
//!
//! A search in lines promises that no match holds a line terminator. The
//! regex crate makes no such promise (`\s`, `[^a]`, `\W` all match `\n`), so
//! a pattern that could match one is rewritten: its classes lose the
//! terminator, and the result is printed back into pattern syntax for
//! `rure_compile`. A literal terminator cannot be taken out and is an error.

use regex_syntax::{
    ast::{self, Ast},
    hir::{self, Class, Hir, HirKind},
};

pub const CASE_INSENSITIVE: u32 = 1 << 0;
pub const SMART_CASE: u32 = 1 << 1;
pub const UNICODE: u32 = 1 << 2;
pub const CRLF: u32 = 1 << 3;
pub const DOT_ALL: u32 = 1 << 4;
pub const WORD: u32 = 1 << 5;
pub const WHOLE_LINE: u32 = 1 << 6;
/// A match may hold line terminators: nothing is taken out.
pub const MULTI_LINE: u32 = 1 << 7;
/// A pattern that can only match with a NUL byte is an error.
pub const BAN_NUL: u32 = 1 << 8;
/// The terminator is NUL instead of `\n`.
pub const NUL_TERMINATED: u32 = 1 << 9;

pub const FACT_CASE_INSENSITIVE: u32 = 1 << 0;
/// `\A` or `\z` occurs: lines have to be matched one by one.
pub const FACT_HAYSTACK_ANCHOR: u32 = 1 << 1;
/// No match can hold a terminator, whatever was asked for.
pub const FACT_WITHIN_LINE: u32 = 1 << 2;

pub struct Plan {
    pattern: String,
    error: String,
    /// 0 none, 1 syntax, 2 terminator not allowed, 3 NUL not allowed
    error_kind: u32,
    facts: u32,
}

enum Refusal {
    Syntax(String),
    Terminator(u8),
    Nul,
}

impl Plan {
    fn new(pattern: &str, flags: u32) -> Plan {
        let mut plan = Plan {
            pattern: String::new(),
            error: String::new(),
            error_kind: 0,
            facts: 0,
        };
        match plan.make(pattern, flags) {
            Ok(()) => {}
            Err(Refusal::Syntax(text)) => {
                plan.error = text;
                plan.error_kind = 1;
            }
            Err(Refusal::Terminator(byte)) => {
                plan.error = char::from(byte).to_string();
                plan.error_kind = 2;
            }
            Err(Refusal::Nul) => {
                plan.error = "\0".to_string();
                plan.error_kind = 3;
            }
        }
        plan
    }

    fn make(&mut self, pattern: &str, flags: u32) -> Result<(), Refusal> {
        let syntax = |text: String| Refusal::Syntax(text);
        let ast = ast::parse::ParserBuilder::new()
            .nest_limit(250)
            .build()
            .parse(pattern)
            .map_err(|e| syntax(e.to_string()))?;
        let insensitive = flags & CASE_INSENSITIVE != 0
            || (flags & SMART_CASE != 0 && smart_insensitive(&ast));
        let hir = hir::translate::TranslatorBuilder::new()
            .utf8(false)
            .unicode(flags & UNICODE != 0)
            .case_insensitive(insensitive)
            .multi_line(true)
            .dot_matches_new_line(flags & DOT_ALL != 0)
            .crlf(flags & CRLF != 0)
            .build()
            .translate(pattern, &ast)
            .map_err(|e| syntax(e.to_string()))?;
        if flags & BAN_NUL != 0 && !can_avoid(&hir, 0) {
            return Err(Refusal::Nul);
        }
        let terminators: &[u8] = match flags {
            f if f & NUL_TERMINATED != 0 => b"\0",
            f if f & CRLF != 0 => b"\r\n",
            _ => b"\n",
        };
        let crosses = terminators.iter().any(|&b| occurs(&hir, b));
        if insensitive {
            self.facts |= FACT_CASE_INSENSITIVE;
        }
        let looks = hir.properties().look_set();
        // `^` and `$` look for \n; where lines end otherwise, only a line
        // alone has them at its ends.
        let anchored = looks.contains_anchor_haystack()
            || flags & NUL_TERMINATED != 0
                && (looks.contains_anchor_line() || flags & WHOLE_LINE != 0);
        if anchored {
            self.facts |= FACT_HAYSTACK_ANCHOR;
        }
        // With `\A` or `\z` a search across lines means the whole haystack's
        // ends, even if no match can hold a terminator.
        if flags & MULTI_LINE == 0 || !crosses && !anchored {
            self.facts |= FACT_WITHIN_LINE;
        }
        let mut text = String::new();
        if crosses && flags & MULTI_LINE == 0 {
            let mut hir = hir;
            for &b in terminators {
                hir = without(hir, b)?;
            }
            text.push_str("(?:");
            text.push_str(&hir.to_string());
            text.push(')');
        } else {
            text.push_str("(?m");
            for (bit, letter) in [(DOT_ALL, 's'), (CRLF, 'R')] {
                if flags & bit != 0 {
                    text.push(letter);
                }
            }
            if insensitive {
                text.push('i');
            }
            if flags & UNICODE == 0 {
                text.push_str("-u");
            }
            text.push(':');
            text.push_str(pattern);
            text.push(')');
        }
        self.pattern = match flags {
            f if f & WHOLE_LINE != 0 && f & CRLF != 0 => {
                format!("(?mR:^)(?:{text})(?mR:$)")
            }
            f if f & WHOLE_LINE != 0 => format!("(?m:^)(?:{text})(?m:$)"),
            f if f & WORD != 0 && f & UNICODE == 0 => {
                format!("(?-u:\\b{{start-half}})(?:{text})(?-u:\\b{{end-half}})")
            }
            f if f & WORD != 0 => {
                format!("\\b{{start-half}}(?:{text})\\b{{end-half}}")
            }
            _ => text,
        };
        Ok(())
    }
}

/// Smart case is insensitive when the pattern has a literal and none of its
/// literals (class members and range ends included) is upper case.
fn smart_insensitive(ast: &Ast) -> bool {
    #[derive(Default)]
    struct Seen {
        literal: bool,
        upper: bool,
    }
    impl Seen {
        fn add(&mut self, l: &ast::Literal) {
            self.literal = true;
            self.upper |= l.c.is_uppercase();
        }
    }
    impl ast::Visitor for Seen {
        type Output = Seen;
        type Err = std::convert::Infallible;
        fn finish(self) -> Result<Seen, Self::Err> {
            Ok(self)
        }
        fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
            if let Ast::Literal(l) = ast {
                self.add(l);
            }
            Ok(())
        }
        fn visit_class_set_item_pre(
            &mut self,
            item: &ast::ClassSetItem,
        ) -> Result<(), Self::Err> {
            match item {
                ast::ClassSetItem::Literal(l) => self.add(l),
                ast::ClassSetItem::Range(r) => {
                    self.add(&r.start);
                    self.add(&r.end);
                }
                _ => {}
            }
            Ok(())
        }
    }
    let seen = match ast::visit(ast, Seen::default()) {
        Ok(seen) => seen,
        Err(never) => match never {},
    };
    seen.literal && !seen.upper
}

/// Whether some part of the expression can match the byte (ASCII).
fn occurs(hir: &Hir, byte: u8) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(l) => l.0.contains(&byte),
        HirKind::Class(Class::Unicode(c)) => c
            .ranges()
            .iter()
            .any(|r| r.start() <= char::from(byte) && char::from(byte) <= r.end()),
        HirKind::Class(Class::Bytes(c)) => {
            c.ranges().iter().any(|r| r.start() <= byte && byte <= r.end())
        }
        HirKind::Repetition(r) => occurs(&r.sub, byte),
        HirKind::Capture(c) => occurs(&c.sub, byte),
        HirKind::Concat(xs) | HirKind::Alternation(xs) => {
            xs.iter().any(|x| occurs(x, byte))
        }
    }
}

/// Whether the expression can do without the byte: false if a literal holds
/// it or a class has nothing else.
fn can_avoid(hir: &Hir, byte: u8) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(l) => !l.0.contains(&byte),
        HirKind::Class(Class::Unicode(c)) => !c
            .ranges()
            .iter()
            .all(|r| r.start() == char::from(byte) && r.end() == char::from(byte))
            || c.ranges().is_empty(),
        HirKind::Class(Class::Bytes(c)) => {
            !c.ranges().iter().all(|r| r.start() == byte && r.end() == byte)
                || c.ranges().is_empty()
        }
        HirKind::Repetition(r) => can_avoid(&r.sub, byte),
        HirKind::Capture(c) => can_avoid(&c.sub, byte),
        HirKind::Concat(xs) | HirKind::Alternation(xs) => {
            xs.iter().all(|x| can_avoid(x, byte))
        }
    }
}

/// The expression with the byte (ASCII) taken out of its classes.
fn without(hir: Hir, byte: u8) -> Result<Hir, Refusal> {
    if !occurs(&hir, byte) {
        return Ok(hir);
    }
    let each = |xs: Vec<Hir>| {
        xs.into_iter().map(|x| without(x, byte)).collect::<Result<Vec<_>, _>>()
    };
    Ok(match hir.into_kind() {
        HirKind::Class(Class::Unicode(mut c)) => {
            let ch = char::from(byte);
            c.difference(&hir::ClassUnicode::new([
                hir::ClassUnicodeRange::new(ch, ch),
            ]));
            if c.ranges().is_empty() {
                return Err(Refusal::Terminator(byte));
            }
            Hir::class(Class::Unicode(c))
        }
        HirKind::Class(Class::Bytes(mut c)) => {
            c.difference(&hir::ClassBytes::new([hir::ClassBytesRange::new(
                byte, byte,
            )]));
            if c.ranges().is_empty() {
                return Err(Refusal::Terminator(byte));
            }
            Hir::class(Class::Bytes(c))
        }
        HirKind::Repetition(mut r) => {
            r.sub = Box::new(without(*r.sub, byte)?);
            Hir::repetition(r)
        }
        HirKind::Capture(mut c) => {
            c.sub = Box::new(without(*c.sub, byte)?);
            Hir::capture(c)
        }
        HirKind::Concat(xs) => Hir::concat(each(xs)?),
        HirKind::Alternation(xs) => Hir::alternation(each(xs)?),
        // A literal: the byte was typed, and taking it out would search for
        // something else.
        _ => return Err(Refusal::Terminator(byte)),
    })
}

#[repr(C)]
pub struct Text {
    ptr: *const u8,
    len: usize,
}

impl Text {
    fn of(s: &str) -> Text {
        Text { ptr: s.as_ptr(), len: s.len() }
    }
}

/// # Safety
/// `pattern` points to `len` bytes of UTF-8.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_new(
    pattern: *const u8,
    len: usize,
    flags: u32,
) -> *mut Plan {
    let bytes = unsafe { std::slice::from_raw_parts(pattern, len) };
    let plan = match std::str::from_utf8(bytes) {
        Ok(p) => Plan::new(p, flags),
        Err(e) => Plan {
            pattern: String::new(),
            error: e.to_string(),
            error_kind: 1,
            facts: 0,
        },
    };
    Box::into_raw(Box::new(plan))
}

/// # Safety
/// `plan` comes from `tally_plan_new`; the text lives as long as the plan.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_pattern(plan: *const Plan) -> Text {
    Text::of(unsafe { &(*plan).pattern })
}

/// # Safety
/// As `tally_plan_pattern`.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_error(plan: *const Plan) -> Text {
    Text::of(unsafe { &(*plan).error })
}

/// # Safety
/// As `tally_plan_pattern`.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_error_kind(plan: *const Plan) -> u32 {
    unsafe { (*plan).error_kind }
}

/// # Safety
/// As `tally_plan_pattern`.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_facts(plan: *const Plan) -> u32 {
    unsafe { (*plan).facts }
}

/// # Safety
/// `plan` comes from `tally_plan_new` and is not used again.
#[no_mangle]
pub unsafe extern "C" fn tally_plan_free(plan: *mut Plan) {
    drop(unsafe { Box::from_raw(plan) });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(p: &str, flags: u32) -> Plan {
        Plan::new(p, flags | UNICODE)
    }

    #[test]
    fn rewrites_only_what_could_cross_a_line() {
        assert_eq!(planned("foo", 0).pattern, "(?m:foo)");
        for p in [r"\s", r"[^a]", r"(?s).", r"\W", r"\PL", r"[\x00-\xff]", r"a(\s|b)+c{2}"] {
            let plan = planned(p, 0);
            assert_eq!(plan.error_kind, 0, "{p}");
            let re = regex::bytes::Regex::new(&plan.pattern).unwrap();
            for hay in ["\n", "a\n\nc", "\nx\n", "a b\n \n"] {
                for m in re.find_iter(hay.as_bytes()) {
                    assert!(!m.as_bytes().contains(&b'\n'), "{p} on {hay:?}");
                }
            }
            // On a haystack without terminators nothing has changed.
            let plain = regex::bytes::Regex::new(&format!("(?m:{p})")).unwrap();
            for hay in ["a b  cc", "\u{e9}\t", "", "aac"] {
                let a: Vec<_> = re.find_iter(hay.as_bytes()).map(|m| m.range()).collect();
                let b: Vec<_> = plain.find_iter(hay.as_bytes()).map(|m| m.range()).collect();
                assert_eq!(a, b, "{p} on {hay:?}");
            }
        }
    }

    #[test]
    fn refuses_a_literal_terminator() {
        assert_eq!(planned("a\\nb", 0).error_kind, 2);
        assert_eq!(planned("[\\n]", 0).error_kind, 2);
        assert_eq!(planned("a\\rb", CRLF).error_kind, 2);
        assert_eq!(planned("a\\nb", MULTI_LINE).error_kind, 0);
        assert_eq!(planned("a\\nb", NUL_TERMINATED).error_kind, 0);
        assert_eq!(planned("\\x00", BAN_NUL).error_kind, 3);
        assert_eq!(planned("[^a]", BAN_NUL).error_kind, 0);
    }

    #[test]
    fn smart_case() {
        let insensitive = |p: &str| planned(p, SMART_CASE).facts & FACT_CASE_INSENSITIVE != 0;
        for p in ["foo", r"foo\S", r"\pLx", "[a-z]", "É".to_lowercase().as_str()] {
            assert!(insensitive(p), "{p}");
        }
        for p in ["Foo", r"\S", r"\pL", "[A-Z]", "[xA]", "É", "(?i)A", "a|B"] {
            assert!(!insensitive(p), "{p}");
        }
    }
}
