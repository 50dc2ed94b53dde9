package report

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// The words of these errors are ripgrep's; see also [TestSpecsLikeRipgrep].
func TestColorSpecErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"x":              "invalid color spec format: 'x'. Valid format is '(path|line|column|match|highlight):(fg|bg|style):(value)'.",
		"path:none:a:b":  "invalid color spec format: 'path:none:a:b'. Valid format is '(path|line|column|match|highlight):(fg|bg|style):(value)'.",
		"path:fg":        "invalid color spec format: 'path:fg'. Valid format is '(path|line|column|match|highlight):(fg|bg|style):(value)'.",
		"foo:none":       "unrecognized output type 'foo'. Choose from: path, line, column, match, highlight.",
		"path:x":         "unrecognized spec type 'x'. Choose from: fg, bg, style, none.",
		"match:style:":   "unrecognized style attribute ''. Choose from: nobold, bold, nointense, intense, nounderline, underline, noitalic, italic.",
		"path:fg:1,2":    "unrecognized RGB color triple, should be '[0-255],[0-255],[0-255]' (or a hex triple), but is '1,2'",
		"path:fg:300":    "unrecognized ansi256 color number, should be '[0-255]' (or a hex number), but is '300'",
		"path:fg:0x1ff":  "unrecognized color name '0x1ff'. Choose from: black, blue, green, red, cyan, magenta, yellow, white",
		"PATH:FG:RED":    "",
		"path:none:what": "",
		"path:bg:0x0F":   "",
		"path:fg:+5":     "",
	} {
		got := ""
		if _, err := ParseColorSpecs([]string{spec}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
}

func TestHyperlinkFormatErrors(t *testing.T) {
	for format, want := range map[string]string{
		"x{path":           "unclosed variable: found '{' without a corresponding '}' following it",
		"a}b":              "unopened variable: found '}' without a corresponding '{' preceding it",
		"{}":               "invalid hyperlink format variable: '', choose from: path, line, column, host, wslprefix",
		"foo":              "at least a {path} variable is required in a hyperlink format, or otherwise use a valid alias: default, none, cursor, file, grep+, kitty, macvim, textmate, vscode, vscode-insiders, vscodium",
		"x:{host}":         "the {path} variable is required in a hyperlink format",
		"x:{path}{column}": "the hyperlink format contains a {column} variable, but no {line} variable is present",
		"{path}":           "the hyperlink format must start with a valid URL scheme, i.e., [0-9A-Za-z+-.]+:",
		"é:{path}":         "the hyperlink format must start with a valid URL scheme, i.e., [0-9A-Za-z+-.]+:",
		"":                 "", "none": "", "vscode": "", "a:{{{path}}}": "",
	} {
		got := ""
		if _, err := ParseHyperlinkFormat(format); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
}

// TestSpecsLikeRipgrep puts odd specifications and templates before both
// parsers.
func TestSpecsLikeRipgrep(t *testing.T) {
	rg := ripgrep(t)
	check := func(flag, value string, ours error) {
		t.Helper()
		out, err := exec.Command(rg, "--no-config", flag, value, "x", "/dev/null").CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		got, want := "", strings.TrimSpace(string(out))
		if ours != nil {
			got = ours.Error()
		}
		if (got == "") != (want == "") || !strings.HasSuffix(want, got) {
			t.Errorf("%s %q: %q, want %q", flag, value, got, want)
		}
	}
	for _, spec := range []string{
		"", ":", "::", "path", "path:", "path:fg:", "path:fg:a", "path:fg:g", "path:fg:-1", "path:fg:256", "path:fg:1,2,3", "path:fg:1,2,3,4",
		"path:fg:0x", "path:fg:0xG", "path:fg:0XF", "path:fg:,", "path:fg:,,", "path:fg:1, 2,3", "path:fg:++1", "path:fg:é", "Match:Style:BOLD",
		"path:fg:red:", "path:none:", "path:style", "column:bg:0x10,0x20,0xff", "path:fg:00000001", "line:fg:1_0",
	} {
		_, err := ParseColorSpecs([]string{spec})
		check("--colors", spec, err)
	}
	for _, format := range []string{
		"{", "}", "{{", "}}", "x:{path}{", "x:{path}}", "x:{path}}}", "x:{{path}}", ":{path}", "a b:{path}", "a+b-c.1:{path}", "x{path}:", "x:{Path}",
		"x:{path}{line}{column}{host}{wslprefix}", "x:{pa{th}", "default", "Default", "kitty", "grep+", "cursor", "x:{ path}",
	} {
		_, err := ParseHyperlinkFormat(format)
		check("--hyperlink-format", format, err)
	}
}
