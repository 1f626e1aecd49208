# selftests.mk: user-space programs that test the loaded modules; they run in a VM and print TAP

SELFTEST_PROGRAMS := test_open test_configs test_unit test_reports test_loss test_faults test_suspend test_sharing test_lifetime \
	test_aux test_aux_units test_half_full test_commands test_batches test_unplug test_count test_dword_mask \
	test_enable test_memory test_user test_attr_id test_perf_core
SELFTESTS += $(SELFTEST_PROGRAMS:%=$(BUILD)/selftests/%) selftests/test_perf_tool.sh

# Tests that need one GPU of each kind
GPUS_TESTS += $(BUILD)/selftests/test_contexts $(BUILD)/selftests/test_streams

# Run by `make soak` only
SOAKS += $(BUILD)/selftests/soak_aux

# Run by a job of check-long
SELFTEST_FUZZERS := $(BUILD)/selftests/fuzz_calls
selftests: $(SELFTEST_FUZZERS)

# The kernel's test harness, from its source package
KSELFTEST_TAR ?= /usr/src/linux-source-6.12.tar.xz
KSELFTEST_FILES := kselftest.h kselftest_harness.h

$(BUILD)/selftests/harness/.unpacked: $(KSELFTEST_TAR)
	@mkdir -p $(@D)
	tar -xf $< -C $(@D) --strip-components=4 --occurrence=1 \
		$(KSELFTEST_FILES:%=linux-source-6.12/tools/testing/selftests/%)
	@touch $@

SELFTEST_HELPERS := ring event sim aux batch gpu_unit shape

$(BUILD)/selftests/%: selftests/%.c $(SELFTEST_HELPERS:%=selftests/%.c) $(SELFTEST_HELPERS:%=selftests/%.h) \
		selftests/wait.h selftests/kselftest_harness.h uapi/gpuoa.h uapi/gpuoa_sim.h \
		$(BUILD)/selftests/harness/.unpacked
	$(CC) $(CFLAGS) -I. -isystem $(BUILD)/selftests/harness $(DRM_CFLAGS) \
		-o $@ $< $(SELFTEST_HELPERS:%=selftests/%.c) $(LDFLAGS)
