# Programs that show the use of libgpuoa and, in the tracer and query examples, of libgpuoa-extra;
# installed as documentation; `make check` runs them

EXAMPLE_BUILD := $(BUILD)/examples
EXAMPLES := $(addprefix $(EXAMPLE_BUILD)/,list decode raw phases profiler profiler++ iostream tracer query)
EXAMPLE_FLAGS = -Ilib/include -MMD -MP
EXAMPLE_LIBS = -L$(BUILD)/lib $(EXAMPLE_EXTRA) -lgpuoa -Wl,-rpath,'$$ORIGIN/../lib'

$(EXAMPLE_BUILD)/%: examples/%.c $(BUILD)/lib/libgpuoa.so examples/examples.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(EXAMPLE_FLAGS) -o $@ $< $(EXAMPLE_LIBS)

# These need libgpuoa-extra.
$(EXAMPLE_BUILD)/tracer $(EXAMPLE_BUILD)/query: $(BUILD)/lib/libgpuoa-extra.so
$(EXAMPLE_BUILD)/tracer $(EXAMPLE_BUILD)/query: EXAMPLE_FLAGS += -Ilib/extra/include
$(EXAMPLE_BUILD)/tracer $(EXAMPLE_BUILD)/query: EXAMPLE_EXTRA := -lgpuoa-extra

# Programs for Intel's interfaces, which load libigdmd.so.1 and the loader of Level Zero. The headers
# of Level Zero are in libze-dev; without them, its program is left out.
EXAMPLES += $(EXAMPLE_BUILD)/mdapi
$(EXAMPLE_BUILD)/mdapi: EXAMPLE_FLAGS += -Ifrontend/igdmd
$(EXAMPLE_BUILD)/mdapi: EXAMPLE_LIBS := -ldl
ZE_HEADERS ?= /usr/include
ifneq ($(and $(wildcard $(ZE_HEADERS)/level_zero/zet_api.h),$(wildcard $(ZE_HEADERS)/../lib/*/libze_loader.so)),)
EXAMPLES += $(EXAMPLE_BUILD)/level-zero
endif
$(EXAMPLE_BUILD)/level-zero: EXAMPLE_FLAGS += -idirafter $(ZE_HEADERS)
# The loader may be that of a root directory with a newer libc (make check-vendor).
$(EXAMPLE_BUILD)/level-zero: EXAMPLE_LIBS = $(wildcard $(ZE_HEADERS)/../lib/*/libze_loader.so) -Wl,--allow-shlib-undefined

# This one needs the simulator's uAPI headers.
$(EXAMPLE_BUILD)/query: EXAMPLE_FLAGS += -I. $(DRM_CFLAGS)

$(EXAMPLE_BUILD)/profiler++: examples/profiler.cc $(BUILD)/lib/libgpuoa.so examples/examples.mk
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(LDFLAGS) $(EXAMPLE_FLAGS) -pthread -o $@ $< $(EXAMPLE_LIBS)

examples: $(EXAMPLES)
.PHONY: examples

install-examples:
	install -d $(DESTDIR)$(PREFIX)/share/doc/libgpuoa/examples
	install -m 644 $(wildcard examples/*.c examples/*.cc examples/*.h) frontend/igdmd/mdapi.h $(DESTDIR)$(PREFIX)/share/doc/libgpuoa/examples

INSTALL_TARGETS += install-examples

# Test scripts, which run the programs
LIB_TESTS += examples/tests/examples_host_test.sh
COMMAND_TESTS += examples/tests/examples_guest_test.sh
tests selftests: $(EXAMPLES)

-include $(wildcard $(EXAMPLE_BUILD)/*.d)
