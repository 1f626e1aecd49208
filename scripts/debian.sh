#!/bin/bash
# debian.sh: run a command on another release of Debian, in this tree
#
# debian.sh SUITE COMMAND...: the command runs in a root of SUITE (kernel.sh --root), as root if this
#                             user is, with $BUILD/SUITE as $BUILD, and sees this tree, the build and
#                             the cache of kernels. The root is made once; the host does not change.
# debian.sh --test SUITE      the commands of README, from a clean build; prints TAP
# debian.sh --compilers SUITE build library and tools by the suite's gcc and clang, where a warning is
#                             an error; prints TAP
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

run() { # suite command...
	local root
	root=$("$TOP/scripts/vm/kernel.sh" --root "$1")
	mkdir -p "$BUILD/$1"
	in_root "$root" "/sys $TOP $BUILD $CACHE" /usr/bin/env -i -C "$TOP" BUILD="$BUILD/$1" GPUOA_CACHE="$CACHE" \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
		TERM="${TERM-dumb}" "${@:2}"
}

# Test in TAP; the output of a failed command is printed.
number=0
try() { # name command...
	local log=$BUILD/debian.log status=ok
	number=$((number + 1))
	"${@:2}" >"$log" 2>&1 </dev/null || { status="not ok"; sed 's/^/# /' "$log" | tail -30; }
	echo "$status $number - $1"
}

installs() { # suite
	run "$1" make -s install DESTDIR="$BUILD/$1/installed" &&
		run "$1" "$BUILD/$1/installed/usr/local/bin/gpuoa" --version
}
no_packages_missing() { # suite
	run "$1" scripts/deps.sh vm >"$BUILD/$1/deps.log" 2>&1
	cat "$BUILD/$1/deps.log"
	[ ! -s "$BUILD/$1/deps.log" ]
}
# A fresh build directory for each compiler
builds() { # suite compiler
	run "$1" sh -ec "$2 --version | head -1; rm -rf \$BUILD/$2
		make -s -j$(nproc) BUILD=\$BUILD/$2 CC=$2 CXX=$3 lib tools
		\$BUILD/$2/tools/gpuoa --version"
}

case ${1-} in
--test)
	rm -rf "${BUILD:?}/$2"
	echo 1..4
	try "deps.sh knows the packages of $2" no_packages_missing "$2"
	try "make builds library, tools and modules on $2" run "$2" make -s
	try "make install, and gpuoa runs on $2" installs "$2"
	try "make demo on $2" run "$2" make -s demo
	;;
--compilers)
	echo 1..2
	try "gcc of $2 builds library and tools without a warning" builds "$2" gcc g++
	try "clang of $2 builds library and tools without a warning" builds "$2" clang clang++
	;;
-* | '')
	echo "usage: debian.sh SUITE COMMAND... | --test SUITE | --compilers SUITE" >&2
	exit 2
	;;
*) run "$@" ;;
esac
