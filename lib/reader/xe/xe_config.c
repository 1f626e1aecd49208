// SPDX-License-Identifier: MIT
/* xe_config.c - register and remove xe's configurations */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/drm/drm_config.h"
#include "reader/xe/xe.h"
#include "reader/xe/xe_observe.h"

/* Join all kinds of registers: xe has a single list, which it writes in order. */
static struct gpuoa_register *join(const struct unit_config *config, uint32_t *count)
{
	static const enum gpuoa_register_kind kinds[] = {
		GPUOA_REGISTER_MUX,
		GPUOA_REGISTER_BOOLEAN,
		GPUOA_REGISTER_FLEX,
	};
	struct gpuoa_register *all;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		n += config->counts[kinds[i]];
	all = calloc(n + 1, sizeof(*all));
	*count = 0;
	for (size_t i = 0; all && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const uint32_t some = config->counts[kinds[i]];

		if (some)
			memcpy(all + *count, config->registers[kinds[i]], some * sizeof(*all));
		*count += some;
	}
	return all;
}

static int add(struct gpuoa_unit *unit, const struct unit_config *config)
{
	struct drm_xe_oa_config to = { .extensions = 0 };
	struct gpuoa_register *all = join(config, &to.n_regs);
	int ret;

	if (!all)
		return -ENOMEM;
	memcpy(to.uuid, config->uuid, UUID_LENGTH);
	to.regs_ptr = (uintptr_t)all;
	ret = xe_observe(unit->fd, DRM_XE_OBSERVATION_OP_ADD_CONFIG, &to);
	free(all);
	return ret;
}

int xe_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id)
{
	return drm_add_config(unit, config, id, add);
}

int xe_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	const uint64_t wanted = id;

	return xe_observe(unit->fd, DRM_XE_OBSERVATION_OP_REMOVE_CONFIG, &wanted);
}
