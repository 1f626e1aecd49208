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

# This one needs the simulator's uAPI headers.
$(EXAMPLE_BUILD)/query: EXAMPLE_FLAGS += -I. $(DRM_CFLAGS)

$(EXAMPLE_BUILD)/profiler++: examples/profiler.cc $(BUILD)/lib/libgpuoa.so examples/examples.mk
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(LDFLAGS) $(EXAMPLE_FLAGS) -pthread -o $@ $< $(EXAMPLE_LIBS)

examples: $(EXAMPLES)
.PHONY: examples

install-examples:
	install -d $(DESTDIR)$(PREFIX)/share/doc/libgpuoa/examples
	install -m 644 $(wildcard examples/*.c examples/*.cc examples/*.h) $(DESTDIR)$(PREFIX)/share/doc/libgpuoa/examples

INSTALL_TARGETS += install-examples

# Test scripts, which run the programs
LIB_TESTS += examples/tests/examples_host_test.sh
COMMAND_TESTS += examples/tests/examples_guest_test.sh
tests selftests: $(EXAMPLES)

-include $(wildcard $(EXAMPLE_BUILD)/*.d)
