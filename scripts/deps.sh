#!/bin/bash
# deps.sh: install the Debian packages for the build, the VM and the tests; silent if all are
# installed
#
# deps.sh build|vm|check|long|deb|docs: each level includes those before it, except that deb and
# docs include only build. Needs root; other users get the command to run as root.
set -euo pipefail

level=${1:-check}
packages=()
case $level in build | vm | check | long | deb | docs) ;; *) echo "usage: deps.sh build|vm|check|long|deb|docs" >&2; exit 2 ;; esac

# build: library, tools and modules; the last packages are for top, plot, exporter, export and the
# manual pages
packages+=(build-essential pkg-config libdrm-dev libexpat1-dev kmod xz-utils linux-headers-amd64
	libncurses-dev libcairo2-dev libmicrohttpd-dev libprotobuf-c-dev protobuf-c-compiler python3-docutils)

# Debian 12 has 6.12 in addition to its own 6.1; later releases have one kernel each.
release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
[ "$release" != bookworm ] || packages+=(linux-headers-6.12-amd64)

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
		sparse clang clang-format clang-tools shellcheck intel-gpu-tools jq locales man-db
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

missing=()
for p in "${packages[@]}"; do
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ]; then
	echo "gpuoa: packages are missing; as root: apt-get install --no-install-recommends ${missing[*]}" >&2
	exit 1
fi

echo "gpuoa: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# The headers depend on a kernel. If no kernel is installed, the machine does not boot from /boot
# and needs no initramfs.
compgen -G '/boot/vmlinuz-*' >/dev/null || export INITRD=No
apt-get -qq update >&2
for p in "${missing[@]}"; do
	if [ -z "$(apt-cache madison "$p")" ]; then
		echo "gpuoa: apt does not know $p: add the suites $release-security and $release-updates to its sources" >&2
		exit 1
	fi
done
apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install "${missing[@]}" >&2
