// SPDX-License-Identifier: MIT
/*
 * aux.c - reader of reports in the AUX area of a perf event, implemented with system calls alone.
 */
#define _GNU_SOURCE
#include "aux.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "ring.h"

#define DATA_PAGES 256

struct gpuoa_attr aux_attr(unsigned int exponent)
{
	struct gpuoa_attr attr = test_oa_attr(exponent);

	attr.flags |= GPUOA_ATTR_AUX;
	return attr;
}

static void take_report(struct aux_reader *reader, const uint8_t *report)
{
	struct aux_tally *tally = &reader->tally;
	uint64_t period = 2ULL << reader->exponent;
	uint32_t head[2];

	memcpy(head, report, sizeof(head));
	if (!head[0] || (head[1] & (period - 1)) != period / 2)
		tally->errors++;
	if (!tally->any) {
		tally->first_timestamp = head[1];
		memcpy(tally->first_report, report, sizeof(tally->first_report));
	} else if (!tally->resync &&
		   head[1] != (uint32_t)(tally->last_timestamp + period * (1 + tally->missing))) {
		tally->errors++;
	}
	tally->any = true;
	tally->resync = false;
	tally->missing = 0;
	tally->last_timestamp = head[1];
	tally->reports++;
	memcpy(tally->last_report, report, sizeof(tally->last_report));
}

int aux_open(struct aux_reader *reader, struct perf_event_attr *attr, unsigned int exponent)
{
	memset(reader, 0, sizeof(*reader));
	reader->exponent = exponent;
	reader->format = GPUOA_FORMAT_A45_B8_C8;
	reader->report_size = 256;
	reader->take = take_report;
	reader->data_size = DATA_PAGES * AUX_PAGE;
	reader->fd = event_open(attr);
	if (reader->fd < 0)
		return reader->fd;
	reader->page = mmap(NULL, AUX_PAGE + reader->data_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			    reader->fd, 0);
	if (reader->page == MAP_FAILED) {
		int error = -errno;

		close(reader->fd);
		return error;
	}
	return 0;
}

int aux_map(struct aux_reader *reader, uint64_t size, bool writable)
{
	void *area;

	reader->page->aux_offset = AUX_PAGE + reader->data_size;
	reader->page->aux_size = size;
	area = mmap(NULL, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, reader->fd,
		    reader->page->aux_offset);
	if (area == MAP_FAILED)
		return -errno;
	reader->area = area;
	reader->size = size;
	return 0;
}

void aux_unmap(struct aux_reader *reader)
{
	if (reader->area)
		munmap(reader->area, reader->size);
	reader->area = NULL;
}

void aux_close(struct aux_reader *reader)
{
	aux_unmap(reader);
	munmap(reader->page, AUX_PAGE + reader->data_size);
	close(reader->fd);
}

int aux_enable(struct aux_reader *reader)
{
	return ioctl(reader->fd, PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

int aux_disable(struct aux_reader *reader)
{
	return ioctl(reader->fd, PERF_EVENT_IOC_DISABLE, 0) ? -errno : 0;
}

uint64_t aux_head(const struct aux_reader *reader)
{
	return __atomic_load_n(&reader->page->aux_head, __ATOMIC_ACQUIRE);
}

uint64_t aux_due(const struct aux_reader *reader)
{
	uint32_t ticks = reader->tally.last_timestamp - reader->tally.first_timestamp;

	return ticks / (2ULL << reader->exponent) + 1;
}

/* Get the report at a position. One that crosses the end of the area is copied. */
static const uint8_t *report_at(struct aux_reader *reader, uint64_t at)
{
	uint64_t offset = at % reader->size;
	uint64_t before_end = reader->size - offset;

	if (before_end >= reader->report_size)
		return reader->area + offset;
	memcpy(reader->joined, reader->area + offset, before_end);
	memcpy(reader->joined + before_end, reader->area, reader->report_size - before_end);
	return reader->joined;
}

/* Get the number of bytes up to the end of the area if no report begins there. */
static uint64_t unused(const struct aux_reader *reader, uint64_t at)
{
	uint64_t before_end = reader->size - at % reader->size;

	return !reader->splits && before_end < reader->report_size ? before_end : 0;
}

/* Check whether a report may begin at a position, or the unused rest of the area. */
static bool is_slot(const struct aux_reader *reader, uint64_t at)
{
	return (reader->splits ? at : at % reader->size) % reader->report_size == 0;
}

static void take_aux(struct aux_reader *reader, const uint8_t *event)
{
	struct aux_tally *tally = &reader->tally;
	struct {
		struct perf_event_header header;
		uint64_t offset, size, flags;
	} aux;
	uint64_t at;

	memcpy(&aux, event, sizeof(aux));
	if ((aux.flags & PERF_AUX_FLAG_PMU_FORMAT_TYPE_MASK) >> 8 != reader->format)
		tally->errors++;
	if (aux.flags & PERF_AUX_FLAG_TRUNCATED)
		tally->gaps++;
	tally->records += !!aux.size;
	if (aux.flags & PERF_AUX_FLAG_OVERWRITE) {
		aux.offset -= aux.size;
		tally->any = false;
	}
	if (!is_slot(reader, aux.offset) || !is_slot(reader, aux.offset + aux.size))
		tally->errors++;
	for (at = aux.offset; reader->area && at < aux.offset + aux.size;) {
		if (unused(reader, at)) {
			at += unused(reader, at);
			continue;
		}
		reader->take(reader, report_at(reader, at));
		at += reader->report_size;
	}
	__atomic_store_n(&reader->page->aux_tail, aux.offset + aux.size, __ATOMIC_RELEASE);
}

static void take_lost(struct aux_tally *tally, const uint8_t *data)
{
	struct gpuoa_record_lost lost;

	memcpy(&lost, data, sizeof(lost));
	if (lost.record.type == GPUOA_RECORD_BUFFER_OVERFLOW)
		tally->overflows++;
	else
		tally->hardware_losses++;
	if (lost.count == GPUOA_LOST_UNKNOWN) {
		tally->lost_unknown++;
		tally->resync = true;
	} else {
		tally->lost += lost.count;
		tally->missing += lost.count;
	}
}

static void take_record(void *context, const struct gpuoa_record *record, const uint8_t *data)
{
	struct gpuoa_record_enabled resume;
	struct aux_tally *tally = context;
	struct gpuoa_record_clock clock;

	switch (record->type) {
	case GPUOA_RECORD_STREAM:
		memcpy(&tally->stream, data, sizeof(tally->stream));
		tally->streams++;
		break;
	case GPUOA_RECORD_CLOCK:
		memcpy(&clock, data, sizeof(clock));
		tally->clocks += clock.clock.clock_id == CLOCK_MONOTONIC;
		break;
	case GPUOA_RECORD_STATUS:
		break;
	case GPUOA_RECORD_MARKER:
		tally->marks++;
		break;
	case GPUOA_RECORD_BUFFER_OVERFLOW:
	case GPUOA_RECORD_REPORTS_LOST:
		take_lost(tally, data);
		break;
	case GPUOA_RECORD_ENABLED:
		memcpy(&resume, data, sizeof(resume));
		tally->resumes += resume.stopped;
		tally->resync = true;
		break;
	case GPUOA_RECORD_DEVICE_REMOVED:
		tally->gone++;
		break;
	default:
		tally->errors++; /* no reports here */
	}
}

static void take_event(void *context, const uint8_t *event)
{
	struct aux_reader *reader = context;
	struct perf_event_header header;

	memcpy(&header, event, sizeof(header));
	switch (header.type) {
	case PERF_RECORD_AUX:
		take_aux(reader, event);
		break;
	case PERF_RECORD_SAMPLE:
		if (!ring_sample(event, take_record, &reader->tally))
			reader->tally.errors++;
		break;
	case PERF_RECORD_LOST:
		reader->tally.perf_lost++;
		break;
	}
}

void aux_drain(struct aux_reader *reader)
{
	ring_drain(reader->page, take_event, reader);
}

static void drain(void *reader)
{
	aux_drain(reader);
}

void aux_run(struct aux_reader *reader, unsigned int ms)
{
	ring_run(reader->fd, ms, drain, reader);
}

struct wanted {
	struct aux_reader *reader;
	uint64_t reports;
};

static bool drain_wanted(void *context)
{
	struct wanted *wanted = context;

	aux_drain(wanted->reader);
	return wanted->reader->tally.reports >= wanted->reports;
}

bool aux_run_reports(struct aux_reader *reader, uint64_t reports)
{
	struct wanted wanted = { reader, reader->tally.reports + reports };

	return ring_run_until(reader->fd, drain_wanted, &wanted);
}
