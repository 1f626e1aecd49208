#!/bin/bash
# The stock i915 on a virtual GPU: unbinding and binding, module removal and insertion
set -u
. selftests/i915/guest.sh
batches=$BUILD/selftests/test_i915_exec

# Run batches on each engine, and check for kernel warnings.
works() { passes "$batches" each_engine_stores; }

check "batches run" works
check "driver unbinds from the GPU" unbinds
check "driver binds to the GPU again" binds
check "batches run" works
check "driver module is removed" removes
check "driver module is inserted again" inserts
check "batches run" works
plan
