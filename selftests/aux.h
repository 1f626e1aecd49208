/* SPDX-License-Identifier: MIT */
/*
 * aux.h - reader of reports in the AUX area of a perf event, implemented with system calls alone.
 */
#ifndef GPUOA_SELFTEST_AUX_H
#define GPUOA_SELFTEST_AUX_H

#include "event.h"

#define AUX_PAGE 4096UL

/* Results of a reader, which checks and counts reports and records as it consumes them */
struct aux_tally {
	uint64_t reports;
	uint64_t errors; /* reports out of sequence, and invalid records */
	uint64_t gaps; /* PERF_RECORD_AUX with PERF_AUX_FLAG_TRUNCATED */
	uint64_t records; /* PERF_RECORD_AUX with data */
	uint64_t lost; /* count in struct gpuoa_record_lost */
	uint64_t lost_unknown;
	uint64_t overflows;
	uint64_t hardware_losses;
	uint64_t streams;
	uint64_t clocks;
	uint64_t marks;
	uint64_t resumes;
	uint64_t perf_lost; /* PERF_RECORD_LOST */
	uint64_t gone; /* GPUOA_RECORD_DEVICE_REMOVED */
	uint64_t missing; /* reports lost since the last report */
	bool any; /* at least one report was consumed */
	bool resync; /* the next report need not be the successor of the last one */
	uint64_t first_timestamp;
	uint64_t last_timestamp;
	struct gpuoa_record_stream stream;
	uint8_t first_report[256];
	uint8_t last_report[256];
};

struct aux_reader {
	int fd;
	struct perf_event_mmap_page *page;
	size_t data_size;
	uint8_t *area;
	uint64_t size;
	unsigned int exponent;
	uint32_t format; /* enum gpuoa_format */
	uint32_t report_size;
	bool splits; /* a report that crosses the end of the area continues at its start */
	uint8_t joined[1024]; /* a report that does */
	/*
	 * Handler for each report. aux_open() sets one that checks timer reports of Haswell; tests
	 * with other reports replace it.
	 */
	void (*take)(struct aux_reader *reader, const uint8_t *report);
	struct aux_tally tally;
};

/* Attributes of a typical event: TestOa, default format, AUX area */
struct gpuoa_attr aux_attr(unsigned int exponent);

/* Open an event and map its ring, but no AUX area. Return 0 or -errno. */
int aux_open(struct aux_reader *reader, struct perf_event_attr *attr, unsigned int exponent);
/* Map an AUX area. Return 0 or -errno. */
int aux_map(struct aux_reader *reader, uint64_t size, bool writable);
void aux_unmap(struct aux_reader *reader);
void aux_close(struct aux_reader *reader);
int aux_enable(struct aux_reader *reader);
int aux_disable(struct aux_reader *reader);

/* Consume all available reports. */
void aux_drain(struct aux_reader *reader);
/* Consume reports for @ms; sleeps in poll(). */
void aux_run(struct aux_reader *reader, unsigned int ms);
/* Consume until @reports more reports have arrived. Return false on timeout. */
bool aux_run_reports(struct aux_reader *reader, uint64_t reports);
uint64_t aux_head(const struct aux_reader *reader);
/*
 * Check that the reader got no report out of sequence and no invalid record. In virtual time, no
 * report may be missing (see event.h).
 */
#define EXPECT_NO_GAPS(reader)                              \
	do {                                                \
		EXPECT_EQ(0, (reader)->tally.errors);       \
		if (virtual_time())                         \
			EXPECT_EQ(0, (reader)->tally.gaps); \
	} while (0)

/* Return the number of reports that the timer wrote from the first to the last consumed one. */
uint64_t aux_due(const struct aux_reader *reader);

#endif
