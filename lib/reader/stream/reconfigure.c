// SPDX-License-Identifier: MIT
/* reconfigure.c - switch a stream to another set without reopening it */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gpuoa-stream.h"
#include "reader/stream/stream.h"
#include "reader/stream/stream_error.h"
#include "reader/stream/unit.h"
#include "uapi/gpuoa.h"

static int complain(const struct complaint *complaint, const struct stream *stream,
		    const struct gpuoa_set_desc *set, int err)
{
	const char *name = stream->unit->desc.name;
	struct gpuoa_unit_user use = { .process = 0 };
	char user[64];

	switch (err) {
	case -EBUSY:
		gpuoa_unit_get_user(stream->unit, &use, sizeof(use));
		stream_user(&use, user, sizeof(user));
		return COMPLAIN(complaint, err,
				"%s stays as it is: it is in use%s, and others share it, or count",
				name, user);
	case -EOPNOTSUPP:
		return COMPLAIN(
			complaint, err,
			"a flight recorder of %s keeps its set, and so does an old gpuoa.ko", name);
	case -EIO:
		return COMPLAIN(complaint, err, "%s could not be programmed for %s", name,
				set->symbol);
	default:
		return COMPLAIN(complaint, err, "%s cannot be changed to %s: %s", name, set->symbol,
				strerror(-err));
	}
}

/* Update the stream's description for the new set. */
static void note_set(struct stream *stream, const struct gpuoa_set_desc *set, uint32_t id)
{
	strcpy(stream->reader.desc.uuid, set->uuid);
	snprintf(stream->event_name, sizeof(stream->event_name), "%s/%s/", stream->unit->desc.name,
		 set->symbol);
	stream->attr.config &= ~GPUOA_CONFIG_METRIC_SET_MASK;
	stream->attr.config |= (uint64_t)id << GPUOA_CONFIG_METRIC_SET_SHIFT;
}

int gpuoa_stream_reconfigure(struct gpuoa_reader *reader, const struct gpuoa_set *set, char *error,
			     size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct stream *stream = stream_from_source(reader);
	struct gpuoa_set_desc desc;
	uint32_t id;
	int err;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	if (!stream)
		return COMPLAIN(&complaint, -EOPNOTSUPP, "a recording has the set that it has");
	if (stream->recorded)
		return COMPLAIN(&complaint, -EBUSY,
				"the stream is recorded, and a recording is of one set");
	if (!stream->unit->backend->reconfigure)
		return unit_lacks(stream->unit, &complaint);
	err = gpuoa_unit_add_set(stream->unit, set, &id, error, error_size);
	if (err)
		return err;
	if (desc.format != reader->desc.format)
		return COMPLAIN(&complaint, -EINVAL,
				"%s needs reports of another format: open a stream for it",
				desc.symbol);
	err = stream->unit->backend->reconfigure(stream, id);
	if (err)
		return complain(&complaint, stream, &desc, err);
	note_set(stream, &desc, id);
	stream->set = set;
	programmed_change(stream->programmed, set);
	return 0;
}
