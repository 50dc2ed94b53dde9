//go:build unix && !linux

package walk

// hasWriter reports whether a file is open for writing, which only Linux tells.
func hasWriter(int) bool { return false }
