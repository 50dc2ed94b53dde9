# tally with an embedder: the program, told where a llama-server and a model
# are. A package of its own, so that another server or model rebuilds no Go.
{
  runCommand,
  makeBinaryWrapper,
  llama-cpp, # as nixpkgs builds it, since that is what its binary cache has
  tally-bare,
  weights,
}:
# A default leaves a variable alone that is set, and so an empty one, too: that
# is how --meaning is switched off. The name must reach the program, which a copy
# called rg makes another one.
runCommand "tally-${tally-bare.version}"
  {
    nativeBuildInputs = [ makeBinaryWrapper ];
    inherit (tally-bare) meta;
  }
  ''
    mkdir -p $out/bin
    makeBinaryWrapper ${tally-bare}/bin/tally $out/bin/tally --inherit-argv0 \
      --set-default TALLY_LLAMA_SERVER ${llama-cpp}/bin/llama-server \
      --set-default TALLY_EMBED_MODEL ${weights}
    ln -s ${tally-bare}/share $out/share
  ''
