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

# Run a command in a root directory that has some of the host's directories, by the same names.
in_root() { # root directories command...
	local user=()
	[ "$(id -u)" = 0 ] || user=(--map-root-user --map-auto)
	# shellcheck disable=SC2016 # the other shell expands it
	unshare --mount "${user[@]}" bash -ec '
		root=$1 dirs=$2
		shift 2
		# unshare works in the root only if it is a mount point.
		mount --bind "$root" "$root"
		for dir in /dev /proc $dirs; do
			mkdir -p "$root$dir"
			mount --rbind "$dir" "$root$dir"
		done
		exec chroot "$root" "$@"' bash "$1" "$2" "${@:3}"
}
