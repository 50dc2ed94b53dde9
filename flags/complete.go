package flags

import (
	"fmt"
	"strings"
)

// The completions for the shells differ in form only: names with a line about
// each, and for values the words that can be listed, files, commands, file
// types (which the program is asked for) or encodings.

// encodingWords are the values of --encoding that are worth offering.
const encodingWords = "auto none utf-8 utf-16 utf-16le utf-16be iso-8859-1 iso-8859-2 iso-8859-15 " +
	"windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 koi8-r koi8-u ibm866 macintosh " +
	"gbk gb18030 big5 euc-jp shift_jis iso-2022-jp euc-kr"

// words returns the values of a flag that can be listed, separated by spaces.
func (r *row) words() string {
	if r.complete == completeEncoding {
		return encodingWords
	}
	return strings.Join(r.choices, " ")
}

// dashed returns all spellings of a row, the names that take a value first.
func (r *row) dashed() (takeValue, switches []string) {
	list := []string{"--" + r.long}
	if r.short != 0 {
		list = append(list, "-"+string(r.short))
	}
	for _, alias := range r.aliases {
		list = append(list, "--"+alias)
	}
	if r.value == "" {
		switches, list = list, nil
	}
	if r.negation != "" {
		switches = append(switches, "--"+r.negation)
	}
	return list, switches
}

// bashCompletion returns a function for bash's complete -F. In bash "=" is
// usually a word of its own.
func bashCompletion(p Program) string {
	var all []string
	var cases strings.Builder
	for i := range rows {
		r := &rows[i]
		take, switches := r.dashed()
		all = append(append(all, take...), switches...)
		if len(take) == 0 {
			continue
		}
		offer := "return" // bash falls back to files
		switch {
		case r.words() != "":
			offer = fmt.Sprintf(`COMPREPLY=($(compgen -W "%s" -- "$cur")); return`, r.words())
		case r.complete == completeCommand:
			offer = `COMPREPLY=($(compgen -c -- "$cur")); return`
		case r.complete == completeType:
			offer = fmt.Sprintf(`COMPREPLY=($(compgen -W "all $(%s --type-list 2>/dev/null | cut -d: -f1)" -- "$cur")); return`, p)
		}
		if r.optional != "" {
			offer = `[[ $equals ]] && { ` + offer + `; }`
		}
		fmt.Fprintf(&cases, "    %s) %s ;;\n", strings.Join(take, "|"), offer)
	}
	return strings.NewReplacer("@NAME@", p.String(), "@CASES@", cases.String(), "@ALL@", strings.Join(all, " ")).Replace(
		`_@NAME@() {
  local cur="${COMP_WORDS[COMP_CWORD]}" flag="${COMP_WORDS[COMP_CWORD-1]}" equals="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -- ]] && return
  done
  if [[ $cur == "=" ]]; then
    cur="" equals=1
  elif [[ $flag == "=" ]] && ((COMP_CWORD > 1)); then
    flag="${COMP_WORDS[COMP_CWORD-2]}" equals=1
  fi
  case "$flag" in
@CASES@  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "@ALL@" -- "$cur"))
  fi
}
complete -F _@NAME@ -o bashdefault -o default @NAME@
`)
}

// zshCompletion returns a function for zsh's _arguments.
func zshCompletion(p Program) string {
	var specs strings.Builder
	for i := range rows {
		r := &rows[i]
		names := make([]string, 0, 3)
		if r.short != 0 {
			names = append(names, "-"+string(r.short)+zshSuffix(r, "+"))
		}
		for _, long := range append([]string{r.long}, r.aliases...) {
			names = append(names, "--"+long+zshSuffix(r, "="))
		}
		for _, name := range names {
			fmt.Fprintf(&specs, "    %s \\\n", shellQuote("*"+name+"["+r.brief+"]"+zshValue(r, p)))
		}
		if r.negation != "" {
			fmt.Fprintf(&specs, "    %s \\\n", shellQuote("*--"+r.negation+"["+r.negationBrief()+"]"))
		}
	}
	return strings.NewReplacer("@NAME@", p.String(), "@SPECS@", specs.String()).Replace(`#compdef @NAME@

_@NAME@_types() {
  local -a types
  types=(${(f)"$(_call_program types @NAME@ --type-list 2>/dev/null)"})
  types=(all ${types%%:*})
  compadd -a types
}

_@NAME@() {
  _arguments -s -S \
@SPECS@    '*:file:_files'
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _@NAME@ "$@"
else
  compdef _@NAME@ @NAME@
fi
`)
}

// zshSuffix returns what follows a name that takes a value: it may be attached
// or the next word, or, if it is optional, only attached.
func zshSuffix(r *row, attached string) string {
	switch {
	case r.value == "":
		return ""
	case r.optional != "":
		return attached + "-"
	}
	return attached
}

func zshValue(r *row, p Program) string {
	if r.value == "" {
		return ""
	}
	action := " "
	switch {
	case r.words() != "":
		action = "(" + r.words() + ")"
	case r.complete == completeFile:
		action = "_files"
	case r.complete == completeCommand:
		action = "_command_names -e"
	case r.complete == completeType:
		action = "_" + p.String() + "_types"
	}
	colon := ":"
	if r.optional != "" {
		colon = "::"
	}
	return colon + r.value + ":" + action
}

// fishCompletion returns calls of fish's complete.
func fishCompletion(p Program) string {
	var out strings.Builder
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&out, "complete -c %s", p)
		if r.short != 0 {
			fmt.Fprintf(&out, " -s %c", r.short)
		}
		for _, long := range append([]string{r.long}, r.aliases...) {
			fmt.Fprintf(&out, " -l %s", long)
		}
		fmt.Fprintf(&out, " -d %s%s\n", fishQuote(r.brief), fishValue(r, p))
		if r.negation != "" {
			fmt.Fprintf(&out, "complete -c %s -l %s -d %s\n", p, r.negation, fishQuote(r.negationBrief()))
		}
	}
	return out.String()
}

func fishValue(r *row, p Program) string {
	switch {
	case r.value == "":
		return ""
	case r.optional != "":
		return " -f -a " + fishQuote(r.words())
	case r.words() != "":
		return " -x -a " + fishQuote(r.words())
	case r.complete == completeFile:
		return " -r -F"
	case r.complete == completeCommand:
		return " -x -a '(__fish_complete_command)'"
	case r.complete == completeType:
		return fmt.Sprintf(` -x -a '(%s --type-list | string replace : \t)'`, p)
	}
	return " -x"
}

// powerShellCompletion returns a registration of an argument completer. Words
// for values are offered attached to the flag.
func powerShellCompletion(p Program) string {
	var out strings.Builder
	result := func(text, kind, brief string) {
		quoted := strings.ReplaceAll(text, "'", "''")
		fmt.Fprintf(&out, "    [CompletionResult]::new('%s', '%s', [CompletionResultType]::%s, '%s')\n",
			quoted, quoted, kind, strings.ReplaceAll(brief, "'", "''"))
	}
	for i := range rows {
		r := &rows[i]
		take, switches := r.dashed()
		for _, name := range append(take, switches...) {
			brief := r.brief
			if name == "--"+r.negation {
				brief = r.negationBrief()
			}
			result(name, "ParameterName", brief)
		}
		if r.value != "" {
			for _, word := range strings.Fields(r.words()) {
				result("--"+r.long+"="+word, "ParameterValue", r.brief)
			}
		}
	}
	return strings.NewReplacer("@NAME@", p.String(), "@RESULTS@", out.String()).Replace(
		`using namespace System.Management.Automation

Register-ArgumentCompleter -Native -CommandName '@NAME@' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  if (-not $wordToComplete.StartsWith('-')) { return }
  @(
@RESULTS@  ).Where{ $_.CompletionText.StartsWith($wordToComplete, [StringComparison]::Ordinal) }
}
`)
}

// shellQuote quotes a word for a shell of the Bourne family.
func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
