package decode

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func packedBy(t *testing.T, to func(io.Writer) io.WriteCloser, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := to(&b)
	_, err := io.WriteString(w, data)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t *testing.T, data string) string {
	return packedBy(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, data)
}

func zipped(t *testing.T, comment, data string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("a.xml")
	if err == nil {
		_, err = io.WriteString(f, data)
	}
	if err == nil {
		err = w.SetComment(comment)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tarred(t *testing.T, members ...string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, data := range members {
		err := w.WriteHeader(&tar.Header{Name: strings.Repeat("n", 150), Mode: 0o644, Size: int64(len(data))})
		if err == nil {
			_, err = io.WriteString(w, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fastZlib compresses at a level that looks like text at first.
func fastZlib(w io.Writer) io.WriteCloser {
	z, err := zlib.NewWriterLevel(w, 2)
	if err != nil {
		panic(err)
	}
	return z
}

// oldTar makes the headers of a tar archive those of a time before POSIX: without
// a magic, told by their checksums.
func oldTar(t *testing.T, data string) string {
	t.Helper()
	b := []byte(data)
	for at := 0; at+tarBlock <= len(b); at += tarBlock {
		h := b[at : at+tarBlock]
		if string(h[257:262]) != "ustar" {
			continue
		}
		clear(h[257:])
		copy(h[148:156], "        ")
		sum := 0
		for _, c := range h {
			sum += int(c)
		}
		copy(h[148:156], fmt.Sprintf("%06o\x00 ", sum))
	}
	return string(b)
}

func TestContainer(t *testing.T) {
	text := strings.Repeat("some text\n", 300)
	stub := "#!/bin/sh\n" + strings.Repeat("# a script before it\n", 200)
	for _, test := range []struct{ what, data, want string }{
		{"nothing", "", ""},
		{"text", text, ""},
		{"gzip", gzipped(t, text), "gzip"},
		{"zlib", packedBy(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, text), "zlib"},
		{"zip", zipped(t, "", text), "zip"},
		{"no files in zip", "PK\x05\x06" + strings.Repeat("\x00", 18), "zip"},
		{"zip behind a script", stub + zipped(t, "", text), "zip"},
		{"zip behind a script, with a comment", stub + zipped(t, "a comment", text), "zip"},
		{"zip behind a script, with a long comment", stub + zipped(t, strings.Repeat("c", 2000), text), "zip"},
		{"zip between a script and more", stub + zipped(t, "", text) + strings.Repeat("\n", 600), "zip"},
		{"code that knows zip", "\x7FELF" + stub + "PK\x01\x02\x00\x00\x00\x00\x00\x00\x00\x00PK\x01\x02", ""},
		{"text about zip", stub + "PK\x05\x06 ends an archive", ""},
		{"tar of text", tarred(t, text, "", text), ""},
		{"gzip in tar", tarred(t, text, gzipped(t, text), text), "gzip in tar"},
		{"gzip in tar in tar", tarred(t, text, tarred(t, gzipped(t, text))), "gzip in tar"},
		{"gzip in an old tar", oldTar(t, tarred(t, text, gzipped(t, text))), "gzip in tar"},
		{"text in an old tar", oldTar(t, tarred(t, text)), ""},
		{"zip behind a script in tar", tarred(t, stub+zipped(t, "", text)), "zip in tar"},
		{"pdf", "%PDF-1.4\n" + text, "pdf"},
		{"short pdf", "%PDF-1.4", "pdf"},
		{"pdf with a mark", "\xEF\xBB\xBF%PDF-1.4\n", "pdf"},
		{"pdf behind a header", "HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n" + text + "%%EOF\n", "pdf"},
		{"text about pdf", "It begins with %PDF-1.4\n" + text, ""},
		{"xz", "\xFD7zXZ\x00", "xz"},
		{"zstd, a frame that is skipped", "\x50\x2A\x4D\x18\x00\x00\x00\x00", "zstd"},
		{"7z", "7z\xBC\xAF\x27\x1C", "7z"},
		{"rar", "Rar!\x1A\x07\x01\x00", "rar"},
		{"disk image", text + "koly" + strings.Repeat("\x00", 508), "dmg"},
		{"png", "\x89PNG\r\n\x1A\n", ""},
		{"elf", "\x7FELF\x02\x01\x01\x00", ""},
		{"x and more", "x^2\n", ""},
		{"x and é", "x^2 é", ""},
		{"x and NUL bytes", "x^2\x00\x00", ""},
		{"x and half of é", "x^2 \xC3", ""},
		{"fast zlib", packedBy(t, fastZlib, text), "zlib"},
	} {
		for way, src := range map[string]io.Reader{
			"whole":      strings.NewReader(test.data),
			"in halves":  iotest.HalfReader(strings.NewReader(test.data)),
			"in bytes":   iotest.OneByteReader(strings.NewReader(test.data)),
			"with error": iotest.DataErrReader(strings.NewReader(test.data)),
		} {
			r := NewReader(Config{Inspect: true})
			r.Reset(src, Plain)
			text, err := io.ReadAll(r)
			if err != nil || !strings.HasSuffix(test.data, string(text)) {
				t.Fatalf("%s, %s: %d bytes, %v", test.what, way, len(text), err)
			}
			if got := r.Facts().Container; got != test.want {
				t.Errorf("%s, %s: %q, want %q", test.what, way, got, test.want)
			}
		}
	}
}

// TestContainerWithin: what was taken apart is none, but may hold one.
func TestContainerWithin(t *testing.T) {
	for _, test := range []struct{ what, data, want string }{
		{"text", gzipped(t, "text"), ""},
		{"gzip", gzipped(t, gzipped(t, "text")), "gzip"},
		{"tar", gzipped(t, tarred(t, "text")), ""},
		{"zip in tar", gzipped(t, tarred(t, zipped(t, "", "text"))), "zip in tar"},
	} {
		r := NewReader(Config{Inspect: true, Unpack: true})
		r.Reset(strings.NewReader(test.data), Plain)
		if _, err := io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if got := r.Facts().Container; got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}
