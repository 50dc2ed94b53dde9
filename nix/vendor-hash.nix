# Written by scripts/vendor-hash --write.
"sha256-IND13KYRrc6fm2fw/KGo91ARCdHRDyJQjh76/QGQN0k="
