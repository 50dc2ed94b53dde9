package run_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRunningNamesProcessesAndVariables holds docs/running.md to its word: it
// names every part of the source that can start a process, and every variable
// of ours that is looked at.
func TestRunningNamesProcessesAndVariables(t *testing.T) {
	text, err := os.ReadFile("../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	ours := regexp.MustCompile(`^(TALLY|XDG|RIPGREP)_[A-Z_]+$`)
	starters, variables := 0, 0
	for path, file := range sources(t) {
		if startsProcesses(file) {
			starters++
			place := path
			if dir := filepath.ToSlash(filepath.Dir(path)); dir != "." {
				place = dir
			}
			if !strings.Contains(page, "`"+place+"`") {
				t.Errorf("%s can start a process, and docs/running.md does not name %s", path, place)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				name, _ := strconv.Unquote(lit.Value)
				if ours.MatchString(name) {
					variables++
					if !strings.Contains(page, "`"+name) {
						t.Errorf("%s looks at %s, which docs/running.md does not name", path, name)
					}
				}
			}
			return true
		})
	}
	if starters == 0 || variables == 0 {
		t.Errorf("found %d starters of processes and %d variables: the test looks at the wrong files", starters, variables)
	}
}

// small are the rooms that any room may import.
var small = []string{"match/inflate", "match/masks", "match/outline", "walk/glob", "walk/opt", "walk/retry"}

// TestRooms holds docs/architecture.md to its word: it has a row for each room, and
// a room imports only what it says.
func TestRooms(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	imports := 0
	for path, file := range sources(t) {
		room := filepath.ToSlash(filepath.Dir(path))
		if !regexp.MustCompile("(?m)^\\| `"+room+"/?` \\|").Match(text) && room != "." {
			t.Errorf("docs/architecture.md has no row for %s", room)
		}
		meets := slices.Contains([]string{".", "tally-mcp", "serve", "run"}, room) || strings.HasPrefix(room, "run/")
		for _, spec := range file.Imports {
			of, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "tally/")
			if !ours {
				continue
			}
			imports++
			switch {
			case of == "flags" && room != "run" && room != "run/plan":
				t.Errorf("%s imports flags", path)
			case !meets && room != "report" && !strings.HasPrefix(of, room+"/") && !slices.Contains(small, of):
				t.Errorf("%s imports %s, which is neither below it nor small", path, of)
			case room == "report" && strings.HasPrefix(of, "run"):
				t.Errorf("%s imports %s", path, of)
			}
		}
	}
	if imports == 0 {
		t.Error("found no imports: the test looks at the wrong files")
	}
}

// sources are the files that the program is made of, by path.
func sources(t *testing.T) map[string]*ast.File {
	files := map[string]*ast.File{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && (name == "scripts" || name == "testdata" || name == "target" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		files[strings.TrimPrefix(path, "../")] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// startsProcesses reports whether a file starts a process by any way that there
// is in Go's own packages.
func startsProcesses(file *ast.File) bool {
	found := false
	for _, spec := range file.Imports {
		found = found || spec.Path.Value == `"os/exec"`
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			switch sel.Sel.Name {
			case "StartProcess", "ForkExec", "Exec":
				found = true
			}
		}
		return !found
	})
	return found
}
