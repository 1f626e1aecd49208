// SPDX-License-Identifier: MIT
/* pmu_use.c - get the current user of a unit of gpuoa.ko, and the owner of a context */
#include <errno.h>
#include <sys/ioctl.h>

#include "reader/pmu/pmu.h"
#include "reader/uapi.h"

static void from_uapi(struct gpuoa_unit_user *to, const struct gpuoa_user *use)
{
	*to = (struct gpuoa_unit_user){
		.format = use->format,
		.exponent = use->exponent,
		.buffer_size = use->buffer_size,
		.streams = use->n_events,
		.process = use->pid,
		.context_filter = use->flags & GPUOA_ATTR_CONTEXT,
		.batch_boundary_reports = use->flags & GPUOA_ATTR_BATCH_BOUNDARY_REPORTS,
	};
	if (use->n_events)
		to->delivery = use->flags & GPUOA_ATTR_AUX ? GPUOA_DELIVERY_AUX :
							     GPUOA_DELIVERY_RAW;
	uapi_string(to->uuid, sizeof(to->uuid), use->uuid, sizeof(use->uuid));
	uapi_string(to->program, sizeof(to->program), use->comm, sizeof(use->comm));
}

int pmu_used(struct gpuoa_unit *unit, struct gpuoa_unit_user *use)
{
	struct gpuoa_user from = { .n_events = 0 };

	if (ioctl(unit->fd, GPUOA_IOC_GET_USER, &from))
		return errno == ENOTTY ? -EOPNOTSUPP : -errno;
	from_uapi(use, &from);
	return from.n_events > 0;
}

int pmu_context(struct gpuoa_unit *unit, uint32_t id, struct gpuoa_context_owner *owner)
{
	struct gpuoa_context_owner_info info = { .id = id };

	if (ioctl(unit->fd, GPUOA_IOC_GET_CONTEXT_OWNER, &info))
		return errno == ENOTTY ? -EOPNOTSUPP : -errno;
	*owner = (struct gpuoa_context_owner){
		.process = info.pid,
		.handle = info.handle,
		.client = info.client,
		.gone = info.flags & GPUOA_CONTEXT_GONE,
	};
	uapi_string(owner->program, sizeof(owner->program), info.comm, sizeof(info.comm));
	return 0;
}
