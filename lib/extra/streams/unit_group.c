// SPDX-License-Identifier: MIT
/*
 * unit_group.c - program several units for their sets, all or none
 *
 * A unit is kept programmed by a stream that is never enabled, with a ring of minimum size.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "gpuoa-stream.h"
#include "gpuoa-unit-group.h"
#include "reader/stream/stream_choose.h"

/* A programmed unit. */
struct active {
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set;
	struct gpuoa_reader *holder;
	/* set of the unit before the current change; NULL: the unit was not in the group */
	const struct gpuoa_set *before;
};

struct gpuoa_unit_group {
	struct gpuoa_stream_options options;
	struct active *units;
	size_t count;
};

int gpuoa_unit_group_open(const struct gpuoa_stream_options *options,
			  struct gpuoa_unit_group **group, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_unit_group *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return complaint_end(&complaint, -ENOMEM);
	err = sized_take(&new->options, sizeof(new->options), options, OPTIONS_SIZE_MIN,
			 "the options", &complaint);
	if (err) {
		free(new);
		return err;
	}
	/* Copy only the options that determine with which other streams the unit can be shared. */
	new->options = (struct gpuoa_stream_options){
		.size = sizeof(new->options),
		.period_ns = new->options.period_ns,
		.format = new->options.format,
		.buffer_size = new->options.buffer_size,
		.ring_size = 1,
		.disabled = true,
		.delivery = GPUOA_DELIVERY_RAW,
		.rounding = new->options.rounding,
		.exponent = new->options.exponent,
		.use_exponent = new->options.use_exponent,
	};
	*group = new;
	return 0;
}

static bool is_same_unit(const struct gpuoa_unit *a, const struct gpuoa_unit *b)
{
	struct gpuoa_unit_desc x, y;

	gpuoa_unit_describe(a, &x, sizeof(x));
	gpuoa_unit_describe(b, &y, sizeof(y));
	return !strcmp(x.name, y.name);
}

static bool is_same_set(const struct gpuoa_set *a, const struct gpuoa_set *b)
{
	struct gpuoa_set_desc x, y;

	gpuoa_set_describe(a, &x, sizeof(x));
	gpuoa_set_describe(b, &y, sizeof(y));
	return !strcmp(x.uuid, y.uuid);
}

/* Check that the list does not have two sets for one unit. */
static int check_entries(const struct gpuoa_unit_group_entry *entries, size_t count,
			 const struct complaint *complaint)
{
	struct gpuoa_set_desc a, b;
	struct gpuoa_unit_desc unit;

	for (size_t i = 0; i < count; i++) {
		const int err = sized_check_reserved(
			entries[i].reserved, RESERVED_WORDS(&entries[i]), "entry", i, complaint);

		if (err)
			return err;
		for (size_t j = i + 1; j < count; j++) {
			if (!is_same_unit(entries[i].unit, entries[j].unit))
				continue;
			gpuoa_set_describe(entries[i].set, &a, sizeof(a));
			gpuoa_set_describe(entries[j].set, &b, sizeof(b));
			gpuoa_unit_describe(entries[i].unit, &unit, sizeof(unit));
			return COMPLAIN(complaint, -EINVAL,
					"%s can be programmed for one set, not for %s and %s",
					unit.name, a.symbol, b.symbol);
		}
	}
	return 0;
}

static const struct active *find(const struct gpuoa_unit_group *group,
				 const struct gpuoa_unit *unit)
{
	for (size_t i = 0; i < group->count; i++)
		if (is_same_unit(group->units[i].unit, unit))
			return &group->units[i];
	return NULL;
}

/*
 * Program one unit for a set: use the stream that it has, reconfigure that stream, or open a new
 * one.
 */
static int activate(const struct gpuoa_unit_group *group,
		    const struct gpuoa_unit_group_entry *entry, struct active *to,
		    const struct complaint *complaint)
{
	const struct active *old = find(group, entry->unit);
	struct gpuoa_stream_options options = group->options;
	int err = 0;

	*to = (struct active){ .unit = entry->unit, .set = entry->set };
	if (!old)
		return gpuoa_stream_open(entry->unit, entry->set, &options, &to->holder,
					 complaint->text, complaint->size);
	to->holder = old->holder;
	to->before = old->set;
	/*
	 * Use the handle of the unit with which the stream was opened, because the stream refers to
	 * it.
	 */
	to->unit = old->unit;
	if (!is_same_set(old->set, entry->set))
		err = gpuoa_stream_reconfigure(old->holder, entry->set, complaint->text,
					       complaint->size);
	return err;
}

/* Revert activate(). It is expected that the previous set can be programmed again. */
static void undo(struct active *active)
{
	if (!active->before)
		gpuoa_reader_close(active->holder);
	else if (!is_same_set(active->before, active->set))
		gpuoa_stream_reconfigure(active->holder, active->before, NULL, 0);
}

static bool is_among(const struct gpuoa_unit *unit, const struct active *units, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_same_unit(units[i].unit, unit))
			return true;
	return false;
}

/* Make @units the current list. */
static void replace(struct gpuoa_unit_group *group, struct active *units, size_t count)
{
	for (size_t i = 0; i < group->count; i++)
		if (!is_among(group->units[i].unit, units, count))
			gpuoa_reader_close(group->units[i].holder);
	free(group->units);
	group->units = units;
	group->count = count;
}

int gpuoa_unit_group_set(struct gpuoa_unit_group *group,
			 const struct gpuoa_unit_group_entry *entries, size_t count, char *error,
			 size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct active *units = NULL;
	int err = check_entries(entries, count, &complaint);

	if (err)
		return err;
	if (count) {
		units = calloc(count, sizeof(*units));
		if (!units)
			return complaint_end(&complaint, -ENOMEM);
	}
	for (size_t i = 0; i < count; i++) {
		err = activate(group, &entries[i], &units[i], &complaint);
		if (!err)
			continue;
		while (i--)
			undo(&units[i]);
		free(units);
		return err;
	}
	replace(group, units, count);
	return 0;
}

void gpuoa_unit_group_close(struct gpuoa_unit_group *group)
{
	if (!group)
		return;
	replace(group, NULL, 0);
	free(group);
}
