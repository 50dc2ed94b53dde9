package run

// SiftAfter sets how many bytes are searched in vain before they are sifted.
func (s *Session) SiftAfter(bytes int64) { s.siftAfter = bytes }

// Sifted returns how many files were found to be clean, and of how many large ones
// a part was.
func (s *Session) Sifted() (clean, partly int) {
	k := s.sifting.known()
	return len(k.clean), len(k.rest)
}
