# What a build must be able to do. The tests of the source are scripts/test's.
{ pkgs, packages }:
let
  check =
    name: tally: script:
    pkgs.runCommand "tally-check-${name}" { nativeBuildInputs = [ tally ]; } ''
      export HOME=$PWD XDG_CACHE_HOME=$PWD/cache XDG_RUNTIME_DIR=$PWD/run
      mkdir -m 700 notes run
      printf 'the slugs got the seedlings last year\n' >notes/garden.md
      printf 'a sourdough wants a hot oven\n' >notes/bread.md
      ${script}
      touch $out
    '';

  # A search, a proof of absence, and the same program by its other name.
  search = ''
    test "$(tally slugs notes)" = 'notes/garden.md:the slugs got the seedlings last year'
    tally --absent snails notes
    cp "$(command -v tally)" rg # never a link, which some callers resolve
    test "$(./rg --count 's.u?gs' notes)" = 'notes/garden.md:1'
    test "$(./rg --count -P '(?<=the )slugs' notes)" = 'notes/garden.md:1'
  '';
in
{
  inherit (packages) default tally-bare;
  search-bare = check "search-bare" packages.tally-bare search;
  search = check "search" packages.default search;

  # The server starts, takes the model, and finds what no word finds.
  meaning = check "meaning" packages.default ''
    tally --meaning 'protecting young plants from snails' notes >found
    grep -F notes/garden.md found
    if grep -F notes/bread.md found; then exit 1; fi
  '';

  share = pkgs.runCommand "tally-check-share" { } ''
    cd ${packages.default}/share
    test -s "$(echo man/man1/tally.1*)"
    test -s bash-completion/completions/tally.bash
    test -s fish/vendor_completions.d/tally.fish
    test -s zsh/site-functions/_tally
    touch $out
  '';
}
