// SPDX-License-Identifier: MIT
/*
 * i915_writer.c - write the reports of a stream or recording in the format of i915-perf-recorder
 *
 * A correlation is a clock pair. i915-perf-reader aborts if a report is not between two
 * correlations whose lower halves increase. So interpolated correlations are written before the
 * first report, after the last report, and on both sides of each wrap of a 32-bit timestamp.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/complaint.h"
#include "gpu/i915_topology.h"
#include "reader/recording/i915_format.h"
#include "reader/reader.h"

#define BUFFER_SIZE (64 * 1024)
#define TOPOLOGY_MAX 4096

struct i915_writer {
	struct gpuoa_reader *reader;
	const struct gpuoa_reader_desc *desc;
	const struct gpuoa_time *time;
	gpuoa_write_function write;
	void *context;
	int err; /* first error of @write */
	uint8_t *buffer;
	size_t fill;
	bool has_report;
	uint64_t now; /* ticks of the last report or of a later clock pair */
	bool has_pair;
	uint64_t pair; /* ticks of the last correlation */
};

static void flush(struct i915_writer *writer)
{
	if (!writer->err && writer->fill)
		writer->err = writer->write(writer->context, writer->buffer, writer->fill);
	writer->fill = 0;
}

static void put(struct i915_writer *writer, enum i915_record_type type, const void *body,
		size_t size)
{
	const struct i915_head head = { .type = type, .size = sizeof(head) + size };

	if (writer->fill + head.size > BUFFER_SIZE)
		flush(writer);
	memcpy(writer->buffer + writer->fill, &head, sizeof(head));
	if (size)
		memcpy(writer->buffer + writer->fill + sizeof(head), body, size);
	writer->fill += head.size;
}

static void put_correlation(struct i915_writer *writer, uint64_t ticks, uint64_t ns)
{
	const struct i915_correlation correlation = { .cpu_ns = ns, .gpu_ticks = ticks };

	put(writer, I915_CORRELATION, &correlation, sizeof(correlation));
	writer->pair = ticks;
	writer->has_pair = true;
}

/* Write a correlation for @ticks, if its CPU time can be interpolated. */
static void put_interpolated(struct i915_writer *writer, uint64_t ticks)
{
	uint64_t ns;

	if (writer->has_pair && ticks <= writer->pair)
		return;
	if (!gpuoa_time_to_cpu(writer->time, CLOCK_MONOTONIC, ticks, &ns, NULL))
		put_correlation(writer, ticks, ns);
}

/*
 * If the lower half of the GPU time wraps before @until, write correlations immediately before and
 * after the last wrap.
 */
static void put_wraps(struct i915_writer *writer, uint64_t until)
{
	const uint64_t wrap = until >> 32 << 32;

	if (!writer->has_pair || wrap <= writer->pair)
		return;
	put_interpolated(writer, wrap - 1);
	put_interpolated(writer, wrap);
}

static void take_pair(struct i915_writer *writer, const struct gpuoa_clock_pair *pair)
{
	put_wraps(writer, pair->gpu_ticks);
	/*
	 * Skip a pair that has been written: the first read returns the file's first pair early,
	 * and a later read returns it again.
	 */
	if (!writer->has_pair || pair->gpu_ticks > writer->pair)
		put_correlation(writer, pair->gpu_ticks, pair->cpu_ns);
}

/* Write another correlation before the first report if the report is older than its clock pair. */
static void begin_pairs(struct i915_writer *writer, const struct gpuoa_read_status *status,
			const void *report)
{
	const uint64_t first = gpuoa_report_ticks(writer->desc->format, report, writer->now);

	if (!status->has_clock || first < status->clock.gpu_ticks)
		put_interpolated(writer, first);
	writer->has_report = true;
}

static void take_reports(struct i915_writer *writer, const uint8_t *reports, size_t count)
{
	const size_t size = writer->desc->report_size;

	for (; count; count--, reports += size) {
		writer->now = gpuoa_report_ticks(writer->desc->format, reports, writer->now);
		put_wraps(writer, writer->now);
		put(writer, I915_SAMPLE, reports, size);
	}
}

static void take_losses(struct i915_writer *writer, const struct gpuoa_read_status *status)
{
	if (status->lost_overflow)
		put(writer, I915_BUFFER_LOST, NULL, 0);
	else if (status->lost_hardware || status->lost_ring || status->lost_unknown)
		put(writer, I915_REPORT_LOST, NULL, 0);
}

static int copy_reports(struct i915_writer *writer)
{
	struct gpuoa_read_status status;
	const void *reports;
	int n;

	do {
		n = gpuoa_reader_peek(writer->reader, &reports, SIZE_MAX, &status);
		if (n < 0)
			break;
		take_losses(writer, &status);
		/* If the stream was disabled, the last report may be many wraps ago. */
		if (n && status.has_clock)
			writer->now = status.clock.gpu_ticks;
		if (n && !writer->has_report)
			begin_pairs(writer, &status, reports);
		if (status.has_clock)
			take_pair(writer, &status.clock);
		take_reports(writer, reports, n);
	} while (n && !writer->err);
	if (writer->has_report)
		put_interpolated(writer, writer->now + 1);
	flush(writer);
	return writer->err ? writer->err : n;
}

static const struct gpuoa_set *set_of(const struct gpuoa_reader *reader)
{
	return reader->platform && *reader->desc.uuid ?
		       gpuoa_platform_find_uuid(reader->platform, reader->desc.uuid) :
		       NULL;
}

/* Check that the format can represent the data of the recording. */
static int check(const struct gpuoa_reader *reader, const struct complaint *complaint)
{
	const struct gpuoa_reader_desc *desc = &reader->desc;
	bool masked = false;

	for (size_t i = 0; i < GPUOA_DWORD_MASK_WORDS; i++)
		masked |= desc->dword_mask[i];
	if (masked)
		return COMPLAIN(complaint, -EOPNOTSUPP,
				"it has only some dwords of each report (-m), i915-perf has all");
	if (desc->format > I915_FORMAT_MAX)
		return COMPLAIN(complaint, -EOPNOTSUPP, "i915-perf has no reports in format %s",
				gpuoa_format_name(desc->format));
	if (!set_of(reader))
		return COMPLAIN(complaint, -EOPNOTSUPP,
				"its metric set is not known by name, which i915-perf needs");
	if (!reader->unit.device_id)
		return COMPLAIN(complaint, -ENODATA, "the PCI id of its GPU is not known");
	return 0;
}

static void put_info(struct i915_writer *writer)
{
	const struct i915_version version = { .version = I915_FORMAT_VERSION };
	const struct gpuoa_unit_desc *unit = &writer->reader->unit;
	struct i915_device_info info = {
		.timestamp_frequency = unit->timestamp_frequency,
		.device_id = unit->device_id,
		.revision = unit->revision,
		.gt_min_frequency = unit->gt_min_frequency,
		.gt_max_frequency = unit->gt_max_frequency,
		.engine_class = strncmp(unit->domain, "OAM", 3) ? I915_ENGINE_RENDER :
								  I915_ENGINE_VIDEO,
		.format = writer->desc->format,
	};
	struct gpuoa_set_desc set;

	gpuoa_set_describe(set_of(writer->reader), &set, sizeof(set));
	snprintf(info.set, sizeof(info.set), "%s", set.symbol);
	memcpy(info.uuid, writer->desc->uuid, sizeof(info.uuid));
	put(writer, I915_VERSION, &version, sizeof(version));
	put(writer, I915_DEVICE_INFO, &info, sizeof(info));
}

static int put_topology(struct i915_writer *writer, const struct complaint *complaint)
{
	uint8_t topology[TOPOLOGY_MAX];
	const int size = i915_topology_make(&writer->reader->unit, topology, sizeof(topology));

	if (size < 0)
		return COMPLAIN(complaint, -EBADMSG, "damaged topology");
	put(writer, I915_TOPOLOGY, topology, size);
	return 0;
}

static int find_time(struct i915_writer *writer, const struct complaint *complaint)
{
	uint64_t ns;
	int err = gpuoa_reader_time(writer->reader, &writer->time);

	if (!err)
		err = gpuoa_time_to_cpu(writer->time, CLOCK_MONOTONIC, 0, &ns, NULL);
	if (err == -ENODATA)
		return COMPLAIN(
			complaint, err,
			"nothing in it relates GPU time to CPU time, which i915-perf needs");
	return err == -ERANGE ? 0 : err;
}

int gpuoa_reader_write_i915(struct gpuoa_reader *reader, gpuoa_write_function write, void *context,
			    char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct i915_writer writer = {
		.reader = reader,
		.desc = &reader->desc,
		.write = write,
		.context = context,
	};
	int err = check(reader, &complaint);

	if (!err)
		err = find_time(&writer, &complaint);
	if (!err) {
		writer.buffer = malloc(BUFFER_SIZE);
		err = writer.buffer ? 0 : -ENOMEM;
	}
	if (!err) {
		put_info(&writer);
		err = put_topology(&writer, &complaint);
	}
	if (!err)
		err = copy_reports(&writer);
	free(writer.buffer);
	return complaint_end(&complaint, err);
}
