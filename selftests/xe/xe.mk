# xe.mk: tests of the stock xe on a GPU of gpuoa-vgpu; they run in a guest and print TAP
XE_PROGRAMS := test_xe_stock
XE_STOCK_TESTS += $(XE_PROGRAMS:%=$(BUILD)/selftests/%) $(BUILD)/lib/tests/gpus_reference
# gpuoa.ko and gpuoa_xe.ko with the stock xe
XE_STOCK_TESTS += selftests/xe/gpuoa_test.sh
# On Linux 6.12 without resets
XE_LIFE_TESTS += selftests/xe/life_test.sh

# Helper program of gpuoa_test.sh
selftests: $(BUILD)/selftests/test_xe_gpuoa

XE_EVENT_HELPERS := $(addprefix selftests/,event.c ring.c aux.c aux_copied.c)

$(BUILD)/selftests/test_xe_gpuoa: selftests/xe/test_xe_gpuoa.c selftests/xe/xe.c selftests/xe/xe.h \
		$(XE_EVENT_HELPERS) $(XE_EVENT_HELPERS:%.c=%.h) selftests/wait.h selftests/sim.c \
		selftests/sim.h uapi/gpuoa.h \
		selftests/kselftest_harness.h third_party/drm/xe_drm.h $(BUILD)/selftests/harness/.unpacked
	$(CC) $(CFLAGS) -I. -isystem $(BUILD)/selftests/harness $(DRM_CFLAGS) \
		-o $@ $< selftests/xe/xe.c selftests/sim.c $(XE_EVENT_HELPERS) $(LDFLAGS)

$(XE_PROGRAMS:%=$(BUILD)/selftests/%): $(BUILD)/selftests/%: selftests/xe/%.c selftests/xe/xe.c \
		selftests/xe/xe.h selftests/kselftest_harness.h third_party/drm/xe_drm.h \
		$(BUILD)/selftests/harness/.unpacked
	$(CC) $(CFLAGS) -I. -isystem $(BUILD)/selftests/harness $(DRM_CFLAGS) \
		-o $@ $< selftests/xe/xe.c $(LDFLAGS)
