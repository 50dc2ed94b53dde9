package main

import (
	"tally/match/decode"
)

// planReading decides how files become text. What ripgrep does not do, such as
// recognising things by their content, is for our own name.
func (p *plan) planReading() (err error) {
	a, own := p.args, !p.ripgrep()
	encoding, err := decode.Lookup(a.Encoding)
	if err != nil {
		return err
	}
	p.options.Decode = decode.Config{
		Encoding: encoding,
		Guess:    own && encoding == decode.Auto && !a.NullData,
		Unpack:   own && a.SearchZip,
		Strict:   own,
	}
	p.options.MapDerived = own || a.Absent
	p.pre, err = newPreprocessor(a.Pre, a.PreGlobs, p.walk.Cwd)
	return err
}

// checkEncoding refuses a label of --encoding that is none.
func checkEncoding(label string) error {
	_, err := decode.Lookup(label)
	return err
}

// format is the compression that a file's name speaks of, if it matters.
func (p *plan) format(path []byte) decode.Format {
	if !p.args.SearchZip {
		return decode.Plain
	}
	return decode.FormatByName(path)
}
