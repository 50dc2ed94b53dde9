# The packages: default is tally with an embedder for --meaning, tally-bare the
# program alone; the other two are what these are made of.
{ pkgs }:
let
  source = import ./source.nix { inherit (pkgs) lib; };

  # The program says its version in one place.
  version = builtins.head (
    builtins.match ".*\nconst Version = \"([^\"]+)\".*" (builtins.readFile ../run/session.go)
  );

  librure = pkgs.callPackage ./librure.nix { source = source.librure; };

  tally-bare = pkgs.callPackage ./tally.nix {
    inherit librure version;
    source = source.tally;
    # The Go that go.mod asks for, whatever nixpkgs takes by default.
    buildGoModule = pkgs.buildGo126Module or pkgs.buildGoModule;
  };

  weights = pkgs.callPackage ./weights.nix { };
in
{
  inherit librure tally-bare weights;
  default = pkgs.callPackage ./wrapped.nix { inherit tally-bare weights; };
}
