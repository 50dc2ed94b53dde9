# Written by scripts/vendor-hash --write.
"sha256-73b7E7fTbobFNyN3nIWAHfqbO2R0Qx915lXt0ty2FcA="
