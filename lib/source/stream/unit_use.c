// SPDX-License-Identifier: MIT
/*
 * unit_use.c - who has a unit, and for what
 */
#include <errno.h>
#include <sys/ioctl.h>

#include "base/sized.h"
#include "gpuoa-stream.h"
#include "source/stream/unit.h"
#include "source/uapi.h"
#include "uapi/gpuoa.h"

static void from_uapi(struct gpuoa_unit_use *to, const struct gpuoa_use *use)
{
	*to = (struct gpuoa_unit_use){
		.format = use->format,
		.exponent = use->exponent,
		.buffer_size = use->buffer_size,
		.streams = use->n_events,
		.process = use->pid,
		.context_filter = use->flags & GPUOA_ATTR_CONTEXT,
		.batches = use->flags & GPUOA_ATTR_BATCHES,
	};
	if (use->n_events)
		to->delivery = use->flags & GPUOA_ATTR_AUX ? GPUOA_DELIVERY_AUX :
							     GPUOA_DELIVERY_RAW;
	uapi_string(to->uuid, sizeof(to->uuid), use->uuid, sizeof(use->uuid));
	uapi_string(to->program, sizeof(to->program), use->comm, sizeof(use->comm));
}

int gpuoa_unit_used(struct gpuoa_unit *unit, struct gpuoa_unit_use *use, size_t size)
{
	struct gpuoa_use from = { .n_events = 0 };
	struct gpuoa_unit_use known;

	if (ioctl(unit->fd, GPUOA_IOC_USE, &from))
		return errno == ENOTTY ? -EOPNOTSUPP : -errno;
	from_uapi(&known, &from);
	sized_give(use, size, &known, sizeof(known));
	return from.n_events > 0;
}
