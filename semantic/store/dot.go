package store

// Dot is the product of two vectors of one length: the cosine of their angle,
// if both have length 1. Eight sums at once keep the processor's units busy
// (BenchmarkDot) and are added up in a fixed order, so that a result depends on
// nothing else.
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	if len(a)%8 != 0 {
		return dotPlain(a, b)
	}
	return dotEights(a, b)
}

// dotPlain has a variable for each sum, since an array would live in memory. The
// conversions keep the compiler from rounding once where others round twice.
func dotPlain(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	b = b[:len(a)]
	for len(a) >= 8 && len(b) >= 8 {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		s4 += float32(a[4] * b[4])
		s5 += float32(a[5] * b[5])
		s6 += float32(a[6] * b[6])
		s7 += float32(a[7] * b[7])
		a, b = a[8:], b[8:]
	}
	for i, x := range a {
		s0 += float32(x * b[i])
	}
	return ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
}
