package world

import (
	"testing"
	"time"
)

// The time zone is that of the world, whatever the process's own is.
func TestZone(t *testing.T) {
	t.Setenv("TZ", "Asia/Tokyo")
	at := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		environ []string
		want    string // "" for an error
	}{
		{[]string{"TZ=America/New_York"}, "-0400"},
		{[]string{"TZ=Asia/Tokyo", "TZ=America/New_York"}, "-0400"},
		{[]string{"TZ=:America/New_York"}, "-0400"},
		{[]string{"TZ=/usr/share/zoneinfo/Europe/Rome"}, "+0200"},
		{[]string{"TZ="}, "+0000"},
		{[]string{"TZ=Nowhere/Else"}, ""},
		{[]string{"TZ=/nowhere"}, ""},
		{[]string{"TZ=../../etc/passwd"}, ""},
	} {
		w := &World{Environ: test.environ}
		zone, err := w.Zone()
		if err != nil {
			if test.want != "" {
				t.Errorf("%q: %v", test.environ, err)
			}
			continue
		}
		if got := at.In(zone).Format("-0700"); got != test.want {
			t.Errorf("%q is %s, want %s", test.environ, got, test.want)
		}
	}
	if zone, err := new(World).Zone(); err != nil || at.In(zone).Format("-0700") == "+0900" {
		t.Errorf("without TZ: %v, %v; the process's own does not count", zone, err)
	}
}
