#!/bin/bash
# build-modules.sh: build the modules out of tree, for the given kernel build directories or for all
# installed headers
#
# build-modules.sh [--if-headers] [KDIR...] writes $BUILD/modules/<release>/*.ko. MODULES_DIR
# replaces $BUILD/modules; KBUILD_ARGS adds arguments for make (C=2 ...). With --if-headers, missing
# headers are not an error, and kernels before LINUX_OLDEST (Makefile) are skipped.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

MODULES_DIR=${MODULES_DIR:-$BUILD/modules}
INSTALLED=${INSTALLED:-/lib/modules}
OLDEST=$(sed -n 's/^LINUX_OLDEST := //p' "$TOP/Makefile")
HEADERS="install linux-headers-amd64 (Debian), linux-headers-generic (Ubuntu), kernel-devel (Fedora) or linux-headers (Arch)"

optional=
if [ "${1-}" = --if-headers ]; then
	optional=1
	shift
fi
if [ $# = 0 ]; then
	for kdir in "$INSTALLED"/*/build; do
		[ -e "$kdir/Makefile" ] || continue
		release=$(basename "$(dirname "$kdir")")
		[ "$(printf '%s\n' "$OLDEST" "$release" | sort -V | head -1)" = "$OLDEST" ] || continue
		set -- "$@" "$kdir"
	done
	if [ $# = 0 ] && [ -n "$optional" ]; then
		note "no modules: no headers of a kernel from $OLDEST on; the stock i915 and xe need no modules. To have them, $HEADERS"
		exit 0
	fi
	[ $# -gt 0 ] || die "cannot build the modules: no kernel headers are installed; $HEADERS, or give KDIR=..."
fi

# kbuild writes its output next to the sources: give each kernel a separate tree of links.
link_sources() { # dir
	find "$1" -xtype l -delete
	cp -rsfT "$TOP/kernel" "$1"
	cp -rsfT "$TOP/vgpu/model" "$1/sim/model"
}

# Debug information is nine tenths of a module, and guests load hundreds of modules. The unstripped
# files stay in the tree of links. A guest may be reading the stripped file, so replace it by a
# rename.
strip_modules() { # dir
	local module stripped
	find "$1" -mindepth 2 -name '*.ko' | while read -r module; do
		stripped=$1/${module##*/}
		[ "$stripped" -nt "$module" ] || { strip --strip-debug -o "$stripped.new" "$module" && mv "$stripped.new" "$stripped"; }
	done
}

build() { # kdir
	local kdir release dir run=()
	kdir=$(realpath "$1")
	# Debian's kernel.release contains only the upstream version.
	release=$(sed -n 's/#define UTS_RELEASE "\([^"]*\)".*/\1/p' "$kdir/include/generated/utsrelease.h") ||
		die "$1 is no kernel build directory"
	dir=$MODULES_DIR/$release
	mkdir -p "$dir"
	exec 9>"$dir.lock"
	flock 9
	[ -e "$dir/gpuoa.ko" ] || note "building the modules for Linux $release, once: a minute or two"
	link_sources "$dir"
	case $kdir in
	# Headers in a root created by kernel.sh are used there, with its compiler and C library.
	"$CACHE"/roots/*)
		run=(in_root "${kdir%/usr/src/*}" "$TOP $MODULES_DIR")
		kdir=/usr/src/${kdir##*/}
		;;
	esac
	# shellcheck disable=SC2086 # KBUILD_ARGS is a list
	"${run[@]}" make -s -C "$kdir" M="$dir" GPUOA_TOP="$TOP" KCFLAGS=-Werror -j"$(nproc)" \
		CONFIG_DEBUG_INFO_BTF_MODULES= ${KBUILD_ARGS-} modules
	strip_modules "$dir"
	exec 9>&-
}

for kdir in "$@"; do
	# Use a subshell without "if" or "||" around it; otherwise bash would ignore its errors.
	set +e
	(set -e && build "$kdir")
	status=$?
	set -e
	[ $status = 0 ] || die "the modules do not build for $kdir${optional:+; library and tools are built, and 'make install' installs them}"
done
