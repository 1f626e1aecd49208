// SPDX-License-Identifier: MIT
/*
 * recorder_test.c - Test the recorder without a kernel: it copies data from a ring buffer to a file
 * that is valid at any time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "payload.h"
#include "played.h"
#include "reader/recording/perfdata_writer.h"
#include "recording.h"
#include "reader/recording/recorder.h"
#include "reader/stream/stream.h"
#include "reader/uapi.h"
#include "tap.h"

#define ID PLAYED_ID
#define PATH_SIZE 32

static void memory_file(int *fd, char path[PATH_SIZE])
{
	*fd = memfd_create("recorded", MFD_CLOEXEC);
	snprintf(path, PATH_SIZE, "/proc/self/fd/%d", *fd);
}

static struct findings find_at(const char *path)
{
	struct findings findings = { .in_order = true };
	struct gpuoa_reader *reader;

	findings.result = gpuoa_file_open(path, &reader, findings.error, sizeof(findings.error));
	if (findings.result)
		return findings;
	read_all(reader, &findings);
	gpuoa_reader_close(reader);
	return findings;
}

static struct perfdata_writer_event an_event(void)
{
	return (struct perfdata_writer_event){ test_attr(TEST_SAMPLE_TYPE), ID,
					       "gpuoa0/RenderBasic/" };
}

static int append(struct perfdata_writer *writer, const struct bytes *records)
{
	const struct iovec pieces[] = { { records->data, 100 },
					{ records->data + 100, records->size - 100 } };

	const int err = perfdata_add(writer, pieces, 2);

	if (!err)
		return perfdata_commit(writer);
	perfdata_cancel(writer);
	return err;
}

static void file_is_complete_after_each_write(void)
{
	const struct perfdata_writer_event event = an_event();
	struct perfdata_writer writer;
	struct bytes records = { 0 };
	struct findings found;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	CHECK(find_at(path).result == -ENODATA);
	put_first_sample(&records, ID);
	CHECK(!append(&writer, &records));
	found = find_at(path);
	CHECK(found.result == 0 && found.reports == 0);
	for (uint64_t i = 0; i < 10; i++) {
		clear(&records);
		put_reports_sample(&records, ID, 100 * i, 100);
		CHECK(!append(&writer, &records));
		found = find_at(path);
		CHECK(found.result == 0 && found.reports == 100 * (i + 1) && found.gaps == 0);
	}
	CHECK(!perfdata_finish(&writer));
	found = find_at(path);
	CHECK(found.result == 0 && found.reports == 1000);
	clear(&records);
	close(fd);
}

static void file_without_samples_returns_enodata(void)
{
	const struct perfdata_writer_event event = an_event();
	struct perfdata_writer writer;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	CHECK(!perfdata_finish(&writer));
	CHECK(find_at(path).result == -ENODATA);
	close(fd);
}

/* perf reads a feature only if its bit is set. */
static void header_has_the_features(void)
{
	const uint64_t features = UINT64_C(1) << PERFDATA_OSRELEASE | UINT64_C(1) << PERFDATA_ARCH |
				  UINT64_C(1) << PERFDATA_EVENT_DESC;
	const struct perfdata_writer_event event = an_event();
	struct perfdata_writer writer;
	struct perfdata_header header;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	CHECK(!perfdata_finish(&writer));
	REQUIRE(pread(fd, &header, sizeof(header), 0) == sizeof(header));
	CHECK(header.features[0] == features && !header.features[1]);
	close(fd);
}

/* The names of a unit in a recording are those of the unit that was recorded. */
static void conversion_of_unit_keeps_names(void)
{
	const struct gpuoa_unit_desc unit = { .name = "gpuoa1",
					      .platform = "tglgt2",
					      .parent = "0000:00:02.0" };
	struct gpuoa_unit_info info;
	struct gpuoa_unit_desc kept;

	uapi_unit_info(&info, &unit);
	uapi_unit_desc(&kept, &info);
	CHECK(!strcmp(kept.name, unit.name) && !strcmp(kept.platform, unit.platform));
	CHECK(!strcmp(kept.parent, unit.parent));
}

static void recording_has_mode_0600(void)
{
	const struct perfdata_writer_event event = an_event();
	const mode_t mask = umask(0);
	struct perfdata_writer writer;
	char path[] = "/tmp/gpuoa-recorder-XXXXXX";
	struct stat st;

	close(mkstemp(path));
	unlink(path);
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	CHECK(!fstat(writer.fd, &st) && (st.st_mode & 0777) == 0600);
	CHECK(!perfdata_finish(&writer));
	unlink(path);
	umask(mask);
}

static void failed_write_leaves_file_unchanged(void)
{
	const struct perfdata_writer_event event = an_event();
	struct perfdata_writer writer;
	struct bytes records = { 0 };
	struct rlimit limit, tight;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 20);
	CHECK(!append(&writer, &records));
	clear(&records);
	put_reports_sample(&records, ID, 20, 20);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	tight = (struct rlimit){ perfdata_written(&writer) + 1000, limit.rlim_max };
	setrlimit(RLIMIT_FSIZE, &tight);
	CHECK(append(&writer, &records) == -EFBIG);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(find_at(path).reports == 20);
	CHECK(!append(&writer, &records));
	CHECK(!perfdata_finish(&writer));
	CHECK(find_at(path).reports == 40);
	clear(&records);
	close(fd);
}

/* a stream for which this test takes the place of the kernel */

struct recorded {
	struct played played;
	char path[PATH_SIZE];
	int fd;
	struct gpuoa_recorder *recorder;
};

static void begin_recording(struct recorded *recorded)
{
	memory_file(&recorded->fd, recorded->path);
	CHECK(!played_record(&recorded->played, recorded->path, &recorded->recorder));
}

static void begin(struct recorded *recorded)
{
	played_begin(&recorded->played);
	begin_recording(recorded);
}

static void begin_aux(struct recorded *recorded, bool overwrite)
{
	played_begin_aux(&recorded->played, overwrite);
	begin_recording(recorded);
}

static void end(struct recorded *recorded)
{
	played_end(&recorded->played);
	close(recorded->fd);
}

static void produce(struct recorded *recorded, struct bytes *records)
{
	played_produce(&recorded->played, records);
}

static void write_records_ring(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct findings found;

	begin(&recorded);
	put_first_sample(&records, ID);
	produce(&recorded, &records);
	/* Write so much that the data wraps several times at the end of the ring buffer. */
	for (uint32_t i = 0; i < 50; i++) {
		put_reports_sample(&records, ID, 20 * i, 20);
		produce(&recorded, &records);
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		CHECK(ring_fill(&recorded.played.stream.ring) == 0);
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == 20 * (i + 1) && !stats.lost && !stats.lost_unknown);
		CHECK(stats.bytes == (uint64_t)lseek(recorded.fd, 0, SEEK_END));
		CHECK(find_at(recorded.path).reports == 20 * (i + 1));
	}
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	found = find_at(recorded.path);
	CHECK(found.result == 0 && found.reports == 1000 && found.gaps == 0 && found.in_order);
	end(&recorded);
}

/* Begin a recording. perf has lost a record after the first 5 reports. */
static void begin_with_loss(struct recorded *recorded, struct bytes *records)
{
	begin(recorded);
	put_first_sample(records, ID);
	put_reports_sample(records, ID, 0, 5);
	put_perf_lost(records, ID, 0, 1);
}

static void losses_are_recorded_and_counted(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct findings found;

	begin_with_loss(&recorded, &records);
	put_reports_sample(&records, ID, 12, 5);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 10 && stats.lost == 7 && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	found = find_at(recorded.path);
	CHECK(found.reports == 10 && found.gaps == 1 && found.lost_ring == 7);
	end(&recorded);
}

static void loss_at_end_is_counted(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };

	begin_with_loss(&recorded, &records);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 5 && !stats.lost && stats.lost_unknown);

	/* The stream has not ended. */
	put_reports_sample(&records, ID, 12, 5);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 10 && stats.lost == 7 && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	end(&recorded);
}

/* perf lost a record between consecutive reports, with unknown content. */
static void unknown_loss_is_kept(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };

	begin_with_loss(&recorded, &records);
	for (uint32_t i = 1; i < 3; i++) {
		put_reports_sample(&records, ID, 5 * i, 5);
		produce(&recorded, &records);
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == 5 + 5 * i && !stats.lost && stats.lost_unknown);
	}
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	end(&recorded);
}

static void close_writes_rest(void)
{
	struct recorded recorded;
	struct bytes records = { 0 };

	begin(&recorded);
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 5);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	CHECK(find_at(recorded.path).reports == 5);
	end(&recorded);
}

static void full_disk_keeps_reports_in_ring(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct rlimit limit, tight;

	begin(&recorded);
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 10);
	produce(&recorded, &records);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	tight = (struct rlimit){ 1000, limit.rlim_max };
	setrlimit(RLIMIT_FSIZE, &tight);
	CHECK(gpuoa_recorder_write(recorded.recorder) == -EFBIG);
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 0);
	setrlimit(RLIMIT_FSIZE, &limit);

	put_reports_sample(&records, ID, 10, 10);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	CHECK(gpuoa_recorder_close(recorded.recorder) == -EFBIG);
	CHECK(find_at(recorded.path).reports == 20);
	end(&recorded);
}

/* in AUX mode */

static void write_records_area(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct findings found;
	uint32_t number = 0;

	begin_aux(&recorded, false);
	put_first_sample(&records, ID);
	produce(&recorded, &records);
	for (uint32_t i = 0; i < 60; i++) {
		const uint32_t left = PLAYED_AREA_REPORTS - number % PLAYED_AREA_REPORTS;
		const uint32_t n = left < 300 ? left : 300;

		played_land(&recorded.played, number, number, n);
		put_aux_reports(&records, number, n);
		put_clock_sample(&records, number * TEST_TICKS);
		produce(&recorded, &records);
		number += n;
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		CHECK(ring_fill(&recorded.played.stream.ring) == 0);
		CHECK(area_fill(&recorded.played.stream.area) == 0);
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == number && !stats.lost && !stats.lost_unknown);
		CHECK(stats.bytes == (uint64_t)lseek(recorded.fd, 0, SEEK_END));
	}
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	found = find_at(recorded.path);
	CHECK(found.result == 0 && found.reports == number && found.gaps == 0 && found.in_order &&
	      !found.lost_unknown);
	end(&recorded);
}

/* Write more samples than one call of write(2) can take. */
static void write_records_more_than_one_writev(void)
{
	const uint32_t count = 900;
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct findings found;

	begin_aux(&recorded, false);
	put_first_sample(&records, ID);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	played_land(&recorded.played, 0, 0, count);
	for (uint32_t i = 0; i < 300; i++)
		put_aux_reports(&records, i * 3, 3);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == count);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	found = find_at(recorded.path);
	CHECK(found.result == 0 && found.reports == count && found.gaps == 0 && found.in_order);
	end(&recorded);
}

/*
 * The most bytes that a call writes, as on a file system that interrupts long writes; each third
 * call is interrupted before it has written any. 0: no limit
 */
static size_t write_max;

static bool is_interrupted(void)
{
	static unsigned int calls;

	if (!write_max || ++calls % 3)
		return false;
	errno = EINTR;
	return true;
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t offset)
{
	if (is_interrupted())
		return -1;
	return syscall(SYS_pwrite64, fd, from, write_max && size > write_max ? write_max : size,
		       offset);
}

ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset)
{
	if (write_max)
		return pwrite(fd, pieces->iov_base, pieces->iov_len, offset);
	return syscall(SYS_pwritev, fd, pieces, count, offset, 0);
}

static void short_writes_are_continued(void)
{
	const uint32_t count = 30;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct findings found;

	write_max = 100;
	begin_aux(&recorded, false);
	put_first_sample(&records, ID);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	played_land(&recorded.played, 0, 0, count);
	put_aux_reports(&records, 0, count);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	write_max = 0;
	found = find_at(recorded.path);
	CHECK(found.result == 0 && found.reports == count && found.gaps == 0 && found.in_order);
	end(&recorded);
}

static void losses_of_area_are_recorded(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct findings found;

	begin_aux(&recorded, false);
	put_first_sample(&records, ID);
	played_land(&recorded.played, 0, 0, 60);
	put_aux_reports(&records, 0, 20);
	put_aux(&records, 20 * TEST_REPORT_SIZE, 0, PERF_AUX_FLAG_TRUNCATED);
	put_lost_sample(&records, GPUOA_RECORD_BUFFER_OVERFLOW, 9);
	put_aux_reports(&records, 20, 20);
	put_perf_lost(&records, ID, 0, 1);
	put_aux_reports(&records, 45, 15);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 55 && stats.lost == 14 && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	found = find_at(recorded.path);
	CHECK(found.reports == 55 && found.gaps == 2 && found.lost_ring == 5);
	end(&recorded);
}

/*
 * Write invalid reports, leave slots unwritten, and let the kernel skip a slot: none of these slots
 * is recorded.
 */
static void invalid_slots_are_not_recorded(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct findings found;

	begin_aux(&recorded, false);
	put_first_sample(&records, ID);
	played_land(&recorded.played, 0, 0, 80);
	played_spoil(&recorded.played, 10, 4711);
	played_spoil(&recorded.played, 30, 0);
	played_spoil(&recorded.played, 49, 4711);
	put_aux_reports(&records, 0, 50);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	put_aux_reports(&records, 50, 10);
	put_aux(&records, 60 * TEST_REPORT_SIZE, 0, PERF_AUX_FLAG_TRUNCATED);
	put_lost_sample(&records, GPUOA_RECORD_REPORTS_LOST, 1);
	put_aux_reports(&records, 61, 9);
	put_perf_lost(&records, ID, 0, 1);
	put_aux_reports(&records, 75, 5);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 71 && stats.lost == 9 && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	found = find_at(recorded.path);
	CHECK(found.reports == 71 && found.gaps == 5 && found.lost_ring == 5 &&
	      !found.lost_unknown && found.in_order);
	end(&recorded);
}

static void flight_recorder_snapshots_are_recorded_once(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };
	struct findings found;

	begin_aux(&recorded, true);
	put_first_sample(&records, ID);
	played_land(&recorded.played, 0, 0, 2000);
	put_window(&records, 2000, 1000, 0);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	put_resume_sample(&records, true);
	played_land(&recorded.played, 2000, 2500, 10);
	put_window(&records, 2010, 1010, 0);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	put_resume_sample(&records, true);
	played_land(&recorded.played, 2010, 3000, 5000);
	put_window(&records, 7010, 1000, 0);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 2010 && !stats.lost && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	found = find_at(recorded.path);
	CHECK(found.reports == 2010 && found.gaps == 2 && !found.lost_ring && !found.lost_unknown &&
	      found.in_order);
	end(&recorded);
}

static void full_disk_keeps_reports_in_area(void)
{
	struct recorded recorded;
	struct bytes records = { 0 };
	struct rlimit limit, tight;

	begin_aux(&recorded, false);
	put_first_sample(&records, ID);
	played_land(&recorded.played, 0, 0, 700);
	put_aux_reports(&records, 0, 700);
	produce(&recorded, &records);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	tight = (struct rlimit){ 100000, limit.rlim_max };
	setrlimit(RLIMIT_FSIZE, &tight);
	CHECK(gpuoa_recorder_write(recorded.recorder) == -EFBIG);
	CHECK(area_fill(&recorded.played.stream.area) == 700 * TEST_REPORT_SIZE);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	CHECK(gpuoa_recorder_close(recorded.recorder) == -EFBIG);
	CHECK(find_at(recorded.path).reports == 700);
	end(&recorded);
}

int main(void)
{
	RUN(file_is_complete_after_each_write);
	RUN(file_without_samples_returns_enodata);
	RUN(header_has_the_features);
	RUN(conversion_of_unit_keeps_names);
	RUN(recording_has_mode_0600);
	RUN(failed_write_leaves_file_unchanged);
	RUN(write_records_ring);
	RUN(losses_are_recorded_and_counted);
	RUN(loss_at_end_is_counted);
	RUN(unknown_loss_is_kept);
	RUN(close_writes_rest);
	RUN(full_disk_keeps_reports_in_ring);
	RUN(write_records_area);
	RUN(write_records_more_than_one_writev);
	RUN(short_writes_are_continued);
	RUN(losses_of_area_are_recorded);
	RUN(invalid_slots_are_not_recorded);
	RUN(flight_recorder_snapshots_are_recorded_once);
	RUN(full_disk_keeps_reports_in_area);
	return tap_end();
}
