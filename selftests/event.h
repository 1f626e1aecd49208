/* SPDX-License-Identifier: MIT */
/*
 * event.h - perf events of an OA unit, opened and read with system calls alone.
 *
 * On purpose without libgpuoa: what the library does is tested against this, and the other way
 * round.
 */
#ifndef GPUOA_SELFTEST_EVENT_H
#define GPUOA_SELFTEST_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "uapi/gpuoa.h"
#include "wait.h"

#define HSW_FREQUENCY 12500000ULL

/*
 * The event that most tests begin with: TestOa, default format, disabled. Exponent 0 means
 * period_ns.
 */
struct perf_event_attr flat_attr(unsigned int exponent, uint64_t period_ns);

/* The same by struct gpuoa_attr; both must live until the event is open. */
struct perf_event_attr extensible_attr(struct gpuoa_attr *attr);
struct gpuoa_attr test_oa_attr(unsigned int exponent);

/* perf_event_open() on CPU 0; -errno. */
int event_open(struct perf_event_attr *attr);
/* The same, closing at once what could be opened: 0 or -errno. */
int event_try(struct perf_event_attr *attr);

int unit_open(void); /* /dev/gpuoa0 */
int pmu_type(void);

/* What a reader has seen; reports are checked on the way. */
struct tally {
	uint64_t reports;
	uint64_t errors; /* gaps that nobody announced, duplicates, wrong sizes, unknown records */
	uint64_t lost; /* announced, with a known count, behind a report */
	uint64_t lost_before; /* the same, where no report of the run has come yet */
	uint64_t lost_unknown; /* announced, without */
	uint64_t overflows; /* records of each type */
	uint64_t hardware_losses;
	uint64_t ring_lost; /* missing between gpuoa_record_reports.first */
	uint64_t streams; /* GPUOA_RECORD_STREAM */
	uint64_t clocks; /* GPUOA_RECORD_CLOCK in CLOCK_MONOTONIC */
	uint64_t perf_clocks; /* in perf's own clock */
	uint64_t marks; /* GPUOA_RECORD_MARKER */
	uint64_t statuses; /* GPUOA_RECORD_STATUS */
	uint64_t resumes; /* GPUOA_RECORD_RESUME, of a unit that was off */
	uint64_t gone; /* GPUOA_RECORD_GONE; anything after it is an error */
	uint64_t samples; /* of a stream */
	uint32_t first_timestamp;
	uint32_t last_timestamp;
	uint64_t next; /* expected gpuoa_record_reports.first */
	bool any; /* a report was seen; .next and the timestamps hold */
	uint64_t missing; /* announced since the last report */
	bool rejoin; /* an event of the stream was enabled since the last report */
	bool resync; /* an announced gap of unknown size is open */
	struct gpuoa_record_stream stream;
	struct gpuoa_record_thin thin; /* of a stream that has one */
	struct gpuoa_clock clock;
	struct gpuoa_clock perf_clock;
	struct gpuoa_marker mark; /* the last one */
	uint8_t last_report[256];
	uint8_t first_report[256];
};

struct reader {
	int fd;
	struct perf_event_mmap_page *page;
	size_t data_size;
	unsigned int exponent;
	bool filtered; /* reports may be missing by intent */
	bool batches; /* others than the timer cause reports */
	/*
	 * Called with each report, which is not checked then, if it is set before the first one
	 * comes
	 */
	void (*each)(void *context, const uint8_t *report, uint32_t size);
	void *context;
	struct tally tally;
};

/* Open an event and map its ring of 2^@order pages. 0 or -errno. */
int reader_open(struct reader *reader, struct perf_event_attr *attr, unsigned int exponent,
		unsigned int order);
void reader_close(struct reader *reader);
void reader_enable(struct reader *reader);
void reader_disable(struct reader *reader);
/* Reports that the timer was due to write from the first one to the last one that was seen. */
uint64_t reader_due(const struct reader *reader);
/* Reports that are known to be missing; UINT64_MAX: some are, and nobody knows how many. */
uint64_t reader_lost(const struct reader *reader);
/*
 * Did the ring have no room for what a busy reader did not take in time? What else was lost stood
 * in records for which there was none either; those at the end have nothing behind them that tells.
 */
bool reader_was_late(const struct reader *reader);

/* Take what is there. */
void reader_drain(struct reader *reader);
/* Take what comes in @ms. */
void reader_run(struct reader *reader, unsigned int ms);
/* Take what comes until that many more reports have come; false if they don't. */
bool reader_run_reports(struct reader *reader, uint64_t reports);

/* A stream of unit gpuoa<N>, O_NONBLOCK; -errno. */
int unit_open_stream(unsigned int unit, struct gpuoa_attr *attr);
/* The same, closing at once what could be opened: 0 or -errno. */
int unit_try_stream(unsigned int unit, struct gpuoa_attr *attr);
/* Let a reader that has no ring take its samples from a stream. */
void stream_reader(struct reader *reader, int fd, unsigned int exponent);
/* Take what is there, and check it: 1, or 0 if there never will be more, or -errno. */
int stream_drain(struct reader *reader);
/* Take what comes in @ms. */
void stream_run(struct reader *reader, unsigned int ms);

/*
 * The unit is gone, and the reader was told: if it was late, that record may have found perf's ring
 * full as well.
 */
#define EXPECT_GONE(reader) \
	EXPECT_TRUE((reader)->tally.gone == 1 || (!(reader)->tally.gone && reader_was_late(reader)))

/*
 * Nothing is missing that the reader was not told of. In virtual time nothing is missing at all:
 * elsewhere a busy host may hold up the reader or the kernel's timer.
 */
#define EXPECT_NOTHING_LOST(reader)                        \
	do {                                               \
		EXPECT_EQ(0, (reader)->tally.errors);      \
		if (virtual_time())                        \
			EXPECT_EQ(0, reader_lost(reader)); \
	} while (0)

/* So many are lost. Elsewhere than in virtual time a busy host may add to them. */
#define EXPECT_LOST(count, reader)                             \
	do {                                                   \
		EXPECT_LE(count, reader_lost(reader));         \
		if (virtual_time())                            \
			EXPECT_EQ(count, reader_lost(reader)); \
	} while (0)

/*
 * What has come and what was told as lost make up what the GPU has written meanwhile. A unit that
 * is restarted after an overflow writes nothing for a moment, and that is told as lost.
 */
#define EXPECT_COME_OR_LOST(written, reader)                                 \
	do {                                                                 \
		const uint64_t lost_ = reader_lost(reader);                  \
		const uint64_t told_ = lost_ + (reader)->tally.lost_before;  \
                                                                             \
		if (lost_ == UINT64_MAX || reader_was_late(reader))          \
			break;                                               \
		EXPECT_LE(written, (reader)->tally.reports + told_);         \
		if (!(reader)->tally.overflows)                              \
			EXPECT_EQ(written, (reader)->tally.reports + told_); \
	} while (0)

/* The same, and nothing is missing that the reader was not told of */
#define EXPECT_ALL_OF(written, reader)                \
	do {                                          \
		EXPECT_NOTHING_LOST(reader);          \
		EXPECT_COME_OR_LOST(written, reader); \
	} while (0)

#endif
