// SPDX-License-Identifier: MIT
/* raw_reader.c - read one scope of a tracer's raw data */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/complaint.h"
#include "extra/tracer/frame.h"

/* A position in the frames of one scope. */
struct raw_scope {
	const void *raw;
	size_t size;
	size_t at;
	uint32_t scope;
};

/* Get the next payload of the scope. Returns 1, 0 if there is none, or -EBADMSG. */
static int next_payload(void *ctx, struct payload *payload)
{
	struct raw_scope *raw = ctx;
	struct frame_view view;
	int ret;

	while ((ret = frame_get(raw->raw, raw->size, raw->at, &view)) > 0) {
		raw->at += view.head.size;
		if (view.head.kind == FRAME_END || view.head.scope != raw->scope)
			continue;
		*payload = frame_payload(&view);
		break;
	}
	return ret;
}

/* Find the description of the scope, then rewind. */
static int describe(struct raw_scope *raw, struct gpuoa_reader_desc *desc,
		    struct gpuoa_unit_desc *unit, const struct complaint *complaint)
{
	struct payload payload;
	int ret, described = 0;

	while (!described && (ret = next_payload(raw, &payload)) > 0)
		described = payload_describe(&payload, desc, unit);
	raw->at = 0;
	if (described > 0)
		return 0;
	if (described || ret)
		return COMPLAIN(complaint, -EBADMSG,
				"this is no raw data of a tracer, or it is damaged");
	return COMPLAIN(complaint, -ENODATA, "nothing says what scope %" PRIu32 " is", raw->scope);
}

int gpuoa_tracer_reader_open(const void *raw, size_t size, uint32_t scope,
			     struct gpuoa_reader **reader, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct raw_scope *position = malloc(sizeof(*position));
	struct gpuoa_reader_desc desc = { .format = 0 };
	struct gpuoa_unit_desc unit = { .reserved = 0 };
	int err;

	if (!position)
		return complaint_end(&complaint, -ENOMEM);
	*position = (struct raw_scope){ .raw = raw, .size = size, .scope = scope };
	err = describe(position, &desc, &unit, &complaint);
	if (!err)
		err = payload_reader_open(&desc, &unit, next_payload, position, true, free, reader);
	if (err)
		free(position);
	return complaint_end(&complaint, err);
}
