#!/bin/bash
# deb-i915-guest.sh VERSION: check the installed command on a GPU of the stock i915
#
# Runs in a guest with the Debian packages installed in its root: first without gpuoa's modules,
# then with those built by DKMS.
set -euo pipefail
modules=/var/lib/dkms/gpuoa/$1/$(uname -r)/$(uname -m)/module
PATH=/usr/sbin:/usr/bin:/sbin:/bin
out=$(mktemp -d)
cd "$out"

fail() { echo "deb-i915-guest.sh: $*" >&2; exit 1; }

# First commands of a new user
use() { # driver
	gpuoa list >units.txt
	grep -q "$1" units.txt || fail "gpuoa list does not show a unit by $1"
	gpuoa top --once >top.txt
	grep -q GpuTime top.txt || fail "gpuoa top shows no values of a unit by $1"
	gpuoa -q --csv stat -s RenderBasic -- sleep 0.2 >totals.csv
	grep -q GpuTime totals.csv || fail "no totals of a unit by $1"
	gpuoa record -q -s RenderBasic -F 1000 -o app.data -- sleep 1
	gpuoa report app.data --csv >rows.csv
	grep -q '^timestamp_ns,.*EuActive' rows.csv || fail "no report of a recording by $1"
}

# Programs find the libraries for Intel's interfaces by name, and those of other packages are kept.
use_by_name() {
	local directory=/usr/lib/x86_64-linux-gnu name
	for name in libigdmd.so libigdmd.so.1 libigdml.so.1 libmd.so.1; do
		[[ $(readlink -f "$directory/$name") = "$directory"/gpuoa/* ]] || fail "$name is not an alternative"
	done
	cc -o metrics /usr/share/doc/libgpuoa-dev/examples/mdapi.c -ldl
	./metrics RenderBasic 10 >means.txt
	grep -q GpuTime means.txt || fail "a program that loads libigdmd.so.1 has no metrics"
}

use i915:0
use_by_name
for m in gpuoa gpuoa_i915; do
	insmod "$modules/$m".ko*
done
use gpuoa0
rmmod gpuoa_i915 gpuoa
use i915:0
echo "deb-i915-guest.sh: works on $(uname -r)"
