// SPDX-License-Identifier: MIT
/*
 * decode.c - print a recording as CSV: a row for each interval, a column for each metric
 *
 *   gpuoa record -s RenderBasic -o app.data -- ./app
 *   decode app.data >app.csv
 */
#include <gpuoa.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_ROWS 256

/* Return the metric set of the recording, or NULL if the library does not have it. */
static const struct gpuoa_set *recorded_set(const struct gpuoa_reader *reader)
{
	const struct gpuoa_platform *platform = gpuoa_reader_platform(reader);
	struct gpuoa_reader_desc desc;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	return platform ? gpuoa_platform_find_uuid(platform, desc.uuid) : NULL;
}

/* Metrics that this GPU does not have are columns of zeros. */
static void print_excluded(const struct gpuoa_calc *calc)
{
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	char reason[256];

	for (size_t i = 0; (metric = gpuoa_calc_excluded(calc, i, reason, sizeof(reason))); i++) {
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		fprintf(stderr, "decode: %s is not available: %s\n", desc.symbol, reason);
	}
}

static void print_heading(const struct gpuoa_calc *calc)
{
	struct gpuoa_output_desc column;

	printf("end_ticks");
	for (size_t i = 0; !gpuoa_calc_output_describe(calc, i, &column, sizeof(column)); i++)
		printf(",%s", column.symbol);
	putchar('\n');
}

static void print_row(const struct gpuoa_calc *calc, const struct gpuoa_interval *interval,
		      const union gpuoa_value *row)
{
	printf("%" PRIu64, interval->end);
	for (size_t i = 0; i < gpuoa_calc_output_count(calc); i++) {
		if (gpuoa_calc_output_type(calc, i) == GPUOA_TYPE_FLOAT)
			printf(",%.9g", (double)row[i].f32);
		else
			printf(",%" PRIu64, row[i].u64);
	}
	putchar('\n');
}

/* Returns 0, or a negative errno. */
static int print_rows(struct gpuoa_reader *reader, struct gpuoa_calc *calc)
{
	const size_t columns = gpuoa_calc_output_count(calc);
	union gpuoa_value *values = calloc(MAX_ROWS * columns, sizeof(*values));
	struct gpuoa_interval intervals[MAX_ROWS];
	struct gpuoa_read_status status;
	int rows;

	if (!values)
		abort();
	print_heading(calc);
	while ((rows = gpuoa_calc_read(calc, reader, values, intervals, MAX_ROWS, &status)) > 0)
		for (int i = 0; i < rows; i++)
			print_row(calc, &intervals[i], values + i * columns);
	free(values);
	return rows;
}

static int decode(struct gpuoa_reader *reader)
{
	const struct gpuoa_set *set = recorded_set(reader);
	struct gpuoa_reader_desc desc;
	struct gpuoa_calc *calc;
	char error[256];
	int err;

	if (!set) {
		fprintf(stderr, "decode: the recording is of a set that is not known here\n");
		return 1;
	}
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	if (gpuoa_calc_open(set, gpuoa_reader_constants(reader), desc.format, NULL, &calc, error,
			    sizeof(error))) {
		fprintf(stderr, "decode: %s\n", error);
		return 1;
	}
	print_excluded(calc);
	err = print_rows(reader, calc);
	gpuoa_calc_close(calc);
	if (err)
		fprintf(stderr, "decode: the recording is damaged from here on\n");
	return err ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct gpuoa_reader *reader;
	char error[512];
	int status;

	if (argc != 2) {
		fprintf(stderr, "usage: decode FILE\n");
		return 2;
	}
	if (gpuoa_file_open(argv[1], &reader, error, sizeof(error))) {
		fprintf(stderr, "decode: %s\n", error);
		return 1;
	}
	status = decode(reader);
	gpuoa_reader_close(reader);
	return status;
}
