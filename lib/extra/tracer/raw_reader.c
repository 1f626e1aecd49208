// SPDX-License-Identifier: MIT
/* raw_reader.c - read one scope of a tracer's raw data */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/complaint.h"
#include "reader/reader.h"
#include "extra/tracer/frame.h"

struct raw_source {
	struct gpuoa_reader reader;
	struct gpuoa_constants *constants;
	struct event_reader events;
	const void *raw;
	size_t size;
	size_t at;
	uint32_t scope;
};

static struct raw_source *to_raw(struct gpuoa_reader *reader)
{
	return (struct raw_source *)reader;
}

/* Find the next frame of the scope. Returns 1, 0 if there is none, or -EBADMSG. */
static int next_frame(struct raw_source *raw, struct frame_view *view)
{
	int ret;

	while ((ret = frame_get(raw->raw, raw->size, raw->at, view)) > 0) {
		raw->at += view->head.size;
		if (view->head.kind != FRAME_END && view->head.scope == raw->scope)
			break;
	}
	return ret;
}

static int next_event(void *origin, struct stream_event *event)
{
	struct frame_view view;
	const int ret = next_frame(origin, &view);

	if (ret > 0)
		*event = frame_event(&view);
	return ret;
}

/* Complete the status of a read of at most @max reports that returned @n. */
static int complete(struct raw_source *raw, int n, size_t max, struct gpuoa_read_status *status)
{
	if (!n && max) {
		status->end = true;
		event_reader_finish(&raw->events, status);
	}
	return n;
}

static int raw_read(struct gpuoa_reader *reader, void *reports, size_t max,
		    struct gpuoa_read_status *status)
{
	struct raw_source *raw = to_raw(reader);

	return complete(raw, event_reader_read(&raw->events, reports, max, status), max, status);
}

static int raw_next(struct gpuoa_reader *reader, const void **reports, size_t max,
		    struct gpuoa_read_status *status)
{
	struct raw_source *raw = to_raw(reader);

	return complete(raw, event_reader_next(&raw->events, reports, max, status), max, status);
}

static void raw_close(struct gpuoa_reader *reader)
{
	struct raw_source *raw = to_raw(reader);

	event_reader_fini(&raw->events);
	gpuoa_constants_free(raw->constants);
	free(raw);
}

static const struct reader_ops raw_ops = {
	.read = raw_read,
	.next = raw_next,
	.close = raw_close,
};

/* Returns 1 if the frame describes the scope, 0 if it does not, or -EBADMSG. */
static int describe_by(struct raw_source *raw, const struct frame_view *view)
{
	struct rawdata payload;
	struct rawdata_item item;
	int ret;

	if (view->head.kind != FRAME_PAYLOAD)
		return 0;
	if (rawdata_begin(&payload, view->payload, view->head.payload_size))
		return -EBADMSG;
	while ((ret = rawdata_next(&payload, &item)) > 0) {
		if (item.kind != RAWDATA_STREAM)
			continue;
		ret = rawdata_describe(&item.stream, &raw->reader.desc, &raw->reader.unit);
		return ret ? ret : 1;
	}
	return ret;
}

/* Find the description of the scope, then rewind. */
static int describe(struct raw_source *raw, const struct complaint *complaint)
{
	struct frame_view view;
	int ret, described = 0;

	while (!described && (ret = next_frame(raw, &view)) > 0)
		described = describe_by(raw, &view);
	raw->at = 0;
	if (described > 0)
		return 0;
	if (described || ret)
		return COMPLAIN(complaint, -EBADMSG,
				"this is no raw data of a tracer, or it is damaged");
	return COMPLAIN(complaint, -ENODATA, "nothing says what scope %" PRIu32 " is", raw->scope);
}

static int begin(struct raw_source *raw, const struct complaint *complaint)
{
	struct gpuoa_reader *reader = &raw->reader;
	int err = describe(raw, complaint);

	if (err)
		return err;
	reader->platform = gpuoa_platform_find(reader->unit.platform);
	err = gpuoa_constants_of_unit(&reader->unit, sizeof(reader->unit), reader->platform,
				      &raw->constants);
	if (err)
		return err;
	reader->constants = raw->constants;
	event_reader_init(&raw->events, next_event, raw, reader->desc.report_size);
	return event_reader_thin(&raw->events, reader->desc.dword_mask);
}

int gpuoa_tracer_reader_open(const void *raw, size_t size, uint32_t scope,
			     struct gpuoa_reader **reader, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct raw_source *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return complaint_end(&complaint, -ENOMEM);
	*new = (struct raw_source){
		.reader.ops = &raw_ops,
		.raw = raw,
		.size = size,
		.scope = scope,
	};
	err = begin(new, &complaint);
	if (err) {
		raw_close(&new->reader);
		return complaint_end(&complaint, err);
	}
	*reader = &new->reader;
	return 0;
}
