# fuzz.mk: libFuzzer targets: lib/fuzz/fuzz_*.c. scripts/fuzz.sh builds them with clang in a
# separate $(BUILD)

FUZZ_BUILD := $(BUILD)/lib/fuzz
FUZZERS := $(patsubst lib/fuzz/fuzz_%.c,$(FUZZ_BUILD)/%,$(wildcard lib/fuzz/fuzz_*.c))

$(FUZZ_BUILD)/%.o: lib/fuzz/%.c lib/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -Ilib/tests -MMD -MP -c $< -o $@

$(FUZZERS): $(FUZZ_BUILD)/%: $(FUZZ_BUILD)/fuzz_%.o $(FUZZ_BUILD)/exercise.o $(BUILD)/lib/libgpuoa_internal.a
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) $^ $(LIB_LIBS) $(EXTRA_LIBS) -o $@

# Generates seeds: recordings, payloads and reports
$(FUZZ_BUILD)/seeds: $(FUZZ_BUILD)/seeds.o $(BUILD)/lib/libgpuoa_internal.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIB_LIBS) $(EXTRA_LIBS) -o $@

fuzzers: $(FUZZERS) $(FUZZ_BUILD)/seeds
.PHONY: fuzzers
.PRECIOUS: $(FUZZ_BUILD)/%.o

-include $(wildcard $(FUZZ_BUILD)/*.d)
