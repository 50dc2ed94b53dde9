//! Plans: what patterns mean for a search in lines.
//!
//! A search in lines promises that no match holds a line terminator. The
//! regex crate makes no such promise (`\s`, `[^a]`, `\W` all match `\n`), so
//! a pattern that could match one is rewritten: its classes lose the
//! terminator, and the result is printed back into pattern syntax for
//! `rure_compile`. A literal terminator cannot be taken out and is an error.

use regex_automata::util::prefilter::Prefilter;
use regex_syntax::{
    ast::{self, Ast},
    hir::{self, Hir, HirKind, Look},
};

use crate::{
    inner,
    lines::{can_avoid, occurs, without, Typed},
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
/// Patterns are literal text.
pub const FIXED: u32 = 1 << 10;

/// `\A` or `\z` occurs: lines have to be matched one by one.
pub const FACT_HAYSTACK_ANCHOR: u32 = 1 << 0;
/// No match can hold a terminator, whatever was asked for.
pub const FACT_WITHIN_LINE: u32 = 1 << 1;
/// Case is ignored, because that was asked for or by smart case.
pub const FACT_INSENSITIVE: u32 = 1 << 2;

/// Patterns of more text than this are compiled from the plan's expression
/// instead of being handed to rure as text, which would be parsed once more.
const MAX_TEXT: usize = 64 << 10;

pub struct Plan {
    /// For `rure_compile`; empty if the expression is to be compiled instead.
    pub text: String,
    pub hir: Hir,
    pub facts: u32,
    /// Finds candidates for lines that match, if that is worth it.
    pub prefilter: Option<Prefilter>,
    /// What is matched, if that is this text and nothing else.
    pub literal: Option<Vec<u8>>,
    /// A line that matches in its buffer may not match alone.
    pub shaky: bool,
    /// How a part of a line tells that there is no match in it.
    pub reach: Option<Reach>,
}

/// What a part of a line must hold if the line matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// A match of at most so many bytes, with what it looks at around it.
    Match(usize),
    /// A word of the prefilter, of at most so many bytes.
    Word(usize),
}

impl Reach {
    pub fn bytes(self) -> usize {
        match self {
            Reach::Match(n) | Reach::Word(n) => n,
        }
    }
}

/// The longest match that is looked for in parts, in bytes.
const MAX_REACH: usize = 64 << 10;

/// What a look can see on both sides of a match together: a character on each.
const LOOKED_AT: usize = 8;

/// One pattern of several, parsed.
struct Parsed {
    /// As it was typed; empty if nobody will ask for it.
    text: String,
    hir: Hir,
    insensitive: bool,
}

/// The bytes that end a line.
fn terminators(flags: u32) -> &'static [u8] {
    match flags {
        f if f & NUL_TERMINATED != 0 => b"\0",
        f if f & CRLF != 0 => b"\r\n",
        _ => b"\n",
    }
}

impl Plan {
    /// Plans what matches where any of the patterns does. The error is in
    /// ripgrep's words.
    pub fn new(patterns: &[&str], flags: u32) -> Result<Plan, String> {
        let large = patterns.iter().map(|p| p.len()).sum::<usize>() > MAX_TEXT;
        let Parsed {
            text,
            mut hir,
            insensitive,
        } = if plain(patterns, flags) {
            literals(patterns, large)
        } else {
            parse(patterns, flags)?
        };
        if flags & BAN_NUL != 0 && !can_avoid(&hir, 0) {
            return Err(r#"pattern contains "\0" but it is impossible to match"#.into());
        }
        let crosses = terminators(flags).iter().any(|&b| occurs(&hir, b));
        let looks = hir.properties().look_set();
        // `^` and `$` look for \n; where lines end otherwise, only a line
        // alone has them at its ends.
        let anchored = looks.contains_anchor_haystack()
            || flags & NUL_TERMINATED != 0
                && (looks.contains_anchor_line() || flags & WHOLE_LINE != 0);
        let mut facts = 0;
        if anchored {
            facts |= FACT_HAYSTACK_ANCHOR;
        }
        // With `\A` or `\z` a search across lines means the whole haystack's
        // ends, even if no match can hold a terminator. And ripgrep takes what
        // looks at a line's end for something that may hold it.
        let touches = crosses
            || anchored
            || flags & NUL_TERMINATED == 0
                && (looks.contains_anchor_line() || flags & WHOLE_LINE != 0);
        if flags & MULTI_LINE == 0 || !touches {
            facts |= FACT_WITHIN_LINE;
        }
        let rewritten = crosses && flags & MULTI_LINE == 0;
        if rewritten {
            for &b in terminators(flags) {
                hir = without(hir, b).map_err(|Typed(b)| {
                    let shown = if b == 0 {
                        r"\0".into()
                    } else {
                        char::from(b).escape_debug().to_string()
                    };
                    format!("the literal \"{shown}\" is not allowed in a regex")
                })?;
            }
        }
        let text = match (large, rewritten) {
            (true, _) => String::new(),
            (_, true) => bounded(format!("(?:{hir})"), flags),
            _ => bounded(
                format!("(?{}:{text})", inline_flags(flags, insensitive)),
                flags,
            ),
        };
        let hir = bounded_hir(hir, flags);
        let prefilter = if facts == FACT_WITHIN_LINE {
            inner::prefilter(&hir)
        } else {
            None
        };
        if insensitive {
            facts |= FACT_INSENSITIVE;
        }
        let shaky = shaky(&hir);
        let reach = match (hir.properties().maximum_len(), &prefilter) {
            _ if facts & FACT_WITHIN_LINE == 0 || flags & CRLF != 0 => None,
            (Some(n), _) if n <= MAX_REACH => Some(Reach::Match(n + LOOKED_AT)),
            (_, Some(words)) => Some(Reach::Word(words.max_needle_len())),
            _ => None,
        };
        let literal = match hir.kind() {
            HirKind::Literal(l) => Some(l.0.to_vec()),
            _ => None,
        };
        Ok(Plan {
            text,
            hir,
            facts,
            prefilter,
            literal,
            shaky,
            reach,
        })
    }
}

/// Whether the expression looks back for a character that must not be one of
/// a word. Such looks are false behind a byte that is not UTF-8, but the regex
/// crate takes up to three stray continuation bytes for part of the character
/// before them, and so for a line end in front of them.
fn shaky(hir: &Hir) -> bool {
    let looks = hir.properties().look_set();
    looks.contains(Look::WordUnicodeNegate) || looks.contains(Look::WordStartHalfUnicode)
}

/// Whether the patterns are nothing but literal text, so that neither parsing
/// nor folding nor taking out is needed.
fn plain(patterns: &[&str], flags: u32) -> bool {
    let ends = |p: &str| p.bytes().any(|b| terminators(flags).contains(&b));
    flags & (CASE_INSENSITIVE | SMART_CASE) == 0
        && patterns.iter().all(|p| {
            (flags & FIXED != 0 || !p.chars().any(regex_syntax::is_meta_character))
                && (flags & MULTI_LINE != 0 || !ends(p))
        })
}

fn literals(patterns: &[&str], large: bool) -> Parsed {
    let text = if large {
        String::new()
    } else {
        joined(patterns, FIXED)
    };
    let hir = Hir::alternation(
        patterns
            .iter()
            .map(|p| Hir::literal(p.as_bytes()))
            .collect(),
    );
    Parsed {
        text,
        hir,
        insensitive: false,
    }
}

fn parse(patterns: &[&str], flags: u32) -> Result<Parsed, String> {
    // The patterns are joined before they are parsed, as ripgrep does, so that
    // an error shows what ripgrep's would.
    let text = joined(patterns, flags);
    let ast = ast::parse::ParserBuilder::new()
        .nest_limit(250)
        .build()
        .parse(&text)
        .map_err(|e| e.to_string())?;
    let insensitive =
        flags & CASE_INSENSITIVE != 0 || flags & SMART_CASE != 0 && smart_insensitive(&ast);
    let hir = hir::translate::TranslatorBuilder::new()
        .utf8(false)
        .unicode(flags & UNICODE != 0)
        .case_insensitive(insensitive)
        .multi_line(true)
        .dot_matches_new_line(flags & DOT_ALL != 0)
        .crlf(flags & CRLF != 0)
        .build()
        .translate(&text, &ast)
        .map_err(|e| e.to_string())?;
    Ok(Parsed {
        text,
        hir,
        insensitive,
    })
}

fn joined(patterns: &[&str], flags: u32) -> String {
    let mut text = String::new();
    for (i, p) in patterns.iter().enumerate() {
        text.push_str(if i == 0 { "(?:" } else { "|(?:" });
        if flags & FIXED != 0 {
            regex_syntax::escape_into(p, &mut text);
        } else {
            text.push_str(p);
        }
        text.push(')');
    }
    text
}

fn inline_flags(flags: u32, insensitive: bool) -> String {
    let mut letters = String::from("m");
    for (on, more) in [
        (flags & DOT_ALL != 0, "s"),
        (flags & CRLF != 0, "R"),
        (insensitive, "i"),
        (flags & UNICODE == 0, "-u"),
    ] {
        if on {
            letters.push_str(more);
        }
    }
    letters
}

/// What must surround a match: looks before and behind it.
fn bounds(flags: u32) -> Option<(Look, Look)> {
    Some(match flags {
        f if f & WHOLE_LINE != 0 && f & CRLF != 0 => (Look::StartCRLF, Look::EndCRLF),
        f if f & WHOLE_LINE != 0 => (Look::StartLF, Look::EndLF),
        f if f & WORD != 0 && f & UNICODE == 0 => {
            (Look::WordStartHalfAscii, Look::WordEndHalfAscii)
        }
        f if f & WORD != 0 => (Look::WordStartHalfUnicode, Look::WordEndHalfUnicode),
        _ => return None,
    })
}

fn bounded(text: String, flags: u32) -> String {
    match bounds(flags) {
        Some((start, end)) => format!("{}(?:{text}){}", Hir::look(start), Hir::look(end)),
        None => text,
    }
}

fn bounded_hir(hir: Hir, flags: u32) -> Hir {
    match bounds(flags) {
        Some((start, end)) => Hir::concat(vec![Hir::look(start), hir, Hir::look(end)]),
        None => hir,
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
        fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<(), Self::Err> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(p: &str, flags: u32) -> Plan {
        Plan::new(&[p], flags | UNICODE).unwrap_or_else(|e| panic!("{p}: {e}"))
    }

    #[test]
    fn rewrites_only_what_could_cross_a_line() {
        assert_eq!(planned("foo", 0).text, "(?m:(?:foo))");
        for p in [
            r"\s",
            r"[^a]",
            r"(?s).",
            r"\W",
            r"\PL",
            r"[\x00-\xff]",
            r"a(\s|b)+c{2}",
        ] {
            let re = regex::bytes::Regex::new(&planned(p, 0).text).unwrap();
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
        let error = |p: &str, flags| Plan::new(&[p], flags | UNICODE).err().unwrap_or_default();
        let literal = |b: &str| format!("the literal \"{b}\" is not allowed in a regex");
        for flags in [0, FIXED] {
            assert_eq!(error("a\nb", flags), literal(r"\n"));
            assert_eq!(error("a\rb", CRLF | flags), literal(r"\r"));
            assert_eq!(error("a\nb", MULTI_LINE | flags), "");
            assert_eq!(error("a\nb", NUL_TERMINATED | flags), "");
            assert_eq!(error("a\0b", NUL_TERMINATED | flags), literal(r"\0"));
            assert!(error("\0", BAN_NUL | flags).contains("impossible"));
        }
        assert_eq!(error("[\\n]", 0), literal(r"\n"));
        assert_eq!(error("[^a]", BAN_NUL), "");
    }

    #[test]
    fn knows_how_far_a_match_reaches() {
        for (pattern, flags, want) in [
            ("foo", 0, Some(Reach::Match(11))),
            ("foo", WORD, Some(Reach::Match(11))),
            ("fo{2,7}|x", 0, Some(Reach::Match(16))),
            ("^$", 0, Some(Reach::Match(8))),
            (r"\w\w+ing", 0, Some(Reach::Word(3))),
            ("foo", CRLF, None),
            (r"\w+", 0, None),
            ("a{70000}", 0, None),
            (r"a\nb", MULTI_LINE, None),
        ] {
            assert_eq!(planned(pattern, flags).reach, want, "{pattern}");
        }
    }

    #[test]
    fn smart_case() {
        let insensitive = |p: &str| planned(p, SMART_CASE).text.starts_with("(?mi:");
        for p in [
            "foo",
            r"foo\S",
            r"\pLx",
            "[a-z]",
            "É".to_lowercase().as_str(),
        ] {
            assert!(insensitive(p), "{p}");
        }
        for p in ["Foo", "[A-Z]", "[xA]", "É", "(?i)A", "a|B", r"\d"] {
            assert!(!insensitive(p), "{p}");
        }
    }
}
