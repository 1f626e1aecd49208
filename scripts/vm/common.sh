# common.sh: paths and messages of the VM scripts; to be sourced
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

# A calling make passes its flags and variables in these; a kernel build must not inherit them.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

note() { echo "gpuoa: $*" >&2; }
die() { note "$*"; exit 125; }
