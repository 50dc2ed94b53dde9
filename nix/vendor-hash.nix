# Written by scripts/vendor-hash --write.
"sha256-aTYuQ6RMKL37ocml+E2Bz2Yogr2szbNO5IgvP8OwNLc="
