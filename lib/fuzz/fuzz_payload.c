// SPDX-License-Identifier: MIT
/* fuzz_payload.c - Parse random RAW payloads, as if they were read from a stream. */
#include <string.h>

#include "exercise.h"
#include "reader/event_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REPORT_SIZE 256
#define REPORTS 8

/*
 * The input: a sequence of payloads, each preceded by its size in two bytes. A size of 0 stands for
 * a loss.
 */
struct origin {
	const uint8_t *at;
	const uint8_t *end;
	/* a copy of the payload, so that the sanitizer detects reads beyond its end */
	uint8_t *payload;
};

static int next_event(void *context, struct stream_event *event)
{
	struct origin *origin = context;
	size_t size;

	if (origin->end - origin->at < 2)
		return 0;
	size = origin->at[0] | origin->at[1] << 8;
	origin->at += 2;
	event->kind = size ? STREAM_EVENT_RAW : STREAM_EVENT_LOST;
	if (size > (size_t)(origin->end - origin->at))
		size = origin->end - origin->at;
	free(origin->payload);
	origin->payload = malloc(size);
	MUST(origin->payload || !size);
	if (size)
		memcpy(origin->payload, origin->at, size);
	origin->at += size;
	event->payload = origin->payload;
	event->size = size;
	return 1;
}

static void describe_streams(const void *payload, size_t size)
{
	struct rawdata_item item;
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	struct rawdata raw;

	if (rawdata_begin(&raw, payload, size))
		return;
	while (rawdata_next(&raw, &item) > 0)
		if (item.kind == RAWDATA_STREAM)
			rawdata_describe(&item.stream, &desc, &unit);
}

static void read_all(struct origin *origin)
{
	uint8_t reports[REPORTS * REPORT_SIZE];
	struct gpuoa_read_status status;
	struct event_reader events;
	int n;

	event_reader_init(&events, next_event, origin, REPORT_SIZE);
	do {
		n = event_reader_read(&events, reports, REPORTS, &status);
		MUST(n <= REPORTS);
	} while (n > 0);
	event_reader_finish(&events, &status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct origin origin = { data, data + size, NULL };
	struct stream_event event;

	read_all(&origin);
	origin.at = data;
	while (next_event(&origin, &event) > 0)
		describe_streams(event.payload, event.size);
	free(origin.payload);
	return 0;
}
