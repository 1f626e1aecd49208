# xe.mk: tests of xe and of the simulator's emulation of its uAPI; they run in a guest and print TAP
XE_PROGRAMS := test_xe_queries test_xe_oa test_xe_exec
XE_STOCK_PROGRAMS := test_xe_stock
XE_TESTS += $(BUILD)/lib/tests/gpus_reference
XE_TESTS += $(XE_PROGRAMS:%=$(BUILD)/selftests/%)
# With the stock xe on a GPU of gpuoa-vgpu
XE_STOCK_TESTS += $(XE_STOCK_PROGRAMS:%=$(BUILD)/selftests/%) $(BUILD)/lib/tests/gpus_reference
# gpuoa.ko and gpuoa_xe.ko with the stock xe
XE_STOCK_TESTS += selftests/xe/gpuoa_test.sh

# Helper program of gpuoa_test.sh
selftests: $(BUILD)/selftests/test_xe_gpuoa

XE_EVENT_HELPERS := selftests/event.c selftests/ring.c

$(BUILD)/selftests/test_xe_gpuoa: selftests/xe/test_xe_gpuoa.c selftests/xe/xe.c selftests/xe/xe.h \
		$(XE_EVENT_HELPERS) $(XE_EVENT_HELPERS:%.c=%.h) selftests/wait.h uapi/gpuoa.h \
		selftests/kselftest_harness.h third_party/drm/xe_drm.h $(BUILD)/selftests/harness/.unpacked
	$(CC) $(CFLAGS) -I. -isystem $(BUILD)/selftests/harness $(DRM_CFLAGS) \
		-o $@ $< selftests/xe/xe.c selftests/sim.c $(XE_EVENT_HELPERS) $(LDFLAGS)

XE_ALL := $(XE_PROGRAMS:%=$(BUILD)/selftests/%) $(XE_STOCK_PROGRAMS:%=$(BUILD)/selftests/%)

$(XE_ALL): $(BUILD)/selftests/%: selftests/xe/%.c selftests/xe/xe.c selftests/xe/xe.h \
		selftests/sim.c selftests/sim.h \
		selftests/wait.h selftests/kselftest_harness.h third_party/drm/xe_drm.h uapi/gpuoa_sim.h \
		$(BUILD)/selftests/harness/.unpacked
	$(CC) $(CFLAGS) -I. -isystem $(BUILD)/selftests/harness $(DRM_CFLAGS) \
		-o $@ $< selftests/xe/xe.c selftests/sim.c $(LDFLAGS)
