// SPDX-License-Identifier: MIT
/*
 * pmu_read_test.c - Test filtered reads, peeking, waiting and the owners of contexts on a stream of
 * gpuoa.ko, with a simulated kernel (fake_pmu.h) and the reports of a Skylake GPU.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "fake_pmu.h"

#include "gpuoa-query.h"
#include "gpuoa-snapshot.h"
#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "reader/stream/stream_private.h"
#include "tap.h"

#define REPORTS_MAX 64
#define TIMER (1 << 19)
#define SWITCH (1 << 22)
#define CONTEXT (1 << 16) /* the context id is valid */
#define MHZ_1000 60 /* frequency in units of 16.666 MHz: 999 MHz */
#define MHZ_1100 66

static struct {
	struct gpuoa_unit *unit;
	struct gpuoa_reader *reader;
	struct gpuoa_read_status status;
	struct gpuoa_read_detail detail;
	int file; /* in memory, for a recording */
	char path[32]; /* of .file */
	struct gpuoa_recorder_stats stats; /* of the last recording */
	struct bytes payload; /* records that were not produced yet */
	uint32_t written; /* number of reports */
	uint8_t reports[REPORTS_MAX * TEST_REPORT_SIZE];
	char error[256];
} test;

static void put_description(void)
{
	struct gpuoa_record_stream stream = test_stream();

	strcpy(stream.info.platform, "sklgt2");
	stream.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8;
	put_head(&test.payload);
	put(&test.payload, &stream, sizeof(stream));
	put_clock(&test.payload, 0);
}

/* Write the payload to the ring buffer as one sample. */
static void produce(void)
{
	struct bytes records = { 0 };
	const size_t at = begin_record(&records, PERF_RECORD_SAMPLE);

	put64(&records, KO_EVENT_ID);
	put(&records, NULL, 32); /* ip, tid, time, cpu */
	put32(&records, (uint32_t)test.payload.size);
	put(&records, test.payload.data, test.payload.size);
	end_record(&records, at);
	ko_produce(&records);
	clear(&test.payload);
}

/* Write a report with this first dword and this context. */
static void produce_report(uint32_t id, uint32_t context)
{
	uint32_t report[TEST_REPORT_SIZE / 4] = { id, test.written * TEST_TICKS, context };
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + sizeof(report) },
		.first = test.written++,
		.report_size = sizeof(report),
		.count = 1,
	};

	put_head(&test.payload);
	put(&test.payload, &record, sizeof(record));
	put(&test.payload, report, sizeof(report));
	produce();
}

#define MEMBER(name) offsetof(struct perf_event_mmap_page, name)

/* Write a record that describes @size bytes of the AUX area, which end or begin at @offset. */
static void produce_aux_record(uint64_t offset, uint64_t size, uint64_t flags)
{
	struct bytes records = { 0 };
	const size_t at = begin_record(&records, PERF_RECORD_AUX);

	put64(&records, offset);
	put64(&records, size);
	put64(&records, flags);
	put_trailer(&records, KO_EVENT_ID, KO_CPU);
	end_record(&records, at);
	ko_produce(&records);
}

/* Write @count reports to the AUX area. */
static void land(uint32_t count)
{
	uint64_t head = (uint64_t)test.written * TEST_REPORT_SIZE;

	for (; count--; head += TEST_REPORT_SIZE) {
		const uint32_t report[TEST_REPORT_SIZE / 4] = { TIMER, test.written * TEST_TICKS };

		ko_put(report, sizeof(report), ko_tail(MEMBER(aux_offset)) + head);
		test.written++;
	}
	ko_put(&head, sizeof(head), MEMBER(aux_head));
}

static void produce_aux(uint32_t count)
{
	const uint64_t offset = (uint64_t)test.written * TEST_REPORT_SIZE;

	land(count);
	produce_aux_record(offset, (uint64_t)count * TEST_REPORT_SIZE, 0);
}

/* Write two reports in one sample, after the records in the payload. */
static void produce_two_reports(void)
{
	const struct gpuoa_record_reports record_of_two = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record_of_two) + 2 * TEST_REPORT_SIZE },
		.first = test.written,
		.report_size = TEST_REPORT_SIZE,
		.count = 2,
	};

	if (!test.payload.size)
		put_head(&test.payload);
	put(&test.payload, &record_of_two, sizeof(record_of_two));
	put_report(&test.payload, test.written++);
	put_report(&test.payload, test.written++);
	produce();
}

static bool begin_with(const struct gpuoa_stream_options *some)
{
	struct gpuoa_stream_options options = *some;
	const struct gpuoa_set *set;

	options.size = sizeof(options);
	memset(&test, 0, sizeof(test));
	test.file = memfd_create("recording", MFD_CLOEXEC);
	if (!CHECK(test.file >= 0))
		return false;
	snprintf(test.path, sizeof(test.path), "/proc/self/fd/%d", test.file);
	ko_begin();
	strcpy(ko.info.platform, "sklgt2");
	ko.info.device_id = 0x1912;
	ko.info.formats[0] = 1 << GPUOA_FORMAT_A32U40_A4U32_B8_C8 |
			     1 << GPUOA_FORMAT_A24U40_A14U32_B8_C8;
	ko.info.default_format = GPUOA_FORMAT_A32U40_A4U32_B8_C8;
	if (!CHECK(!gpuoa_unit_open("gpuoa0", &test.unit, test.error, sizeof(test.error))))
		return false;
	set = gpuoa_platform_find_set(gpuoa_unit_platform(test.unit), "RenderBasic", "OA",
				      gpuoa_unit_constants(test.unit));
	if (!CHECK(!gpuoa_stream_open(test.unit, set, &options, &test.reader, test.error,
				      sizeof(test.error))))
		return false;
	put_description();
	produce();
	return true;
}

static bool begin_with_exponent(uint32_t exponent)
{
	return begin_with(
		&(struct gpuoa_stream_options){ .use_exponent = true, .exponent = exponent });
}

static bool begin_aux(bool overwrite)
{
	return begin_with(&(struct gpuoa_stream_options){
		.use_exponent = true,
		.exponent = TEST_EXPONENT,
		.delivery = GPUOA_DELIVERY_AUX,
		.overwrite = overwrite,
		.notify_reports = overwrite ? 0 : 4,
	});
}

static bool begin(void)
{
	return begin_with_exponent(TEST_EXPONENT);
}

static void end(void)
{
	gpuoa_reader_close(test.reader);
	ko.event = -1;
	gpuoa_unit_close(test.unit);
	ko_end();
	close(test.file);
}

static int take(void)
{
	return gpuoa_reader_read(test.reader, test.reports, REPORTS_MAX, &test.status);
}

static int filter(struct gpuoa_read_options options, size_t max)
{
	options.size = sizeof(options);
	return gpuoa_reader_read_filtered(test.reader, test.reports, max, &options, &test.detail,
					  sizeof(test.detail));
}

/* Return the number of the report at @index. */
static uint32_t number(size_t index)
{
	uint32_t timestamp;

	memcpy(&timestamp, test.reports + index * TEST_REPORT_SIZE + 4, sizeof(timestamp));
	return timestamp / TEST_TICKS;
}

/* ---- filtered reads ------------------------------------------------------------------------- */

static void reads_are_filtered_by_reason(void)
{
	REQUIRE(begin());
	for (int i = 0; i < 6; i++)
		produce_report(i % 3 ? TIMER : SWITCH, 0);
	CHECK(filter((struct gpuoa_read_options){ .reasons = GPUOA_REASON_CONTEXT_SWITCH }, 9) ==
	      1);
	CHECK(number(0) == 0 && !test.detail.left_out);
	CHECK(filter((struct gpuoa_read_options){ .reasons = GPUOA_REASON_CONTEXT_SWITCH }, 9) ==
	      1);
	CHECK(number(0) == 3 && test.detail.left_out == 2 && test.detail.outstanding);
	CHECK(filter((struct gpuoa_read_options){ .reasons = GPUOA_REASON_CONTEXT_SWITCH }, 9) ==
	      0);
	CHECK(test.detail.left_out == 2 && !test.detail.outstanding);
	end();
}

/* The newest ones are those that pass the filter. */
static void newest_reports_pass_the_filter(void)
{
	const struct gpuoa_read_options options = { .reasons = GPUOA_REASON_TIMER, .newest = 3 };

	REQUIRE(begin());
	for (int i = 0; i < 9; i++)
		produce_report(i % 3 ? TIMER : SWITCH, 0);
	CHECK(filter(options, 9) == 3);
	CHECK(number(0) == 5 && number(1) == 7 && number(2) == 8);
	CHECK(test.detail.dropped == 3 && test.detail.left_out == 3);
	/* The hardware was polled. */
	CHECK(ko.polls == 1);
	ko.error = EIO;
	CHECK(filter(options, 9) == -EIO);
	ko.error = 0;
	end();
}

/* A report belongs to the context that runs after it. */
static void reads_are_filtered_by_context(void)
{
	const struct gpuoa_read_options options = { .context_filter = true,
						    .context_id = 7,
						    .newest = 9 };

	REQUIRE(begin());
	produce_report(SWITCH | CONTEXT, 5);
	produce_report(SWITCH | CONTEXT, 7);
	produce_report(TIMER | CONTEXT, 7);
	produce_report(SWITCH | CONTEXT, 5);
	produce_report(TIMER, 7); /* the id is not valid */
	CHECK(filter(options, 9) == 2 && number(0) == 1 && number(1) == 2);
	CHECK(test.detail.left_out == 3);
	end();
}

static void read_reports_changes_of_the_frequency(void)
{
	const struct gpuoa_read_options all = { .reasons = 0 };

	REQUIRE(begin());
	CHECK(filter(all, 9) == 0 && !test.detail.has_frequency && !test.detail.frequency_mhz);
	produce_report(TIMER | MHZ_1000, 0);
	CHECK(filter(all, 9) == 1 && test.detail.has_frequency);
	CHECK(test.detail.frequency_mhz == MHZ_1000 * 16666 / 1000);
	CHECK(!test.detail.frequency_changed);
	produce_report(SWITCH | MHZ_1000, 0);
	CHECK(filter(all, 9) == 1 && !test.detail.frequency_changed);
	produce_report(TIMER | MHZ_1100, 0);
	CHECK(filter(all, 9) == 1 && test.detail.frequency_changed);
	CHECK(test.detail.frequency_mhz == MHZ_1100 * 16666 / 1000);
	/* A read without reports returns the last frequency. */
	CHECK(filter(all, 9) == 0 && test.detail.has_frequency && !test.detail.frequency_changed);
	CHECK(test.detail.frequency_mhz == MHZ_1100 * 16666 / 1000);
	end();
}

static void peek_consumes_nothing(void)
{
	const struct gpuoa_read_options peek = { .peek = true };
	uint64_t before;

	REQUIRE(begin());
	produce_report(TIMER | MHZ_1000, 0);
	CHECK(take() == 1 && test.status.has_clock);
	produce_report(TIMER | MHZ_1000, 0);
	produce_report(TIMER | MHZ_1100, 0);
	before = ko_tail(MEMBER(data_tail));
	for (int i = 0; i < 2; i++) {
		struct gpuoa_read_options newest = { .peek = true, .newest = 1 };

		CHECK(filter(peek, 1) == 1 && number(0) == 1 && test.detail.outstanding);
		CHECK(!test.detail.frequency_changed);
		CHECK(filter(newest, 9) == 1 && number(0) == 2 && test.detail.dropped == 1);
		CHECK(test.detail.frequency_changed);
		CHECK(ko_tail(MEMBER(data_tail)) == before);
	}
	/* The next read consumes, and releases the space in the ring. */
	CHECK(take() == 2 && number(0) == 1 && number(1) == 2 && !test.status.gap);
	CHECK(ko_tail(MEMBER(data_tail)) == ko_tail(MEMBER(data_head)));
	CHECK(take() == 0 && filter(peek, 9) == 0);
	end();
}

/* ---- space that is released to the kernel ---------------------------------------------------- */

static void read_releases_the_ring_up_to_the_reports_that_it_keeps(void)
{
	const struct gpuoa_read_options peek = { .peek = true };
	const void *reports;
	uint64_t first;

	REQUIRE(begin());
	produce_report(TIMER, 0);
	first = ko_tail(MEMBER(data_head));
	/* A clock pair ends a read, so that the second sample is kept. */
	put_head(&test.payload);
	put_clock(&test.payload, TEST_TICKS);
	produce();
	produce_report(TIMER, 0);
	CHECK(take() == 1 && ko_tail(MEMBER(data_tail)) == first);
	CHECK(take() == 1 && ko_tail(MEMBER(data_tail)) == ko_tail(MEMBER(data_head)));
	/* Reports in place are kept until they are consumed, or the stream is read again. */
	for (int i = 0; i < 2; i++) {
		first = ko_tail(MEMBER(data_head));
		produce_report(TIMER, 0);
		CHECK(gpuoa_reader_peek(test.reader, &reports, 9, &test.status) == 1);
		CHECK(ko_tail(MEMBER(data_tail)) == first);
		if (i)
			CHECK(filter(peek, 9) == 0);
		else
			gpuoa_reader_consume(test.reader);
		CHECK(ko_tail(MEMBER(data_tail)) == ko_tail(MEMBER(data_head)));
	}
	end();
}

static void read_releases_the_area_up_to_the_reports_that_it_keeps(void)
{
	const struct gpuoa_read_options peek = { .peek = true },
					newest = { .peek = true, .newest = 1 };
	const void *reports;

	REQUIRE(begin_aux(false));
	produce_aux(3);
	for (int i = 0; i < 2; i++) {
		CHECK(filter(peek, 1) == 1 && number(0) == 0);
		CHECK(filter(newest, 9) == 1 && number(0) == 2);
		CHECK(ko_tail(MEMBER(aux_tail)) == 0);
	}
	for (uint32_t i = 0; i < 4; i++) {
		CHECK(gpuoa_reader_peek(test.reader, &reports, 1, &test.status) == (i < 3));
		CHECK(ko_tail(MEMBER(aux_tail)) == (uint64_t)i * TEST_REPORT_SIZE);
	}
	produce_aux(2);
	CHECK(take() == 2 && number(0) == 3 && number(1) == 4);
	CHECK(ko_tail(MEMBER(aux_tail)) == 5 * TEST_REPORT_SIZE);
	end();
}

static void peek_keeps_markers_for_the_read(void)
{
	const struct gpuoa_read_options peek = { .peek = true };
	struct gpuoa_stream_marker marker;

	REQUIRE(begin());
	put_head(&test.payload);
	put_marker(&test.payload, 77, 5000);
	produce();
	produce_report(TIMER, 0);
	for (int i = 0; i < 2; i++) {
		CHECK(filter(peek, 9) == 1);
		CHECK(gpuoa_reader_next_marker(test.reader, &marker, sizeof(marker)) == 0);
	}
	CHECK(take() == 1);
	CHECK(gpuoa_reader_next_marker(test.reader, &marker, sizeof(marker)) == 1);
	CHECK(marker.value == 77 && marker.gpu_ticks == 5000);
	CHECK(gpuoa_reader_next_marker(test.reader, &marker, sizeof(marker)) == 0);
	end();
}

static void disable_stream(void)
{
	CHECK(!gpuoa_reader_disable(test.reader));
}

/* Another thread stops the flight recorder during a peek; its window has the time of that. */
static void window_has_the_clock_pair_of_a_stop_during_a_peek(void)
{
	const struct gpuoa_read_options peek = { .peek = true };

	REQUIRE(begin_aux(true));
	CHECK(take() == 0);
	ko.on_info = disable_stream;
	CHECK(filter(peek, 9) == 0 && !ko.on_info);
	land(3);
	produce_aux_record(3 * TEST_REPORT_SIZE, 3 * TEST_REPORT_SIZE, PERF_AUX_FLAG_OVERWRITE);
	CHECK(take() == 3 && number(0) == 0);
	CHECK(test.status.has_clock && test.status.clock.gpu_ticks == 1000);
	CHECK(test.status.clock.cpu_ns == 80000);
	end();
}

/* The newest reports are flushed from the hardware, where it has any for the stream. */
static void read_of_the_newest_flushes_reports_of_running_streams(void)
{
	const struct gpuoa_read_options newest = { .newest = 1 };

	for (int overwrite = 0; overwrite < 2; overwrite++) {
		REQUIRE(begin_aux(overwrite));
		CHECK(filter(newest, 9) == 0 && ko.polls == !overwrite);
		disable_stream();
		CHECK(filter(newest, 9) == 0 && ko.polls == !overwrite);
		CHECK(!gpuoa_reader_enable(test.reader));
		CHECK(filter(newest, 9) == 0 && ko.polls == (overwrite ? 0 : 2));
		end();
	}
}

/* ---- snapshots ------------------------------------------------------------------------------ */

/* What happens while the library sleeps: in the last sleep, the report that it waits for comes. */
static struct {
	int left; /* number of sleeps, in which older reports come */
	uint32_t last; /* number of the report that comes then */
	bool disable; /* the stream is disabled instead */
	uint64_t ns; /* duration of the last sleep */
} naps;

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	(void)left;
	CHECK(clock == CLOCK_MONOTONIC && !flags);
	naps.ns = (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
	if (!naps.left--)
		abort();
	if (!naps.left && naps.disable)
		CHECK(!gpuoa_reader_disable(test.reader));
	else if (!naps.left)
		test.written = naps.last;
	produce_report(TIMER | (naps.left ? MHZ_1000 : MHZ_1100), 0);
	return 0;
}

static int snapshot(int timeout_ms)
{
	return gpuoa_stream_snapshot(test.reader, test.reports, timeout_ms, &test.detail,
				     sizeof(test.detail));
}

/* The clock is at 1000 ticks, so report 16 is the first one after the call. */
static void snapshot_is_newer_than_the_call(void)
{
	REQUIRE(begin());
	produce_report(TIMER | MHZ_1000, 0);
	produce_report(TIMER | MHZ_1000, 0);
	naps.left = 3;
	naps.last = 16;
	CHECK(!snapshot(-1) && number(0) == 16 && !naps.left);
	CHECK(test.detail.status.has_clock && test.detail.frequency_changed);
	/* Two came before the call, and two in the first two sleeps. */
	CHECK(test.detail.dropped == 4 && test.detail.status.lost_ring == 12);
	CHECK(ko.polls == 4);
	/* The next one is there already. */
	test.written = 20;
	produce_report(TIMER | MHZ_1100, 0);
	CHECK(!snapshot(0) && number(0) == 20 && !test.detail.dropped);
	CHECK(!test.detail.frequency_changed);
	end();
}

static void snapshot_of_old_reports_times_out(void)
{
	REQUIRE(begin());
	/* no report, but a clock pair */
	CHECK(snapshot(0) == -ETIMEDOUT && test.detail.status.has_clock);
	produce_report(TIMER, 0);
	test.written = 15;
	produce_report(TIMER, 0);
	CHECK(snapshot(0) == -ETIMEDOUT && test.detail.dropped == 2);
	CHECK(gpuoa_stream_snapshot(test.reader, test.reports, 0, NULL, 0) == -ETIMEDOUT);
	end();
}

static void snapshot_of_a_stopped_stream_is_canceled(void)
{
	REQUIRE(begin());
	naps.left = 2;
	naps.disable = true;
	CHECK(snapshot(-1) == -ECANCELED && !naps.left && test.detail.dropped == 2);
	naps.disable = false;
	ko.info_error = ENODEV;
	CHECK(snapshot(-1) == -ENODEV);
	end();
}

/* The stream is read eight times per period, but neither continuously nor rarely. */
static void snapshot_polls_at_the_rate_of_the_stream(void)
{
	static const struct {
		uint32_t exponent;
		uint64_t ns;
	} cases[] = { { TEST_EXPONENT, 20000 }, { 12, 81920 }, { 25, 50000000 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		REQUIRE(begin_with_exponent(cases[i].exponent));
		naps.left = 1;
		naps.last = 30;
		CHECK(!snapshot(-1) && naps.ns == cases[i].ns);
		end();
	}
}

/* ---- waiting -------------------------------------------------------------------------------- */

static int wait_ms(int ms)
{
	return gpuoa_reader_wait(test.reader, ms);
}

static void wait_returns_for_news_only(void)
{
	REQUIRE(begin());
	/* The first sample has a description and a clock pair. */
	CHECK(wait_ms(0) == -ETIMEDOUT);
	produce_report(TIMER, 0);
	/* There are fewer reports than the watermark, but they are returned in the end. */
	CHECK(wait_ms(0) == 0);
	CHECK(take() == 1);
	CHECK(wait_ms(1) == -ETIMEDOUT);
	put_head(&test.payload);
	put_lost(&test.payload, GPUOA_RECORD_BUFFER_OVERFLOW, 5);
	produce();
	CHECK(wait_ms(0) == 0);
	CHECK(take() == 0 && test.status.lost_overflow == 5);
	CHECK(!gpuoa_reader_disable(test.reader));
	CHECK(wait_ms(-1) == -ECANCELED);
	produce_report(TIMER, 0);
	CHECK(wait_ms(-1) == 0);
	CHECK(take() == 1);
	/* Reports that a read has left are news. */
	produce_two_reports();
	CHECK(gpuoa_reader_read(test.reader, test.reports, 1, &test.status) == 1);
	CHECK(!gpuoa_reader_enable(test.reader) && wait_ms(-1) == 0);
	CHECK(take() == 1);
	end();
}

/* Calls of poll(2); during the last of .left, a report comes. */
static struct {
	int left;
	int longest; /* timeout in ms */
	unsigned int hang_ups; /* calls that waited for the GPU's last reports only */
	unsigned int calls; /* all other calls */
	int (*wake)(struct pollfd *files); /* result of the next of them */
} polls;

int poll(struct pollfd *files, nfds_t count, int timeout)
{
	static int (*real)(struct pollfd *, nfds_t, int);

	if (!real)
		real = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
	if (polls.left && timeout > polls.longest)
		polls.longest = timeout;
	if (polls.left && !--polls.left)
		produce_report(TIMER, 0);
	if (count == 1 && !files->events) {
		polls.hang_ups++;
		CHECK(timeout == 1000);
		timeout = 0;
	} else {
		int (*const wake)(struct pollfd *) = polls.wake;

		polls.calls++;
		polls.wake = NULL;
		if (wake) {
			for (nfds_t i = 0; i < count; i++)
				files[i].revents = 0;
			return wake(files);
		}
	}
	return real(files, count, timeout);
}

/* The file is readable, but without news: wait again, each time for at most a second. */
static void wait_continues_after_a_wake_without_news(void)
{
	REQUIRE(begin());
	CHECK(take() == 0);
	for (int timeout = -1; timeout < 300000; timeout += 200000) {
		polls.longest = 0;
		polls.left = 3;
		CHECK(wait_ms(timeout) == 0 && !polls.left);
		CHECK(polls.longest == 1000);
		CHECK(take() == 1);
	}
	end();
}

static int report_and_disable(struct pollfd *files)
{
	produce_report(TIMER, 0);
	disable_stream();
	files[1].revents = POLLIN;
	return 1;
}

static int nothing(struct pollfd *files)
{
	(void)files;
	return 0;
}

static int report_without_wake(struct pollfd *files)
{
	(void)files;
	produce_report(TIMER, 0);
	return 0;
}

static int error(struct pollfd *files)
{
	files[0].revents = POLLERR;
	return 1;
}

static int hang_up(struct pollfd *files)
{
	files[0].revents = POLLHUP;
	return 1;
}

static int hang_up_with_report(struct pollfd *files)
{
	produce_report(TIMER, 0);
	return hang_up(files);
}

static int interrupted(struct pollfd *files)
{
	(void)files;
	errno = EINTR;
	return -1;
}

/* Wait for a stream without news, with each result that poll(2) can have. */
static void wait_returns_what_woke_it(void)
{
	static const struct {
		int (*wake)(struct pollfd *);
		int timeout_ms;
		int result;
		unsigned int polls;
		int reports; /* that are read then */
	} cases[] = {
		{ nothing, 0, -ETIMEDOUT, 1, 0 },
		/* The file was not readable when poll(2) returned. */
		{ report_without_wake, 0, 0, 1, 1 },
		{ report_without_wake, -1, 0, 2, 1 },
		{ report_and_disable, -1, 0, 1, 1 },
		{ error, -1, -ENODEV, 1, 0 },
		{ hang_up, -1, -ENODEV, 1, 0 },
		{ hang_up_with_report, -1, 0, 1, 1 },
		{ interrupted, -1, -EINTR, 1, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		REQUIRE(begin());
		CHECK(take() == 0);
		polls.calls = 0;
		polls.wake = cases[i].wake;
		if (!CHECK(wait_ms(cases[i].timeout_ms) == cases[i].result) |
		    !CHECK(polls.calls == cases[i].polls) | !CHECK(take() == cases[i].reports))
			printf("# case %zu\n", i);
		end();
	}
}

static void remove_gpu_after_a_report(void)
{
	produce_report(TIMER, 0);
	ko.info_error = ENODEV;
}

/* The last reports arrive after the read, and before the library finds that the GPU was removed. */
static void reports_that_arrive_late_are_read_before_the_error(void)
{
	REQUIRE(begin());
	ko.on_info = remove_gpu_after_a_report;
	CHECK(take() == 0);
	CHECK(take() == 1);
	CHECK(take() == -ENODEV);
	end();
}

/* Produce a sample so that exactly @fill bytes of the ring are used. */
static void fill_ring(uint64_t fill)
{
	const uint64_t used = ko_tail(MEMBER(data_head)) - ko_tail(MEMBER(data_tail));
	/* the record's header, and what produce() writes before the payload */
	const uint64_t before_payload = sizeof(struct perf_event_header) + 8 + 32 + 4;

	put_head(&test.payload);
	put_unknown(&test.payload, (uint32_t)(fill - used - before_payload - test.payload.size));
	produce();
	CHECK(ko_tail(MEMBER(data_head)) - ko_tail(MEMBER(data_tail)) == fill);
}

/* Below the watermark, the wait sleeps, even if it returns at once then. */
static void wait_does_not_sleep_from_the_watermark_on(void)
{
	for (unsigned int sleeps = 0; sleeps < 2; sleeps++) {
		uint64_t tail;

		REQUIRE(begin_with(&(struct gpuoa_stream_options){
			.use_exponent = true, .exponent = TEST_EXPONENT, .notify_reports = 4 }));
		CHECK(take() == 0);
		tail = ko_tail(MEMBER(data_tail));
		put_head(&test.payload);
		put_clock(&test.payload, 0);
		produce();
		produce_report(TIMER, 0);
		fill_ring(4 * TEST_REPORT_SIZE - 8 * sleeps);
		polls.calls = 0;
		CHECK(wait_ms(-1) == 0 && polls.calls == sleeps);
		/* Waiting releases nothing. */
		CHECK(ko_tail(MEMBER(data_tail)) == tail);
		CHECK(take() == 1);
		end();

		REQUIRE(begin_aux(false));
		CHECK(take() == 0);
		produce_aux(4 - sleeps);
		polls.calls = 0;
		CHECK(wait_ms(-1) == 0 && polls.calls == sleeps);
		CHECK(take() == 4 - (int)sleeps);
		/* A record without reports is no news. */
		produce_aux(0);
		CHECK(wait_ms(0) == -ETIMEDOUT);
		end();
	}
}

/* Each record of a flight recorder describes a window, even if it is empty. */
static void wait_returns_for_an_empty_window(void)
{
	REQUIRE(begin_aux(true));
	CHECK(take() == 0);
	CHECK(wait_ms(0) == -ETIMEDOUT);
	disable_stream();
	CHECK(wait_ms(0) == -ECANCELED);
	produce_aux_record(0, 0, PERF_AUX_FLAG_OVERWRITE);
	CHECK(wait_ms(-1) == 0);
	CHECK(take() == 0);
	/* The recorder of a removed GPU is read after it was stopped only. */
	CHECK(!gpuoa_reader_enable(test.reader));
	produce_aux_record(0, 0, PERF_AUX_FLAG_OVERWRITE);
	polls.wake = hang_up;
	CHECK(wait_ms(-1) == -ENODEV);
	end();
}

static void removed_gpu_is_reported_after_the_last_reports(void)
{
	REQUIRE(begin());
	produce_report(TIMER, 0);
	polls.hang_ups = 0;
	CHECK(wait_ms(0) == 0 && !polls.hang_ups);
	ko.info_error = ENODEV;
	CHECK(wait_ms(0) == 0);
	CHECK(take() == 1);
	CHECK(take() == -ENODEV);
	CHECK(wait_ms(0) == -ENODEV && polls.hang_ups);
	end();
}

static void state_is_that_of_the_stream(void)
{
	struct gpuoa_clock_pair now;
	size_t pending;

	REQUIRE(begin());
	CHECK(stream_state(test.reader, NULL) == 1);
	CHECK(stream_state(test.reader, &now) == 1 && now.gpu_ticks == 1000);
	CHECK(!stream_pending(test.reader, &pending) && pending);
	CHECK(take() == 0);
	CHECK(!stream_pending(test.reader, &pending) && !pending);
	ko.info_error = ENODEV;
	CHECK(stream_pending(test.reader, &pending) == -ENODEV);
	ko.info_error = 0;
	CHECK(!gpuoa_reader_disable(test.reader) && stream_state(test.reader, NULL) == 0);
	ko.error = EAGAIN;
	CHECK(stream_state(test.reader, &now) == -EAGAIN);
	ko.error = 0;
	end();
}

/* ---- owners of contexts --------------------------------------------------------------------- */

/* Open a recorder of the stream that writes to test.path. Returns NULL on error. */
static struct gpuoa_recorder *open_recorder(void)
{
	struct gpuoa_recorder *recorder = NULL;

	CHECK(!gpuoa_recorder_open(&test.reader, 1, test.path, &recorder, test.error,
				   sizeof(test.error)));
	return recorder;
}

/* Record what is in the ring, and return the recording. */
static struct gpuoa_reader *record(void)
{
	struct gpuoa_recorder *recorder = open_recorder();
	struct gpuoa_reader *reader = NULL;

	if (!recorder)
		return NULL;
	CHECK(!gpuoa_recorder_write(recorder));
	gpuoa_recorder_stats(recorder, &test.stats, sizeof(test.stats));
	CHECK(!gpuoa_recorder_close(recorder));
	CHECK(!gpuoa_file_open(test.path, &reader, test.error, sizeof(test.error)));
	return reader;
}

static void recording_has_owners_of_contexts(void)
{
	struct gpuoa_context_owner owner;
	struct gpuoa_reader *reader;

	REQUIRE(begin());
	ko.owner = (struct gpuoa_context_owner_info){ .pid = 12,
						      .handle = 3,
						      .client = 44,
						      .flags = GPUOA_CONTEXT_GONE,
						      .comm = "glxgears" };
	for (uint32_t i = 0; i < 3; i++) {
		produce_report(SWITCH | CONTEXT, 5);
		produce_report(TIMER | CONTEXT, 5);
		produce_report(SWITCH | CONTEXT, 7);
	}
	produce_report(TIMER, 9); /* the id is not valid */
	reader = record();
	REQUIRE(reader);
	CHECK(ko.owners == 2); /* each was queried once */
	for (uint32_t id = 5; id <= 7; id += 2) {
		CHECK(!gpuoa_reader_context(reader, id, &owner, sizeof(owner)));
		CHECK(owner.process == 12 && owner.handle == 3 && owner.client == 44);
		CHECK(owner.gone);
		CHECK_STRING(owner.program, "glxgears");
	}
	CHECK(gpuoa_reader_context(reader, 9, &owner, sizeof(owner)) == -ENOENT);
	gpuoa_reader_close(reader);
	end();
}

static void owners_that_cannot_be_queried_are_omitted(void)
{
	struct gpuoa_context_owner owner;
	struct gpuoa_reader *reader;

	REQUIRE(begin());
	produce_report(SWITCH | CONTEXT, 5);
	produce_report(SWITCH | CONTEXT, 7);
	ko.owner_error = EACCES;
	reader = record();
	REQUIRE(reader);
	CHECK(ko.owners == 1); /* the next one would be denied, too */
	CHECK(gpuoa_reader_context(reader, 5, &owner, sizeof(owner)) == -ENOENT);
	gpuoa_reader_close(reader);
	put_description();
	produce();
	produce_report(SWITCH | CONTEXT, 5);
	produce_report(SWITCH | CONTEXT, 7);
	ko.owner_error = ENOENT;
	reader = record();
	REQUIRE(reader);
	CHECK(ko.owners == 3);
	gpuoa_reader_close(reader);
	end();
}

/* A recorder writes everything that the kernel still has, though a read has begun with it. */
static void recording_has_a_sample_that_was_read_in_part(void)
{
	struct gpuoa_reader *reader;

	REQUIRE(begin());
	put_description();
	produce_two_reports();
	CHECK(gpuoa_reader_read(test.reader, test.reports, 1, &test.status) == 1);
	reader = record();
	REQUIRE(reader);
	CHECK(gpuoa_reader_read(reader, test.reports, REPORTS_MAX, &test.status) == 2);
	CHECK(test.stats.reports == 2 && !test.stats.lost);
	CHECK(number(0) == 0 && number(1) == 1);
	gpuoa_reader_close(reader);
	end();
}

static void recorder_reports_a_removed_gpu_after_its_last_reports(void)
{
	struct gpuoa_recorder *recorder;

	REQUIRE(begin());
	recorder = open_recorder();
	REQUIRE(recorder);
	CHECK(!gpuoa_recorder_write(recorder));
	produce_report(TIMER, 0);
	ko.info_error = ENODEV;
	CHECK(gpuoa_recorder_write(recorder) == -ENODEV);
	gpuoa_recorder_stats(recorder, &test.stats, sizeof(test.stats));
	CHECK(test.stats.reports == 1);
	CHECK(!gpuoa_recorder_close(recorder));
	end();
}

/* ---- failed writes -------------------------------------------------------------------------- */

static off_t file_size(void)
{
	struct stat st;

	CHECK(!fstat(test.file, &st));
	return st.st_size;
}

/* Limit the size of files; writes beyond it fail with EFBIG. */
static void limit_files(rlim_t size)
{
	struct rlimit limit;

	CHECK(!getrlimit(RLIMIT_FSIZE, &limit));
	limit.rlim_cur = size;
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
}

static void recording_that_cannot_be_written_is_not_begun(void)
{
	struct gpuoa_recorder *recorder;

	REQUIRE(begin());
	for (rlim_t size = 0; size < 600; size += 200) {
		limit_files(size);
		CHECK(gpuoa_recorder_open(&test.reader, 1, test.path, &recorder, test.error,
					  sizeof(test.error)) == -EFBIG);
		limit_files(RLIM_INFINITY);
		CHECK(strstr(test.error, ": File too large"));
	}
	/* The stream can still be recorded. */
	recorder = open_recorder();
	REQUIRE(recorder);
	CHECK(!gpuoa_recorder_close(recorder));
	end();
}

/* A write that fails consumes nothing, so that it can be repeated. */
static void failed_write_is_repeatable(void)
{
	struct gpuoa_recorder *recorder;
	struct gpuoa_recorder_stats stats;
	struct gpuoa_reader *reader;

	REQUIRE(begin());
	recorder = open_recorder();
	REQUIRE(recorder);
	for (int i = 0; i < 20; i++)
		produce_report(TIMER, 0);
	limit_files((rlim_t)file_size() + 1000);
	for (int i = 0; i < 2; i++)
		CHECK(gpuoa_recorder_write(recorder) == -EFBIG);
	limit_files(RLIM_INFINITY);
	CHECK(!gpuoa_recorder_write(recorder));
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 20);
	gpuoa_recorder_close(recorder);
	REQUIRE(!gpuoa_file_open(test.path, &reader, test.error, sizeof(test.error)));
	CHECK(gpuoa_reader_read(reader, test.reports, REPORTS_MAX, &test.status) == 20);
	CHECK(number(0) == 0 && number(19) == 19);
	gpuoa_reader_close(reader);
	end();
}

/* The owners that a failed write has queried are not in the file, so they are queried again. */
static void failed_write_repeats_owners(void)
{
	struct gpuoa_recorder *recorder;
	struct gpuoa_context_owner owner;
	struct gpuoa_reader *reader;

	REQUIRE(begin());
	ko.owner = (struct gpuoa_context_owner_info){ .pid = 12, .comm = "glxgears" };
	recorder = open_recorder();
	REQUIRE(recorder);
	produce_report(SWITCH | CONTEXT, 5);
	limit_files((rlim_t)file_size() + 8);
	for (unsigned int i = 1; i <= 2; i++)
		CHECK(gpuoa_recorder_write(recorder) == -EFBIG && ko.owners == i);
	limit_files(RLIM_INFINITY);
	CHECK(!gpuoa_recorder_write(recorder) && ko.owners == 3);
	gpuoa_recorder_close(recorder);
	REQUIRE(!gpuoa_file_open(test.path, &reader, test.error, sizeof(test.error)));
	CHECK(!gpuoa_reader_context(reader, 5, &owner, sizeof(owner)) && owner.process == 12);
	gpuoa_reader_close(reader);
	end();
}

/* ---- clock pairs in recordings --------------------------------------------------------------- */

static time_t seconds_ahead; /* of the clock of the machine */

int clock_gettime(clockid_t clock, struct timespec *time)
{
	static int (*real)(clockid_t, struct timespec *);
	int err;

	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	err = real(clock, time);
	if (clock == CLOCK_MONOTONIC)
		time->tv_sec += seconds_ahead;
	return err;
}

/* Clock pairs are in the file soon, because the process may be killed. */
static void recording_gets_clock_pairs_in_time(void)
{
	struct gpuoa_recorder *recorder;
	off_t size, pairs = 0;

	REQUIRE(begin());
	recorder = open_recorder();
	REQUIRE(recorder);
	CHECK(!gpuoa_recorder_write(recorder));
	size = file_size();
	CHECK(!gpuoa_recorder_write(recorder) && file_size() == size);
	for (int i = 0; i < 3; i++) {
		seconds_ahead += 3600;
		CHECK(!gpuoa_recorder_write(recorder) && file_size() > size);
		pairs = file_size() - size;
		size = file_size();
		CHECK(!gpuoa_recorder_write(recorder) && file_size() == size);
	}
	/* If one of the pairs cannot be written, all are due again, and replace those written. */
	for (int i = 0; i < 2; i++) {
		seconds_ahead += 3600;
		limit_files((rlim_t)(size + (i ? pairs - 8 : 8)));
		CHECK(gpuoa_recorder_write(recorder) == -EFBIG);
		limit_files(RLIM_INFINITY);
		CHECK(!gpuoa_recorder_write(recorder) && file_size() == size + pairs);
		size = file_size();
	}
	gpuoa_recorder_close(recorder);
	end();
}

/* Ids of contexts may be used again, so that their owners are queried again in time. */
static void owners_are_queried_again_in_time(void)
{
	struct gpuoa_recorder *recorder;

	REQUIRE(begin());
	ko.owner = (struct gpuoa_context_owner_info){ .pid = 12, .comm = "glxgears" };
	recorder = open_recorder();
	REQUIRE(recorder);
	for (unsigned int i = 1; i <= 3; i++) {
		for (int k = 0; k < 2; k++) {
			produce_report(SWITCH | CONTEXT, 5);
			CHECK(!gpuoa_recorder_write(recorder) && ko.owners == i);
		}
		seconds_ahead += 3600;
	}
	gpuoa_recorder_close(recorder);
	end();
}

static void stream_is_recorded_once(void)
{
	struct gpuoa_reader *twice[3] = { NULL };
	struct gpuoa_recorder *recorder, *other;

	REQUIRE(begin());
	twice[0] = twice[1] = test.reader;
	CHECK(gpuoa_recorder_open(twice, 2, test.path, &recorder, test.error, sizeof(test.error)) ==
	      -EINVAL);
	CHECK_STRING(test.error, "sources 0 and 1 are the same stream");
	CHECK(gpuoa_recorder_open(twice, 3, test.path, &recorder, test.error, sizeof(test.error)) ==
	      -EINVAL);
	twice[1] = NULL;
	CHECK(gpuoa_recorder_open(twice, 2, test.path, &recorder, test.error, sizeof(test.error)) ==
	      -EOPNOTSUPP);
	CHECK_STRING(test.error, "source 1 is no stream of a unit: only those are recorded");
	REQUIRE(!gpuoa_recorder_open(twice, 1, test.path, &recorder, test.error,
				     sizeof(test.error)));
	CHECK(gpuoa_recorder_open(twice, 1, test.path, &other, test.error, sizeof(test.error)) ==
	      -EBUSY);
	CHECK_STRING(test.error, "another recorder has the stream of gpuoa0");
	CHECK(!gpuoa_recorder_close(recorder));
	REQUIRE(!gpuoa_recorder_open(twice, 1, test.path, &recorder, test.error,
				     sizeof(test.error)));
	CHECK(!gpuoa_recorder_close(recorder));
	end();
}

/* ---- queries -------------------------------------------------------------------------------- */

/* Queries on a stream have reports in the format of the stream. */
static void queries_have_the_format_of_the_stream(void)
{
	_Alignas(4096) static char memory[65536];
	struct gpuoa_query_options options = { .size = sizeof(options), .count = 1 };
	struct gpuoa_query_desc desc;
	struct gpuoa_query_pool *pool;

	REQUIRE(begin());
	CHECK(gpuoa_query_pool_open(test.reader, NULL, memory, sizeof(memory), 0x10000, &pool,
				    test.error, sizeof(test.error)) == -EINVAL);
	CHECK_STRING(test.error, "there are no options");
	options.format = GPUOA_FORMAT_A12_B8_C8;
	CHECK(gpuoa_query_pool_open(test.reader, &options, memory, sizeof(memory), 0x10000, &pool,
				    test.error, sizeof(test.error)) == -EINVAL);
	CHECK_STRING(test.error, "queries have reports of format A32u40_A4u32_B8_C8: the stream of "
				 "the pool has them");
	for (int i = 0; i < 2; i++) {
		options.format = i ? GPUOA_FORMAT_A32U40_A4U32_B8_C8 : 0;
		REQUIRE(!gpuoa_query_pool_open(test.reader, &options, memory, sizeof(memory),
					       0x10000, &pool, test.error, sizeof(test.error)));
		gpuoa_query_pool_describe(pool, &desc, sizeof(desc));
		CHECK(desc.format == GPUOA_FORMAT_A32U40_A4U32_B8_C8 && !desc.needs_context);
		gpuoa_query_pool_close(pool);
	}
	end();

	/* not the format of the set */
	REQUIRE(begin_with(&(struct gpuoa_stream_options){
		.use_exponent = true,
		.exponent = TEST_EXPONENT,
		.format = GPUOA_FORMAT_A24U40_A14U32_B8_C8,
	}));
	options.format = 0;
	REQUIRE(!gpuoa_query_pool_open(test.reader, &options, memory, sizeof(memory), 0x10000,
				       &pool, test.error, sizeof(test.error)));
	gpuoa_query_pool_describe(pool, &desc, sizeof(desc));
	CHECK(desc.format == GPUOA_FORMAT_A24U40_A14U32_B8_C8);
	gpuoa_query_pool_close(pool);
	end();
}

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	RUN(reads_are_filtered_by_reason);
	RUN(newest_reports_pass_the_filter);
	RUN(reads_are_filtered_by_context);
	RUN(read_reports_changes_of_the_frequency);
	RUN(peek_consumes_nothing);
	RUN(read_releases_the_ring_up_to_the_reports_that_it_keeps);
	RUN(read_releases_the_area_up_to_the_reports_that_it_keeps);
	RUN(peek_keeps_markers_for_the_read);
	RUN(window_has_the_clock_pair_of_a_stop_during_a_peek);
	RUN(read_of_the_newest_flushes_reports_of_running_streams);
	RUN(snapshot_is_newer_than_the_call);
	RUN(snapshot_of_old_reports_times_out);
	RUN(snapshot_of_a_stopped_stream_is_canceled);
	RUN(snapshot_polls_at_the_rate_of_the_stream);
	RUN(wait_returns_for_news_only);
	RUN(wait_continues_after_a_wake_without_news);
	RUN(wait_returns_what_woke_it);
	RUN(reports_that_arrive_late_are_read_before_the_error);
	RUN(wait_does_not_sleep_from_the_watermark_on);
	RUN(wait_returns_for_an_empty_window);
	RUN(removed_gpu_is_reported_after_the_last_reports);
	RUN(state_is_that_of_the_stream);
	RUN(recording_has_owners_of_contexts);
	RUN(owners_that_cannot_be_queried_are_omitted);
	RUN(recording_has_a_sample_that_was_read_in_part);
	RUN(recorder_reports_a_removed_gpu_after_its_last_reports);
	RUN(recording_that_cannot_be_written_is_not_begun);
	RUN(failed_write_is_repeatable);
	RUN(failed_write_repeats_owners);
	RUN(recording_gets_clock_pairs_in_time);
	RUN(owners_are_queried_again_in_time);
	RUN(stream_is_recorded_once);
	RUN(queries_have_the_format_of_the_stream);
	return tap_end();
}
