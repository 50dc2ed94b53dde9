package run

import (
	"errors"
	"fmt"
	"path/filepath"

	"tally/semantic"
	"tally/semantic/chunk"
	"tally/semantic/llama"
	"tally/semantic/store"
)

// The variables of the environment that say which model there is. Nothing else
// is looked at, and nothing is downloaded.
const (
	serverVariable  = "TALLY_LLAMA_SERVER"
	modelVariable   = "TALLY_EMBED_MODEL"
	meaningVariable = "TALLY_MEANING" // "off" turns it off
)

// A model is what answers questions about meaning.
type model struct {
	index  *semantic.Index
	server *llama.Server
	store  *store.Store
}

// openModel prepares the model that the environment names. The server is not
// started before there is something to embed.
func (s *Session) openModel() (*model, error) {
	program, file := s.world.Getenv(serverVariable), s.world.Getenv(modelVariable)
	if s.world.Getenv(meaningVariable) == "off" {
		return nil, errors.New(meaningVariable + " is off")
	}
	for _, v := range []struct{ name, value, is string }{
		{serverVariable, program, "a llama-server"},
		{modelVariable, file, "a model, a GGUF file"},
	} {
		if v.value == "" {
			return nil, fmt.Errorf("%s is not set; it takes the path of %s", v.name, v.is)
		}
		if info, err := s.world.Stat(v.value); err != nil {
			return nil, fmt.Errorf("%s, which should be %s: %s: %s", v.name, v.is, v.value, errorText(errors.Unwrap(err)))
		} else if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s, which should be %s: %s is no file", v.name, v.is, v.value)
		}
	}
	file = s.world.Path(file)
	says, err := semantic.ReadFile(file)
	if err != nil {
		return nil, err
	}
	dir, err := store.Dir(s.world.Getenv)
	if err != nil {
		return nil, err
	}
	sum, err := store.HashModel(dir, file)
	if err != nil {
		return nil, err
	}
	record, err := semantic.Identify(says, sum[:], s.Meaning.Models, s.Meaning.Floor.Given)
	if err != nil {
		return nil, err
	}
	if program, err = filepath.Abs(s.world.Path(program)); err != nil {
		return nil, err
	}
	cache, err := store.Open(dir, store.Space{
		Model: sum, Prefix: record.Prefix, Chunker: chunk.Version, Dim: record.Dim, Name: record.Name,
	})
	if err != nil {
		return nil, err
	}
	server := llama.New(llama.Config{
		Program: program, Model: file, Threads: s.Meaning.Threads, Context: min(says.Context, usualContext),
		Environ: s.world.Environ, Getenv: s.world.Getenv,
	})
	s.server.Store(server)
	return &model{semantic.New(record, cache, server), server, cache}, nil
}

// usualContext is how many tokens a text may have at most. Passages are cut
// smaller, whatever the model could take.
const usualContext = 512

func (m *model) close() {
	if m != nil {
		m.server.Close()
		m.store.Close()
	}
}
