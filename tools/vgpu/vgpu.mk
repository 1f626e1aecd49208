# gpuoa-vgpu: the simulator's device model behind QEMU, for the stock driver
#
# The model's own objects are those that its test on the host is linked with.

VGPU_BUILD := $(BUILD)/tools/vgpu
VGPU_OBJECTS := $(patsubst tools/vgpu/%.c,$(VGPU_BUILD)/%.o,$(wildcard tools/vgpu/*.c))

TOOL_TARGETS += $(BUILD)/tools/gpuoa-vgpu

$(VGPU_BUILD)/%.o: tools/vgpu/%.c tools/vgpu/vgpu.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SIM_HOST_CFLAGS) -D_GNU_SOURCE -MMD -MP -c $< -o $@

$(BUILD)/tools/gpuoa-vgpu: $(VGPU_OBJECTS) $(SIM_HOST_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lpthread -o $@

install-vgpu: $(BUILD)/tools/gpuoa-vgpu
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $< $(DESTDIR)$(PREFIX)/bin

INSTALL_TARGETS += install-vgpu

-include $(VGPU_OBJECTS:.o=.d)
