// SPDX-License-Identifier: MIT
/*
 * scan.c - finds the GPUs of a machine in sysfs
 *
 * Lists Intel's display devices on PCI first, then other devices that OA units name as their
 * parent.
 */
#define _GNU_SOURCE /* versionsort */
#include "device/scan.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sized.h"
#include "base/sysfs.h"
#include "gpu/platforms.h"
#include "reader/i915/i915.h"
#include "reader/xe/xe.h"

#define PCI_DIR "/sys/bus/pci/devices"
#define UNIT_DIR "/sys/class/gpuoa"
#define DRM_DIR "/sys/class/drm"
#define VENDOR_INTEL 0x8086
/* base class of display devices: the upper byte of the 24-bit class code */
#define CLASS_DISPLAY 0x03

/*
 * List the names in a directory, sorted; there are none if the directory does not exist. Free the
 * list with free_names().
 */
static int list_names(const char *root, const char *directory, struct dirent ***names)
{
	char path[PATH_MAX];
	int n = -1;

	*names = NULL;
	if (sysfs_path(path, root, "%s", directory))
		n = scandir(path, names, NULL, versionsort);
	return n < 0 ? 0 : n;
}

static void free_names(struct dirent **names, int n)
{
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

static struct gpuoa_device_desc *add_device(struct scan *scan, const char *name)
{
	struct gpuoa_device_desc *device;

	if (scan->count == scan->room) {
		const size_t room = scan->room ? 2 * scan->room : 4;

		device = realloc(scan->devices, room * sizeof(*device));
		if (!device)
			return NULL;
		scan->devices = device;
		scan->room = room;
	}
	device = &scan->devices[scan->count++];
	*device = (struct gpuoa_device_desc){ .tile_count = 1 };
	snprintf(device->name, sizeof(device->name), "%s", name);
	return device;
}

static struct gpuoa_device_desc *find_device(const struct scan *scan, const char *name)
{
	for (size_t i = 0; i < scan->count; i++)
		if (!strncmp(scan->devices[i].name, name, sizeof(scan->devices[i].name) - 1))
			return &scan->devices[i];
	return NULL;
}

/* Read a number from a file of a PCI device. Returns 0 if the file does not exist. */
static uint32_t pci_number(const char *root, const char *name, const char *file)
{
	char path[PATH_MAX];
	int64_t number = SYSFS_NONE;

	if (sysfs_path(path, root, PCI_DIR "/%s/%s", name, file))
		number = sysfs_number(path);
	return number < 0 ? 0 : (uint32_t)number;
}

/* Count the tiles of a GPU: xe has a directory for each tile (tile0, tile1, ...). */
static uint32_t count_tiles(const char *root, const char *name)
{
	char path[PATH_MAX];
	uint32_t n = 0;

	while (sysfs_path(path, root, PCI_DIR "/%s/tile%" PRIu32, name, n) && !access(path, F_OK))
		n++;
	return n ? n : 1;
}

static int scan_pci(const char *root, struct scan *scan)
{
	struct dirent **names;
	const int n = list_names(root, PCI_DIR, &names);
	int err = 0;

	for (int i = 0; i < n && !err; i++) {
		const char *name = names[i]->d_name;
		struct gpuoa_device_desc *device;
		char path[PATH_MAX];

		if (pci_number(root, name, "vendor") != VENDOR_INTEL ||
		    pci_number(root, name, "class") >> 16 != CLASS_DISPLAY)
			continue;
		device = add_device(scan, name);
		if (!device) {
			err = -ENOMEM;
			break;
		}
		device->vendor_id = VENDOR_INTEL;
		device->device_id = pci_number(root, name, "device");
		device->subvendor_id = pci_number(root, name, "subsystem_vendor");
		device->subdevice_id = pci_number(root, name, "subsystem_device");
		device->revision = pci_number(root, name, "revision");
		device->tile_count = count_tiles(root, name);
		if (sysfs_path(path, root, PCI_DIR "/%s/driver", name))
			sysfs_link(path, device->driver, sizeof(device->driver));
	}
	free_names(names, n);
	return err;
}

/*
 * Describe a device that is not on PCI. A platform device to which no driver is bound was created
 * by its driver, which its alias names: "platform:gpuoa_sim".
 */
static void describe_other(const char *root, const char *unit, struct gpuoa_device_desc *device)
{
	static const char bus[] = "platform:";
	char path[PATH_MAX], line[64];

	if (sysfs_path(path, root, UNIT_DIR "/%s/device/driver", unit))
		sysfs_link(path, device->driver, sizeof(device->driver));
	if (*device->driver || !sysfs_path(path, root, UNIT_DIR "/%s/device/modalias", unit) ||
	    !sysfs_line(path, line, sizeof(line)) || strncmp(line, bus, strlen(bus)))
		return;
	snprintf(device->driver, sizeof(device->driver), "%.31s", line + strlen(bus));
}

static int scan_unit(const char *root, const char *unit, struct scan *scan)
{
	struct gpuoa_device_desc *device;
	char path[PATH_MAX], name[64];
	int64_t tile;

	if (!sysfs_path(path, root, UNIT_DIR "/%s/device", unit))
		return 0;
	sysfs_link(path, name, sizeof(name));
	/* The unit was removed meanwhile. */
	if (!*name)
		return 0;
	device = find_device(scan, name);
	if (!device) {
		device = add_device(scan, name);
		if (!device)
			return -ENOMEM;
		describe_other(root, unit, device);
	}
	if (sysfs_path(path, root, UNIT_DIR "/%s/platform", unit))
		sysfs_line(path, device->platform, sizeof(device->platform));
	if (sysfs_path(path, root, UNIT_DIR "/%s/tile", unit)) {
		tile = sysfs_number(path);
		if (tile >= device->tile_count && tile < UINT16_MAX)
			device->tile_count = (uint32_t)tile + 1;
	}
	if (device->unit_count < GPUOA_DEVICE_UNITS)
		snprintf(device->units[device->unit_count++], sizeof(device->units[0]), "%.15s",
			 unit);
	return 0;
}

static int scan_units(const char *root, struct scan *scan)
{
	struct dirent **names;
	const int n = list_names(root, UNIT_DIR, &names);
	int err = 0;

	for (int i = 0; i < n && !err; i++)
		if (names[i]->d_name[0] != '.')
			err = scan_unit(root, names[i]->d_name, scan);
	free_names(names, n);
	return err;
}

/* Add units of a stock driver to GPUs that gpuoa.ko does not serve. */
static int scan_driver(const char *root, const struct drm_driver *driver, struct scan *scan)
{
	const int room = drm_unit_list(driver, root, NULL, 0);
	char(*names)[UNIT_NAME_SIZE] = calloc(room > 0 ? (size_t)room : 1, sizeof(*names));
	const int n = names ? drm_unit_list(driver, root, names, (size_t)room) : -ENOMEM;

	for (int i = 0; i < n && i < room; i++) {
		struct gpuoa_device_desc *device;
		char parent[64];

		drm_unit_parent_below(root, names[i], parent, sizeof(parent));
		device = find_device(scan, parent);
		if (device && !device_is_served(device) && device->unit_count < GPUOA_DEVICE_UNITS)
			memcpy(device->units[device->unit_count++], names[i], UNIT_NAME_SIZE);
	}
	free(names);
	return n < 0 ? n : 0;
}

/* Returns whether @name is @prefix followed by a number. This excludes connectors: "card0-DP-1". */
static bool is_node(const char *name, const char *prefix)
{
	const size_t length = strlen(prefix);

	if (strncmp(name, prefix, length) || !name[length])
		return false;
	for (name += length; *name; name++)
		if (!isdigit((unsigned char)*name))
			return false;
	return true;
}

static void scan_node(const char *root, const char *node, struct scan *scan)
{
	const bool card = is_node(node, "card");
	struct gpuoa_device_desc *device;
	uint32_t major = 0, minor = 0;
	char path[PATH_MAX], text[64];

	if ((!card && !is_node(node, "renderD")) ||
	    !sysfs_path(path, root, DRM_DIR "/%s/device", node))
		return;
	sysfs_link(path, text, sizeof(text));
	device = find_device(scan, text);
	if (!device || !sysfs_path(path, root, DRM_DIR "/%s/dev", node) ||
	    !sysfs_line(path, text, sizeof(text)) ||
	    sscanf(text, "%" SCNu32 ":%" SCNu32, &major, &minor) != 2)
		return;
	if (card) {
		snprintf(device->card, sizeof(device->card), "/dev/dri/%.20s", node);
		device->card_major = major;
		device->card_minor = minor;
	} else {
		snprintf(device->render, sizeof(device->render), "/dev/dri/%.20s", node);
		device->render_major = major;
		device->render_minor = minor;
	}
}

static void scan_nodes(const char *root, struct scan *scan)
{
	struct dirent **names;
	const int n = list_names(root, DRM_DIR, &names);

	for (int i = 0; i < n; i++)
		scan_node(root, names[i]->d_name, scan);
	free_names(names, n);
}

/* Set the name and the title of a GPU's platform. */
static void name_device(struct gpuoa_device_desc *device)
{
	const struct gpuoa_platform *platform;
	const struct gpu_platform *known;

	if (*device->platform)
		known = gpu_platform_find(device->platform);
	else
		known = device->vendor_id ? gpu_platform_of_device(device->device_id) : NULL;
	if (known) {
		strcpy(device->platform, known->name);
		strcpy(device->title, known->title);
		device->type = known->discrete ? GPUOA_DEVICE_DISCRETE : GPUOA_DEVICE_INTEGRATED;
	}
	platform = gpuoa_platform_find(device->platform);
	if (platform)
		snprintf(device->title, sizeof(device->title), "%s",
			 gpuoa_platform_title(platform));
}

#define REASON(device, ...) snprintf((device)->reason, sizeof((device)->reason), __VA_ARGS__)

static void judge_unit(struct gpuoa_device_desc *device)
{
	device->state = GPUOA_DEVICE_READY;
	if (gpuoa_platform_find(device->platform))
		return;
	device->state = GPUOA_DEVICE_NO_METRICS;
	REASON(device, "the library has no metrics of platform %s: load definitions",
	       device->platform);
}

static bool is_graphics_driver(const char *driver)
{
	return !strcmp(driver, "i915") || !strcmp(driver, "xe");
}

/*
 * Returns whether a sysctl exists. i915 and xe have a sysctl for the OA interface, and a directory
 * for each GPU that has units.
 */
static bool has_sysctl(const char *root, const char *name)
{
	char path[PATH_MAX];

	return sysfs_path(path, root, "/proc/sys/dev/%s", name) && !access(path, F_OK);
}

static bool is_virtual_function(const char *root, const char *name)
{
	char path[PATH_MAX];

	return sysfs_path(path, root, PCI_DIR "/%s/physfn", name) && !access(path, F_OK);
}

/* Set the reason why a driver provides no OA units of a GPU. */
static void explain_driver(const char *root, struct gpuoa_device_desc *device)
{
	const bool xe = !strcmp(device->driver, "xe");

	if (!has_sysctl(root, xe ? "xe/observation_paranoid" : "i915/perf_stream_paranoid"))
		REASON(device,
		       "%s of this kernel has no interface for OA units: use Linux %s or later",
		       device->driver, xe ? "6.12" : "4.13");
	else if (is_virtual_function(root, device->name))
		REASON(device, "a virtual function has no OA unit: use the GPU on the host");
	else
		REASON(device,
		       "%s of this kernel provides no OA unit of it: use a newer kernel, "
		       "or see 'dmesg | grep %s'",
		       device->driver, device->driver);
}

static void judge_absence(const char *root, struct gpuoa_device_desc *device)
{
	if (!*device->platform) {
		device->state = GPUOA_DEVICE_UNKNOWN;
		REASON(device, "no GPU with device id 0x%04" PRIx32 " is known", device->device_id);
	} else if (!gpuoa_platform_find(device->platform)) {
		device->state = GPUOA_DEVICE_UNKNOWN;
		REASON(device, "there are no metrics of %s: %s", device->title,
		       gpu_platform_find(device->platform)->no_metrics);
	} else if (!*device->driver) {
		device->state = GPUOA_DEVICE_NO_DRIVER;
		REASON(device, "no driver has it: load i915 or xe");
	} else if (!is_graphics_driver(device->driver)) {
		device->state = GPUOA_DEVICE_NO_DRIVER;
		REASON(device, "%s has it, which is no graphics driver: bind it to i915 or xe",
		       device->driver);
	} else {
		device->state = GPUOA_DEVICE_NO_UNITS;
		explain_driver(root, device);
	}
}

int scan_devices(const char *root, struct scan *scan)
{
	int err;

	*scan = (struct scan){ .devices = NULL };
	err = scan_pci(root, scan);
	if (!err)
		err = scan_units(root, scan);
	if (!err)
		err = scan_driver(root, &i915_driver, scan);
	if (!err)
		err = scan_driver(root, &xe_driver, scan);
	if (err)
		return err;
	scan_nodes(root, scan);
	for (size_t i = 0; i < scan->count; i++) {
		name_device(&scan->devices[i]);
		if (scan->devices[i].unit_count)
			judge_unit(&scan->devices[i]);
		else
			judge_absence(root, &scan->devices[i]);
	}
	return 0;
}

void scan_free(struct scan *scan)
{
	free(scan->devices);
}

int gpuoa_device_list(struct gpuoa_device_desc *devices, size_t size, size_t max)
{
	struct scan scan;
	const int err = scan_devices("", &scan);
	const int count = (int)scan.count;

	for (size_t i = 0; !err && i < scan.count && i < max; i++)
		sized_give((char *)devices + i * size, size, &scan.devices[i],
			   sizeof(scan.devices[i]));
	scan_free(&scan);
	return err ? err : count;
}
