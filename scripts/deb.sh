#!/bin/bash
# deb.sh: build the Debian packages in $BUILD/deb, or test them without changing the machine
#
# deb.sh build   build the packages and run lintian; errors and warnings fail
# deb.sh check   also install the packages in an overlay over the root, build the modules by DKMS
#                for Debian's kernels, use them in guests of each kernel, on a GPU of gpuoa_sim and
#                on one that the stock i915 drives, and remove them without a trace. Needs root.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"
cd "$TOP"

DEB=$BUILD/deb
VERSION=$(sed -n 's/^VERSION := //p' Makefile)
KERNELS=${KERNELS-6.1 6.12}

# Copy the tree without the build directory.
copy_sources() { # dir
	mkdir -p "$1"
	if [ -e .git ]; then
		git ls-files -z | xargs -0 cp --parents -t "$1"
	else
		tar -c --exclude="./${BUILD#"$TOP/"}" . | tar -x -C "$1"
	fi
}

build() {
	local source=$DEB/gpuoa-$VERSION
	rm -rf "$DEB"
	copy_sources "$source"
	note "building packages (log: $DEB/log)"
	(cd "$source" && env -u BUILD -u KERNEL dpkg-buildpackage -b -us -uc -j"$(nproc)") >"$DEB/log" 2>&1 </dev/null || {
		tail -20 "$DEB/log" >&2
		exit 1
	}
	lintian --allow-root --fail-on error,warning "$DEB"/*.changes
	rm -rf "$source"
	ls "$DEB"/*.deb
}

# Runs in a separate mount namespace; $1 is the overlay's directory.
in_root() { chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "${@:2}"; }

install_and_use() { # dir
	local root=$1/root kernel release package other
	mkdir -p "$1"/{upper,work,root}
	mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" gpuoa "$root"
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mkdir -p "$root/run/debs"
	cp "$DEB"/*.deb "$root/run/debs"

	# libgpuoa-igdmd provides this name only if no other package does.
	other=$root/usr/lib/x86_64-linux-gnu/libmd.so
	rm -f "$other"
	echo other >"$other"
	in_root "$root" sh -ec 'dpkg -i /run/debs/*.deb' >"$1/install.log" 2>&1 ||
		{ tail -20 "$1/install.log" >&2; die "the packages do not install"; }
	grep -qx other "$other" || die "libgpuoa-igdmd displaces another package's libmd.so"
	for kernel in $KERNELS; do
		release=$(scripts/vm/kernel.sh --release "$kernel")
		for package in gpuoa gpuoa-sim; do
			in_root "$root" dkms install "$package/$VERSION" -k "$release" >>"$1/install.log" 2>&1 ||
				{ tail -20 "$1/install.log" >&2; die "DKMS does not build the modules of $package for Linux $release"; }
		done
	done
	for kernel in $KERNELS; do
		ROOT=$root KERNEL=$kernel NOMODULES=1 scripts/vm.sh "scripts/deb-guest.sh $VERSION" || die "the packages do not work on Linux $kernel"
		ROOT=$root KERNEL=$kernel GPU=tgl I915=error_capture=0 VGPU=$root/usr/bin/gpuoa-vgpu \
			scripts/vm.sh "scripts/deb-i915-guest.sh $VERSION" || die "the packages do not work with i915 of Linux $kernel"
	done
	# shellcheck disable=SC2016 # the shell in there expands it
	in_root "$root" sh -ec 'dpkg --purge $(dpkg-query -W -f "\${Package} " "*gpuoa*")' >"$1/remove.log" 2>&1 ||
		{ cat "$1/remove.log" >&2; die "the packages are not removed"; }
	grep -qx other "$other" || die "without libgpuoa-igdmd, another package's libmd.so is missing"
	rm "$other"
	umount -R "$root"
}

# Whiteouts (character devices) are fine; no other file of the packages may be left.
left_behind() { # dir
	find "$1/upper" \( -ipath '*gpuoa*' -o -name 'libigdm*' -o -name 'libmd.so*' \) ! -type c ! -path "$1/upper/run/*" ! -path '*/var/cache/*' ! -path '*/var/log/*' -printf '/%P\n'
}

case ${1-} in
build) build ;;
check)
	[ "$(id -u)" = 0 ] || die "to install packages, even where it changes nothing, takes root"
	build
	dir=$(mktemp -d "$DEB/check.XXXXXX")
	export -f in_root install_and_use note die
	export DEB VERSION KERNELS
	# shellcheck disable=SC2016 # the other shell expands it
	unshare -m bash -euo pipefail -c 'install_and_use "$1"' bash "$dir"
	left=$(left_behind "$dir")
	[ -z "$left" ] || die "left behind by the packages: $left"
	rm -rf "$dir"
	echo "packages: built, installed, used on Linux $KERNELS, removed"
	;;
*)
	echo "usage: deb.sh build|check" >&2
	exit 2
	;;
esac
