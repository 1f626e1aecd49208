# xe.mk: tests of the simulator's xe uAPI emulation; they run in a guest and print TAP
XE_PROGRAMS := test_xe_queries test_xe_oa test_xe_exec
XE_TESTS += $(BUILD)/lib/tests/gpus_reference
XE_TESTS += $(XE_PROGRAMS:%=$(BUILD)/selftests/%)

$(XE_PROGRAMS:%=$(BUILD)/selftests/%): $(BUILD)/selftests/%: selftests/xe/%.c selftests/xe/xe.c selftests/xe/xe.h \
		selftests/sim.c selftests/sim.h \
		selftests/wait.h selftests/kselftest_harness.h third_party/drm/xe_drm.h uapi/gpuoa_sim.h \
		$(BUILD)/selftests/harness/.unpacked
	$(CC) $(CFLAGS) -I. -isystem $(BUILD)/selftests/harness $(DRM_CFLAGS) \
		-o $@ $< selftests/xe/xe.c selftests/sim.c $(LDFLAGS)
