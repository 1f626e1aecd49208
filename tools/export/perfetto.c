// SPDX-License-Identifier: MIT
/*
 * perfetto.c - export to a trace of Perfetto
 */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/columns.h"
#include "export/export.h"
#include "perfetto.pb-c.h"

/*
 * Unit of a counter as a quotient of two units of Perfetto. NONE means that Perfetto has no such
 * unit.
 */
struct perfetto_units {
	Perfetto__GpuCounterDescriptor__MeasureUnit numerator;
	Perfetto__GpuCounterDescriptor__MeasureUnit denominator;
};

/* Convert units of measure of a metric to units of Perfetto. */
struct perfetto_units perfetto_units(const char *units);

/*
 * Find the Perfetto group of a metric. @group: path of the metric's group, such as "EU Array/Vertex
 * Shader"
 */
Perfetto__GpuCounterDescriptor__GpuCounterGroup perfetto_group(const char *group);

/* The counters of a unit, one for each available metric. Zero-initialize. */
struct perfetto_counters {
	size_t count;
	const struct column **columns; /* the column of each counter */
	/* the counters in a packet, with their numbers in the trace */
	Perfetto__GpuCounterEvent__GpuCounter *list;
	Perfetto__GpuCounterEvent__GpuCounter **pointers;
};

/*
 * Create the counters of a unit. @first: number of the first counter; a number is unique in the
 * trace. Returns an exit code; prints any error.
 */
int perfetto_counters_make(struct perfetto_counters *counters, const struct columns *columns,
			   uint32_t first);
void perfetto_counters_free(struct perfetto_counters *counters);

/*
 * Return a description that has the counters' names, texts, units and groups; NULL: out of memory.
 * The caller frees it with perfetto_description_free().
 */
Perfetto__GpuCounterDescriptor *
perfetto_counters_describe(const struct perfetto_counters *counters);
void perfetto_description_free(Perfetto__GpuCounterDescriptor *description);

#define UNIT(name) PERFETTO__GPU_COUNTER_DESCRIPTOR__MEASURE_UNIT__##name
#define GROUP(name) PERFETTO__GPU_COUNTER_DESCRIPTOR__GPU_COUNTER_GROUP__##name

struct perfetto_units perfetto_units(const char *units)
{
	static const struct {
		const char *units;
		struct perfetto_units words;
	} known[] = {
		{ "percent", { UNIT(PERCENT), UNIT(NONE) } },
		{ "ns", { UNIT(NANOSECOND), UNIT(NONE) } },
		{ "us", { UNIT(MICROSECOND), UNIT(NONE) } },
		{ "hz", { UNIT(HERTZ), UNIT(NONE) } },
		{ "bytes", { UNIT(BYTE), UNIT(NONE) } },
		{ "gbps", { UNIT(GIGABYTE), UNIT(SECOND) } },
		{ "pixels", { UNIT(PIXEL), UNIT(NONE) } },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(units, known[i].units))
			return known[i].words;
	return (struct perfetto_units){ UNIT(NONE), UNIT(NONE) };
}

Perfetto__GpuCounterDescriptor__GpuCounterGroup perfetto_group(const char *group)
{
	/* Of these words, the first one that the path contains determines the group. */
	static const struct {
		const char *word;
		Perfetto__GpuCounterDescriptor__GpuCounterGroup group;
	} words[] = {
		{ "GTI", GROUP(MEMORY) },
		{ "L3", GROUP(MEMORY) },
		{ "L1", GROUP(MEMORY) },
		{ "LLC", GROUP(MEMORY) },
		{ "Memory", GROUP(MEMORY) },
		{ "Cache", GROUP(MEMORY) },
		{ "Data Port", GROUP(MEMORY) },
		{ "Dataport", GROUP(MEMORY) },
		{ "Copy Engine", GROUP(MEMORY) },
		{ "URB", GROUP(MEMORY) },
		{ "Vertex", GROUP(VERTICES) },
		{ "Hull", GROUP(VERTICES) },
		{ "Domain", GROUP(VERTICES) },
		{ "Control Shader", GROUP(VERTICES) },
		{ "Evaluation Shader", GROUP(VERTICES) },
		{ "Geometry", GROUP(VERTICES) },
		{ "Input Assembler", GROUP(VERTICES) },
		{ "Fragment", GROUP(FRAGMENTS) },
		{ "Pixel", GROUP(FRAGMENTS) },
		{ "Output Merger", GROUP(FRAGMENTS) },
		{ "Depth", GROUP(FRAGMENTS) },
		{ "Color Pipe", GROUP(FRAGMENTS) },
		{ "Sampler", GROUP(FRAGMENTS) },
		{ "Rasterizer", GROUP(PRIMITIVES) },
		{ "Clipper", GROUP(PRIMITIVES) },
		{ "Strip-Fans", GROUP(PRIMITIVES) },
		{ "Stream Output", GROUP(PRIMITIVES) },
		{ "EU Array", GROUP(COMPUTE) },
		{ "Vector", GROUP(COMPUTE) },
		{ "Thread Dispatcher", GROUP(COMPUTE) },
		{ "Ray Tracing", GROUP(COMPUTE) },
		{ "GPU", GROUP(SYSTEM) },
		{ "Front End", GROUP(SYSTEM) },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(group, words[i].word))
			return words[i].group;
	return GROUP(UNCLASSIFIED);
}

typedef Perfetto__GpuCounterDescriptor__GpuCounterSpec counter_spec;
typedef Perfetto__GpuCounterDescriptor__GpuCounterBlock counter_block;

#define NO_UNIT PERFETTO__GPU_COUNTER_DESCRIPTOR__MEASURE_UNIT__NONE

int perfetto_counters_make(struct perfetto_counters *counters, const struct columns *columns,
			   uint32_t first)
{
	counters->columns = calloc(columns->count + 1, sizeof(*counters->columns));
	counters->list = calloc(columns->count + 1, sizeof(*counters->list));
	counters->pointers = calloc(columns->count + 1, sizeof(*counters->pointers));
	if (!counters->columns || !counters->list || !counters->pointers)
		return fail("out of memory");
	for (size_t i = 0; i < columns->count; i++) {
		const size_t n = counters->count;

		if (columns->list[i].absent)
			continue;
		counters->columns[n] = &columns->list[i];
		perfetto__gpu_counter_event__gpu_counter__init(&counters->list[n]);
		counters->list[n].has_counter_id = true;
		counters->list[n].counter_id = first + n;
		counters->pointers[n] = &counters->list[n];
		counters->count++;
	}
	return EXIT_OK;
}

void perfetto_counters_free(struct perfetto_counters *counters)
{
	free(counters->columns);
	free(counters->list);
	free(counters->pointers);
	*counters = (struct perfetto_counters){ .count = 0 };
}

/* Set a repeated field of an enum to a single value. */
static bool put_word(size_t *count, int **list, int word)
{
	*list = malloc(sizeof(**list));
	if (!*list)
		return false;
	**list = word;
	*count = 1;
	return true;
}

static bool put_units(counter_spec *spec, const char *units)
{
	const struct perfetto_units words = perfetto_units(units);

	return (words.numerator == NO_UNIT ||
		put_word(&spec->n_numerator_units, (int **)&spec->numerator_units,
			 words.numerator)) &&
	       (words.denominator == NO_UNIT ||
		put_word(&spec->n_denominator_units, (int **)&spec->denominator_units,
			 words.denominator));
}

/* Describe a metric. The description contains the symbol by which -m selects the metric. */
static bool put_metric(counter_spec *spec, const struct column *column)
{
	struct gpuoa_metric_desc desc = { .description = "", .group = "" };
	const char *blank;

	if (column->metric)
		gpuoa_metric_describe(column->metric, &desc, sizeof(desc));
	blank = *desc.description ? ": " : "";
	if (!strcmp(column->units, "percent")) {
		spec->peak_value_case =
			PERFETTO__GPU_COUNTER_DESCRIPTOR__GPU_COUNTER_SPEC__PEAK_VALUE_DOUBLE_PEAK_VALUE;
		spec->double_peak_value = 100;
	}
	spec->has_select_by_default = true;
	spec->select_by_default = desc.tier == 1;
	spec->name = strdup(column->name);
	if (asprintf(&spec->description, "%s%s%s", column->symbol, blank, desc.description) < 0)
		spec->description = NULL;
	return spec->name && spec->description && put_units(spec, column->units) &&
	       put_word(&spec->n_groups, (int **)&spec->groups, perfetto_group(desc.group));
}

static bool put_specs(Perfetto__GpuCounterDescriptor *description,
		      const struct perfetto_counters *counters)
{
	description->specs = calloc(counters->count + 1, sizeof(*description->specs));
	if (!description->specs)
		return false;
	for (size_t i = 0; i < counters->count; i++) {
		counter_spec *spec = malloc(sizeof(*spec));

		if (!spec)
			return false;
		perfetto__gpu_counter_descriptor__gpu_counter_spec__init(spec);
		spec->has_counter_id = true;
		spec->counter_id = counters->list[i].counter_id;
		description->specs[description->n_specs++] = spec;
		if (!put_metric(spec, counters->columns[i]))
			return false;
	}
	return true;
}

static const char *group_of(const struct column *column)
{
	struct gpuoa_metric_desc desc;

	if (!column->metric)
		return "Information";
	gpuoa_metric_describe(column->metric, &desc, sizeof(desc));
	return desc.group;
}

/*
 * Find the block of counters of a group. If there is none, add a block with space for @room
 * counters.
 */
static counter_block *find_block(Perfetto__GpuCounterDescriptor *description, const char *group,
				 size_t room)
{
	counter_block *block;

	for (size_t i = 0; i < description->n_blocks; i++) {
		block = description->blocks[i];
		if (block && !strcmp(block->name, group))
			return block;
	}
	block = malloc(sizeof(*block));
	if (!block)
		return NULL;
	perfetto__gpu_counter_descriptor__gpu_counter_block__init(block);
	block->has_block_id = true;
	block->block_id = description->n_blocks + 1;
	block->name = strdup(group);
	block->counter_ids = calloc(room, sizeof(*block->counter_ids));
	description->blocks[description->n_blocks++] = block;
	return block->name && block->counter_ids ? block : NULL;
}

static bool put_blocks(Perfetto__GpuCounterDescriptor *description,
		       const struct perfetto_counters *counters)
{
	description->blocks = calloc(counters->count + 1, sizeof(*description->blocks));
	if (!description->blocks)
		return false;
	for (size_t i = 0; i < counters->count; i++) {
		counter_block *block =
			find_block(description, group_of(counters->columns[i]), counters->count);

		if (!block)
			return false;
		block->counter_ids[block->n_counter_ids++] = counters->list[i].counter_id;
	}
	return true;
}

Perfetto__GpuCounterDescriptor *perfetto_counters_describe(const struct perfetto_counters *counters)
{
	Perfetto__GpuCounterDescriptor *description = malloc(sizeof(*description));

	if (!description)
		return NULL;
	perfetto__gpu_counter_descriptor__init(description);
	if (put_specs(description, counters) && put_blocks(description, counters))
		return description;
	perfetto_description_free(description);
	return NULL;
}

void perfetto_description_free(Perfetto__GpuCounterDescriptor *description)
{
	perfetto__gpu_counter_descriptor__free_unpacked(description, NULL);
}

/* TracePacket.SequenceFlags: start of a sequence */
#define INCREMENTAL_STATE_CLEARED 1

/* ID of the clock of the packets, which is valid in one sequence only: GPU time in ns */
#define CLOCK_OF_GPU 64

#define SNAPSHOT_NS UINT64_C(10000000000)

/*
 * First sequence ID of a trace. It is large, because tracing services assign sequence IDs from 1
 * upwards.
 */
#define SEQUENCES_FROM 0x80000000u
#define SEQUENCES_MOST 0x1000u /* maximum number of sequences per trace; each unit has one */

#define HASHED_BYTES \
	65536 /* bytes of a recording's beginning; they include units, clock pairs and reports */

struct perfetto {
	uint64_t identity;
	uint32_t next_counter; /* number of the first counter of the next unit */
	struct perfetto_counters counters; /* counters of the current unit */
	bool in_sequence; /* the sequence has a packet */
	bool described;
	uint64_t next_snapshot; /* time of the next clock snapshot, in ns */
	uint8_t *buffer; /* memory for a serialized packet */
	size_t room;
	bool no_memory;
};

/*
 * Tracks of a unit. The value determines the track's number in the trace. EU stalls, which are
 * written last, have a track for each reason in addition.
 */
enum track {
	TRACK_UNIT = 1,
	TRACK_MARKS,
	TRACK_LOSSES,
	TRACKS,
	TRACK_REASONS = TRACKS,
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

/* Write a packet. A trace is a concatenation of packets, without a header. */
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

static void set_monotonic(Perfetto__TracePacket *packet, uint64_t ns)
{
	packet->has_timestamp = true;
	packet->timestamp = ns;
	packet->has_timestamp_clock_id = true;
	packet->timestamp_clock_id = PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
}

static void set_time(const struct export *export, Perfetto__TracePacket *packet, uint64_t ns)
{
	set_monotonic(packet, ns);
	packet->has_timestamp_clock_id = export->clock.name || export->in_windows;
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

/*
 * Fill in the values of all clocks at one time: the clock of the packets, and other clocks that are
 * known at that time.
 */
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
		/* A reader shows times of this clock by default. */
		if (others[i].id == CLOCK_BOOTTIME)
			snapshot->message.primary_trace_clock = others[i].word;
	}
	add_clock(snapshot, CLOCK_OF_GPU,
		  gpuoa_ticks_to_ns(export->evaluation.frequency, time->ticks));
}

/*
 * Write a snapshot of all clocks. It is written for the first unit only, because the clocks of
 * other units are the same and snapshots must be in time order.
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

/* @counter: NULL: the track has slices and events */
static void put_any_track(struct export *export, enum track track, const char *name,
			  Perfetto__CounterDescriptor *counter)
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
	descriptor.counter = counter;
	packet.track_descriptor = &descriptor;
	put_packet(export, &packet);
}

static void put_track(struct export *export, enum track track, const char *name)
{
	put_any_track(export, track, name, NULL);
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

/* Fill in the values of a row; without a row (NULL), fill in zeros. */
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

/*
 * Write the description of the counters, which must precede the first counter values. It also marks
 * the start of the trace.
 */
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

/* ---- EU stalls: a counter track for each reason ---- */

/*
 * Without OA reports there is no snapshot. A reader takes the primary clock for that of the trace,
 * instead of CLOCK_BOOTTIME.
 */
static void put_lone_snapshot(struct export *export)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	struct snapshot snapshot;

	perfetto__clock_snapshot__init(&snapshot.message);
	snapshot.message.clocks = snapshot.pointers;
	snapshot.message.has_primary_trace_clock = true;
	snapshot.message.primary_trace_clock = PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
	add_clock(&snapshot, PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC, 0);
	packet.clock_snapshot = &snapshot.message;
	put_packet(export, &packet);
}

static void begin_windows(struct export *export, const struct gpuoa_stall_desc *desc)
{
	struct perfetto *perfetto = export->state;
	Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
	char title[192];

	perfetto->in_sequence = false;
	if (!export->units)
		put_lone_snapshot(export);
	export_stalls_title(desc, title, sizeof(title));
	put_track(export, TRACK_UNIT, title);
	put_track(export, TRACK_LOSSES, "Lost records");
	counter.unit_name = (char *)"samples/ms";
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
		put_any_track(export, TRACK_REASONS + k, profile_reason(k), &counter);
}

static void put_rates(struct export *export, uint64_t ns, const struct export_window *window)
{
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++) {
		Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
		Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

		event.has_type = true;
		event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER;
		event.has_track_uuid = true;
		event.track_uuid = track_uuid(export, TRACK_REASONS + k);
		event.counter_value_field_case =
			PERFETTO__TRACK_EVENT__COUNTER_VALUE_FIELD_DOUBLE_COUNTER_VALUE;
		event.double_counter_value = export_window_rate(window, k);
		packet.track_event = &event;
		set_time(export, &packet, ns);
		put_packet(export, &packet);
	}
}

static void put_lost_records(struct export *export, const struct export_window *window)
{
	put_event(export, window->begin_ns, TRACK_LOSSES,
		  PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, "loss", "records lost");
	put_event(export, window->end_ns, TRACK_LOSSES, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END,
		  "loss", NULL);
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

/* Hash each member separately, because padding bytes between members are undefined. */
static uint64_t hash_limit(uint64_t identity, const struct time_limit *limit)
{
	identity = hash(identity, &limit->ticks, sizeof(limit->ticks));
	return hash(identity, &limit->value, sizeof(limit->value));
}

/*
 * Calculate the base of counter, sequence and track numbers. Readers treat these numbers as global,
 * so traces that are concatenated must have different ones. The beginning of a recording contains
 * units, clock pairs and reports, so its hash is different for any two recordings. The options are
 * included to distinguish traces of the same recording.
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
	identity = hash_limit(identity, &wanted->start);
	identity = hash_limit(identity, &wanted->stop);
	/* Mix the bits, so that the last bytes hashed affect all bits of the result. */
	identity ^= identity >> 31;
	identity *= UINT64_C(0xbf58476d1ce4e5b9);
	return identity ^ identity >> 29;
}

static int begin(struct export *export)
{
	struct perfetto *perfetto = export->state;

	perfetto->identity = identify(&export->options->recording);
	perfetto->identity = hash_text(perfetto->identity, export->tool->device);
	/*
	 * The number has 31 bits, because a reader may use a signed type. 0 is not a valid counter.
	 */
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
	.begin_windows = begin_windows,
	.rates = put_rates,
	.lost_records = put_lost_records,
	.end = end,
	.state_size = sizeof(struct perfetto),
};
