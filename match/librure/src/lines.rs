//! Lines in expressions: which bytes an expression can match, and the same
//! expression without the bytes that end a line.

use regex_syntax::hir::{self, Class, Hir, HirKind};

/// Whether some part of the expression can match the byte (ASCII).
pub fn occurs(hir: &Hir, byte: u8) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(l) => l.0.contains(&byte),
        HirKind::Class(Class::Unicode(c)) => c
            .ranges()
            .iter()
            .any(|r| r.start() <= char::from(byte) && char::from(byte) <= r.end()),
        HirKind::Class(Class::Bytes(c)) => c
            .ranges()
            .iter()
            .any(|r| r.start() <= byte && byte <= r.end()),
        HirKind::Repetition(r) => occurs(&r.sub, byte),
        HirKind::Capture(c) => occurs(&c.sub, byte),
        HirKind::Concat(xs) | HirKind::Alternation(xs) => xs.iter().any(|x| occurs(x, byte)),
    }
}

/// Whether the expression can do without the byte: false if a literal holds
/// it or a class has nothing else.
pub fn can_avoid(hir: &Hir, byte: u8) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(l) => !l.0.contains(&byte),
        HirKind::Class(Class::Unicode(c)) => {
            !c.ranges()
                .iter()
                .all(|r| r.start() == char::from(byte) && r.end() == char::from(byte))
                || c.ranges().is_empty()
        }
        HirKind::Class(Class::Bytes(c)) => {
            !c.ranges()
                .iter()
                .all(|r| r.start() == byte && r.end() == byte)
                || c.ranges().is_empty()
        }
        HirKind::Repetition(r) => can_avoid(&r.sub, byte),
        HirKind::Capture(c) => can_avoid(&c.sub, byte),
        HirKind::Concat(xs) | HirKind::Alternation(xs) => xs.iter().all(|x| can_avoid(x, byte)),
    }
}

/// The byte that was typed as such and cannot be taken out without searching
/// for something else.
pub struct Typed(pub u8);

/// The expression with the byte (ASCII) taken out of its classes.
pub fn without(hir: Hir, byte: u8) -> Result<Hir, Typed> {
    if !occurs(&hir, byte) {
        return Ok(hir);
    }
    let each = |xs: Vec<Hir>| {
        xs.into_iter()
            .map(|x| without(x, byte))
            .collect::<Result<Vec<_>, _>>()
    };
    Ok(match hir.into_kind() {
        HirKind::Class(Class::Unicode(mut c)) => {
            let ch = char::from(byte);
            c.difference(&hir::ClassUnicode::new([hir::ClassUnicodeRange::new(
                ch, ch,
            )]));
            if c.ranges().is_empty() {
                return Err(Typed(byte));
            }
            Hir::class(Class::Unicode(c))
        }
        HirKind::Class(Class::Bytes(mut c)) => {
            c.difference(&hir::ClassBytes::new([hir::ClassBytesRange::new(
                byte, byte,
            )]));
            if c.ranges().is_empty() {
                return Err(Typed(byte));
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
        _ => return Err(Typed(byte)),
    })
}
