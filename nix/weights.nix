# The model that --meaning embeds with: BAAI's bge-small-en-v1.5 (MIT), in GGUF
# with eight bits a weight, 37 MB. Pinned by revision and by hash.
{ fetchurl }:
let
  name = "bge-small-en-v1.5-q8_0.gguf";
  revision = "d32f8c040ea3b516330eeb75b72bcc2d3a780ab7";
in
fetchurl {
  inherit name;
  url = "https://huggingface.co/CompendiumLabs/bge-small-en-v1.5-gguf/resolve/${revision}/${name}";
  hash = "sha256-7Djo2hQllrqpExJK5QVQ3ihLaRa/WVd+8vDLlmDC9RQ=";
}
