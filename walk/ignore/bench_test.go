package ignore

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// kernelRules are of the kind and number that a Linux source tree has at its
// top; most of its files match none of them.
var kernelRules = strings.Join(strings.Fields(`
.* *.a *.asn1.[ch] *.bin *.bz2 *.c.[012]*.* *.dt.yaml *.dtb *.dtbo *.dtb.S *.dwo *.elf *.gcno *.gz *.i *.ko *.lex.c
*.ll *.lst *.lz4 *.lzma *.lzo *.mod *.mod.c *.o *.o.* *.patch *.rmeta *.rsi *.s *.so *.so.dbg *.su *.symtypes
*.symversions *.tab.[ch] *.tar *.xz *.zst Module.symvers modules.order /linux /modules-only.symvers /vmlinux /vmlinux.32
/vmlinux.map /vmlinux.symvers /vmlinux-gdb.py /vmlinuz /System.map /Module.markers /modules.builtin /modules.builtin.modinfo
/debian/ /snap/ /tar-install/ !.clang-format !.cocciconfig !.get_maintainer.ignore !.gitattributes !.gitignore !.mailmap
!.rustfmt.toml /include/config/ /include/generated/ /include/ksym/ /arch/*/include/generated/ patches-* patches series
cscope.* ncscope.* tags TAGS gtags GPATH GRTAGS GSYMS *.orig *~ \#*# extra_certificates signing_key.pem signing_key.priv
signing_key.x509 x509.genkey /allconfig /allmod.config /allno.config /Kdevelop /kdev4 sphinx_*/ /rust/doc/**
`), "\n")

const drivers, perDriver = 100, 50

// stack is a path of directories with rules at three of its levels.
func stack(tb testing.TB, top []byte) (root *Dir, names []string) {
	s, errs := New(Config{Dot: true, VCS: true, Exclude: true, RequireGit: true, Cwd: "/"})
	if len(errs) > 0 {
		tb.Fatal(errs)
	}
	root = &Dir{src: s}
	root.enterRepo()
	for name, data := range map[string][]byte{".git/info/exclude": []byte("/mine\n*.swp\n"), ".gitignore": top} {
		k := fromGitignore
		if name != ".gitignore" {
			k = fromExclude
		}
		r, _ := Compile(name, data, Options{})
		root.insert(group{k, r, r.start()})
	}
	r := rand.New(rand.NewPCG(1, 1))
	stems := []string{"main", "core", "i2c", "pci", "usb-serial", "dma", "regmap", "firmware", "ethtool", "Kconfig", "Makefile", "debugfs"}
	for range perDriver {
		names = append(names, fmt.Sprintf("%s%d%s", stems[r.IntN(len(stems))], r.IntN(100), []string{".c", ".c", ".c", ".h", ".h", ".rst", ".yaml", ""}[r.IntN(8)]))
	}
	return root, names
}

func descend(d *Dir, names ...string) *Dir {
	for _, n := range names {
		d, _ = d.Child(n, 0, nil)
	}
	return d
}

func addRules(d *Dir, data string) *Dir {
	r, _ := Compile("x/.gitignore", []byte(data), Options{})
	c := *d
	c.groups = append([]group(nil), d.groups...)
	c.insert(group{fromGitignore, r, r.start()})
	return &c
}

// BenchmarkKernel judges one entry of a directory three levels deep, under the
// rules of the top, of one directory between, and of info/exclude.
func BenchmarkKernel(b *testing.B) {
	root, names := stack(b, []byte(kernelRules))
	d := descend(addRules(descend(root, "drivers"), "modules.list\n*_gen.[ch]\n/consolemap.c\n"), "net", "ethernet")
	b.ReportAllocs()
	for i := range b.N {
		d.Match(names[i%len(names)], false)
	}
}

// BenchmarkKernelTree judges 5,000 files in 100 directories, entering each.
func BenchmarkKernelTree(b *testing.B) {
	root, names := stack(b, []byte(kernelRules))
	var dirs []string
	for i := range drivers {
		dirs = append(dirs, fmt.Sprintf("driver%d", i))
	}
	b.ReportAllocs()
	for b.Loop() {
		parent := descend(root, "drivers")
		for _, dir := range dirs {
			d := descend(parent, dir)
			for _, n := range names {
				d.Match(n, false)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(drivers*perDriver), "ns/file")
}

// manyRules are 100,000 lines of all kinds.
func manyRules() []byte {
	var b strings.Builder
	kinds := []string{"name%d.txt\n", "*.ext%d\n", "prefix%d*\n", "/top/dir%d/file\n", "dir%d/\n", "/a%d/**/b\n", "**/c/d%d\n", "f%d*[0-9].o\n", "*x%d*y.o\n", "!keep%d\n"}
	for i := range 100_000 {
		fmt.Fprintf(&b, kinds[i%len(kinds)], i)
	}
	return []byte(b.String())
}

func Benchmark100kRules(b *testing.B) {
	root, names := stack(b, manyRules())
	for where, d := range map[string]*Dir{"top": root, "deep": descend(root, "drivers", "net", "ethernet")} {
		b.Run(where, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				d.Match(names[i%len(names)], false)
			}
		})
	}
	b.Run("child", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			root.Child("drivers", 0, nil)
		}
	})
}

func BenchmarkCompile100k(b *testing.B) {
	data := manyRules()
	b.ReportAllocs()
	for b.Loop() {
		Compile("x", data, Options{})
	}
}
