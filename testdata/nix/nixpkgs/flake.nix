# As much of nixpkgs as evaluating the flake needs: a package is a derivation
# that keeps what it was given and could not be built. Paths, filters and fixed
# outputs are Nix's own, so that what is read off them is what a real nixpkgs gives.
{
  outputs =
    { self }:
    let
      lib = {
        genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
        hasPrefix = p: s: builtins.substring 0 (builtins.stringLength p) s == p;
        hasSuffix = p: s:
          let n = builtins.stringLength s - builtins.stringLength p;
          in n >= 0 && builtins.substring n (-1) s == p;
        removePrefix = p: s: if lib.hasPrefix p s then builtins.substring (builtins.stringLength p) (-1) s else s;
        optionalString = c: s: if c then s else "";
        cleanSourceWith = { name, src, filter }: builtins.path { inherit name filter; path = src; };
        licenses.mit = "mit";
        platforms.unix = [ ];
      };
      packagesFor = system:
        let
          package = name: given:
            derivation ({ inherit name system; builder = "/bin/false"; } // removeAttrs given [ "meta" "passthru" "env" "cargoLock" ] // (given.env or { }))
            // { inherit (given) meta; version = given.version or ""; } // builtins.intersectAttrs { cargoLock = 1; } given;
          named = name: package name { meta = { }; };
          pkgs = lib.genAttrs [ "cargo" "git" "go" "installShellFiles" "llama-cpp" "makeBinaryWrapper" "rustc" "shellcheck" ] named // {
            inherit lib pkgs;
            stdenv = { buildPlatform.canExecute = _: true; hostPlatform = { }; };
            callPackage = file: given: let f = import file; in f (builtins.intersectAttrs (builtins.functionArgs f) pkgs // given);
            buildGoModule = given: package "${given.pname}-${given.version}" given;
            rustPlatform.buildRustPackage = given: package "${given.pname}-${given.version}" given;
            runCommand = name: given: text: package name ({ meta = { }; buildCommand = text; } // given);
            mkShell = given: package "shell" (given // { meta = { }; });
            fetchurl = { name, url, hash }: package name { inherit url; outputHash = hash; outputHashAlgo = null; outputHashMode = "flat"; meta = { }; };
          };
        in
        pkgs;
    in
    {
      inherit lib;
      legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] packagesFor;
    };
}
