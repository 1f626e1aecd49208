// SPDX-License-Identifier: MIT
/*
 * gpus_recorder.c - Record all units of all virtual GPUs in one file: the reports of each unit must
 * equal, bit by bit, those of a reader that shares the unit, and they must be merged in order of
 * time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpuoa-merge.h"
#include "selftests/wait.h"
#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define PERIOD_NS 2000000
#define REPORTS 100 /* minimum per unit */
#define ROOM 4000 /* context switches add reports */
#define WAIT_MS 20000

static struct sim_unit units[UNITS_MAX];
static uint32_t unit_count;
static char path[] = "/tmp/gpus_recorder.XXXXXX";

/* Copies of a unit's reports, made by a reader */
struct copy {
	uint8_t *reports;
	size_t size; /* of one report */
	size_t count;
	uint64_t lost; /* as reported to the reader */
};

static struct gpuoa_reader *recorded[UNITS_MAX];
static struct gpuoa_reader *live[UNITS_MAX];
static struct copy copies[UNITS_MAX];
static uint64_t lost; /* as reported by the recorder */

static bool open_stream(const struct sim_unit *unit, struct gpuoa_reader **reader)
{
	struct gpuoa_stream_options options = { .size = sizeof(options),
						.period_ns = PERIOD_NS,
						.notify_reports = 1,
						.delivery = GPUOA_DELIVERY_RAW };
	char error[256];

	if (!gpuoa_stream_open(unit->unit, sim_unit_any_set(unit), &options, reader, error,
			       sizeof(error)))
		return true;
	printf("# %s: %s\n", unit->desc.name, error);
	return CHECK(false);
}

/* Copy all reports that a reader returns. */
static void take(struct gpuoa_reader *reader, struct copy *copy)
{
	struct gpuoa_read_status status;
	int n;

	do {
		n = gpuoa_reader_read(reader, copy->reports + copy->count * copy->size,
				      ROOM - copy->count, &status);
		CHECK(n >= 0);
		copy->lost += status.lost_overflow + status.lost_hardware + status.lost_ring;
		CHECK(!status.lost_unknown);
		copy->count += n > 0 ? n : 0;
	} while (n > 0 && copy->count < ROOM);
}

static bool copy_open(struct copy *copy, const struct gpuoa_reader *reader)
{
	struct gpuoa_reader_desc desc;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	*copy = (struct copy){ .size = desc.report_size };
	copy->reports = malloc(ROOM * desc.report_size);
	return CHECK(copy->reports);
}

static void misuse_is_refused(void)
{
	struct gpuoa_reader *twice[] = { live[0], live[0] };
	struct gpuoa_recorder *recorder;
	char error[256];

	CHECK(gpuoa_recorder_open(twice, 2, "/dev/null", &recorder, error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, "sources 0 and 1 are the same stream");
	CHECK(gpuoa_recorder_open(recorded, unit_count, "/dev/null", &recorder, error,
				  sizeof(error)) == -EBUSY);
	CHECK(strstr(error, "another recorder has the stream of gpuoa0"));
}

/*
 * In virtual time, no reader is too slow. But when a second stream of a unit is opened, the unit
 * stops briefly, because perf removes all events of the PMU to add another one
 * (kernel/core/stream/gpuoa_stream.c). A timer report that is due in that moment is lost. The loss
 * of one report is reported to the first stream. On a slow kernel, it is reported to the second
 * stream also, if that is already open when the unit restarts.
 */
static void check_losses(uint64_t recorded_lost)
{
	if (!virtual_time())
		return;
	for (uint32_t i = 0; i < unit_count; i++)
		CHECK(copies[i].lost <= 1);
	if (!CHECK(recorded_lost <= unit_count))
		printf("# %llu reports are lost\n", (unsigned long long)recorded_lost);
}

/* Record all units, while one reader per unit copies the reports. */
static void recorder_writes_all_units_to_one_file(void)
{
	struct gpuoa_recorder_stats stats;
	struct gpuoa_recorder *recorder;
	char error[256];
	bool enough;

	for (uint32_t i = 0; i < unit_count; i++) {
		REQUIRE(open_stream(&units[i], &recorded[i]) && open_stream(&units[i], &live[i]));
		REQUIRE(copy_open(&copies[i], live[i]));
	}
	REQUIRE(!gpuoa_recorder_open(recorded, unit_count, path, &recorder, error, sizeof(error)));
	misuse_is_refused();
	do {
		enough = true;
		for (uint32_t i = 0; i < unit_count; i++) {
			if (copies[i].count < REPORTS)
				REQUIRE(!gpuoa_reader_wait(live[i], WAIT_MS));
			take(live[i], &copies[i]);
			enough &= copies[i].count >= REPORTS;
		}
		REQUIRE(!gpuoa_recorder_write(recorder));
		gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	} while (!enough || stats.reports < (uint64_t)unit_count * REPORTS);
	CHECK(!stats.lost_unknown);
	check_losses(stats.lost);
	lost = stats.lost;
	CHECK(!gpuoa_recorder_close(recorder));
	for (uint32_t i = 0; i < unit_count; i++) {
		CHECK(gpuoa_reader_wait(recorded[i], WAIT_MS) == 0); /* readable again */
		gpuoa_reader_close(recorded[i]);
		gpuoa_reader_close(live[i]);
	}
}

/* Returns the number of consecutive reports that are in both copies. */
static size_t in_common(const struct copy *a, const struct copy *b)
{
	size_t at = 0, count;

	while (at < a->count && memcmp(a->reports + at * a->size, b->reports, a->size))
		at++;
	count = a->count - at < b->count ? a->count - at : b->count;
	return memcmp(a->reports + at * a->size, b->reports, count * a->size) ? 0 : count;
}

/* Losses are also reported by the recording. */
static void recorded_streams_equal_live_streams(void)
{
	uint64_t told = 0;

	for (uint32_t i = 0; i < unit_count; i++) {
		struct gpuoa_reader_desc desc;
		struct gpuoa_unit_desc unit;
		struct gpuoa_reader *reader;
		struct copy copy;
		size_t common;
		char error[256];

		REQUIRE(!gpuoa_file_open_stream(path, i, &reader, error, sizeof(error)));
		gpuoa_reader_describe(reader, &desc, sizeof(desc));
		gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
		CHECK(desc.streams == unit_count);
		CHECK_STRING(unit.name, units[i].desc.name);
		REQUIRE(copy_open(&copy, reader));
		take(reader, &copy);
		CHECK(copy.count >= REPORTS / 2);
		/*
		 * Either the recording or the reader may have started first, and either may have
		 * ended first.
		 */
		common = in_common(&copies[i], &copy);
		if (!common)
			common = in_common(&copy, &copies[i]);
		CHECK(common >= REPORTS / 2);
		CHECK(copy.lost <= 1 || !virtual_time());
		told += copy.lost;
		free(copy.reports);
		free(copies[i].reports);
		gpuoa_reader_close(reader);
	}
	CHECK(told == lost);
}

static void merge_of_recorded_streams_is_in_time_order(void)
{
	struct gpuoa_reader *readers[UNITS_MAX];
	uint64_t reports[UNITS_MAX] = { 0 };
	struct gpuoa_merge_run run;
	struct gpuoa_merge *merge;
	uint64_t runs = 0;
	int ret;

	for (uint32_t i = 0; i < unit_count; i++)
		REQUIRE(!gpuoa_file_open_stream(path, i, &readers[i], NULL, 0));
	REQUIRE(!gpuoa_merge_open(readers, unit_count, &merge, NULL, 0));
	while ((ret = gpuoa_merge_next(merge, true, &run, sizeof(run))) > 0) {
		reports[run.reader] += run.count;
		runs++;
	}
	CHECK(!ret);
	/* The units alternate. */
	CHECK(runs > REPORTS);
	for (uint32_t i = 0; i < unit_count; i++)
		CHECK(reports[i] >= REPORTS / 2);
	gpuoa_merge_close(merge);
	for (uint32_t i = 0; i < unit_count; i++)
		gpuoa_reader_close(readers[i]);
}

int main(void)
{
	int fd;

	unit_count = sim_units_open(units, UNITS_MAX);
	if (unit_count < 2)
		return tap_skip("less than two OA units");
	fd = mkstemp(path);
	if (fd < 0 || close(fd))
		return tap_skip("no file can be made");
	RUN(recorder_writes_all_units_to_one_file);
	RUN(recorded_streams_equal_live_streams);
	RUN(merge_of_recorded_streams_is_in_time_order);
	unlink(path);
	sim_units_close(units, unit_count);
	return tap_end();
}
