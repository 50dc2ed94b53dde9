package flags

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// The functions below make the effects that several flags have in common. Each
// takes a function that returns the field of Args to change.

// toggle sets a switch, or clears it by its negation.
func toggle(field func(*Args) *bool) effect {
	return assign(field, true, false)
}

// tri turns a tri-state switch on, or off by its negation.
func tri(field func(*Args) *Tri) effect {
	return assign(field, some(true), some(false))
}

// assign sets a field to on, or to off by the flag's negation.
func assign[T any](field func(*Args) *T, on, off T) effect {
	return func(args *Args, in said, _ Env) error {
		*field(args) = on
		if in.negated {
			*field(args) = off
		}
		return nil
	}
}

// mode names a mode.
func mode(m Mode) effect {
	return func(args *Args, _ said, _ Env) error {
		args.Mode = m
		return nil
	}
}

// oneOf sets a field to the meaning of a word.
func oneOf[T any](field func(*Args) *T, meaning map[string]T) effect {
	return func(args *Args, in said, _ Env) error {
		word, err := utf8Value(in)
		if err != nil {
			return err
		}
		v, known := meaning[word]
		if !known {
			return fmt.Errorf("choice '%s' is unrecognized", word)
		}
		*field(args) = v
		return nil
	}
}

// number sets a field to a number.
func number(field func(*Args) *Opt[uint64]) effect {
	return numeric(func(args *Args, n uint64) { *field(args) = some(n) })
}

// positive sets a field to a number, and clears it by 0.
func positive(field func(*Args) *Opt[uint64]) effect {
	return numeric(func(args *Args, n uint64) {
		*field(args) = Opt[uint64]{}
		if n != 0 {
			*field(args) = some(n)
		}
	})
}

// numeric hands a number on.
func numeric(set func(*Args, uint64)) effect {
	return func(args *Args, in said, _ Env) error {
		word, err := utf8Value(in)
		if err != nil {
			return err
		}
		n, err := parseNumber(word)
		if err != nil {
			return fmt.Errorf("value is not a valid number: %w", err)
		}
		set(args, n)
		return nil
	}
}

// size sets a field to a number of bytes.
func size(field func(*Args) *Opt[uint64]) effect {
	return func(args *Args, in said, _ Env) error {
		word, err := utf8Value(in)
		if err != nil {
			return err
		}
		n, err := parseSize(word)
		if err != nil {
			return fmt.Errorf("invalid size: %w", err)
		}
		*field(args) = some(n)
		return nil
	}
}

// raw sets a field to the value, whatever its bytes; the negation empties it.
func raw(field func(*Args) *string) effect {
	return func(args *Args, in said, _ Env) error {
		*field(args) = in.value
		return nil
	}
}

// add appends the value, which must be UTF-8, to a list.
func add(field func(*Args) *[]string) effect {
	return text(func(args *Args, value string) { *field(args) = append(*field(args), value) })
}

// text hands on a value that must be UTF-8.
func text(set func(*Args, string)) effect {
	return func(args *Args, in said, _ Env) error {
		value, err := utf8Value(in)
		if err == nil {
			set(args, value)
		}
		return err
	}
}

// separator sets a field to the bytes that a value with escapes stands for.
func separator(field func(*Args) *string) effect {
	return func(args *Args, in said, _ Env) error {
		if !utf8.ValidString(in.value) {
			return errors.New("separator must be valid UTF-8 (use escape sequences to provide a separator that is not valid UTF-8)")
		}
		*field(args) = unescape(in.value)
		return nil
	}
}

// checked runs a check of the environment's, if there is one, before an effect.
func checked(check func(Env) func(string) error, then effect) effect {
	return func(args *Args, in said, env Env) error {
		if _, err := utf8Value(in); err != nil {
			return err
		}
		if f := check(env); f != nil && !in.negated {
			if err := f(in.value); err != nil {
				return err
			}
		}
		return then(args, in, env)
	}
}

// duration sets a field to a length of time.
func duration(field func(*Args) *Opt[time.Duration]) effect {
	return func(args *Args, in said, _ Env) error {
		d, err := parseDuration(in.value)
		if err != nil {
			return err
		}
		*field(args) = some(d)
		return nil
	}
}

// moment sets a field to a point in time.
func moment(field func(*Args) *Opt[Moment]) effect {
	return func(args *Args, in said, _ Env) error {
		m, err := parseMoment(in.value)
		if err != nil {
			return err
		}
		*field(args) = some(m)
		return nil
	}
}

var engines = map[string]Engine{"default": EngineDefault, "pcre2": EnginePCRE2, "auto": EngineAuto}

func unknownEngine(word string) error {
	return fmt.Errorf("unrecognized regex engine '%s'", word)
}

// useEngine is the effect of a switch for an engine. Choosing one means that
// the patterns are regular expressions; taking the choice back says nothing
// about that.
func useEngine(e Engine) effect {
	return func(args *Args, in said, _ Env) error {
		if in.negated {
			args.Engine = EngineDefault
			return nil
		}
		args.Engine, args.literal = e, false
		return nil
	}
}

var errTooUnrestricted = errors.New("flag can only be repeated up to 3 times")

// noIgnore is the effect of --no-ignore and of the first -u.
func noIgnore(args *Args, off bool) {
	args.NoIgnoreDot = off
	args.NoIgnoreExclude = off
	args.NoIgnoreGlobal = off
	args.NoIgnoreParent = off
	args.NoIgnoreVCS = off
}

// changeTypes appends a change of the file types.
func changeTypes(op TypeOp) effect {
	return text(func(args *Args, v string) { args.TypeChanges = append(args.TypeChanges, TypeChange{op, v}) })
}

// contextLines sets a side of the context, which ends --passthru.
func contextLines(side func(*Context) *Opt[uint64]) effect {
	return numeric(func(args *Args, n uint64) {
		if args.Context.Passthru {
			args.Context = Context{}
		}
		*side(&args.Context) = some(n)
	})
}

// special asks for a text, which one depending on the length of the name.
func special(short, long Special) effect {
	return func(args *Args, in said, _ Env) error {
		args.Special = long
		if in.short {
			args.Special = short
		}
		return nil
	}
}

// sortWords are the values of --sort and --sortr, in the order of [SortKey].
var sortWords = []string{"none", "path", "modified", "accessed", "created"}

func sortBy(reverse bool) effect {
	meaning := make(map[string]Sort, len(sortWords))
	for key, word := range sortWords {
		meaning[word] = Sort{Key: SortKey(key), Reverse: reverse && key != 0}
	}
	return oneOf(func(a *Args) *Sort { return &a.Sort }, meaning)
}

// generateWord sets what is generated.
var generateWord = oneOf(func(a *Args) *GenerateKind { return &a.Generate }, map[string]GenerateKind{
	"man": GenerateMan, "complete-bash": GenerateBash, "complete-zsh": GenerateZsh,
	"complete-fish": GenerateFish, "complete-powershell": GeneratePowerShell,
})
