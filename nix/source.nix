# Which files a build sees, so that a change of any other rebuilds nothing. What
# is not named here is in: a file that go:embed takes must not be forgotten.
{ lib }:
let
  root = toString ../.;

  # Tests of Go stay, though none is run: what "go mod vendor" copies, and so
  # vendor-hash.nix, depends on what they import.
  unseen = [
    "LICENSE"
    "README.md"
    "flake.lock"
    "flake.nix"
    "nix"
    "result"
    "target"
  ];

  # Of the documents, the program has the schema in it.
  ofDocs = name: lib.hasPrefix "docs/" name && !lib.hasPrefix "docs/schema." name;
  # Of the crate, Go reads the header alone.
  ofCrate = name: lib.hasPrefix "match/librure/" name && !lib.hasSuffix ".h" name;
  # Of the scripts, "go mod vendor" reads the commands that are written in Go.
  ofShell =
    name: lib.hasPrefix "scripts/" name && !lib.hasPrefix "scripts/internal" name;

  hidden = path: lib.hasPrefix "." (baseNameOf path);
in
{
  tally = lib.cleanSourceWith {
    name = "tally-source";
    src = ../.;
    filter =
      path: _:
      let
        name = lib.removePrefix (root + "/") (toString path);
      in
      !(
        builtins.elem name unseen
        || baseNameOf path == "testdata"
        || hidden path
        || ofDocs name
        || ofCrate name
        || ofShell name
      );
  };

  # Without .cargo, which only sets a variable that librure.nix sets as well.
  librure = lib.cleanSourceWith {
    name = "librure-source";
    src = ../match/librure;
    filter = path: _: baseNameOf path != "target" && !hidden path;
  };
}
