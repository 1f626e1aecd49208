// SPDX-License-Identifier: MIT
/*
 * stream_error.c - why a unit's stream could not be opened, in words
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "source/stream/stream_error.h"
#include "source/stream/unit_user.h"

/* Value of a sysctl, -1 if it can't be read. */
static long read_sysctl(const char *path)
{
	long value = -1;
	FILE *file = fopen(path, "re");

	if (!file)
		return -1;
	if (fscanf(file, "%ld", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

static bool wants_aux(const struct gpuoa_stream_options *options)
{
	return options->overwrite || options->delivery == GPUOA_DELIVERY_AUX;
}

static void complain_of_use(const struct complaint *complaint, const struct gpuoa_unit_desc *unit,
			    const struct gpuoa_stream_options *options)
{
	char user[64] = "";

	unit_user_find(unit->name, user, sizeof(user));
	if (wants_aux(options))
		complaint_print(
			complaint,
			"%s is in use%s, and AUX mode needs it alone: stop the other program, or ask for RAW mode",
			unit->name, user);
	else
		complaint_print(
			complaint,
			"%s is in use%s: in AUX mode, which nobody can share, or with another set, format, period (here "
			"%" PRIu64
			" ns), context or buffer size; stop that program, or ask for the same",
			unit->name, user, options->period_ns);
}

static void complain_of_support(const struct complaint *complaint,
				const struct gpuoa_unit_desc *unit,
				const struct gpuoa_stream_options *options)
{
	if (options->overwrite)
		complaint_print(
			complaint,
			"%s has no flight recorder for this: reports of this format do not fit, or a context filter is on",
			unit->name);
	else
		complaint_print(complaint, "%s cannot do this%s", unit->name,
				wants_aux(options) ? " in AUX mode" : "");
}

int stream_complain(const struct complaint *complaint, const struct gpuoa_unit_desc *unit,
		    const struct gpuoa_stream_options *options, int err)
{
	switch (err) {
	case -EACCES:
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.gpuoa.paranoid (now %ld) to 0, "
			"lower kernel.perf_event_paranoid (now %ld) to 0 and stay below dev.gpuoa.max_sample_rate (now %ld Hz)",
			unit->name, read_sysctl("/proc/sys/dev/gpuoa/paranoid"),
			read_sysctl("/proc/sys/kernel/perf_event_paranoid"),
			read_sysctl("/proc/sys/dev/gpuoa/max_sample_rate"));
		break;
	case -EPERM:
		complaint_print(
			complaint,
			"may not lock the memory for %s's reports: raise kernel.perf_event_mlock_kb (now %ld) or the limit "
			"'ulimit -l', or run with CAP_IPC_LOCK",
			unit->name, read_sysctl("/proc/sys/kernel/perf_event_mlock_kb"));
		break;
	case -EBUSY:
		complain_of_use(complaint, unit, options);
		break;
	case -ERANGE:
		complaint_print(
			complaint,
			"%s has no such period or buffer size: the shortest period is %" PRIu64
			" ns, buffers have %" PRIu32 " to %" PRIu32 " bytes",
			unit->name, gpuoa_exponent_to_period(unit->timestamp_frequency, 0),
			unit->buffer_size_min, unit->buffer_size_max);
		break;
	case -ENODEV:
		complaint_print(complaint, "%s is gone", unit->name);
		break;
	case -EOPNOTSUPP:
		complain_of_support(complaint, unit, options);
		break;
	case -EINVAL:
		complaint_print(
			complaint,
			"the kernel refuses this configuration of %s: library and gpuoa.ko may be of different versions",
			unit->name);
		break;
	default:
		complaint_print(complaint, "cannot sample %s: %s", unit->name, strerror(-err));
	}
	return err;
}
