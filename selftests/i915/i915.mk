# Tests of the virtual GPU with the stock i915; they run in a guest that has it, and print TAP
I915_PROGRAMS := test_i915_exec test_i915_perf test_i915_mesa
I915_TESTS += $(BUILD)/selftests/test_i915_exec $(BUILD)/selftests/test_i915_perf
# What takes longer, also with programs of others: on some of the GPUs
I915_OTHERS += selftests/i915/life_test.sh $(BUILD)/selftests/test_i915_mesa selftests/i915/tools_test.sh

$(I915_PROGRAMS:%=$(BUILD)/selftests/%): $(BUILD)/selftests/%: selftests/i915/%.c selftests/i915/i915.c \
		selftests/i915/i915.h selftests/kselftest_harness.h $(BUILD)/selftests/harness/.unpacked
	$(CC) $(CFLAGS) -I. -isystem $(BUILD)/selftests/harness $(shell pkg-config --cflags libdrm) \
		-o $@ $< selftests/i915/i915.c $(LDFLAGS) -ldl
