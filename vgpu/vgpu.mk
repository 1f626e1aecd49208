# vgpu.mk: the virtual GPU in user space: the device model as a library, its tests, and gpuoa-vgpu
#
# The kernel module gpuoa_sim.ko is compiled from the same model (kernel/sim/Kbuild).
include vgpu/model/model.mk

SIM_HOST_BUILD := $(BUILD)/vgpu/model
SIM_HOST_OBJECTS := $(SIM_MODEL:%=$(SIM_HOST_BUILD)/%.o)
GUC_OBJECTS := $(VGPU_MODEL:%=$(SIM_HOST_BUILD)/%.o)
LIB_TESTS += $(SIM_HOST_BUILD)/model_test $(SIM_HOST_BUILD)/batch_query_test $(SIM_HOST_BUILD)/guc_test $(SIM_HOST_BUILD)/eu_stall_test

# Flags of the kernel
SIM_HOST_CFLAGS := -fno-strict-aliasing -Wno-unused-parameter -Wno-sign-compare -Wno-missing-field-initializers \
	-Wno-override-init -Wno-initializer-overrides -Wno-unknown-warning-option
SIM_HOST_CFLAGS += -Ivgpu/shim -I. -Ikernel/include -I$(PLATFORMS_DIR) $(DRM_CFLAGS)

$(SIM_HOST_BUILD)/%.o: vgpu/model/%.c vgpu/vgpu.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SIM_HOST_CFLAGS) -MMD -MP -c $< -o $@

$(SIM_HOST_BUILD)/%.o: vgpu/tests/%.c vgpu/vgpu.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SIM_HOST_CFLAGS) -Ilib/tests -MMD -MP -c $< -o $@

$(SIM_HOST_BUILD)/platforms.o: $(PLATFORMS_DIR)/platforms_model.h

$(SIM_HOST_BUILD)/model_test: $(SIM_HOST_BUILD)/model_test.o $(SIM_HOST_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lpthread -o $@

$(SIM_HOST_BUILD)/guc_test $(SIM_HOST_BUILD)/eu_stall_test: $(SIM_HOST_BUILD)/%: $(SIM_HOST_BUILD)/%.o $(GUC_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

# Test of the library's queries on the model
$(SIM_HOST_BUILD)/batch_query_test.o: SIM_HOST_CFLAGS += -Ilib/include -Ilib/extra/include -Ilib
$(SIM_HOST_BUILD)/batch_query_test: $(SIM_HOST_BUILD)/batch_query_test.o $(SIM_HOST_OBJECTS) $(BUILD)/lib/libgpuoa_internal.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIB_LIBS) -lpthread -lm -o $@

# gpuoa-vgpu: the model as a PCI device of QEMU, for the stock driver
VGPU_BUILD := $(BUILD)/vgpu/qemu
VGPU_OBJECTS := $(patsubst vgpu/qemu/%.c,$(VGPU_BUILD)/%.o,$(wildcard vgpu/qemu/*.c))

TOOL_TARGETS += $(BUILD)/tools/gpuoa-vgpu

$(VGPU_BUILD)/%.o: vgpu/qemu/%.c vgpu/vgpu.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SIM_HOST_CFLAGS) -D_GNU_SOURCE -MMD -MP -c $< -o $@

$(VGPU_BUILD)/platforms.o: $(PLATFORMS_DIR)/platforms_vgpu.h

# A library for QEMU that gpuoa-vgpu contains. It is not sanitized, because QEMU is not.
$(VGPU_BUILD)/kvm_state.so: vgpu/qemu/preload/kvm_state.c vgpu/vgpu.mk
	@mkdir -p $(@D)
	$(CC) $(WARNINGS) -O2 -fPIC -shared -D_GNU_SOURCE $< -ldl -o $@

$(VGPU_BUILD)/main.o: $(VGPU_BUILD)/kvm_state.so
$(VGPU_BUILD)/main.o: SIM_HOST_CFLAGS += -DPRELOAD='"$(VGPU_BUILD)/kvm_state.so"'

# Test of all of gpuoa-vgpu except its main program
LIB_TESTS += $(SIM_HOST_BUILD)/vgpu_test
$(SIM_HOST_BUILD)/vgpu_test.o: SIM_HOST_CFLAGS += -D_GNU_SOURCE
$(SIM_HOST_BUILD)/vgpu_test: $(SIM_HOST_BUILD)/vgpu_test.o $(filter-out %/main.o,$(VGPU_OBJECTS)) \
		$(SIM_HOST_OBJECTS) $(GUC_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lpthread -o $@

$(BUILD)/tools/gpuoa-vgpu: $(VGPU_OBJECTS) $(SIM_HOST_OBJECTS) $(GUC_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lpthread -o $@

install-vgpu: $(BUILD)/tools/gpuoa-vgpu
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $< $(DESTDIR)$(PREFIX)/bin

INSTALL_TARGETS += install-vgpu

-include $(wildcard $(SIM_HOST_BUILD)/*.d) $(VGPU_OBJECTS:.o=.d)
