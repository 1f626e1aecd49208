// SPDX-License-Identifier: MIT
/* recorder_test.c - recorder: from a ring buffer to a file that is whole at any moment, without a kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "payload.h"
#include "perfdata_writer.h"
#include "recording.h"
#include "recorder.h"
#include "stream.h"
#include "tap.h"

#define ID 7
#define PATH_SIZE 32

static void memory_file(int *fd, char path[PATH_SIZE])
{
	*fd = memfd_create("recorded", MFD_CLOEXEC);
	snprintf(path, PATH_SIZE, "/proc/self/fd/%d", *fd);
}

static struct findings find_at(const char *path)
{
	struct findings findings = { .in_order = true };
	struct gpuoa_source *source;

	findings.result = gpuoa_file_open(path, &source, findings.error,
					  sizeof(findings.error));
	if (findings.result)
		return findings;
	read_all(source, &findings);
	gpuoa_source_close(source);
	return findings;
}

static int append(struct gpuoa_perfdata_writer *writer,
		  const struct bytes *records)
{
	const struct iovec pieces[] = { { records->data, 100 },
					{ records->data + 100,
					  records->size - 100 } };

	return gpuoa_perfdata_append(writer, pieces, 2);
}

static void a_file_is_whole_after_each_write(void)
{
	const struct perf_event_attr attr = test_attr(TEST_SAMPLE_TYPE);
	struct gpuoa_perfdata_writer writer;
	struct bytes records = { 0 };
	struct findings found;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	REQUIRE(!gpuoa_perfdata_create(&writer, path, &attr, ID,
				       "gpuoa0/RenderBasic/"));
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
		CHECK(found.result == 0 && found.reports == 100 * (i + 1) &&
		      found.gaps == 0);
	}
	CHECK(!gpuoa_perfdata_finish(&writer));
	found = find_at(path);
	CHECK(found.result == 0 && found.reports == 1000);
	clear(&records);
	close(fd);
}

static void a_file_without_samples_says_so(void)
{
	const struct perf_event_attr attr = test_attr(TEST_SAMPLE_TYPE);
	struct gpuoa_perfdata_writer writer;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	REQUIRE(!gpuoa_perfdata_create(&writer, path, &attr, ID,
				       "gpuoa0/RenderBasic/"));
	CHECK(!gpuoa_perfdata_finish(&writer));
	CHECK(find_at(path).result == -ENODATA);
	close(fd);
}

static void a_recording_is_for_its_owner_only(void)
{
	const struct perf_event_attr attr = test_attr(TEST_SAMPLE_TYPE);
	const mode_t mask = umask(0);
	struct gpuoa_perfdata_writer writer;
	char path[] = "/tmp/gpuoa-recorder-XXXXXX";
	struct stat st;

	close(mkstemp(path));
	unlink(path);
	REQUIRE(!gpuoa_perfdata_create(&writer, path, &attr, ID,
				       "gpuoa0/RenderBasic/"));
	CHECK(!fstat(writer.fd, &st) && (st.st_mode & 0777) == 0600);
	CHECK(!gpuoa_perfdata_finish(&writer));
	unlink(path);
	umask(mask);
}

static void a_write_that_fails_leaves_the_file_as_it_was(void)
{
	const struct perf_event_attr attr = test_attr(TEST_SAMPLE_TYPE);
	struct gpuoa_perfdata_writer writer;
	struct bytes records = { 0 };
	struct rlimit limit, tight;
	char path[PATH_SIZE];
	int fd;

	memory_file(&fd, path);
	REQUIRE(!gpuoa_perfdata_create(&writer, path, &attr, ID,
				       "gpuoa0/RenderBasic/"));
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 20);
	CHECK(!append(&writer, &records));
	clear(&records);
	put_reports_sample(&records, ID, 20, 20);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	tight = (struct rlimit){ gpuoa_perfdata_written(&writer) + 1000,
				 limit.rlim_max };
	setrlimit(RLIMIT_FSIZE, &tight);
	CHECK(append(&writer, &records) == -EFBIG);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(find_at(path).reports == 20);
	CHECK(!append(&writer, &records));
	CHECK(!gpuoa_perfdata_finish(&writer));
	CHECK(find_at(path).reports == 40);
	clear(&records);
	close(fd);
}

/* ---- a stream whose kernel is this test ---------------------------------------------------------- */

#define RING_PAGES 8

struct played_stream {
	struct gpuoa_stream stream;
	struct perf_event_mmap_page *page;
	size_t page_size;
	char path[PATH_SIZE]; /* where it is recorded */
	int fd;
	struct gpuoa_recorder *recorder;
};

static void begin(struct played_stream *played)
{
	const size_t page_size = sysconf(_SC_PAGESIZE);
	const size_t size = (1 + RING_PAGES) * page_size;

	*played = (struct played_stream){ .page_size = page_size };
	played->page = aligned_alloc(page_size, size);
	memset(played->page, 0, size);
	played->stream.attr = test_attr(TEST_SAMPLE_TYPE);
	played->stream.layout = gpuoa_sample_layout(&played->stream.attr);
	played->stream.id = ID;
	strcpy(played->stream.event_name, "gpuoa0/RenderBasic/");
	played->stream.source.desc.report_size = TEST_REPORT_SIZE;
	CHECK(!gpuoa_ring_init(&played->stream.ring, played->page, size));
	memory_file(&played->fd, played->path);
	CHECK(!gpuoa_recorder_begin(&played->stream, played->path,
				    &played->recorder));
}

static void end(struct played_stream *played)
{
	gpuoa_ring_fini(&played->stream.ring);
	free(played->page);
	close(played->fd);
}

/* As the kernel writes into the ring; consumes @records. */
static void produce(struct played_stream *played, struct bytes *records)
{
	uint8_t *data = (uint8_t *)played->page + played->page_size;
	uint64_t head = played->page->data_head;

	for (size_t i = 0; i < records->size; i++, head++)
		data[head % played->stream.ring.size] = records->data[i];
	played->page->data_head = head;
	clear(records);
}

static void what_the_ring_has_is_recorded(void)
{
	struct gpuoa_recorder_stats stats;
	struct played_stream played;
	struct bytes records = { 0 };
	struct findings found;

	begin(&played);
	put_first_sample(&records, ID);
	produce(&played, &records);
	/* Around the end of the ring, several times. */
	for (uint32_t i = 0; i < 50; i++) {
		put_reports_sample(&records, ID, 20 * i, 20);
		produce(&played, &records);
		CHECK(!gpuoa_recorder_write(played.recorder));
		CHECK(gpuoa_ring_fill(&played.stream.ring) == 0);
		gpuoa_recorder_stats(played.recorder, &stats, sizeof(stats));
		CHECK(stats.reports == 20 * (i + 1) && !stats.lost &&
		      !stats.lost_unknown);
		CHECK(stats.bytes == (uint64_t)lseek(played.fd, 0, SEEK_END));
		CHECK(find_at(played.path).reports == 20 * (i + 1));
	}
	CHECK(!gpuoa_recorder_close(played.recorder));
	found = find_at(played.path);
	CHECK(found.result == 0 && found.reports == 1000 && found.gaps == 0 &&
	      found.in_order);
	end(&played);
}

static void losses_are_recorded_and_counted(void)
{
	struct gpuoa_recorder_stats stats;
	struct played_stream played;
	struct bytes records = { 0 };
	struct findings found;

	begin(&played);
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 5);
	put_perf_lost(&records, ID, 0, 1);
	put_reports_sample(&records, ID, 12, 5);
	produce(&played, &records);
	CHECK(!gpuoa_recorder_write(played.recorder));
	gpuoa_recorder_stats(played.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 10 && stats.lost == 7 && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(played.recorder));
	found = find_at(played.path);
	CHECK(found.reports == 10 && found.gaps == 1 && found.lost_ring == 7);
	end(&played);
}

static void a_loss_at_the_end_is_counted(void)
{
	struct gpuoa_recorder_stats stats;
	struct played_stream played;
	struct bytes records = { 0 };

	begin(&played);
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 5);
	put_perf_lost(&records, ID, 0, 1);
	produce(&played, &records);
	CHECK(!gpuoa_recorder_write(played.recorder));
	gpuoa_recorder_stats(played.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 5 && !stats.lost && stats.lost_unknown);

	/* It was not the end. */
	put_reports_sample(&records, ID, 12, 5);
	produce(&played, &records);
	CHECK(!gpuoa_recorder_write(played.recorder));
	gpuoa_recorder_stats(played.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 10 && stats.lost == 7 && !stats.lost_unknown);
	CHECK(!gpuoa_recorder_close(played.recorder));
	end(&played);
}

static void closing_writes_the_rest(void)
{
	struct played_stream played;
	struct bytes records = { 0 };

	begin(&played);
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 5);
	produce(&played, &records);
	CHECK(!gpuoa_recorder_close(played.recorder));
	CHECK(find_at(played.path).reports == 5);
	end(&played);
}

static void a_full_disk_loses_nothing_that_still_fits_into_the_ring(void)
{
	struct gpuoa_recorder_stats stats;
	struct played_stream played;
	struct bytes records = { 0 };
	struct rlimit limit, tight;

	begin(&played);
	put_first_sample(&records, ID);
	put_reports_sample(&records, ID, 0, 10);
	produce(&played, &records);

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	tight = (struct rlimit){ 1000, limit.rlim_max };
	setrlimit(RLIMIT_FSIZE, &tight);
	CHECK(gpuoa_recorder_write(played.recorder) == -EFBIG);
	gpuoa_recorder_stats(played.recorder, &stats, sizeof(stats));
	CHECK(stats.reports == 0);
	setrlimit(RLIMIT_FSIZE, &limit);

	put_reports_sample(&records, ID, 10, 10);
	produce(&played, &records);
	CHECK(!gpuoa_recorder_write(played.recorder));
	CHECK(gpuoa_recorder_close(played.recorder) == -EFBIG);
	CHECK(find_at(played.path).reports == 20);
	end(&played);
}

int main(void)
{
	RUN(a_file_is_whole_after_each_write);
	RUN(a_file_without_samples_says_so);
	RUN(a_recording_is_for_its_owner_only);
	RUN(a_write_that_fails_leaves_the_file_as_it_was);
	RUN(what_the_ring_has_is_recorded);
	RUN(losses_are_recorded_and_counted);
	RUN(a_loss_at_the_end_is_counted);
	RUN(closing_writes_the_rest);
	RUN(a_full_disk_loses_nothing_that_still_fits_into_the_ring);
	return tap_end();
}
