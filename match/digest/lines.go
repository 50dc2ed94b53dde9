// Package digest identifies results: two runs with the same results have the
// same digest, and two with different ones do not, but for a chance of about
// one in 2^120. It is no defence against somebody who looks for two results
// with one digest.
//
// It must not know where lines and files come from.
package digest

import "math/bits"

// Lines is the digest of a set of numbered lines. It does not depend on the
// order in which lines are added, and it moves with them: a part of a file can
// be digested before it is known how many lines are in front of it.
//
// With h = xxh3-128 of a line's bytes, without terminator, and p = 2^61-1, a
// prime, it is
//
//	Lines[0] = Σ m·r^number mod p, m the lower half of h without its 3 lowest bits, r = roots[0]
//	Lines[1] = Σ m·r^number mod p, m the upper half of h without its 3 lowest bits, r = roots[1]
//
// Two sets of lines have one digest only where two polynomials that differ, of
// random coefficients, have one value at a point: a chance of 2^-61 in each half.
// Where lines are equal, so that coefficients are not independent, the sums of
// powers must be equal: 1+4 = 2+3, but r+r^4 ≠ r^2+r^3. A root is a primitive
// one, so that no power comes twice.
//
// Worked example: the line "a" at number 1 alone is
// {m0·r0 mod p, m1·r1 mod p}; behind 10 other lines each is multiplied by r^10.
//
// The fast twin is match/librure/src/digest.rs; TestTwin and FuzzLines in package
// match hold the two equal.
type Lines [2]uint64

const prime = 1<<61 - 1

var roots = [2]uint64{0x487ed5110b4612c, 0x16fc2a2c515da557}

// Add adds a line; text is without its terminator.
func (d *Lines) Add(text []byte, number int64) {
	h := Of(text)
	one := Lines{reduced(0, h[0]>>3), reduced(0, h[1]>>3)}
	d.Merge(one.Moved(number))
}

// Merge adds all lines of o.
func (d *Lines) Merge(o Lines) {
	for i := range d {
		d[i] = reduced(0, d[i]+o[i])
	}
}

// Moved returns the digest of the same lines with numbers that are greater by n.
func (d Lines) Moved(n int64) Lines {
	for i := range d {
		d[i] = times(d[i], power(roots[i], uint64(n)))
	}
	return d
}

// times is a·b mod p for a and b below p.
func times(a, b uint64) uint64 { return reduced(bits.Mul64(a, b)) }

// reduced is hi·2^64+lo mod p for a hi below 2^58: 2^61 is 1 modulo p.
func reduced(hi, lo uint64) uint64 {
	x := lo&prime + (hi<<3 | lo>>61)
	if x >= prime {
		x -= prime
	}
	return x
}

// power is r^n mod p.
func power(r, n uint64) uint64 {
	product := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			product = times(product, r)
		}
		r = times(r, r)
	}
	return product
}
