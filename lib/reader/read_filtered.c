// SPDX-License-Identifier: MIT
/*
 * read_filtered.c - filtered reads: by reason or context, the newest reports, or without consuming
 *
 * Reports are filtered in place, and matching ones are copied. If only the newest reports are
 * requested, the caller's buffer is used as a ring until all available reports were read.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/read_status.h"
#include "base/sized.h"
#include "base/ticks.h"
#include "calc/calc.h"
#include "gpuoa-stream.h"
#include "reader/reader.h"

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN sizeof(struct gpuoa_read_options)

/* State of a read. */
struct pass {
	struct gpuoa_reader *reader;
	/* NULL: the format is unknown, and all reports pass the filter */
	const struct report_format *format;
	/* code of the information item for the frequency; NULL: there is none */
	const uint32_t *frequency;
	uint32_t report_id; /* id of the report from which the frequency was computed last */
	bool has_report_id;
	struct filter filter;
	char *room;
	size_t limit; /* number of reports that fit in the caller's buffer */
	/* use the caller's buffer as a ring, in which newer reports overwrite older ones */
	bool newest;
	uint64_t since_gap; /* number of reports copied since the last gap */
	uint64_t copied; /* reports copied in total */
	struct gpuoa_read_detail *detail;
};

/*
 * Returns a set with information items that describe reports: that of the stream; if it is unknown,
 * any set of the same unit; NULL if there is none.
 */
static const struct gpuoa_set *set_of(const struct gpuoa_reader *reader)
{
	const struct gpuoa_set *any = NULL;

	if (!reader->platform)
		return NULL;
	for (size_t i = 0;; i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(reader->platform, i);
		struct gpuoa_set_desc desc;

		if (!set)
			return any;
		gpuoa_set_describe(set, &desc, sizeof(desc));
		if (!strcmp(desc.uuid, reader->desc.uuid))
			return set;
		if (!any && !strcmp(desc.domain, reader->unit.domain))
			any = set;
	}
}

static int pass_begin(struct pass *pass, const struct gpuoa_read_options *options)
{
	const struct gpuoa_set *set = options->set ? options->set : set_of(pass->reader);
	const struct gpuoa_calc_options choice = {
		.reasons = options->reasons,
		.context_filter = options->context_filter,
		.context_id = options->context_id,
	};
	const struct gpuoa_info *info;

	pass->format = format_get(pass->reader->desc.format);
	if (!set || !pass->format)
		return options->reasons || options->context_filter ? -ENODATA : 0;
	info = gpuoa_set_find_info(set, "CoreFrequencyMHz");
	pass->frequency = info ? table_follow(&info->equation) : NULL;
	return filter_make(&pass->filter, set, &choice);
}

/*
 * Update the frequency from a report. A report with the same id as the one before it is skipped,
 * because its frequency is the same.
 */
static void look_at_frequency(struct pass *pass, const void *report)
{
	const struct evaluation header = calc_header(pass->format, NULL, report);
	struct reader_memory *memory = &pass->reader->memory;
	uint32_t mhz;

	if (pass->has_report_id && pass->report_id == (uint32_t)header.report_id)
		return;
	pass->has_report_id = true;
	pass->report_id = (uint32_t)header.report_id;
	mhz = (uint32_t)evaluate(pass->frequency, &header, GPUOA_TYPE_UINT64).integer;
	if (memory->has_frequency && memory->frequency_mhz != mhz)
		pass->detail->frequency_changed = true;
	memory->has_frequency = true;
	memory->frequency_mhz = mhz;
}

/* True if the report passes the filter. */
static bool is_wanted(struct pass *pass, const void *report)
{
	const struct filter *filter = &pass->filter;
	bool *in_context = &pass->reader->memory.in_context;

	if (filter->context)
		*in_context = filter_keeps(filter, pass->format, NULL, report, *in_context);
	return (!filter->context || *in_context) &&
	       (!filter->reason || filter_takes(filter, pass->format, NULL, report));
}

static void copy(struct pass *pass, const void *report)
{
	const size_t size = pass->reader->desc.report_size;

	memcpy(pass->room + pass->since_gap % pass->limit * size, report, size);
	pass->since_gap++;
	pass->copied++;
}

static void take_gap(struct pass *pass, uint64_t end)
{
	const struct reader_memory *memory = &pass->reader->memory;

	pass->since_gap = 0;
	pass->reader->memory.in_context = false;
	pass->detail->gap = (struct gpuoa_interval){
		.begin = memory->has_last ? memory->last : 0,
		.end = end,
	};
}

/*
 * Return the GPU time of a report: the time nearest to the clock pair of this read, or if there is
 * none, to the preceding report.
 */
static uint64_t time_of(const struct pass *pass, const struct gpuoa_read_status *status,
			const void *report)
{
	const struct reader_memory *memory = &pass->reader->memory;
	const uint32_t format = pass->reader->desc.format;

	if (status->has_clock)
		return gpuoa_report_ticks(format, report, status->clock.gpu_ticks);
	return gpuoa_report_ticks(format, report, memory->has_last ? memory->last : 0);
}

/* Examine @count contiguous reports, and copy those that pass the filter. */
static void take_reports(struct pass *pass, const char *report, size_t count,
			 const struct gpuoa_read_status *status)
{
	struct reader_memory *memory = &pass->reader->memory;
	uint64_t time = time_of(pass, status, report);
	uint64_t mask;

	if (status->gap)
		take_gap(pass, time);
	if (!pass->format) {
		for (; count--; report += pass->reader->desc.report_size)
			copy(pass, report);
		return;
	}
	mask = field_mask(pass->format->timestamp);
	for (; count--; report += pass->reader->desc.report_size) {
		time = ticks_after(time, report_read(report, pass->format->timestamp), mask);
		if (pass->frequency)
			look_at_frequency(pass, report);
		if (is_wanted(pass, report))
			copy(pass, report);
		else
			pass->detail->left_out++;
	}
	memory->has_last = true;
	memory->last = time;
}

/*
 * Read until there is a report that passes the filter. If only the newest reports are requested,
 * read until none are left. Returns 0 or a negative errno.
 */
static int read_all(struct pass *pass)
{
	int n;

	do {
		struct gpuoa_read_status status;
		const void *reports;

		n = pass->reader->ops->next(pass->reader, &reports, pass->limit, &status);
		if (n < 0)
			return n;
		status_add(&pass->detail->status, &status);
		if (n)
			take_reports(pass, reports, n, &status);
	} while (n && (pass->newest || !pass->copied));
	return 0;
}

static void swap_reports(char *a, char *b, size_t size)
{
	for (; size--; a++, b++) {
		const char byte = *a;

		*a = *b;
		*b = byte;
	}
}

static void reverse(char *reports, size_t count, size_t size)
{
	for (size_t i = 0; i < count / 2; i++)
		swap_reports(reports + i * size, reports + (count - 1 - i) * size, size);
}

/* Rotate the caller's buffer so that the oldest report is first. Returns the number of reports. */
static size_t unroll(const struct pass *pass)
{
	const size_t size = pass->reader->desc.report_size;
	const size_t first = pass->since_gap % pass->limit;

	if (pass->since_gap <= pass->limit)
		return pass->since_gap;
	if (first) {
		reverse(pass->room, first, size);
		reverse(pass->room + first * size, pass->limit - first, size);
		reverse(pass->room, pass->limit, size);
	}
	return pass->limit;
}

static bool is_outstanding(const struct gpuoa_reader *reader,
			   const struct gpuoa_read_detail *detail)
{
	return reader->ops->outstanding ? reader->ops->outstanding(reader) : !detail->status.end;
}

/* Perform a filtered read. Returns the number of reports or a negative errno. */
static int read_pass(struct pass *pass)
{
	struct gpuoa_read_detail *detail = pass->detail;
	const struct reader_memory *memory = &pass->reader->memory;
	int err = 0;
	size_t count;

	if (pass->newest && pass->reader->ops->look)
		err = pass->reader->ops->look(pass->reader);
	if (!err)
		err = read_all(pass);
	/* If reports precede an error, return them; the next call returns the error again. */
	if (err && !pass->copied)
		return err;
	count = unroll(pass);
	detail->dropped = pass->copied - count;
	detail->outstanding = is_outstanding(pass->reader, detail);
	detail->has_frequency = pass->frequency && memory->has_frequency;
	detail->frequency_mhz = detail->has_frequency ? memory->frequency_mhz : 0;
	if (pass->reader->ops->release)
		pass->reader->ops->release(pass->reader);
	return (int)count;
}

/* The same without consuming anything. */
static int peek(struct pass *pass)
{
	struct gpuoa_reader *reader = pass->reader;
	const struct reader_memory memory = reader->memory;
	int ret;

	if (!reader->ops->look_ahead)
		return -EOPNOTSUPP;
	ret = reader->ops->look_ahead(reader);
	if (ret)
		return ret;
	ret = read_pass(pass);
	reader->ops->look_back(reader);
	reader->memory = memory;
	return ret;
}

int gpuoa_reader_read_filtered(struct gpuoa_reader *reader, void *reports, size_t max,
			       const struct gpuoa_read_options *options,
			       struct gpuoa_read_detail *detail, size_t size)
{
	const struct complaint nobody = { 0 };
	struct gpuoa_read_options known;
	struct gpuoa_read_detail found = { .dropped = 0 };
	struct pass pass = { .reader = reader, .room = reports, .detail = &found };
	int ret = sized_take(&known, sizeof(known), options, OPTIONS_SIZE_MIN, "the options",
			     &nobody);

	if (!ret)
		ret = pass_begin(&pass, &known);
	if (ret)
		return ret;
	pass.newest = known.newest;
	pass.limit = known.newest && known.newest < max ? known.newest : max;
	if (pass.limit > INT_MAX)
		pass.limit = INT_MAX;
	if (pass.limit)
		ret = known.peek ? peek(&pass) : read_pass(&pass);
	sized_give(detail, size, &found, sizeof(found));
	return ret;
}
