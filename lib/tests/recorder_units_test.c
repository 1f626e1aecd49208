// SPDX-License-Identifier: MIT
/*
 * recorder_units_test.c - Test recorders of several streams: each stream reads as if it were
 * recorded alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "played.h"
#include "recording.h"
#include "reader/recording/perfdata.h"
#include "reader/stream/emulated_ring.h"
#include "tap.h"

#define STREAMS 3
#define PATH_SIZE 32

/* Streams 0 and 1 deliver reports in RAW mode, stream 2 in AUX mode. */
struct recorded {
	struct played played[STREAMS];
	char path[PATH_SIZE];
	int fd;
	struct gpuoa_recorder *recorder;
};

static uint64_t id_of(uint32_t stream)
{
	/* stream 2 has the id that played.h uses in AUX records */
	return stream == 2 ? PLAYED_ID : 70 + stream;
}

/* Return a set. If the recorder has a set, the recording contains metadata for each stream. */
static const struct gpuoa_set *a_set(void)
{
	return gpuoa_platform_find_set(gpuoa_platform_find("hsw"), "RenderBasic", NULL, NULL);
}

/* Write the initial description of a stream; its unit is gpuoa<stream>. */
static void describe(struct recorded *recorded, uint32_t stream)
{
	struct gpuoa_record_stream said = test_stream();
	struct bytes records = { 0 }, payload = { 0 };

	snprintf(said.info.pmu, sizeof(said.info.pmu), "gpuoa%u", stream);
	put_head(&payload);
	put(&payload, &said, sizeof(said));
	put_clock(&payload, 1000);
	put_sample(&records, recorded->played[stream].stream.id, 0, &payload);
	clear(&payload);
	played_produce(&recorded->played[stream], &records);
}

static void begin_as(struct recorded *recorded, uint32_t type, uint64_t id_bit)
{
	struct gpuoa_recorder **recorder = &recorded->recorder;
	const struct complaint quiet = { 0 };
	struct stream *streams[STREAMS];

	recorded->fd = memfd_create("recorded", MFD_CLOEXEC);
	snprintf(recorded->path, PATH_SIZE, "/proc/self/fd/%d", recorded->fd);
	for (uint32_t i = 0; i < STREAMS; i++) {
		struct played *played = &recorded->played[i];

		if (i == 2)
			played_begin_aux(played, false);
		else
			played_begin(played);
		streams[i] = &played->stream;
		streams[i]->id = id_of(i) | id_bit;
		streams[i]->attr.type = type;
		streams[i]->set = a_set();
		describe(recorded, i);
	}
	CHECK(!recorder_begin(streams, STREAMS, recorded->path, recorder, &quiet));
}

static void begin(struct recorded *recorded)
{
	begin_as(recorded, 30, 0);
}

static void end(struct recorded *recorded)
{
	for (uint32_t i = 0; i < STREAMS; i++)
		played_end(&recorded->played[i]);
	close(recorded->fd);
}

/* Write @count reports of a stream, starting with number @first. */
static void produce(struct recorded *recorded, uint32_t stream, uint32_t first, uint32_t count)
{
	struct played *played = &recorded->played[stream];
	struct bytes records = { 0 };

	if (stream == 2) {
		played_land(played, first, first, count);
		put_aux_reports(&records, first, count);
	} else {
		put_reports_sample(&records, played->stream.id, first, count);
	}
	played_produce(played, &records);
}

static struct findings find_stream(const struct recorded *recorded, uint32_t stream)
{
	struct findings findings = { .in_order = true };
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	struct gpuoa_reader *reader;
	char name[16];

	findings.result = gpuoa_file_open_stream(recorded->path, stream, &reader, findings.error,
						 sizeof(findings.error));
	if (findings.result)
		return findings;
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
	snprintf(name, sizeof(name), "gpuoa%u", stream);
	CHECK_STRING(unit.name, name);
	CHECK(desc.streams == STREAMS && desc.stream == stream);
	read_all(reader, &findings);
	gpuoa_reader_close(reader);
	return findings;
}

static void each_has(const struct recorded *recorded, uint64_t reports)
{
	for (uint32_t i = 0; i < STREAMS; i++) {
		const struct findings found = find_stream(recorded, i);

		CHECK(!found.result && found.reports == reports && found.in_order);
		CHECK(!found.gaps && !found.lost_unknown);
	}
}

static void each_stream_is_readable_after_each_write(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;

	begin(&recorded);
	for (uint32_t i = 0; i < 30; i++) {
		/* Write the streams in varying order, with and without new data in each. */
		for (uint32_t stream = 0; stream < STREAMS; stream++) {
			produce(&recorded, stream, 20 * i, 20);
			if (i % 3 == stream)
				CHECK(!gpuoa_recorder_write(recorded.recorder));
		}
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		each_has(&recorded, 20 * (i + 1));
	}
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == (uint64_t)STREAMS * 600 && !stats.lost && !stats.lost_unknown);
	CHECK(stats.bytes == (uint64_t)lseek(recorded.fd, 0, SEEK_END));
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	each_has(&recorded, 600);
	end(&recorded);
}

/* In a recording, events of the stock drivers look like the dummy event that perf adds. */
static void streams_of_stock_drivers_are_found(void)
{
	struct recorded recorded;
	struct findings found;

	begin_as(&recorded, PERF_TYPE_SOFTWARE, EMULATED_ID);
	for (uint32_t i = 0; i < 2; i++)
		produce(&recorded, i, 0, 10);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	for (uint32_t i = 0; i < 2; i++) {
		found = find_stream(&recorded, i);
		CHECK(!found.result && found.reports == 10);
	}
	end(&recorded);
}

static void loss_belongs_to_its_stream(void)
{
	struct gpuoa_recorder_stats stats;
	struct bytes records = { 0 };
	struct recorded recorded;
	struct findings found;

	begin(&recorded);
	for (uint32_t i = 0; i < STREAMS; i++)
		produce(&recorded, i, 0, 10);
	put_perf_lost(&records, id_of(1), 0, 3);
	put_reports_sample(&records, id_of(1), 15, 10);
	played_produce(&recorded.played[1], &records);
	produce(&recorded, 0, 10, 10);
	produce(&recorded, 2, 10, 10);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 60 && stats.lost == 5 && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	for (uint32_t i = 0; i < STREAMS; i++) {
		found = find_stream(&recorded, i);
		CHECK(found.reports == 20 && !found.lost_unknown);
		CHECK(found.gaps == (i == 1) && found.lost_ring == (i == 1 ? 5 : 0));
	}
	end(&recorded);
}

/* The disk becomes full while the second stream is written. */
static void failed_write_changes_no_stream(void)
{
	struct gpuoa_recorder_stats stats;
	struct rlimit limit, tight;
	struct recorded recorded;

	begin(&recorded);
	for (uint32_t i = 0; i < STREAMS; i++)
		produce(&recorded, i, 0, 10);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	for (uint32_t i = 0; i < STREAMS; i++)
		produce(&recorded, i, 10, 20);

	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	tight = (struct rlimit){ stats.bytes + 30 * TEST_REPORT_SIZE, limit.rlim_max };
	setrlimit(RLIMIT_FSIZE, &tight);
	CHECK(gpuoa_recorder_write(recorded.recorder) == -EFBIG);
	setrlimit(RLIMIT_FSIZE, &limit);
	each_has(&recorded, 10);

	for (uint32_t i = 0; i < STREAMS; i++)
		produce(&recorded, i, 30, 10);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	CHECK(gpuoa_recorder_close(recorded.recorder) == -EFBIG);
	each_has(&recorded, 40);
	end(&recorded);
}

static int is_gone(const struct gpuoa_unit *unit)
{
	(void)unit;
	return -ENODEV;
}

static void removed_gpu_does_not_end_recording(void)
{
	const struct backend nowhere = { .check = is_gone, .clock = played_clock };
	struct recorded recorded;

	begin(&recorded);
	for (uint32_t i = 0; i < STREAMS; i++)
		produce(&recorded, i, 0, 10);
	recorded.played[1].unit.backend = &nowhere;
	CHECK(gpuoa_recorder_write(recorded.recorder) == -ENODEV);
	each_has(&recorded, 10);
	produce(&recorded, 0, 10, 10);
	produce(&recorded, 2, 10, 10);
	CHECK(gpuoa_recorder_write(recorded.recorder) == -ENODEV);
	CHECK(find_stream(&recorded, 0).reports == 20);
	CHECK(find_stream(&recorded, 1).reports == 10);
	CHECK(find_stream(&recorded, 2).reports == 20);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	end(&recorded);
}

static void each_removed_gpu_is_reported(void)
{
	const struct backend nowhere = { .check = is_gone, .clock = played_clock };
	struct recorded recorded;

	for (uint32_t i = 0; i < STREAMS; i++) {
		begin(&recorded);
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		recorded.played[i].unit.backend = &nowhere;
		CHECK(gpuoa_recorder_write(recorded.recorder) == -ENODEV);
		CHECK(!gpuoa_recorder_close(recorded.recorder));
		end(&recorded);
	}
}

static void invalid_readers_are_rejected(void)
{
	struct gpuoa_recorder *recorder;
	struct gpuoa_reader *none = NULL;
	char error[128];

	CHECK(gpuoa_recorder_open(NULL, 0, "/dev/null", &recorder, error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, "there is no stream to record");
	CHECK(gpuoa_recorder_open(NULL, UINT32_MAX, "/dev/null", &recorder, error, sizeof(error)) ==
	      -E2BIG);
	CHECK_STRING(error, "a recording has at most 1024 streams, not 4294967295");
	CHECK(gpuoa_recorder_open(&none, 1, "/dev/null", &recorder, error, sizeof(error)) ==
	      -EOPNOTSUPP);
	CHECK(strstr(error, "source 0 is no stream"));
}

static void creation_error_names_file(void)
{
	struct gpuoa_recorder *recorder;
	char error[128];
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	struct played played;
	struct stream *stream = &played.stream;

	played_begin(&played);
	CHECK(recorder_begin(&stream, 1, "/no/such/file", &recorder, &complaint) == -ENOENT);
	CHECK_STRING(error, "cannot create /no/such/file: No such file or directory");
	CHECK(!played.stream.recorded);
	played_end(&played);
}

int main(void)
{
	RUN(each_stream_is_readable_after_each_write);
	RUN(streams_of_stock_drivers_are_found);
	RUN(loss_belongs_to_its_stream);
	RUN(failed_write_changes_no_stream);
	RUN(removed_gpu_does_not_end_recording);
	RUN(each_removed_gpu_is_reported);
	RUN(invalid_readers_are_rejected);
	RUN(creation_error_names_file);
	return tap_end();
}
