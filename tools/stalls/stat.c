// SPDX-License-Identifier: MIT
/*
 * stat.c - gpuoa stalls stat: sample EU stalls while a command runs, and print the totals by reason
 * and by address
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/child.h"
#include "gpuoa-stalls.h"
#include "stalls/stalls.h"

static const char help[] =
	"Usage: gpuoa stalls [stat] [-p CLOCKS] [-n NUMBER] [-- COMMAND ...]\n"
	"       gpuoa stalls stat -i FILE [-n NUMBER]\n"
	"\n"
	"Samples EU stalls while COMMAND runs, or until Ctrl-C, and prints the totals by reason and the\n"
	"addresses with the most samples.\n"
	"\n"
	"  -p, --period CLOCKS    sampling period in GPU clocks: rounded down to one that the hardware supports\n"
	"                         (default: the longest)\n"
	"  -n, --addresses NUMBER maximum number of addresses (default 20; 0: all)\n"
	"  -i, --input FILE       print a recording of 'gpuoa stalls record' instead of sampling\n"
	"\n"
	"All programs that use the GPU are sampled. While sampling, the GPU does not enter RC6.\n"
	"With --csv and --json, a row per address is printed: all addresses, unless -n is given.\n"
	"\n"
	"Examples:\n"
	"  gpuoa stalls ./app\n"
	"  gpuoa stalls stat -p 251 --csv ./app >stalls.csv\n";

struct options {
	uint64_t period;
	uint64_t addresses;
	bool limited; /* -n was given */
	const char *input; /* recording to print; NULL: sample */
	char **argv;
};

#define ADDRESSES_DEFAULT 20

static int take_option(void *argument, const struct tool *tool, int option)
{
	struct options *options = argument;
	uint64_t *number;

	if (option == 'i') {
		options->input = optarg;
		return EXIT_OK;
	}
	number = option == 'p' ? &options->period : &options->addresses;

	if (!parse_number(optarg, number) || *number > UINT32_MAX)
		return usage(tool, "-%c: '%s' is not a number", option, optarg);
	if (option == 'n')
		options->limited = true;
	else if (!options->period)
		return usage(tool, "-p: the period must not be 0");
	return EXIT_OK;
}

static int parse_options(struct options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "period", required_argument, NULL, 'p' },
		{ "addresses", required_argument, NULL, 'n' },
		{ "input", required_argument, NULL, 'i' },
		{ 0 },
	};

	*options = (struct options){ .addresses = ADDRESSES_DEFAULT };
	if (tool_options(tool, argc, argv, "+p:n:i:", longs, take_option, options, exit_code) ==
	    TOOL_EXIT)
		return TOOL_EXIT;
	options->argv = optind < argc ? argv + optind : NULL;
	if (!options->limited && tool->format != OUTPUT_TABLE)
		options->addresses = 0;
	if (options->input && (options->argv || options->period)) {
		*exit_code = usage(tool, "-i prints a recording: neither -p nor a command");
		return TOOL_EXIT;
	}
	return EXIT_OK;
}

/* ---- sampling ---- */

struct totals {
	struct gpuoa_stall_sums *sums;
	struct gpuoa_stall_desc desc;
	uint64_t records;
	uint64_t incomplete;
	uint64_t losses; /* number of times that records were lost */
	uint64_t frequency; /* highest of the GPU when records arrived, Hz; 0: unknown */
	uint64_t begin_ns;
	uint64_t end_ns;
};

static int take(struct gpuoa_stall_stream *stream, struct totals *totals)
{
	struct gpuoa_stall_window window;
	const int err = gpuoa_stall_read(stream, &window, sizeof(window));
	int incomplete;

	if (err == -ENODEV)
		return fail("%s: cannot read EU stalls: the GPU was reset or removed",
			    totals->desc.device);
	if (err)
		return fail("%s: cannot read EU stalls: %s", totals->desc.device, strerror(-err));
	if (!totals->begin_ns)
		totals->begin_ns = window.begin_ns;
	totals->end_ns = window.end_ns;
	totals->records += window.count;
	totals->losses += window.losses;
	incomplete = gpuoa_stall_sums_add(totals->sums, totals->desc.layout, window.records,
					  window.count);
	if (incomplete < 0)
		return fail("cannot add EU stalls: %s", strerror(-incomplete));
	totals->incomplete += (uint64_t)incomplete;
	if (window.count) {
		struct gpuoa_stall_desc now;

		gpuoa_stall_describe(stream, &now, sizeof(now));
		/* The GPU may be idle again, at a lower clock. */
		if (now.frequency > totals->frequency)
			totals->frequency = now.frequency;
	}
	return EXIT_OK;
}

#define WAIT_MS 100
/*
 * The driver looks for records every 5 ms: read what the last instructions of the command have left
 * after two such periods.
 */
#define SETTLE_ROUNDS 4
#define SETTLE_NS 5000000

static int sample(struct gpuoa_stall_stream *stream, struct child *child, struct totals *totals)
{
	const struct timespec settle = { .tv_nsec = SETTLE_NS };
	int ret = EXIT_OK;

	while (!child->done && !ret) {
		child_wait(child, gpuoa_stall_fd(stream), WAIT_MS);
		ret = take(stream, totals);
	}
	for (int i = 0; i < SETTLE_ROUNDS && !ret; i++) {
		nanosleep(&settle, NULL);
		ret = take(stream, totals);
	}
	return ret;
}

/* ---- output ---- */

static uint64_t sum_up(const uint64_t *counts)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < GPUOA_STALL_REASON_COUNT; i++)
		sum += counts[i];
	return sum;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_reasons(const struct totals *totals)
{
	uint64_t counts[GPUOA_STALL_REASONS], all;
	struct output output;

	gpuoa_stall_sums_total(totals->sums, counts);
	all = sum_up(counts);
	output_begin(&output, OUTPUT_TABLE);
	for (unsigned int printed = 0; printed < GPUOA_STALL_REASON_COUNT; printed++) {
		struct gpuoa_stall_reason_desc desc;
		unsigned int most = 0;
		char share[16];

		/* By descending count: there are few reasons. */
		for (unsigned int r = 1; r < GPUOA_STALL_REASON_COUNT; r++)
			if (counts[most] == UINT64_MAX ||
			    (counts[r] != UINT64_MAX && counts[r] > counts[most]))
				most = r;
		gpuoa_stall_describe_reason(most, &desc, sizeof(desc));
		snprintf(share, sizeof(share), "%.1f", percent(counts[most], all));
		{
			const struct field fields[] = {
				FIELD_OF_TEXT("reason", "REASON", desc.name),
				{ .name = "samples",
				  .heading = "SAMPLES",
				  .kind = FIELD_NUMBER,
				  .grouped = true,
				  .number = counts[most] },
				FIELD_OF_TEXT("share", "%", share),
				FIELD_OF_TEXT("title", "MEANING", desc.title),
			};

			if (counts[most])
				output_record(&output, fields, FIELD_COUNT(fields));
		}
		counts[most] = UINT64_MAX;
	}
	output_end(&output);
}

static int by_samples(const void *left, const void *right)
{
	const struct gpuoa_stall_sum *l = left, *r = right;
	const uint64_t a = sum_up(l->counts), b = sum_up(r->counts);

	if (a != b)
		return a > b ? -1 : 1;
	return l->address < r->address ? -1 : l->address > r->address;
}

/* Name the three most frequent reasons other than "active" with their share of all samples. */
static void name_top(const struct gpuoa_stall_sum *sum, char *text, size_t size)
{
	const uint64_t all = sum_up(sum->counts);
	uint64_t counts[GPUOA_STALL_REASONS];
	size_t at = 0;

	memcpy(counts, sum->counts, sizeof(counts));
	counts[GPUOA_STALL_ACTIVE] = 0;
	*text = '\0';
	for (int i = 0; i < 3; i++) {
		struct gpuoa_stall_reason_desc desc;
		unsigned int most = 0;
		int length;

		for (unsigned int r = 1; r < GPUOA_STALL_REASON_COUNT; r++)
			if (counts[r] > counts[most])
				most = r;
		if (!counts[most])
			return;
		gpuoa_stall_describe_reason(most, &desc, sizeof(desc));
		length = snprintf(text + at, size - at, "%s%s %.0f%%", i ? ", " : "", desc.name,
				  percent(counts[most], all));
		at += length > 0 && (size_t)length < size - at ? (size_t)length : 0;
		counts[most] = 0;
	}
}

static void print_address(struct output *output, const struct gpuoa_stall_sum *sum, uint64_t all)
{
	const uint64_t samples = sum_up(sum->counts);
	char address[24], share[16], stalled[16], top[96];
	const struct field fields[] = {
		FIELD_OF_TEXT("address", "ADDRESS", address),
		{ .name = "samples",
		  .heading = "SAMPLES",
		  .kind = FIELD_NUMBER,
		  .grouped = true,
		  .number = samples },
		FIELD_OF_TEXT("share", "%", share),
		FIELD_OF_TEXT("stalled", "STALLED %", stalled),
		FIELD_OF_TEXT("top", "TOP REASONS", top),
	};

	snprintf(address, sizeof(address), "0x%08" PRIx64, sum->address);
	snprintf(share, sizeof(share), "%.1f", percent(samples, all));
	snprintf(stalled, sizeof(stalled), "%.1f",
		 percent(samples - sum->counts[GPUOA_STALL_ACTIVE], samples));
	name_top(sum, top, sizeof(top));
	output_record(output, fields, FIELD_COUNT(fields));
}

/* A row of CSV or JSON: the address, and a column for each reason */
static void print_row(struct output *output, const struct gpuoa_stall_sum *sum)
{
	struct field fields[1 + GPUOA_STALL_REASON_COUNT] = { { 0 } };
	char address[24];

	snprintf(address, sizeof(address), "0x%08" PRIx64, sum ? sum->address : 0);
	fields[0] = (struct field)FIELD_OF_TEXT("address", "ADDRESS", address);
	for (unsigned int r = 0; r < GPUOA_STALL_REASON_COUNT; r++) {
		struct gpuoa_stall_reason_desc desc;

		gpuoa_stall_describe_reason(r, &desc, sizeof(desc));
		fields[1 + r] = (struct field)FIELD_OF_NUMBER(desc.name, desc.name,
							      sum ? sum->counts[r] : 0);
	}
	if (sum)
		output_record(output, fields, FIELD_COUNT(fields));
	else
		output_header(output, fields, FIELD_COUNT(fields));
}

/* Returns all sums by descending number of samples, which the caller frees; NULL: no memory. */
static struct gpuoa_stall_sum *rank(const struct totals *totals, uint32_t count)
{
	struct gpuoa_stall_sum *ranked = calloc((size_t)count + 1, sizeof(*ranked));

	for (uint32_t i = 0; ranked && i < count; i++)
		gpuoa_stall_sums_get(totals->sums, i, &ranked[i], sizeof(ranked[i]));
	if (ranked)
		qsort(ranked, count, sizeof(*ranked), by_samples);
	return ranked;
}

static int print_addresses(const struct tool *tool, const struct totals *totals, uint64_t limit)
{
	const uint32_t count = gpuoa_stall_sums_count(totals->sums);
	struct gpuoa_stall_sum *ranked = rank(totals, count);
	uint64_t counts[GPUOA_STALL_REASONS];
	struct output output;
	uint64_t all;

	if (!ranked)
		return fail("cannot print EU stalls: %s", strerror(ENOMEM));
	gpuoa_stall_sums_total(totals->sums, counts);
	all = sum_up(counts);
	output_begin(&output, tool->format);
	if (tool->format == OUTPUT_CSV)
		print_row(&output, NULL);
	for (uint32_t i = 0; i < count && (!limit || i < limit); i++) {
		if (tool->format == OUTPUT_TABLE)
			print_address(&output, &ranked[i], all);
		else
			print_row(&output, &ranked[i]);
	}
	output_end(&output);
	if (tool->format == OUTPUT_TABLE && limit && count > limit)
		printf("... and %" PRIu64 " more addresses; see -n\n", count - limit);
	free(ranked);
	return EXIT_OK;
}

static void print_period(const struct totals *totals)
{
	const struct gpuoa_stall_desc *desc = &totals->desc;

	printf("%s (%s): every %" PRIu32 " clocks", desc->device, desc->title, desc->period_clocks);
	if (totals->frequency)
		printf(" (%.3g us at %.0f MHz)",
		       1e6 * desc->period_clocks / (double)totals->frequency,
		       (double)totals->frequency / 1e6);
	printf(", %.3f s", (double)(totals->end_ns - totals->begin_ns) / 1e9);
	/* A recording has sums instead of records. */
	if (totals->records)
		printf(", %" PRIu64 " records", totals->records);
	printf("\n");
}

static int print_totals(const struct tool *tool, const struct totals *totals, uint64_t limit)
{
	if (totals->losses)
		note(tool,
		     "%s: records were lost %" PRIu64
		     " times, because a buffer was full: counts are too low; use a longer period",
		     totals->desc.device, totals->losses);
	if (totals->incomplete)
		note(tool, "%s: %" PRIu64 " incomplete records were ignored", totals->desc.device,
		     totals->incomplete);
	if (tool->format != OUTPUT_TABLE)
		return print_addresses(tool, totals, limit);
	print_period(totals);
	if (!gpuoa_stall_sums_count(totals->sums)) {
		printf("no samples: no program ran on the EUs\n");
		return EXIT_OK;
	}
	printf("\n");
	print_reasons(totals);
	printf("\n");
	return print_addresses(tool, totals, limit);
}

/* ---- the command ---- */

static int measure(const struct tool *tool, const struct options *options, struct child *child,
		   struct gpuoa_stall_stream *stream)
{
	struct totals totals = { 0 };
	int ret, print, err = gpuoa_stall_sums_new(&totals.sums);

	if (err)
		return fail("cannot sample EU stalls: %s", strerror(-err));
	gpuoa_stall_describe(stream, &totals.desc, sizeof(totals.desc));
	err = gpuoa_stall_enable(stream);
	ret = err ? fail("%s: cannot sample EU stalls: %s", totals.desc.device, strerror(-err)) :
		    child_start(child);
	if (!ret) {
		/* After an error, print what was sampled before it as well. */
		ret = sample(stream, child, &totals);
		print = print_totals(tool, &totals, options->addresses);
		ret = ret ? ret : print;
	}
	gpuoa_stall_sums_free(totals.sums);
	return ret;
}

/* Print the totals of a recording, which has sums instead of records. */
static int print_recording(const struct tool *tool, const struct options *options)
{
	struct totals totals = { 0 };
	struct gpuoa_stall_window window;
	struct gpuoa_stall_file *file;
	char error[512];
	int ret, print;

	if (gpuoa_stall_file_open(options->input, &file, error, sizeof(error)))
		return fail("%s", error);
	if (gpuoa_stall_sums_new(&totals.sums)) {
		gpuoa_stall_file_close(file);
		return fail("%s: cannot read EU stalls: %s", options->input, strerror(ENOMEM));
	}
	gpuoa_stall_file_describe(file, &totals.desc, sizeof(totals.desc));
	totals.frequency = totals.desc.frequency;
	while ((ret = gpuoa_stall_file_next(file, &window, sizeof(window), totals.sums)) > 0) {
		if (!totals.begin_ns)
			totals.begin_ns = window.begin_ns;
		totals.end_ns = window.end_ns;
		totals.losses += window.losses;
	}
	if (ret)
		print_error("%s: cannot read EU stalls: %s", options->input,
			    ret == -EBADMSG ? "the file is damaged" : strerror(-ret));
	print = print_totals(tool, &totals, options->addresses);
	gpuoa_stall_sums_free(totals.sums);
	gpuoa_stall_file_close(file);
	return ret ? EXIT_FAILED : print;
}

int stalls_stat(struct tool *tool, int argc, char **argv)
{
	struct gpuoa_stall_options stream_options = { .size = sizeof(stream_options),
						      .disabled = true };
	struct gpuoa_stall_stream *stream;
	struct options options;
	struct child child;
	char error[512];
	int ret, status;

	if (!tool->help)
		tool->help = help;
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	if (options.input)
		return print_recording(tool, &options);
	ret = child_check(options.argv);
	if (ret)
		return ret;
	stream_options.period_clocks = (uint32_t)options.period;
	if (gpuoa_stall_open(tool->device, &stream_options, &stream, error, sizeof(error)))
		return fail("%s", error);
	ret = child_prepare(&child, options.argv, 0);
	if (!ret) {
		ret = measure(tool, &options, &child, stream);
		status = child_finish(&child);
		ret = ret ? ret : status;
	}
	gpuoa_stall_close(stream);
	return ret;
}
