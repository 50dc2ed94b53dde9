package glob

import "math/bits"

// A class is a set of bytes.
type class [4]uint64

func (c *class) has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }
func (c *class) add(b byte)      { c[b>>6] |= 1 << (b & 63) }
func (c *class) remove(b byte)   { c[b>>6] &^= 1 << (b & 63) }

// addRange adds lo to hi inclusive; nothing if hi is below lo.
func (c *class) addRange(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		c.add(byte(b))
	}
}

func (c *class) negate() {
	for i := range c {
		c[i] = ^c[i]
	}
}

// foldCase adds the other case of every ASCII letter in the set.
func (c *class) foldCase() {
	for b := byte('a'); b <= 'z'; b++ {
		up := b - ('a' - 'A')
		if c.has(b) || c.has(up) {
			c.add(b)
			c.add(up)
		}
	}
}

func (c *class) size() int {
	n := 0
	for _, w := range c {
		n += bits.OnesCount64(w)
	}
	return n
}

// members lists the set in ascending order.
func (c *class) members() []byte {
	var m []byte
	for b := 0; b < 256; b++ {
		if c.has(byte(b)) {
			m = append(m, byte(b))
		}
	}
	return m
}

// posixClasses are the names git knows inside [: and :], with their members as
// pairs of first and last byte. git tests ASCII only, whatever the locale.
var posixClasses = map[string]string{
	"alnum":  "09AZaz",
	"alpha":  "AZaz",
	"blank":  "  \t\t",
	"cntrl":  "\x00\x1f\x7f\x7f",
	"digit":  "09",
	"graph":  "!~",
	"lower":  "az",
	"print":  " ~",
	"punct":  "!/:@[`{~",
	"space":  "  \t\r",
	"upper":  "AZ",
	"xdigit": "09AFaf",
}

// addPosix adds the members of a named class and reports whether the name is
// known.
func (c *class) addPosix(name string) bool {
	pairs, ok := posixClasses[name]
	for i := 0; i+1 < len(pairs); i += 2 {
		c.addRange(pairs[i], pairs[i+1])
	}
	return ok
}
