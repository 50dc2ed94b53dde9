package ignore

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"tally/walk/opt"
)

// excludesFile returns the path of git's global excludes file, empty if there
// is none. As in git, the user's configuration outranks the system's, and
// GIT_CONFIG_GLOBAL takes the place of both of the user's files. What could not be
// read may have named another file.
func (c *Config) excludesFile() (path string, unread []*ReadError) {
	r := configReader{home: c.home()}
	for _, path := range c.gitConfigs() {
		r.read(path, maxIncludes)
	}
	path, set := r.value.Get()
	if dir := c.xdgDir(); !set && dir != "" {
		return filepath.Join(dir, "git/ignore"), r.unread
	}
	path = expandHome(path, c.home())
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.Cwd, path)
	}
	return path, r.unread
}

// gitConfigs lists git's configuration files, the weakest first.
func (c *Config) gitConfigs() []string {
	var paths []string
	if off, _ := c.lookup("GIT_CONFIG_NOSYSTEM"); !isTrue(off) {
		system, ok := c.lookup("GIT_CONFIG_SYSTEM")
		if !ok {
			system = "/etc/gitconfig"
		}
		paths = append(paths, system)
	}
	if user, ok := c.lookup("GIT_CONFIG_GLOBAL"); ok {
		return append(paths, user)
	}
	if dir := c.xdgDir(); dir != "" {
		paths = append(paths, filepath.Join(dir, "git/config"))
	}
	if home := c.home(); home != "" {
		paths = append(paths, filepath.Join(home, ".gitconfig"))
	}
	return paths
}

func isTrue(s string) bool {
	switch strings.ToLower(s) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

func (c *Config) lookup(name string) (string, bool) {
	if c.LookupEnv == nil {
		return "", false
	}
	return c.LookupEnv(name)
}

func (c *Config) home() string {
	home, _ := c.lookup("HOME")
	return home
}

func (c *Config) xdgDir() string {
	if dir, _ := c.lookup("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	if home := c.home(); home != "" {
		return filepath.Join(home, ".config")
	}
	return ""
}

func expandHome(path, home string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return path
}

// maxIncludes is git's own limit on files that include files.
const maxIncludes = 10

// A configReader reads core.excludesFile; the last one counts.
type configReader struct {
	home   string
	value  opt.Value[string]
	unread []*ReadError
}

// read reads a configuration file and those that it includes unconditionally. To
// git, one that the user may not read is none.
func (r *configReader) read(path string, depth int) {
	data, err := readFile(path)
	if err != nil {
		if !absent(err) && !errors.Is(err, fs.ErrPermission) {
			r.unread = append(r.unread, &ReadError{Source: path, Err: err})
		}
		return
	}
	p := configParser{r: bufio.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))}
	for p.next() {
		switch p.section + "." + p.key {
		case "core.excludesfile":
			if p.hasValue {
				r.value = opt.Some(p.value)
			}
		case "include.path":
			include := expandHome(p.value, r.home)
			if !filepath.IsAbs(include) {
				include = filepath.Join(filepath.Dir(path), include)
			}
			if depth > 0 {
				r.read(include, depth-1)
			}
		}
	}
}

// A configParser reads git's configuration syntax one variable at a time. It
// stops at what it cannot read, where git would refuse the whole file.
type configParser struct {
	r        *bufio.Reader
	section  string // lower case; a subsection makes it differ from any plain one
	key      string // lower case
	value    string
	hasValue bool // there was a "="
}

func (p *configParser) next() bool {
	for {
		c, err := p.r.ReadByte()
		switch {
		case err != nil:
			return false
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			section, err := p.r.ReadString(']')
			if err != nil {
				return false
			}
			p.section = strings.ToLower(strings.TrimSuffix(section, "]"))
		case isBlank(c) || c == '\n':
		default:
			return p.variable(c)
		}
	}
}

func (p *configParser) skipLine() { _, _ = p.r.ReadString('\n') }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// variable reads "key" or "key = value" up to the end of the line.
func (p *configParser) variable(first byte) bool {
	key := []byte{first}
	p.value, p.hasValue = "", false
	for {
		c, err := p.r.ReadByte()
		if err != nil || c == '\n' {
			break
		}
		if c == '=' {
			p.hasValue = true
			p.value = p.text()
			break
		}
		if !isBlank(c) {
			key = append(key, c)
		}
	}
	p.key = strings.ToLower(string(key))
	return true
}

var configEscapes = map[byte]byte{'n': '\n', 't': '\t', 'b': '\b', '"': '"', '\\': '\\'}

// text reads a value: blanks around it do not count unless quoted, a comment
// ends it, and a backslash escapes or continues the line.
func (p *configParser) text() string {
	var b []byte
	quoted, kept := false, 0 // kept: the length that trailing blanks do not reach
	for {
		c, err := p.r.ReadByte()
		switch {
		case err != nil || c == '\n':
			return string(b[:kept])
		case c == '"':
			quoted = !quoted
			kept = len(b)
		case !quoted && isBlank(c):
			if len(b) > 0 {
				b = append(b, c)
			}
		case !quoted && (c == '#' || c == ';'):
			p.skipLine()
			return string(b[:kept])
		case c == '\\':
			e, err := p.r.ReadByte()
			if err != nil {
				return string(b[:kept])
			}
			if e == '\r' {
				e, _ = p.r.ReadByte()
			}
			if e == '\n' {
				continue
			}
			b = append(b, configEscapes[e])
			kept = len(b)
		default:
			b = append(b, c)
			kept = len(b)
		}
	}
}
