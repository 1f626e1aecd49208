// SPDX-License-Identifier: MIT
/*
 * recorder_test.c - Test the recorder without a kernel: it copies data from a ring buffer to a file
 * that is valid at any time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "failing.h"
#include "payload.h"
#include "played.h"
#include "reader/recording/aux_samples.h"
#include "reader/recording/perfdata.h"
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

/* Number of the write that fails, counted from 1, and its error; 0: none */
static unsigned int fail_at;
static int fail_with = ENOSPC;

static bool is_failing(void)
{
	if (!fail_at || --fail_at)
		return false;
	errno = fail_with;
	return true;
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t offset)
{
	if (is_interrupted() || is_failing())
		return -1;
	return syscall(SYS_pwrite64, fd, from, write_max && size > write_max ? write_max : size,
		       offset);
}

ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset)
{
	if (write_max)
		return pwrite(fd, pieces->iov_base, pieces->iov_len, offset);
	if (is_failing())
		return -1;
	return syscall(SYS_pwritev, fd, pieces, count, offset, 0);
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

/* Events of the file that is compared byte by byte. Names have at most 127 characters. */
#define LAYOUT_EVENTS 3
#define NAME_10 "0123456789"
#define NAME_120                                                                                \
	NAME_10 NAME_10 NAME_10 NAME_10 NAME_10 NAME_10 NAME_10 NAME_10 NAME_10 NAME_10 NAME_10 \
		NAME_10

static void make_layout_events(struct perfdata_writer_event events[LAYOUT_EVENTS])
{
	static const char *const names[] = { "gpuoa0/RenderBasic/", "", NAME_120 "abcdefgh" };
	static const uint64_t ids[] = { 0x123456789abcdef0, 7, UINT64_MAX };

	for (uint32_t i = 0; i < LAYOUT_EVENTS; i++) {
		events[i] = (struct perfdata_writer_event){ test_attr(TEST_SAMPLE_TYPE), ids[i],
							    names[i] };
		events[i].attr.config = 0x1111 * (i + 1);
	}
}

/* Offsets in a file with LAYOUT_EVENTS events */
#define HEADER_SIZE 104
#define TABLE_AT (HEADER_SIZE + 8 * LAYOUT_EVENTS)
#define ENTRY_SIZE (sizeof(struct perf_event_attr) + 16)
#define RECORDS_AT (TABLE_AT + LAYOUT_EVENTS * ENTRY_SIZE)

static void put_text(struct bytes *file, const char *text)
{
	char padded[128] = "";

	put32(file, sizeof(padded));
	memcpy(padded, text, strnlen(text, sizeof(padded) - 1));
	put(file, padded, sizeof(padded));
}

/* Append names as the perf tool does: sections that the table at their beginning lists. */
static void put_features(struct bytes *file, const struct perfdata_writer_event *events)
{
	const size_t text = 4 + 128, desc = sizeof(struct perf_event_attr) + 4 + text + 8;
	const size_t sizes[] = { text, text, 8 + LAYOUT_EVENTS * desc };
	size_t at = file->size + 3 * 16;
	struct utsname system;

	uname(&system);
	for (size_t i = 0; i < 3; i++) {
		put64(file, at);
		put64(file, sizes[i]);
		at += sizes[i];
	}
	put_text(file, system.release);
	put_text(file, system.machine);
	put32(file, LAYOUT_EVENTS);
	put32(file, sizeof(struct perf_event_attr));
	for (uint32_t i = 0; i < LAYOUT_EVENTS; i++) {
		put(file, &events[i].attr, sizeof(events[i].attr));
		put32(file, 1);
		put_text(file, events[i].name);
		put64(file, events[i].id);
	}
}

/* Make a file with these records, of which the header covers @covered bytes. */
static struct bytes expected_file(const struct perfdata_writer_event *events,
				  const struct bytes *records, size_t covered, bool finished)
{
	struct bytes file = { 0 };

	put(&file, "PERFILE2", 8);
	put64(&file, HEADER_SIZE);
	put64(&file, ENTRY_SIZE);
	put64(&file, TABLE_AT);
	put64(&file, LAYOUT_EVENTS * ENTRY_SIZE);
	put64(&file, RECORDS_AT);
	put64(&file, covered);
	put64(&file, 0); /* event types, which are not used */
	put64(&file, 0);
	put64(&file, finished ? 1 << 4 | 1 << 6 | 1 << 12 : 0);
	put(&file, NULL, 3 * 8);
	for (uint32_t i = 0; i < LAYOUT_EVENTS; i++)
		put64(&file, events[i].id);
	for (uint32_t i = 0; i < LAYOUT_EVENTS; i++) {
		put(&file, &events[i].attr, sizeof(events[i].attr));
		put64(&file, HEADER_SIZE + 8 * i);
		put64(&file, 8);
	}
	put(&file, records->data, records->size);
	if (finished)
		put_features(&file, events);
	return file;
}

/* Check that the file has this content, and free it. */
static void check_content(int fd, struct bytes expected)
{
	uint8_t *content = malloc(expected.size + 1);
	const ssize_t size = content ? pread(fd, content, expected.size + 1, 0) : 0;

	if (CHECK(size == (ssize_t)expected.size))
		for (size_t i = 0; i < expected.size; i++)
			if (!CHECK(content[i] == expected.data[i])) {
				printf("# byte %zu\n", i);
				break;
			}
	free(content);
	clear(&expected);
}

static void file_has_the_layout_of_perf(void)
{
	static const char round[] = { 68, 0, 0, 0, 0, 0, 8, 0 };
	struct perfdata_writer_event events[LAYOUT_EVENTS];
	struct perfdata_writer writer;
	struct bytes records = { 0 }, first = { 0 };
	char path[PATH_SIZE];
	size_t covered;
	int fd;

	memory_file(&fd, path);
	make_layout_events(events);
	put(&records, round, sizeof(round));
	REQUIRE(!perfdata_create(&writer, path, events, LAYOUT_EVENTS));
	check_content(fd, expected_file(events, &records, 8, false));
	CHECK(perfdata_written(&writer) == RECORDS_AT + 8);
	put_first_sample(&first, 7);
	CHECK(!append(&writer, &first));
	put(&records, first.data, first.size);
	check_content(fd, expected_file(events, &records, records.size, false));
	CHECK(perfdata_written(&writer) == RECORDS_AT + records.size);
	/* Records are covered by the header when they are committed; canceled ones never are. */
	covered = records.size;
	for (int i = 0; i < 2; i++) {
		const struct iovec piece = { first.data, first.size };

		CHECK(!perfdata_add(&writer, &piece, 1));
		put(&records, first.data, first.size);
		check_content(fd, expected_file(events, &records, covered, false));
		CHECK(perfdata_written(&writer) == RECORDS_AT + covered);
	}
	CHECK(!perfdata_commit(&writer));
	check_content(fd, expected_file(events, &records, records.size, false));
	covered = records.size;
	CHECK(!perfdata_add(&writer, &(struct iovec){ first.data, first.size }, 1));
	perfdata_cancel(&writer);
	CHECK(!perfdata_commit(&writer) && perfdata_written(&writer) == RECORDS_AT + covered);
	CHECK(!perfdata_finish(&writer));
	check_content(fd, expected_file(events, &records, covered, true));
	clear(&first);
	clear(&records);
	close(fd);
}

/* A file with three events takes 8 writes; records, 2; the names of events, 2. */
static void each_failed_write_is_reported(void)
{
	struct perfdata_writer_event events[LAYOUT_EVENTS];
	struct bytes none = { 0 }, records = { 0 };

	make_layout_events(events);
	put64(&none, UINT64_C(8) << 48 | 68);
	put64(&records, UINT64_C(8) << 48 | 68);
	put_first_sample(&records, 7);
	for (unsigned int n = 1; n <= 13; n++) {
		const struct bytes added = { records.data + 8, records.size - 8 };
		struct perfdata_writer writer;
		char path[PATH_SIZE];
		int fd, err;

		memory_file(&fd, path);
		fail_at = n;
		err = perfdata_create(&writer, path, events, LAYOUT_EVENTS);
		CHECK(err == (n <= 8 ? -ENOSPC : 0));
		if (!err) {
			CHECK(append(&writer, &added) == (n <= 10 ? -ENOSPC : 0));
			CHECK(perfdata_written(&writer) ==
			      RECORDS_AT + (n <= 10 ? none.size : records.size));
			if (n <= 10)
				CHECK(!append(&writer, &added));
			check_content(fd, expected_file(events, &records, records.size, false));
			CHECK(perfdata_finish(&writer) == (n == 11 || n == 12 ? -ENOSPC : 0));
		}
		CHECK(fail_at == (n > 12));
		close(fd);
	}
	fail_at = 0;
	clear(&none);
	clear(&records);
}

/* Descriptor 0 is used if the process has no standard input. Other programs do not get the file. */
static void file_descriptor_is_private(void)
{
	const struct perfdata_writer_event event = an_event();
	const int input = dup(0);
	struct perfdata_writer writer;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	close(0);
	CHECK(!perfdata_create(&writer, path, &event, 1) && writer.fd == 0);
	CHECK(fcntl(writer.fd, F_GETFD) == FD_CLOEXEC);
	CHECK(!perfdata_finish(&writer));
	CHECK(fcntl(0, F_GETFD) == -1);
	dup2(input, 0);
	close(input);
	close(fd);
}

/* The previous content of the file is removed. */
static void file_is_created_anew(void)
{
	const struct perfdata_writer_event event = an_event();
	struct perfdata_writer writer;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	CHECK(!ftruncate(fd, 100000));
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	CHECK(lseek(fd, 0, SEEK_END) == (off_t)perfdata_written(&writer));
	CHECK(!perfdata_finish(&writer));
	close(fd);
}

/* Ranges may be empty, and as many as writev(2) takes. */
static void written_ranges_follow_each_other(void)
{
	static const int sizes[] = { 0, 8, 0, 0, 16, 1, 7, 0 };
	const struct perfdata_writer_event event = an_event();
	struct iovec pieces[IOV_MAX];
	struct perfdata_writer writer;
	char path[PATH_SIZE], content[64], zeros[IOV_MAX],
		text[] = "abcdefghijklmnopqrstuvwxyz012345";
	size_t at = 0;
	int fd;

	memory_file(&fd, path);
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	for (size_t i = 0; i < 8; at += sizes[i++])
		pieces[i] = (struct iovec){ text + at, sizes[i] };
	for (size_t max = 0; max < 40; max++) {
		write_max = max;
		CHECK(!perfdata_add(&writer, pieces, 8));
		CHECK(pread(fd, content, sizeof(content), perfdata_written(&writer)) == 32);
		CHECK(!memcmp(content, text, 32));
		perfdata_cancel(&writer);
	}
	write_max = 0;
	for (size_t i = 0; i < IOV_MAX; i++)
		pieces[i] = (struct iovec){ text + i % 32, 1 };
	CHECK(!perfdata_add(&writer, pieces, IOV_MAX));
	CHECK(pread(fd, zeros, IOV_MAX, perfdata_written(&writer)) == IOV_MAX);
	for (size_t i = 0; i < IOV_MAX; i++)
		CHECK(zeros[i] == text[i % 32]);
	CHECK(!perfdata_add(&writer, pieces, 0));
	CHECK(!perfdata_finish(&writer));
	close(fd);
}

/* A unit in a recording has all members of the unit that was recorded. */
static void conversion_of_unit_keeps_all_members(void)
{
	static const char *const domains[] = { "OA", "OAM0", "OAM1", "OAMG" };

	for (uint32_t i = 0; i <= GPUOA_UNIT_ENGINES; i++) {
		struct gpuoa_unit_desc unit, kept;
		struct gpuoa_unit_info info;

		memset(&unit, 0, sizeof(unit));
		unit.timestamp_frequency = 1;
		unit.gt_min_frequency = 2;
		unit.gt_max_frequency = 3;
		unit.slice_mask = 4;
		unit.subslice_mask = 5;
		unit.subslice_mask_high = 6;
		unit.formats = 7;
		unit.default_format = 8;
		unit.device_id = 9;
		unit.revision = 10;
		unit.slice_count = 11;
		unit.subslice_count = 12;
		unit.eu_count = 13;
		unit.threads_per_eu = 14;
		unit.exponent_max = 15;
		unit.buffer_size_min = 16;
		unit.buffer_size_max = 17;
		unit.timestamp_bits = 18;
		unit.pmu_type = 19;
		unit.l3_bank_mask = 20;
		unit.subslice_stride = 21;
		unit.compute_engine_count = 22;
		unit.cs_timestamp_frequency = 23;
		unit.cs_timestamp_bits = 24;
		unit.features = 25;
		unit.tile = 26;
		unit.gt = 27;
		unit.engine_count = i;
		for (uint32_t k = 0; k < i; k++)
			unit.engines[k] = (struct gpuoa_engine){ k % 5, (uint16_t)(k + 1) };
		strcpy(unit.domain, domains[i % 4]);
		strcpy(unit.name, "gpuoa1");
		memset(&info, 0x55, sizeof(info));
		memset(&kept, 0x55, sizeof(kept));
		uapi_unit_info(&info, &unit);
		CHECK(info.unit_type == i % 4 && info.n_engines == i);
		uapi_unit_desc(&kept, &info);
		CHECK(!memcmp(&kept, &unit, sizeof(unit)));
	}
}

static void strings_are_padded_with_nul(void)
{
	char to[8];

	for (size_t length = 0; length <= 8; length++) {
		memset(to, 'x', sizeof(to));
		uapi_string(to, sizeof(to), "abcdefgh", length);
		for (size_t i = 0; i < 8; i++)
			CHECK(to[i] == (i < length && i < 7 ? 'a' + (int)i : 0));
	}
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

	CHECK(!gpuoa_recorder_close(NULL));
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

/* A stream in RAW mode of a set, so that the recording has metadata */
static void begin_described(struct recorded *recorded, const struct backend *backend)
{
	memory_file(&recorded->fd, recorded->path);
	played_begin(&recorded->played);
	recorded->played.unit.backend = backend;
	recorded->played.stream.cpu = 3;
	recorded->played.stream.set =
		gpuoa_platform_find_set(gpuoa_platform_find("hsw"), "RenderBasic", NULL, NULL);
}

static int open_described(struct recorded *recorded, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct stream *stream = &recorded->played.stream;

	return recorder_begin(&stream, 1, recorded->path, &recorded->recorder, &complaint);
}

/* Any of the writes may fail because the disk is full. */
static void recorder_reports_each_failed_write(void)
{
	unsigned int n;
	int err;

	for (n = 1; n < 100; n++) {
		const int next = failing_file();
		struct recorded recorded;
		char error[128] = "", expected[128];

		begin_described(&recorded, &played_backend);
		snprintf(expected, sizeof(expected), "cannot %s %s: No space left on device",
			 n <= 4 ? "create" : "write", recorded.path);
		fail_at = n;
		err = open_described(&recorded, error, sizeof(error));
		CHECK(err == 0 || err == -ENOSPC);
		CHECK(recorded.played.stream.recorded == !err);
		if (err)
			CHECK_STRING(error, expected);
		if (!err)
			CHECK(gpuoa_recorder_close(recorded.recorder) == -ENOSPC);
		CHECK(!recorded.played.stream.recorded);
		end(&recorded);
		CHECK(failing_file() == next);
		if (!err)
			break;
	}
	fail_at = 0;
	/* four to create the file, definitions, and two headers */
	CHECK(n == 4 + 1 + 2 + 1);
}

static void write_after_failed_write_has_everything(void)
{
	for (unsigned int n = 1; n <= 6; n++) {
		struct gpuoa_recorder_stats stats, before;
		struct bytes records = { 0 };
		struct recorded recorded;
		struct findings found;

		begin_described(&recorded, &played_backend);
		REQUIRE(!open_described(&recorded, NULL, 0));
		put_first_sample(&records, ID);
		put_reports_sample(&records, ID, 0, 10);
		produce(&recorded, &records);
		gpuoa_recorder_stats(recorded.recorder, &before, sizeof(before));
		CHECK(before.bytes == (uint64_t)lseek(recorded.fd, 0, SEEK_END));
		/* The records, and the header */
		fail_at = n;
		CHECK(gpuoa_recorder_write(recorded.recorder) == (n <= 2 ? -ENOSPC : 0));
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == (n <= 2 ? 0 : 10));
		CHECK(n > 2 || stats.bytes == before.bytes);
		if (n <= 2)
			CHECK(!gpuoa_recorder_write(recorded.recorder));
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == 10 && !stats.lost && !stats.lost_unknown);
		/* Two headers, the names, and another header */
		CHECK(gpuoa_recorder_close(recorded.recorder) == -ENOSPC);
		CHECK(!fail_at);
		found = find_at(recorded.path);
		CHECK(!found.result && found.reports == 10 && !found.gaps && found.in_order);
		end(&recorded);
	}
}

/* A slot without a report is counted once, also if the write that skipped it is repeated. */
static void write_after_failed_write_counts_lost_slots_once(void)
{
	struct gpuoa_recorder_stats stats;
	struct bytes records = { 0 };
	struct recorded recorded;
	struct findings found;

	begin_aux(&recorded, false);
	put_first_sample(&records, ID);
	played_land(&recorded.played, 0, 0, 40);
	played_spoil(&recorded.played, 30, 0);
	for (uint32_t i = 0; i < 2; i++) {
		put_aux_reports(&records, 20 * i, 20);
		produce(&recorded, &records);
		fail_at = 1;
		fail_with = i ? EIO : ENOSPC;
		CHECK(gpuoa_recorder_write(recorded.recorder) == (i ? -EIO : -ENOSPC));
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == (i ? 39 : 20) && stats.lost == i && !stats.lost_unknown);
	}
	fail_with = ENOSPC;
	/* Closing returns the first error. */
	CHECK(gpuoa_recorder_close(recorded.recorder) == -ENOSPC);
	found = find_at(recorded.path);
	CHECK(!found.result && found.reports == 39 && found.gaps == 1 && !found.lost_ring);
	end(&recorded);
}

/* Time of CLOCK_MONOTONIC in s; 0: that of the machine */
static time_t now_s;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	if (clock != CLOCK_MONOTONIC || !now_s)
		return (int)syscall(SYS_clock_gettime, clock, time);
	*time = (struct timespec){ .tv_sec = now_s };
	return 0;
}

/* A recording has at most 1024 events. */
static void side_event_is_one_of_1024_events(void)
{
	static struct gpuoa_reader *readers[PERFDATA_EVENTS_MAX + 1]; /* which are no streams */
	char error[128];
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	struct gpuoa_recorder *recorder;

	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t count = 1022; count <= 1025; count++) {
			char expected[128] = "source 0 is no stream of a unit: only those are "
					     "recorded";
			const bool many = count + side > 1024;

			if (many)
				snprintf(expected, sizeof(expected),
					 "a recording has at most %u streams, not %u", 1024 - side,
					 count);
			CHECK(recorder_open_side(readers, count, side ? "side" : NULL, "/dev/null",
						 &recorder,
						 &complaint) == (many ? -E2BIG : -EOPNOTSUPP));
			CHECK_STRING(error, expected);
		}
}

/* ---- samples of an AUX area ----------------------------------------------------------------- */

/* Items to write as samples. Reports in one item are more than fit in a sample. */
#define ITEM_REPORTS 600
#define ITEM_LOSSES 1000

static void add_items(struct aux_samples *samples, const struct bytes *like, const uint8_t *reports)
{
	const struct perf_event_header *record = (const void *)like->data;
	struct rawdata_item item = { .kind = RAWDATA_REPORTS };

	item.reports = (struct rawdata_reports){ reports, 1000, TEST_REPORT_SIZE, ITEM_REPORTS };
	CHECK(!aux_samples_add_item(samples, record, &item));
	item.kind = RAWDATA_RESUME;
	item.resume.stopped = true;
	CHECK(!aux_samples_add_item(samples, record, &item));
	item.kind = RAWDATA_CLOCK;
	item.clock = (struct gpuoa_clock_pair){
		.gpu_ticks = 1, .cpu_ns = 2, .clock_id = 3, .error_ns = 4
	};
	CHECK(!aux_samples_add_item(samples, record, &item));
	item.kind = RAWDATA_LOST;
	for (uint64_t i = 0; i < ITEM_LOSSES; i++) {
		item.lost = (struct rawdata_lost){ i & 1, i % 7 == 0, i };
		CHECK(!aux_samples_add_item(samples, record, &item));
	}
	for (item.kind = 0; item.kind <= RAWDATA_CONTEXT; item.kind++)
		if (item.kind == RAWDATA_STREAM || item.kind >= RAWDATA_STATUS)
			CHECK(aux_samples_add_item(samples, record, &item) == -EINVAL);
}

/* Check the next item of the file; it is number @n. @count: reports that were found before */
static void check_item(const struct rawdata_item *item, uint32_t n, uint32_t *count)
{
	const uint64_t loss = n - 2;

	if (item->kind == RAWDATA_REPORTS) {
		CHECK(!n && item->reports.first == 1000 + *count);
		CHECK(item->reports.size == TEST_REPORT_SIZE);
		for (uint32_t i = 0; i < item->reports.count; i++)
			CHECK(report_number(item->reports.data, i) == (*count)++);
	} else if (n == 0) {
		CHECK(item->kind == RAWDATA_RESUME && item->resume.stopped);
	} else if (n == 1) {
		CHECK(item->kind == RAWDATA_CLOCK && item->clock.gpu_ticks == 1);
		CHECK(item->clock.cpu_ns == 2 && item->clock.clock_id == 3);
		CHECK(item->clock.error_ns == 4);
	} else {
		CHECK(item->kind == RAWDATA_LOST && item->lost.overflow == (loss & 1));
		CHECK(item->lost.unknown == (loss % 7 == 0));
		CHECK(item->lost.count == (loss % 7 ? loss : 0));
	}
}

static void items_of_an_area_are_written_as_samples(void)
{
	const struct perfdata_writer_event event = an_event();
	const struct sample_layout layout = sample_layout(&event.attr);
	const struct complaint quiet = { 0 };
	static struct aux_samples samples;
	const struct perf_event_header *record;
	struct bytes like = { 0 }, reports = { 0 };
	struct perfdata_writer writer;
	struct perfdata data;
	uint32_t n = 0, count = 0;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	for (uint32_t i = 0; i < ITEM_REPORTS; i++)
		put_report(&reports, i);
	put_aux_reports(&like, 0, 1);
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	memset(&samples, 0x55, sizeof(samples));
	aux_samples_init(&samples, &writer, &layout);
	add_items(&samples, &like, reports.data);
	CHECK(!aux_samples_flush(&samples) && !aux_samples_flush(&samples));
	CHECK(!perfdata_commit(&writer) && !perfdata_finish(&writer));
	REQUIRE(!perfdata_open(&data, path, &quiet));
	while (perfdata_next(&data, &record) > 0) {
		struct rawdata_item item;
		struct rawdata raw;
		const void *payload;
		uint64_t id = 0;
		size_t size;

		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		CHECK(record->misc == PERF_RECORD_MISC_KERNEL && record->size % 8 == 0);
		CHECK(!sample_id(&layout, record, &id) && id == ID);
		CHECK(!sample_raw(&layout, record, &payload, &size));
		CHECK(!rawdata_begin(&raw, payload, size) && rawdata_next(&raw, &item) == 1);
		check_item(&item, n, &count);
		n += item.kind != RAWDATA_REPORTS;
		CHECK(rawdata_next(&raw, &item) == 0);
	}
	CHECK(count == ITEM_REPORTS && n == 2 + ITEM_LOSSES);
	perfdata_close(&data);
	clear(&reports);
	clear(&like);
	close(fd);
}

/* Records of the ring consist of one or two ranges. */
static void ranges_of_the_ring_are_written_in_order(void)
{
	const struct perfdata_writer_event event = an_event();
	const struct sample_layout layout = sample_layout(&event.attr);
	static struct aux_samples samples;
	static uint16_t numbers[3000], content[3000];
	struct perfdata_writer writer;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	REQUIRE(!perfdata_create(&writer, path, &event, 1));
	aux_samples_init(&samples, &writer, &layout);
	for (uint16_t i = 0; i < 3000; i++)
		numbers[i] = i;
	for (size_t i = 0; i < 3000; i += 3) {
		const struct iovec pieces[] = { { &numbers[i], 2 }, { &numbers[i + 1], 2 } };

		CHECK(!aux_samples_add(&samples, pieces, 2));
		CHECK(!aux_samples_add(&samples, &(struct iovec){ &numbers[i + 2], 2 }, 1));
	}
	CHECK(!aux_samples_flush(&samples));
	CHECK(pread(fd, content, sizeof(content), perfdata_written(&writer)) == sizeof(content));
	CHECK(!memcmp(content, numbers, sizeof(content)));
	CHECK(!perfdata_finish(&writer));
	close(fd);
}

/* The clock of a GPU that counts the readings; only the first @clocks_left of them succeed. */
static uint32_t clocks_read, clocks_left;

static int count_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair)
{
	(void)unit;
	if (!clocks_left)
		return -EIO;
	clocks_left--;
	*pair = (struct gpuoa_clock_pair){
		.gpu_ticks = 1000 + clocks_read++,
		.cpu_ns = UINT64_C(1) << 40 | clock_id,
		.clock_id = clock_id,
		.error_ns = 77,
	};
	return 0;
}

static const struct backend clock_backend = { .check = played_check, .clock = count_clock };

/* Check that the file has these clock pairs, in samples of the stream. */
static void check_clocks(const struct recorded *recorded, const int *ids, uint32_t count)
{
	const struct complaint quiet = { 0 };
	const struct perf_event_header *record;
	struct perfdata data;
	uint64_t last = 0;
	uint32_t n = 0;

	REQUIRE(!perfdata_open(&data, recorded->path, &quiet));
	while (perfdata_next(&data, &record) > 0) {
		struct rawdata_item item;
		struct rawdata raw;
		const void *payload;
		uint64_t fields[4]; /* id, TID, time, CPU */
		size_t size;

		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		memcpy(fields, record + 1, sizeof(fields));
		CHECK(record->misc == PERF_RECORD_MISC_USER && fields[0] == ID);
		CHECK(!fields[1] && fields[2] >= last && fields[2] && fields[3] == 3);
		last = fields[2];
		CHECK(!sample_raw(&data.layouts[0], record, &payload, &size));
		CHECK(!rawdata_begin(&raw, payload, size));
		while (rawdata_next(&raw, &item) > 0) {
			if (item.kind != RAWDATA_CLOCK)
				continue;
			CHECK(item.clock.gpu_ticks == 1000 + n && item.clock.error_ns == 77);
			CHECK(n < count && item.clock.clock_id == ids[n % 4]);
			CHECK(item.clock.cpu_ns == (UINT64_C(1) << 40 | ids[n % 4]));
			n++;
		}
	}
	CHECK(n == count);
	perfdata_close(&data);
}

static void recording_has_pairs_of_other_clocks(void)
{
	static const int ids[] = { CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI };

	for (uint32_t left = 0; left <= 9; left++) {
		struct recorded recorded;

		clocks_read = 0;
		clocks_left = left;
		begin_described(&recorded, &clock_backend);
		REQUIRE(!open_described(&recorded, NULL, 0));
		check_clocks(&recorded, ids, left < 4 ? left : 4);
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		check_clocks(&recorded, ids, left < 4 ? left : 4);
		CHECK(!gpuoa_recorder_close(recorded.recorder));
		check_clocks(&recorded, ids, left < 8 ? left : 8);
		end(&recorded);
	}
}

static void pairs_of_other_clocks_follow_every_10_s(void)
{
	static const int ids[] = { CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI };
	static const struct {
		time_t now; /* when the recorder writes */
		uint32_t pairs;
	} writes[] = { { 1000, 4 },  { 1009, 4 },  { 1010, 8 }, { 1019, 8 },
		       { 1025, 12 }, { 1034, 12 }, { 1035, 16 } };
	struct recorded recorded;

	clocks_read = 0;
	clocks_left = 1000;
	now_s = 1000;
	begin_described(&recorded, &clock_backend);
	REQUIRE(!open_described(&recorded, NULL, 0));
	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		now_s = writes[i].now;
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		check_clocks(&recorded, ids, writes[i].pairs);
	}
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	check_clocks(&recorded, ids, 20);
	now_s = 0;
	end(&recorded);
}

/* Pairs that cannot be written are due again. Nothing is written of them. */
static void failed_write_of_pairs_is_repeatable(void)
{
	for (unsigned int n = 1; n <= 5; n++) {
		struct gpuoa_recorder_stats stats;
		struct bytes records = { 0 };
		struct recorded recorded;
		struct findings found;

		clocks_left = 1000;
		now_s = 1000;
		begin_described(&recorded, &clock_backend);
		REQUIRE(!open_described(&recorded, NULL, 0));
		put_first_sample(&records, ID);
		put_reports_sample(&records, ID, 0, 10);
		produce(&recorded, &records);
		now_s = 1010;
		/* four pairs, and the header */
		fail_at = n;
		CHECK(gpuoa_recorder_write(recorded.recorder) == -ENOSPC && !fail_at);
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(!stats.reports);
		now_s = 1005; /* not due */
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == 10);
		found = find_at(recorded.path);
		CHECK(!found.result && found.reports == 10 && !found.gaps);
		CHECK(gpuoa_recorder_close(recorded.recorder) == -ENOSPC);
		now_s = 0;
		end(&recorded);
	}
}

static void failed_write_of_area_is_repeatable(void)
{
	for (unsigned int n = 1; n <= 2; n++) {
		struct gpuoa_recorder_stats stats;
		struct bytes records = { 0 };
		struct recorded recorded;
		struct findings found;

		begin_aux(&recorded, false);
		put_first_sample(&records, ID);
		played_land(&recorded.played, 0, 0, 20);
		put_aux_reports(&records, 0, 5);
		put_perf_lost(&records, ID, 0, 1);
		put_aux_reports(&records, 7, 3);
		produce(&recorded, &records);
		fail_at = n;
		CHECK(gpuoa_recorder_write(recorded.recorder) == -ENOSPC && !fail_at);
		CHECK(area_fill(&recorded.played.stream.area) == 20 * TEST_REPORT_SIZE);
		put_aux_reports(&records, 10, 10);
		produce(&recorded, &records);
		CHECK(!gpuoa_recorder_write(recorded.recorder));
		gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == 18 && stats.lost == 2 && !stats.lost_unknown);
		CHECK(gpuoa_recorder_close(recorded.recorder) == -ENOSPC);
		found = find_at(recorded.path);
		CHECK(!found.result && found.reports == 18 && found.gaps == 1);
		CHECK(found.lost_ring == 2 && !found.lost_unknown);
		end(&recorded);
	}
}

/* Losses that no report follows yet */
static void loss_without_reports_is_counted(void)
{
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 };

	begin(&recorded);
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 5);
	put_lost_sample(&records, GPUOA_RECORD_REPORTS_LOST, 4);
	put_lost_sample(&records, GPUOA_RECORD_BUFFER_OVERFLOW, 30);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 5 && stats.lost == 34 && !stats.lost_unknown);
	put_lost_sample(&records, GPUOA_RECORD_REPORTS_LOST, GPUOA_LOST_UNKNOWN);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 5 && stats.lost == 34 && stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	end(&recorded);
}

static void damaged_ring_returns_eio(void)
{
	struct recorded recorded;
	struct bytes records = { 0 }, payload = { 0 };

	begin(&recorded);
	put_first_sample(&records, ID);
	put(&payload, "other raw data", 12);
	put_sample(&records, ID, 0, &payload);
	clear(&payload);
	produce(&recorded, &records);
	CHECK(gpuoa_recorder_write(recorded.recorder) == -EIO);
	CHECK(gpuoa_recorder_close(recorded.recorder) == -EIO);
	end(&recorded);
}

/* Data that was read, but not consumed, is recorded. */
static void recording_begins_with_unconsumed_data(void)
{
	uint8_t reports[4 * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	struct recorded recorded;
	struct bytes records = { 0 };

	played_begin(&recorded.played);
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 10);
	produce(&recorded, &records);
	CHECK(event_reader_read(&recorded.played.stream.events, reports, 4, &status) == 4);
	begin_recording(&recorded);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	CHECK(find_at(recorded.path).reports == 10);
	end(&recorded);
}

/* Only some dwords of each report are in the ring. */
static void reports_with_a_dword_mask_are_counted(void)
{
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + 3 * 32 },
		.report_size = 32,
		.count = 3,
	};
	struct gpuoa_recorder_stats stats;
	struct recorded recorded;
	struct bytes records = { 0 }, payload = { 0 };

	played_begin(&recorded.played);
	recorded.played.stream.reader.desc.dword_mask[0] = 0xff;
	begin_recording(&recorded);
	put_head(&payload);
	put(&payload, &record, sizeof(record));
	put(&payload, NULL, 3 * 32);
	put_sample(&records, ID, 0, &payload);
	clear(&payload);
	produce(&recorded, &records);
	CHECK(!gpuoa_recorder_write(recorded.recorder));
	gpuoa_recorder_stats(recorded.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 3 && !stats.lost && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(recorded.recorder));
	end(&recorded);
}

/* The side event is a dummy event, which the perf tool ignores, with an id of no other event. */
static void side_event_is_a_dummy_event(void)
{
	static const char payload[] = "A payload with 28 characters";
	const struct complaint quiet = { 0 };
	const struct perf_event_header *record;
	struct gpuoa_recorder *recorder;
	struct gpuoa_recorder_stats stats;
	struct perf_event_attr attr;
	struct perfdata_header header;
	struct perfdata data;
	char path[PATH_SIZE];
	uint64_t id = 0;
	const void *raw;
	size_t size;
	int fd;

	memory_file(&fd, path);
	REQUIRE(!recorder_open_side(NULL, 0, "side", path, &recorder, &quiet));
	for (int i = 0; i < 2; i++) {
		fail_at = 1 + i;
		CHECK(recorder_write_side(recorder, payload, 28) == -ENOSPC);
	}
	/* The first error is returned at the end. */
	fail_at = 1;
	fail_with = EIO;
	CHECK(recorder_write_side(recorder, payload, 28) == -EIO);
	fail_with = ENOSPC;
	CHECK(!recorder_write_side(recorder, payload, 28));
	gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	CHECK(!stats.reports && !stats.lost && !stats.lost_unknown);
	CHECK(gpuoa_recorder_close(recorder) == -ENOSPC);
	CHECK(pread(fd, &header, sizeof(header), 0) == sizeof(header));
	CHECK(pread(fd, &attr, sizeof(attr), header.attrs.offset) == sizeof(attr));
	CHECK(attr.type == PERF_TYPE_SOFTWARE && attr.config == PERF_COUNT_SW_DUMMY);
	CHECK(header.attrs.size == header.attr_size);
	REQUIRE(!perfdata_open(&data, path, &quiet));
	CHECK(data.id_count == 1 && data.ids[0].id == UINT64_C(1) << 62);
	CHECK(perfdata_next(&data, &record) == 1 && record->type == PERFDATA_FINISHED_ROUND);
	CHECK(perfdata_next(&data, &record) == 1 && record->type == PERF_RECORD_SAMPLE);
	CHECK(!sample_id(&data.layouts[0], record, &id) && id == UINT64_C(1) << 62);
	CHECK(!sample_raw(&data.layouts[0], record, &raw, &size) && size == 28);
	CHECK(!memcmp(raw, payload, 28));
	CHECK(perfdata_next(&data, &record) == 0);
	perfdata_close(&data);
	close(fd);
}

int main(void)
{
	RUN(file_is_complete_after_each_write);
	RUN(file_without_samples_returns_enodata);
	RUN(file_has_the_layout_of_perf);
	RUN(file_descriptor_is_private);
	RUN(file_is_created_anew);
	RUN(each_failed_write_is_reported);
	RUN(written_ranges_follow_each_other);
	RUN(conversion_of_unit_keeps_all_members);
	RUN(strings_are_padded_with_nul);
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
	RUN(recorder_reports_each_failed_write);
	RUN(write_after_failed_write_has_everything);
	RUN(write_after_failed_write_counts_lost_slots_once);
	RUN(recording_has_pairs_of_other_clocks);
	RUN(pairs_of_other_clocks_follow_every_10_s);
	RUN(failed_write_of_pairs_is_repeatable);
	RUN(failed_write_of_area_is_repeatable);
	RUN(loss_without_reports_is_counted);
	RUN(damaged_ring_returns_eio);
	RUN(recording_begins_with_unconsumed_data);
	RUN(reports_with_a_dword_mask_are_counted);
	RUN(side_event_is_a_dummy_event);
	RUN(side_event_is_one_of_1024_events);
	RUN(items_of_an_area_are_written_as_samples);
	RUN(ranges_of_the_ring_are_written_in_order);
	return tap_end();
}
