# What scripts/tally and scripts/test want; they build in the checkout.
{ pkgs }:
pkgs.mkShell {
  packages = [
    (pkgs.go_1_26 or pkgs.go)
    pkgs.cargo
    pkgs.rustc
    pkgs.git
    pkgs.shellcheck
  ];
}
