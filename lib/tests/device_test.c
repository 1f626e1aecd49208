// SPDX-License-Identifier: MIT
/*
 * device_test.c - Test the list of GPUs in sysfs: their properties, and the reasons why they cannot
 * be measured.
 */
#define _GNU_SOURCE /* nftw */
#include "gpu/platforms.h"
#include "device/scan.h"
#include "tap.h"
#include "tree.h"

static struct scan scan;

static void put_unit(const char *unit, const char *platform, const char *tile, const char *device)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/class/gpuoa/%s/platform", unit);
	tree_file(path, platform);
	snprintf(path, sizeof(path), "sys/class/gpuoa/%s/tile", unit);
	tree_file(path, tile);
	snprintf(path, sizeof(path), "sys/class/gpuoa/%s/device", unit);
	tree_link(path, device);
}

/* Scan sysfs, which must contain one GPU, and return it. */
static const struct gpuoa_device_desc *the_device(void)
{
	scan_free(&scan);
	return CHECK(!scan_devices(tree_root, &scan)) && CHECK(scan.count == 1) ? &scan.devices[0] :
										  NULL;
}

static void end(void)
{
	scan_free(&scan);
	scan = (struct scan){ .count = 0 };
	tree_end();
}

static void scan_describes_gpu(void)
{
	const struct gpuoa_device_desc *gpu;

	tree_begin();
	tree_pci("0000:00:02.0", "0x8086\n", "0x9a49\n", "0x030000\n");
	tree_file(TREE_PCI "0000:00:02.0/subsystem_vendor", "0x17aa\n");
	tree_file(TREE_PCI "0000:00:02.0/subsystem_device", "0x22d5\n");
	tree_file(TREE_PCI "0000:00:02.0/revision", "0x01\n");
	tree_driver("0000:00:02.0", "i915");
	tree_node("card0", "226:3\n", TREE_PCI "0000:00:02.0");
	tree_node("renderD128", "227:128\n", TREE_PCI "0000:00:02.0");
	/* a connector of the GPU */
	tree_node("card0-DP-1", "1:1\n", TREE_PCI "0000:00:02.0");
	gpu = the_device();
	if (gpu) {
		CHECK_STRING(gpu->name, "0000:00:02.0");
		CHECK(gpu->vendor_id == 0x8086 && gpu->device_id == 0x9a49);
		CHECK(gpu->subvendor_id == 0x17aa && gpu->subdevice_id == 0x22d5);
		CHECK(gpu->revision == 1);
		CHECK_STRING(gpu->driver, "i915");
		CHECK_STRING(gpu->card, "/dev/dri/card0");
		CHECK(gpu->card_major == 226 && gpu->card_minor == 3);
		CHECK_STRING(gpu->render, "/dev/dri/renderD128");
		CHECK(gpu->render_major == 227 && gpu->render_minor == 128);
		CHECK_STRING(gpu->platform, "tglgt2");
		CHECK_STRING(gpu->title, "Tiger Lake GT2");
		CHECK(gpu->type == GPUOA_DEVICE_INTEGRATED);
		CHECK(gpu->tile_count == 1 && gpu->unit_count == 0);
	}
	end();
}

static void scan_skips_other_pci_devices(void)
{
	tree_begin();
	tree_pci("0000:01:00.0", "0x1002\n", "0x744c\n", "0x030000\n"); /* another vendor's GPU */
	tree_pci("0000:00:1f.0", "0x8086\n", "0x7a04\n", "0x060100\n"); /* a bridge */
	CHECK(!scan_devices(tree_root, &scan));
	CHECK(scan.count == 0);
	end();
}

static void scan_without_pci_returns_no_gpu(void)
{
	tree_begin();
	CHECK(!scan_devices(tree_root, &scan));
	CHECK(scan.count == 0);
	end();
}

static bool is(const struct gpuoa_device_desc *gpu, enum gpuoa_device_state state, const char *why)
{
	return gpu && gpu->state == state && strstr(gpu->reason, why) &&
	       strlen(gpu->reason) < sizeof(gpu->reason) - 1;
}

static void gpu_without_units_has_reason(void)
{
	tree_begin();
	tree_pci("0000:03:00.0", "0x8086\n", "0xe20b\n", "0x038000\n");
	CHECK(is(the_device(), GPUOA_DEVICE_NO_DRIVER, "load i915 or xe"));
	CHECK(the_device()->type == GPUOA_DEVICE_DISCRETE);
	tree_driver("0000:03:00.0", "xe");
	tree_file("sys/module/gpuoa/version", "0.1.0\n");
	CHECK(is(the_device(), GPUOA_DEVICE_NO_UNITS,
		 "xe of this kernel has no interface for OA units: use Linux 6.12 or later"));
	tree_file("proc/sys/dev/xe/observation_paranoid", "1\n");
	CHECK(is(the_device(), GPUOA_DEVICE_NO_UNITS,
		 "xe of this kernel provides no OA unit of it: use a newer kernel"));
	tree_file(TREE_PCI "0000:03:00.0/physfn/vendor", "0x8086\n");
	CHECK(is(the_device(), GPUOA_DEVICE_NO_UNITS, "a virtual function has no OA unit"));
	put_unit("gpuoa0", "bmg\n", "0\n", TREE_PCI "0000:03:00.0");
	CHECK(is(the_device(), GPUOA_DEVICE_READY, ""));
	CHECK(the_device()->reason[0] == '\0');
	end();
}

/* With a stock kernel, a driver provides metrics if its GPU has the metrics directory in sysfs. */
static void stock_driver_offers(const char *driver, const char *device, const char *platform,
				const char *unit)
{
	const struct gpuoa_device_desc *gpu;

	tree_begin();
	tree_pci("0000:00:02.0", "0x8086\n", device, "0x030000\n");
	tree_driver("0000:00:02.0", driver);
	tree_node("card1", "226:1\n", TREE_PCI "0000:00:02.0");
	CHECK(is(the_device(), GPUOA_DEVICE_NO_UNITS, driver));
	CHECK(is(the_device(), GPUOA_DEVICE_NO_UNITS, "has no interface for OA units"));
	tree_file("sys/class/drm/card1/metrics/f8d677e9-ff6f-4df1-9310-0334c6efacce/id", "2\n");
	gpu = the_device();
	if (gpu && CHECK(gpu->unit_count == 1)) {
		CHECK_STRING(gpu->units[0], unit);
		CHECK(gpu->state == GPUOA_DEVICE_READY);
	}
	put_unit("gpuoa0", platform, "0\n", TREE_PCI "0000:00:02.0");
	gpu = the_device();
	if (gpu && CHECK(gpu->unit_count == 1))
		CHECK_STRING(gpu->units[0], "gpuoa0");
	end();
}

static void stock_driver_units_are_listed(void)
{
	stock_driver_offers("i915", "0x9a49\n", "tglgt2\n", "i915:1");
	stock_driver_offers("xe", "0xe20b\n", "bmg\n", "xe:1");
}

static void vfio_gpu_has_reason(void)
{
	tree_begin();
	tree_pci("0000:03:00.0", "0x8086\n", "0xe20b\n", "0x030000\n");
	tree_driver("0000:03:00.0", "vfio-pci");
	CHECK(is(the_device(), GPUOA_DEVICE_NO_DRIVER, "vfio-pci has it"));
	end();
}

static void unknown_gpu_is_listed(void)
{
	tree_begin();
	tree_pci("0000:00:02.0", "0x8086\n", "0xffff\n", "0x030000\n");
	tree_driver("0000:00:02.0", "xe");
	CHECK(is(the_device(), GPUOA_DEVICE_UNKNOWN, "0xffff"));
	CHECK_STRING(the_device()->platform, "");
	tree_pci("0000:00:02.0", "0x8086\n", "0x0166\n", "0x030000\n");
	CHECK(is(the_device(), GPUOA_DEVICE_UNKNOWN, "no metrics of Ivy Bridge: Linux drives"));
	end();
}

static void gpu_without_metrics_has_reason(void)
{
	tree_begin();
	tree_pci("0000:03:00.0", "0x8086\n", "0x1902\n", "0x030000\n");
	tree_driver("0000:03:00.0", "i915");
	put_unit("gpuoa0", "sklgt1\n", "0\n", TREE_PCI "0000:03:00.0");
	CHECK(is(the_device(), GPUOA_DEVICE_NO_METRICS, "sklgt1"));
	CHECK_STRING(the_device()->title, "Skylake GT1");
	CHECK(the_device()->type == GPUOA_DEVICE_INTEGRATED);
	end();
}

static void scan_counts_tiles_and_units(void)
{
	const struct gpuoa_device_desc *gpu;

	tree_begin();
	tree_pci("0000:03:00.0", "0x8086\n", "0xe20b\n", "0x030000\n");
	tree_file(TREE_PCI "0000:03:00.0/tile0/gt0/id", "0\n");
	tree_file(TREE_PCI "0000:03:00.0/tile1/gt1/id", "0\n");
	gpu = the_device();
	CHECK(gpu && gpu->tile_count == 2);
	put_unit("gpuoa0", "bmg\n", "0\n", TREE_PCI "0000:03:00.0");
	put_unit("gpuoa10", "bmg\n", "3\n", TREE_PCI "0000:03:00.0");
	put_unit("gpuoa9", "bmg\n", "1\n", TREE_PCI "0000:03:00.0");
	gpu = the_device();
	if (gpu) {
		CHECK(gpu->tile_count == 4);
		CHECK(gpu->unit_count == 3);
		CHECK_STRING(gpu->units[1], "gpuoa9");
		CHECK_STRING(gpu->units[2], "gpuoa10");
	}
	end();
}

/* A unit may be of a tile that the driver shows in no other way. */
static void tiles_of_units_are_counted(void)
{
	const struct gpuoa_device_desc *gpu;

	tree_begin();
	tree_pci("0000:03:00.0", "0x8086\n", "0xe20b\n", "0x030000\n");
	put_unit("gpuoa0", "bmg\n", "0\n", TREE_PCI "0000:03:00.0");
	gpu = the_device();
	CHECK(gpu && gpu->tile_count == 1);
	put_unit("gpuoa1", "bmg\n", "1\n", TREE_PCI "0000:03:00.0");
	gpu = the_device();
	CHECK(gpu && gpu->tile_count == 2 && gpu->state == GPUOA_DEVICE_READY);
	/* Files that are missing. */
	CHECK(gpu && !gpu->revision && !gpu->subvendor_id && !gpu->subdevice_id);
	end();
}

/* A tile that a unit names wrongly, and a unit that is being removed, are ignored. */
static void scan_ignores_invalid_units(void)
{
	const struct gpuoa_device_desc *gpu;
	char name[16];

	tree_begin();
	tree_pci("0000:03:00.0", "0x8086\n", "0xe20b\n", "0x030000\n");
	put_unit("gpuoa0", "bmg\n", "65535\n", TREE_PCI "0000:03:00.0");
	tree_file("sys/class/gpuoa/gpuoa1/platform", "bmg\n");
	gpu = the_device();
	CHECK(gpu && gpu->tile_count == 1 && gpu->unit_count == 1);
	put_unit("gpuoa2", "bmg\n", "65534\n", TREE_PCI "0000:03:00.0");
	gpu = the_device();
	CHECK(gpu && gpu->tile_count == 65535 && gpu->unit_count == 2);
	for (int i = 3; i < GPUOA_DEVICE_UNITS + 3; i++) {
		snprintf(name, sizeof(name), "gpuoa%d", i);
		put_unit(name, "bmg\n", "0\n", TREE_PCI "0000:03:00.0");
	}
	gpu = the_device();
	CHECK(gpu && gpu->unit_count == GPUOA_DEVICE_UNITS);
	end();
}

/* The driver of a device that is not on PCI may be bound, or be named by the alias. */
static void driver_of_other_devices_is_found(void)
{
	tree_begin();
	tree_file("sys/devices/soc/gpu.1/modalias", "platform:gpuoa_sim\n");
	put_unit("gpuoa0", "lnl\n", "0\n", "sys/devices/soc/gpu.1");
	tree_file("sys/bus/soc/drivers/other/x", "");
	tree_link("sys/devices/soc/gpu.1/driver", "sys/bus/soc/drivers/other");
	CHECK_STRING(the_device()->driver, "other");
	end();
	tree_begin();
	tree_file("sys/devices/soc/gpu.1/modalias", "soc:gpuoa_sim\n");
	put_unit("gpuoa0", "lnl\n", "0\n", "sys/devices/soc/gpu.1");
	CHECK_STRING(the_device()->driver, "");
	end();
}

/* Nodes of other devices, and files that are no device numbers, are ignored. */
static void scan_ignores_other_nodes(void)
{
	const struct gpuoa_device_desc *gpu;

	tree_begin();
	tree_pci("0000:00:02.0", "0x8086\n", "0x9a49\n", "0x030000\n");
	tree_pci("0000:01:00.0", "0x1002\n", "0x744c\n", "0x030000\n");
	tree_node("card0", "226:0\n", TREE_PCI "0000:01:00.0");
	tree_node("renderD128", "226\n", TREE_PCI "0000:00:02.0");
	tree_node("card", "226:1\n", TREE_PCI "0000:00:02.0");
	tree_node("version1", "226:1\n", TREE_PCI "0000:00:02.0");
	gpu = the_device();
	CHECK(gpu && !*gpu->card && !*gpu->render && !gpu->card_minor && !gpu->render_major);
	end();
}

/* gpuoa.ko and a stock driver may serve different GPUs of one machine. */
static void stock_units_are_added_to_their_gpu(void)
{
	tree_begin();
	tree_pci("0000:00:02.0", "0x8086\n", "0x9a49\n", "0x030000\n");
	tree_pci("0000:03:00.0", "0x8086\n", "0x56a0\n", "0x030000\n");
	tree_driver("0000:00:02.0", "i915");
	tree_driver("0000:03:00.0", "i915");
	tree_node("card0", "226:0\n", TREE_PCI "0000:00:02.0");
	tree_node("card1", "226:1\n", TREE_PCI "0000:03:00.0");
	tree_file("sys/class/drm/card0/metrics/x", "");
	tree_file("sys/class/drm/card1/metrics/x", "");
	put_unit("gpuoa0", "tglgt2\n", "0\n", TREE_PCI "0000:00:02.0");
	REQUIRE(!scan_devices(tree_root, &scan));
	REQUIRE(scan.count == 2);
	CHECK(scan.devices[0].unit_count == 1 && scan.devices[1].unit_count == 1);
	CHECK_STRING(scan.devices[0].units[0], "gpuoa0");
	CHECK_STRING(scan.devices[1].units[0], "i915:1");
	CHECK(scan.devices[1].type == GPUOA_DEVICE_DISCRETE);
	end();
}

static void gpu_outside_pci_is_found_by_units(void)
{
	const struct gpuoa_device_desc *gpu;

	tree_begin();
	tree_pci("0000:00:02.0", "0x8086\n", "0x9a49\n", "0x030000\n");
	tree_file("sys/devices/platform/gpuoa_sim.0/modalias", "platform:gpuoa_sim\n");
	put_unit("gpuoa0", "lnl\n", "0\n", "sys/devices/platform/gpuoa_sim.0");
	put_unit("gpuoa1", "lnl\n", "0\n", "sys/devices/platform/gpuoa_sim.0");
	tree_node("renderD129", "226:129\n", "sys/devices/platform/gpuoa_sim.0");
	REQUIRE(!scan_devices(tree_root, &scan));
	REQUIRE(scan.count == 2);
	gpu = &scan.devices[1];
	CHECK_STRING(gpu->name, "gpuoa_sim.0");
	CHECK_STRING(gpu->driver, "gpuoa_sim");
	CHECK_STRING(gpu->render, "/dev/dri/renderD129");
	CHECK_STRING(gpu->card, "");
	CHECK_STRING(gpu->platform, "lnl");
	CHECK_STRING(gpu->title, "Lunar Lake");
	CHECK(gpu->vendor_id == 0 && gpu->device_id == 0);
	CHECK(gpu->unit_count == 2);
	CHECK(gpu->state == GPUOA_DEVICE_READY);
	CHECK(scan.devices[0].state == GPUOA_DEVICE_NO_DRIVER);
	end();
}

static void scan_grows_beyond_initial_capacity(void)
{
	char name[32];

	tree_begin();
	for (int i = 9; i >= 0; i--) {
		snprintf(name, sizeof(name), "0000:0%d:00.0", i);
		tree_pci(name, "0x8086\n", "0xe20b\n", "0x030000\n");
	}
	REQUIRE(!scan_devices(tree_root, &scan));
	REQUIRE(scan.count == 10);
	CHECK_STRING(scan.devices[0].name, "0000:00:00.0");
	CHECK_STRING(scan.devices[9].name, "0000:09:00.0");
	end();
}

static void platform_of_device_maps_pci_ids(void)
{
	static const struct {
		uint16_t device;
		const char *platform;
	} known[] = {
		{ 0x0402, "hsw" },    { 0x0412, "hsw" },    { 0x1616, "bdw" },
		{ 0x1912, "sklgt2" }, { 0x8a52, "icl" },    { 0x9a49, "tglgt2" },
		{ 0x7d45, "mtlgt2" }, { 0x7d55, "mtlgt3" }, { 0x7d41, "arlgt1" },
		{ 0x64a0, "lnl" },    { 0xe20b, "bmg" },    { 0xfd81, "ptl" },
		{ 0x4680, "adls" },   { 0xa780, "adls" },   { 0x46d1, "adln" },
		{ 0x46a6, "adl" },    { 0xb080, "ptl" },    { 0xd740, "nvl" },
		{ 0xd750, "nvlp" },   { 0x674c, "cri" },    { 0xe223, "bmg" },
		{ 0x1913, "sklgt2" }, { 0x192a, "sklgt4" }, { 0x5915, "kblgt2" },
		{ 0x56a0, "acmgt3" }, { 0x56a5, "acmgt1" }, { 0x5697, "acmgt2" },
		{ 0x7d51, "arlgt2" }, { 0x0bd5, "pvc" },    { 0x0bd0, "" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct gpu_platform *platform = gpu_platform_of_device(known[i].device);

		CHECK_STRING(platform ? platform->name : "", known[i].platform);
	}
	CHECK(!gpu_platform_of_device(0) && !gpu_platform_of_device(0xffff));
	CHECK(!gpu_platform_of_device(0x10412)); /* 0x0412 is one */
	CHECK(!gpu_platform_find("nowhere") && !gpu_platform_find(""));
}

/* The library knows the PCI ids in Linux's list, and no others. */
static void pci_ids_are_those_of_linux(void)
{
	static char expected[UINT16_MAX + 1][8];
	FILE *file = fopen("lib/tests/pci_ids.facts", "r");
	char line[256], name[8];
	unsigned int device;
	size_t count = 0;

	REQUIRE(file);
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			continue;
		CHECK(sscanf(line, "%4x %*s %7s", &device, name) == 2 && !*expected[device]);
		strcpy(expected[device], name);
		count++;
	}
	fclose(file);
	CHECK(count > 400);
	for (device = 0; device <= UINT16_MAX; device++) {
		const struct gpu_platform *platform = gpu_platform_of_device(device);

		if (!CHECK_STRING(platform ? platform->name : "", expected[device]))
			printf("# %04x\n", device);
	}
}

static bool has_pci_id(const struct gpu_platform *platform)
{
	for (unsigned int device = 0; device <= UINT16_MAX; device++)
		if (gpu_platform_of_device(device) == platform)
			return true;
	return false;
}

/*
 * Each platform has metrics, or a reason in platforms.txt why it has none. The binary search must
 * find a PCI id of each platform; generate.awk rejects duplicate ids.
 */
static void each_platform_has_metrics_or_reason(void)
{
	const struct gpu_platform *platform;
	size_t with_metrics = 0;

	for (size_t i = 0; (platform = gpu_platform_get(i)); i++) {
		with_metrics += !*platform->no_metrics;
		if (!CHECK(has_pci_id(platform)) ||
		    !CHECK(!gpuoa_platform_find(platform->name) == !!*platform->no_metrics))
			printf("# %s\n", platform->name);
	}
	for (size_t i = 0; i < gpuoa_platform_count(); i++)
		if (!CHECK(gpu_platform_find(gpuoa_platform_name(gpuoa_platform_get(i)))))
			printf("# %s\n", gpuoa_platform_name(gpuoa_platform_get(i)));
	CHECK(with_metrics == gpuoa_platform_count());
}

static void device_list_fills_at_most_count_entries(void)
{
	struct gpuoa_device_desc device;
	const int count = gpuoa_device_list(NULL, sizeof(device), 0);

	CHECK(count >= 0);
	memset(&device, 0xee, sizeof(device));
	CHECK(gpuoa_device_list(&device, sizeof(device.name), 1) == count);
	CHECK(device.vendor_id == 0xeeeeeeee);
}

int main(void)
{
	RUN(scan_describes_gpu);
	RUN(scan_skips_other_pci_devices);
	RUN(scan_without_pci_returns_no_gpu);
	RUN(gpu_without_units_has_reason);
	RUN(stock_driver_units_are_listed);
	RUN(vfio_gpu_has_reason);
	RUN(unknown_gpu_is_listed);
	RUN(gpu_without_metrics_has_reason);
	RUN(scan_counts_tiles_and_units);
	RUN(tiles_of_units_are_counted);
	RUN(scan_ignores_invalid_units);
	RUN(driver_of_other_devices_is_found);
	RUN(scan_ignores_other_nodes);
	RUN(stock_units_are_added_to_their_gpu);
	RUN(gpu_outside_pci_is_found_by_units);
	RUN(scan_grows_beyond_initial_capacity);
	RUN(platform_of_device_maps_pci_ids);
	RUN(pci_ids_are_those_of_linux);
	RUN(each_platform_has_metrics_or_reason);
	RUN(device_list_fills_at_most_count_entries);
	return tap_end();
}
