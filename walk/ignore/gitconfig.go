package ignore

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// excludesFile returns the path of git's global excludes file, empty if there
// is none. As in git, the user's configuration outranks the system's, and
// GIT_CONFIG_GLOBAL takes the place of both of the user's files.
func (c *Config) excludesFile() string {
	value, set := "", false
	for _, path := range c.gitConfigs() {
		if v, ok := configValue(path, c.home(), maxIncludes); ok {
			value, set = v, true
		}
	}
	switch {
	case !set:
		if dir := c.xdgDir(); dir != "" {
			return filepath.Join(dir, "git/ignore")
		}
		return ""
	case value == "":
		return ""
	}
	value = expandHome(value, c.home())
	if !filepath.IsAbs(value) {
		value = filepath.Join(c.Cwd, value)
	}
	return value
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

// configValue reads core.excludesFile from a configuration file and those that
// it includes unconditionally; the last one counts.
func configValue(path, home string, depth int) (value string, set bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", false
	}
	p := configParser{r: bufio.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))}
	for p.next() {
		switch p.section + "." + p.key {
		case "core.excludesfile":
			value, set = p.value, p.hasValue
		case "include.path":
			include := expandHome(p.value, home)
			if !filepath.IsAbs(include) {
				include = filepath.Join(filepath.Dir(path), include)
			}
			if depth > 0 {
				if v, ok := configValue(include, home, depth-1); ok {
					value, set = v, true
				}
			}
		}
	}
	return value, set
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
