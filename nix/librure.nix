# The static library with both regex engines (match/librure), from its
# committed lock.
{
  rustPlatform,
  source,
}:
rustPlatform.buildRustPackage {
  pname = "librure";
  version = "0.1.0";
  src = source;
  cargoLock.lockFile = ../match/librure/Cargo.lock;

  # PCRE2 from the source that crate pcre2-sys carries, never another one.
  env.PCRE2_SYS_STATIC = "1";

  # It is tested through Go. An archive can hold no list of its crates.
  doCheck = false;
  auditable = false;

  installPhase = ''
    runHook preInstall
    library=$(find target -path '*/release/librure.a' -print -quit)
    install -Dm644 "$library" "$out/lib/librure.a"
    runHook postInstall
  '';

  meta.description = "The regex crate's C API and PCRE2, as tally links them";
}
