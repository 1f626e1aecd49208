// SPDX-License-Identifier: MIT
/*
 * merge_test.c - Test merging of several readers in order of time. The recordings are built in
 * memory.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <time.h>

#include "gpuoa-merge.h"
#include "reader/reader.h"
#include "recording.h"
#include "tap.h"

#define ID 7
#define SOURCES 3
#define MAX_ORDER 4096

/*
 * A recording to build: report numbers from @first in steps of @step, in samples of @piece reports.
 * The clock pair defines the CPU time of tick 0.
 */
struct made {
	uint32_t first, count, step, piece;
	uint64_t cpu_ns;
	const char *gpu; /* NULL: unknown */
	bool clockless;
};

static void put_pair(struct bytes *payload, const struct made *made)
{
	const struct gpuoa_record_clock record = {
		.record = { GPUOA_RECORD_CLOCK, sizeof(record) },
		.clock = { .gpu_ticks = 0, .cpu_ns = made->cpu_ns, .clock_id = 1 },
	};

	put(payload, &record, sizeof(record));
}

static void put_stepped(struct bytes *payload, const struct made *made, uint32_t from,
			uint32_t count)
{
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + count * TEST_REPORT_SIZE },
		.first = from,
		.report_size = TEST_REPORT_SIZE,
		.count = count,
	};

	put(payload, &record, sizeof(record));
	for (uint32_t i = 0; i < count; i++)
		put_report(payload, made->first + (from + i) * made->step);
}

static struct gpuoa_reader *make(const struct made *made)
{
	struct recording recording = { 0 };
	struct gpuoa_reader *reader;
	struct bytes payload = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_head(&payload);
	put_stream(&payload);
	if (!made->clockless)
		put_pair(&payload, made);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	for (uint32_t at = 0; at < made->count; at += made->piece) {
		put_head(&payload);
		put_stepped(&payload, made, at, made->piece);
		put_sample(&recording.records, ID, 0, &payload);
		clear(&payload);
	}
	reader = open_laid_out(&recording);
	CHECK(reader);
	/* The library knows the GPU of a live unit, but not that of a recording, so set it here. */
	if (reader && made->gpu)
		strcpy(reader->unit.parent, made->gpu);
	return reader;
}

/*
 * Order of the merged reports. @reader: the input of each report. @number: the number of each
 * report
 */
struct order {
	uint32_t count;
	uint32_t reader[MAX_ORDER];
	uint32_t number[MAX_ORDER];
	bool ended;
};

static void merge_all(const struct made *made, uint32_t readers, struct order *order)
{
	struct gpuoa_reader *open[SOURCES];
	struct gpuoa_merge *merge;
	struct gpuoa_merge_run run;
	int ret;

	*order = (struct order){ 0 };
	for (uint32_t i = 0; i < readers; i++)
		REQUIRE((open[i] = make(&made[i])));
	REQUIRE(!gpuoa_merge_open(open, readers, &merge, NULL, 0));
	while ((ret = gpuoa_merge_next(merge, false, &run, sizeof(run))) > 0) {
		for (uint32_t i = 0; i < run.count; i++) {
			order->reader[order->count] = run.reader;
			order->number[order->count++] = report_number(run.reports, i);
		}
	}
	CHECK(!ret);
	order->ended = run.status.end;
	gpuoa_merge_close(merge);
	for (uint32_t i = 0; i < readers; i++)
		gpuoa_reader_close(open[i]);
}

static void units_of_one_gpu_merge_by_ticks(void)
{
	/*
	 * The inputs are the odd and the even reports of one GPU. Their clock pairs contradict each
	 * other, which must not matter.
	 */
	static const struct made made[] = {
		{ .first = 1, .count = 500, .step = 2, .piece = 100, .gpu = "a" },
		{ .count = 500, .step = 2, .piece = 50, .gpu = "a", .cpu_ns = 7000000 },
	};
	static struct order order;

	merge_all(made, 2, &order);
	CHECK(order.count == 1000 && order.ended);
	for (uint32_t i = 0; i < order.count; i++)
		CHECK(order.number[i] == i && order.reader[i] == !(i % 2));
}

static void units_of_different_gpus_merge_by_cpu_clock(void)
{
	/*
	 * The clock of the second GPU was at tick 0 half a period earlier than that of the first
	 * GPU.
	 */
	static const struct made made[] = {
		{ .count = 300, .step = 1, .piece = 100, .gpu = "a", .cpu_ns = 1000000 },
		{ .count = 300,
		  .step = 1,
		  .piece = 75,
		  .gpu = "b",
		  .cpu_ns = 1000000 - TEST_TICKS * 40 },
	};
	static struct order order;

	merge_all(made, 2, &order);
	CHECK(order.count == 600 && order.ended);
	for (uint32_t i = 0; i < order.count; i++)
		CHECK(order.reader[i] == !(i % 2) && order.number[i] == i / 2);
}

static void recordings_without_gpu_merge_by_cpu_clock(void)
{
	static const struct made made[] = {
		{ .count = 10, .step = 1, .piece = 5, .cpu_ns = 20 * TEST_TICKS * 80 },
		{ .count = 10, .step = 1, .piece = 10 },
	};
	static struct order order;

	merge_all(made, 2, &order);
	CHECK(order.count == 20);
	for (uint32_t i = 0; i < order.count; i++)
		CHECK(order.reader[i] == (i < 10));
}

static void equal_times_follow_order_of_readers(void)
{
	static const struct made made[] = {
		{ .count = 100, .step = 1, .piece = 10, .gpu = "a" },
		{ .count = 100, .step = 1, .piece = 20, .gpu = "a" },
		{ .count = 100, .step = 1, .piece = 25, .gpu = "b" },
	};
	static struct order order;

	merge_all(made, 3, &order);
	CHECK(order.count == 300);
	for (uint32_t i = 0; i < order.count; i++)
		CHECK(order.number[i] == i / 3 && order.reader[i] == i % 3);
}

static void reader_without_clock_pair_comes_first(void)
{
	static const struct made made[] = {
		{ .count = 100, .step = 1, .piece = 10 },
		{ .first = 50, .count = 100, .step = 1, .piece = 20, .clockless = true },
	};
	static struct order order;

	merge_all(made, 2, &order);
	CHECK(order.count == 200 && order.ended);
	for (uint32_t i = 0; i < order.count; i++)
		CHECK(order.reader[i] == (i < 100));
}

/* ---- readers that will have more data later ---- */

/* A reader that returns the scripted results, one per call */
struct scripted {
	struct gpuoa_reader reader;
	const struct step {
		int n;
		uint32_t first; /* number of the first report */
		struct gpuoa_read_status status;
	} * steps;
	size_t at, count;
	struct bytes reports;
};

static int scripted_next(struct gpuoa_reader *reader, const void **reports, size_t max,
			 struct gpuoa_read_status *status)
{
	struct scripted *scripted = (struct scripted *)reader;
	const struct step *step;

	(void)max;
	*status = (struct gpuoa_read_status){ 0 };
	if (scripted->at == scripted->count)
		return 0;
	step = &scripted->steps[scripted->at++];
	*status = step->status;
	clear(&scripted->reports);
	for (int i = 0; i < step->n; i++)
		put_report(&scripted->reports, step->first + i);
	*reports = scripted->reports.data;
	return step->n;
}

static const struct reader_ops scripted_ops = { .next = scripted_next };

static struct scripted play(const struct step *steps, size_t count)
{
	return (struct scripted){
		.reader = { .ops = &scripted_ops,
			    .desc = { .format = GPUOA_REPORT_A45_B8_C8,
				      .report_size = TEST_REPORT_SIZE },
			    .unit = { .timestamp_frequency = 12500000, .parent = "a" } },
		.steps = steps,
		.count = count,
	};
}

#define PAIR                      \
	{                         \
		.has_clock = true \
	}

static void next_waits_for_empty_reader(void)
{
	static const struct step fast[] = { { 10, 0, PAIR } };
	static const struct step slow[] = { { 0, 0, { 0 } },
					    { 5, 3, PAIR },
					    { 5, 8, { .end = true } } };
	struct scripted first = play(fast, 1), second = play(slow, 3);
	struct gpuoa_reader *readers[] = { &first.reader, &second.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;

	REQUIRE(!gpuoa_merge_open(readers, 2, &merge, NULL, 0));
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 0 && run.reader == 1 &&
	      !run.status.end);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.reader == 0 &&
	      run.count == 4);
	for (int i = 0; i < 8; i++)
		CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.count == 1);
	/*
	 * Reports 3 to 7 of both inputs were returned. Reports 8 and 9 of the first input are left,
	 * and reports 8 to 12 of the second.
	 */
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.reader == 1 &&
	      run.count == 1);
	gpuoa_merge_close(merge);
	clear(&first.reports);
	clear(&second.reports);
}

static void flush_does_not_wait_for_empty_reader(void)
{
	static const struct step some[] = { { 10, 0, PAIR } };
	struct scripted first = play(some, 1), second = play(NULL, 0);
	struct gpuoa_reader *readers[] = { &first.reader, &second.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;

	REQUIRE(!gpuoa_merge_open(readers, 2, &merge, NULL, 0));
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 0 && run.reader == 1);
	CHECK(gpuoa_merge_next(merge, true, &run, sizeof(run)) == 1 && run.reader == 0 &&
	      run.count == 10);
	CHECK(gpuoa_merge_next(merge, true, &run, sizeof(run)) == 0 && !run.status.end);
	gpuoa_merge_close(merge);
	clear(&first.reports);
	clear(&second.reports);
}

static void clock_pair_may_precede_reports(void)
{
	static const struct step paired[] = { { 0, 0, PAIR }, { 5, 5, { 0 } } };
	static const struct step both[] = { { 5, 0, PAIR } };
	struct scripted first = play(paired, 2), second = play(both, 1);
	struct gpuoa_reader *readers[] = { &first.reader, &second.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;

	REQUIRE(!gpuoa_merge_open(readers, 2, &merge, NULL, 0));
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.reader == 0 &&
	      !run.count && run.status.has_clock);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.reader == 1 &&
	      run.count == 5);
	gpuoa_merge_close(merge);
	clear(&first.reports);
	clear(&second.reports);
}

#define PAIR_AT(ticks)                              \
	{                                           \
		.has_clock = true, .clock = {       \
			.gpu_ticks = ticks,         \
			.cpu_ns = (ticks)*80,       \
			.clock_id = CLOCK_MONOTONIC \
		}                                   \
	}

/* A clock pair has all 64 bits of the time, timestamps of reports only 32. */
static void timestamps_are_near_the_clock_pair(void)
{
	static const struct step paused[] = { { 2, 0, PAIR_AT(UINT64_C(1) << 32) },
					      { 2, 2, PAIR_AT(UINT64_C(2) << 32) } };
	static const struct step steady[] = { { 6, 0, PAIR_AT(UINT64_C(1) << 32) } };
	static const uint32_t expected[] = { 0, 1, 0, 1, 1, 1, 1, 1, 0, 0 };
	struct scripted first = play(paused, 2), second = play(steady, 1);
	struct gpuoa_reader *readers[] = { &first.reader, &second.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;
	size_t at = 0;

	REQUIRE(!gpuoa_merge_open(readers, 2, &merge, NULL, 0));
	while (gpuoa_merge_next(merge, true, &run, sizeof(run)) == 1)
		for (uint32_t i = 0; i < run.count; i++, at++)
			CHECK(at < 10 && run.reader == expected[at]);
	CHECK(at == 10);
	gpuoa_merge_close(merge);
	clear(&first.reports);
	clear(&second.reports);
}

static void removed_gpu_does_not_end_merge(void)
{
	static const struct step lasting[] = { { 5, 0, PAIR }, { 5, 5, { .end = true } } };
	static const struct step gone[] = { { 2, 1, PAIR }, { -ENODEV, 0, { 0 } } };
	struct scripted first = play(lasting, 2), second = play(gone, 2);
	struct gpuoa_reader *readers[] = { &first.reader, &second.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;
	uint32_t reports = 0;

	REQUIRE(!gpuoa_merge_open(readers, 2, &merge, NULL, 0));
	while (reports < 5 && gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1)
		reports += run.count;
	CHECK(reports == 5);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == -ENODEV && run.reader == 1);
	while (gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1) {
		CHECK(run.reader == 0);
		reports += run.count;
	}
	CHECK(reports == 12 && run.status.end);
	gpuoa_merge_close(merge);
	clear(&first.reports);
	clear(&second.reports);
}

static void status_without_reports_is_returned(void)
{
	static const struct step steps[] = {
		{ 5, 0, PAIR },
		{ 0, 0, { .lost_overflow = 7 } },
		{ 5, 20, { .gap = true } },
		{ 0, 0, { .lost_unknown = true, .end = true } },
	};
	struct scripted only = play(steps, 4);
	struct gpuoa_reader *readers[] = { &only.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;

	REQUIRE(!gpuoa_merge_open(readers, 1, &merge, NULL, 0));
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.count == 5 &&
	      run.status.has_clock);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && !run.count &&
	      run.status.lost_overflow == 7);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.count == 5 &&
	      run.status.gap && !run.status.lost_overflow);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && !run.count &&
	      run.status.lost_unknown);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 0 && run.status.end);
	gpuoa_merge_close(merge);
	clear(&only.reports);
}

static void each_status_alone_is_returned(void)
{
	static const struct gpuoa_read_status statuses[] = {
		{ .gap = true },       { .lost_unknown = true }, { .lost_overflow = 1 },
		{ .lost_ring = 1 },    { .lost_hardware = 1 },	 { .damaged = 1 },
		{ .has_clock = true },
	};
	struct gpuoa_merge_run run;

	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		const struct step steps[] = { { 0, 0, statuses[i] }, { 0, 0, { 0 } } };
		struct scripted only = play(steps, 2);
		struct gpuoa_reader *readers[] = { &only.reader };
		struct gpuoa_merge *merge;

		REQUIRE(!gpuoa_merge_open(readers, 1, &merge, NULL, 0));
		if (!CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && !run.count))
			printf("# status %zu\n", i);
		CHECK(run.status.gap == statuses[i].gap &&
		      run.status.lost_unknown == statuses[i].lost_unknown &&
		      run.status.lost_overflow == statuses[i].lost_overflow &&
		      run.status.lost_ring == statuses[i].lost_ring &&
		      run.status.lost_hardware == statuses[i].lost_hardware &&
		      run.status.damaged == statuses[i].damaged &&
		      run.status.has_clock == statuses[i].has_clock);
		/* It is returned once, and nothing is to be said of an empty one. */
		CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 0 && !run.status.end);
		gpuoa_merge_close(merge);
	}
}

static void reader_error_is_returned(void)
{
	static const struct step gone[] = { { -ENODEV, 0, { 0 } }, { 5, 0, PAIR } };
	static const struct step broken[] = { { -EIO, 0, { 0 } }, { 5, 0, PAIR } };
	struct scripted only = play(gone, 2);
	struct gpuoa_reader *readers[] = { &only.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;

	REQUIRE(!gpuoa_merge_open(readers, 1, &merge, NULL, 0));
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == -ENODEV);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 0 && run.status.end);
	gpuoa_merge_close(merge);
	/* After another error than a removed GPU, reading goes on. */
	only = play(broken, 2);
	REQUIRE(!gpuoa_merge_open(readers, 1, &merge, NULL, 0));
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == -EIO);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.count == 5);
	gpuoa_merge_close(merge);
	clear(&only.reports);
}

static void reader_of_an_error_or_a_status_is_named(void)
{
	static const struct step fast[] = { { 5, 0, PAIR } };
	static const struct step slow[] = { { -EIO, 0, { 0 } }, { 0, 0, { .lost_overflow = 7 } } };
	struct scripted first = play(fast, 1), second = play(slow, 2);
	struct gpuoa_reader *readers[] = { &first.reader, &second.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;

	REQUIRE(!gpuoa_merge_open(readers, 2, &merge, NULL, 0));
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == -EIO && run.reader == 1);
	CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.reader == 1 &&
	      !run.count && run.status.lost_overflow == 7);
	gpuoa_merge_close(merge);
	clear(&first.reports);
}

/* The last report is more than half the timestamp's range after the clock pair, not before it. */
static void later_reports_are_after_earlier_ones(void)
{
	static const struct gpuoa_read_status pair = {
		.has_clock = true,
		.clock = { .gpu_ticks = UINT64_C(1) << 33 },
	};
	const struct step slow[] = { { 1, 0, pair }, { 1, 0x90000000 / TEST_TICKS, { 0 } } };
	const struct step fast[] = { { 1, 1, pair }, { 1, 2, { .end = true } } };
	struct scripted first = play(slow, 2), second = play(fast, 2);
	struct gpuoa_reader *readers[] = { &first.reader, &second.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;

	REQUIRE(!gpuoa_merge_open(readers, 2, &merge, NULL, 0));
	for (uint32_t i = 0; i < 4; i++)
		CHECK(gpuoa_merge_next(merge, false, &run, sizeof(run)) == 1 && run.count == 1 &&
		      run.reader == (i == 1 || i == 2));
	gpuoa_merge_close(merge);
	clear(&first.reports);
	clear(&second.reports);
}

/* Two clocks of one GPU that do not have the same frequency are compared by the CPU's clock. */
static void clocks_of_one_gpu_may_differ(void)
{
	static const struct step slow[] = {
		{ 3, 1, { .has_clock = true, .clock = { .clock_id = CLOCK_MONOTONIC } } },
		{ 0, 0, { .end = true } },
	};
	struct scripted first = play(slow, 2), second = play(slow, 2);
	struct gpuoa_reader *readers[] = { &first.reader, &second.reader };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;

	/* The reports of the second one are twice as far apart in time. */
	second.reader.unit.timestamp_frequency = 6250000;
	REQUIRE(!gpuoa_merge_open(readers, 2, &merge, NULL, 0));
	CHECK(gpuoa_merge_next(merge, true, &run, sizeof(run)) == 1 && run.reader == 0);
	CHECK(run.count == 2); /* those of tick 1 and 2 come before tick 1 of the other */
	CHECK(gpuoa_merge_next(merge, true, &run, sizeof(run)) == 1 && run.reader == 1);
	CHECK(run.count == 1);
	CHECK(gpuoa_merge_next(merge, true, &run, sizeof(run)) == 1 && run.reader == 0);
	CHECK(run.count == 1);
	CHECK(gpuoa_merge_next(merge, true, &run, sizeof(run)) == 1 && run.reader == 1);
	CHECK(run.count == 2);
	gpuoa_merge_close(merge);
	clear(&first.reports);
	clear(&second.reports);
}

static void invalid_readers_are_rejected(void)
{
	struct scripted one = play(NULL, 0), other = play(NULL, 0);
	struct gpuoa_reader *readers[3] = { &one.reader, &other.reader, NULL };
	struct gpuoa_merge *merge;
	char error[128];

	CHECK(gpuoa_merge_open(readers, 0, &merge, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "there are no sources to merge");
	CHECK(gpuoa_merge_open(readers, 65537, &merge, error, sizeof(error)) == -E2BIG);
	CHECK_STRING(error, "65537 sources are too many: 65536 can be merged");
	CHECK(gpuoa_merge_open(readers, 65536, &merge, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "there is no source 2");
	CHECK(gpuoa_merge_open(readers, 3, &merge, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "there is no source 2");
	readers[2] = &one.reader;
	CHECK(gpuoa_merge_open(readers, 3, &merge, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "sources 0 and 2 are the same");
	other.reader.unit.timestamp_frequency = 0;
	CHECK(gpuoa_merge_open(readers, 2, &merge, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "source 1 does not know how fast its GPU's clock is");
	other.reader.desc.format = 60;
	CHECK(gpuoa_merge_open(readers, 2, &merge, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "source 1 has reports of format 60, which this library does not know");
	gpuoa_merge_close(NULL);
}

int main(void)
{
	RUN(units_of_one_gpu_merge_by_ticks);
	RUN(units_of_different_gpus_merge_by_cpu_clock);
	RUN(recordings_without_gpu_merge_by_cpu_clock);
	RUN(equal_times_follow_order_of_readers);
	RUN(reader_without_clock_pair_comes_first);
	RUN(next_waits_for_empty_reader);
	RUN(flush_does_not_wait_for_empty_reader);
	RUN(clock_pair_may_precede_reports);
	RUN(timestamps_are_near_the_clock_pair);
	RUN(removed_gpu_does_not_end_merge);
	RUN(status_without_reports_is_returned);
	RUN(each_status_alone_is_returned);
	RUN(reader_error_is_returned);
	RUN(reader_of_an_error_or_a_status_is_named);
	RUN(later_reports_are_after_earlier_ones);
	RUN(clocks_of_one_gpu_may_differ);
	RUN(invalid_readers_are_rejected);
	return tap_end();
}
