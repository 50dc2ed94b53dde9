package store

// Dot is the product of two vectors of one length: the cosine of their angle,
// if both have length 1. Eight sums at once keep the processor's units busy
// (BenchmarkDot); they are added up in a fixed order, so that a result does not
// depend on anything else.
func Dot(a, b []float32) float32 {
	var s [8]float32
	b = b[:len(a)]
	for len(a) >= 8 && len(b) >= 8 {
		s[0] += a[0] * b[0]
		s[1] += a[1] * b[1]
		s[2] += a[2] * b[2]
		s[3] += a[3] * b[3]
		s[4] += a[4] * b[4]
		s[5] += a[5] * b[5]
		s[6] += a[6] * b[6]
		s[7] += a[7] * b[7]
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s[i] += a[i] * b[i]
	}
	return (s[0] + s[4]) + (s[1] + s[5]) + ((s[2] + s[6]) + (s[3] + s[7]))
}
