# Shared by the harness scripts: where things are, and how they speak; to be sourced
# shellcheck shell=bash disable=SC2034
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=$(realpath -m "${BUILD:-$TOP/build}")

if [ -n "${GPUOA_CACHE-}" ]; then
	CACHE=$(realpath -m "$GPUOA_CACHE")
elif [ "$(id -u)" = 0 ]; then
	CACHE=/var/cache/gpuoa
else
	CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/gpuoa
fi

# A make that called us passes its flags and variables on by these; a kernel build must not see them.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

note() { echo "gpuoa: $*" >&2; }
die() { note "$*"; exit 125; }
