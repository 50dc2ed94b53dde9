package run

import "time"

// SiftAfter sets how many bytes are searched in vain before they are sifted.
func (s *Session) SiftAfter(bytes int64) { s.siftAfter = bytes }

// StatusAfter sets how long a scan takes before it shows how far it has come.
func (s *Session) StatusAfter(d time.Duration) { s.statusAfter = d }

// Between is the time between two lines of a status.
const Between = between

// Sifted returns how many files were found to be clean, and of how many large ones
// a part was.
func (s *Session) Sifted() (clean, partly int) {
	k := s.sifting.known()
	return len(k.clean), len(k.rest)
}
