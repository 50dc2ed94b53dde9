package readings

import (
	"fmt"
	"slices"
	"strings"
)

// invisibleBlocks are the characters that Unicode calls
// Default_Ignorable_Code_Point: soft hyphens, joiners, marks of direction,
// fillers, variation selectors, tags.
var invisibleBlocks = [][2]rune{
	{0xad, 0xad},
	{0x34f, 0x34f},
	{0x61c, 0x61c},
	{0x115f, 0x1160},
	{0x17b4, 0x17b5},
	{0x180b, 0x180f},
	{0x200b, 0x200f},
	{0x202a, 0x202e},
	{0x2060, 0x206f},
	{0x3164, 0x3164},
	{0xfe00, 0xfe0f},
	{0xfeff, 0xfeff},
	{0xffa0, 0xffa0},
	{0xfff0, 0xfff8},
	{0x1bca0, 0x1bca3},
	{0x1d173, 0x1d17a},
	{0xe0000, 0xe0fff},
}

// invisible are these as members of a character class.
var invisible = func() string {
	var b strings.Builder
	for _, block := range invisibleBlocks {
		fmt.Fprintf(&b, `\x{%x}-\x{%x}`, block[0], block[1])
	}
	return b.String()
}()

func isInvisible(r rune) bool {
	return slices.ContainsFunc(invisibleBlocks, func(b [2]rune) bool { return b[0] <= r && r <= b[1] })
}

// visible returns s without invisible characters.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return r
	}, s)
}

// zeroWidth allows invisible characters between any two characters, and drops
// those that were typed.
func zeroWidth(list []token, i int) (string, int) {
	if list[i].lit == "" {
		return "", 0
	}
	lit := visible(list[i].lit)
	if lit == "" {
		return "", 1
	}
	return quote(lit) + between(list, i, "["+invisible+"]*", "["+invisible+"]*"), 1
}
