// SPDX-License-Identifier: MIT
/*
 * i915_file.c - read a recording of i915-perf-recorder
 *
 * Such a file contains PCI device, metric set and topology. Constants are computed from these; the
 * definitions of metrics are those of the library. The file does not contain the number of lost
 * reports.
 */
#include "reader/recording/i915_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ticks.h"
#include "gpu/i915_topology.h"
#include "gpu/platforms.h"
#include "gpu/topology.h"
#include "reader/recording/file_reader.h"
#include "reader/recording/i915_format.h"

#define WINDOW_SIZE (256 * 1024) /* several of the largest records */

/* The members that all versions of the format have in common */
struct beginning {
	struct i915_head head;
	struct i915_version version;
};

static bool read_beginning(int fd, struct beginning *beginning)
{
	return pread(fd, beginning, sizeof(*beginning), 0) == sizeof(*beginning) &&
	       beginning->head.type == I915_VERSION && beginning->head.size == sizeof(*beginning);
}

static int open_plainly(const char *path)
{
	/* Do not wait for a writer if the file is a named pipe. */
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

bool i915_records_recognise(const char *path)
{
	const int fd = open_plainly(path);
	struct beginning beginning;
	bool is_one;

	if (fd < 0)
		return false;
	is_one = read_beginning(fd, &beginning);
	close(fd);
	return is_one;
}

static int check(const struct i915_records *records, const struct complaint *complaint)
{
	struct beginning beginning;

	if (!read_beginning(records->fd, &beginning))
		return COMPLAIN(complaint, -EBADMSG, "not a recording of i915-perf-recorder");
	if (beginning.version.version != I915_FORMAT_VERSION)
		return COMPLAIN(
			complaint, -EOPNOTSUPP,
			"version %u of i915-perf-recorder's format; only version %u is supported",
			beginning.version.version, I915_FORMAT_VERSION);
	return 0;
}

int i915_records_open(struct i915_records *records, const char *path,
		      const struct complaint *complaint)
{
	struct stat st;
	int err;

	*records = (struct i915_records){ .fd = open_plainly(path) };
	if (records->fd < 0)
		return -errno;
	err = fstat(records->fd, &st) ? -errno : 0;
	if (!err && !S_ISREG(st.st_mode))
		err = COMPLAIN(complaint, -ESPIPE, "not a regular file");
	if (!err)
		err = check(records, complaint);
	if (!err) {
		records->file_size = st.st_size;
		records->window = malloc(WINDOW_SIZE);
		err = records->window ? 0 : -ENOMEM;
	}
	if (err)
		i915_records_close(records);
	return err;
}

void i915_records_close(struct i915_records *records)
{
	free(records->window);
	close(records->fd);
}

void i915_records_rewind(struct i915_records *records)
{
	records->fill = 0;
	records->at = 0;
	records->read = 0;
}

int i915_records_leave(struct i915_records *records, struct i915_records *place)
{
	uint8_t *window = malloc(WINDOW_SIZE);

	if (!window)
		return -ENOMEM;
	*place = *records;
	records->window = window;
	i915_records_rewind(records);
	return 0;
}

void i915_records_return(struct i915_records *records, const struct i915_records *place)
{
	free(records->window);
	*records = *place;
}

/*
 * Read until the window has at least @size unread bytes. Returns 1, 0 if the file is shorter, or a
 * negative errno.
 */
static int need(struct i915_records *records, size_t size)
{
	const size_t rest = records->fill - records->at;

	if (rest >= size)
		return 1;
	if (rest)
		memmove(records->window, records->window + records->at, rest);
	records->fill = rest;
	records->at = 0;
	while (records->fill < size && records->read < records->file_size) {
		const ssize_t n = pread(records->fd, records->window + records->fill,
					WINDOW_SIZE - records->fill, records->read);

		if (n < 0)
			return -errno;
		if (!n)
			break;
		records->fill += n;
		records->read += n;
	}
	return records->fill >= size;
}

int i915_records_next(struct i915_records *records, struct i915_record *record)
{
	struct i915_head head;
	int ret = need(records, sizeof(head));

	if (ret <= 0)
		return ret;
	memcpy(&head, records->window + records->at, sizeof(head));
	if (head.size < sizeof(head))
		return -EBADMSG;
	ret = need(records, head.size);
	if (ret <= 0)
		return ret;
	*record = (struct i915_record){
		.type = head.type,
		.size = head.size - sizeof(head),
		.body = records->window + records->at + sizeof(head),
	};
	records->at += head.size;
	return 1;
}

#define TIMESTAMP_MASK ((UINT64_C(1) << I915_TIMESTAMP_BITS) - 1)

/*
 * Assumed error of a correlation. The recorder uses the fastest of three reads of the register, but
 * does not store how long it took.
 */
#define ERROR_NS 100000

/* Minimum time in ns between two correlations from which the rate of the clock is measured */
#define APART_NS 1000000

#define SHIFT_MAX 3

struct gpuoa_clock_pair i915_clock_pair(struct i915_clock *clock,
					const struct i915_correlation *correlation)
{
	clock->last = clock->has_last ?
			      ticks_near(clock->last, correlation->gpu_ticks & TIMESTAMP_MASK,
					 TIMESTAMP_MASK) :
			      correlation->gpu_ticks;
	clock->has_last = true;
	return (struct gpuoa_clock_pair){
		.gpu_ticks = clock->last << clock->shift,
		.cpu_ns = correlation->cpu_ns,
		.clock_id = CLOCK_MONOTONIC,
		.error_ns = ERROR_NS,
	};
}

unsigned int i915_clock_shift(const struct i915_correlation *first,
			      const struct i915_correlation *second, uint64_t frequency)
{
	const uint64_t ticks = (second->gpu_ticks - first->gpu_ticks) & TIMESTAMP_MASK;
	const uint64_t ns = second->cpu_ns - first->cpu_ns;
	double ratio;
	unsigned int shift = 0;

	if (second->cpu_ns <= first->cpu_ns || ns < APART_NS || !ticks)
		return 0;
	ratio = frequency / (ticks * 1e9 / ns);
	/* Find the power of two that the ratio is close to. */
	for (; shift < SHIFT_MAX && ratio > 1.5; shift++)
		ratio /= 2;
	return ratio > 0.95 && ratio < 1.05 ? shift : 0;
}

/* Maximum number of consecutive reports, each from a separate record, that are returned at once */
#define BATCH 64

struct i915_file {
	struct file_source head;
	struct i915_records records;
	struct i915_clock clock;
	uint8_t *batch;
	uint64_t number; /* sequence number of the next report */
	int err; /* error to return after the reports in .batch */
	struct rawdata_item held; /* item to return after the reports in .batch */
	bool has_held;
};

static struct i915_file *to_file(struct gpuoa_reader *reader)
{
	return (struct i915_file *)reader;
}

/* Convert a record that is not a report. Returns 1, 0 if there is no item for it, or -EBADMSG. */
static int take_record(struct i915_file *file, const struct i915_record *record,
		       struct rawdata_item *item)
{
	struct i915_correlation correlation;

	switch (record->type) {
	case I915_REPORT_LOST:
	case I915_BUFFER_LOST:
		item->kind = RAWDATA_LOST;
		item->lost = (struct rawdata_lost){ .unknown = true };
		return 1;
	case I915_CORRELATION:
		if (record->size < sizeof(correlation))
			return -EBADMSG;
		memcpy(&correlation, record->body, sizeof(correlation));
		item->kind = RAWDATA_CLOCK;
		item->clock = i915_clock_pair(&file->clock, &correlation);
		return 1;
	default:
		return 0;
	}
}

/*
 * Collect reports up to the next record that is not a report, which is stored until the next call.
 * Returns as i915_records_next().
 */
static int fill_batch(struct i915_file *file, size_t *count)
{
	const size_t size = file->head.reader.desc.report_size;
	struct i915_record record;
	int ret = 1;

	*count = 0;
	while (*count < BATCH && !file->has_held &&
	       (ret = i915_records_next(&file->records, &record)) > 0) {
		if (record.type == I915_SAMPLE) {
			if (record.size != size)
				return -EBADMSG;
			memcpy(file->batch + *count * size, record.body, size);
			++*count;
			continue;
		}
		ret = take_record(file, &record, &file->held);
		if (ret < 0)
			return ret;
		file->has_held = ret;
	}
	return ret;
}

static int next_event(void *ctx, struct stream_event *event)
{
	struct i915_file *file = ctx;
	size_t count = 0;
	int ret = file->err;

	if (!ret)
		ret = fill_batch(file, &count);
	if (ret < 0)
		file->err = ret;
	event->kind = STREAM_EVENT_ITEM;
	if (count) {
		event->item.kind = RAWDATA_REPORTS;
		event->item.reports = (struct rawdata_reports){
			.data = file->batch,
			.first = file->number,
			.size = file->head.reader.desc.report_size,
			.count = count,
		};
		file->number += count;
		return 1;
	}
	if (!file->has_held)
		return ret;
	event->item = file->held;
	file->has_held = false;
	return 1;
}

/*
 * Find all clock pairs of the file, without changing the read position. Damage ends this without an
 * error, because reads report it.
 */
static int find_pairs(struct gpuoa_reader *reader)
{
	struct i915_file *file = to_file(reader);
	const struct i915_clock clock = file->clock;
	struct i915_records place;
	struct i915_record record;
	struct rawdata_item item;
	int err = i915_records_leave(&file->records, &place);

	if (err)
		return err;
	file->clock = (struct i915_clock){ .shift = clock.shift };
	while (!err && i915_records_next(&file->records, &record) > 0)
		if (record.type == I915_CORRELATION && take_record(file, &record, &item) > 0)
			err = side_data_take_clock(&reader->side_data, &item.clock);
	file->clock = clock;
	i915_records_return(&file->records, &place);
	return err;
}

static void file_close(struct gpuoa_reader *reader)
{
	struct i915_file *file = to_file(reader);

	file_source_fini(&file->head);
	i915_records_close(&file->records);
	free(file->batch);
	free(file);
}

static const struct reader_ops i915_file_ops = {
	.read = file_source_read,
	.next = file_source_next,
	.find_pairs = find_pairs,
	.close = file_close,
};

/* Copy a string of the file, which may not be NUL-terminated. */
static void take_string(char *to, size_t room, const char *from, size_t size)
{
	snprintf(to, room, "%.*s", (int)size, from);
}

static const char *domain_of(uint32_t engine_class)
{
	return engine_class == I915_ENGINE_VIDEO || engine_class == I915_ENGINE_VIDEO_ENHANCE ?
		       "OAM0" :
		       "OA";
}

static void describe(struct i915_file *file, const struct i915_device_info *info)
{
	const struct gpu_platform *platform = gpu_platform_of_device(info->device_id);
	struct gpuoa_reader_desc *desc = &file->head.reader.desc;
	struct gpuoa_unit_desc *unit = &file->head.reader.unit;

	*desc = (struct gpuoa_reader_desc){
		.format = info->format,
		.report_size = gpuoa_format_size(info->format),
		.delivery = GPUOA_DELIVERY_RAW,
		.streams = 1,
	};
	take_string(desc->uuid, sizeof(desc->uuid), info->uuid, sizeof(info->uuid));
	*unit = (struct gpuoa_unit_desc){
		.name = "i915-perf",
		.timestamp_frequency = info->timestamp_frequency,
		.gt_min_frequency = info->gt_min_frequency,
		.gt_max_frequency = info->gt_max_frequency,
		.formats = UINT64_C(1) << info->format,
		.default_format = info->format,
		.device_id = info->device_id,
		.revision = info->revision,
	};
	if (platform)
		take_string(unit->platform, sizeof(unit->platform), platform->name,
			    sizeof(platform->name));
	else
		snprintf(unit->platform, sizeof(unit->platform), "8086:%04x", info->device_id);
	/*
	 * The file does not identify the device: assume that files with equal device ids are from
	 * the same GPU.
	 */
	snprintf(unit->parent, sizeof(unit->parent), "8086:%04x", info->device_id);
	snprintf(unit->domain, sizeof(unit->domain), "%s", domain_of(info->engine_class));
}

static int take_info(struct i915_file *file, const struct i915_record *record,
		     const struct complaint *complaint)
{
	struct i915_device_info info;

	if (record->size < sizeof(info))
		return COMPLAIN(complaint, -EBADMSG, "damaged description of the GPU");
	memcpy(&info, record->body, sizeof(info));
	if (!info.timestamp_frequency)
		return COMPLAIN(complaint, -EBADMSG, "damaged (no timestamp frequency)");
	if (info.format > I915_FORMAT_MAX || !gpuoa_format_size(info.format))
		return COMPLAIN(complaint, -EOPNOTSUPP, "unknown report format %u", info.format);
	describe(file, &info);
	return 0;
}

/* Found while opening a file. */
struct findings {
	bool info;
	bool topology;
	unsigned int correlations;
	struct i915_correlation first, second;
};

static int take_topology(struct i915_file *file, const struct i915_record *record,
			 const struct complaint *complaint)
{
	return i915_topology_take(record->body, record->size, &file->head.reader.unit) ?
		       COMPLAIN(complaint, -EBADMSG, "damaged topology") :
		       0;
}

static int look_at(struct i915_file *file, const struct i915_record *record,
		   struct findings *findings, const struct complaint *complaint)
{
	struct i915_correlation *correlation;

	switch (record->type) {
	case I915_DEVICE_INFO:
		findings->info = true;
		return take_info(file, record, complaint);
	case I915_TOPOLOGY:
		/*
		 * Skip a topology before the device id: its interpretation depends on the platform.
		 */
		if (!findings->info)
			return 0;
		findings->topology = true;
		return take_topology(file, record, complaint);
	case I915_CORRELATION:
		correlation = findings->correlations++ ? &findings->second : &findings->first;
		if (record->size >= sizeof(*correlation))
			memcpy(correlation, record->body, sizeof(*correlation));
		return 0;
	default:
		return 0;
	}
}

/*
 * Find the description of the GPU and the first two correlations. Usually they are at the beginning
 * of the file.
 */
static int look_through(struct i915_file *file, const struct complaint *complaint)
{
	struct findings findings = { .info = false };
	struct i915_record record;
	int ret = 1;

	while (!(findings.info && findings.topology && findings.correlations >= 2) &&
	       (ret = i915_records_next(&file->records, &record)) > 0) {
		const int err = look_at(file, &record, &findings, complaint);

		if (err)
			return err;
	}
	/* If the file is damaged after the part needed here, reads report the damage. */
	if (!findings.info || !findings.topology)
		return ret < 0 && ret != -EBADMSG ?
			       ret :
			       COMPLAIN(complaint, -EBADMSG, "damaged (no description of the GPU)");
	if (findings.correlations >= 2)
		file->clock.shift = i915_clock_shift(&findings.first, &findings.second,
						     file->head.reader.unit.timestamp_frequency);
	if (findings.correlations) {
		struct i915_clock clock = file->clock;

		file->head.first_clock = i915_clock_pair(&clock, &findings.first);
		file->head.clock_ahead = true;
	}
	i915_records_rewind(&file->records);
	return 0;
}

static int prepare(struct i915_file *file, const struct complaint *complaint)
{
	struct gpuoa_reader *reader = &file->head.reader;
	int err = look_through(file, complaint);

	if (err)
		return err;
	reader->platform = gpuoa_platform_find(reader->unit.platform);
	err = topology_constants(&reader->unit, reader->platform, &file->head.constants);
	if (err)
		return err;
	reader->constants = file->head.constants;
	file->batch = calloc(BATCH, reader->desc.report_size);
	if (!file->batch)
		return -ENOMEM;
	return file_source_begin(&file->head, next_event);
}

int i915_file_open(const char *path, const uint32_t *index, struct gpuoa_reader **reader,
		   const struct complaint *complaint)
{
	struct i915_file *file;
	int err;

	if (index && *index)
		return COMPLAIN(complaint, -ERANGE, "it has only stream 0");
	file = calloc(1, sizeof(*file));
	if (!file)
		return -ENOMEM;
	err = i915_records_open(&file->records, path, complaint);
	if (err) {
		free(file);
		return err;
	}
	file->head.reader.ops = &i915_file_ops;
	err = prepare(file, complaint);
	if (err)
		file_close(&file->head.reader);
	else
		*reader = &file->head.reader;
	return err;
}
