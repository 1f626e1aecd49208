// SPDX-License-Identifier: MIT
/*
 * clock_files.c - clock of a GPU in the sysfs files of its driver, i915 or xe
 *
 * File names are those in drivers/gpu/drm/i915/gt/intel_gt_sysfs_pm.c, in the older i915_sysfs.c,
 * and in drivers/gpu/drm/xe/xe_gt_freq.c.
 */
#include "extra/device/clock_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfs.h"

static const char *const names_i915_gt[CLOCK_FILES] = {
	[CLOCK_MIN] = "rps_min_freq_mhz",     [CLOCK_MAX] = "rps_max_freq_mhz",
	[CLOCK_BOOST] = "rps_boost_freq_mhz", [CLOCK_SLOWEST] = "rps_RPn_freq_mhz",
	[CLOCK_FASTEST] = "rps_RP0_freq_mhz", [CLOCK_ACTUAL] = "rps_act_freq_mhz",
};

static const char *const names_i915[CLOCK_FILES] = {
	[CLOCK_MIN] = "gt_min_freq_mhz",     [CLOCK_MAX] = "gt_max_freq_mhz",
	[CLOCK_BOOST] = "gt_boost_freq_mhz", [CLOCK_SLOWEST] = "gt_RPn_freq_mhz",
	[CLOCK_FASTEST] = "gt_RP0_freq_mhz", [CLOCK_ACTUAL] = "gt_act_freq_mhz",
};

static const char *const names_xe[CLOCK_FILES] = {
	[CLOCK_MIN] = "min_freq",     [CLOCK_MAX] = "max_freq",	   [CLOCK_SLOWEST] = "rpn_freq",
	[CLOCK_FASTEST] = "rp0_freq", [CLOCK_ACTUAL] = "act_freq",
};

/* Directories of the files, relative to that of the card */
static const struct {
	const char *directory;
	const char *const *names;
} places[] = {
	{ "/gt/gt0", names_i915_gt },
	{ "", names_i915 },
	{ "/device/tile0/gt0/freq0", names_xe },
};

bool clock_files_find(struct clock_files *files, const char *root, const char *card)
{
	const char *name = strrchr(card, '/');
	char path[PATH_MAX];

	for (size_t i = 0; name && i < sizeof(places) / sizeof(places[0]); i++) {
		files->names = places[i].names;
		if (sysfs_path(files->directory, root, "/sys/class/drm%s%s", name,
			       places[i].directory) &&
		    sysfs_path(path, files->directory, "/%s", files->names[CLOCK_MIN]) &&
		    !access(path, F_OK))
			return true;
	}
	return false;
}

int64_t clock_file_read(const struct clock_files *files, enum clock_file file)
{
	char path[PATH_MAX];

	if (!files->names[file] || !sysfs_path(path, files->directory, "/%s", files->names[file]))
		return SYSFS_NONE;
	return sysfs_number(path);
}

int clock_file_write(const struct clock_files *files, enum clock_file file, uint64_t mhz)
{
	char path[PATH_MAX];
	FILE *stream;
	int err = 0;

	if (!files->names[file] || !sysfs_path(path, files->directory, "/%s", files->names[file]))
		return 0;
	stream = fopen(path, "we");
	if (!stream)
		return -errno;
	if (fprintf(stream, "%" PRIu64 "\n", mhz) < 0)
		err = -errno;
	/* If the driver rejects the value, the flush fails. */
	if (fclose(stream) && !err)
		err = -errno;
	return err;
}
