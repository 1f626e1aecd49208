// SPDX-License-Identifier: MIT
/*
 * bench_tracer.c - Measure the throughput of reading from a tracer, compared with reading the same
 * stream, and that of decoding the data into entries
 */
#include <stdlib.h>
#include <time.h>

#include "extra/tracer/tracer.h"
#include "fixture.h"
#include "played_hsw.h"

#define SAMPLE_REPORTS 100 /* number of reports per sample; perf limits a sample to 32 KiB */
#define SAMPLES 4000
#define ROUNDS 7
#define ENTRIES_MAX 65536

static uint8_t raw[2 * SAMPLE_REPORTS * TEST_REPORT_SIZE];
static struct gpuoa_entry entries[ENTRIES_MAX];

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_tracer: %s\n", what);
	exit(1);
}

static void begin(struct played *played, const struct gpuoa_constants *constants)
{
	struct bytes records = { 0 };

	played_hsw_begin(played, &played_hsw_ops, constants);
	put_first_sample(&records, PLAYED_ID);
	played_produce(played, &records);
}

static void produce(struct played *played, uint32_t sample)
{
	struct bytes records = { 0 };

	put_reports_sample(&records, PLAYED_ID, sample * SAMPLE_REPORTS, SAMPLE_REPORTS);
	played_produce(played, &records);
}

/* Read all data from the stream. Returns the time it took, in seconds. */
static double read_stream(const struct gpuoa_constants *constants)
{
	struct gpuoa_read_status status;
	struct played played;
	double time = 0;
	int n, reports = 0;

	begin(&played, constants);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		double start;

		produce(&played, i);
		start = now();
		do {
			n = event_reader_read(&played.stream.events, raw, 2 * SAMPLE_REPORTS,
					      &status);
			reports += n;
		} while (n > 0);
		ring_release(&played.stream.ring);
		time += now() - start;
	}
	if (reports != SAMPLES * SAMPLE_REPORTS)
		fail("not all reports were read");
	played_hsw_end(&played);
	return time;
}

/* Returns the seconds spent reading the tracer. @decode: the seconds spent decoding */
static double read_tracer(const struct gpuoa_constants *constants, double *decode,
			  uint64_t *entry_count)
{
	const struct gpuoa_set *set = played_hsw_set();
	struct gpuoa_decoder *decoder;
	struct gpuoa_decoded decoded;
	struct gpuoa_tracer *tracer;
	struct played played;
	struct gpuoa_reader *stream = &played.stream.reader;
	double time = 0;

	begin(&played, constants);
	*decode = *entry_count = 0;
	if (tracer_new(&stream, &set, 1, &tracer) ||
	    gpuoa_decoder_open(tracer, NULL, &decoder, NULL, 0) ||
	    gpuoa_tracer_enable(tracer, true))
		fail("no tracer");
	for (uint32_t i = 0; i < SAMPLES; i++) {
		size_t size = sizeof(raw);
		double start, middle;
		int n;

		produce(&played, i);
		start = now();
		if (gpuoa_tracer_read(tracer, raw, &size, NULL))
			fail("nothing was read");
		middle = now();
		n = gpuoa_decoder_run(decoder, raw, size, true, entries, ENTRIES_MAX, &decoded,
				      sizeof(decoded));
		if (n < 0 || decoded.used != size)
			fail("not all was decoded");
		*entry_count += n;
		*decode += now() - middle;
		time += middle - start;
	}
	gpuoa_decoder_close(decoder);
	gpuoa_tracer_close(tracer);
	played_hsw_end(&played);
	return time;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

int main(void)
{
	double stream[ROUNDS], tracer[ROUNDS], decode[ROUNDS], ratio[ROUNDS];
	struct gpuoa_constants *constants = haswell_gt2();
	uint64_t count = 0;

	for (int i = 0; i < ROUNDS; i++) {
		stream[i] = read_stream(constants);
		tracer[i] = read_tracer(constants, &decode[i], &count);
		ratio[i] = stream[i] / tracer[i];
	}
	printf("bench: tracer.read.reports_per_second %.0f reports/s\n",
	       SAMPLES * SAMPLE_REPORTS / median(tracer));
	printf("bench: tracer.read.of_stream_read %.2f x\n", median(ratio));
	printf("bench: tracer.decode.entries_per_second %.0f entries/s\n", count / median(decode));
	printf("bench: tracer.decode.reports_per_second %.0f reports/s\n",
	       SAMPLES * SAMPLE_REPORTS / median(decode));
	gpuoa_constants_free(constants);
	return 0;
}
