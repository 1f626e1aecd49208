// SPDX-License-Identifier: MIT
/*
 * streams.c - find gpuoa's streams in a perf.data file
 *
 * An event does not identify its driver: PMU numbers change from boot to boot, and names are only
 * in the file if the writer finished. So the content of samples is examined.
 */
#include "reader/recording/streams.h"

#include <errno.h>

#include "reader/stream/emulated_ring.h"

/* Result of examining an event. */
enum knowledge {
	NO_SAMPLE,
	FOREIGN, /* samples, but not of gpuoa */
	UNDESCRIBED, /* a stream without description in its samples */
	DESCRIBED, /* a stream with a description or with a damaged sample */
};

/* Examine one more sample of an event. */
static enum knowledge learn(enum knowledge known, const struct sample_layout *layout,
			    const struct perf_event_header *record)
{
	struct rawdata_item item;
	struct rawdata raw;
	const void *payload;
	size_t size;
	int ret;

	if (known == DESCRIBED || sample_raw(layout, record, &payload, &size))
		return known;
	if (rawdata_begin(&raw, payload, size))
		return known == NO_SAMPLE ? FOREIGN : known;
	while ((ret = rawdata_next(&raw, &item)) > 0)
		if (item.kind == RAWDATA_STREAM)
			return DESCRIBED;
	return ret < 0 ? DESCRIBED : UNDESCRIBED;
}

/*
 * False for events that never have samples, so that the search need not wait for them. perf adds
 * such an event; in gpuoa's recordings, streams of stock i915 and xe look like it, except for the
 * id.
 */
static bool can_be_stream(const struct perfdata *data, size_t event)
{
	const struct sample_layout *layout = &data->layouts[event];

	if (!(layout->sample_type & PERF_SAMPLE_RAW))
		return false;
	if (layout->type != PERF_TYPE_SOFTWARE)
		return true;
	for (size_t i = 0; i < data->id_count; i++)
		if (data->ids[i].event == event && data->ids[i].id & EMULATED_ID)
			return true;
	return false;
}

static bool all_known(const struct perfdata *data, const uint8_t *known)
{
	for (size_t i = 0; i < data->event_count; i++)
		if ((known[i] == NO_SAMPLE || known[i] == UNDESCRIBED) && can_be_stream(data, i))
			return false;
	return true;
}

/* Returns 0, or the error that prevents reading the file to its end. */
static int learn_all(struct perfdata *data, uint8_t *known)
{
	const struct perf_event_header *record;
	size_t event;
	int ret;

	while ((ret = perfdata_next(data, &record)) > 0) {
		enum knowledge now;

		if (record->type != PERF_RECORD_SAMPLE || perfdata_event(data, record, &event))
			continue;
		now = learn(known[event], &data->layouts[event], record);
		if (now == known[event])
			continue;
		known[event] = now;
		if (all_known(data, known))
			return 0;
	}
	return ret;
}

/* True if this is the requested stream. */
static bool is_meant(const uint32_t *index, uint32_t at, enum knowledge known)
{
	return index ? at == *index : known == DESCRIBED;
}

int streams_find(struct perfdata *data, const uint32_t *index, struct stream_place *place)
{
	uint8_t known[PERFDATA_EVENTS_MAX] = { NO_SAMPLE };
	const int err = learn_all(data, known);
	bool found = false;

	*place = (struct stream_place){ 0 };
	for (size_t i = 0; i < data->event_count; i++) {
		if (known[i] < UNDESCRIBED)
			continue;
		if (!found && (is_meant(index, place->count, known[i]) || !place->count)) {
			found = is_meant(index, place->count, known[i]);
			place->event = i;
			place->index = place->count;
		}
		place->count++;
	}
	perfdata_rewind(data);
	if (found || (!index && place->count))
		return 0;
	if (err)
		return err;
	if (!place->count)
		return COMPLAIN(&data->complaint, -ENODATA,
				"no samples of a gpuoa event; record with -e gpuoa0/.../ and -R");
	if (place->count == 1)
		return COMPLAIN(&data->complaint, -ERANGE, "it has only stream 0");
	return COMPLAIN(&data->complaint, -ERANGE, "it has only streams 0 to %u", place->count - 1);
}

/* Find the description in a sample. Returns 1, 0 if it has none, or errors of rawdata.h. */
static int describe_from(struct rawdata *raw, struct gpuoa_reader_desc *desc,
			 struct gpuoa_unit_desc *unit)
{
	struct rawdata_item item;
	int ret;

	while ((ret = rawdata_next(raw, &item)) > 0) {
		if (item.kind != RAWDATA_STREAM)
			continue;
		ret = rawdata_describe(&item.stream, desc, unit);
		return ret ? ret : 1;
	}
	return ret;
}

/* Begin to parse a sample of @event. Returns -ENOMSG if it is of another event, or not gpuoa's. */
static int begin_sample(struct perfdata *data, size_t event, const struct perf_event_header *record,
			struct rawdata *raw)
{
	const void *payload;
	size_t size, of;

	if (record->type != PERF_RECORD_SAMPLE || perfdata_event(data, record, &of) ||
	    of != event || sample_raw(&data->layouts[event], record, &payload, &size))
		return -ENOMSG;
	return rawdata_begin(raw, payload, size);
}

int stream_describe(struct perfdata *data, size_t event, struct gpuoa_reader_desc *desc,
		    struct gpuoa_unit_desc *unit)
{
	const struct complaint *complaint = &data->complaint;
	const struct perf_event_header *record;
	int ret;

	while ((ret = perfdata_next(data, &record)) > 0) {
		struct rawdata raw;

		if (begin_sample(data, event, record, &raw))
			continue;
		ret = describe_from(&raw, desc, unit);
		if (ret == -EOPNOTSUPP)
			return COMPLAIN(complaint, ret, "recorded by a newer gpuoa; update gpuoa");
		if (ret < 0)
			return COMPLAIN(complaint, ret, "damaged (contradictions within a sample)");
		if (ret > 0)
			return 0;
	}
	if (ret < 0)
		return ret;
	return COMPLAIN(complaint, -ENODATA,
			"perf lost the samples that describe the stream; record for longer");
}
