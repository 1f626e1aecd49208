#!/bin/bash
# Builds the modules out of tree, for the kernel build directories given or for all installed headers
#
# build-modules.sh [KDIR...]; the modules end up as $BUILD/modules/<release>/*.ko. MODULES_DIR names another place than
# $BUILD/modules, KBUILD_ARGS adds arguments for make (C=2 ...).
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

MODULES_DIR=${MODULES_DIR:-$BUILD/modules}

if [ $# = 0 ]; then
	for kdir in /lib/modules/*/build; do
		[ -e "$kdir/Makefile" ] && set -- "$@" "$kdir"
	done
	[ $# -gt 0 ] || die "no kernel headers are installed: run scripts/deps.sh, or give KDIR=..."
fi

# kbuild leaves its output beside the sources: give each kernel a tree of links of its own.
link_sources() { # dir
	find "$1" -xtype l -delete
	cp -rsfT "$TOP/kernel" "$1"
}

# What only a debugger reads is nine tenths of a module, and guests load modules by the hundred. It stays in the tree of links.
# A guest may be reading the file.
strip_modules() { # dir
	local module stripped
	find "$1" -mindepth 2 -name '*.ko' | while read -r module; do
		stripped=$1/${module##*/}
		[ "$stripped" -nt "$module" ] || { strip --strip-debug -o "$stripped.new" "$module" && mv "$stripped.new" "$stripped"; }
	done
}

build() { # kdir
	local kdir release dir
	kdir=$(realpath "$1")
	# Debian's kernel.release names the upstream version only.
	release=$(sed -n 's/#define UTS_RELEASE "\([^"]*\)".*/\1/p' "$kdir/include/generated/utsrelease.h") ||
		die "$1 is no kernel build directory"
	dir=$MODULES_DIR/$release
	mkdir -p "$dir"
	exec 9>"$dir.lock"
	flock 9
	[ -e "$dir/gpuoa.ko" ] || note "building the modules for Linux $release, once: a minute or two"
	link_sources "$dir"
	# shellcheck disable=SC2086 # KBUILD_ARGS is a list
	make -s -C "$kdir" M="$dir" GPUOA_TOP="$TOP" KCFLAGS=-Werror -j"$(nproc)" \
		CONFIG_DEBUG_INFO_BTF_MODULES= ${KBUILD_ARGS-} modules
	strip_modules "$dir"
	exec 9>&-
}

for kdir in "$@"; do
	build "$kdir"
done
