# shellcheck shell=bash
# What tally is compared with: other programs, and trees of real files. Each is
# fetched or built once, into the cache. Sourced after lib.sh, which sets that.
: "${cache:?}" "${root:?}"

readonly ripgrep_version=15.2.0
readonly linux_package=linux-source-6.1

# peer_ripgrep sets rg to the real ripgrep, built from its published source.
peer_ripgrep() {
	local dir=$cache/peers/ripgrep-$ripgrep_version
	rg=$dir/bin/rg
	if [[ ! -x $rg ]]; then
		need_tools
		locked peers build_ripgrep "$dir" || exit 2
	fi
}

build_ripgrep() {
	if [[ -x $1/bin/rg ]]; then return; fi
	say "building ripgrep $ripgrep_version to compare with (once, a minute or two)"
	local temp
	temp=$(mktemp -d "$cache/ripgrep.XXXXXX") || return
	# Link the PCRE2 that the crate carries: every machine then has the same.
	logged 'building ripgrep' env -u CARGO_BUILD_TARGET PCRE2_SYS_STATIC=1 CARGO_TARGET_DIR="$temp/target" \
		cargo install ripgrep --version "$ripgrep_version" --features pcre2 --locked --no-track --root "$temp/out" &&
		publish "$temp/out" "$1"
	local status=$?
	rm -rf "$temp"
	return "$status"
}

# peer_ripgrep_tests [FEATURE] sets suite to the directory with the program of
# ripgrep's own integration tests, built with the feature.
peer_ripgrep_tests() {
	local dir=$cache/peers/ripgrep-$ripgrep_version-tests${1:+-$1}
	if [[ ! -x $dir/integration ]]; then
		need_tools
		locked peers build_ripgrep_tests "$dir" "${1:-}" || exit 2
	fi
	# shellcheck disable=SC2034 # for those who source this
	suite=$dir
}

build_ripgrep_tests() {
	if [[ -x $1/integration ]]; then return; fi
	say "building ripgrep's tests${2:+ with $2} (once, a minute or two)"
	local temp
	temp=$(mktemp -d "$cache/ripgrep-tests.XXXXXX") || return
	logged "building ripgrep's tests" compile_ripgrep_tests "$temp" "$2" && publish "$temp/out" "$1"
	local status=$?
	rm -rf "$temp"
	return "$status"
}

# compile_ripgrep_tests DIR FEATURE leaves the program in DIR/out. The source
# comes as that of a dependency, since cargo has no command that fetches one
# package.
compile_ripgrep_tests() (
	unset CARGO_BUILD_TARGET
	mkdir -p "$1/fetch/src" "$1/out" && cd "$1/fetch" && : >src/lib.rs && cat >Cargo.toml <<-END || return
		[package]
		name = "fetch"
		version = "0.0.0"
		edition = "2021"
		[dependencies]
		ripgrep = "=$ripgrep_version"
	END
	cargo fetch || return
	local source
	source=$(find "${CARGO_HOME:-$HOME/.cargo}/registry/src" -mindepth 2 -maxdepth 2 -name "ripgrep-$ripgrep_version" | head -n 1)
	[[ -d $source ]] && cp -R "$source" "$1/source" && cd "$1/source" || return
	PCRE2_SYS_STATIC=1 CARGO_TARGET_DIR="$1/target" CARGO_PROFILE_DEV_DEBUG=0 \
		cargo test --no-run --locked --test integration ${2:+--features "$2"} || return
	find "$1/target/debug/deps" -name 'integration-*' -type f -perm -u+x ! -name '*.*' -exec cp {} "$1/out/integration" \;
	[[ -x $1/out/integration ]]
)

# peer_corpora sets corpora to the directory with the unpacked notes (tldr,
# handbook, glossary), empty if their archives are not beside the checkout.
peer_corpora() {
	local from=${TALLY_CORPORA:-$root/../shared/corpora} key
	corpora=
	if ! compgen -G "$from/*.tar.xz" >/dev/null; then return; fi
	mkdir -p "$cache"
	key=$(cd "$from" && find . -name '*.tar.xz' -print0 | hash_files) || return
	corpora=$cache/corpora/$key
	if [[ ! -d $corpora ]]; then locked corpora unpack_corpora "$from" "$corpora" || exit 2; fi
}

unpack_corpora() {
	if [[ -d $2 ]]; then return; fi
	local temp archive
	temp=$(mktemp -d "$cache/corpora.XXXXXX") || return
	mkdir "$temp/out"
	# Each archive holds one directory of its own name.
	for archive in "$1"/*.tar.xz; do
		tar -xJf "$archive" -C "$temp/out" --no-same-owner || return
	done
	publish "$temp/out" "$2"
	rm -rf "$temp"
}

# peer_vault sets vault to the notes that testdata/vault makes.
peer_vault() {
	local key
	mkdir -p "$cache"
	key=$(cd "$root" && find testdata/vault -name '*.go' -print0 | hash_files) || return
	vault=$cache/vault/$key
	if [[ ! -d $vault ]]; then locked vault make_vault "$vault" || exit 2; fi
}

make_vault() {
	if [[ -d $1 ]]; then return; fi
	local temp
	temp=$(mktemp -d "$cache/vault.XXXXXX") || return
	(cd "$root" && CGO_ENABLED=0 go run ./testdata/vault/gen "$temp/out") || return
	publish "$temp/out" "$1"
	rm -rf "$temp"
}

# peer_linux sets linux to a Linux source tree of about 80,000 files, empty
# where Debian's packages cannot be had.
peer_linux() {
	linux=
	command -v apt-get >/dev/null || return 0
	local dir=$cache/trees/$linux_package
	if [[ ! -d $dir ]]; then locked linux unpack_linux "$dir" || return 0; fi
	# shellcheck disable=SC2034 # for those who source this
	linux=$dir
}

unpack_linux() {
	if [[ -d $1 ]]; then return; fi
	say "fetching $linux_package to measure on (once, 1.5 GB unpacked)"
	local temp
	temp=$(mktemp -d "$cache/linux.XXXXXX") || return
	# The sandboxed download user of apt must be able to write here.
	chmod 755 "$temp"
	logged "fetching $linux_package" fetch_linux "$temp" && publish "$temp/$linux_package" "$1"
	local status=$?
	rm -rf "$temp"
	return "$status"
}

fetch_linux() {
	cd "$1" || return
	apt-get download "$linux_package" || { apt-get update && apt-get download "$linux_package"; } || return
	dpkg -x "$linux_package"_*.deb . && tar -xJf "usr/src/$linux_package.tar.xz"
}

# peer_debian COMMAND [PACKAGE] prints the command's path, after installing its
# package if that can be done; nothing if it cannot.
peer_debian() {
	if ! command -v "$1" >/dev/null && ((EUID == 0)) && command -v apt-get >/dev/null; then
		logged "installing $1" apt_install "${2:-$1}" || true
	fi
	command -v "$1"
}

apt_install() {
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" ||
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }
}
