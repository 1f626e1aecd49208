#!/bin/bash
# The stock i915 on a virtual GPU: unbinding and binding, module removal and insertion
set -u
. selftests/i915/guest.sh
batches=$BUILD/selftests/test_i915_exec

# Run batches on each engine, and check for kernel warnings.
works() { "$batches" -t each_engine_stores; }

check "batches run" works
check "the driver lets go of the GPU" unbinds
check "it takes it again" binds
check "batches run" works
check "the driver is removed" removes
check "it is inserted again" inserts
check "batches run" works
plan
