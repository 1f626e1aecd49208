// SPDX-License-Identifier: MIT
/*
 * threads_test.c - Test concurrent use by several threads. The test should be run with
 * SANITIZE=thread also, which detects races even if the results are right.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "fixture.h"
#include "played_hsw.h"
#include "extra/tracer/tracer.h"

#define THREADS 4
#define REPORTS 500
#define SWITCHES 200
#define ENTRIES_MAX 65536

/* Data that is shared by the threads of a test and only read */
static struct {
	struct gpuoa_constants *constants;
	uint32_t reports[REPORTS][REPORT_WORDS];
	uint8_t raw[1 << 18];
	size_t size;
} shared;

/* A thread, and the result that it found */
struct worker {
	pthread_t thread;
	uint64_t found;
};

static void run_threads(void *(*run)(void *), struct worker *workers)
{
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ 0 };
		REQUIRE(!pthread_create(&workers[i].thread, NULL, run, &workers[i]));
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
}

/* Run the threads, and check that all have the same result, which is not 0. */
static void check_alike(void *(*run)(void *))
{
	struct worker workers[THREADS];

	run_threads(run, workers);
	for (int i = 0; i < THREADS; i++)
		CHECK(workers[i].found && workers[i].found == workers[0].found);
}

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3;
	return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	return mix(hash, text, strlen(text));
}

static uint64_t mix_set(uint64_t hash, const struct gpuoa_set *set)
{
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	char text[256];

	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		gpuoa_equation_text(gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE), text,
				    sizeof(text));
		hash = mix_text(mix_text(hash, desc.description), text);
		hash += gpuoa_set_find_metric(set, desc.symbol) == metric;
	}
	return hash;
}

static void *read_metadata(void *context)
{
	struct worker *worker = context;
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *set;
	char reason[128];

	for (size_t i = 0; (platform = gpuoa_platform_get(i)); i += 3)
		for (size_t k = 0; (set = gpuoa_platform_get_set(platform, k)); k += 7)
			worker->found = mix_set(worker->found, set);
	platform = gpuoa_platform_find("hsw");
	for (size_t k = 0; (set = gpuoa_platform_get_set(platform, k)); k++)
		worker->found +=
			gpuoa_set_available(set, "OA", shared.constants, reason, sizeof(reason));
	return NULL;
}

static void threads_read_metadata_and_constants(void)
{
	shared.constants = haswell_gt2();
	check_alike(read_metadata);
	gpuoa_constants_free(shared.constants);
}

/* Each thread has its own calculator; the constants are shared. */
static void *calculate(void *context)
{
	struct worker *worker = context;
	union gpuoa_value values[128];
	struct gpuoa_calc *calc;
	size_t used;

	if (gpuoa_calc_open(played_hsw_set(), shared.constants, GPUOA_REPORT_A45_B8_C8, NULL, &calc,
			    NULL, 0))
		return NULL;
	for (int i = 0; i < REPORTS; i++)
		if (gpuoa_calc_run(calc, shared.reports[i], 1, values, NULL, 1, &used))
			worker->found = mix(worker->found, values,
					    gpuoa_calc_output_count(calc) * sizeof(*values));
	gpuoa_calc_close(calc);
	return NULL;
}

static void threads_share_constants(void)
{
	uint64_t state = 1;

	shared.constants = haswell_gt2();
	for (int i = 1; i < REPORTS; i++)
		fixture_next_report(&state, shared.reports[i - 1], shared.reports[i]);
	check_alike(calculate);
	gpuoa_constants_free(shared.constants);
}

/* Each thread traces its own stream by its own tracer, then decodes the data. */
static void *trace(void *context)
{
	static const uint32_t sizes[] = { 50, 30, 20 };
	const struct gpuoa_set *set = played_hsw_set();
	struct worker *worker = context;
	struct gpuoa_constants *constants = haswell_gt2();
	struct gpuoa_entry *entries = calloc(ENTRIES_MAX, sizeof(*entries));
	uint8_t *raw = malloc(1 << 16);
	struct gpuoa_decoder *decoder;
	struct gpuoa_tracer *tracer;
	struct bytes records = { 0 };
	struct played played;
	struct gpuoa_reader *stream = &played.stream.reader;
	size_t size = 1 << 16;
	uint64_t first = 0;
	int count;

	played_hsw_begin(&played, &played_hsw_ops, constants);
	put_first_sample(&records, PLAYED_ID);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); first += sizes[i++])
		put_reports_sample(&records, PLAYED_ID, first, sizes[i]);
	played_produce(&played, &records);
	if (!tracer_new(&stream, &set, 1, &tracer) && !gpuoa_tracer_enable(tracer, false) &&
	    !gpuoa_decoder_open(tracer, NULL, &decoder, NULL, 0)) {
		gpuoa_tracer_read(tracer, raw, &size, NULL);
		count = gpuoa_decoder_run(decoder, raw, size, true, entries, ENTRIES_MAX, NULL, 0);
		if (count == (int)(99 * gpuoa_decoder_metric_count(decoder)))
			worker->found = mix(1, entries, count * sizeof(*entries));
		gpuoa_decoder_close(decoder);
		gpuoa_tracer_close(tracer);
	}
	played_hsw_end(&played);
	gpuoa_constants_free(constants);
	free(entries);
	free(raw);
	return NULL;
}

static void threads_trace_independently(void)
{
	check_alike(trace);
}

/* Each thread has its own decoder; the raw data is shared. */
static void *decode(void *context)
{
	struct gpuoa_entry *entries = calloc(ENTRIES_MAX, sizeof(*entries));
	struct worker *worker = context;
	struct gpuoa_decoder *decoder;
	int count;

	if (!gpuoa_decoder_open_raw(shared.raw, shared.size, NULL, &decoder, NULL, 0)) {
		count = gpuoa_decoder_run(decoder, shared.raw, shared.size, true, entries,
					  ENTRIES_MAX, NULL, 0);
		if (count > 0)
			worker->found = mix(1, entries, count * sizeof(*entries));
		gpuoa_decoder_close(decoder);
	}
	free(entries);
	return NULL;
}

static void threads_decode_shared_raw_data(void)
{
	struct frame_room room = { shared.raw, shared.raw + sizeof(shared.raw) };
	struct bytes payload = { 0 };

	put_head(&payload);
	put_stream(&payload);
	put_clock(&payload, 1000);
	put_reports(&payload, 0, 90);
	REQUIRE(frame_put(&room, FRAME_PAYLOAD, 0, payload.data, payload.size));
	shared.size = room.at - shared.raw;
	clear(&payload);
	check_alike(decode);
}

/* A tracer that one thread enables and disables while another thread reads it */
static struct {
	struct gpuoa_tracer *tracer;
	_Atomic bool done; /* set after the tracer was enabled and disabled for the last time */
	uint64_t ends;
} switched;

static void *read_on(void *context)
{
	static uint8_t raw[GPUOA_TRACER_READ_MIN];
	struct gpuoa_read_status status;
	size_t size;
	bool last;
	int err;

	do {
		last = switched.done;
		size = sizeof(raw);
		err = gpuoa_tracer_read(switched.tracer, raw, &size, &status);
		switched.ends += status.end;
	} while (!last || err != -EAGAIN);
	return context;
}

static void tracer_is_enabled_and_disabled_while_read(void)
{
	const struct gpuoa_set *set = played_hsw_set();
	struct gpuoa_constants *constants = haswell_gt2();
	struct played played;
	struct gpuoa_reader *stream = &played.stream.reader;
	pthread_t thread;

	played_hsw_begin(&played, &played_hsw_ops, constants);
	REQUIRE(!tracer_new(&stream, &set, 1, &switched.tracer));
	REQUIRE(!pthread_create(&thread, NULL, read_on, NULL));
	for (int i = 0; i < SWITCHES; i++) {
		CHECK(!gpuoa_tracer_enable(switched.tracer, i % 3 == 0));
		CHECK(!gpuoa_tracer_disable(switched.tracer, i % 2 || i == SWITCHES - 1));
	}
	CHECK(!gpuoa_tracer_enable(switched.tracer, true));
	CHECK(!gpuoa_tracer_disable(switched.tracer, true));
	switched.done = true;
	pthread_join(thread, NULL);
	CHECK(switched.ends > 0 && switched.ends <= SWITCHES + 1);
	gpuoa_tracer_close(switched.tracer);
	played_hsw_end(&played);
	gpuoa_constants_free(constants);
}

int main(void)
{
	RUN(threads_read_metadata_and_constants);
	RUN(threads_share_constants);
	RUN(threads_trace_independently);
	RUN(threads_decode_shared_raw_data);
	RUN(tracer_is_enabled_and_disabled_while_read);
	return tap_end();
}
