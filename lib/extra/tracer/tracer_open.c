// SPDX-License-Identifier: MIT
/* tracer_open.c - open the streams of a tracer's groups */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "extra/tracer/tracer.h"
#include "report/dword_mask.h"

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_tracer_options, notify_bytes) + sizeof(size_t))

/* The streams of a tracer while it is being opened. */
struct opening {
	const struct gpuoa_tracer_group *groups;
	uint32_t count;
	struct gpuoa_reader *streams[GPUOA_TRACER_SCOPES];
	const struct gpuoa_set *sets[GPUOA_TRACER_SCOPES];
	size_t notifies[GPUOA_TRACER_SCOPES]; /* bytes after which each stream notifies */
	size_t notify_bytes;
	const struct complaint *complaint;
};

static int check_group(const struct opening *opening, uint32_t scope)
{
	const struct gpuoa_tracer_group *group = &opening->groups[scope];
	struct gpuoa_unit_desc first, own;
	const int err = sized_check_reserved(group->reserved, RESERVED_WORDS(group), "group", scope,
					     opening->complaint);

	if (err)
		return err;
	if (!group->unit || !group->set)
		return COMPLAIN(opening->complaint, -EINVAL, "group %" PRIu32 " has no %s", scope,
				group->unit ? "set" : "unit");
	gpuoa_unit_describe(opening->groups[0].unit, &first, sizeof(first));
	gpuoa_unit_describe(group->unit, &own, sizeof(own));
	if (strcmp(own.parent, first.parent))
		return COMPLAIN(opening->complaint, -EXDEV,
				"%s and %s are of different GPUs: each needs a tracer of its own",
				first.name, own.name);
	if (group->options &&
	    (group->options->overwrite || group->options->delivery == GPUOA_DELIVERY_AUX))
		return COMPLAIN(opening->complaint, -EOPNOTSUPP,
				"group %" PRIu32
				": a tracer copies from perf's ring buffer, and so has no AUX mode",
				scope);
	return 0;
}

/* The group's share of the notification threshold, in reports. */
static uint32_t share(const struct opening *opening, size_t report_size)
{
	const size_t reports = report_size ? opening->notify_bytes / opening->count / report_size :
					     1;

	return reports > UINT32_MAX ? UINT32_MAX : reports ? (uint32_t)reports : 1;
}

/* Size in bytes of the reports that are counted toward the notification threshold. */
static size_t report_size(const struct gpuoa_set *set, const struct gpuoa_stream_options *options)
{
	struct gpuoa_set_desc desc;

	if (options->format)
		return gpuoa_format_size(options->format);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	return desc.report_size;
}

/* Bytes of @count reports as the stream delivers them; at least 1. */
static size_t bytes_of(const struct gpuoa_reader *stream, uint32_t count)
{
	struct gpuoa_reader_desc desc;
	size_t size;

	gpuoa_reader_describe(stream, &desc, sizeof(desc));
	size = dword_mask_is_whole(desc.dword_mask) ? desc.report_size :
						      dword_mask_size(desc.dword_mask);
	return count ? count * size : 1;
}

static int open_group(struct opening *opening, uint32_t scope)
{
	const struct gpuoa_tracer_group *group = &opening->groups[scope];
	struct gpuoa_stream_options ours = { .size = sizeof(ours) };
	struct gpuoa_stream_options *options = group->options ? group->options : &ours;
	int err;

	options->disabled = true;
	options->delivery = GPUOA_DELIVERY_RAW;
	if (opening->notify_bytes)
		options->notify_reports = share(opening, report_size(group->set, options));
	err = gpuoa_stream_open(group->unit, group->set, options, &opening->streams[scope],
				opening->complaint->text, opening->complaint->size);
	if (err)
		return err;
	opening->sets[scope] = group->set;
	opening->notifies[scope] = bytes_of(opening->streams[scope], options->notify_reports);
	return 0;
}

/* Bytes of reports, over all streams, after which the first stream notifies. */
static size_t actual_bytes(const struct opening *opening)
{
	size_t least = SIZE_MAX;

	for (uint32_t i = 0; i < opening->count; i++)
		if (opening->notifies[i] < least)
			least = opening->notifies[i];
	return least * opening->count;
}

static int open_groups(struct opening *opening, struct gpuoa_tracer **tracer)
{
	int err = 0;

	for (uint32_t i = 0; i < opening->count && !err; i++)
		err = check_group(opening, i);
	for (uint32_t i = 0; i < opening->count && !err; i++)
		err = open_group(opening, i);
	if (!err)
		err = tracer_new(opening->streams, opening->sets, opening->count, tracer);
	for (uint32_t i = 0; err && i < opening->count; i++)
		gpuoa_reader_close(opening->streams[i]);
	return err;
}

int gpuoa_tracer_open(const struct gpuoa_tracer_group *groups, uint32_t count,
		      struct gpuoa_tracer_options *options, struct gpuoa_tracer **tracer,
		      char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_tracer_options known;
	struct opening opening = { .groups = groups, .count = count, .complaint = &complaint };
	int err;

	if (!groups || !count || count > GPUOA_TRACER_SCOPES)
		return COMPLAIN(&complaint, -EINVAL, "a tracer has 1 to %d groups, not %" PRIu32,
				GPUOA_TRACER_SCOPES, groups ? count : 0);
	err = sized_take(&known, sizeof(known), options, OPTIONS_SIZE_MIN, "the options",
			 &complaint);
	opening.notify_bytes = known.notify_bytes;
	if (!err)
		err = open_groups(&opening, tracer);
	if (err)
		return complaint_end(&complaint, err);
	if (options)
		options->notify_bytes = actual_bytes(&opening);
	return 0;
}
