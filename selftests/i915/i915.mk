# i915.mk: tests of the virtual GPU with the stock i915; they run in a guest and print TAP
I915_PROGRAMS := test_i915_exec test_i915_perf test_i915_uapi test_i915_mesa test_i915_gpuoa test_i915_lease
I915_TESTS += $(BUILD)/selftests/test_i915_exec $(BUILD)/selftests/test_i915_perf $(BUILD)/selftests/test_i915_uapi
I915_TESTS += $(BUILD)/selftests/test_i915_mesa selftests/i915/recorder_test.sh selftests/i915/suspend_test.sh
# Tests that depend on the kernel rather than on the GPU: run on one of these GPUs
I915_KERNEL_TESTS += selftests/i915/gpuoa_test.sh selftests/i915/life_test.sh selftests/i915/gpuoa_life_test.sh
# User-space programs that use only i915-perf: run on one GPU
I915_TOOL_TESTS += selftests/i915/backend_test.sh selftests/i915/tools_test.sh
# Run by `make bench` only
I915_BENCHES += selftests/i915/bench_i915.sh

# Helper programs of scripts that load modules or make recordings
selftests: $(BUILD)/selftests/test_i915_gpuoa $(BUILD)/selftests/test_i915_lease $(LIB_TEST_BUILD)/i915_reader

I915_HELPERS := $(addprefix selftests/,i915/i915.c i915/leased.c i915/perf.c i915/render.c i915/reference.c vgpu.c event.c ring.c aux.c aux_copied.c)

$(I915_PROGRAMS:%=$(BUILD)/selftests/%): $(BUILD)/selftests/%: selftests/i915/%.c $(I915_HELPERS) \
		$(I915_HELPERS:%.c=%.h) selftests/wait.h uapi/gpuoa.h selftests/kselftest_harness.h $(BUILD)/selftests/harness/.unpacked
	$(CC) $(CFLAGS) -I. -isystem $(BUILD)/selftests/harness $(DRM_CFLAGS) \
		-o $@ $< $(I915_HELPERS) $(LDFLAGS) -ldl
