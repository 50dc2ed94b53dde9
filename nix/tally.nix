# The program alone, with its manual page and completions.
{
  lib,
  stdenv,
  buildGoModule,
  installShellFiles,
  librure,
  source,
  version,
}:
buildGoModule {
  pname = "tally";
  inherit version;
  src = source;
  vendorHash = import ./vendor-hash.nix;
  subPackages = [
    "."
    "tally-mcp"
  ];
  tags = [ "urfave_cli_no_docs" ]; # as in scripts/lib.sh
  env.CGO_LDFLAGS = "-L${librure}/lib";

  # scripts/test runs the tests; they want other programs to compare with.
  doCheck = false;

  nativeBuildInputs = [ installShellFiles ];
  postInstall = lib.optionalString (stdenv.buildPlatform.canExecute stdenv.hostPlatform) ''
    $out/bin/tally --generate=man >tally.1
    installManPage tally.1
    for kind in bash fish zsh; do
      $out/bin/tally --generate=complete-$kind >tally.$kind
    done
    installShellCompletion tally.bash tally.fish tally.zsh
  '';

  meta = {
    description = "A grep that can be believed: ripgrep's flags and output, totals that are true";
    license = lib.licenses.mit;
    mainProgram = "tally";
    platforms = lib.platforms.unix;
  };
}
