#!/bin/bash
# debian.sh: run a command on another release of Debian, in this tree
#
# debian.sh SUITE COMMAND...: the command runs in a root of SUITE (kernel.sh --root), as root if this
#                             user is, with $BUILD/SUITE as $BUILD, and sees this tree, the build and
#                             the cache of kernels. The root is made once; the host does not change.
#                             `debian.sh trixie make check` runs all tests on Debian 13.
# debian.sh --test SUITE      the commands of README, from a clean build; prints TAP
# debian.sh --dkms SUITE      build the modules by DKMS, from the packages' sources, for the suite's
#                             kernel; prints TAP
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
		TERM="${TERM-dumb}" ${JOBS:+JOBS="$JOBS"} "${@:2}"
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
	local prefix=$BUILD/$1/installed/usr/local
	run "$1" make -s install DESTDIR="$BUILD/$1/installed" &&
		run "$1" env LD_LIBRARY_PATH="$prefix/lib" "$prefix/bin/gpuoa" --version
}
no_packages_missing() { # suite
	local missing
	run "$1" true && missing=$(run "$1" scripts/deps.sh vm 2>&1) || return
	echo "$missing"
	[ -z "$missing" ]
}
# DKMS works in separate directories, so that the root does not change.
dkms_builds() { # suite package
	local version dir=$BUILD/$1/dkms source release
	version=$(sed -n 's/^VERSION := //p' "$TOP/Makefile")
	source=$dir/src/$2-$version
	rm -rf "$source" "$dir/tree/$2"
	mkdir -p "$dir/tree"
	"$TOP/scripts/dkms-tree.sh" "$2" "$source"
	sed "s/#MODULE_VERSION#/$version/" "$TOP/debian/$2-dkms.dkms" >"$source/dkms.conf"
	release=$(run "$1" sh -c 'ls /usr/src' | sed -n 's/^linux-headers-\(.*-amd64\)$/\1/p' | tail -1)
	run "$1" dkms build -m "$2" -v "$version" -k "$release" --dkmstree "$dir/tree" --sourcetree "$dir/src" ||
		{ cat "$dir/tree/$2/$version/build/make.log"; return 1; }
	echo "Linux $release"
	compgen -G "$dir/tree/$2/$version/$release/x86_64/module/gpuoa*.ko*"
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
	echo 1..5
	try "deps.sh knows the packages of $2" no_packages_missing "$2"
	try "make builds library, tools and modules on $2" run "$2" make -s
	try "make install, and gpuoa runs on $2" installs "$2"
	try "make demo on $2" run "$2" make -s demo
	try "make check on $2" run "$2" make -s check
	;;
--dkms)
	echo 1..2
	try "DKMS builds gpuoa on $2" dkms_builds "$2" gpuoa
	try "DKMS builds gpuoa-sim on $2" dkms_builds "$2" gpuoa-sim
	;;
--compilers)
	echo 1..2
	try "gcc of $2 builds library and tools without a warning" builds "$2" gcc g++
	try "clang of $2 builds library and tools without a warning" builds "$2" clang clang++
	;;
-* | '')
	echo "usage: debian.sh SUITE COMMAND... | --test SUITE | --dkms SUITE | --compilers SUITE" >&2
	exit 2
	;;
*) run "$@" ;;
esac
