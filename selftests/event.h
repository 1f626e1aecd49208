/* SPDX-License-Identifier: MIT */
/*
 * event.h - perf events of an OA unit, opened and read with system calls alone.
 *
 * Does not use libgpuoa, so that these helpers and the library test each other.
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

/* Attributes of a typical event: TestOa, default format, disabled. Exponent 0 means @period_ns. */
struct perf_event_attr flat_attr(unsigned int exponent, uint64_t period_ns);

/*
 * Describe an event by @attr. Both the argument and the returned struct must exist until the event
 * is open.
 */
struct perf_event_attr extensible_attr(struct gpuoa_attr *attr);
struct gpuoa_attr test_oa_attr(unsigned int exponent);

/* Call perf_event_open() for CPU 0. Return the fd or -errno. */
int event_open(struct perf_event_attr *attr);
/* Try to open an event, and close it. Return 0 or -errno. */
int event_try(struct perf_event_attr *attr);

int unit_open(void); /* /dev/gpuoa0 */
int pmu_type(void);

/* Results of a reader, which checks and counts reports and records as it consumes them */
struct tally {
	uint64_t reports;
	uint64_t errors; /* unannounced gaps, duplicates, wrong sizes, unknown records */
	uint64_t lost; /* reports announced as lost after a consumed report */
	uint64_t lost_before; /* reports announced as lost before the first report */
	uint64_t lost_unknown; /* announced losses of unknown size */
	uint64_t overflows; /* GPUOA_RECORD_BUFFER_OVERFLOW */
	uint64_t hardware_losses;
	uint64_t ring_lost; /* gaps in gpuoa_record_reports.first */
	uint64_t streams; /* GPUOA_RECORD_STREAM */
	uint64_t clocks; /* GPUOA_RECORD_CLOCK in CLOCK_MONOTONIC */
	uint64_t perf_clocks; /* GPUOA_RECORD_CLOCK in perf's own clock */
	uint64_t marks; /* GPUOA_RECORD_MARKER */
	uint64_t statuses; /* GPUOA_RECORD_STATUS */
	uint64_t resumes; /* GPUOA_RECORD_ENABLED of a unit that was off */
	uint64_t gone; /* GPUOA_RECORD_DEVICE_REMOVED; anything after it is an error */
	uint64_t samples; /* samples of a stream */
	uint32_t first_timestamp;
	uint32_t last_timestamp;
	uint64_t next; /* expected gpuoa_record_reports.first */
	bool any; /* a report was consumed; .next and the timestamps are valid */
	uint64_t missing; /* reports announced as lost since the last report */
	bool rejoin; /* an event of the stream was enabled since the last report */
	bool resync; /* an announced gap of unknown size is open */
	struct gpuoa_record_stream stream;
	struct gpuoa_record_dword_mask thin; /* valid if the stream has a dword mask */
	struct gpuoa_clock clock;
	struct gpuoa_clock perf_clock;
	struct gpuoa_marker mark; /* last marker */
	uint8_t last_report[256];
	uint8_t first_report[256];
};

struct reader {
	int fd;
	struct perf_event_mmap_page *page;
	size_t data_size;
	unsigned int exponent;
	bool filtered; /* reports may be missing by design */
	bool batches; /* reports have other causes than the timer */
	/*
	 * If set before the first report, this handler is called for each report and replaces the
	 * checks.
	 */
	void (*each)(void *context, const uint8_t *report, uint32_t size);
	void *context;
	struct tally tally;
};

/* Open an event and map its ring of 2^@order pages. Return 0 or -errno. */
int reader_open(struct reader *reader, struct perf_event_attr *attr, unsigned int exponent,
		unsigned int order);
void reader_close(struct reader *reader);
void reader_enable(struct reader *reader);
void reader_disable(struct reader *reader);
/* Return the number of reports that the timer wrote from the first to the last consumed one. */
uint64_t reader_due(const struct reader *reader);
/* Return the number of lost reports, or UINT64_MAX if it is unknown. */
uint64_t reader_lost(const struct reader *reader);
/*
 * Return true if a slow reader let the ring overflow. Records of other losses may then be missing
 * as well; at the end, the loss of records cannot be detected.
 */
bool reader_was_late(const struct reader *reader);

/* Consume all available samples. */
void reader_drain(struct reader *reader);
/* Consume samples for @ms. */
void reader_run(struct reader *reader, unsigned int ms);
/* Consume until @reports more reports have arrived. Return false on timeout. */
bool reader_run_reports(struct reader *reader, uint64_t reports);

/* Open a stream of unit gpuoa<N> with O_NONBLOCK. Return the fd or -errno. */
int unit_open_stream(unsigned int unit, struct gpuoa_attr *attr);
/* Try to open a stream, and close it. Return 0 or -errno. */
int unit_try_stream(unsigned int unit, struct gpuoa_attr *attr);
/* Initialize a reader that has no ring, but reads samples from a stream. */
void stream_reader(struct reader *reader, int fd, unsigned int exponent);
/* Consume and check all available samples. Return 1, 0 at the end of the stream, or -errno. */
int stream_drain(struct reader *reader);
/* Consume samples for @ms. */
void stream_run(struct reader *reader, unsigned int ms);

/*
 * Check that the reader got a DEVICE_REMOVED record after the unit was removed. If the reader was
 * slow, that record may have been lost in perf's ring.
 */
#define EXPECT_GONE(reader) \
	EXPECT_TRUE((reader)->tally.gone == 1 || (!(reader)->tally.gone && reader_was_late(reader)))

/*
 * Check that all missing reports were announced and, in virtual time, that none are missing. In
 * real time, a busy machine may delay the reader or the kernel's timer.
 */
#define EXPECT_NOTHING_LOST(reader)                        \
	do {                                               \
		EXPECT_EQ(0, (reader)->tally.errors);      \
		if (virtual_time())                        \
			EXPECT_EQ(0, reader_lost(reader)); \
	} while (0)

/* Check that @count reports were lost. Unless time is virtual, a busy machine may lose more. */
#define EXPECT_LOST(count, reader)                             \
	do {                                                   \
		EXPECT_LE(count, reader_lost(reader));         \
		if (virtual_time())                            \
			EXPECT_EQ(count, reader_lost(reader)); \
	} while (0)

/*
 * Check that delivered and lost reports add up to those that the GPU has written. A unit that is
 * restarted after an overflow writes nothing for a moment; these reports are announced as lost.
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

/* Check EXPECT_COME_OR_LOST(), and that all missing reports were announced. */
#define EXPECT_ALL_OF(written, reader)                \
	do {                                          \
		EXPECT_NOTHING_LOST(reader);          \
		EXPECT_COME_OR_LOST(written, reader); \
	} while (0)

#endif
