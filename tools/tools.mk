# tools.mk: the gpuoa command, its man pages and its completion
#
# In the build tree, the command finds the library by a relative path; the installed one uses the
# system's search path.

#
# tools/common contains the code shared by all commands. A command that needs only libgpuoa is part
# of gpuoa: a file in tools/, or a folder of TOOL_BUILTIN. A command that needs another library is a
# separate program, gpuoa-<name>, which gpuoa executes: tools/top, tools/plot, tools/export,
# tools/exporter, tools/stalls. Each is linked with the shared code, common.a. tools/profile contains
# code shared by stalls, export and top, which needs libgpuoa-extra.

TOOL_BUILD := $(BUILD)/tools
TOOL_BUILTIN := decode report
TOOL_COMMON := $(patsubst tools/%.c,$(TOOL_BUILD)/%.o,$(wildcard tools/common/*.c))
TOOL_SOURCES := $(wildcard tools/*.c $(TOOL_BUILTIN:%=tools/%/*.c))
TOOL_OBJECTS := $(TOOL_SOURCES:tools/%.c=$(TOOL_BUILD)/%.o) $(TOOL_COMMON)
TOOL_CFLAGS := -Itools -Ilib/include
TOOL_LIBS := -L$(BUILD)/lib -lgpuoa -lm
TOOL_RPATH := -Wl,-rpath,'$$ORIGIN/../lib'
TOOL_MAN := $(call man_pages,tools/man)

# Directory of these programs relative to gpuoa in the build tree
TOOL_PLACE := $(shell realpath -ms --relative-to=$(PREFIX)/bin $(LIBEXECDIR)/gpuoa)/

TOOL_TARGETS += $(TOOL_BUILD)/gpuoa $(TOOL_MAN)

$(TOOL_BUILD)/%.o: tools/%.c tools/tools.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(TOOL_CFLAGS) $(TOOL_CFLAGS_$(firstword $(subst /, ,$*))) -MMD -MP -c $< -o $@

# Parts of the pages of gpuoa report --html and gpuoa stalls report --html, as C strings
TOOL_CFLAGS_report := -I$(TOOL_BUILD)/report
TOOL_PAGE := $(addprefix $(TOOL_BUILD)/report/,page_css.inc page_html.inc page_js.inc)
TOOL_PAGE_JS := $(addprefix tools/report/page/,data.js draw.js main.js table.js)
$(TOOL_BUILD)/report/page_css.inc: tools/report/page/page.css
$(TOOL_BUILD)/report/page_html.inc: tools/report/page/body.html
$(TOOL_BUILD)/report/page_js.inc: $(TOOL_PAGE_JS)
$(TOOL_BUILD)/report/html.o: $(TOOL_PAGE)
TOOL_STALLS_PAGE := $(addprefix $(TOOL_BUILD)/stalls/,page_css.inc page_html.inc page_js.inc)
$(TOOL_BUILD)/stalls/page_css.inc: tools/stalls/page/page.css
$(TOOL_BUILD)/stalls/page_html.inc: tools/stalls/page/body.html
$(TOOL_BUILD)/stalls/page_js.inc: tools/stalls/page/page.js
$(TOOL_BUILD)/stalls/html.o: $(TOOL_STALLS_PAGE)
$(TOOL_PAGE) $(TOOL_STALLS_PAGE): tools/tools.mk
	@mkdir -p $(@D)
	sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $(filter %.css %.html %.js,$^) >$@

$(TOOL_BUILD)/gpuoa.o: TOOL_CFLAGS += -DGPUOA_LIBEXEC='""'
# gpuoa run: installed directory of libigdmd.so.1, relative to that of gpuoa
$(TOOL_BUILD)/run.o: TOOL_CFLAGS += \
	-DGPUOA_FRONTEND='"$(shell realpath -ms --relative-to=$(PREFIX)/bin $(LIBDIR)/gpuoa)"'

$(TOOL_BUILD)/common.a: $(TOOL_COMMON)
	rm -f $@
	$(AR) rcs $@ $^

$(TOOL_BUILD)/gpuoa: $(TOOL_OBJECTS) $(BUILD)/lib/libgpuoa.so
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(TOOL_OBJECTS) $(TOOL_LIBS) $(TOOL_RPATH)

# Link again for installation, to remove paths of the build tree and to set another PREFIX or
# LIBEXECDIR.
TOOL_INSTALLED := $(TOOL_BUILD)/installed
ifneq ($(file <$(TOOL_INSTALLED)/place),$(TOOL_PLACE))
$(shell mkdir -p $(TOOL_INSTALLED) && echo '$(TOOL_PLACE)' >$(TOOL_INSTALLED)/place)
endif

$(TOOL_INSTALLED)/gpuoa.o: tools/gpuoa.c $(TOOL_INSTALLED)/place tools/tools.mk
	$(CC) $(CFLAGS) $(TOOL_CFLAGS) -DGPUOA_LIBEXEC='"$(TOOL_PLACE)"' -MMD -MP -c $< -o $@

TOOL_INSTALLED_OBJECTS := $(TOOL_INSTALLED)/gpuoa.o $(filter-out $(TOOL_BUILD)/gpuoa.o,$(TOOL_OBJECTS))
$(TOOL_INSTALLED)/gpuoa: $(TOOL_INSTALLED_OBJECTS) $(BUILD)/lib/libgpuoa.so
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(TOOL_INSTALLED_OBJECTS) $(TOOL_LIBS)

# A command that is a separate program. If its library is missing, it is omitted; `make` and gpuoa
# report that.
TOOL_PROGRAMS :=
TOOL_LEFT_OUT :=
define tool_program # directory, library in pkg-config (or none), packages of Debian, Fedora, Arch
TOOL_SOURCES_$(1) := $$(filter-out $$(TOOL_WITHOUT_$(1)),$$(wildcard tools/$(1)/*.c))
ifneq ($$(TOOL_SOURCES_$(1)),)
ifneq ($$(if $(2),$$(call has_package,$(2)),yes),yes)
$$(call left_out,gpuoa $(1),$(3),$(4),$(5))
TOOL_LEFT_OUT += $(1)
else
TOOL_OBJECTS_$(1) := $$(TOOL_SOURCES_$(1):tools/%.c=$$(TOOL_BUILD)/%.o)
TOOL_CFLAGS_$(1) := $(if $(2),$$(shell $$(PKG_CONFIG) --cflags $(2)))
TOOL_LIBS_$(1) := $(if $(2),$$(shell $$(PKG_CONFIG) --libs $(2))) -lm
TOOL_PROGRAMS += gpuoa-$(1)
TOOL_TARGETS += $$(TOOL_BUILD)/gpuoa-$(1)

$$(TOOL_BUILD)/gpuoa-$(1): $$(TOOL_OBJECTS_$(1)) $$(TOOL_BUILD)/common.a $$(BUILD)/lib/libgpuoa.so
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$(TOOL_OBJECTS_$(1)) $$(TOOL_BUILD)/common.a $$(TOOL_LIBS) \
		$$(TOOL_LIBS_$(1)) $$(TOOL_RPATH)

$$(TOOL_INSTALLED)/gpuoa-$(1): $$(TOOL_OBJECTS_$(1)) $$(TOOL_BUILD)/common.a $$(BUILD)/lib/libgpuoa.so
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$(TOOL_OBJECTS_$(1)) $$(TOOL_BUILD)/common.a $$(TOOL_LIBS) $$(TOOL_LIBS_$(1))

-include $$(TOOL_OBJECTS_$(1):.o=.d)
endif
endif
endef
$(eval $(call tool_program,top,ncursesw,libncurses-dev,ncurses-devel,ncurses))
TOOL_CFLAGS_top += -Ilib/extra/include
TOOL_LIBS_top += $(TOOL_BUILD)/profile.a $(TOOL_BUILD)/common.a -lgpuoa-extra
$(TOOL_BUILD)/gpuoa-top $(TOOL_INSTALLED)/gpuoa-top: $(BUILD)/lib/libgpuoa-extra.so
$(eval $(call tool_program,plot,cairo,libcairo2-dev,cairo-devel,cairo))
$(eval $(call tool_program,exporter,libmicrohttpd,libmicrohttpd-dev,libmicrohttpd-devel,libmicrohttpd))

# gpuoa export needs protobuf-c for Perfetto's format only.
TOOL_PROTOBUF := $(and $(shell command -v protoc-c),$(call has_package,libprotobuf-c))
TOOL_WITHOUT_export := $(if $(TOOL_PROTOBUF),,tools/export/perfetto.c)
$(eval $(call tool_program,export,$(if $(TOOL_PROTOBUF),libprotobuf-c)))

# gpuoa stalls record -g needs elfutils for the names of functions only.
TOOL_WITHOUT_stalls := $(if $(LIB_ELFUTILS),,tools/stalls/functions_elf.c)
$(eval $(call tool_program,stalls))

# Preloaded by gpuoa stalls record into its command; in the directory of gpuoa-stalls
$(TOOL_BUILD)/libgpuoa-ze.so: $(wildcard tools/ze/*.[ch]) tools/common/launch_stacks.h tools/tools.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -Itools -fPIC -fvisibility=hidden -shared -o $@ $(filter %.c,$^) \
		-ldl -lpthread
TOOL_TARGETS += $(TOOL_BUILD)/libgpuoa-ze.so
TOOL_HOOK := $(TOOL_INSTALLED)/libgpuoa-ze.so
$(TOOL_HOOK): $(TOOL_BUILD)/libgpuoa-ze.so
	@mkdir -p $(@D)
	cp $< $@
tests: $(TOOL_BUILD)/libgpuoa-ze.so

# EU stall profiles, which need libgpuoa-extra
TOOL_PROFILE := $(patsubst tools/%.c,$(TOOL_BUILD)/%.o,$(wildcard tools/profile/*.c))
TOOL_CFLAGS_profile := -Ilib/extra/include
TOOL_CFLAGS_stalls += -Ilib/extra/include -I$(TOOL_BUILD)/stalls $(if $(LIB_ELFUTILS),-DHAVE_ELFUTILS)
TOOL_CFLAGS_export += -Ilib/extra/include
$(TOOL_BUILD)/profile.a: $(TOOL_PROFILE)
	rm -f $@
	$(AR) rcs $@ $^
TOOL_PROFILE_USERS := $(foreach directory,$(TOOL_BUILD) $(TOOL_INSTALLED),$(addprefix $(directory)/gpuoa-,stalls export top))
$(TOOL_PROFILE_USERS): $(TOOL_BUILD)/profile.a $(BUILD)/lib/libgpuoa-extra.so
TOOL_LIBS_stalls := $(TOOL_BUILD)/profile.a $(TOOL_BUILD)/common.a -lgpuoa-extra $(EXTRA_LIBS) -lm
TOOL_LIBS_export := $(TOOL_BUILD)/profile.a $(TOOL_BUILD)/common.a -lgpuoa-extra $(TOOL_LIBS_export)
-include $(TOOL_PROFILE:.o=.d)

ifeq ($(TOOL_PROTOBUF),)
$(call left_out,gpuoa export -f perfetto,libprotobuf-c-dev protobuf-c-compiler,\
	protobuf-c-devel protobuf-c-compiler,protobuf-c)
else
# The subset of Perfetto's format that gpuoa writes
TOOL_CFLAGS_export += -I$(TOOL_BUILD)/export -DHAVE_PROTOBUF
TOOL_SCHEMA := $(TOOL_BUILD)/export/perfetto.pb-c
$(TOOL_SCHEMA).h: $(TOOL_SCHEMA).c
$(TOOL_SCHEMA).c: tools/export/perfetto.proto
	@mkdir -p $(@D)
	protoc-c --proto_path=tools/export --c_out=$(@D) $<
$(TOOL_SCHEMA).o: $(TOOL_SCHEMA).c
	$(CC) $(CFLAGS) $(TOOL_CFLAGS_export) -c $< -o $@
$(TOOL_OBJECTS_export): $(TOOL_SCHEMA).h
$(TOOL_BUILD)/gpuoa-export $(TOOL_INSTALLED)/gpuoa-export: $(TOOL_SCHEMA).o
$(TOOL_BUILD)/gpuoa-export $(TOOL_INSTALLED)/gpuoa-export: TOOL_LIBS_export := $(TOOL_SCHEMA).o $(TOOL_LIBS_export)
endif

install-tools: $(TOOL_INSTALLED)/gpuoa $(TOOL_MAN) $(TOOL_PROGRAMS:%=$(TOOL_INSTALLED)/%) $(TOOL_HOOK)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBEXECDIR)/gpuoa $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(UDEVDIR)
	install -m 644 tools/60-gpuoa.rules $(DESTDIR)$(UDEVDIR)
	$(if $(TOOL_PROGRAMS),install -m 755 $(TOOL_PROGRAMS:%=$(TOOL_INSTALLED)/%) $(DESTDIR)$(LIBEXECDIR)/gpuoa)
	install -m 644 $(TOOL_HOOK) $(DESTDIR)$(LIBEXECDIR)/gpuoa
	install -m 755 $< $(DESTDIR)$(PREFIX)/bin
	$(if $(TOOL_MAN),install -m 644 $(filter-out $(TOOL_LEFT_OUT:%=$(BUILD)/man/gpuoa-%.1),$(TOOL_MAN)) \
		$(DESTDIR)$(PREFIX)/share/man/man1)
	install -m 644 tools/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/gpuoa
	install -m 644 tools/completion.zsh $(DESTDIR)$(ZSHDIR)/_gpuoa

# The exporter's systemd service and its dashboard
install-exporter:
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(PREFIX)/share/gpuoa
	install -m 644 tools/exporter/gpuoa-exporter.service $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -m 644 tools/exporter/dashboard.json $(DESTDIR)$(PREFIX)/share/gpuoa/grafana-dashboard.json

INSTALL_TARGETS += install-tools $(if $(filter gpuoa-exporter,$(TOOL_PROGRAMS)),install-exporter)

# Test of how stat and record run their command, without a GPU
$(TOOL_BUILD)/tests/child: tools/tests/child.c $(addprefix $(TOOL_BUILD)/common/,child.o tool.o output.o buffer.o quote.o printable.o number.o terminal.o) $(BUILD)/lib/libgpuoa.so
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS) -o $@ $(filter-out %.so,$^) $(TOOL_LIBS) -Wl,-rpath,'$$ORIGIN/../../lib'

# Test of number formatting against printf()
$(TOOL_BUILD)/tests/number_test: tools/tests/number_test.c $(addprefix $(TOOL_BUILD)/common/,number.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS) -o $@ $^ -lm

LIB_TESTS += $(TOOL_BUILD)/tests/number_test

# Test of JSON strings and CSV fields
$(TOOL_BUILD)/tests/quote_test: tools/tests/quote_test.c $(addprefix $(TOOL_BUILD)/common/,quote.o buffer.o number.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS) -Ilib/tests -o $@ $^ -lm

LIB_TESTS += $(TOOL_BUILD)/tests/quote_test

# Tests of the statistics and the pages of gpuoa report
$(TOOL_BUILD)/tests/statistics_test: tools/tests/statistics_test.c \
		$(addprefix $(TOOL_BUILD)/,report/statistics.o report/html_text.o common/quote.o common/buffer.o common/number.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS) -Ilib/tests -o $@ $^ -lm

# Generator of recordings for the tests of report and plot, and checker of their images
$(TOOL_BUILD)/tests/recordings: tools/tests/recordings.c $(BUILD)/lib/libgpuoa.so
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -Ilib/tests -MMD -MP -o $@ $< $(LDFLAGS) $(TOOL_LIBS) -Wl,-rpath,'$$ORIGIN/../../lib'

TOOL_PIXELS := $(if $(filter gpuoa-plot,$(TOOL_PROGRAMS)),$(TOOL_BUILD)/tests/pixels)
$(TOOL_BUILD)/tests/pixels: tools/tests/pixels.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS_plot) -o $@ $< $(TOOL_LIBS_plot)

LIB_TESTS += $(TOOL_BUILD)/tests/statistics_test
tests: $(TOOL_BUILD)/tests/recordings $(TOOL_PIXELS)
-include $(TOOL_BUILD)/tests/recordings.d

# Test of the metrics that gpuoa top shows first
$(TOOL_BUILD)/tests/top_display_test: tools/tests/top_display_test.c \
		$(addprefix $(TOOL_BUILD)/top/,cell_text.o order.o watch.o contexts.o stalls.o) \
		$(TOOL_BUILD)/profile.a $(TOOL_BUILD)/common.a $(BUILD)/lib/libgpuoa-extra.so
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS) -Ilib/extra/include -Ilib/tests -I. -o $@ $(filter-out %.so,$^) $(TOOL_LIBS) -lgpuoa-extra \
		-Wl,-rpath,'$$ORIGIN/../../lib' -lm

LIB_TESTS += $(TOOL_BUILD)/tests/top_display_test

# A terminal emulator for tests of the display. It needs libvterm and cairo, which `make deps`
# installs.
ifeq ($(call has_package,vterm cairo),yes)
TOOL_TERMINAL := $(TOOL_BUILD)/tests/terminal
$(TOOL_TERMINAL): tools/tests/terminal.c tools/tests/picture.c tools/tests/terminal.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(shell $(PKG_CONFIG) --cflags vterm cairo) -o $@ $(filter %.c,$^) \
		$(shell $(PKG_CONFIG) --libs vterm cairo) -lutil
endif

$(TOOL_BUILD)/tests/bench_cli: tools/tests/bench_cli.c $(TOOL_BUILD)/gpuoa
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $<

BENCHES += $(TOOL_BUILD)/tests/bench_cli

# Kernels used by the test of stall profiles
$(TOOL_BUILD)/tests/make_zebin: tools/tests/make_zebin.c $(BUILD)/lib/libgpuoa-extra.so
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_CFLAGS) -Ilib/extra/include -Ilib/tests -I. -MMD -MP -o $@ $< \
		-L$(BUILD)/lib -lgpuoa-extra $(TOOL_LIBS) -Wl,-rpath,'$$ORIGIN/../../lib'
-include $(TOOL_BUILD)/tests/make_zebin.d

tests: $(TOOL_BUILD)/tests/make_zebin

# A GPU with EU stall sampling, preloaded by stalls_record_test.sh
$(TOOL_BUILD)/tests/fake_stalls.so: tools/tests/fake_stalls.c tools/tools.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -Ilib/include -Ilib/extra/include -fPIC -shared -o $@ $<
tests: $(TOOL_BUILD)/tests/fake_stalls.so

# A process in which gpuoa stalls record --zebin finds kernels
$(TOOL_BUILD)/tests/bound: tools/tests/bound.c tools/tools.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $<
tests: $(TOOL_BUILD)/tests/bound

# A loader of Level Zero, and programs that use it
TOOL_ZE := $(TOOL_BUILD)/tests/ze
$(TOOL_ZE)/libze_loader.so.1: tools/tests/fake_ze.c tools/tools.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<
$(TOOL_ZE)/ze_program: TOOL_ZE_FLAGS := -DWITH_LOADER
$(TOOL_ZE)/ze_plugin.so: TOOL_ZE_FLAGS := -DWITH_LOADER -fPIC -shared
$(TOOL_ZE)/ze_program $(TOOL_ZE)/ze_plugin.so: tools/tests/ze_program.c $(TOOL_ZE)/libze_loader.so.1
	$(CC) $(CFLAGS) $(LDFLAGS) $(TOOL_ZE_FLAGS) -o $@ $^ -Wl,-rpath,'$$ORIGIN' -lpthread
$(TOOL_ZE)/ze_host: tools/tests/ze_program.c tools/tools.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< -ldl
$(TOOL_ZE)/ze_launches: tools/tests/ze_launches.c $(TOOL_ZE)/libze_loader.so.1
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -Wl,-rpath,'$$ORIGIN' -lpthread
tests: $(addprefix $(TOOL_ZE)/,ze_program ze_plugin.so ze_host ze_launches)

# Recordings used by tests of the command
$(TOOL_BUILD)/tests/make_recordings: tools/tests/make_recordings.c $(BUILD)/lib/libgpuoa.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -Ilib/include -Ilib -Ilib/tests -I. -MMD -MP -o $@ $< $(BUILD)/lib/libgpuoa.a $(LIB_LIBS) -lm

# Scripts that need the command. Those that source guest.sh need a virtual GPU; json_test.sh tests
# more if there is one.
TOOL_GUEST_TESTS := $(shell grep -l '/guest\.sh"' tools/tests/*_test.sh)
LIB_TESTS += $(filter-out $(TOOL_GUEST_TESTS),$(wildcard tools/tests/*_test.sh))
COMMAND_TESTS += $(filter-out tools/tests/gpus_test.sh,$(TOOL_GUEST_TESTS)) tools/tests/json_test.sh
GPUS_TESTS += tools/tests/gpus_test.sh
selftests: $(TOOL_TERMINAL)
tests selftests: $(TOOL_BUILD)/gpuoa $(TOOL_PROGRAMS:%=$(TOOL_BUILD)/%)
tests: $(TOOL_BUILD)/tests/child $(TOOL_BUILD)/tests/make_recordings $(TOOL_INSTALLED)/gpuoa $(TOOL_PROGRAMS:%=$(TOOL_INSTALLED)/%)

-include $(TOOL_OBJECTS:.o=.d) $(TOOL_INSTALLED)/gpuoa.d $(TOOL_BUILD)/tests/make_recordings.d
