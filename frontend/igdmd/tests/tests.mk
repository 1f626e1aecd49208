# tests.mk: tests of the front end on the host, with fake GPUs in place of the functions of libgpuoa
# that need hardware

IGDMD_TEST_BUILD := $(IGDMD_BUILD)/tests
IGDMD_FAKED := gpuoa_device_list gpuoa_unit_open gpuoa_unit_close gpuoa_unit_describe gpuoa_unit_platform \
	gpuoa_unit_constants gpuoa_unit_clock gpuoa_unit_add_config gpuoa_unit_remove_config gpuoa_unit_configs \
	gpuoa_stream_open gpuoa_reader_close gpuoa_reader_read_filtered gpuoa_reader_wait gpuoa_reader_enable \
	gpuoa_reader_disable gpuoa_freq_pin_open gpuoa_freq_pin_close gpuoa_freq_pin_describe gpuoa_freq_pin_set \
	gpuoa_freq_pin_clear drm_node drm_contexts

IGDMD_TESTS := $(addprefix $(IGDMD_TEST_BUILD)/,igdmd_test igdml_test context_test views_test)
IGDMD_BENCH := $(IGDMD_TEST_BUILD)/bench_igdmd
BENCHES += $(IGDMD_BENCH)

# Values of another libigdmd.so.1 on the same reports: make compare-mdapi MDAPI_LIBRARY=PATH. `make
# bench` also measures it if the variable is set.
IGDMD_COMPARE := $(IGDMD_TEST_BUILD)/compare_igdmd
compare-mdapi: $(IGDMD_COMPARE)
	@MDAPI_LIBRARY='$(MDAPI_LIBRARY)' $<
.PHONY: compare-mdapi

LIB_TESTS += $(IGDMD_TESTS)

# It also loads the library itself, by both of its names.
$(IGDMD_TEST_BUILD)/igdml_test.o: IGDMD_CFLAGS += -DIGDMD_DIR='"$(IGDMD_BUILD)"'
$(IGDMD_TEST_BUILD)/igdml_test: | $(IGDMD_BUILD)/libigdmd.so.1

$(IGDMD_TEST_BUILD)/%.o: IGDMD_CFLAGS += -I. -Ifrontend/igdmd/tests

# The objects are not made by C++, and have no type information.
$(IGDMD_TEST_BUILD)/%.o: frontend/igdmd/tests/%.cc frontend/igdmd/tests/tests.mk
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(IGDMD_CFLAGS) $(if $(SANITIZE),-fno-sanitize=vptr) -MMD -MP -c $< -o $@

$(IGDMD_TESTS) $(IGDMD_BENCH) $(IGDMD_COMPARE): %: %.o $(IGDMD_TEST_BUILD)/fake_gpu.o $(IGDMD_OBJECTS) $(BUILD)/lib/libgpuoa_internal.a
	$(CXX) $(CXXFLAGS) $(LDFLAGS) $(IGDMD_FAKED:%=-Wl,--wrap=%) $^ $(LIB_LIBS) -lm -ldl -lpthread -o $@

# For tests of programs that load the library: a libigdmd.so.1 with a fake GPU
IGDMD_FAKE_LIBRARY := $(IGDMD_TEST_BUILD)/fake/libigdmd.so.1
$(IGDMD_FAKE_LIBRARY): $(IGDMD_TEST_BUILD)/fake_library.o $(IGDMD_TEST_BUILD)/fake_gpu.o $(IGDMD_OBJECTS) \
		$(BUILD)/lib/libgpuoa_internal.a frontend/igdmd/igdmd.map
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libigdmd.so.1 -Wl,--version-script=frontend/igdmd/igdmd.map \
		$(IGDMD_FAKED:%=-Wl,--wrap=%) $(filter %.o %.a,$^) $(LIB_LIBS) -lm -lpthread -o $@
tests: $(IGDMD_FAKE_LIBRARY)

# The library itself, on the stock i915 and xe; selftests/i915/gpuoa_test.sh runs it with gpuoa.ko
IGDMD_GUEST_TEST := $(IGDMD_TEST_BUILD)/guest_igdmd
I915_TOOL_TESTS += $(IGDMD_GUEST_TEST)
XE_STOCK_TESTS += $(IGDMD_GUEST_TEST)
selftests: $(IGDMD_GUEST_TEST)

$(IGDMD_GUEST_TEST): $(IGDMD_GUEST_TEST).o $(BUILD)/lib/libgpuoa.so $(IGDMD_BUILD)/libigdmd.so.1
	$(CC) $(CFLAGS) $(LDFLAGS) $< -L$(BUILD)/lib -lgpuoa -ldl -Wl,-rpath,'$$ORIGIN/../../../lib' -o $@

# Queries, on each GPU of the stock i915
IGDML_GUEST_TEST := $(IGDMD_TEST_BUILD)/guest_igdml
I915_TESTS += $(IGDML_GUEST_TEST)
IGDML_GUEST_HELPERS := $(addprefix selftests/,i915/i915.c i915/perf.c i915/render.c i915/reference.c vgpu.c)

$(IGDML_GUEST_TEST).o: IGDMD_CFLAGS += $(DRM_CFLAGS)
$(IGDML_GUEST_TEST): $(IGDML_GUEST_TEST).o $(IGDML_GUEST_HELPERS) $(BUILD)/lib/libgpuoa.so $(IGDMD_BUILD)/libigdmd.so.1
	$(CC) $(CFLAGS) $(LDFLAGS) -I. $(DRM_CFLAGS) $< $(IGDML_GUEST_HELPERS) -L$(BUILD)/lib -lgpuoa -ldl \
		-Wl,-rpath,'$$ORIGIN/../../../lib' -o $@

# and on each GPU of the stock xe
IGDML_XE_TEST := $(IGDMD_TEST_BUILD)/guest_igdml_xe
XE_STOCK_TESTS += $(IGDML_XE_TEST)

$(IGDML_XE_TEST).o: IGDMD_CFLAGS += $(DRM_CFLAGS)
$(IGDML_XE_TEST): $(IGDML_XE_TEST).o selftests/xe/xe.c $(BUILD)/lib/libgpuoa.so $(IGDMD_BUILD)/libigdmd.so.1
	$(CC) $(CFLAGS) $(LDFLAGS) -I. $(DRM_CFLAGS) $< selftests/xe/xe.c -L$(BUILD)/lib -lgpuoa -ldl \
		-Wl,-rpath,'$$ORIGIN/../../../lib' -o $@

# make check-vendor: with the headers of Level Zero in VENDOR_ROOT; the program loads its library
IGDMD_VENDOR_TEST := $(IGDMD_TEST_BUILD)/vendor_ze
$(IGDMD_VENDOR_TEST).o: IGDMD_CFLAGS += -idirafter $(VENDOR_ROOT)/usr/include
$(IGDMD_VENDOR_TEST): $(IGDMD_VENDOR_TEST).o $(BUILD)/lib/libgpuoa.so $(IGDMD_BUILD)/libigdmd.so.1
	$(CC) $(CFLAGS) $(LDFLAGS) $< -L$(BUILD)/lib -lgpuoa -ldl -Wl,-rpath,'$$ORIGIN/../../../lib' -o $@

IGDMD_VENDOR_STALLS := $(IGDMD_TEST_BUILD)/vendor_stalls
$(IGDMD_VENDOR_STALLS).o: IGDMD_CFLAGS += -Ilib/extra/include -idirafter $(VENDOR_ROOT)/usr/include
$(IGDMD_VENDOR_STALLS): $(IGDMD_VENDOR_STALLS).o selftests/vgpu.c $(BUILD)/lib/libgpuoa-extra.so
	$(CC) $(CFLAGS) $(LDFLAGS) -I. $< selftests/vgpu.c -L$(BUILD)/lib -lgpuoa-extra -lgpuoa -ldl \
		-Wl,-rpath,'$$ORIGIN/../../../lib' -o $@

-include $(wildcard $(IGDMD_TEST_BUILD)/*.d)
