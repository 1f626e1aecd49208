// SPDX-License-Identifier: MIT
/* source.c - the common interface of streams and recordings */
#include "source/source.h"

#include <errno.h>

#include "base/sized.h"

void status_add(struct gpuoa_read_status *sum, const struct gpuoa_read_status *found)
{
	sum->gap |= found->gap;
	sum->end |= found->end;
	sum->lost_unknown |= found->lost_unknown;
	sum->lost_overflow += found->lost_overflow;
	sum->lost_hardware += found->lost_hardware;
	sum->lost_ring += found->lost_ring;
	sum->lost_triggers += found->lost_triggers;
	sum->wraps += found->wraps;
	sum->damaged += found->damaged;
	if (found->has_clock) {
		sum->has_clock = true;
		sum->clock = found->clock;
	}
}

void gpuoa_source_close(struct gpuoa_source *source)
{
	if (source)
		source->ops->close(source);
}

void gpuoa_source_describe(const struct gpuoa_source *source, struct gpuoa_source_desc *desc,
			   size_t size)
{
	sized_give(desc, size, &source->desc, sizeof(source->desc));
}

void gpuoa_source_describe_unit(const struct gpuoa_source *source, struct gpuoa_unit_desc *desc,
				size_t size)
{
	sized_give(desc, size, &source->unit, sizeof(source->unit));
}

const struct gpuoa_platform *gpuoa_source_platform(const struct gpuoa_source *source)
{
	return source->platform;
}

const struct gpuoa_constants *gpuoa_source_constants(const struct gpuoa_source *source)
{
	return source->constants;
}

int gpuoa_source_read(struct gpuoa_source *source, void *reports, size_t max,
		      struct gpuoa_read_status *status)
{
	return source->ops->read(source, reports, max, status);
}

int gpuoa_source_next(struct gpuoa_source *source, const void **reports, size_t max,
		      struct gpuoa_read_status *status)
{
	return source->ops->next(source, reports, max, status);
}

void gpuoa_source_release(struct gpuoa_source *source)
{
	if (source->ops->release)
		source->ops->release(source);
}

int gpuoa_source_wait(struct gpuoa_source *source, int timeout_ms)
{
	return source->ops->wait ? source->ops->wait(source, timeout_ms) : 0;
}

int gpuoa_source_fd(const struct gpuoa_source *source)
{
	return source->ops->fd ? source->ops->fd(source) : -EOPNOTSUPP;
}

int gpuoa_source_disable(struct gpuoa_source *source)
{
	return source->ops->disable ? source->ops->disable(source) : -EOPNOTSUPP;
}

int gpuoa_source_enable(struct gpuoa_source *source)
{
	return source->ops->enable ? source->ops->enable(source) : -EOPNOTSUPP;
}

int gpuoa_source_time(struct gpuoa_source *source, const struct gpuoa_time **time)
{
	struct notes *notes = &source->notes;
	int err;

	if (!notes->time)
		return -EINVAL;
	if (source->ops->find_pairs && !notes->all_pairs) {
		err = source->ops->find_pairs(source);
		if (err)
			return err;
		notes->all_pairs = true;
	}
	*time = notes->time;
	return 0;
}

int gpuoa_source_context(struct gpuoa_source *source, uint32_t context_id,
			 struct gpuoa_context_owner *owner, size_t size)
{
	struct gpuoa_context_owner known = { 0 };
	int err;

	if (!source->ops->context)
		return -EOPNOTSUPP;
	err = source->ops->context(source, context_id, &known);
	if (!err)
		sized_give(owner, size, &known, sizeof(known));
	return err;
}

int gpuoa_source_next_marker(struct gpuoa_source *source, struct gpuoa_stream_marker *marker,
			     size_t size)
{
	struct gpuoa_stream_marker known;
	const int ret = notes_next_marker(&source->notes, &known);

	if (ret > 0)
		sized_give(marker, size, &known, sizeof(known));
	return ret;
}
