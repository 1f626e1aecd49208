# The simulator's device model as a program has it, and tests that run it there.
include kernel/sim/model/model.mk

SIM_HOST_BUILD := $(BUILD)/sim-model
SIM_HOST_OBJECTS := $(SIM_MODEL:%=$(SIM_HOST_BUILD)/%.o)
LIB_TESTS += $(SIM_HOST_BUILD)/model_test $(SIM_HOST_BUILD)/batch_query_test

# The kernel is compiled with these, too.
SIM_HOST_CFLAGS := -fno-strict-aliasing -Wno-unused-parameter -Wno-sign-compare -Wno-missing-field-initializers \
	-Wno-override-init -Wno-initializer-overrides -Wno-unknown-warning-option
SIM_HOST_CFLAGS += -Ikernel/sim/model/host -I. -Ikernel/include $(DRM_CFLAGS)

$(SIM_HOST_BUILD)/%.o: kernel/sim/model/%.c kernel/sim/model/host/host.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SIM_HOST_CFLAGS) -MMD -MP -c $< -o $@

$(SIM_HOST_BUILD)/%.o: kernel/sim/model/host/%.c kernel/sim/model/host/host.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SIM_HOST_CFLAGS) -Ilib/tests -MMD -MP -c $< -o $@

$(SIM_HOST_BUILD)/model_test: $(SIM_HOST_BUILD)/model_test.o $(SIM_HOST_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lpthread -o $@

# The library's queries, on the model
$(SIM_HOST_BUILD)/batch_query_test.o: SIM_HOST_CFLAGS += -Ilib/include -Ilib
$(SIM_HOST_BUILD)/batch_query_test: $(SIM_HOST_BUILD)/batch_query_test.o $(SIM_HOST_OBJECTS) $(BUILD)/lib/libgpuoa_internal.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIB_LIBS) -lpthread -lm -o $@

-include $(wildcard $(SIM_HOST_BUILD)/*.d)
