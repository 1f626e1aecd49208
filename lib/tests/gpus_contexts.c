// SPDX-License-Identifier: MIT
/*
 * gpus_contexts.c - Test contexts on virtual GPUs of each kind: an unprivileged user can stream the
 * reports of their own contexts through gpuoa.ko's unprivileged stream fd if the hardware isolates
 * contexts, and otherwise cannot; the owners of contexts are known.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpuoa-stream.h"
#include "sim_unit.h"
#include "tap.h"
#include "uapi/gpuoa_sim.h"

#define UNITS_MAX 32
#define NOBODY 65534
#define REPORTS 40
/* number of reports that certainly includes some of this process's context */
#define NAMED_REPORTS 1000
#define WAIT_MS 20000

static struct sim_unit units[UNITS_MAX];
static size_t unit_count;

/* Open the render node of the unit's GPU. */
static int open_drm(const struct sim_unit *unit)
{
	char path[300];
	struct dirent *entry;
	int fd = -1;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/class/gpuoa/%s/device/drm", unit->desc.name);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "renderD", 7)) {
			snprintf(path, sizeof(path), "/dev/dri/%s", entry->d_name);
			fd = open(path, O_RDWR | O_CLOEXEC);
		}
	if (dir)
		closedir(dir);
	return fd;
}

static bool become_nobody(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	return !setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) &&
	       !setresuid(NOBODY, NOBODY, NOBODY) && !syscall(SYS_capset, &header, data);
}

/*
 * Open a stream of one context as an unprivileged user. Returns the result of gpuoa_stream_open().
 */
static int open_own(const struct sim_unit *unit, int drm, uint32_t context, bool no_reports,
		    struct gpuoa_reader **reader, char error[256])
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = 1000000,
		.context_filter = true,
		.drm_fd = drm,
		.context = context,
		.query_only = no_reports,
	};
	const int err =
		gpuoa_stream_open(unit->unit, sim_unit_any_set(unit), &options, reader, error, 256);

	return err ? err : options.delivery == GPUOA_DELIVERY_RAW ? 0 : -EPROTO;
}

/*
 * Read at least @wanted reports, then all others that are available. Fewer are read if the stream
 * ends.
 */
static uint64_t read_reports(struct gpuoa_reader *reader, uint64_t wanted)
{
	static uint8_t reports[64 * 640];
	struct gpuoa_read_status status;
	uint64_t count = 0;
	int n = 1;

	while (n > 0 || count < wanted) {
		if (n <= 0 && gpuoa_reader_wait(reader, WAIT_MS))
			break;
		n = gpuoa_reader_read(reader, reports, 64, &status);
		if (!CHECK(n >= 0) || !CHECK(!status.lost_ring && !status.lost_unknown))
			break;
		count += n;
		if (status.end)
			break;
	}
	return count;
}

/*
 * Check that the recording contains all that the stream delivered: at least 40 reports, all of one
 * context.
 */
static void recording_has_all(struct gpuoa_reader *reader)
{
	char path[] = "/tmp/gpus_contexts.XXXXXX";
	struct gpuoa_recorder_stats stats;
	struct gpuoa_recorder *recorder;
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *played;
	const int fd = mkstemp(path);
	char error[256] = "";

	REQUIRE(fd >= 0);
	close(fd);
	REQUIRE(!gpuoa_recorder_open(&reader, 1, path, &recorder, NULL, 0));
	do {
		REQUIRE(!gpuoa_reader_wait(reader, WAIT_MS));
		REQUIRE(gpuoa_recorder_write(recorder) >= 0);
		gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	} while (stats.reports < REPORTS);
	CHECK(!gpuoa_recorder_close(recorder));
	CHECK(stats.reports >= REPORTS);
	if (!CHECK(!gpuoa_file_open(path, &played, error, sizeof(error)))) {
		printf("# %s\n", error);
		return;
	}
	gpuoa_reader_describe(played, &desc, sizeof(desc));
	CHECK(desc.context_filter);
	CHECK(read_reports(played, stats.reports) == stats.reports);
	gpuoa_reader_close(played);
	unlink(path);
}

static void own_reports_come(const struct sim_unit *unit, int drm, uint32_t context)
{
	struct gpuoa_reader *reader, *second;
	char error[256] = "";

	REQUIRE(!open_own(unit, drm, context, false, &reader, error));
	CHECK(read_reports(reader, REPORTS) >= REPORTS);
	/* A second stream that has the same options shares the unit with the first one. */
	REQUIRE(!open_own(unit, drm, context, false, &second, error));
	CHECK(read_reports(second, REPORTS) >= REPORTS);
	gpuoa_reader_close(second);
	CHECK(!gpuoa_reader_disable(reader));
	read_reports(reader, 0);
	CHECK(gpuoa_reader_wait(reader, 0) == -ECANCELED);
	CHECK(!gpuoa_reader_enable(reader));
	CHECK(read_reports(reader, REPORTS) >= REPORTS);
	gpuoa_reader_close(reader);
	REQUIRE(!open_own(unit, drm, context, false, &reader, error));
	recording_has_all(reader);
	gpuoa_reader_close(reader);
}

static void own_counters_are_on(const struct sim_unit *unit, int drm, uint32_t context)
{
	struct gpuoa_context_owner owner;
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	char error[256] = "";
	uint8_t report[640];

	REQUIRE(!open_own(unit, drm, context, true, &reader, error));
	/* If only a clock pair is available, gpuoa_reader_wait() does not return. */
	CHECK(gpuoa_reader_wait(reader, 0) == -ETIMEDOUT);
	CHECK(gpuoa_reader_read(reader, report, 1, &status) == 0);
	CHECK(status.has_clock);
	CHECK(gpuoa_reader_context(reader, 0, &owner, sizeof(owner)) == -EACCES);
	gpuoa_reader_close(reader);
}

/* Check that an unprivileged user can use exactly the features that the unit lists. */
static void stream_own(const struct sim_unit *unit, int drm, uint32_t context)
{
	struct gpuoa_reader *reader = NULL;
	char error[256] = "";

	if (unit->desc.features & GPUOA_UNIT_OWN_REPORTS) {
		own_reports_come(unit, drm, context);
	} else {
		CHECK(open_own(unit, drm, context, false, &reader, error) ==
		      (unit->desc.features & GPUOA_UNIT_CONTEXT ? -EACCES : -EOPNOTSUPP));
		CHECK(error[0]);
	}
	if (unit->desc.features & GPUOA_UNIT_QUERY_ONLY)
		own_counters_are_on(unit, drm, context);
	else
		CHECK(open_own(unit, drm, context, true, &reader, error) == -EOPNOTSUPP);
}

static void unprivileged_process_opens_isolated_stream(void)
{
	for (size_t i = 0; i < unit_count; i += sim_sample()) {
		struct drm_gpuoa_sim_context context = { 0 };
		const int drm = open_drm(&units[i]);
		uint32_t id;
		pid_t child;
		int status;

		REQUIRE(drm >= 0);
		REQUIRE(!ioctl(drm, DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE, &context));
		REQUIRE(!gpuoa_unit_add_set(units[i].unit, sim_unit_any_set(&units[i]), &id, NULL,
					    0));
		fflush(stdout);
		child = fork();
		if (!child) {
			tap.good = true;
			if (!CHECK(become_nobody()))
				_exit(1);
			stream_own(&units[i], drm, context.handle);
			fflush(stdout);
			_exit(!tap.good);
		}
		REQUIRE(waitpid(child, &status, 0) == child);
		if (!CHECK(!status))
			printf("# %s of %s\n", units[i].desc.name, units[i].desc.platform);
		close(drm);
	}
}

/*
 * Read the whole recording. Some of its contexts must belong to this process, and none to another
 * program.
 */
static void recording_names_this_process(struct gpuoa_reader *played, uint32_t handle)
{
	static uint8_t reports[64 * 640];
	const struct gpuoa_platform *platform = gpuoa_reader_platform(played);
	struct gpuoa_context_owner owner;
	struct gpuoa_read_status status;
	struct gpuoa_reader_desc desc;
	const struct gpuoa_set *set;
	size_t own = 0;
	int n;

	gpuoa_reader_describe(played, &desc, sizeof(desc));
	set = gpuoa_platform_find_uuid(platform, desc.uuid);
	REQUIRE(set);
	while ((n = gpuoa_reader_read(played, reports, 64, &status)) > 0)
		for (int i = 0; i < n; i++) {
			struct gpuoa_report_desc report;

			gpuoa_report_describe(set, desc.format, reports + i * desc.report_size,
					      &report, sizeof(report));
			if (!report.has_context ||
			    gpuoa_reader_context(played, report.context_id, &owner, sizeof(owner)))
				continue;
			own++;
			CHECK(owner.process == (uint32_t)getpid() && owner.handle == handle);
			CHECK(!strncmp(owner.program, "gpus_contexts", 15) && !owner.gone);
		}
	CHECK(own);
	CHECK(gpuoa_reader_context(played, 0xfffffff0, &owner, sizeof(owner)) == -ENOENT);
}

static void record_some(struct gpuoa_reader *reader, const char *path)
{
	struct gpuoa_recorder_stats stats;
	struct gpuoa_recorder *recorder;

	REQUIRE(!gpuoa_recorder_open(&reader, 1, path, &recorder, NULL, 0));
	do {
		REQUIRE(!gpuoa_reader_wait(reader, WAIT_MS));
		REQUIRE(!gpuoa_recorder_write(recorder));
		gpuoa_recorder_stats(recorder, &stats, sizeof(stats));
	} while (stats.reports < NAMED_REPORTS);
	CHECK(!gpuoa_recorder_close(recorder));
}

/* Contexts are attributed to the process that created them, live and in a recording. */
static void reader_context_returns_owner(void)
{
	for (size_t i = 0; i < unit_count; i += sim_sample()) {
		struct gpuoa_stream_options options = { .size = sizeof(options),
							.period_ns = 100000 };
		char path[] = "/tmp/gpus_contexts.XXXXXX", error[256] = "";
		struct drm_gpuoa_sim_context context = { 0 };
		struct gpuoa_context_owner owner;
		struct gpuoa_reader *reader;
		const int drm = open_drm(&units[i]), fd = mkstemp(path);

		/*
		 * Reports of Haswell have no context id, and reports of media units have no id of
		 * this process's contexts.
		 */
		if (!gpuoa_report_reasons(sim_unit_any_set(&units[i])) ||
		    !(units[i].desc.features & GPUOA_UNIT_CONTEXT))
			continue;
		REQUIRE(drm >= 0 && fd >= 0);
		close(fd);
		CHECK(units[i].desc.features & GPUOA_UNIT_CONTEXT_NAMES);
		REQUIRE(!ioctl(drm, DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE, &context));
		REQUIRE(!gpuoa_stream_open(units[i].unit, sim_unit_any_set(&units[i]), &options,
					   &reader, error, sizeof(error)));
		CHECK(gpuoa_reader_context(reader, 0xfffffff0, &owner, sizeof(owner)) == -ENOENT);
		record_some(reader, path);
		gpuoa_reader_close(reader);
		REQUIRE(!gpuoa_file_open(path, &reader, error, sizeof(error)));
		recording_names_this_process(reader, context.handle);
		gpuoa_reader_close(reader);
		unlink(path);
		close(drm);
	}
}

int main(void)
{
	unit_count = sim_units_open(units, UNITS_MAX);
	if (!unit_count)
		return tap_skip("there is no OA unit");
	RUN(unprivileged_process_opens_isolated_stream);
	RUN(reader_context_returns_owner);
	sim_units_close(units, unit_count);
	return tap_end();
}
