// SPDX-License-Identifier: MIT
/*
 * perfetto.c - export to a Perfetto trace: GPU counters, marks and lost reports
 *
 * Perfetto takes the values of a counter packet as those of the time from the preceding packet to
 * its timestamp. Therefore a row is a packet at its end, and a packet with zeros is written where
 * rows begin after a gap. Each unit has its own packet sequence and its own GPU. Times are
 * CLOCK_MONOTONIC; snapshots relate it to the other clocks in the recording, so that the trace can
 * be combined with others of the same machine.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "export/export.h"
#include "export/perfetto_counters.h"

/* TracePacket.SequenceFlags: start of a sequence */
#define INCREMENTAL_STATE_CLEARED 1

/* Sequence-scoped clock: GPU time, in ns */
#define CLOCK_OF_GPU 64

#define SNAPSHOT_NS UINT64_C(10000000000)

/* Sequence IDs of tracing services count up from 1. */
#define SEQUENCES_FROM 0x80000000u
#define SEQUENCES_MOST 0x1000u /* maximum per trace: one per unit */

#define HASHED_BYTES \
	65536 /* of a recording: they include its units, first clock pairs and first reports */

struct perfetto {
	uint64_t identity;
	uint32_t next_counter; /* number of the next unit's first counter */
	struct perfetto_counters counters; /* counters of the current unit */
	bool in_sequence; /* the sequence has a packet */
	bool described;
	uint64_t next_snapshot; /* time of the next snapshot, in ns */
	uint8_t *buffer; /* memory for a serialized packet */
	size_t room;
	bool no_memory;
};

/* Tracks of a unit, by number */
enum track {
	TRACK_UNIT = 1,
	TRACK_MARKS,
	TRACK_LOSSES,
	TRACKS,
};

static uint64_t track_uuid(const struct export *export, enum track track)
{
	const struct perfetto *perfetto = export->state;

	return perfetto->identity + export->units * TRACKS + track;
}

static bool make_room(struct perfetto *perfetto, size_t size)
{
	uint8_t *buffer;

	if (size <= perfetto->room)
		return true;
	buffer = realloc(perfetto->buffer, size);
	if (!buffer) {
		perfetto->no_memory = true;
		return false;
	}
	perfetto->buffer = buffer;
	perfetto->room = size;
	return true;
}

/* Write a packet. A trace is a plain concatenation of packets. */
static void put_packet(struct export *export, Perfetto__TracePacket *packet)
{
	struct perfetto *perfetto = export->state;
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	size_t size;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id =
		SEQUENCES_FROM | (uint32_t)(perfetto->identity & ~(SEQUENCES_MOST - 1)) |
		(export->units & (SEQUENCES_MOST - 1));
	if (!perfetto->in_sequence) {
		packet->has_sequence_flags = true;
		packet->sequence_flags = INCREMENTAL_STATE_CLEARED;
		packet->has_first_packet_on_sequence = true;
		packet->first_packet_on_sequence = true;
		perfetto->in_sequence = true;
	}
	trace.n_packet = 1;
	trace.packet = &packet;
	size = perfetto__trace__get_packed_size(&trace);
	if (!make_room(perfetto, size))
		return;
	perfetto__trace__pack(&trace, perfetto->buffer);
	fwrite(perfetto->buffer, 1, size, export->file);
}

static void set_time(const struct export *export, Perfetto__TracePacket *packet, uint64_t ns)
{
	packet->has_timestamp = true;
	packet->timestamp = ns;
	if (!export->clock.name)
		return;
	packet->has_timestamp_clock_id = true;
	packet->timestamp_clock_id = PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
}

struct snapshot {
	Perfetto__ClockSnapshot message;
	Perfetto__ClockSnapshot__Clock clocks[5];
	Perfetto__ClockSnapshot__Clock *pointers[5];
};

static void add_clock(struct snapshot *snapshot, uint32_t id, uint64_t ns)
{
	const size_t n = snapshot->message.n_clocks++;

	perfetto__clock_snapshot__clock__init(&snapshot->clocks[n]);
	snapshot->clocks[n].has_clock_id = true;
	snapshot->clocks[n].clock_id = id;
	snapshot->clocks[n].has_timestamp = true;
	snapshot->clocks[n].timestamp = ns;
	snapshot->pointers[n] = &snapshot->clocks[n];
}

/* Add all clocks at one time: that of the packets, and others known at that time. */
static void fill_snapshot(struct snapshot *snapshot, const struct export *export,
			  const struct export_time *time)
{
	static const struct {
		int id;
		Perfetto__BuiltinClock word;
	} others[] = {
		{ CLOCK_BOOTTIME, PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_BOOTTIME },
		{ CLOCK_REALTIME, PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_REALTIME },
		{ CLOCK_MONOTONIC_RAW, PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC_RAW },
	};
	uint64_t ns;

	perfetto__clock_snapshot__init(&snapshot->message);
	snapshot->message.clocks = snapshot->pointers;
	snapshot->message.has_primary_trace_clock = true;
	snapshot->message.primary_trace_clock = PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
	add_clock(snapshot, PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC, time->ns);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (gpuoa_time_to_cpu(export->time, others[i].id, time->ticks, &ns, NULL))
			continue;
		add_clock(snapshot, others[i].word, ns);
		/* Traces use this clock by default. */
		if (others[i].id == CLOCK_BOOTTIME)
			snapshot->message.primary_trace_clock = others[i].word;
	}
	add_clock(snapshot, CLOCK_OF_GPU,
		  gpuoa_ticks_to_ns(export->evaluation.frequency, time->ticks));
}

/*
 * Write snapshots for the first unit only: the clocks are the same, and snapshots must be in time
 * order.
 */
static void put_snapshot(struct export *export, const struct export_time *time)
{
	struct perfetto *perfetto = export->state;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	struct snapshot snapshot;

	if (!export->clock.name || export->units || time->ns < perfetto->next_snapshot)
		return;
	perfetto->next_snapshot = time->ns + SNAPSHOT_NS;
	fill_snapshot(&snapshot, export, time);
	packet.clock_snapshot = &snapshot.message;
	put_packet(export, &packet);
}

static void put_track(struct export *export, enum track track, const char *name)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;

	descriptor.has_uuid = true;
	descriptor.uuid = track_uuid(export, track);
	descriptor.name = (char *)name;
	if (track != TRACK_UNIT) {
		descriptor.has_parent_uuid = true;
		descriptor.parent_uuid = track_uuid(export, TRACK_UNIT);
	}
	packet.track_descriptor = &descriptor;
	put_packet(export, &packet);
}

static void put_event(struct export *export, uint64_t ns, enum track track,
		      Perfetto__TrackEvent__Type type, const char *category, const char *name)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
	char *categories[] = { (char *)category };

	event.has_type = true;
	event.type = type;
	event.has_track_uuid = true;
	event.track_uuid = track_uuid(export, track);
	event.n_categories = name ? 1 : 0;
	event.categories = categories;
	event.name = (char *)name;
	packet.track_event = &event;
	set_time(export, &packet, ns);
	put_packet(export, &packet);
}

static void put_gap(struct export *export, const struct export_gap *gap)
{
	char title[64];

	export_gap_title(gap, title, sizeof(title));
	put_event(export, gap->begin.ns, TRACK_LOSSES,
		  PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, "loss", title);
	put_event(export, gap->end.ns, TRACK_LOSSES, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END,
		  "loss", NULL);
}

static void put_mark(struct export *export, const struct export_time *time, uint64_t value)
{
	char name[32];

	snprintf(name, sizeof(name), "mark %llu", (unsigned long long)value);
	put_event(export, time->ns, TRACK_MARKS, PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, "mark",
		  name);
}

/* Fill in the values of a row; NULL: zeros. */
static void fill_values(struct perfetto *perfetto, const struct export_row *row)
{
	for (size_t i = 0; i < perfetto->counters.count; i++) {
		Perfetto__GpuCounterEvent__GpuCounter *counter = &perfetto->counters.list[i];
		const struct column *column = perfetto->counters.columns[i];
		const void *values = row ? row->columns[column->index] : NULL;
		const size_t n = row ? row->number : 0;
		const uint64_t number = values && column->type != GPUOA_TYPE_FLOAT ?
						((const uint64_t *)values)[n] :
						0;

		if (column->type == GPUOA_TYPE_FLOAT || number > INT64_MAX) {
			counter->value_case =
				PERFETTO__GPU_COUNTER_EVENT__GPU_COUNTER__VALUE_DOUBLE_VALUE;
			counter->double_value = column->type != GPUOA_TYPE_FLOAT ? (double)number :
						values ? ((const float *)values)[n] :
							 0;
		} else {
			counter->value_case =
				PERFETTO__GPU_COUNTER_EVENT__GPU_COUNTER__VALUE_INT_VALUE;
			counter->int_value = number;
		}
	}
}

static void put_counters(struct export *export, uint64_t ns,
			 Perfetto__GpuCounterDescriptor *description)
{
	struct perfetto *perfetto = export->state;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__GpuCounterEvent event = PERFETTO__GPU_COUNTER_EVENT__INIT;

	event.counter_descriptor = description;
	event.has_gpu_id = true;
	event.gpu_id = export->units;
	if (!description) {
		event.n_counters = perfetto->counters.count;
		event.counters = perfetto->counters.pointers;
	}
	packet.gpu_counter_event = &event;
	set_time(export, &packet, ns);
	put_packet(export, &packet);
}

/* Write the description before the first counters; it marks the start of the trace. */
static void put_description(struct export *export, uint64_t ns)
{
	struct perfetto *perfetto = export->state;
	Perfetto__GpuCounterDescriptor *description =
		perfetto_counters_describe(&perfetto->counters);

	perfetto->described = true;
	if (!description) {
		perfetto->no_memory = true;
		return;
	}
	put_counters(export, ns, description);
	perfetto_description_free(description);
}

static void put_row(struct export *export, const struct export_row *row)
{
	struct perfetto *perfetto = export->state;

	put_snapshot(export, &row->begin);
	if (!perfetto->described)
		put_description(export, row->begin.ns);
	if (row->resumes) {
		fill_values(perfetto, NULL);
		put_counters(export, row->begin.ns, NULL);
	}
	fill_values(perfetto, row);
	put_counters(export, row->end.ns, NULL);
}

static int begin_unit(struct export *export)
{
	struct perfetto *perfetto = export->state;
	char title[256];
	int ret;

	perfetto->in_sequence = false;
	perfetto->described = false;
	ret = perfetto_counters_make(&perfetto->counters, &export->evaluation.columns,
				     perfetto->next_counter);
	if (ret)
		return ret;
	perfetto->next_counter += perfetto->counters.count;
	export_unit_title(export, title, sizeof(title));
	put_track(export, TRACK_UNIT, title);
	put_track(export, TRACK_MARKS, "Marks");
	put_track(export, TRACK_LOSSES, "Lost reports");
	return EXIT_OK;
}

static void end_unit(struct export *export)
{
	struct perfetto *perfetto = export->state;

	perfetto_counters_free(&perfetto->counters);
}

static uint64_t hash(uint64_t hash, const void *data, size_t size)
{
	const uint8_t *bytes = data;

	while (size--)
		hash = (hash ^ *bytes++) * UINT64_C(0x100000001b3); /* FNV-1a hash */
	return hash;
}

static uint64_t hash_text(uint64_t before, const char *text)
{
	return text ? hash(before, text, strlen(text) + 1) : hash(before, "", 1);
}

/*
 * Compute the base of counter, sequence and track numbers. Readers treat these as global to a
 * trace, so they must differ between traces that are concatenated. The beginning of a recording
 * contains units, clock pairs and reports, so it differs between any two recordings; the options
 * distinguish traces of the same recording.
 */
static uint64_t identify(const struct recording_options *wanted)
{
	FILE *file = fopen(wanted->file, "re");
	uint64_t identity = UINT64_C(0xcbf29ce484222325);
	uint8_t *bytes = malloc(HASHED_BYTES);

	if (file && bytes)
		identity = hash(identity, bytes, fread(bytes, 1, HASHED_BYTES, file));
	if (file)
		fclose(file);
	free(bytes);
	identity = hash_text(identity, wanted->set);
	identity = hash_text(identity, wanted->metrics);
	identity = hash(identity, &wanted->begin_tick, sizeof(wanted->begin_tick));
	identity = hash(identity, &wanted->end_tick, sizeof(wanted->end_tick));
	identity = hash(identity, &wanted->begin_ns, sizeof(wanted->begin_ns));
	identity = hash(identity, &wanted->end_ns, sizeof(wanted->end_ns));
	/* Spread the last bytes over all bits. */
	identity ^= identity >> 31;
	identity *= UINT64_C(0xbf58476d1ce4e5b9);
	return identity ^ identity >> 29;
}

static int begin(struct export *export)
{
	struct perfetto *perfetto = export->state;

	perfetto->identity = identify(&export->options->recording);
	perfetto->identity = hash_text(perfetto->identity, export->tool->device);
	/* 31 bits, because a reader may use a signed type; 0 is not a valid counter. */
	perfetto->next_counter = 1 + perfetto->identity % (INT32_MAX - UINT16_MAX);
	return EXIT_OK;
}

static int end(struct export *export)
{
	struct perfetto *perfetto = export->state;

	free(perfetto->buffer);
	return perfetto->no_memory ? fail("out of memory") : EXIT_OK;
}

const struct export_format export_perfetto = {
	.name = "perfetto",
	.suffixes = ".pftrace .perfetto-trace .perfetto",
	.binary = true,
	.cpu_clock = true,
	.fixed_clock = true,
	.begin = begin,
	.begin_unit = begin_unit,
	.row = put_row,
	.gap = put_gap,
	.mark = put_mark,
	.end_unit = end_unit,
	.end = end,
	.state_size = sizeof(struct perfetto),
};
