# tests.mk: tests and benchmarks of the library: one program per lib/tests/*_test.c and bench_*.c on
# the host, guest_*.c in the guest with one virtual GPU, gpus_*.c in the guest with one of each kind

LIB_TEST_BUILD := $(BUILD)/lib/tests
LIB_TEST_FIXTURES := $(addprefix $(LIB_TEST_BUILD)/,fixture.o libi915_perf.o peer_rules.o facts.o raw.o rpn.o unit_constants.o \
	sim_unit.o)

LIB_TESTS += $(patsubst lib/tests/%.c,$(LIB_TEST_BUILD)/%,$(wildcard lib/tests/*_test.c))
LIB_TESTS += lib/tests/install_test.sh lib/tests/public_use_test.sh
tests: $(LIB_TARGETS)
SELFTESTS += $(patsubst lib/tests/%.c,$(LIB_TEST_BUILD)/%,$(wildcard lib/tests/guest_*.c))
GPUS_TESTS += $(patsubst lib/tests/%.c,$(LIB_TEST_BUILD)/%,$(wildcard lib/tests/gpus_*.c))
I915_TESTS += $(LIB_TEST_BUILD)/gpus_reference $(LIB_TEST_BUILD)/stock_i915
# Compared with the output of the command by scripts in the guest
selftests: $(LIB_TEST_BUILD)/reference_metrics
BENCHES += $(patsubst lib/tests/%.c,$(LIB_TEST_BUILD)/%,$(wildcard lib/tests/bench_*.c))

$(LIB_TEST_BUILD)/%.o: lib/tests/%.c lib/tests/tests.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -Ilib/tests -MMD -MP -c $< -o $@

$(LIB_TEST_BUILD)/%: $(LIB_TEST_BUILD)/%.o $(LIB_TEST_FIXTURES) $(BUILD)/lib/libgpuoa_internal.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIB_LIBS) $(EXTRA_LIBS) -lm -ldl -o $@

.PRECIOUS: $(LIB_TEST_BUILD)/%.o

-include $(wildcard $(LIB_TEST_BUILD)/*.d)

# As installed: with the shared library, without debug information
$(LIB_TEST_BUILD)/bench_startup: $(LIB_TEST_BUILD)/bench_startup.o $(BUILD)/lib/libgpuoa.so
	$(CC) $(CFLAGS) $(LDFLAGS) $< -L$(BUILD)/lib -lgpuoa -Wl,-rpath,'$$ORIGIN/..' -o $@

# With contexts and batches of the simulator's DRM node. The archive is linked as a whole, so that a
# name that is also defined in selftests/ is a linker error instead of a call of the wrong function.
$(LIB_TEST_BUILD)/gpus_contexts.o $(LIB_TEST_BUILD)/gpus_query.o $(LIB_TEST_BUILD)/gpus_markers.o: LIB_CFLAGS += $(DRM_CFLAGS)
$(LIB_TEST_BUILD)/gpus_query $(LIB_TEST_BUILD)/gpus_markers: $(LIB_TEST_BUILD)/%: $(LIB_TEST_BUILD)/%.o $(LIB_TEST_FIXTURES) $(BUILD)/lib/libgpuoa_internal.a
	$(CC) $(CFLAGS) $(LDFLAGS) -I. $(DRM_CFLAGS) $< $(LIB_TEST_FIXTURES) \
		$(addprefix selftests/,batch.c event.c ring.c sim.c) \
		-Wl,--whole-archive $(BUILD)/lib/libgpuoa_internal.a -Wl,--no-whole-archive $(LIB_LIBS) $(EXTRA_LIBS) -lm -ldl -o $@

# With the stock xe. selftests/xe has names that the library also uses inside, so these programs are
# linked with the shared libraries. stock_xe unbinds the driver at its end.
XE_CLIENTS := $(addprefix $(LIB_TEST_BUILD)/,stock_xe stock_xe_stalls)
XE_CLIENT_HELPERS := selftests/vgpu.c selftests/xe/xe.c
XE_STOCK_TESTS += $(XE_CLIENTS) selftests/xe/stalls_test.sh
$(XE_CLIENTS:%=%.o): LIB_CFLAGS += $(DRM_CFLAGS)
$(XE_CLIENTS): %: %.o $(XE_CLIENT_HELPERS) $(XE_CLIENT_HELPERS:%.c=%.h) $(BUILD)/lib/libgpuoa-extra.so
	$(CC) $(CFLAGS) $(LDFLAGS) -I. $(DRM_CFLAGS) $< $(XE_CLIENT_HELPERS) -L$(BUILD)/lib -lgpuoa-extra -lgpuoa -Wl,-rpath,'$$ORIGIN/..' -o $@

# Compare lib/metrics with tables of facts, and write the reference of the tests from them:
# make compare-definitions TABLES=DIR
compare-definitions facts: TABLES ?= $(error TABLES=DIR: the directory with PLATFORM.tsv)
compare-definitions:
	@python3 scripts/definitions/compare.py $(TABLES)
facts:
	@python3 scripts/definitions/facts.py $(TABLES)
.PHONY: compare-definitions facts
