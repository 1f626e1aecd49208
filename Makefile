# Makefile: build and test gpuoa; `make help` lists the targets
#
# Everything is built below $(BUILD). Each part of user space has a fragment, included below, which
# appends to these lists and contains the rules:
#   LIB_TARGETS       libraries                                   lib/lib.mk
#   TOOL_TARGETS      commands, their man pages and completions   tools/tools.mk
#   LIB_TESTS         test programs on the host                   lib/tests/tests.mk
#   SELFTESTS         test programs in the guest                  selftests/selftests.mk
#   COMMAND_TESTS     tests of commands in the guest, independent of the kernel version
#   GPUS_TESTS        tests in a guest with a virtual GPU of each kind
#   I915_TESTS        tests with the stock i915 on each GPU of gpuoa-vgpu
#   I915_KERNEL_TESTS tests with the stock i915 that depend on the kernel: on one GPU
#   I915_TOOL_TESTS   tests of programs that use i915-perf: on one GPU
#   XE_STOCK_TESTS    tests with the stock xe on each GPU of gpuoa-vgpu that it binds to
#   XE_LIFE_TESTS     tests of resets and system sleep with the stock xe
#   INSTALL_TARGETS   phony targets that install into $(DESTDIR)$(PREFIX)
#   BENCHES           benchmarks on the host
#   I915_BENCHES      benchmarks in a guest with the stock i915 on a GPU of gpuoa-vgpu
#   SOAKS             programs that `make soak` runs, each in a separate guest
# A test prints TAP with a plan; status 0 means that all passed. A benchmark prints `bench: NAME
# VALUE UNIT`. All of them run from the top of the tree. Compile with $(CC) $(CFLAGS), link with
# $(CC) $(CFLAGS) $(LDFLAGS), C++ with $(CXX) $(CXXFLAGS). SANITIZE=1 adds ASan and UBSan,
# SANITIZE=thread adds TSan; use a separate $(BUILD) for each.
#
# Parts that need a missing package are omitted, and a line of $(LEFT_OUT) reports them; see
# left_out.
#
# The modules have Kbuild files below kernel/. GPUOA_TOP is the absolute top of the tree. The
# modules are built in $(BUILD)/modules/<kernel release>, for all installed headers or for KDIR=...

VERSION := 0.1.0
# Oldest and newest kernel that the modules were tested on (make modules-matrix). The modules, gpuoa
# doctor, DKMS and the documents name them; scripts/build_test.sh compares.
LINUX_OLDEST := 6.1
LINUX_NEWEST := 7.3
BUILD ?= build
# Normalize the path, so that dependency files match regardless of the caller.
override BUILD := $(abspath $(BUILD))
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
LIBEXECDIR ?= $(PREFIX)/libexec
UDEVDIR ?= $(PREFIX)/lib/udev/rules.d
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
DESTDIR ?=
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
# Flags of a distribution precede those of the sources. WERROR=0: warnings of a new compiler are not
# errors.
CFLAGS ?= -O2 -g
CXXFLAGS ?= -O2 -g
LDFLAGS ?=
WERROR ?= 1
WARNINGS := -Wall -Wextra $(if $(filter-out 0,$(WERROR)),-Werror)
# This includes CPPFLAGS; its directories follow those of this tree, since they may contain an older
# gpuoa.
GIVEN_CPPFLAGS := $(patsubst -I%,-isystem %,$(CPPFLAGS))
override CFLAGS += -std=gnu11 $(WARNINGS) $(GIVEN_CPPFLAGS)
override CXXFLAGS += -std=c++17 $(WARNINGS) $(GIVEN_CPPFLAGS)
PKG_CONFIG ?= pkg-config
KERNEL ?= 6.12
export KERNEL BUILD
.DEFAULT_GOAL := all

ifdef SANITIZE
SANITIZERS := $(if $(filter thread,$(SANITIZE)),-fsanitize=thread,\
	-fsanitize=address,undefined -fno-sanitize-recover=undefined) -fno-omit-frame-pointer
override CFLAGS += $(SANITIZERS)
override CXXFLAGS += $(SANITIZERS)
endif

# Pass the command line to the guest literally; make must not expand anything in it.
vm: export GPUOA_CMD = $(value CMD)

all: lib tools
	@scripts/build-modules.sh --if-headers $(KDIR)
	@+$(MAKE) --no-print-directory -s left-out

# Parts omitted because of a missing package: "part|Debian's name|Fedora's|Arch's", quoted for the
# shell
LEFT_OUT :=
left_out = $(eval LEFT_OUT += '$(strip $(1))|$(strip $(2))|$(strip $(3))|$(strip $(4))')
has_package = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo yes)
ifeq ($(shell command -v $(PKG_CONFIG)),)
$(call left_out,all of the parts below; they are found by it,pkg-config,pkgconf-pkg-config,pkgconf)
endif

LIB_TARGETS :=
TOOL_TARGETS :=
LIB_TESTS := scripts/vm/splats_test.sh scripts/build_test.sh $(if $(SANITIZE),,scripts/new_platform_test.sh)
SELFTESTS :=
COMMAND_TESTS :=
GPUS_TESTS :=
I915_TESTS :=
I915_KERNEL_TESTS :=
I915_TOOL_TESTS :=
XE_STOCK_TESTS :=
XE_LIFE_TESTS :=
INSTALL_TARGETS :=
BENCHES :=
I915_BENCHES :=
SOAKS :=
# Manual pages, from reStructuredText; omitted without docutils.
RST2MAN := $(firstword $(shell command -v rst2man; command -v rst2man.py))
ifeq ($(RST2MAN),)
$(call left_out,manual pages,python3-docutils,python3-docutils,python-docutils)
endif
man_pages = $(if $(RST2MAN),$(patsubst %.rst,$(BUILD)/man/%,$(notdir $(wildcard $(addsuffix /*.rst,$(1))))))
define make_man
	@mkdir -p $(@D)
	$(RST2MAN) --halt=warning $< $@.new
	@mv $@.new $@
endef
$(BUILD)/man/%: lib/man/%.rst
	$(make_man)
$(BUILD)/man/%: lib/extra/man/%.rst
	$(make_man)
$(BUILD)/man/%: tools/man/%.rst
	$(make_man)

include platforms/platforms.mk
-include lib/lib.mk
-include tools/tools.mk
-include examples/examples.mk
-include frontend/igdmd/igdmd.mk
-include lib/tests/tests.mk
-include lib/fuzz/fuzz.mk
-include vgpu/vgpu.mk
-include selftests/selftests.mk
-include selftests/i915/i915.mk
-include selftests/xe/xe.mk

# A file in $(BUILD) can be a target by its relative path: make build/lib/tests/calc_test
BY_RELATIVE_PATH := $(filter $(patsubst $(CURDIR)/%,%,$(BUILD))/%,$(MAKECMDGOALS))
$(BY_RELATIVE_PATH): %: $(CURDIR)/%
	@:

lib: $(LIB_TARGETS)
tools: $(TOOL_TARGETS)
tests: $(LIB_TESTS)
selftests: $(SELFTESTS) $(GPUS_TESTS) $(I915_TESTS) $(I915_KERNEL_TESTS) $(XE_STOCK_TESTS)

modules:
	@scripts/build-modules.sh $(KDIR)

# Parts omitted from this build, and the packages that they need
left-out:
	@scripts/left-out.sh $(LEFT_OUT)

deps:
	@scripts/deps.sh check
need-vm need-check need-long need-deb need-docs:
	@scripts/deps.sh $(@:need-%=%)

demo: need-vm
	@scripts/demo.sh

vm: need-vm
	@+$(MAKE) --no-print-directory -s lib tools >&2
	@scripts/vm.sh

check: need-check
	@scripts/check.sh static lib kunit vm
check-static check-lib check-kunit check-vm check-vm-long: need-check
	@scripts/check.sh $(@:check-%=%)

check-long: need-long
	@scripts/check.sh static lib kunit vm vm-long

# Builds, loads and tests the modules on each kernel, and prints a table, which is also updated in
# Documentation
modules-matrix: need-check
	@scripts/matrix.sh

# Debian's Level Zero on libigdmd.so.1, in a guest; VENDOR_ROOT: directory for its packages
check-vendor: need-vm
	@scripts/check-vendor.sh

# Debian's igt-gpu-tools on the stock xe, in a guest; GPU=lnl, IGT='TEST[:SUBTEST,...]...'
check-igt: KERNEL := 7.3
check-igt: need-vm
	@scripts/check-igt.sh $(foreach test,$(IGT),'$(test)')

# HTML of Documentation and of the comments in public headers, in $(BUILD)/docs; warnings are errors
docs: need-docs
	sphinx-build -W --keep-going -q -j auto -b html -d $(BUILD)/docs.doctrees Documentation $(BUILD)/docs
	@echo $(BUILD)/docs/index.html

# Images for Documentation/images, from real runs
pictures: need-long lib tools
	@+$(MAKE) --no-print-directory -s $(TOOL_TERMINAL) >&2
	@scripts/pictures.sh

# FUZZ_SECONDS per target
fuzz: need-check
	@scripts/fuzz.sh $(FUZZ_SECONDS)

# MUTANTS mutants, selected by SEED; an interrupted run can be resumed
mutants: need-check
	@scripts/mutants.py --count $(or $(MUTANTS),200) --seed $(or $(SEED),1)

bench: need-check
	@+$(MAKE) --no-print-directory -s lib tools $(BENCHES) >&2
	@BENCHES='$(BENCHES)' I915_BENCHES='$(I915_BENCHES)' scripts/bench.sh

soak: need-vm lib tools modules
	@+$(MAKE) --no-print-directory -s $(SOAKS) >&2
	@scripts/soak.sh
	@for soak in $(SOAKS); do SIM=platform=hsw_gt2 TIMEOUT=7200 scripts/vm.sh "$$soak" || exit; done

install: lib tools
	@+$(MAKE) --no-print-directory install-files
	@+$(MAKE) --no-print-directory -s left-out
install-files: $(INSTALL_TARGETS)

deb: need-deb
	@scripts/deb.sh build

# Installs the packages in an overlay over the root, where DKMS builds the modules; uses them in the
# VM, on both of Debian's kernels
check-deb: need-deb need-vm
	@scripts/deb.sh check

clean:
	rm -rf $(BUILD)

# For scripts: print a list
print-%:
	@echo '$($*)'

help:
	@echo 'make              library and tools; modules for each kernel whose headers are installed'
	@echo '                  (KDIR=... for one)'
	@echo 'make lib, tools, modules, tests, selftests    one part'
	@echo 'make build/FILE   one file'
	@echo 'make deps         on Debian: install the packages that the other targets need'
	@echo 'make left-out     what is not built for lack of a package'
	@echo 'make demo         record from a virtual GPU in a VM, start to end; GPU=tgl: by the stock i915'
	@echo 'make vm           a shell in the VM, or CMD=...; KERNEL=6.1|6.12|rt|trixie|7.3|sid|debug'
	@echo '                  SIM=platform=..., or GPU=tgl|lnl|...: with a virtual GPU for the stock i915'
	@echo '                  or xe (DRIVER=...)'
	@echo 'make check        all tests: check-static check-lib check-kunit check-vm'
	@echo 'make check-long   the same, and each test on each kernel (check-vm-long): over an hour'
	@echo 'make modules-matrix  build, load and test the modules on each kernel; print and store a table'
	@echo 'make check-vendor Level Zero on libigdmd.so.1, with packages of Debian unstable in VENDOR_ROOT'
	@echo 'make check-igt    igt-gpu-tools of Debian unstable on the stock xe, GPU=lnl|bmg|ptl; IGT=tests'
	@echo 'make soak         half an hour of reports: no loss unreported, no memory leaked'
	@echo 'make fuzz         libFuzzer targets, FUZZ_SECONDS=600 each'
	@echo 'make mutants      change single lines of the library, and list the changes that no test'
	@echo '                  notices; MUTANTS=200 SEED=1'
	@echo 'make bench        benchmarks'
	@echo 'make docs         HTML of Documentation and of the public headers, in $$(BUILD)/docs'
	@echo 'make pictures     the pictures in Documentation/images, from real runs'
	@echo 'make deb          Debian packages, in $$(BUILD)/deb; make check-deb tries them in the VM'
	@echo 'make install      into $$(DESTDIR)$$(PREFIX), libraries into $$(DESTDIR)$$(LIBDIR)'
	@echo 'make clean        delete $$(BUILD)'

.PHONY: all left-out lib tools tests selftests modules modules-matrix deps need-vm need-check need-long need-deb need-docs demo vm check docs \
	check-static check-lib check-kunit check-vm check-vm-long check-long check-vendor check-igt pictures fuzz mutants bench soak deb check-deb install install-files clean help $(INSTALL_TARGETS)
