package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"
)

// load opens the file, or makes one, and reads what it holds. What goes wrong
// becomes a note.
func (s *Store) load(dir string) {
	if !filepath.IsAbs(dir) {
		s.refused = errNoPlace
		return
	}
	lock, err := openLock(dir)
	if err == nil {
		s.lock = lock
		err = lock.with(func() error { return s.attach(true) })
	}
	if err == nil {
		return
	}
	s.refused = err
	if !errors.Is(err, errBusy) && !unwritable(err) {
		s.note("%v; new vectors are kept for this run alone", err)
	}
	// It may still be there to be read.
	if file, err := os.Open(s.path); err == nil {
		s.read(file, false)
		file.Close()
	}
}

// unwritable reports whether an error is one of a place that cannot be written.
// Warnings speaks of it when there is something to write.
func unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS)
}

func (s *Store) note(format string, values ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, values...))
}

// attach opens the file for writing, under the lock, and reads it if it is the
// first. A file that is not what it should be is replaced.
func (s *Store) attach(first bool) error {
	file, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = s.create()
	}
	if err != nil {
		return err
	}
	if err := s.checkHeader(file); err != nil {
		s.note("%s: %v; it is made anew", s.path, err)
		file.Close()
		if file, err = s.create(); err != nil {
			return err
		}
	}
	if s.file != nil {
		s.file.Close()
	}
	s.file, s.next = file, 0
	if s.moved = !first; first {
		s.read(file, true)
	}
	return nil
}

// create makes an empty file, under the lock.
func (s *Store) create() (*os.File, error) {
	file, err := os.OpenFile(s.path+unfinished, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = file.Write(s.space.header(dateOf(s.today).Format(time.DateOnly)))
	if err == nil {
		err = os.Rename(s.path+unfinished, s.path)
	}
	if err != nil {
		file.Close()
		os.Remove(s.path + unfinished)
		return nil, err
	}
	return file, nil
}

func (s *Store) checkHeader(file *os.File) error {
	space, _, err := readHeader(file)
	if err == nil && !space.same(&s.space) {
		err = errHeader
	}
	return err
}

// readHeader reads the beginning of a file.
func readHeader(file io.ReaderAt) (Space, time.Time, error) {
	b := make([]byte, headerSize)
	if _, err := file.ReadAt(b, 0); err != nil {
		if err == io.EOF {
			err = errHeader
		}
		return Space{}, time.Time{}, err
	}
	return parseHeader(b)
}

// read takes in the slots and maps the file. If it may, it voids the slots of
// damaged entries, so that they are reported once.
func (s *Store) read(file *os.File, voids bool) {
	if err := s.checkHeader(file); err != nil {
		s.note("%s: %v; it is not used", s.path, err)
		return
	}
	slots, bad, size, err := readSlots(file, s.layout)
	if err == nil && len(slots) > 0 {
		s.data, err = unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	}
	if err != nil {
		s.note("%s: cannot be read, and is not used: %v", s.path, err)
		return
	}
	if len(bad) > 0 {
		s.note("%s: %d of its entries were damaged and are not used", s.path, len(bad))
	}
	if voids {
		for _, i := range bad {
			file.WriteAt(voidSlot, s.layout.slot(i))
		}
	}
	s.next, s.slots = len(slots), slots
	s.state = make([]atomic.Uint32, len(slots))
	s.index = newIndex(slots)
}

func unmap(data []byte) error { return unix.Munmap(data) }

// readSlots reads all slots of a file up to the last one that is taken. Those of
// damaged entries, or of such that have lost their vectors, are free in the list
// and named apart.
func readSlots(file *os.File, l layout) (slots []slot, bad []int, size int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, 0, err
	}
	size = info.Size()
	slots = make([]slot, 0, l.blocks(size)*blockSlots)
	used := 0
	buf := make([]byte, blockSlots*slotSize)
	for block := range l.blocks(size) {
		clear(buf)
		n, err := file.ReadAt(buf, l.slot(block*blockSlots))
		if err != nil && err != io.EOF {
			return nil, nil, 0, err
		}
		for at := 0; at < n; at += slotSize {
			i := block*blockSlots + at/slotSize
			one, ok := decodeSlot(buf[at : at+slotSize])
			if !one.free || !ok {
				used = i + 1
			}
			if !ok || !one.free && l.vector(i)+l.vectorSize() > size {
				bad = append(bad, i)
				one = slot{free: true}
			}
			slots = append(slots, one)
		}
	}
	return slots[:used], bad, size, nil
}

// append writes an entry behind all others. If the file is not at its place any
// more (another process has pruned or cleared the cache) it goes on in what is
// there now.
func (s *Store) append(key Key, vector []float32) error {
	if s.lock == nil {
		return errBusy
	}
	return s.lock.with(func() error {
		if !s.inPlace() {
			if err := s.attach(false); err != nil {
				return err
			}
		}
		i, err := s.firstFree()
		if err != nil {
			return err
		}
		b := bytesOf(vector)
		if _, err := s.file.WriteAt(b, s.layout.vector(i)); err != nil {
			return err
		}
		entry := slot{key: key, sum: xxhash.Sum64(b), day: s.today}
		if _, err := s.file.WriteAt(entry.encode(), s.layout.slot(i)); err != nil {
			return err
		}
		s.next = i + 1
		return nil
	})
}

// inPlace reports whether the file that is open is the one at its path.
func (s *Store) inPlace() bool {
	if s.file == nil {
		return false
	}
	open, err1 := s.file.Stat()
	there, err2 := os.Stat(s.path)
	return err1 == nil && err2 == nil && os.SameFile(open, there)
}

// firstFree finds the first free slot behind all that are taken.
func (s *Store) firstFree() (int, error) {
	b := make([]byte, slotSize)
	for i := s.next; ; i++ {
		clear(b)
		if _, err := s.file.ReadAt(b, s.layout.slot(i)); err != nil && err != io.EOF {
			return 0, err
		}
		if bytes.Equal(b, freeSlot) {
			return i, nil
		}
	}
}

// settle writes the day of their use to the slots that were used, and voids
// those of vectors that were found to be damaged. If it cannot, an entry is
// pruned too early, or reported once more.
func (s *Store) settle() {
	if s.lock == nil || s.file == nil || s.moved {
		return
	}
	var changed []int
	for i := range s.state {
		if state := s.state[i].Load(); state == damaged || state == intact && s.slots[i].day != s.today {
			changed = append(changed, i)
		}
	}
	if len(changed) == 0 {
		return
	}
	day := binary.LittleEndian.AppendUint32(nil, s.today)
	_ = s.lock.with(func() error {
		if !s.inPlace() {
			return nil
		}
		for _, i := range changed {
			if s.state[i].Load() == damaged {
				s.file.WriteAt(voidSlot, s.layout.slot(i))
			} else {
				s.file.WriteAt(day, s.layout.slot(i)+dayAt)
			}
		}
		return nil
	})
}
