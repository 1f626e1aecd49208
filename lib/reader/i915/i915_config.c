// SPDX-License-Identifier: MIT
/* i915_config.c - register and remove i915's configurations */
#include <i915_drm.h>
#include <string.h>

#include "reader/drm/drm_config.h"
#include "reader/i915/i915.h"

static int add(struct gpuoa_unit *unit, const struct unit_config *config)
{
	struct drm_i915_perf_oa_config to = {
		.n_mux_regs = config->counts[GPUOA_REGISTER_MUX],
		.n_boolean_regs = config->counts[GPUOA_REGISTER_BOOLEAN],
		.n_flex_regs = config->counts[GPUOA_REGISTER_FLEX],
		.mux_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_MUX],
		.boolean_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_BOOLEAN],
		.flex_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_FLEX],
	};

	memcpy(to.uuid, config->uuid, UUID_LENGTH);
	return drm_ioctl(unit->fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &to);
}

int i915_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id)
{
	return drm_add_config(unit, config, id, add);
}

int i915_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	uint64_t wanted = id;

	return drm_ioctl(unit->fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &wanted);
}
