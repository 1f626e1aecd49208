# The gpuoa command, its man pages and its completion
#
# In the build tree the command finds the library beside it; the installed one relies on the system's search path.

TOOL_BUILD := $(BUILD)/tools
TOOL_OBJECTS := $(patsubst tools/%.c,$(TOOL_BUILD)/%.o,$(wildcard tools/*.c))
TOOL_CFLAGS := -Itools -Ilib/include
TOOL_LIBS := -L$(BUILD)/lib -lgpuoa
TOOL_MAN := $(wildcard tools/man/*.1)

TOOL_TARGETS += $(TOOL_BUILD)/gpuoa

$(TOOL_BUILD)/%.o: tools/%.c tools/tools.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(TOOL_CFLAGS) -MMD -MP -c $< -o $@

$(TOOL_BUILD)/gpuoa: $(TOOL_OBJECTS) $(BUILD)/lib/libgpuoa.so
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(TOOL_OBJECTS) $(TOOL_LIBS) -Wl,-rpath,'$$ORIGIN/../lib'

# Linked anew, so that no path of a build tree is installed.
$(TOOL_BUILD)/installed/gpuoa: $(TOOL_OBJECTS) $(BUILD)/lib/libgpuoa.so
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(TOOL_OBJECTS) $(TOOL_LIBS)

install-tools: $(TOOL_BUILD)/installed/gpuoa
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 755 $< $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(TOOL_MAN) $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 tools/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/gpuoa

INSTALL_TARGETS += install-tools

# What stat and record do with their command, to be tested without a GPU
$(TOOL_BUILD)/tests/workload: tools/tests/workload.c $(addprefix $(TOOL_BUILD)/,workload.o message.o printable.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS) -o $@ $^

# What is printed, against what printf() makes of it
$(TOOL_BUILD)/tests/number_test: tools/tests/number_test.c $(TOOL_BUILD)/number.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS) -o $@ $^ -lm

LIB_TESTS += $(TOOL_BUILD)/tests/number_test

$(TOOL_BUILD)/tests/bench_cli: tools/tests/bench_cli.c $(TOOL_BUILD)/gpuoa
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $<

BENCHES += $(TOOL_BUILD)/tests/bench_cli

# Scripts, which need the command.
LIB_TESTS += tools/tests/cli_test.sh
SELFTESTS += tools/tests/guest_test.sh tools/tests/tutorial_test.sh
GPUS_TESTS += tools/tests/gpus_test.sh
tests selftests: $(TOOL_BUILD)/gpuoa
tests: $(TOOL_BUILD)/tests/workload $(TOOL_BUILD)/installed/gpuoa

-include $(TOOL_OBJECTS:.o=.d)
