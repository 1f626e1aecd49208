#!/bin/bash
# kernel.sh: provide the kernels of the VM: stock kernels of this and of other Debian suites, and a
# debug kernel
#
# kernel.sh KERNEL            make it available; print RELEASE, IMAGE, MODULES and KDIR as shell
#                             assignments
# kernel.sh --release KERNEL  only print the release name, and download nothing
# kernel.sh --source          unpack the kernel source if necessary, and print its directory
# kernel.sh --root SUITE      create a configured root of a suite, if necessary, and print its
#                             directory (see debian.sh)
#
# KERNEL is one of
#   6.1, 6.12   with the installed headers; 6.1 from bookworm if the host is a later Debian release
#   rt          6.12 with PREEMPT_RT; its image and headers are unpacked, not installed
#   trixie      6.12 of Debian 13
#   7.3         from trixie-backports
#   sid         from Debian sid
#   debug       built here. If $GPU is set (see run.sh), it includes i915, with the same release name
#   debug-xe    the same kernel with xe, without i915
#   debug-7.3   the same checkers in the kernel of trixie-backports, without i915 and xe
# Exit status 77: the suite has a later kernel than the one wanted.
# A kernel of another suite comes with a root of that suite to build modules in; the packages and
# the apt configuration of the host are not changed. Everything is cached in $GPUOA_CACHE, outside
# the tree. To get a newer kernel of a suite, remove its root there.
set -euo pipefail
. "$(dirname "$0")/common.sh"

DEBUG_SOURCE=linux-source-6.12
DEBUG_CONFIG=("$TOP/scripts/vm/debug.config")
DEBUG_SUFFIX=-gpuoa-debug
DEBUG_RENAMED=
case "$*" in
*debug-xe)
	DEBUG_CONFIG+=("$TOP/scripts/vm/debug-xe.config")
	# The kernel with xe has other structs, so it has other modules.
	DEBUG_RENAMED="s/$DEBUG_SUFFIX\"/$DEBUG_SUFFIX-xe\"/"
	DEBUG_SUFFIX+=-xe
	;;
*debug-7.3)
	DEBUG_SOURCE=linux-source-7.3
	# Names of options that later kernels have changed
	DEBUG_RENAMED='s/^CONFIG_PROC_SYSCTL=/CONFIG_SYSCTL=/'
	;;
*) [ -z "${GPU-}" ] || DEBUG_CONFIG+=("$TOP/scripts/vm/debug-i915.config") ;;
esac

headers_meta() {
	case $1 in
	6.1) echo linux-headers-amd64 ;;
	# 6.12 is the default kernel of Debian 13.
	6.12) [ -n "$(installed_version linux-headers-6.12-amd64)" ] && echo linux-headers-6.12-amd64 || echo linux-headers-amd64 ;;
	*) die "KERNEL=$1: there are 6.1, 6.12, rt, trixie, 7.3, sid, debug, debug-xe and debug-7.3" ;;
	esac
}

# Print the Debian suite of a kernel that the host does not have.
suite_of() { # kernel
	case $1 in
	6.1) [ "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" = bookworm ] || echo bookworm ;;
	trixie | sid) echo "$1" ;;
	7.3) echo trixie-backports ;;
	esac
}

installed_version() {
	dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p'
}

# Use the release of the installed headers, so that modules and image match.
stock_release() {
	local meta release
	meta=$(headers_meta "$1")
	[ -n "$(installed_version "$meta")" ] ||
		die "package $meta is missing: run scripts/deps.sh (it tells where to get the package when apt does not know it)"
	release=$(dpkg-query -W -f '${Depends}' "$meta" | sed -n 's/.*linux-headers-\([^ ,]*\).*/\1/p')
	case $release in
	"$1".*) ;;
	*) die "package $meta stands for Linux $release here, where Linux $1 is wanted" ;;
	esac
	echo "$release"
}

# The source of another suite is downloaded when it is first used.
debug_version() {
	local v
	if [ "$DEBUG_SOURCE" = linux-source-6.12 ]; then
		v=$(installed_version $DEBUG_SOURCE)
		[ -n "$v" ] || die "package $DEBUG_SOURCE is missing: run scripts/deps.sh"
	else
		[ -e "$CACHE/$DEBUG_SOURCE.deb" ] || fetch_source || return
		v=$(dpkg-deb -f "$CACHE/$DEBUG_SOURCE.deb" Version)
	fi
	echo "$v"
}

# Download the source with a separate state of apt.
fetch_source() {
	local state mirror apt status=0
	mirror=$(mirror $DEBUG_SOURCE) || exit
	note "downloading $DEBUG_SOURCE (160 MB)"
	mkdir -p "$CACHE"
	state=$(mktemp -d "$CACHE/apt.XXXXXX")
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	echo "deb $mirror trixie-backports main" >"$state/sources.list"
	apt=(-q -o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=/nonexistent
		-o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache" -o Dir::State::status=/dev/null
		-o 'Acquire::Check-Valid-Until=false' -o APT::Sandbox::User=root)
	(cd "$state" && apt-get "${apt[@]}" update && apt-get "${apt[@]}" download "$DEBUG_SOURCE" &&
		mv "$DEBUG_SOURCE"_*.deb "$CACHE/$DEBUG_SOURCE.deb") >"$state.log" 2>&1 || status=1
	rm -rf "$state"
	[ $status = 0 ] || { tail -5 "$state.log" >&2; die "cannot download $DEBUG_SOURCE; log: $state.log"; }
	rm "$state.log"
}

print_kernel() { # release image modules kdir
	printf 'RELEASE=%q\nIMAGE=%q\nMODULES=%q\nKDIR=%q\n' "$@"
}

# Use an installed image in place (newer header packages depend on it).
stock_kernel() {
	local release package version dir tmp
	release=$(stock_release "$1")
	package=linux-image-$release
	version=$(installed_version "linux-headers-$release")
	if [ "$(installed_version "$package")" = "$version" ] && [ -r "/boot/vmlinuz-$release" ] &&
	   [ -e "/lib/modules/$release/modules.dep" ]; then
		print_kernel "$release" "/boot/vmlinuz-$release" "/lib/modules/$release" "/lib/modules/$release/build"
		return
	fi
	dir=$CACHE/kernels/$release-$version
	if [ ! -e "$dir/lib/modules/$release/modules.dep" ]; then
		note "fetching $package $version"
		mkdir -p "$CACHE/kernels"
		tmp=$(mktemp -d "$CACHE/kernels/tmp.XXXXXX")
		fetch_deb "$tmp" "$package=$version" || {
			rm -rf "$tmp"
			die "cannot download $package=$version, which fits the installed headers;" \
			    "bring both up to date: apt-get update && apt-get install $(headers_meta "$1")"
		}
		dpkg-deb -x "$tmp"/*.deb "$tmp/root"
		/sbin/depmod -b "$tmp/root" "$release"
		rm -rf "$tmp"/*.deb "$dir"
		mv "$tmp/root" "$dir"
		rm -rf "$tmp"
	fi
	print_kernel "$release" "$dir/boot/vmlinuz-$release" "$dir/lib/modules/$release" "/lib/modules/$release/build"
}

# The kernel with PREEMPT_RT has the version of the installed 6.12 headers, and uses their kbuild
# tools.
rt_release() {
	local release
	release=$(stock_release 6.12)
	echo "${release%-amd64}-rt-amd64"
}

# Unpack image and headers without installing them, and change the paths in the headers accordingly.
rt_kernel() {
	local release version base dir tmp package
	release=$(rt_release)
	base=${release%-rt-amd64}
	version=$(installed_version "linux-headers-$base-amd64")
	dir=$CACHE/kernels/$release-$version
	if [ ! -e "$dir/lib/modules/$release/modules.dep" ]; then
		note "downloading the PREEMPT_RT kernel $version and its headers (120 MB)"
		mkdir -p "$CACHE/kernels"
		tmp=$(mktemp -d "$CACHE/kernels/tmp.XXXXXX")
		for package in "linux-image-$release" "linux-headers-$release" \
			"linux-headers-$base-common-rt"; do
			fetch_deb "$tmp" "$package=$version" || {
				rm -rf "$tmp"
				die "cannot download $package=$version, which fits the installed headers;" \
				    "update both: apt-get update && apt-get install $(headers_meta 6.12)"
			}
			dpkg-deb -x "$tmp"/*.deb "$tmp/root"
			rm "$tmp"/*.deb
		done
		sed -i "s,/usr/src/,$dir/usr/src/,g" "$tmp/root/usr/src/linux-headers-$release/Makefile"
		mkdir -p "$tmp/root/usr/lib"
		ln -s "/usr/lib/linux-kbuild-$base" "$tmp/root/usr/lib/"
		/sbin/depmod -b "$tmp/root" "$release"
		rm -rf "$dir"
		mv "$tmp/root" "$dir"
		rm -rf "$tmp"
	fi
	print_kernel "$release" "$dir/boot/vmlinuz-$release" "$dir/lib/modules/$release" \
		"$dir/usr/src/linux-headers-$release"
}

# Print the mirror used by the host's apt.
mirror() { # name of what is fetched from it
	local uri
	# shellcheck disable=SC2016 # apt expands it
	uri=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk '$1 == "Debian" && $2 == "Debian" && !seen++ { print $3 }')
	[ -n "$uri" ] ||
		die "$1: cannot be fetched: apt knows no mirror of Debian; add one to its sources (deb URL bookworm main), and run apt-get update"
	echo "$uri"
}

# Run mmdebstrap, which uses a separate state of apt. Mirrors may be out of date, so an expired
# Release file is accepted, with a note.
bootstrap() { # suite dir log option...
	local mirror sources attempt apt=()
	mirror=$(mirror "$1") || exit
	command -v mmdebstrap >/dev/null || die "mmdebstrap is missing: run scripts/deps.sh vm"
	sources=("deb $mirror ${1%-backports} main")
	[ "$1" = "${1%-backports}" ] || sources+=("deb $mirror $1 main")
	mkdir -p "${2%/*}"
	for attempt in 1 2; do
		rm -rf "$2.new"
		mmdebstrap --architectures=amd64 --aptopt='APT::Install-Recommends "false"' "${apt[@]}" "${@:4}" \
			"${1%-backports}" "$2.new" "${sources[@]}" >"$3" 2>&1 </dev/null && return
		grep -qE 'Release file .* is (expired|not valid)' "$3" && [ $attempt = 1 ] || break
		note "$1: the mirror's Release file has expired; using it anyway"
		apt=(--aptopt='Acquire::Check-Valid-Until "false"')
	done
	rm -rf "$2.new"
	tail -5 "$3" >&2
	die "$1: cannot make a root of it; log: $3"
}

# Create a root with compiler, sparse, headers and kernel of a suite. Packages are unpacked but not
# configured, since that would build an initramfs, which takes minutes. Only the name of awk has to
# be set up. The root is made again if the list of packages has changed since.
ROOT_PACKAGES=linux-image-amd64,linux-headers-amd64,gcc,make,sparse
make_root() { # suite dir
	local checker dir
	note "making a root of $1, once: 500 MB, a few minutes (log: $2.log)"
	bootstrap "$1" "$2" "$2.log" --variant=extract --aptopt="APT::Default-Release \"$1\"" \
		--include='?essential' --include=$ROOT_PACKAGES
	# Packages of bookworm have files in /lib, which is a link to /usr/lib in later suites.
	for dir in bin sbin lib lib64; do
		[ ! -L "$2.new/$dir" ] || continue
		cp -a "$2.new/$dir/." "$2.new/usr/$dir"
		rm -r "$2.new/${dir:?}"
		ln -s "usr/$dir" "$2.new/$dir"
	done
	# Debian's headers lack the script that kbuild asks whether sparse works.
	for checker in "$2.new"/usr/src/linux-headers-*-common/scripts; do
		[ -e "$checker/checker-valid.sh" ] ||
			{ printf '#!/bin/sh\necho 1\n' >"$checker/checker-valid.sh" && chmod +x "$checker/checker-valid.sh"; }
	done
	ln -s mawk "$2.new/usr/bin/awk"
	/sbin/depmod -b "$2.new" "$(cd "$2.new/usr/lib/modules" && echo *)"
	echo "$ROOT_PACKAGES" >"$2.new/gpuoa-packages"
	rm -rf "$2"
	mv "$2.new" "$2"
}

# Create a root with a configured system of a suite that has the packages for the build and DKMS;
# trixie also those for the tests, sid also clang. An initramfs is not needed. apt's lists are kept,
# because they name the mirror for other suites. The root is made again if the list of packages has
# changed since.
host_root() { # suite dir
	local packages level=build
	[ "$1" != trixie ] || level=check
	packages="$("$TOP/scripts/deps.sh" --list $level "$1") dkms" || return
	[ "$1" != sid ] || packages+=" clang"
	[ "$(cat "$2/gpuoa-packages" 2>/dev/null)" != "$packages" ] || return 0
	note "making a root of $1 with the packages of deps.sh, once: 2 GB, some minutes (log: $2.log)"
	INITRD=No bootstrap "$1" "$2" "$2.log" --variant=minbase --skip=cleanup/apt/lists \
		--aptopt="APT::Default-Release \"$1\"" --include="${packages// /,}"
	echo "$packages" >"$2.new/gpuoa-packages"
	rm -rf "$2"
	mv "$2.new" "$2"
}

suite_release() { # kernel root
	local release
	[ -d "$2" ] || die "KERNEL=$1: not downloaded yet; run scripts/vm/kernel.sh $1"
	release=$(cd "$2/usr/src" && echo linux-headers-*-amd64)
	release=${release#linux-headers-}
	case $1 in
	[0-9]*) [[ $release = "$1".* ]] || {
		note "$2 has Linux $release, and $1 is wanted; to have it made anew, remove it; if the suite" \
			"has no Linux $1 any more, add the new version (Documentation/dev/kernels.rst)"
		exit 77
	} ;;
	esac
	echo "$release"
}

# Older packages have the image in /boot, newer ones in the modules directory.
suite_kernel() { # kernel suite
	local root=$CACHE/roots/$2 release image
	[ "$(cat "$root/gpuoa-packages" 2>/dev/null)" = "$ROOT_PACKAGES" ] || make_root "$2" "$root"
	release=$(suite_release "$1" "$root")
	for image in "$root/boot/vmlinuz-$release" "$root/usr/lib/modules/$release/vmlinuz"; do
		[ ! -e "$image" ] || break
	done
	print_kernel "$release" "$image" "$root/usr/lib/modules/$release" "$root/usr/src/linux-headers-$release"
}

fetch_deb() { # dir package=version
	local log=$1/log
	(cd "$1" && apt-get -q download "$2") >"$log" 2>&1 && return
	if [ "$(id -u)" = 0 ]; then
		apt-get -q update >>"$log" 2>&1
		(cd "$1" && apt-get -q download "$2") >>"$log" 2>&1 && return
	fi
	tail -5 "$log" >&2
	return 1
}

debug_release() {
	# The upstream version of the source package is that of its Makefile.
	echo "$(debug_version | sed 's/-.*//')$DEBUG_SUFFIX"
}

debug_dir() { # package version, configuration...
	local version=$1 hash
	shift
	hash=$({ echo "$version"; cat "$@"; } | sha256sum | cut -c1-12)
	echo "$CACHE/debug-$hash"
}

debug_kernel() { # package version
	local version=$1 release dir src base
	release=$(debug_release)
	dir=$(debug_dir "$version" "${DEBUG_CONFIG[@]}")
	base=$(debug_dir "$version" "${DEBUG_CONFIG[0]}")
	[[ $release != *-xe ]] || base=
	if [ ! -e "$dir/complete" ]; then
		build_debug "$dir" "$CACHE/$DEBUG_SOURCE" "$base"
	fi
	src=$dir/root/lib/modules/$release
	[ -d "$src" ] || die "$dir holds no kernel $release; remove it and try again"
	print_kernel "$release" "$dir/arch/x86/boot/bzImage" "$src" "$dir"
}

unpack_source() { # package version
	local src=$CACHE/$DEBUG_SOURCE have
	have=$(sed -n 's/^\(VERSION\|PATCHLEVEL\|SUBLEVEL\) = //p' "$src/Makefile" 2>/dev/null | paste -sd.) || :
	[ "$have" = "${1%%-*}" ] && return
	note "unpacking $DEBUG_SOURCE $1"
	rm -rf "$src" "$src.tmp"
	mkdir -p "$src.tmp"
	if [ -e "$CACHE/$DEBUG_SOURCE.deb" ]; then
		dpkg-deb --fsys-tarfile "$CACHE/$DEBUG_SOURCE.deb" |
			tar -xO "./usr/src/$DEBUG_SOURCE.tar.xz" | tar -C "$src.tmp" -xJ --strip-components=1
	else
		tar -C "$src.tmp" -xf "/usr/src/$DEBUG_SOURCE.tar.xz" --strip-components=1
	fi
	mv "$src.tmp" "$src"
}

# Update paths in the tools of a moved build. If the tools were rebuilt, everything else would be
# rebuilt as well.
moved() { # from to where-it-is
	local file
	grep -rlF --include='*.cmd' --include='*.d' "$1/" "$3/tools" | while read -r file; do
		touch -r "$file" "$file.time"
		sed -i "s,$1/,$2/,g" "$file"
		touch -r "$file.time" "$file"
		rm "$file.time"
	done
}

# Reuse objects of the kernel without i915 for the one with i915, and objects of an interrupted
# build. Everything is compiled for the kernel with xe.
build_debug() { # dir source dir-without-i915
	local log=$1.log
	note "building the debug kernel, once: up to half an hour on two cores, as long again with i915 (log: $log)"
	if [ ! -e "$1/fragments" ] && [ -e "$3/complete" ]; then
		rm -rf "$1" "$1.new"
		cp -a "$3" "$1.new"
		rm -rf "$1.new/complete" "$1.new/root" "$1.new/fragments"
		moved "$3" "$1" "$1.new"
		mv "$1.new" "$1"
	fi
	mkdir -p "$1"
	{
		sed "$DEBUG_RENAMED" "${DEBUG_CONFIG[@]}" >"$1/fragments" &&
		make -C "$2" O="$1" KCONFIG_ALLCONFIG="$1/fragments" allnoconfig &&
		check_config "$1/fragments" "$1/.config" &&
		make -C "$2" O="$1" -j"$(nproc)" bzImage modules &&
		make -C "$2" O="$1" INSTALL_MOD_PATH="$1/root" modules_install
	} >"$log" 2>&1 </dev/null || {
		tail -20 "$log" >&2
		die "the debug kernel did not build; log: $log"
	}
	touch "$1/complete"
}

# kconfig silently drops options with unmet dependencies; a debug kernel without its checkers would
# pass all tests
check_config() { # fragments .config
	local line bad=0
	while read -r line; do
		grep -qxF "$line" "$2" || { echo "debug.config: not honoured: $line"; bad=1; }
	done < <(grep -E '^(# )?CONFIG_' "$1")
	return $bad
}

# In a function, which bash reads as a whole: jobs wait here for hours, and the file may change.
main() {
	local suite lock version root
	if [ "${1-}" = --release ]; then
		suite=$(suite_of "${2-}")
		case ${2-} in
		debug | debug-*) debug_release ;;
		rt) rt_release ;;
		*) if [ -n "$suite" ]; then suite_release "$2" "$CACHE/roots/$suite"; else stock_release "${2-}"; fi ;;
		esac
		return
	fi

	mkdir -p "$CACHE"
	# Use a separate lock for the debug kernel with i915, so that jobs without i915 do not wait
	# for it.
	[[ ${1-} != debug || -z ${GPU-} ]] && lock=${1-}${2-} || lock=debug-i915
	exec 9>"$CACHE/lock.$lock"
	flock 9
	case ${1-} in
	--source | debug | debug-*)
		version=$(debug_version)
		exec 8>"$CACHE/lock.source"
		flock 8
		unpack_source "$version"
		exec 8>&-
		;;&
	--source) echo "$CACHE/$DEBUG_SOURCE" ;;
	debug | debug-*) debug_kernel "$version" ;;
	rt) rt_kernel ;;
	--root)
		root=$CACHE/roots/$2-host
		host_root "$2" "$root"
		echo "$root"
		;;
	*)
		suite=$(suite_of "${1-}")
		if [ -n "$suite" ]; then suite_kernel "$1" "$suite"; else stock_kernel "${1-}"; fi
		;;
	esac
}

main "$@"; exit
