// SPDX-License-Identifier: MIT
/* unit.c - operations on OA units that are independent of the backend */
#include "reader/stream/unit.h"

#include <errno.h>

#include "base/sized.h"

int unit_check(const struct gpuoa_unit *unit)
{
	return unit->backend->check(unit);
}

int unit_lacks(const struct gpuoa_unit *unit, const struct complaint *complaint)
{
	return COMPLAIN(complaint, -EOPNOTSUPP, "%s: %s", unit->desc.name, unit->backend->lacks);
}

void gpuoa_unit_close(struct gpuoa_unit *unit)
{
	if (!unit)
		return;
	gpuoa_constants_free(unit->constants);
	unit->backend->close(unit);
}

void gpuoa_unit_describe(const struct gpuoa_unit *unit, struct gpuoa_unit_desc *desc, size_t size)
{
	sized_give(desc, size, &unit->desc, sizeof(unit->desc));
}

const struct gpuoa_platform *gpuoa_unit_platform(const struct gpuoa_unit *unit)
{
	return unit->platform;
}

const struct gpuoa_constants *gpuoa_unit_constants(const struct gpuoa_unit *unit)
{
	return unit->constants;
}

int gpuoa_unit_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair)
{
	return unit->backend->clock(unit, clock_id, pair);
}

int gpuoa_unit_insert_marker(struct gpuoa_unit *unit, uint64_t value,
			     struct gpuoa_stream_marker *marker, size_t size)
{
	struct gpuoa_stream_marker known;
	int err;

	if (!unit->backend->mark)
		return -ENOTTY;
	err = unit->backend->mark(unit, value, &known);
	if (!err && marker)
		sized_give(marker, size, &known, sizeof(known));
	return err;
}

int gpuoa_unit_get_user(struct gpuoa_unit *unit, struct gpuoa_unit_user *use, size_t size)
{
	struct gpuoa_unit_user known = { .streams = 0 };
	int ret;

	if (!unit->backend->used)
		return -EOPNOTSUPP;
	ret = unit->backend->used(unit, &known);
	if (ret >= 0)
		sized_give(use, size, &known, sizeof(known));
	return ret;
}
