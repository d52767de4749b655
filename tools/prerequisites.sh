# Installs the packages that building and testing need. tools/setup, tools/test and .ci/run source this
# file, which only defines functions.

# The oldest Rust that builds the workspace: rust-version in Cargo.toml.
oldest_rust() { sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml"; }

# The Debian packages of those needs that are missing; a need is one of compiler, clang, wasm, make, venv,
# git, curl, valgrind, debian.
missing_packages() {
    local need
    for need in "$@"; do
        case $need in
        compiler) command -v c++ >/dev/null && command -v cc >/dev/null || echo g++ ;;
        clang) has_clang || echo clang libclang-rt-dev llvm ;;
        wasm) has_wasm || echo clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32 libc++-19-dev-wasm32 ;;
        make) command -v make >/dev/null || echo make ;;
        venv) python3 -c 'import ensurepip, tomllib, venv' 2>/dev/null || echo python3 python3-venv ;;
        git) command -v git >/dev/null || echo git ;;
        debian) command -v dpkg-shlibdeps >/dev/null || echo dpkg-dev binutils ;;
        curl) command -v curl >/dev/null || echo curl ca-certificates ;;
        valgrind) command -v valgrind >/dev/null || echo valgrind libc6-dbg ;;
        *) echo "tools/prerequisites.sh: unknown need '$need'" >&2 && return 1 ;;
        esac
    done
}

# Whether clang can build programs that count their executions, and llvm-profdata can read the counts.
has_clang() {
    command -v llvm-profdata >/dev/null &&
        echo 'int main(void) { return 0; }' | clang -fprofile-instr-generate -x c - -o /dev/null 2>/dev/null
}

# Whether C and C++ can be compiled for WebAssembly: compiler, linker, and both libraries.
has_wasm() {
    command -v clang-19 >/dev/null && command -v wasm-ld-19 >/dev/null && [ -e /usr/lib/wasm32-wasi/libc.a ] &&
        [ -e /usr/lib/wasm32-wasi/libc++.a ]
}

# Installs the packages of the given needs with apt-get, if any is missing.
install_missing() {
    local packages as_root=()
    packages=$(missing_packages "$@")
    [ -n "$packages" ] || return 0
    # Names of packages have no spaces: one word each.
    # shellcheck disable=SC2086
    set -- $packages
    if ! command -v apt-get >/dev/null; then
        echo "missing: what the Debian packages $* hold; please install it" >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "missing: please run, as root:  apt-get update && apt-get install $*" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "installing: $*"
    "${as_root[@]}" apt-get update -qq </dev/null
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" </dev/null
}

# Puts cargo into PATH where it is only in its usual folder, and checks that it is new enough.
find_rust() {
    local oldest found
    if ! command -v cargo >/dev/null && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    fi
    oldest=$(oldest_rust)
    if ! found=$(cargo --version 2>&1); then
        echo "missing: Rust $oldest or newer (no working 'cargo' in PATH); see https://rustup.rs" >&2
        return 1
    fi
    found=${found#cargo }
    found=${found%% *}
    if [ "$(printf '%s\n' "$oldest" "$found" | sort -V | head -n 1)" != "$oldest" ]; then
        echo "too old: cargo $found, needed is Rust $oldest or newer; 'rustup update' or see https://rustup.rs" >&2
        return 1
    fi
}
