// SPDX-License-Identifier: MIT
/*
 * iostream.c - use an IO stream: options, open, wait, read, calculate, report losses, close
 *
 *   iostream [SET]     default: RenderBasic
 *
 * Prints each metric and information item over ROWS intervals: symbol, mean, largest value, the
 * largest possible value of that interval, units. Intervals with an invalid value (after a division
 * by 0) are skipped.
 */
#include <gpuoa-stream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 100
#define PERIOD_NS 1000000

struct iostream {
	struct gpuoa_unit *unit;
	struct gpuoa_reader *reader;
	struct gpuoa_calc *calc;
	size_t columns; /* metrics, information items, maxima, validity */
	size_t rows;
	union gpuoa_value *values; /* ROWS rows of these columns */
	unsigned long long overflow, hardware, ring; /* numbers of lost reports */
};

static int fail(const char *what)
{
	fprintf(stderr, "iostream: %s\n", what);
	return 1;
}

static int open_stream(struct iostream *stream, const char *symbol)
{
	struct gpuoa_stream_options options = { .size = sizeof(options),
						.period_ns = PERIOD_NS,
						.rounding = GPUOA_ROUNDING_NEAREST,
						.notify_reports = 20 };
	const struct gpuoa_calc_options all = { .size = sizeof(all),
						.maxima = true,
						.validity = true };
	const struct gpuoa_constants *constants;
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *set;
	struct gpuoa_reader_desc desc;
	char error[512];

	if (gpuoa_unit_open(NULL, &stream->unit, error, sizeof(error)))
		return fail(error);
	platform = gpuoa_unit_platform(stream->unit);
	constants = gpuoa_unit_constants(stream->unit);
	set = platform ? gpuoa_platform_find_set(platform, symbol, NULL, constants) : NULL;
	if (!set)
		return fail("the GPU has no such set");
	/* The hardware's timer has only some periods: get the one that a stream would use. */
	if (gpuoa_stream_resolve_options(stream->unit, set, &options, error, sizeof(error)))
		return fail(error);
	printf("# a report every %llu ns\n", (unsigned long long)options.period_ns);
	if (gpuoa_stream_open(stream->unit, set, &options, &stream->reader, error, sizeof(error)))
		return fail(error);
	gpuoa_reader_describe(stream->reader, &desc, sizeof(desc));
	if (gpuoa_calc_open(set, constants, desc.format, &all, &stream->calc, NULL, 0))
		return fail("the set cannot be calculated");
	stream->columns = gpuoa_calc_output_count(stream->calc);
	stream->values = calloc(ROWS * stream->columns, sizeof(*stream->values));
	return stream->values ? 0 : fail("out of memory");
}

/* Wait and read until all rows are filled. Returns 0, or a negative errno. */
static int read_rows(struct iostream *stream)
{
	struct gpuoa_read_status status;
	int n;

	while (stream->rows < ROWS) {
		n = gpuoa_calc_read(stream->calc, stream->reader,
				    stream->values + stream->rows * stream->columns, NULL,
				    ROWS - stream->rows, &status);
		if (n < 0)
			return n;
		stream->rows += n;
		stream->overflow += status.lost_overflow;
		stream->hardware += status.lost_hardware;
		stream->ring += status.lost_ring;
		n = n ? 0 : gpuoa_reader_wait(stream->reader, -1);
		if (n)
			return n;
	}
	return 0;
}

static double value(const struct iostream *stream, size_t row, size_t column)
{
	return gpuoa_value_to_double(gpuoa_calc_output_type(stream->calc, column),
				     stream->values[row * stream->columns + column]);
}

/* @max, @valid: index of the column with the maximum or the validity of @column; 0: none */
static void print_column(const struct iostream *stream, size_t column, size_t max, size_t valid)
{
	struct gpuoa_output_desc desc;
	double sum = 0, largest = 0, most = 0;
	size_t count = 0;

	for (size_t row = 0; row < stream->rows; row++) {
		if (valid && !value(stream, row, valid))
			continue;
		sum += value(stream, row, column);
		if (count++ && value(stream, row, column) <= largest)
			continue;
		largest = value(stream, row, column);
		most = max ? value(stream, row, max) : 0;
	}
	gpuoa_calc_output_describe(stream->calc, column, &desc, sizeof(desc));
	printf("%s %g %g %g %s\n", desc.symbol, count ? sum / count : 0, largest, most, desc.units);
}

static void print_all(const struct iostream *stream)
{
	struct gpuoa_output_desc desc;
	size_t metrics = 0, items = 0;

	for (size_t i = 0; i < stream->columns; i++) {
		gpuoa_calc_output_describe(stream->calc, i, &desc, sizeof(desc));
		metrics += desc.role == GPUOA_OUTPUT_METRIC;
		items += desc.role == GPUOA_OUTPUT_INFO;
	}
	for (size_t i = 0; i < metrics; i++)
		print_column(stream, i, metrics + items + i, 2 * metrics + items + i);
	for (size_t i = metrics; i < metrics + items; i++)
		print_column(stream, i, 0, 0);
	printf("# %zu intervals; lost: %llu in the GPU's buffer, %llu by the GPU, %llu here\n",
	       stream->rows, stream->overflow, stream->hardware, stream->ring);
}

int main(int argc, char **argv)
{
	struct iostream stream = { .rows = 0 };
	int status = open_stream(&stream, argc > 1 ? argv[1] : "RenderBasic");

	const int err = status ? 0 : read_rows(&stream);

	if (err)
		status = fail(strerror(-err));
	if (!status)
		print_all(&stream);
	free(stream.values);
	gpuoa_calc_close(stream.calc);
	gpuoa_reader_close(stream.reader);
	gpuoa_unit_close(stream.unit);
	return status;
}
