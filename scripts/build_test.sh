#!/bin/bash
# build_test.sh: check the parts and flags of `make` if packages are missing; prints TAP. Nothing is
# built: `make -n` prints the commands
set -u
cd "$(dirname "$0")/.." || exit 1
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
. selftests/tap.sh

# Print the commands of a build from scratch.
dry_run() { # make's arguments
	env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -n BUILD="$DIR/build" "$@" 2>&1
}
left_out() { # make's arguments
	env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -s left-out BUILD="$DIR/build" "$@" 2>&1
}
# Create a pkg-config that finds all packages except the given ones.
without() { # package...
	# shellcheck disable=SC2016 # for the script that is written
	printf '#!/bin/sh\ncase " %s " in *" $2 "*) exit 1 ;; esac\nexec pkg-config "$@"\n' "$*" >"$DIR/pkg-config"
	chmod +x "$DIR/pkg-config"
	echo "$DIR/pkg-config"
}

names_packages() {
	left_out PKG_CONFIG="$(without ncursesw libmicrohttpd)" >"$DIR/out"
	cat "$DIR/out"
	grep -E '^  gpuoa top +libncurses-dev +ncurses-devel +ncurses$' "$DIR/out" &&
		grep -E '^  gpuoa exporter +libmicrohttpd-dev ' "$DIR/out" && ! grep 'gpuoa plot' "$DIR/out"
}
names_nothing() {
	left_out >"$DIR/out"
	cat "$DIR/out"
	command -v protoc-c >/dev/null || { grep 'gpuoa export -f perfetto' "$DIR/out" && return; }
	[ ! -s "$DIR/out" ]
}
builds_the_rest() {
	dry_run lib tools PKG_CONFIG=/nowhere/pkg-config >"$DIR/out" || return
	grep -q 'tools/gpuoa-export' "$DIR/out" && ! grep -qE 'tools/gpuoa-top|export/perfetto|HAVE_PROTOBUF|functions_elf|HAVE_ELFUTILS' "$DIR/out"
}
installs_what_is_built() {
	dry_run install-files PKG_CONFIG="$(without ncursesw libmicrohttpd)" >"$DIR/out" || return
	! grep -E 'install .*(gpuoa-top|gpuoa-exporter|grafana)' "$DIR/out"
}
names_libdrm() {
	! dry_run lib PKG_CONFIG=/nowhere DRM_DIR= >"$DIR/out" && grep 'no headers of libdrm; install *libdrm-dev' "$DIR/out"
}
# Check flags of user space only, because Kbuild has separate flags.
passes_cppflags() {
	dry_run lib tools tests CPPFLAGS='-DGIVEN=1 -I/given' CXX=g++ >"$DIR/out"
	grep -E '^(gcc|g\+\+) .*-c ' "$DIR/out" >"$DIR/compiled"
	[ "$(wc -l <"$DIR/compiled")" -gt 100 ] && ! grep -v -e '-DGIVEN=1' "$DIR/compiled"
}
headers_of_the_tree_first() {
	! grep -F -e '-I/given' "$DIR/compiled" && grep -qF -e '-isystem /given' "$DIR/compiled"
}
no_headers() {
	INSTALLED=$DIR BUILD=$DIR/build scripts/build-modules.sh --if-headers >"$DIR/out" 2>&1 && grep 'linux-headers-amd64' "$DIR/out"
}
old_headers() {
	mkdir -p "$DIR/modules/5.10.0-1/build" && touch "$DIR/modules/5.10.0-1/build/Makefile"
	INSTALLED=$DIR/modules BUILD=$DIR/build scripts/build-modules.sh --if-headers 2>&1 | grep 'no headers of a kernel from 6.1 on'
}
wants_headers() {
	! INSTALLED=$DIR BUILD=$DIR/build scripts/build-modules.sh >"$DIR/out" 2>&1 && grep 'cannot build the modules' "$DIR/out"
}

# Check that DKMS and the documents have the same bounds of tested kernels as the makefile.
bound() { sed -n "s/^LINUX_$1 := //p" Makefile; }
dkms_builds() { # file release
	[[ $2 =~ $(sed -n 's/^BUILD_EXCLUSIVE_KERNEL="\(.*\)"$/\1/p' "$1") ]]
}
bounds_of_dkms() {
	local file oldest newest next
	oldest=$(bound OLDEST) newest=$(bound NEWEST)
	next=${newest%.*}.$((${newest#*.} + 1))
	for file in debian/*.dkms; do
		dkms_builds "$file" "$oldest.0-56-amd64" && dkms_builds "$file" "$newest.4+deb13-amd64" &&
			dkms_builds "$file" "6.12.117+deb13-amd64" && ! dkms_builds "$file" "$next.0-1-amd64" &&
			! dkms_builds "$file" "$((${newest%.*} + 1)).0.1" && ! dkms_builds "$file" "5.19.0" || return
	done
}

# Print the modules that the DKMS package has for a kernel; in $DIR, some kernels have headers with xe.
dkms_lists() { # release
	# shellcheck disable=SC2034 # variables of DKMS
	(
		kernelver=$1 kernel_source_dir=$DIR/headers-$1 dkms_tree=$DIR/dkms
		. debian/gpuoa-dkms.dkms
		echo "${BUILT_MODULE_NAME[*]}"
	)
}
modules_of_dkms() {
	local release with="gpuoa gpuoa_i915 gpuoa_xe" without="gpuoa gpuoa_i915"
	for release in 6.1.0-56-amd64 6.11-rc3-amd64 6.12.117+deb12-amd64 6.13-rc1 7.3.4; do
		mkdir -p "$DIR/headers-$release/include/config"
		echo CONFIG_DRM_XE=m >"$DIR/headers-$release/include/config/auto.conf"
	done
	mkdir -p "$DIR/dkms/gpuoa/#MODULE_VERSION#/7.1.1/x86_64/module" "$DIR/headers-7.2.1/include/config"
	touch "$DIR/dkms/gpuoa/#MODULE_VERSION#/7.1.1/x86_64/module/gpuoa_xe.ko.xz"
	echo CONFIG_DRM_I915=m >"$DIR/headers-7.2.1/include/config/auto.conf"
	for release in 6.12.117+deb12-amd64 6.13-rc1 7.3.4 7.1.1; do
		[ "$(dkms_lists "$release")" = "$with" ] || { echo "$release"; return 1; }
	done
	for release in 6.1.0-56-amd64 6.11-rc3-amd64 7.2.1 7.0.1; do
		[ "$(dkms_lists "$release")" = "$without" ] || { echo "$release"; return 1; }
	done
}
bounds_of_documents() {
	grep -F "Linux $(bound OLDEST) to $(bound NEWEST)" README.md &&
		grep -F "Linux $(bound OLDEST) to $(bound NEWEST)" Documentation/dev/kernels.rst
}

# Check that a system is recognized by its os-release file, even if it is a derivative.
packages_of() { # line of os-release..., in a directory without packages
	printf '%s\n' "$@" >"$DIR/os-release"
	OS_RELEASE=$DIR/os-release PATH=$DIR/bin:$PATH scripts/deps.sh build 2>&1
}
names_of_systems() {
	mkdir -p "$DIR/bin"
	printf '#!/bin/sh\necho 1000\n' >"$DIR/bin/id"
	printf '#!/bin/sh\nexit 1\n' | tee "$DIR/bin/rpm" >"$DIR/bin/dpkg-query"
	chmod +x "$DIR"/bin/*
	packages_of ID=debian VERSION_CODENAME=bookworm | grep 'apt-get install.* linux-headers-amd64.* linux-headers-6.12-amd64' &&
		packages_of ID=debian VERSION_CODENAME=trixie | grep 'apt-get install.* linux-headers-amd64' &&
		! packages_of ID=debian VERSION_CODENAME=trixie | grep linux-headers-6.12-amd64 &&
		packages_of ID=linuxmint 'ID_LIKE="ubuntu debian"' VERSION_CODENAME=wilma | grep 'apt-get install.* linux-headers-generic' &&
		packages_of ID=fedora | grep 'dnf install.* kernel-devel.* libmicrohttpd-devel' &&
		packages_of ID=arch | grep "unknown distribution; 'make' prints the packages"
}

# Every test that is named for an assumption about the perf core exists, in the named program.
# shellcheck disable=SC2016 # literal quotes of reStructuredText
assumptions_are_tested() {
	local program name bad=0
	while read -r program name; do
		grep -qE "^TEST.*\b$name\)|^TEST.*\b$name, " "selftests/$program.c" || { echo "$program: no $name"; bad=1; }
	done < <(sed -n '/^Assumptions about the perf core/,/^Adding a kernel/p' Documentation/dev/kernels.rst |
		grep -oE '``[a-z_0-9]+``' | tr -d '`' | awk '/^test_/ { program = $0; next } program && /_.*_/ { print program, $0; n++ } END { exit n < 10 }' || echo none none)
	return $bad
}

check "make names the packages of omitted parts" names_packages
check "make names no installed package" names_nothing
check "make builds library and tools without pkg-config" builds_the_rest
check "make without libdrm names its package" names_libdrm
check "make install skips omitted parts" installs_what_is_built
check "CPPFLAGS reach every compilation" passes_cppflags
check "headers of the tree come before those of CPPFLAGS" headers_of_the_tree_first
check "make succeeds without kernel headers" no_headers
check "make skips headers of old kernels" old_headers
check "make modules requires kernel headers" wants_headers
check "DKMS builds for tested kernels only" bounds_of_dkms
check "DKMS has gpuoa_xe for kernels with xe" modules_of_dkms
check "documents name the tested kernels" bounds_of_documents
check "deps.sh has the package names of Debian, Ubuntu and Fedora" names_of_systems
check "tests of assumptions about the perf core exist" assumptions_are_tested
echo "1..$number"
