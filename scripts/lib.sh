# shellcheck shell=bash
# What the scripts share: the cache, the check of the tools, and the build of
# librure and of the program. Sourced by them with $root set to the checkout.
# Nothing here writes to standard output or reads standard input on its way to
# a search, since both belong to the program that is run in the end.

: "${root:?}"

# The cache lies outside the tree, so that a checkout stays clean and two
# checkouts of the same content share one build.
if [[ ${XDG_CACHE_HOME:-} == /* ]]; then
	cache=$XDG_CACHE_HOME/tally-build
else
	cache=${HOME:?is not set, and neither is XDG_CACHE_HOME}/.cache/tally-build
fi

readonly kept_builds=5

# The library for the command line can write man pages in a way that we do not
# use, and what it needs for that would be set up at every start. No name of a host
# is ever looked up, so nothing of the C library is needed for it.
readonly build_tags=urfave_cli_no_docs,netgo

say() { printf 'tally: %s\n' "$*" >&2; }

die() {
	say "$@"
	exit 2
}

# hash_files reads NUL-separated file names and prints one key for their names
# and contents.
hash_files() {
	local key
	key=$(LC_ALL=C sort -z | xargs -0 "${sha256[@]}" | "${sha256[@]}") || return
	printf '%.32s' "$key"
}

if command -v sha256sum >/dev/null; then sha256=(sha256sum); else sha256=(shasum -a 256); fi

# source_key prints the key of everything that the program is made of. A stale
# build is noticed by content alone: a checkout, a copy or a restored backup
# sets times that mean nothing. Files that go:embed may take in have no common
# suffix, so inside the rooms everything counts but tests.
source_key() {
	(cd "$root" && {
		find . \( -name '.?*' ! -name .cargo -o -name target -o -name testdata -o -path ./docs -o -path ./nix -o -path ./scripts \) -prune -o \
			-type f \( -path './*/*' -o -name '*.go' -o -name 'go.???' -o -name default.pgo \) ! -name '*_test.go' -print0
		printf 'scripts/lib.sh\0docs/schema.go\0docs/schema.json\0'
	} | hash_files)
}

# crate_key prints the key of the wrapper crate and of the compiler that
# builds it.
crate_key() {
	(cd "$root/match/librure" && {
		find . -name target -prune -o -type f -print0
		rustc -vV >"$cache/rustc" && printf '%s\0' "$cache/rustc"
	} | hash_files)
}

# at_least HAVE WANT compares dotted versions.
at_least() { [[ -n $1 && $(printf '%s\n%s\n' "$2" "$1" | LC_ALL=C sort -V | head -n 1) == "$2" ]]; }

go_wanted() { sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' "$root/go.mod"; }
rust_wanted() { sed -n 's/^rust-version *= *"\(.*\)".*/\1/p' "$root/match/librure/Cargo.toml"; }

# Asked inside the checkout, since the go command may answer for a newer
# toolchain that go.mod asks for and that it can get.
go_found() { (cd "$root" && go env GOVERSION 2>/dev/null) | sed -n 's/^go\([0-9.]*\).*/\1/p'; }
rust_found() { "${1:-cargo}" --version 2>/dev/null | sed -n 's/^cargo \([0-9.]*\).*/\1/p'; }

# use_rust WANT takes the directories before the first cargo that is new enough
# out of PATH if they hold another one: that may be a stand-in of rustup, which has
# no toolchain where HOME is another.
use_rust() {
	local dir kept='' dirs
	IFS=: read -ra dirs <<<"$PATH"
	for dir in "${dirs[@]}"; do
		if [[ -x $dir/cargo ]] && ! at_least "$(rust_found "$dir/cargo")" "$1"; then continue; fi
		kept+=${kept:+:}$dir
	done
	if PATH=$kept command -v cargo >/dev/null; then PATH=$kept; fi
	hash -r
}

cc_found() {
	local c
	for c in ${CC:+"$CC"} gcc clang cc; do
		if command -v "${c%% *}" >/dev/null; then
			printf '%s' "$c"
			return
		fi
	done
}

# apt_offer WANT PACKAGE... prints the first package set (joined by +) that
# Debian offers in a version that is new enough.
apt_offer() {
	local want=$1 set offered
	shift
	for set in "$@"; do
		offered=$(apt-cache policy "${set%%+*}" 2>/dev/null | sed -n 's/^ *Candidate: \([0-9]*:\)\{0,1\}\([0-9.]*\).*/\2/p')
		if at_least "$offered" "$want"; then
			printf '%s' "${set//+/ }"
			return
		fi
	done
}

# missing_tools sets need_tools's three lists: what is missing, the Debian packages that
# bring it, and what to do where Debian has nothing that is new enough.
missing_tools() {
	lacks=() packages=() otherwise=()
	local want found offer
	want=$(go_wanted) found=$(go_found)
	if ! at_least "$found" "$want"; then
		lacks+=("Go $want or newer (found: ${found:-none})")
		offer=$(apt_offer "$want" "golang-$want-go" golang-go)
		if [[ -n $offer ]]; then packages+=("$offer"); else otherwise+=("Go: unpack https://go.dev/dl/ into /usr/local (no package here is new enough)"); fi
	fi
	want=$(rust_wanted)
	use_rust "${want:-0}"
	found=$(rust_found)
	if ! at_least "$found" "${want:-0}"; then
		lacks+=("cargo $want or newer (found: ${found:-none})")
		# Debian keeps a current Rust beside its own for the browsers it ships.
		offer=$(apt_offer "$want" cargo+rustc cargo-web+rustc-web)
		if [[ -n $offer ]]; then packages+=("$offer"); else otherwise+=("cargo: follow https://rustup.rs (no package here is new enough)"); fi
	fi
	if [[ -z $(cc_found) ]]; then
		lacks+=("a C compiler")
		packages+=("gcc libc6-dev")
	fi
}

# need_tools returns when everything that a build needs is there. As root on
# Debian it installs what is missing; otherwise one message names all of it.
need_tools() {
	local dir
	for dir in "${CARGO_HOME:-$HOME/.cargo}/bin" /usr/local/go/bin "/usr/lib/go-$(go_wanted)/bin"; do
		if [[ -d $dir && :$PATH: != *:$dir:* ]]; then PATH=$PATH:$dir; fi
	done
	local lacks packages otherwise sudo=sudo
	missing_tools
	if ((${#lacks[@]} == 0)); then return; fi
	if ((EUID == 0)); then sudo=''; fi
	if command -v apt-get >/dev/null; then
		if ((EUID == 0)); then
			say "missing: $(join '; ' "${lacks[@]}"); asking Debian for it"
			apt-get update >&2 </dev/null
			missing_tools
			# shellcheck disable=SC2068 # an entry may name two packages
			if ((${#packages[@]})); then DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${packages[@]} >&2 </dev/null; fi
			hash -r
			missing_tools
			if ((${#lacks[@]} == 0)); then return; fi
		fi
		if ((${#packages[@]})); then otherwise+=("${sudo:+$sudo }apt-get install ${packages[*]}"); fi
	else
		otherwise=("Go: https://go.dev/dl/" "cargo: https://rustup.rs" "a C compiler: from your system's packages")
	fi
	{
		echo 'tally: the build needs what is not here:'
		printf '  - %s\n' "${lacks[@]}"
		echo 'To install it:'
		printf '  %s\n' "${otherwise[@]}"
	} >&2
	exit 2
}

join() {
	local by=$1 all=$2
	shift 2
	printf '%s' "$all" "${@/#/$by}"
}

# locked NAME COMMAND... runs the command while no other script runs one under
# that name. Without flock(1) two builds may both run; each then publishes by
# rename, so that the loser's work is lost and nothing else.
locked() {
	local lock=$cache/$1.lock
	shift
	mkdir -p "$cache"
	if command -v flock >/dev/null; then
		(
			flock 9
			"$@" 9>&-
		) 9>"$lock"
	else
		("$@")
	fi
}

# publish TEMP DIR moves a finished directory to its place.
publish() {
	mkdir -p "${2%/*}"
	mv -T "$1" "$2" 2>/dev/null || mv "$1" "$2" 2>/dev/null || rm -rf "$1"
	[[ -d $2 ]]
}

# used DIR notes that the build in DIR is in use, for prune.
used() { true 2>/dev/null >"$1/used"; }

# prune DIR keeps the few of DIR's builds that were used last, and sweeps what
# interrupted builds left in the cache.
prune() {
	local old
	# shellcheck disable=SC2012 # the names are keys
	ls -1t "$1"/*/used | tail -n +$((kept_builds + 1)) | while read -r old; do rm -rf "${old%/used}"; done
	find "$cache" -mindepth 1 -maxdepth 1 -name '*.??????' -mmin +1440 -exec rm -rf {} +
}

# logged TITLE COMMAND... runs a command whose output matters only when it
# fails; then its end is shown.
logged() {
	local title=$1 log
	shift
	log=$(mktemp "$cache/log.XXXXXX")
	if "$@" >"$log" 2>&1 </dev/null; then
		rm -f "$log"
		return
	fi
	tail -n 40 "$log" >&2
	mv "$log" "$cache/failed.log"
	say "$title failed; the whole log: $cache/failed.log"
	return 2
}

# librure_dir sets librure to the directory that holds librure.a, and builds it
# if need be. The key is part of the directory's name, because Go's build cache
# looks at the linker flags but not at what they lead to.
librure_dir() {
	local key
	mkdir -p "$cache"
	key=$(crate_key) || die 'the crate match/librure or rustc cannot be read'
	librure=$cache/librure/$key
	if [[ ! -f $librure/librure.a ]]; then locked librure build_librure || exit 2; fi
	used "$librure"
}

build_librure() {
	if [[ -f $librure/librure.a ]]; then return; fi
	say 'building librure, the regex engine (once, about half a minute)'
	local temp
	temp=$(mktemp -d "$cache/librure.XXXXXX") || return
	# In the crate's directory: cargo takes its configuration from where it is run.
	(cd "$root/match/librure" && logged 'building librure' \
		env -u CARGO_BUILD_TARGET PCRE2_SYS_STATIC=1 CARGO_TARGET_DIR="$temp/target" cargo build --release --locked) || {
		rm -rf "$temp"
		return 2
	}
	mkdir "$temp/lib"
	cp "$temp/target/release/librure.a" "$temp/lib/" && used "$temp/lib" && publish "$temp/lib" "$librure" && prune "$cache/librure"
	local status=$?
	rm -rf "$temp"
	return "$status"
}

# go_env makes the go command in this shell link against librure.
go_env() {
	librure_dir
	export CGO_ENABLED=1 CGO_LDFLAGS="-L$librure"
	CC=$(cc_found)
	export CC
}

# link_flags prints the linker's flags: nothing is linked at run time where the C
# library can do without, so that a start takes 0.3 ms less.
link_flags() {
	if [[ $(uname -s) == Linux ]] && echo 'int main(void) { return 0; }' | ${CC:-cc} -static -o "$1" -x c - 2>/dev/null; then
		printf '%s' '-extldflags=-static'
	fi
	rm -f "$1"
}

# program sets bin to the program's file and builds it if none was built from
# these sources.
program() {
	local key
	key=$(source_key)
	[[ -n $key ]] || die "the sources in $root cannot be read"
	bin=$cache/bin/$key/tally
	if [[ -x $bin ]]; then
		used "${bin%/*}"
		return
	fi
	need_tools
	locked build build_program || exit 2
	key=$(source_key)
	bin=$cache/bin/$key/tally
	[[ -x $bin ]] || die 'the sources changed while they were built; run it again'
}

# build_program builds until the sources stood still from beginning to end.
build_program() {
	local key temp _
	temp=$(mktemp -d "$cache/build.XXXXXX") || return
	for _ in 1 2 3; do
		key=$(source_key)
		if [[ -x $cache/bin/$key/tally ]]; then break; fi
		say 'building tally'
		(go_env && cd "$root" && logged 'building tally' go build -tags "$build_tags" -ldflags "$(link_flags "$temp/try")" \
			-trimpath -buildvcs=false -o "$temp/out/" . ./tally-mcp) || {
			rm -rf "$temp"
			return 2
		}
		if [[ $key == $(source_key) ]]; then
			used "$temp/out" && publish "$temp/out" "$cache/bin/$key" && prune "$cache/bin"
			break
		fi
	done
	rm -rf "$temp"
}
