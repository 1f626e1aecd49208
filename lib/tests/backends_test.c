// SPDX-License-Identifier: MIT
/*
 * backends_test.c - Test how units of several drivers are listed, found by name and opened. The
 * backends are simulated: the definitions here take the place of those of the library.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_files.h"
#include "gpuoa-stream.h"
#include "reader/backends/backends.h"
#include "reader/i915/i915.h"
#include "reader/pmu/pmu.h"
#include "reader/xe/xe.h"
#include "tap.h"

#define UNITS_MAX 4

/* Units of a driver: names, and the PCI addresses of their GPUs */
struct driver {
	int error; /* result of listing */
	int open_error; /* result of opening any unit */
	const char *message; /* error message of opening */
	int count;
	struct {
		const char *name;
		const char *parent;
	} units[UNITS_MAX];
};

static struct driver drivers[3];

static int list(const struct driver *driver, char (*names)[UNIT_NAME_SIZE], size_t max)
{
	if (driver->error)
		return driver->error;
	for (size_t i = 0; i < (size_t)driver->count && i < max; i++)
		snprintf(names[i], UNIT_NAME_SIZE, "%s", driver->units[i].name);
	return driver->count;
}

static void find_parent(const char *unit, char *parent, size_t size)
{
	*parent = '\0';
	for (size_t i = 0; i < 3; i++)
		for (int j = 0; j < drivers[i].count; j++)
			if (!strcmp(drivers[i].units[j].name, unit))
				snprintf(parent, size, "%s", drivers[i].units[j].parent);
}

static void find_node(const char *unit, char *path, size_t size)
{
	snprintf(path, size, "/dev/fake/%s", unit);
}

static int open_unit(const struct driver *driver, const char *name, struct gpuoa_unit **opened,
		     const struct complaint *complaint)
{
	struct gpuoa_unit *unit;

	if (driver->message)
		complaint_print(complaint, "%s", driver->message);
	if (driver->open_error)
		return driver->open_error;
	unit = calloc(1, sizeof(*unit));
	if (!unit)
		return -ENOMEM;
	snprintf(unit->desc.name, sizeof(unit->desc.name), "%s", name);
	strcpy(unit->desc.platform, "tglgt2");
	*opened = unit;
	return 0;
}

static void close_unit(struct gpuoa_unit *unit)
{
	free(unit);
}

#define BACKEND(index, symbol, driver_name)                                    \
	static int list_##symbol(char(*names)[UNIT_NAME_SIZE], size_t max)     \
	{                                                                      \
		return list(&drivers[index], names, max);                      \
	}                                                                      \
	static int open_##symbol(const char *name, struct gpuoa_unit **opened, \
				 const struct complaint *complaint)            \
	{                                                                      \
		return open_unit(&drivers[index], name, opened, complaint);    \
	}                                                                      \
	const struct backend symbol##_backend = {                              \
		.name = driver_name,                                           \
		.list = list_##symbol,                                         \
		.find_parent = find_parent,                                    \
		.find_node = find_node,                                        \
		.open = open_##symbol,                                         \
		.close = close_unit,                                           \
	}

BACKEND(0, pmu, "gpuoa");
BACKEND(1, i915, "i915");
BACKEND(2, xe, "xe");

/* A machine with an i915 GPU that gpuoa.ko also drives, another i915 GPU, and an xe GPU */
static void begin(void)
{
	memset(drivers, 0, sizeof(drivers));
	drivers[0] = (struct driver){
		.count = 2, .units = { { "gpuoa0", "0000:00:02.0" }, { "gpuoa1", "0000:00:02.0" } }
	};
	drivers[1] = (struct driver){
		.count = 2, .units = { { "i915:0", "0000:00:02.0" }, { "i915:1", "0000:03:00.0" } }
	};
	drivers[2] = (struct driver){ .count = 1, .units = { { "xe:0", "0000:04:00.0" } } };
}

static void units_of_a_gpu_are_those_of_the_first_driver(void)
{
	char names[UNITS_MAX][16];

	begin();
	REQUIRE(gpuoa_unit_list(names, UNITS_MAX) == 4);
	CHECK_STRING(names[0], "gpuoa0");
	CHECK_STRING(names[1], "gpuoa1");
	CHECK_STRING(names[2], "i915:1");
	CHECK_STRING(names[3], "xe:0");
	/* The units of gpuoa.ko may belong to several GPUs. */
	drivers[0].units[1].parent = "0000:04:00.0";
	REQUIRE(gpuoa_unit_list(names, UNITS_MAX) == 3);
	CHECK_STRING(names[2], "i915:1");
}

static void units_without_a_device_are_listed(void)
{
	begin();
	for (int i = 0; i < 2; i++)
		drivers[i].units[0].parent = "";
	CHECK(gpuoa_unit_list(NULL, 0) == 5);
}

static void list_fills_as_many_as_there_is_room_for(void)
{
	char names[UNITS_MAX][16] = { "", "", "unchanged" };

	begin();
	CHECK(gpuoa_unit_list(names, 2) == 4);
	CHECK_STRING(names[1], "gpuoa1");
	CHECK_STRING(names[2], "unchanged");
	CHECK(gpuoa_unit_list(NULL, 0) == 4);
	begin();
	drivers[1].error = -EIO;
	CHECK(gpuoa_unit_list(names, 2) == -EIO);
}

/* Return the name and driver of the unit that @name refers to, or the error. */
static const char *found(const char *name)
{
	static char text[64];
	struct gpuoa_unit_desc desc;
	struct gpuoa_unit *unit;
	const int err = gpuoa_unit_open(name, &unit, text, sizeof(text));

	if (err)
		return strerror(-err);
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	gpuoa_unit_close(unit);
	snprintf(text, sizeof(text), "%s of %s", desc.name, desc.driver);
	return text;
}

static void units_are_found_by_name_node_and_device(void)
{
	begin();
	CHECK_STRING(found(NULL), "gpuoa0 of gpuoa");
	CHECK_STRING(found("gpuoa1"), "gpuoa1 of gpuoa");
	CHECK_STRING(found("/dev/fake/i915:1"), "i915:1 of i915");
	CHECK_STRING(found("0000:00:02.0"), "gpuoa0 of gpuoa");
	CHECK_STRING(found("0000:03:00.0"), "i915:1 of i915");
	CHECK_STRING(found("0000:04:00.0"), "xe:0 of xe");
	/* A unit that is not listed can still be opened by its name. */
	CHECK_STRING(found("i915:0"), "i915:0 of i915");
}

static void absent_units_and_absent_gpus_differ(void)
{
	begin();
	CHECK_STRING(found("gpuoa7"), strerror(ENOENT));
	CHECK_STRING(found(""), strerror(ENOENT));
	drivers[0].count = drivers[1].count = 0;
	CHECK_STRING(found(NULL), "xe:0 of xe");
	CHECK_STRING(found("gpuoa0"), strerror(ENOENT));
	drivers[2].count = 0;
	CHECK(!gpuoa_unit_list(NULL, 0));
	CHECK_STRING(found(NULL), strerror(ENODEV));
	CHECK_STRING(found("gpuoa0"), strerror(ENODEV));
	/* An error of one driver does not hide the units of another. */
	begin();
	drivers[0].error = -EACCES;
	CHECK_STRING(found("xe:0"), "xe:0 of xe");
	CHECK_STRING(found("xe:1"), strerror(ENOENT));
}

/* A device is also found by the name of its DRM node, or by the path of any of its nodes. */
static void units_are_found_by_nodes_of_the_device(void)
{
	begin();
	tree_begin();
	tree_file("sys/devices/0000:03:00.0/x", "");
	tree_file("sys/devices/0000:04:00.0/x", "");
	tree_link("sys/class/drm/card5/device", "sys/devices/0000:03:00.0");
	tree_link("sys/dev/char/1:3/device", "sys/devices/0000:04:00.0"); /* /dev/null */
	CHECK_STRING(found("card5"), "i915:1 of i915");
	CHECK_STRING(found("card6"), strerror(ENOENT));
	CHECK_STRING(found("/dev/null"), "xe:0 of xe");
	CHECK_STRING(found("/dev/zero"), strerror(ENOENT));
	CHECK_STRING(found("/dev/none"), strerror(ENOENT));
	tree_end();
}

static void opened_unit_has_the_platform_and_constants_of_its_gpu(void)
{
	struct gpuoa_unit *unit;

	begin();
	REQUIRE(!gpuoa_unit_open("xe:0", &unit, NULL, 0));
	CHECK(gpuoa_unit_platform(unit) == gpuoa_platform_find("tglgt2"));
	CHECK(gpuoa_unit_constants(unit));
	gpuoa_unit_close(unit);
}

static const char *message(const char *name, int expected)
{
	static char text[256];
	struct gpuoa_unit *unit;

	CHECK(gpuoa_unit_open(name, &unit, text, sizeof(text)) == expected);
	CHECK(gpuoa_unit_open(name, &unit, NULL, 0) == expected);
	return text;
}

static void errors_of_opening_have_messages(void)
{
	begin();
	CHECK_STRING(message("i915:7", -ENOENT), "no OA unit 'i915:7': see 'gpuoa list devices'");
	drivers[0].open_error = -EMFILE;
	CHECK_STRING(message("gpuoa0", -EMFILE), "cannot open gpuoa0: Too many open files");
	CHECK_STRING(message(NULL, -EMFILE), "cannot open the OA unit: Too many open files");
	drivers[0].message = "that of the driver";
	CHECK_STRING(message("gpuoa0", -EMFILE), "that of the driver");
	drivers[0].message = NULL;
	drivers[0].open_error = -ENODEV;
	CHECK_STRING(message("gpuoa0", -ENODEV), "gpuoa0 was removed");
	/* One other unit is enough to show that this one was removed. */
	drivers[0].count = 1;
	drivers[1].count = drivers[2].count = 0;
	CHECK_STRING(message("gpuoa0", -ENODEV), "gpuoa0 was removed");
	drivers[0].count = 0;
	CHECK_STRING(message("gpuoa0", -ENODEV),
		     "no OA unit on this machine: neither gpuoa.ko, i915 nor xe offers one; run "
		     "'gpuoa doctor' for the reasons");
}

int main(void)
{
	RUN(units_of_a_gpu_are_those_of_the_first_driver);
	RUN(units_without_a_device_are_listed);
	RUN(list_fills_as_many_as_there_is_room_for);
	RUN(units_are_found_by_name_node_and_device);
	RUN(absent_units_and_absent_gpus_differ);
	RUN(units_are_found_by_nodes_of_the_device);
	RUN(opened_unit_has_the_platform_and_constants_of_its_gpu);
	RUN(errors_of_opening_have_messages);
	return tap_end();
}
