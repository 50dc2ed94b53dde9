{
  description = "tally, a grep that can be believed";

  # Pinned by its revision here, since a lock file could add only the hash of
  # the same archive.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/afb4584a80bbf779ce0f691509ff902d188c2b3d";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      each =
        make:
        nixpkgs.lib.genAttrs systems (
          system: make nixpkgs.legacyPackages.${system} self.packages.${system}
        );
    in
    {
      packages = nixpkgs.lib.genAttrs systems (
        system: import ./nix { pkgs = nixpkgs.legacyPackages.${system}; }
      );

      apps = each (
        _: packages: {
          default = {
            type = "app";
            program = "${packages.default}/bin/tally";
          };
          tally-bare = {
            type = "app";
            program = "${packages.tally-bare}/bin/tally";
          };
        }
      );

      checks = each (pkgs: packages: import ./nix/checks.nix { inherit pkgs packages; });

      devShells = each (
        pkgs: _: {
          default = import ./nix/shell.nix { inherit pkgs; };
        }
      );
    };
}
