# platforms.mk: tables of platforms for programs; the modules have Kbuild.tables
PLATFORMS_DIR := $(BUILD)/platforms
PLATFORMS_AWK := awk -f platforms/generate.awk -v table=
# One virtual GPU of each model
GPUS := $(shell $(PLATFORMS_AWK)gpus platforms/platforms.txt)

.PRECIOUS: $(PLATFORMS_DIR)/platforms_%.h
$(PLATFORMS_DIR)/platforms_%.h: platforms/platforms.txt platforms/generate.awk
	@mkdir -p $(@D)
	@$(PLATFORMS_AWK)$* $< >$@.new && mv $@.new $@
