package flags

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Moment is a point in time: so long before now, or a date, which is in the
// local time zone unless it names another.
type Moment struct {
	ago   time.Duration // of a relative moment, else 0
	date  time.Time     // in UTC if it is not zoned
	zoned bool
}

// Relative reports whether the moment depends on when the run is.
func (m Moment) Relative() bool { return m.ago > 0 }

// Local reports whether the moment depends on the time zone.
func (m Moment) Local() bool { return m.ago == 0 && !m.zoned }

// At returns the instant that is meant, seen from now, whose time zone is the
// local one.
func (m Moment) At(now time.Time) time.Time {
	d := m.date
	switch {
	case m.Relative():
		return now.Add(-m.ago)
	case m.zoned:
		return d
	}
	return time.Date(d.Year(), d.Month(), d.Day(), d.Hour(), d.Minute(), d.Second(), d.Nanosecond(), now.Location())
}

// dateForms are the notations of a date, without and with a time zone. Fractions
// of seconds are taken, too.
var dateForms = []struct {
	layout string
	zoned  bool
}{
	{"2006-01-02", false},
	{"2006-01-02T15:04", false},
	{"2006-01-02T15:04:05", false},
	{"2006-01-02T15:04Z07:00", true},
	{time.RFC3339, true},
}

// parseMoment reads a length of time before now, or a date. Between a date and a
// time of day stands a T, as in RFC 3339, or a blank.
func parseMoment(s string) (Moment, error) {
	upper := strings.ToUpper(s)
	if len(upper) > len("2006-01-02") && upper[len("2006-01-02")] == ' ' {
		upper = strings.Replace(upper, " ", "T", 1)
	}
	for _, form := range dateForms {
		if date, err := time.Parse(form.layout, upper); err == nil {
			return Moment{date: date, zoned: form.zoned}, nil
		}
	}
	ago, why := time.Duration(0), "is no date"
	if !strings.ContainsAny(s, "-:") {
		ago, why = parseAgo(s)
	}
	if why != "" {
		return Moment{}, fmt.Errorf("'%s' %s; give a length of time, such as 90s, 10min, 2h, 3d, 2w or 1y, or a date, such as 2026-01-31, "+
			"'2026-01-31 14:30' or 2026-01-31T14:30:00Z", s, why)
	}
	return Moment{ago: ago}, nil
}

// agoUnits are the units of a length of time. Months are none: they differ in
// length, and their letter is that of minutes.
var agoUnits = map[string]time.Duration{
	"s": time.Second, "sec": time.Second, "second": time.Second, "seconds": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hour": time.Hour, "hours": time.Hour,
	"d": day, "day": day, "days": day,
	"w": 7 * day, "week": 7 * day, "weeks": 7 * day,
	"y": year, "year": year, "years": year,
}

const (
	day  = 24 * time.Hour
	year = 365*day + day/4
)

// parseAgo reads numbers with units, which are added: 1h30min. Why says what is
// wrong with it, "" if nothing is.
func parseAgo(s string) (ago time.Duration, why string) {
	for rest := strings.TrimSpace(s); rest != "" || ago == 0; rest = strings.TrimLeft(rest, " ") {
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		rest = strings.TrimLeft(rest[len(digits):], " ")
		unit := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
		rest = rest[len(unit):]
		length, known := agoUnits[unit]
		n, err := strconv.ParseInt(digits, 10, 64)
		switch {
		case digits == "":
			return 0, "is no point in time"
		case unit == "":
			return 0, "has no unit"
		case !known:
			return 0, "has an unknown unit, " + unit
		case err != nil || n > int64(math.MaxInt64-ago)/int64(length):
			return 0, "is longer ago than can be told"
		case n == 0 && rest == "" && ago == 0:
			return 0, "is no length of time"
		}
		ago += time.Duration(n) * length
	}
	return ago, ""
}
