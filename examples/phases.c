// SPDX-License-Identifier: MIT
/*
 * phases.c - print metrics of a recording for phases given in CPU time
 *
 *   gpuoa record -s RenderBasic -o app.data -- ./app
 *   phases app.data phases.txt [STREAM...]
 *
 * Each line of phases.txt is a phase: begin and end in seconds of CLOCK_MONOTONIC, and a name, such
 * as "1203.25 1203.50 shadows". Phases are in order of time and do not overlap. A recording of a
 * GPU with several tiles has a stream for each: given their numbers, their counters are added.
 * Default: the first stream.
 *
 * Prints a line for each phase, with the part of it that reports cover, and the metrics at or
 * above a watermark, which are the likely bottlenecks.
 */
#include <gpuoa-time.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STREAMS_MAX 16
#define PHASES_MAX 1024

struct input {
	struct gpuoa_reader *reader;
	/* reports that were read and that the resampler has not consumed yet */
	const void *reports;
	size_t count;
};

static struct {
	const char *path;
	struct input inputs[STREAMS_MAX];
	uint32_t input_count;
	/* description of the first stream; all streams have the same set and format */
	struct gpuoa_reader_desc desc;
	struct gpuoa_resampler *resampler;
	union gpuoa_value *values; /* of one row */
	char names[PHASES_MAX][64];
	size_t phase_count;
	char error[512];
} app;

static void check(int err)
{
	if (!err)
		return;
	fprintf(stderr, "phases: %s\n", *app.error ? app.error : strerror(-err));
	exit(1);
}

static void fail(const char *error)
{
	fprintf(stderr, "phases: %s\n", error);
	exit(1);
}

static void open_input(uint32_t stream)
{
	struct input *input = &app.inputs[app.input_count];
	struct gpuoa_reader_desc desc;

	check(gpuoa_file_open_stream(app.path, stream, &input->reader, app.error,
				     sizeof(app.error)));
	gpuoa_reader_describe(input->reader, &desc, sizeof(desc));
	if (app.input_count++ == 0)
		app.desc = desc;
	else if (strcmp(desc.uuid, app.desc.uuid) != 0 || desc.format != app.desc.format)
		fail("the streams are of different sets");
}

static void open_resampler(void)
{
	const struct gpuoa_platform *platform = gpuoa_reader_platform(app.inputs[0].reader);
	const struct gpuoa_calc_options calc = { .size = sizeof(calc), .no_infos = true };
	const struct gpuoa_resampler_options options = { .size = sizeof(options),
							 .list_grows = true,
							 .inputs = app.input_count,
							 .calc = &calc };
	const struct gpuoa_set *set = platform ? gpuoa_platform_find_uuid(platform, app.desc.uuid) :
						 NULL;
	struct gpuoa_constants *constants;

	if (!set)
		fail("the recording is of a set that is not known here");
	/* Add up the number of EUs, slices and other parts of all tiles. */
	check(gpuoa_constants_copy(gpuoa_reader_constants(app.inputs[0].reader), &constants));
	for (uint32_t i = 1; i < app.input_count; i++)
		check(gpuoa_constants_add(constants, gpuoa_reader_constants(app.inputs[i].reader)));
	check(gpuoa_resampler_open(set, constants, app.desc.format, &options, &app.resampler,
				   app.error, sizeof(app.error)));
	gpuoa_constants_free(constants);
	app.values = calloc(gpuoa_resampler_output_count(app.resampler), sizeof(*app.values));
	if (!app.values)
		fail("out of memory");
}

static uint64_t to_ticks(const struct gpuoa_time *time, double seconds)
{
	uint64_t ticks;

	if (gpuoa_time_to_gpu(time, CLOCK_MONOTONIC, (uint64_t)(seconds * 1e9), &ticks, NULL))
		fail("no GPU time is known for CLOCK_MONOTONIC");
	return ticks;
}

static void add_phases(FILE *file)
{
	const struct gpuoa_time *time;
	double begin, end, hz, error;
	struct gpuoa_unit_desc unit;
	struct gpuoa_interval phase;

	check(gpuoa_reader_time(app.inputs[0].reader, &time));
	gpuoa_reader_describe_unit(app.inputs[0].reader, &unit, sizeof(unit));
	if (!gpuoa_time_rate(time, CLOCK_MONOTONIC, &hz, &error))
		printf("# clock of the GPU: %" PRIu64 " Hz nominal, %.3f Hz +- %.3f measured\n",
		       unit.timestamp_frequency, hz, error);
	for (; fscanf(file, "%lf %lf %63s", &begin, &end, app.names[app.phase_count]) == 3;
	     app.phase_count++) {
		phase.begin = to_ticks(time, begin);
		phase.end = to_ticks(time, end);
		check(gpuoa_resampler_add(app.resampler, &phase, 1, app.error, sizeof(app.error)));
		if (app.phase_count + 1 == PHASES_MAX)
			fail("too many phases");
	}
	if (!feof(file))
		fail("a line of the phases is not: BEGIN END NAME");
}

static void print_row(const struct gpuoa_window *row)
{
	struct gpuoa_output_desc output;

	printf("%s: %.1f %% covered", app.names[row->number],
	       100.0 * (double)row->covered / (double)(row->end - row->begin));
	for (size_t i = 0;
	     !gpuoa_resampler_output_describe(app.resampler, i, &output, sizeof(output)); i++) {
		const double value = gpuoa_value_to_double(
			gpuoa_resampler_output_type(app.resampler, i), app.values[i]);
		const enum gpuoa_watermark_level level =
			gpuoa_metric_classify(output.metric, value);

		if (level == GPUOA_WATERMARK_MEDIUM || level == GPUOA_WATERMARK_HIGH)
			printf(", %s %.1f %s (%s)", output.symbol, value, output.units,
			       gpuoa_watermark_level_name(level));
	}
	putchar('\n');
}

/* Read the next reports of an input if it has none. Returns false at the end of the stream. */
static bool refill(uint32_t i)
{
	struct input *input = &app.inputs[i];
	struct gpuoa_read_status status;
	int n;

	if (input->count)
		return true;
	n = gpuoa_reader_peek(input->reader, &input->reports, SIZE_MAX, &status);
	if (n < 0)
		fail("the recording is damaged");
	if (status.gap)
		gpuoa_resampler_discontinuity(app.resampler, i);
	if (status.has_clock)
		gpuoa_resampler_set_time_base(app.resampler, i, status.clock.gpu_ticks);
	if (n == 0 && status.end)
		gpuoa_resampler_end(app.resampler, i);
	input->count = (size_t)n;
	return n > 0 || !status.end;
}

/* Pass reports to the resampler, and print finished phases, until this input has to wait. */
static void run(uint32_t i)
{
	struct input *input = &app.inputs[i];
	struct gpuoa_window row;
	size_t rows, used;

	do {
		rows = gpuoa_resampler_run(app.resampler, i, input->reports, input->count,
					   app.values, &row, 1, &used);
		input->reports = (const char *)input->reports + used * app.desc.report_size;
		input->count -= used;
		if (rows)
			print_row(&row);
	} while (rows);
}

static void run_all(void)
{
	struct gpuoa_window row;
	bool more;

	do {
		more = false;
		for (uint32_t i = 0; i < app.input_count; i++) {
			more |= refill(i);
			run(i);
		}
	} while (more);
	while (gpuoa_resampler_flush(app.resampler, app.values, &row, 1))
		print_row(&row);
}

int main(int argc, char **argv)
{
	FILE *file;

	if (argc < 3 || argc > 3 + STREAMS_MAX) {
		fprintf(stderr, "usage: phases RECORDING PHASES [STREAM...]\n");
		return 2;
	}
	app.path = argv[1];
	file = fopen(argv[2], "r");
	if (!file)
		fail("cannot open the file of phases");
	for (int i = 3; i < argc; i++)
		open_input((uint32_t)strtoul(argv[i], NULL, 10));
	if (argc == 3)
		open_input(0);
	open_resampler();
	add_phases(file);
	run_all();
	fclose(file);
	gpuoa_resampler_close(app.resampler);
	for (uint32_t i = 0; i < app.input_count; i++)
		gpuoa_reader_close(app.inputs[i].reader);
	free(app.values);
	return 0;
}
