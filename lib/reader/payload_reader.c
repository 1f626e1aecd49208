// SPDX-License-Identifier: MIT
/*
 * payload_reader.c - a reader of RAW payloads that its caller has stored, such as the raw data of a
 * tracer
 */
#include "reader/payload_reader.h"

#include <errno.h>
#include <stdlib.h>

#include "reader/event_reader.h"
#include "reader/reader.h"

struct payload_reader {
	struct gpuoa_reader reader;
	struct gpuoa_constants *constants;
	struct event_reader events;
	payload_next next;
	void *ctx;
	void (*release)(void *ctx);
	bool ends;
};

static struct payload_reader *to_payload_reader(struct gpuoa_reader *reader)
{
	return (struct payload_reader *)reader;
}

static int next_event(void *ctx, struct stream_event *event)
{
	struct payload_reader *payloads = ctx;
	struct payload payload;
	const int ret = payloads->next(payloads->ctx, &payload);

	if (ret > 0)
		*event = (struct stream_event){
			.kind = payload.data ? STREAM_EVENT_RAW : STREAM_EVENT_LOST,
			.payload = payload.data,
			.size = payload.size,
		};
	return ret;
}

/* Complete the status of a read that returned @n of at most @max reports. */
static int complete(struct payload_reader *payloads, int n, size_t max,
		    struct gpuoa_read_status *status)
{
	if (!n && max && payloads->ends) {
		status->end = true;
		event_reader_finish(&payloads->events, status);
	}
	return n;
}

static int payload_reader_read(struct gpuoa_reader *reader, void *reports, size_t max,
			       struct gpuoa_read_status *status)
{
	struct payload_reader *payloads = to_payload_reader(reader);

	return complete(payloads, event_reader_read(&payloads->events, reports, max, status), max,
			status);
}

static int payload_reader_next(struct gpuoa_reader *reader, const void **reports, size_t max,
			       struct gpuoa_read_status *status)
{
	struct payload_reader *payloads = to_payload_reader(reader);

	return complete(payloads, event_reader_next(&payloads->events, reports, max, status), max,
			status);
}

static void payload_reader_close(struct gpuoa_reader *reader)
{
	struct payload_reader *payloads = to_payload_reader(reader);

	event_reader_fini(&payloads->events);
	gpuoa_constants_free(payloads->constants);
	if (payloads->release)
		payloads->release(payloads->ctx);
	free(payloads);
}

static const struct reader_ops payload_reader_ops = {
	.read = payload_reader_read,
	.next = payload_reader_next,
	.close = payload_reader_close,
};

int payload_describe(const struct payload *payload, struct gpuoa_reader_desc *desc,
		     struct gpuoa_unit_desc *unit)
{
	struct rawdata raw;
	struct rawdata_item item;
	int ret;

	if (!payload->data)
		return 0;
	if (rawdata_begin(&raw, payload->data, payload->size))
		return -EBADMSG;
	while ((ret = rawdata_next(&raw, &item)) > 0) {
		if (item.kind != RAWDATA_STREAM)
			continue;
		ret = rawdata_describe(&item.stream, desc, unit);
		return ret ? ret : 1;
	}
	return ret;
}

int payload_reader_open(const struct gpuoa_reader_desc *desc, const struct gpuoa_unit_desc *unit,
			payload_next next, void *ctx, bool ends, void (*release)(void *ctx),
			struct gpuoa_reader **reader)
{
	struct payload_reader *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	*new = (struct payload_reader){
		.reader = {
			.ops = &payload_reader_ops,
			.desc = *desc,
			.unit = *unit,
			.platform = gpuoa_platform_find(unit->platform),
		},
		.next = next,
		.ctx = ctx,
		.ends = ends,
	};
	event_reader_init(&new->events, next_event, new, desc->report_size);
	err = event_reader_set_mask(&new->events, desc->dword_mask);
	if (!err)
		err = gpuoa_constants_of_unit(unit, sizeof(*unit), new->reader.platform,
					      &new->constants);
	if (err) {
		payload_reader_close(&new->reader);
		return err;
	}
	new->reader.constants = new->constants;
	new->release = release;
	*reader = &new->reader;
	return 0;
}
