package run

import (
	"errors"
	"slices"
	"strings"

	"tally/run/plan"
)

// Serves returns the directories that a client is to be served, and whether one
// is to be: then Run is not for this session, whose requests are sessions.
func (s *Session) Serves() (dirs []string, serves bool) {
	if s.refusal != nil || s.Mode != plan.Serve {
		return nil, false
	}
	return s.Paths, true
}

// servesAlone returns an error if another flag stands beside --mcp, which would
// mean nothing.
func servesAlone(argv []string) error {
	for _, word := range argv[1:] {
		switch {
		case word == "--":
			return nil
		case strings.HasPrefix(word, "-") && !slices.Contains([]string{"--mcp", "--no-config", "--rg"}, word):
			return errors.New(word + " does not go with --mcp: what a request asks for is in its arguments; leave the flag out")
		}
	}
	return nil
}

// Searched returns how many files the session has searched by now. Others may
// call it while the session runs.
func (s *Session) Searched() int64 { return s.searched.Load() }
