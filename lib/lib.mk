# lib.mk: libgpuoa and libgpuoa-extra, each as shared and static library; a library with all symbols
# of both for tests; and the compiler of metric definitions

LIB_BUILD := $(BUILD)/lib
# Programs built for one 0.x version may not run with another: the soname has both numbers until
# 1.0.
LIB_SONAME := libgpuoa.so.$(shell echo $(VERSION) | sed -E 's/^(0\.[0-9]+|[0-9]+)\..*/\1/')
LIB_FILE := libgpuoa.so.$(VERSION)
EXTRA_SONAME := $(LIB_SONAME:libgpuoa%=libgpuoa-extra%)
EXTRA_FILE := libgpuoa-extra.so.$(VERSION)

# expat parses XML; optional.
LIB_EXPAT := $(call has_package,expat)
ifeq ($(LIB_EXPAT),)
$(call left_out,definitions in XML (-D FILE.xml),libexpat1-dev,expat-devel,expat)
endif
LIB_LIBS := $(if $(LIB_EXPAT),$(shell $(PKG_CONFIG) --libs expat))
# elfutils reads zebins, the ELF files of GPU kernels; optional.
LIB_ELFUTILS := $(and $(call has_package,libdw),$(call has_package,libelf))
ifeq ($(LIB_ELFUTILS),)
$(call left_out,symbols of GPU kernels (gpuoa-symbols.h),libdw-dev,elfutils-devel,libelf)
endif
EXTRA_LIBS := $(if $(LIB_ELFUTILS),$(shell $(PKG_CONFIG) --libs libdw libelf))
# Headers of i915 and xe, the only required dependency
DRM_DIR := $(firstword $(wildcard /usr/include/libdrm /usr/include/drm))
DRM_CFLAGS := $(if $(call has_package,libdrm),$(or $(shell $(PKG_CONFIG) --cflags libdrm),-I.),$(DRM_DIR:%=-idirafter %))
LIB_DRM = -Ithird_party/drm $(or $(DRM_CFLAGS),$(error gpuoa: cannot build: no headers of libdrm; install \
	libdrm-dev (Debian), libdrm-devel (Fedora) or libdrm (Arch)))
LIB_WITHOUT := $(addprefix lib/definitions/load/,$(if $(LIB_EXPAT),xml_none.c,xml.c xml_import.c)) \
	$(addprefix lib/extra/symbols/,$(if $(LIB_ELFUTILS),zebin_none.c,zebin.c))

# The layers of libgpuoa, from the lowest up. A file includes headers of the same or lower layers
# only, as scripts/check-layers.sh checks. Documentation/dev/library.rst describes the layers.
LIB_LAYERS := base time report table gpu metadata definitions/language definitions/compiler definitions/load \
	calc/columns calc reader reader/stream reader/drm reader/pmu reader/i915 reader/xe reader/backends \
	reader/recording device

# Those of libgpuoa-extra, above them. It calls the public functions of libgpuoa, and those declared
# with GPUOA_PRIVATE (lib/base/private.h). Both libraries contain the layers of EXTRA_SHARED, except
# the public functions of reports: these layers have no state.
EXTRA_LAYERS := extra/catalog extra/equation extra/custom extra/query extra/streams extra/tracer extra/device extra/stalls \
	extra/symbols
EXTRA_SHARED := base report table definitions/language

# Layers of gpuoa-metricsc, which runs on the build machine and writes the tables. They are built
# first.
METRICSC_LAYERS := base report table definitions/language definitions/compiler metricsc

# Sources compiled once per vector ISA: see below
VECTOR_SOURCES := vector_ops vector_small_delta vector_op_chain

layer_sources = $(foreach layer,$(1),$(wildcard lib/$(layer)/*.c))
LIB_SOURCES := $(filter-out $(VECTOR_SOURCES:%=lib/calc/columns/%.c) $(LIB_WITHOUT),$(call layer_sources,$(LIB_LAYERS)))
LIB_OBJECTS = $(LIB_SOURCES:lib/%.c=$(LIB_BUILD)/%.o) $(LIB_VECTOR_OBJECTS) $(LIB_BUILD)/tables.o
EXTRA_SOURCES := $(filter-out $(LIB_WITHOUT),$(call layer_sources,$(EXTRA_LAYERS)))
EXTRA_OBJECTS := $(EXTRA_SOURCES:lib/%.c=$(LIB_BUILD)/%.o)
EXTRA_SHARED_OBJECTS := $(patsubst lib/%.c,$(LIB_BUILD)/%.o,$(filter-out lib/report/report.c lib/report/interpolate.c,$(call layer_sources,$(EXTRA_SHARED))))
LIB_DEFINITIONS := $(sort $(wildcard lib/metrics/*.oa))
LIB_DEFINITIONS_SHARED := $(wildcard lib/metrics/shared/*.oa)
LIB_CFLAGS = $(LIB_DRM) -fPIC -fvisibility=hidden -fno-semantic-interposition -ffunction-sections -fdata-sections -Ilib/include -Ilib/extra/include -Ilib -I. -I$(PLATFORMS_DIR) -DGPUOA_VERSION='"$(VERSION)"'

# The compiler of definitions does not need the tables.
METRICSC := $(LIB_BUILD)/gpuoa-metricsc
METRICSC_SOURCES := $(call layer_sources,$(METRICSC_LAYERS))
METRICSC_OBJECTS := $(METRICSC_SOURCES:lib/%.c=$(LIB_BUILD)/%.o)


# Manual pages: those of lib/man and lib/extra/man, and generated ones for the remaining functions of
# the headers
LIB_MAN := $(call man_pages,lib/man lib/extra/man)
LIB_REFERENCE := $(if $(LIB_MAN),$(BUILD)/man/reference/made)
$(LIB_REFERENCE): lib/man/reference.awk $(wildcard lib/man/*.rst lib/extra/man/*.rst lib/include/*.h lib/extra/include/*.h)
	@rm -rf $(@D) && mkdir -p $(@D)
	awk -v dir=$(@D) -f $< $(filter %.rst,$^) $(filter %.h,$^)
	@for page in $(@D)/*.rst; do $(RST2MAN) --halt=warning $$page $${page%.rst} || exit; done
	@touch $@

LIB_TARGETS += $(LIB_BUILD)/libgpuoa.so $(LIB_BUILD)/libgpuoa.a $(LIB_BUILD)/libgpuoa-extra.so $(LIB_BUILD)/libgpuoa-extra.a $(LIB_MAN) $(LIB_REFERENCE)
OBJCOPY ?= objcopy

# gpuoa doctor names the kernels that gpuoa.ko was tested on.
$(LIB_BUILD)/device/access.o $(BUILD)/lib/tests/access_test.o: LIB_CFLAGS += \
	-DGPUOA_LINUX_OLDEST='"$(LINUX_OLDEST)"' -DGPUOA_LINUX_NEWEST='"$(LINUX_NEWEST)"'

$(LIB_BUILD)/%.o: lib/%.c lib/lib.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(LIB_BUILD)/gpu/platforms.o: $(PLATFORMS_DIR)/platforms_lib.h
$(LIB_BUILD)/extra/query/hardware.o: $(PLATFORMS_DIR)/platforms_query.h
$(LIB_BUILD)/extra/custom/prototypes_pec.o: $(PLATFORMS_DIR)/platforms_pec.h
$(LIB_BUILD)/extra/stalls/layout.o: $(PLATFORMS_DIR)/platforms_stalls.h

# The loops over batches take most of the time. They are compiled once per vector ISA, and vector.c
# selects one at run time. Floating-point exceptions are ignored, so divisions may be executed
# speculatively; contraction is off, so that all ISAs compute the same results.
LIB_VECTORS := plain
ifneq ($(filter x86_64-%,$(shell $(CC) -dumpmachine)),)
LIB_VECTORS += sse2 avx2 avx512
endif
# Clang warns if a loop is not vectorized; gcc ignores the option.
VECTOR_CFLAGS := -O3 -ffp-contract=off -fno-trapping-math -fno-math-errno -Wno-pass-failed
VECTOR_plain := -DVECTOR_PLAIN
VECTOR_sse2 :=
VECTOR_avx2 := -mavx2 -mfma
VECTOR_avx512 := -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512

LIB_VECTOR_OBJECTS := $(foreach kind,$(LIB_VECTORS),$(VECTOR_SOURCES:%=$(LIB_BUILD)/$(kind)/%.o))

define VECTOR_RULE
$(LIB_BUILD)/$(1)/%.o: lib/calc/columns/%.c lib/lib.mk
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(LIB_CFLAGS) $$(VECTOR_CFLAGS) $$(VECTOR_$(1)) -DVECTOR_OPS=$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach kind,$(LIB_VECTORS),$(eval $(call VECTOR_RULE,$(kind))))

# A hash of the definitions, for gpuoa_metadata_revision()
$(LIB_BUILD)/metadata/names.o: LIB_CFLAGS += \
	-DGPUOA_METADATA_REVISION='"$(shell cat $(LIB_DEFINITIONS) $(LIB_DEFINITIONS_SHARED) | sha256sum | cut -c1-12)"'
$(LIB_BUILD)/metadata/names.o: $(LIB_DEFINITIONS) $(LIB_DEFINITIONS_SHARED)

$(METRICSC): $(METRICSC_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

$(LIB_BUILD)/tables.bin: $(METRICSC) $(LIB_DEFINITIONS) $(LIB_DEFINITIONS_SHARED)
	$(METRICSC) $@ $(LIB_DEFINITIONS)

# An assembler includes the tables at once; a C compiler takes half a minute to parse them.
$(LIB_BUILD)/tables.o: lib/table/tables.S $(LIB_BUILD)/tables.bin
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -DTABLES='"$(LIB_BUILD)/tables.bin"' -c $< -o $@

# The private node has the whole version.
$(LIB_BUILD)/libgpuoa.map: lib/libgpuoa.map Makefile
	sed 's/^LIBGPUOA_PRIVATE /LIBGPUOA_PRIVATE_$(VERSION) /' $< >$@

LIB_LINK = $(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-Bsymbolic-functions -Wl,--gc-sections

$(LIB_BUILD)/$(LIB_FILE): $(LIB_OBJECTS) $(LIB_BUILD)/libgpuoa.map
	$(LIB_LINK) -Wl,-soname,$(LIB_SONAME) -Wl,--version-script=$(LIB_BUILD)/libgpuoa.map \
		-o $@ $(LIB_OBJECTS) $(LIB_LIBS)

# In the build tree, it finds libgpuoa in its own directory; install-lib links it again without that.
EXTRA_LINK = $(LIB_LINK) -Wl,-soname,$(EXTRA_SONAME) -Wl,--version-script=lib/extra/libgpuoa-extra.map $(if $(SANITIZE),,-Wl,-z,defs) \
	-o $@ $(EXTRA_OBJECTS) $(EXTRA_SHARED_OBJECTS) -L$(LIB_BUILD) -lgpuoa $(EXTRA_LIBS) -lm
EXTRA_NEEDS := $(EXTRA_OBJECTS) $(EXTRA_SHARED_OBJECTS) lib/extra/libgpuoa-extra.map $(LIB_BUILD)/libgpuoa.so
$(LIB_BUILD)/$(EXTRA_FILE): $(EXTRA_NEEDS)
	$(EXTRA_LINK) -Wl,-rpath,'$$ORIGIN'
$(LIB_BUILD)/installed/$(EXTRA_FILE): $(EXTRA_NEEDS)
	@mkdir -p $(@D)
	$(EXTRA_LINK)

$(LIB_BUILD)/$(LIB_SONAME) $(LIB_BUILD)/$(EXTRA_SONAME): $(LIB_BUILD)/%.so.$(LIB_SONAME:libgpuoa.so.%=%): $(LIB_BUILD)/%.so.$(VERSION)
	ln -sf $(<F) $@

$(LIB_BUILD)/libgpuoa.so: $(LIB_BUILD)/$(LIB_SONAME)
$(LIB_BUILD)/libgpuoa-extra.so: $(LIB_BUILD)/$(EXTRA_SONAME)
$(LIB_BUILD)/libgpuoa.so $(LIB_BUILD)/libgpuoa-extra.so:
	ln -sf $(<F) $@

# Link one object and make non-public symbols local: a program may have its own evaluate().
$(LIB_BUILD)/libgpuoa.o: $(LIB_OBJECTS)
$(LIB_BUILD)/libgpuoa-extra.o: $(EXTRA_OBJECTS) $(EXTRA_SHARED_OBJECTS)
$(LIB_BUILD)/libgpuoa.o $(LIB_BUILD)/libgpuoa-extra.o:
	$(CC) $(CFLAGS) -r -nostdlib -o $@ $^
	$(OBJCOPY) --localize-hidden $@

$(LIB_BUILD)/libgpuoa.a $(LIB_BUILD)/libgpuoa-extra.a: %.a: %.o
	rm -f $@
	$(AR) rcs $@ $^

# Tests also call internal functions.
$(LIB_BUILD)/libgpuoa_internal.a: $(LIB_OBJECTS) $(EXTRA_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

LIB_HEADERS := $(wildcard lib/include/*.h lib/extra/include/*.h)
LIB_FILES := $(LIB_BUILD)/$(LIB_FILE) $(LIB_BUILD)/installed/$(EXTRA_FILE) $(LIB_BUILD)/libgpuoa.a $(LIB_BUILD)/libgpuoa-extra.a
install-lib: $(LIB_FILES) $(LIB_MAN) $(LIB_REFERENCE)
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/drm $(DESTDIR)$(PREFIX)/share/man/man3
	install -m 644 $(LIB_FILES) $(DESTDIR)$(LIBDIR)
	ln -sf $(LIB_FILE) $(DESTDIR)$(LIBDIR)/$(LIB_SONAME)
	ln -sf $(LIB_SONAME) $(DESTDIR)$(LIBDIR)/libgpuoa.so
	ln -sf $(EXTRA_FILE) $(DESTDIR)$(LIBDIR)/$(EXTRA_SONAME)
	ln -sf $(EXTRA_SONAME) $(DESTDIR)$(LIBDIR)/libgpuoa-extra.so
	install -m 644 $(LIB_HEADERS) $(DESTDIR)$(INCLUDEDIR)
	$(if $(LIB_MAN),install -m 644 $(LIB_MAN) $(BUILD)/man/reference/*.3 $(DESTDIR)$(PREFIX)/share/man/man3)
	install -m 644 uapi/gpuoa.h $(DESTDIR)$(INCLUDEDIR)/drm/gpuoa_drm.h
	for pc in lib/libgpuoa.pc lib/extra/libgpuoa-extra.pc; do \
		sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
			-e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIB_LIBS)|' -e 's|@EXTRA_LIBS@|$(EXTRA_LIBS)|' $$pc.in \
			>$(DESTDIR)$(LIBDIR)/pkgconfig/$${pc##*/} || exit; done
	@[ -n "$(DESTDIR)" ] || PATH="$$PATH:/usr/sbin:/sbin" ldconfig || \
		echo 'Run ldconfig as root, or set LD_LIBRARY_PATH=$(LIBDIR): else programs do not find the library.' >&2

INSTALL_TARGETS += install-lib

-include $(LIB_OBJECTS:.o=.d) $(EXTRA_OBJECTS:.o=.d) $(LIB_BUILD)/metricsc/main.d
