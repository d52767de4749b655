#!/bin/sh
# Compiles the software float library. The module that is in the repository was made with clang 19 of Debian.
#
# usage: build.sh [OUTPUT]      (soft.wasm beside this file, if there is none)
set -eu
here=$(dirname "$0")
"${CLANG:-clang-19}" --target=wasm32 -mcpu=mvp -O2 -std=c11 -Wall -Wextra -Wno-bitwise-instead-of-logical -Werror -ffreestanding -nostdlib \
    -Wl,--no-entry -Wl,--strip-all \
    -o "${1:-$here/soft.wasm}" \
    "$here/arithmetic.c" "$here/comparisons.c" "$here/integral.c" "$here/conversions.c"
