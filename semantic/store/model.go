package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"
)

// The file models remembers the hashes of model files, so that not every run
// has to read one. A line is what stat(2) says of a file — device, inode, size,
// and the times of the last changes of its content and of the inode, in
// nanoseconds —, its SHA-256, and the xxHash64 of the line so far:
//
//	2049 1835021 36684864 1700000000000000000 1700000000000000000 eeb8… 9c35e00dc2d36cc7
//
// The newest line is the first. It is replaced as a whole.
const (
	modelsName = "models"
	maxModels  = 16
)

// settled is how old a file's last change must be for its times to tell it from
// the next change: longer than the coarsest clock of a file system.
const settled = 3 * time.Second

// HashModel returns the SHA-256 of a model's file. It is remembered in the
// directory of the cache, if that is possible, for as long as the file does not
// change.
func HashModel(dir, path string) (sum [32]byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	identity, changed, err := identify(file)
	if err != nil {
		return sum, err
	}
	known := rememberedModels(dir)
	for _, line := range known {
		if text, ok := strings.CutPrefix(line, identity+" "); ok {
			if n, _ := hex.Decode(sum[:], []byte(text)); n == len(sum) {
				return sum, nil
			}
		}
	}
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return sum, err
	}
	sum = [32]byte(h.Sum(nil))
	after, _, err := identify(file)
	if err == nil && after == identity && time.Since(changed) > settled {
		known = append([]string{fmt.Sprintf("%s %x", identity, sum)}, known...)
		rememberModels(dir, known[:min(len(known), maxModels)])
	}
	return sum, err
}

// identify is what tells a file from others and from what it was, and when it
// was changed.
func identify(file *os.File) (string, time.Time, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &st); err != nil {
		return "", time.Time{}, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return "", time.Time{}, fmt.Errorf("%s: it is no file", file.Name())
	}
	m, c := time.Unix(st.Mtim.Unix()), time.Unix(st.Ctim.Unix())
	text := fmt.Sprintf("%d %d %d %d %d", st.Dev, st.Ino, st.Size, m.UnixNano(), c.UnixNano())
	if c.After(m) {
		m = c
	}
	return text, m, nil
}

// rememberedModels reads the lines that are whole, without their sums.
func rememberedModels(dir string) []string {
	text, err := os.ReadFile(filepath.Join(dir, modelsName))
	if err != nil {
		return nil
	}
	var list []string
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan() && len(list) < maxModels; {
		line := lines.Text()
		at := strings.LastIndexByte(line, ' ')
		if at > 0 && line[at+1:] == fmt.Sprintf("%016x", xxhash.Sum64String(line[:at])) {
			list = append(list, line[:at])
		}
	}
	return list
}

// rememberModels writes the lines. That it cannot costs the next run some time.
func rememberModels(dir string, lines []string) {
	if !filepath.IsAbs(dir) || os.MkdirAll(dir, 0o700) != nil {
		return
	}
	file, err := os.CreateTemp(dir, modelsName+".*"+unfinished)
	if err != nil {
		return
	}
	w := bufio.NewWriter(file)
	for _, line := range lines {
		fmt.Fprintf(w, "%s %016x\n", line, xxhash.Sum64String(line))
	}
	err = w.Flush()
	if closed := file.Close(); err != nil || closed != nil || os.Rename(file.Name(), filepath.Join(dir, modelsName)) != nil {
		os.Remove(file.Name())
	}
}
