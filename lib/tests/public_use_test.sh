#!/bin/bash
# Check that programs use each public function of libgpuoa; prints TAP
#
# A function of libgpuoa must be used by a tool, an example, a front end or libgpuoa-extra. A
# function that only some programs want belongs in libgpuoa-extra; one that only the library itself
# uses is not public.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

. selftests/tap.sh

list() { make --no-print-directory -s "print-$1"; }

# Everything that is linked with libgpuoa and not a test
users() {
	printf '%s\n' "$BUILD"/tools/{gpuoa,gpuoa-*} "$BUILD"/lib/libgpuoa-extra.so "$BUILD"/frontend/igdmd/libigdmd.so.1
	list EXAMPLES | tr ' ' '\n'
}

public() {
	awk '/{$/ { on = !/PRIVATE/ } on && /^\tgpuoa_.*;$/ { sub(/^\t/, ""); sub(/;$/, ""); print }' lib/libgpuoa.map
}

used() {
	users | xargs nm -D -u | awk '{ sub(/@.*/, "", $2); print $2 }' | sort -u
}

each_is_used() {
	local unused
	unused=$(used | comm -13 - <(public | sort))
	[ -z "$unused" ] || { echo "no tool, example or front end, nor libgpuoa-extra, uses:" "$unused" && return 1; }
	[ "$(public | wc -l)" -gt 100 ]
}

if [ -n "$(list TOOL_LEFT_OUT)" ]; then
	echo "1..0 # SKIP without gpuoa $(list TOOL_LEFT_OUT)"
	exit
fi
check "each public function of libgpuoa is used by a program or by libgpuoa-extra" each_is_used
echo "1..$number"
