package decode

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// realRipgrep is the program that decoding is compared with.
func realRipgrep(t *testing.T) string {
	rg := os.Getenv("TALLY_TEST_RG")
	if rg == "" {
		requireTool(t, "ripgrep", "TALLY_TEST_RG")
	}
	return rg
}

// requireTool ends a test that needs a program that is not there. Where all
// checks have to run, that is a failure.
func requireTool(t *testing.T, program, from string) {
	t.Helper()
	if os.Getenv("CI") == "true" || os.Getenv("TALLY_TEST_REQUIRE") == "1" {
		t.Fatalf("%s is missing; it comes from %s", program, from)
	}
	t.Skipf("not compared with %s, which is missing; it comes from %s", program, from)
}

// printed is what ripgrep shows of all lines of a file; a missing last line
// terminator is there then.
func printed(t *testing.T, rg, label string, data []byte) []byte {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(rg, "--no-config", "-aIN", "--color=never", "-E", label, "", path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && (cmd.ProcessState.ExitCode() != 1 || stderr.Len() > 0) {
		t.Fatalf("%s: %v %s", label, err, &stderr)
	}
	return out
}

// text is what this package makes of the same file.
func text(t *testing.T, label string, data []byte) []byte {
	e, err := Lookup(label)
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(Config{Encoding: e})
	r.Reset(bytes.NewReader(data), Plain)
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(out); n > 0 && out[n-1] != '\n' {
		out = append(out, '\n')
	}
	return out
}

func same(t *testing.T, rg, label string, data []byte) {
	t.Helper()
	want, got := printed(t, rg, label, data), text(t, label, data)
	if bytes.Equal(want, got) || slices.Contains(dropsLead, label) && bytes.Equal(want, withoutLast(got)) {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	from := max(0, at-8)
	t.Errorf("%s: behind %d bytes of %d there is %q, in ripgrep %q", label,
		from, len(data), cut(got[from:]), cut(want[from:]))
}

// dropsLead are the encodings in which ripgrep forgets the first byte of a
// character that the end of the file has cut, if text was decoded together
// with it; the standard has a U+FFFD for it.
var dropsLead = []string{"big5", "cseuckr", "csshiftjis"}

// withoutLast returns b without a last U+FFFD, and without a line of nothing
// else.
func withoutLast(b []byte) []byte {
	b, _ = bytes.CutSuffix(b, []byte("\uFFFD\n"))
	if n := len(b); n > 0 && b[n-1] != '\n' {
		b = append(b, '\n')
	}
	return b
}

func cut(b []byte) []byte { return b[:min(len(b), 20)] }

// encodings are one label of each encoding.
func encodings() []string {
	var all []string
	for _, labels := range labelsOf {
		first, _, _ := strings.Cut(labels, " ")
		all = append(all, first)
	}
	return append(slices.Sorted(slices.Values(all)), "auto", "none")
}

// TestRipgrepAgreesOnRandomBytes compares what is made of bytes of which most
// are not well-formed.
func TestRipgrepAgreesOnRandomBytes(t *testing.T) {
	rg := realRipgrep(t)
	marks := []string{"", "", "\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\xEF\xBB\xBF\xEF\xBB\xBF", "\xFF\xFE\xFF\xFE", "\xEF\xBB"}
	// Bytes that matter in some encoding, so that escapes, pairs and
	// four-byte characters are met often.
	likely := []byte("\x1b\x1b$B(J(I@0189\x0e\x0f\n\\~AZaz\x00\x80\x81\x84\x8e\x8f\xa0\xa1\xd8\xdc\xdf\xe0\xed\xf0\xf4\xfe\xff")
	random := rand.New(rand.NewPCG(5, 3))
	for _, label := range encodings() {
		for i := range 2 * len(marks) {
			data := []byte(marks[i%len(marks)])
			for range 30_000 + random.IntN(3) {
				if i < len(marks) {
					data = append(data, likely[random.IntN(len(likely))])
				} else {
					data = append(data, byte(random.Uint32()))
				}
			}
			same(t, rg, label, data)
		}
	}
}

// TestRipgrepAgreesOnSequences compares all sequences of two bytes, and of
// three behind a byte that announces one, and their ends.
func TestRipgrepAgreesOnSequences(t *testing.T) {
	rg := realRipgrep(t)
	for _, label := range encodings() {
		var data []byte
		for a := range 256 {
			for b := range 256 {
				data = append(data, 'x', byte(a), byte(b), 'y', '\n')
				if a >= 0x80 && b >= 0x80 {
					data = append(data, 0x8F, byte(a), byte(b), '\n')
				}
			}
		}
		same(t, rg, label, data)
		for _, end := range []string{
			"\x81", "\x8f\xa1", "\x84\x31", "\x84\x31\xa4", "\x1b", "\x1b$", "\x1b(", "\x1b$B0", "\x1b$B0\x1b",
			"\xe0", "\xe0\xa0", "\xf0\x9f\x98", "\xf0\x9f\x98\xff", "\x3d\xd8", "\x3d\xd8\x00", "\x3d\xd8\x00\xde", "\xd8\x3d", "\xd8\x3d\xde",
			"\xff\xfe", "\xff", "\xef\xbb\xbf", "\xef\xbb", "a\x00\xff\xfe", "",
		} {
			same(t, rg, label, []byte(end))
			same(t, rg, label, []byte("a\nb"+end))
			same(t, rg, label, []byte("\xff\xfea\nbc"+end))
		}
	}
}

// TestRipgrepAgreesOnGB18030 compares a sample of the characters of four
// bytes, which is all of those that are in the standard's table of ranges.
func TestRipgrepAgreesOnGB18030(t *testing.T) {
	rg := realRipgrep(t)
	var data []byte
	for pointer := 0; pointer < 126*10*126*10; pointer++ {
		if pointer > 39_500 && pointer%97 != 0 && (pointer < 188_900 || pointer > 189_100) {
			continue
		}
		data = append(data, byte(0x81+pointer/12600), byte('0'+pointer/1260%10), byte(0x81+pointer/10%126), byte('0'+pointer%10), '\n')
	}
	same(t, rg, "gb18030", data)
}

// TestRipgrepAgreesOnLabels compares which labels there are.
func TestRipgrepAgreesOnLabels(t *testing.T) {
	rg := realRipgrep(t)
	labels := []string{
		"", " ", "replacement", "csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr",
		"utf16", "utf-32", "UTF-8", " \tutf-8\n", "\vutf-8", "utf-8\u00a0", "utf8\u2028", "\u212Aoi8-r", "latin-1", "foo", "Auto", "NONE", "l 1",
	}
	for _, l := range labelsOf {
		labels = append(labels, strings.Fields(l)...)
	}
	if n := len(labels); n < 222 {
		t.Fatalf("%d labels", n)
	}
	for _, label := range labels {
		cmd := exec.Command(rg, "--no-config", "-q", "--encoding="+label, "x", os.DevNull)
		out, err := cmd.CombinedOutput()
		_, ours := Lookup(label)
		if (cmd.ProcessState.ExitCode() == 2) != (ours != nil) {
			t.Errorf("%q: %v, ripgrep: %v %s", label, ours, err, out)
			continue
		}
		if want := "rg: error parsing flag --encoding: "; ours != nil && want+ours.Error()+"\n" != string(out) {
			t.Errorf("%q: %v, ripgrep: %s", label, ours, out)
		}
	}
}
