// SPDX-License-Identifier: MIT
/*
 * event.c - perf events of an OA unit, opened and read with system calls alone.
 */
#define _GNU_SOURCE
#include "event.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ring.h"

int pmu_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/gpuoa0/type", "r");
	int type = -1;

	if (file) {
		if (fscanf(file, "%d", &type) != 1)
			type = -1;
		fclose(file);
	}
	return type;
}

int unit_open(void)
{
	return open("/dev/gpuoa0", O_RDWR | O_CLOEXEC);
}

static struct perf_event_attr base_attr(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = pmu_type();
	attr.sample_type = PERF_SAMPLE_RAW;
	attr.disabled = 1;
	attr.watermark = 1;
	attr.wakeup_watermark = 1;
	return attr;
}

struct perf_event_attr flat_attr(unsigned int exponent, uint64_t period_ns)
{
	struct perf_event_attr attr = base_attr();

	attr.config = GPUOA_TEST_OA_ID | (uint64_t)exponent << GPUOA_CONFIG_EXPONENT_SHIFT;
	attr.sample_period = period_ns;
	return attr;
}

struct perf_event_attr extensible_attr(struct gpuoa_attr *attr)
{
	struct perf_event_attr perf = base_attr();

	perf.config1 = (uintptr_t)attr;
	return perf;
}

struct gpuoa_attr test_oa_attr(unsigned int exponent)
{
	struct gpuoa_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.flags = GPUOA_ATTR_EXPONENT;
	attr.exponent = exponent;
	attr.metric_set = GPUOA_TEST_OA_ID;
	return attr;
}

int event_open(struct perf_event_attr *attr)
{
	int fd = syscall(SYS_perf_event_open, attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int event_try(struct perf_event_attr *attr)
{
	int fd = event_open(attr);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int reader_open(struct reader *reader, struct perf_event_attr *attr, unsigned int exponent,
		unsigned int order)
{
	size_t page = sysconf(_SC_PAGESIZE);

	memset(reader, 0, sizeof(*reader));
	reader->exponent = exponent;
	reader->data_size = page << order;
	reader->fd = event_open(attr);
	if (reader->fd < 0)
		return reader->fd;

	reader->page = mmap(NULL, page + reader->data_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			    reader->fd, 0);
	if (reader->page == MAP_FAILED) {
		int error = -errno;

		close(reader->fd);
		return error;
	}
	return 0;
}

void reader_close(struct reader *reader)
{
	munmap(reader->page, sysconf(_SC_PAGESIZE) + reader->data_size);
	close(reader->fd);
}

void reader_enable(struct reader *reader)
{
	ioctl(reader->fd, PERF_EVENT_IOC_ENABLE, 0);
}

void reader_disable(struct reader *reader)
{
	ioctl(reader->fd, PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t reader_due(const struct reader *reader)
{
	uint32_t ticks = reader->tally.last_timestamp - reader->tally.first_timestamp;

	return ticks / (2ULL << reader->exponent) + 1;
}

uint64_t reader_lost(const struct reader *reader)
{
	const struct tally *tally = &reader->tally;

	return tally->lost_unknown ? UINT64_MAX : tally->lost + tally->ring_lost;
}

bool reader_was_late(const struct reader *reader)
{
	const struct tally *tally = &reader->tally;
	uint64_t count;

	if (virtual_time())
		return false;
	if (tally->ring_lost)
		return true;

	return reader->page && read(reader->fd, &count, sizeof(count)) == sizeof(count) &&
	       count > tally->reports;
}

static void take_report(struct reader *reader, const uint8_t *report, uint32_t size)
{
	struct tally *tally = &reader->tally;
	uint64_t period = 2ULL << reader->exponent;
	uint32_t head[2];

	if (reader->each) {
		reader->each(reader->context, report, size);
		tally->any = true;
		tally->reports++;
		return;
	}

	memcpy(head, report, sizeof(head));
	if (!head[0] || (!reader->batches && (head[1] & (period - 1)) != period / 2))
		tally->errors++; /* a report that is spurious, or off the timer's grid */

	if (!tally->any) {
		tally->first_timestamp = head[1];
		memcpy(tally->first_report, report,
		       size < sizeof(tally->first_report) ? size : 256);
	} else if (!tally->resync && !reader->filtered &&
		   head[1] != (uint32_t)(tally->last_timestamp + period * (1 + tally->missing))) {
		tally->errors++;
	}
	tally->any = true;
	tally->missing = 0;
	tally->resync = false;
	tally->last_timestamp = head[1];
	memcpy(tally->last_report, report, size < sizeof(tally->last_report) ? size : 256);
	tally->reports++;
}

static void take_reports(struct reader *reader, const uint8_t *data, uint32_t size)
{
	struct tally *tally = &reader->tally;
	struct gpuoa_record_reports head;
	uint32_t i;

	memcpy(&head, data, sizeof(head));
	if (!head.report_size || size != sizeof(head) + (uint64_t)head.count * head.report_size ||
	    (tally->any && head.first < tally->next)) {
		tally->errors++;
		return;
	}
	if (tally->rejoin && head.first != tally->next)
		tally->any = false; /* other events kept the unit enabled meanwhile */
	tally->rejoin = false;
	if (tally->any && head.first != tally->next) {
		tally->ring_lost += head.first - tally->next;
		/* Records of hardware losses may be missing as well. */
		tally->resync = true;
	}
	tally->next = head.first + head.count;
	for (i = 0; i < head.count; i++)
		take_report(reader, data + sizeof(head) + i * head.report_size, head.report_size);
}

static void take_lost(struct tally *tally, const uint8_t *data)
{
	struct gpuoa_record_lost lost;

	memcpy(&lost, data, sizeof(lost));
	if (lost.record.type == GPUOA_RECORD_BUFFER_OVERFLOW)
		tally->overflows++;
	else
		tally->hardware_losses++;
	if (!tally->any) {
		/* The gap may have begun before this event joined, so it is counted separately. */
		tally->lost_before += lost.count == GPUOA_LOST_UNKNOWN ? 0 : lost.count;
		return;
	}
	if (lost.count == GPUOA_LOST_UNKNOWN) {
		tally->lost_unknown++;
		tally->resync = true;
	} else {
		tally->lost += lost.count;
		tally->missing += lost.count;
	}
}

static void take_resume(struct tally *tally, const uint8_t *data)
{
	struct gpuoa_record_enabled resume;

	memcpy(&resume, data, sizeof(resume));
	if (resume.stopped) {
		tally->resumes++;
		tally->any = false; /* a pause is not a gap */
	} else {
		tally->rejoin = true;
	}
}

static void take_clock(struct tally *tally, const uint8_t *data)
{
	struct gpuoa_clock clock;

	memcpy(&clock, data, sizeof(clock));
	if (clock.clock_id == GPUOA_CLOCK_PERF) {
		tally->perf_clock = clock;
		tally->perf_clocks++;
	} else {
		tally->clock = clock;
		tally->clocks++;
	}
}

/* Markers are ordered by time, and no later report precedes a marker. */
static void take_mark(struct tally *tally, const uint8_t *data)
{
	struct gpuoa_marker mark;

	memcpy(&mark, data, sizeof(mark));
	if (mark.gpu_ticks < tally->mark.gpu_ticks || mark.reserved)
		tally->errors++;
	if (tally->any && (uint32_t)mark.gpu_ticks - tally->last_timestamp > UINT32_MAX / 2)
		tally->errors++;
	tally->mark = mark;
	tally->marks++;
}

static void take_record(void *context, const struct gpuoa_record *record, const uint8_t *data)
{
	struct reader *reader = context;
	struct tally *tally = &reader->tally;

	if (tally->gone)
		tally->errors++;
	switch (record->type) {
	case GPUOA_RECORD_STREAM:
		memcpy(&tally->stream, data, sizeof(tally->stream));
		tally->streams++;
		break;
	case GPUOA_RECORD_DWORD_MASK:
		memcpy(&tally->thin, data, sizeof(tally->thin));
		break;
	case GPUOA_RECORD_CLOCK:
		take_clock(tally, data + sizeof(*record));
		break;
	case GPUOA_RECORD_MARKER:
		take_mark(tally, data + sizeof(*record));
		break;
	case GPUOA_RECORD_STATUS:
		tally->statuses++;
		break;
	case GPUOA_RECORD_REPORTS:
		take_reports(reader, data, record->size);
		break;
	case GPUOA_RECORD_BUFFER_OVERFLOW:
	case GPUOA_RECORD_REPORTS_LOST:
		take_lost(tally, data);
		break;
	case GPUOA_RECORD_ENABLED:
		take_resume(tally, data);
		break;
	case GPUOA_RECORD_DEVICE_REMOVED:
		tally->gone++;
		break;
	default:
		tally->errors++;
	}
}

static void take_event(void *context, const uint8_t *event)
{
	struct perf_event_header header;
	struct reader *reader = context;

	memcpy(&header, event, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE && !ring_sample(event, take_record, reader))
		reader->tally.errors++;
}

void reader_drain(struct reader *reader)
{
	ring_drain(reader->page, take_event, reader);
}

static void drain(void *reader)
{
	reader_drain(reader);
}

void reader_run(struct reader *reader, unsigned int ms)
{
	ring_run(reader->fd, ms, drain, reader);
}

struct wanted {
	struct reader *reader;
	uint64_t reports;
};

static bool drain_wanted(void *context)
{
	struct wanted *wanted = context;

	reader_drain(wanted->reader);
	return wanted->reader->tally.reports >= wanted->reports;
}

bool reader_run_reports(struct reader *reader, uint64_t reports)
{
	struct wanted wanted = { reader, reader->tally.reports + reports };

	return ring_run_until(reader->fd, drain_wanted, &wanted);
}

int unit_open_stream(unsigned int unit, struct gpuoa_attr *attr)
{
	char path[32];
	int door, fd;

	snprintf(path, sizeof(path), "/dev/gpuoa%u", unit);
	door = open(path, O_RDWR | O_CLOEXEC);
	if (door < 0)
		return -errno;
	fd = ioctl(door, GPUOA_IOC_OPEN_STREAM, attr);
	if (fd < 0)
		fd = -errno;
	else
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	close(door);
	return fd;
}

int unit_try_stream(unsigned int unit, struct gpuoa_attr *attr)
{
	int fd = unit_open_stream(unit, attr);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

void stream_reader(struct reader *reader, int fd, unsigned int exponent)
{
	memset(reader, 0, sizeof(*reader));
	reader->fd = fd;
	reader->exponent = exponent;
}

/* Samples do not identify the interrupted task. */
static bool is_blank(const uint8_t *sample)
{
	static const uint8_t blank[sizeof(((struct gpuoa_raw *)0)->reserved)];

	return !memcmp(sample + sizeof(uint32_t), blank, sizeof(blank));
}

int stream_drain(struct reader *reader)
{
	static uint8_t samples[4 * GPUOA_STREAM_READ_MIN] __attribute__((aligned(8)));
	ssize_t size, at;
	size_t step;

	for (;;) {
		size = read(reader->fd, samples, sizeof(samples));
		if (size <= 0)
			return !size ? 0 : errno == EAGAIN ? 1 : -errno;
		for (at = 0; at < size; at += step) {
			step = ring_payload(samples + at, size - at, take_record, reader);
			if (!step || step % 8 || !is_blank(samples + at)) {
				reader->tally.errors++;
				break;
			}
			reader->tally.samples++;
		}
	}
}

static void drain_stream(void *reader)
{
	stream_drain(reader);
}

void stream_run(struct reader *reader, unsigned int ms)
{
	ring_run(reader->fd, ms, drain_stream, reader);
}
