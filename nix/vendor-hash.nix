# Written by scripts/vendor-hash --write.
"sha256-+0P2BLNOU6lTXJeJumj3mL6lTuhA33Qqjq/vy0PLG6M="
