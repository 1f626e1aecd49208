// SPDX-License-Identifier: MIT
/*
 * freq_pin.c - pin the frequency of a GPU
 *
 * If the provider of an OA unit can pin the clock, it is used, and unpins the clock when the unit's
 * file is closed. Otherwise the clock is pinned by sysfs files of the driver, which keep their
 * values if the process is killed. Another process can then reset these files to the range of the
 * hardware with gpuoa_freq_pin_clear().
 */
#include "extra/device/freq_pin.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/sized.h"
#include "base/sysfs.h"
#include "extra/device/clock_files.h"
#include "extra/device/gpu_name.h"
#include "gpuoa-freq-pin.h"
#include "uapi/gpuoa.h"

/*
 * File names are those in drivers/gpu/drm/i915/gt/intel_gt_sysfs_pm.c, in the older i915_sysfs.c,
 * and in drivers/gpu/drm/xe/xe_gt_freq.c.
 */

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

/* Directories in which drivers have the files, relative to that of the card */
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
	/* fclose() flushes the buffer, and fails if the driver rejects the value. */
	if (fclose(stream) && !err)
		err = -errno;
	return err;
}

#define HZ_PER_MHZ UINT64_C(1000000)

static int pin_by_provider(int fd, uint32_t flags, uint64_t *hz)
{
	struct gpuoa_freq_pin_arg frequency = { .flags = flags, .hz = *hz };

	if (ioctl(fd, GPUOA_IOC_PIN_FREQ, &frequency))
		return -errno;
	*hz = frequency.hz;
	return 0;
}

/* Open a unit if its provider can pin the clock. */
static int open_provider(struct gpuoa_freq_pin *pin, const char *unit)
{
	struct gpuoa_unit_info info = { .features = 0 };
	char path[32];

	snprintf(path, sizeof(path), "/dev/%s", unit);
	pin->fd = open(path, O_RDWR | O_CLOEXEC);
	if (pin->fd < 0)
		return -errno;
	if (!ioctl(pin->fd, GPUOA_IOC_UNIT_INFO, &info) &&
	    info.features & GPUOA_FEATURE_FREQUENCY) {
		pin->slowest = info.gt_min_frequency;
		pin->fastest = info.gt_max_frequency;
		return 0;
	}
	close(pin->fd);
	pin->fd = -1;
	return 0;
}

static void find_files(struct gpuoa_freq_pin *pin, const char *root, const char *card)
{
	int64_t slowest, fastest;

	pin->has_files = clock_files_find(&pin->files, root, card);
	if (!pin->has_files)
		return;
	slowest = clock_file_read(&pin->files, CLOCK_SLOWEST);
	fastest = clock_file_read(&pin->files, CLOCK_FASTEST);
	if (slowest <= 0 || fastest < slowest) {
		pin->has_files = false;
		return;
	}
	pin->slowest = (uint64_t)slowest * HZ_PER_MHZ;
	pin->fastest = (uint64_t)fastest * HZ_PER_MHZ;
}

/*
 * Returns whether gpuoa.ko provides the units of a GPU. Only the units of a stock driver have a
 * prefix with a colon: "i915:0".
 */
static bool is_served(const struct gpuoa_device_desc *gpu)
{
	return gpu->unit_count && !strchr(gpu->units[0], ':');
}

static int freq_pin_begin(struct gpuoa_freq_pin *pin, const char *root,
			  const struct gpuoa_device_desc *gpu)
{
	int err = 0;

	*pin = (struct gpuoa_freq_pin){ .fd = -1, .before = { SYSFS_NONE } };
	strcpy(pin->device, gpu->name);
	if (is_served(gpu))
		err = open_provider(pin, gpu->units[0]);
	if (!err && pin->fd < 0 && *gpu->card)
		find_files(pin, root, gpu->card);
	return err;
}

static const struct gpuoa_device_desc *find_gpu(const struct freq_pin_machine *machine,
						const char *name)
{
	for (size_t i = 0; i < machine->count; i++)
		if (!name || gpu_is_called(&machine->devices[i], name))
			return &machine->devices[i];
	return NULL;
}

int freq_pin_open_on(const struct freq_pin_machine *machine, const char *device,
		     struct gpuoa_freq_pin **pin, const struct complaint *complaint)
{
	const struct gpuoa_device_desc *gpu = find_gpu(machine, device);
	struct gpuoa_freq_pin *new;
	int err;

	if (!gpu)
		return COMPLAIN(complaint, machine->count ? -ENOENT : -ENODEV,
				"no GPU %s: see 'gpuoa list gpus'",
				device ? device : "on this machine");
	new = malloc(sizeof(*new));
	if (!new)
		return -ENOMEM;
	err = freq_pin_begin(new, machine->root, gpu);
	if (err)
		free(new);
	else
		*pin = new;
	return err;
}

/* Maximum number of GPUs to list; no machine has more. */
#define GPUS_MAX 64

int gpuoa_freq_pin_open(const char *device, struct gpuoa_freq_pin **pin, char *error,
			size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_device_desc *devices = calloc(GPUS_MAX, sizeof(*devices));
	const int count = devices ? gpuoa_device_list(devices, sizeof(*devices), GPUS_MAX) :
				    -ENOMEM;
	const struct freq_pin_machine machine = {
		.root = "",
		.devices = devices,
		.count = count < GPUS_MAX ? (size_t)count : GPUS_MAX,
	};
	const int err = count < 0 ? count : freq_pin_open_on(&machine, device, pin, &complaint);

	free(devices);
	return complaint_end(&complaint, err);
}

/*
 * Restore the values that the files had before, or if these are unknown, the range of the hardware.
 */
static int restore_files(const struct gpuoa_freq_pin *pin)
{
	const struct clock_files *files = &pin->files;
	const uint64_t slowest = pin->slowest / HZ_PER_MHZ;
	const uint64_t fastest = pin->fastest / HZ_PER_MHZ;
	const bool known = pin->before[CLOCK_MIN] != SYSFS_NONE;
	const int64_t *before = pin->before;
	int err;

	/*
	 * Write the lowest minimum first, because the driver rejects a minimum above the maximum
	 * and a maximum below the minimum.
	 */
	err = clock_file_write(files, CLOCK_MIN, slowest);
	if (!err)
		err = clock_file_write(files, CLOCK_MAX,
				       known ? (uint64_t)before[CLOCK_MAX] : fastest);
	if (!err && known)
		err = clock_file_write(files, CLOCK_MIN, (uint64_t)before[CLOCK_MIN]);
	if (!err)
		err = clock_file_write(files, CLOCK_BOOST,
				       known && before[CLOCK_BOOST] != SYSFS_NONE ?
					       (uint64_t)before[CLOCK_BOOST] :
					       fastest);
	return err;
}

static int pin_files(struct gpuoa_freq_pin *pin, uint64_t *hz)
{
	const struct clock_files *files = &pin->files;
	const uint64_t mhz = (*hz + HZ_PER_MHZ / 2) / HZ_PER_MHZ;
	int64_t now;
	int err;

	if (pin->before[CLOCK_MIN] == SYSFS_NONE)
		for (int file = CLOCK_MIN; file <= CLOCK_BOOST; file++)
			pin->before[file] = clock_file_read(files, file);
	err = clock_file_write(files, CLOCK_MIN, pin->slowest / HZ_PER_MHZ);
	if (!err)
		err = clock_file_write(files, CLOCK_MAX, mhz);
	if (!err)
		err = clock_file_write(files, CLOCK_MIN, mhz);
	if (!err)
		err = clock_file_write(files, CLOCK_BOOST, mhz);
	if (err) {
		restore_files(pin);
		return err;
	}
	/* Read the frequency back, because the driver rounds it to a step of the hardware. */
	now = clock_file_read(files, CLOCK_MIN);
	*hz = now > 0 ? (uint64_t)now * HZ_PER_MHZ : mhz * HZ_PER_MHZ;
	return 0;
}

static int check_available(const struct gpuoa_freq_pin *pin, const struct complaint *complaint)
{
	if (pin->fd < 0 && !pin->has_files)
		return COMPLAIN(
			complaint, -EOPNOTSUPP,
			"neither the driver of %s nor its provider in gpuoa.ko can pin the clock",
			pin->device);
	return 0;
}

static int complain_of_pin(const struct gpuoa_freq_pin *pin, uint64_t hz, int err,
			   const struct complaint *complaint)
{
	switch (err) {
	case -ERANGE:
		return COMPLAIN(complaint, err,
				"the clock of %s is from %" PRIu64 " to %" PRIu64
				" Hz, not %" PRIu64,
				pin->device, pin->slowest, pin->fastest, hz);
	case -EPERM:
	case -EACCES:
		return COMPLAIN(complaint, -EPERM, "%s: cannot pin the clock: %s", pin->device,
				pin->fd >= 0 ? "it needs CAP_SYS_ADMIN" :
					       "only root may write its driver's files");
	case -EBUSY:
		return COMPLAIN(complaint, err,
				"%s: cannot pin the clock: another process has pinned it",
				pin->device);
	case -ENODEV:
		return COMPLAIN(complaint, err, "%s was removed", pin->device);
	default:
		return COMPLAIN(complaint, err, "cannot pin the clock of %s: %s", pin->device,
				strerror(-err));
	}
}

int gpuoa_freq_pin_set(struct gpuoa_freq_pin *pin, uint64_t *wanted_hz, char *error,
		       size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	uint64_t hz = *wanted_hz ? *wanted_hz : pin->fastest;
	int err = check_available(pin, &complaint);

	if (err)
		return err;
	if (hz < pin->slowest || hz > pin->fastest)
		err = -ERANGE;
	else if (pin->fd >= 0)
		err = pin_by_provider(pin->fd, GPUOA_PIN_FREQ_SET, &hz);
	else
		err = pin_files(pin, &hz);
	if (err)
		return complain_of_pin(pin, hz, err, &complaint);
	pin->hz = *wanted_hz = hz;
	return 0;
}

int gpuoa_freq_pin_clear(struct gpuoa_freq_pin *pin, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	int err = check_available(pin, &complaint);
	uint64_t hz = 0;

	if (err)
		return err;
	if (pin->fd >= 0)
		err = pin_by_provider(pin->fd, GPUOA_PIN_FREQ_SET, &hz);
	else
		err = restore_files(pin);
	if (err)
		return complain_of_pin(pin, hz, err, &complaint);
	pin->hz = 0;
	pin->before[CLOCK_MIN] = SYSFS_NONE;
	return 0;
}

void gpuoa_freq_pin_describe(const struct gpuoa_freq_pin *pin, struct gpuoa_freq_pin_desc *desc,
			     size_t size)
{
	const int64_t actual = pin->has_files ? clock_file_read(&pin->files, CLOCK_ACTUAL) :
						SYSFS_NONE;
	const struct gpuoa_freq_pin_desc known = {
		.min_hz = pin->slowest,
		.max_hz = pin->fastest,
		.pinned_hz = pin->hz,
		.current_hz = actual >= 0 ? (uint64_t)actual * HZ_PER_MHZ : pin->hz,
		.available = pin->fd >= 0 || pin->has_files,
	};

	sized_give(desc, size, &known, sizeof(known));
}

void gpuoa_freq_pin_close(struct gpuoa_freq_pin *pin)
{
	if (!pin)
		return;
	if (pin->fd >= 0)
		close(pin->fd);
	else if (pin->hz)
		restore_files(pin);
	free(pin);
}
