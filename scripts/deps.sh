#!/bin/bash
# deps.sh: install the packages for the build, the VM and the tests; silent if all are installed
#
# deps.sh build|vm|check|long|deb|docs: each level includes those before it, except that deb and
# docs include only build. Needs root; other users get the command to run as root. Debian and Ubuntu
# have names for all levels, Fedora for build only, because the kernels of the VM are Debian packages.
#
# deps.sh --list LEVEL SYSTEM: only print the names of the packages of a level. SYSTEM is a Debian
# suite, ubuntu or fedora
set -euo pipefail

list=
if [ "${1-}" = --list ]; then
	list=${3:?SYSTEM is missing}
	shift
fi
level=${1:-check}
packages=()
case $level in build | vm | check | long | deb | docs) ;; *) echo "usage: deps.sh build|vm|check|long|deb|docs" >&2; exit 2 ;; esac

# build: library, tools and modules; the last packages are for top, plot, exporter, export and the
# manual pages
packages+=(build-essential pkg-config libdrm-dev libdw-dev libexpat1-dev kmod xz-utils linux-headers-amd64
	libncurses-dev libcairo2-dev libmicrohttpd-dev libprotobuf-c-dev protobuf-c-compiler python3-docutils)

# Print what deps.sh needs to know of the running system: a Debian suite, ubuntu, fedora or nothing.
system() {
	local ID='' ID_LIKE='' VERSION_CODENAME=''
	# shellcheck source=/dev/null
	. "${OS_RELEASE:-/etc/os-release}"
	case " $ID $ID_LIKE " in
	*" ubuntu "*) echo ubuntu ;;
	*" debian "*) echo "${VERSION_CODENAME:-sid}" ;;
	*" fedora "*) echo fedora ;;
	esac
}
system=${list:-$(system)}

if [ "$system" = fedora ] || [ -z "$system" ]; then
	[ "$level" = build ] || {
		echo "gpuoa: $level: needs Debian's kernels; there are package names for Debian and Ubuntu" >&2
		exit 1
	}
	[ "$system" = fedora ] || { echo "gpuoa: unknown distribution; 'make' prints the packages that it lacks" >&2; exit 1; }
	packages=(gcc gcc-c++ make pkgconf-pkg-config libdrm-devel expat-devel elfutils-devel kmod xz kernel-devel elfutils-libelf-devel
		ncurses-devel cairo-devel libmicrohttpd-devel protobuf-c-devel protobuf-c-compiler python3-docutils)
fi

# Debian 12 has 6.12 in addition to its own 6.1; later releases have one kernel each.
[ "$system" != bookworm ] || packages+=(linux-headers-6.12-amd64)

# vm: boot the modules in a VM, and use the stock perf tool
if [ "$level" = vm ] || [ "$level" = check ] || [ "$level" = long ]; then
	packages+=(qemu-system-x86 busybox-static cpio procps linux-perf mmdebstrap)
fi

# check: build the debug kernel and run all tests. The tests read JSON with jq and create a locale
# with a decimal comma. intel-gpu-tools has the reference for the library's values, and programs
# that run on the virtual GPU; Mesa also runs there. gpuoa top runs in libvterm's terminal, drawn
# with the fonts; zsh completes its command line
if [ "$level" = check ] || [ "$level" = long ]; then
	packages+=(linux-source-6.12 flex bison bc libelf-dev libssl-dev
		sparse clang clang-format clang-tools libclang-rt-dev shellcheck intel-gpu-tools jq locales man-db
		libegl-dev libgles-dev libegl-mesa0 libgl1-mesa-dri protobuf-compiler curl
		libvterm-dev fonts-dejavu-core zsh)
fi

# docs: build Documentation
if [ "$level" = check ] || [ "$level" = long ] || [ "$level" = docs ]; then
	packages+=(python3-sphinx)
fi

# long: large packages and services: a browser for the pages of gpuoa report, Prometheus for gpuoa
# exporter. Tests that need them are skipped if they are missing.
if [ "$level" = long ]; then
	packages+=(chromium prometheus)
fi

# deb: build packages
if [ "$level" = deb ]; then
	packages+=(debhelper dh-dkms dkms lintian fakeroot)
fi

# Ubuntu's names of the same packages
if [ "$system" = ubuntu ]; then
	for i in "${!packages[@]}"; do
		case ${packages[i]} in
		linux-headers-amd64) packages[i]=linux-headers-generic ;;
		linux-perf) packages[i]=linux-tools-generic ;;
		linux-source-*) packages[i]=linux-source ;;
		chromium) packages[i]=chromium-browser ;;
		esac
	done
fi

if [ -n "$list" ]; then
	echo "${packages[*]}"
	exit
fi

missing=()
installed() { # package
	if [ "$system" = fedora ]; then
		rpm -q --whatprovides "$1" >/dev/null 2>&1
	else
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
	fi
}
for p in "${packages[@]}"; do
	installed "$p" || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ]; then
	case $system in
	fedora) command="dnf install" ;;
	*) command="apt-get install --no-install-recommends" ;;
	esac
	echo "gpuoa: packages are missing; as root: $command ${missing[*]}" >&2
	exit 1
fi

echo "gpuoa: installing ${missing[*]}" >&2
[ "$system" != fedora ] || exec dnf -q -y install "${missing[@]}" >&2
export DEBIAN_FRONTEND=noninteractive
# The headers depend on a kernel. If no kernel is installed, the machine does not boot from /boot
# and needs no initramfs.
compgen -G '/boot/vmlinuz-*' >/dev/null || export INITRD=No
apt-get -qq update >&2
[ "$system" != bookworm ] || hint=": they need bookworm-security and bookworm-updates"
for p in "${missing[@]}"; do
	if [ -z "$(apt-cache madison "$p")" ]; then
		echo "gpuoa: apt does not know $p; check its sources${hint-}" >&2
		exit 1
	fi
done
apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install "${missing[@]}" >&2
