# igdmd.mk: libigdmd.so.1: the interfaces of Intel's Metrics Discovery API on libgpuoa, and under
# its second name libigdml.so.1, that of Intel's Metrics Library
#
# They are installed in a separate directory, which `gpuoa run` puts before the system's, so that
# libraries of Intel's are not displaced.

IGDMD_BUILD := $(BUILD)/frontend/igdmd
IGDMD_SOURCES := $(wildcard frontend/igdmd/*.c)
IGDMD_OBJECTS := $(IGDMD_SOURCES:%.c=$(BUILD)/%.o)
IGDMD_CFLAGS = $(LIB_DRM) -Ilib/include -Ilib/extra/include -Ifrontend/igdmd -fPIC -fvisibility=hidden
IGDMD_LIBS := -L$(BUILD)/lib -lgpuoa-extra -lgpuoa -lpthread
IGDMD_NEEDS := $(BUILD)/lib/libgpuoa-extra.so $(BUILD)/lib/libgpuoa.so
# Sanitizers leave symbols to the program.
IGDMD_DEFS := $(if $(SANITIZE),,-Wl,-z,defs)
IGDMD_LINK = $(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libigdmd.so.1 \
	-Wl,--version-script=frontend/igdmd/igdmd.map $(IGDMD_DEFS) -o $@ $(IGDMD_OBJECTS) $(IGDMD_LIBS)
# Programs load it by these names.
IGDMD_NAMES := libigdmd.so libmd.so.1 libmd.so libigdml.so.1
IGDMD_DIR = $(LIBDIR)/gpuoa

LIB_TARGETS += $(IGDMD_BUILD)/libigdmd.so.1

$(BUILD)/frontend/%.o: frontend/%.c frontend/igdmd/igdmd.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(IGDMD_CFLAGS) -MMD -MP -c $< -o $@

# In the build tree, it finds libgpuoa by a relative path.
$(IGDMD_BUILD)/libigdmd.so.1: $(IGDMD_OBJECTS) frontend/igdmd/igdmd.map $(IGDMD_NEEDS)
	$(IGDMD_LINK) -Wl,-rpath,'$$ORIGIN/../../lib'
	@for name in $(IGDMD_NAMES); do ln -sf libigdmd.so.1 $(@D)/$$name || exit; done

$(IGDMD_BUILD)/installed/libigdmd.so.1: $(IGDMD_OBJECTS) frontend/igdmd/igdmd.map $(IGDMD_NEEDS)
	@mkdir -p $(@D)
	$(IGDMD_LINK)

install-igdmd: $(IGDMD_BUILD)/installed/libigdmd.so.1
	install -d $(DESTDIR)$(IGDMD_DIR)
	install -m 644 $^ $(DESTDIR)$(IGDMD_DIR)
	for name in $(IGDMD_NAMES); do ln -sf libigdmd.so.1 $(DESTDIR)$(IGDMD_DIR)/$$name || exit; done

INSTALL_TARGETS += install-igdmd

-include $(IGDMD_OBJECTS:.o=.d)
-include frontend/igdmd/tests/tests.mk
