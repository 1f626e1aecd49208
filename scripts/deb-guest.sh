#!/bin/bash
# deb-guest.sh VERSION: check the modules built by DKMS and the installed command
#
# Runs in a guest with the Debian packages installed in its root.
set -euo pipefail
built=$1/$(uname -r)/$(uname -m)/module
PATH=/usr/sbin:/usr/bin:/sbin:/bin
out=$(mktemp -d)
cd "$out"

fail() { echo "deb-guest.sh: $*" >&2; exit 1; }

[[ $(ldd /usr/bin/gpuoa) == *" => /"*"lib/x86_64-linux-gnu/libgpuoa.so.0.1"* ]] || fail "gpuoa does not use the installed library"
modprobe -a drm drm_kms_helper drm_shmem_helper
# DKMS compresses modules if the kernel's own modules are compressed.
insmod /var/lib/dkms/gpuoa/"$built"/gpuoa.ko*
insmod /var/lib/dkms/gpuoa-sim/"$built"/gpuoa_sim.ko*

gpuoa list >units.txt
grep -q gpuoa0 units.txt || fail "gpuoa list shows no unit"
gpuoa record -q -s RenderBasic -F 1000 -o app.data -- sleep 1
gpuoa report app.data --csv >rows.csv
grep -q '^timestamp_ns,.*EuActive' rows.csv || fail "no report of the recording"
gpuoa -q --csv stat -s RenderBasic -- sleep 0.2 >totals.csv
grep -q GpuTime totals.csv || fail "no totals"
for command in top plot exporter; do
	gpuoa $command --help >help.txt || fail "gpuoa $command does not start"
done
udevadm test --action=add /sys/class/gpuoa/gpuoa0 >udev.txt 2>&1 || true
grep -q 'MODE 0660' udev.txt || fail "udev does not know the unit's file"
man -w gpuoa gpuoa-stat 3 gpuoa_stream >man.txt || fail "no manual pages"

read -ra flags < <(pkg-config --cflags --libs libgpuoa)
cc -o sets /usr/share/doc/libgpuoa-dev/examples/list.c "${flags[@]}"
./sets tglgt2 >list.txt || fail "a program that uses the library does not run"
read -ra flags < <(pkg-config --cflags --libs libgpuoa-extra)
cc -o trace /usr/share/doc/libgpuoa-dev/examples/tracer.c "${flags[@]}" || fail "a program that uses libgpuoa-extra does not link"
ldd trace >needed.txt
grep -q 'libgpuoa-extra.so.0.1 => /' needed.txt || fail "a program does not find libgpuoa-extra"

rmmod gpuoa_sim gpuoa
echo "deb-guest.sh: works on $(uname -r)"
