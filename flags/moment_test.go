package flags

import (
	"testing"
	"time"
)

func TestMoments(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, zone)
	for _, test := range []struct {
		text, want      string
		relative, local bool
	}{
		{"90s", "2026-03-01T11:58:30+02:00", true, false},
		{"10min", "2026-03-01T11:50:00+02:00", true, false},
		{"10m", "2026-03-01T11:50:00+02:00", true, false},
		{"2h", "2026-03-01T10:00:00+02:00", true, false},
		{"1h30min", "2026-03-01T10:30:00+02:00", true, false},
		{" 1 hour 30 minutes ", "2026-03-01T10:30:00+02:00", true, false},
		{"0h5s", "2026-03-01T11:59:55+02:00", true, false},
		{"3d", "2026-02-26T12:00:00+02:00", true, false},
		{"2w", "2026-02-15T12:00:00+02:00", true, false},
		{"1y", "2025-03-01T06:00:00+02:00", true, false},
		{"290y", "1736-02-28T00:00:00+02:00", true, false},
		{"2026-01-31", "2026-01-31T00:00:00+02:00", false, true},
		{"2026-01-31 14:30", "2026-01-31T14:30:00+02:00", false, true},
		{"2026-01-31T14:30:05", "2026-01-31T14:30:05+02:00", false, true},
		{"2026-01-31 14:30:05.5", "2026-01-31T14:30:05.5+02:00", false, true},
		{"2026-01-31T14:30Z", "2026-01-31T14:30:00Z", false, false},
		{"2026-01-31t14:30:00z", "2026-01-31T14:30:00Z", false, false},
		{"2026-01-31 14:30:00-05:00", "2026-01-31T14:30:00-05:00", false, false},
		{"0001-01-01", "0001-01-01T00:00:00+02:00", false, true},
	} {
		m, err := parseMoment(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		got := m.At(now).Format(time.RFC3339Nano)
		if got != test.want || m.Relative() != test.relative || m.Local() != test.local {
			t.Errorf("%q is %s, relative %t, local %t; want %s", test.text, got, m.Relative(), m.Local(), test.want)
		}
	}
}

// What is accepted lies where it says, and nothing panics.
func FuzzMoment(f *testing.F) {
	for _, seed := range []string{"90s", "1h 30min", "2026-01-31", "2026-01-31 14:30:00-05:00", "292y", "0s", "9999999999999999999d", "-", "1 "} {
		f.Add(seed)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseMoment(text)
		if err != nil {
			return
		}
		if at := m.At(now); m.Relative() && !at.Before(now) || m.Relative() && m.Local() {
			t.Errorf("%q is %s", text, at)
		}
	})
}
