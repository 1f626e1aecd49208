// SPDX-License-Identifier: MIT
/*
 * guest_access.c - Test that gpuoa_check_access() correctly predicts whether a stream can be
 * opened, for each combination of capabilities and sysctls. Must run as root where gpuoa_sim.ko is
 * loaded.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpuoa-device.h"
#include "tap.h"

#define PERF_PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define PERF_MLOCK "/proc/sys/kernel/perf_event_mlock_kb"
#define PARANOID "/proc/sys/dev/gpuoa/paranoid"
#define SAMPLE_RATE "/proc/sys/dev/gpuoa/max_sample_rate"
#define TOPICS (GPUOA_ACCESS_MEMORY + 1)

/* Capabilities of the calling process */
struct who {
	const char *name;
	uint64_t capabilities;
};

static const struct who everybody[] = {
	{ "nobody", 0 },
	{ "CAP_PERFMON", UINT64_C(1) << CAP_PERFMON },
	{ "CAP_PERFMON and CAP_IPC_LOCK", UINT64_C(1) << CAP_PERFMON | UINT64_C(1)
									       << CAP_IPC_LOCK },
	{ "CAP_SYS_ADMIN", UINT64_C(1) << CAP_SYS_ADMIN },
	{ "root", UINT64_MAX },
};

#define EVERYBODY (sizeof(everybody) / sizeof(everybody[0]))

static const struct gpuoa_set *set;

static void write_sysctl(const char *path, const char *value)
{
	FILE *file = fopen(path, "w");

	if (CHECK(file)) {
		CHECK(fputs(value, file) >= 0);
		CHECK(!fclose(file));
	}
}

static void read_sysctl(const char *path, char *value, int size)
{
	FILE *file = fopen(path, "r");

	if (CHECK(file)) {
		CHECK(fgets(value, size, file));
		fclose(file);
	}
}

/* Drop capabilities, to the state that setcap and a login shell would cause. */
static void become(const struct who *who)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (who->capabilities == UINT64_MAX)
		return;
	for (int i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = (uint32_t)(who->capabilities >> 32 * i);
	if (syscall(SYS_capset, &header, data))
		_exit(99);
}

static int denials(void)
{
	struct gpuoa_access access[TOPICS];
	const int count = gpuoa_check_access(NULL, access, sizeof(access[0]), TOPICS);
	int denied = 0;

	for (int i = 0; i < count; i++)
		denied += access[i].verdict == GPUOA_ACCESS_DENIED;
	return count < 0 ? 98 : denied;
}

static int open_stream(void)
{
	struct gpuoa_reader *reader = NULL;
	struct gpuoa_unit *unit;
	int err;

	if (gpuoa_unit_open(NULL, &unit, NULL, 0))
		return -ENODEV;
	err = gpuoa_stream_open(unit, set, NULL, &reader, NULL, 0);
	if (!err)
		gpuoa_reader_close(reader);
	gpuoa_unit_close(unit);
	return err;
}

/*
 * In a child process, compare the prediction with the result of opening a stream. Returns whether
 * they agree and the result is the expected one. @opens: whether the stream is expected to open
 */
static bool agrees(const struct who *who, rlim_t memlock, bool opens)
{
	const struct rlimit limit = { memlock, memlock };
	const pid_t child = fork();
	int status = -1;

	if (!child) {
		const bool limited = !setrlimit(RLIMIT_MEMLOCK, &limit);

		become(who);
		_exit(limited && (denials() == 0) == opens && (open_stream() == 0) == opens ? 0 :
											      1);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool is_perfmon(const struct who *who)
{
	return who->capabilities >> CAP_PERFMON & 1 || who->capabilities >> CAP_SYS_ADMIN & 1;
}

/* At level 3 and above, Debian's kernel requires CAP_SYS_ADMIN. */
static bool may_sample(const struct who *who, int perf_paranoid, int paranoid)
{
	if (is_perfmon(who))
		return perf_paranoid <= 2 || who->capabilities >> CAP_SYS_ADMIN & 1;
	return perf_paranoid <= 0 && !paranoid;
}

static void capabilities_and_sysctls_match_check_access(void)
{
	static const int levels[] = { 0, 2, 3 }; /* where the required capability changes */

	for (size_t level = 0; level < sizeof(levels) / sizeof(levels[0]); level++) {
		const int perf_paranoid = levels[level];
		char value[16];

		snprintf(value, sizeof(value), "%d", perf_paranoid);
		write_sysctl(PERF_PARANOID, value);
		for (size_t i = 0; i < 2 * EVERYBODY; i++) {
			const struct who *who = &everybody[i / 2];
			const int paranoid = (int)i % 2;

			write_sysctl(PARANOID, paranoid ? "1" : "0");
			if (!CHECK(agrees(who, RLIM_INFINITY,
					  may_sample(who, perf_paranoid, paranoid))))
				printf("# %s, %d, %d\n", who->name, perf_paranoid, paranoid);
		}
	}
}

static void memory_limit_matches_check_access(void)
{
	write_sysctl(PARANOID, "0");
	write_sysctl(PERF_PARANOID, "0");
	write_sysctl(PERF_MLOCK, "0");
	CHECK(agrees(&everybody[0], 4096, false));
	CHECK(agrees(&everybody[0], 64 << 20, true));
	CHECK(agrees(&everybody[1], 4096, false));
	CHECK(agrees(&everybody[2], 4096, true));
	write_sysctl(PERF_PARANOID, "-1");
	CHECK(agrees(&everybody[0], 4096, true));
}

static void low_sample_rate_denies_without_capability(void)
{
	write_sysctl(PARANOID, "0");
	write_sysctl(PERF_PARANOID, "0");
	write_sysctl(SAMPLE_RATE, "500");
	CHECK(agrees(&everybody[0], RLIM_INFINITY, false));
	CHECK(agrees(&everybody[1], RLIM_INFINITY, true));
}

static void inaccessible_node_is_reported(void)
{
	REQUIRE(!chmod("/dev/gpuoa0", 0));
	CHECK(agrees(&everybody[0], RLIM_INFINITY, false));
	CHECK(!chmod("/dev/gpuoa0", 0666));
}

static void missing_unit_returns_enoent(void)
{
	CHECK(gpuoa_check_access("gpuoa0", NULL, sizeof(struct gpuoa_access), 0) == TOPICS);
	CHECK(gpuoa_check_access("gpuoa99", NULL, sizeof(struct gpuoa_access), 0) == -ENOENT);
}

/*
 * Add the configuration as root: opening a stream with one that the kernel does not know would
 * require CAP_PERFMON in addition.
 */
static bool upload(void)
{
	struct gpuoa_unit *unit;
	bool uploaded = false;
	uint32_t id;

	if (gpuoa_unit_open(NULL, &unit, NULL, 0))
		return false;
	if (gpuoa_unit_platform(unit)) {
		set = gpuoa_platform_get_set(gpuoa_unit_platform(unit), 0);
		uploaded = !gpuoa_unit_add_set(unit, set, &id, NULL, 0);
	}
	gpuoa_unit_close(unit);
	return uploaded;
}

int main(void)
{
	static const char *const sysctls[] = { PERF_PARANOID, PERF_MLOCK, PARANOID, SAMPLE_RATE };
	char old[4][32] = { "" };

	if (!gpuoa_unit_list(NULL, 0))
		return tap_skip("no OA unit");
	if (geteuid() || !upload())
		return tap_skip("needs root, and a unit with metrics");
	for (int i = 0; i < 4; i++)
		read_sysctl(sysctls[i], old[i], sizeof(old[i]));
	RUN(capabilities_and_sysctls_match_check_access);
	RUN(memory_limit_matches_check_access);
	RUN(low_sample_rate_denies_without_capability);
	RUN(inaccessible_node_is_reported);
	RUN(missing_unit_returns_enoent);
	for (int i = 0; i < 4; i++)
		write_sysctl(sysctls[i], old[i]);
	return tap_end();
}
