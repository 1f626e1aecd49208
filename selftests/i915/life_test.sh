#!/bin/bash
# The stock i915 on a virtual GPU comes and goes: unbinding and binding, removal and insertion
set -u
number=0
pci=/sys/bus/pci
device=0000:00:02.0
batches=$BUILD/selftests/test_i915_exec

check() { # description command...
	local what=$1 said
	shift
	number=$((number + 1))
	if said=$("$@" 2>&1); then
		echo "ok $number - $what"
	else
		tail -40 <<<"# ${said//$'\n'/$'\n'# }"
		echo "not ok $number - $what"
	fi
}

# Batches run on each engine, and the kernel has no complaint.
works() { "$batches" -t each_engine_stores; }

bound() { [ -e $pci/drivers/i915/$device ]; }
unbinds() { echo $device >$pci/drivers/i915/unbind && ! bound; }
binds() { echo $device >$pci/drivers/i915/bind && scripts/vm/awake.sh && bound; }
removes() { modprobe -r i915 && [ ! -d /sys/module/i915 ]; }
# shellcheck disable=SC2086 # a list of parameters
inserts() { modprobe i915 ${I915-} && scripts/vm/awake.sh && bound; }

check "batches run" works
check "the driver lets go of the GPU" unbinds
check "it takes it again" binds
check "batches run" works
check "the driver is removed" removes
check "it is inserted again" inserts
check "batches run" works
echo "1..$number"
