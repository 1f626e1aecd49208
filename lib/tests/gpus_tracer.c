// SPDX-License-Identifier: MIT
/*
 * gpus_tracer.c - Trace all units of each virtual GPU at once: the decoded entries must equal the
 * GPU's true counts and be in order of time.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "gpuoa-tracer.h"
#include "rpn.h"
#include "sim_unit.h"
#include "tap.h"
#include "unit_constants.h"

#define UNITS_MAX 32
#define REPORTS 12 /* per unit, without a discontinuity */
#define PERIOD_NS 1000000
#define BUFFER_SIZE (1 << 20)
#define RAW_MAX (8 << 20)
#define ENTRIES_MAX (1 << 20)
#define TRACE_MS 40

static struct facts facts;
static struct sim_unit units[UNITS_MAX];
static size_t unit_count;

/* The units of the GPU under test, and the data that was traced */
static struct {
	const struct sim_unit *units[UNITS_MAX];
	const struct facts_set *facts[UNITS_MAX];
	struct gpuoa_tracer_group groups[UNITS_MAX];
	struct gpuoa_stream_options options[UNITS_MAX];
	uint32_t count;
	struct gpuoa_tracer *tracer;
	uint8_t *raw;
	size_t size;
	struct gpuoa_entry *entries;
	int entry_count;
} now;

/*
 * Returns whether facts and description are of the same set. A set without a UUID from the vendor
 * is identified by its symbol and unit.
 */
static bool is_set(const struct facts_set *set, const struct gpuoa_set_desc *desc)
{
	return !strcmp(set->symbol, desc->symbol) && !strcmp(set->unit, desc->domain) &&
	       (!strcmp(set->uuid, "-") || !strcmp(set->uuid, desc->uuid));
}

/* Choose a set of the unit, and find its reference description. */
static void choose_set(uint32_t number)
{
	const struct sim_unit *unit = now.units[number];
	const struct facts_platform *platform = facts_find(&facts, unit->info.platform);
	struct gpuoa_set_desc desc;

	now.groups[number].set = sim_unit_any_set(unit);
	now.facts[number] = NULL;
	REQUIRE(platform && now.groups[number].set);
	gpuoa_set_describe(now.groups[number].set, &desc, sizeof(desc));
	for (size_t i = 0; i < platform->set_count; i++)
		if (is_set(&platform->sets[i], &desc))
			now.facts[number] = &platform->sets[i];
	CHECK(now.facts[number]);
}

/* Choose the units of a GPU to trace. They have different sampling rates. */
static void choose_units(const char *parent)
{
	now.count = 0;
	for (size_t i = 0; i < unit_count; i++) {
		const uint32_t number = now.count;

		if (strcmp(units[i].desc.parent, parent))
			continue;
		now.count++;
		now.units[number] = &units[i];
		now.options[number] = (struct gpuoa_stream_options){
			.size = sizeof(now.options[number]),
			.period_ns = (1 + number % 2) * PERIOD_NS,
			.buffer_size = BUFFER_SIZE,
		};
		now.groups[number] = (struct gpuoa_tracer_group){
			.unit = units[i].unit,
			.options = &now.options[number],
		};
		choose_set(number);
	}
}

/* Read until the end of the data is reported, or at least @enough bytes have been read. */
static void read_until(size_t enough)
{
	struct pollfd pollfd = { .fd = gpuoa_tracer_fd(now.tracer), .events = POLLIN };
	struct gpuoa_read_status status = { 0 };

	while (!status.end && now.size < enough) {
		size_t size = RAW_MAX - now.size;
		int err;

		CHECK(poll(&pollfd, 1, TRACE_MS) >= 0);
		err = gpuoa_tracer_read(now.tracer, now.raw + now.size, &size, &status);
		now.size += size;
		if (err == -EAGAIN) /* not enabled yet */
			continue;
		if (!CHECK(!err))
			return;
	}
}

static size_t enough_bytes(void)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < now.count; i++)
		bytes += 3 * REPORTS * gpuoa_format_size(now.options[i].format);
	return bytes;
}

static void collect(void)
{
	struct gpuoa_tracer_options options = { .size = sizeof(options), .notify_bytes = 4096 };
	size_t size = 0;
	char error[256];

	if (!CHECK(!gpuoa_tracer_open(now.groups, now.count, &options, &now.tracer, error,
				      sizeof(error)))) {
		printf("# %s\n", error);
		return;
	}
	CHECK(options.notify_bytes);
	CHECK(gpuoa_tracer_read(now.tracer, NULL, &size, NULL) == -EAGAIN);
	CHECK(!gpuoa_tracer_enable(now.tracer, false));
	read_until(enough_bytes());
	CHECK(!gpuoa_tracer_disable(now.tracer, false));
	read_until(RAW_MAX);
	size = RAW_MAX;
	CHECK(gpuoa_tracer_read(now.tracer, now.raw, &size, NULL) == -EAGAIN);
}

static bool is_value(const struct facts_metric *metric, struct rpn_value expected,
		     union gpuoa_value value)
{
	if (metric->kind->type[0] == 'f')
		return value.f32 == rpn_float(expected);
	return value.u64 == rpn_integer(expected);
}

/* Check that the entries of one interval, from @entry on, equal the reference values. */
static bool is_true(const struct rpn_set *set, const struct gpuoa_entry *entry, uint16_t scope)
{
	bool same = true;

	for (size_t i = 0; i < set->facts->metric_count; i++, entry++) {
		if (entry->scope == scope && entry->timestamp_ns > entry->duration_ns &&
		    is_value(set->facts->metrics[i], set->values[i], entry->value))
			continue;
		printf("# %s of scope %u: %" PRIx64 "\n", set->facts->metrics[i]->symbol, scope,
		       entry->value.u64);
		same = false;
	}
	return same;
}

/* Collect the entries of one scope. Returns their number. */
static size_t collect_entries(uint16_t scope, struct gpuoa_entry *entries)
{
	size_t count = 0;

	for (int i = 0; i < now.entry_count; i++)
		if (now.entries[i].scope == scope)
			entries[count++] = now.entries[i];
	return count;
}

static void check_rows(uint32_t scope, const struct sim_reports *reports,
		       const struct gpuoa_entry *entries, size_t count)
{
	struct rpn_constants constants = { 0 };
	uint64_t reference[RAW_FIELDS_MAX];
	const struct gpuoa_entry *entry = entries;
	struct rpn_set set;
	bool same;

	unit_constants(&now.units[scope]->info, gpuoa_unit_constants(now.units[scope]->unit),
		       &constants);
	rpn_open(&set, now.facts[scope], reports->format, &constants);
	rpn_choose(&set, &constants);
	same = CHECK(count >= (reports->count - 1) * set.facts->metric_count);
	for (size_t i = 1; same && i < reports->count; i++, entry += set.facts->metric_count) {
		if (!CHECK(sim_unit_reference(now.units[scope], reports->format,
					      sim_report_time(reports, i - 1),
					      sim_report_time(reports, i), reference)))
			break;
		rpn_evaluate(&set, &constants, reference, rpn_row);
		same &= is_true(&set, entry, scope);
	}
	CHECK(same);
	rpn_close(&set);
}

static void check_scope(uint32_t scope)
{
	struct gpuoa_entry *entries = malloc(ENTRIES_MAX * sizeof(*entries));
	struct gpuoa_reader *reader;
	struct sim_reports reports;
	size_t count;

	REQUIRE(entries && now.facts[scope]);
	count = collect_entries(scope, entries);
	REQUIRE(!gpuoa_tracer_reader_open(now.raw, now.size, scope, &reader, NULL, 0));
	REQUIRE(sim_reports_open(&reports, now.options[scope].format, REPORTS));
	if (CHECK(sim_reports_read(&reports, reader, REPORTS)))
		check_rows(scope, &reports, entries, count);
	sim_reports_close(&reports);
	gpuoa_reader_close(reader);
	free(entries);
}

static void decode(void)
{
	const struct gpuoa_decoder_options options = { .size = sizeof(options), .no_infos = true };
	struct gpuoa_decoded decoded;
	struct gpuoa_decoder *decoder;

	REQUIRE(!gpuoa_decoder_open_raw(now.raw, now.size, &options, &decoder, NULL, 0));
	now.entry_count = gpuoa_decoder_run(decoder, now.raw, now.size, false, now.entries,
					    ENTRIES_MAX, &decoded, sizeof(decoded));
	CHECK(now.entry_count > 0 && now.entry_count < ENTRIES_MAX && decoded.used == now.size);
	CHECK(decoded.status.end && decoded.status.has_clock && !decoded.status.gap);
	for (int i = 1; i < now.entry_count; i++)
		if (!CHECK(now.entries[i - 1].timestamp_ns <= now.entries[i].timestamp_ns))
			break;
	gpuoa_decoder_close(decoder);
}

static void traced_values_match_reference(void)
{
	now.raw = malloc(RAW_MAX);
	now.entries = malloc(ENTRIES_MAX * sizeof(*now.entries));
	now.size = 0;
	REQUIRE(now.raw && now.entries);
	collect();
	decode();
	for (uint32_t i = 0; i < now.count; i++)
		check_scope(i);
	gpuoa_tracer_close(now.tracer);
	free(now.raw);
	free(now.entries);
}

int main(void)
{
	unit_count = sim_units_open(units, UNITS_MAX);
	if (!unit_count)
		return tap_skip("no OA unit");
	facts_read(&facts);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < unit_count; i++) {
		if (i && !strcmp(units[i].desc.parent, units[i - 1].desc.parent))
			continue;
		choose_units(units[i].desc.parent);
		printf("# %" PRIu32 " units of %s\n", now.count, units[i].info.platform);
		RUN(traced_values_match_reference);
	}
	sim_units_close(units, unit_count);
	facts_free(&facts);
	return tap_end();
}
