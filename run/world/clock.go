package world

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Now returns the time.
func (w *World) Now() time.Time {
	if w.Clock != nil {
		return w.Clock()
	}
	return time.Now()
}

// Zone returns the local time zone: that of TZ in the world's environment, which
// names one in the system's database or a file; if it is empty, UTC; without it,
// the system's.
func (w *World) Zone() (*time.Location, error) {
	name, set := w.LookupEnv("TZ")
	name = strings.TrimPrefix(name, ":")
	switch {
	case !set:
		if zone, err := zoneFile("/etc/localtime"); err == nil {
			return zone, nil
		}
		return time.UTC, nil // as all programs have it then
	case filepath.IsAbs(name):
		return zoneFile(name)
	}
	return time.LoadLocation(name)
}

func zoneFile(path string) (*time.Location, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return time.LoadLocationFromTZData("Local", data)
}
