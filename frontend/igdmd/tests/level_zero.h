/* SPDX-License-Identifier: MIT */
/*
 * level_zero.h - Level Zero in tests, which load the loader that the system has
 *
 * A test defines FUNCTIONS(F), a list of the functions that it calls in the form F(name), then
 * includes this file once. Each function is called by its name with an underscore appended.
 */
#ifndef GPUOA_IGDMD_TESTS_LEVEL_ZERO_H
#define GPUOA_IGDMD_TESTS_LEVEL_ZERO_H

#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <level_zero/zet_api.h>
#include <stdbool.h>
#include <stdio.h>

#include "lib/tests/tap.h"

/* The functions that this file calls */
#define COMMON_FUNCTIONS(F) \
	F(zeInit)           \
	F(zeDriverGet)      \
	F(zeDeviceGet)      \
	F(zeContextCreate)  \
	F(zetMetricGroupGetProperties)

#define DECLARE(name) static typeof(name) *name##_;
COMMON_FUNCTIONS(DECLARE)
FUNCTIONS(DECLARE)

static ze_device_handle_t device;
static ze_context_handle_t context;

/* Load all functions. Prints the reason if it fails. */
static bool load(void)
{
	void *loader = dlopen("libze_loader.so.1", RTLD_NOW);
	bool good = loader;

	if (!loader)
		printf("# %s\n", dlerror());
#define LOAD(name) good = good && (*(void **)&name##_ = dlsym(loader, #name));
	COMMON_FUNCTIONS(LOAD)
	FUNCTIONS(LOAD)
	return good;
}

/* Open the only device, and create a context. */
static bool open_device(void)
{
	const ze_context_desc_t desc = { .stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC };
	const ze_result_t result = zeInit_(0);
	ze_driver_handle_t driver;
	uint32_t count = 1;

	if (!CHECK(result == ZE_RESULT_SUCCESS)) {
		printf("# zeInit: 0x%x\n", result);
		return false;
	}
	return CHECK(zeDriverGet_(&count, &driver) == ZE_RESULT_SUCCESS && count == 1) &&
	       CHECK(zeDeviceGet_(driver, &count, &device) == ZE_RESULT_SUCCESS && count == 1) &&
	       CHECK(zeContextCreate_(driver, &desc, &context) == ZE_RESULT_SUCCESS);
}

static zet_metric_group_properties_t properties_of(zet_metric_group_handle_t group)
{
	zet_metric_group_properties_t properties = {
		.stype = ZET_STRUCTURE_TYPE_METRIC_GROUP_PROPERTIES
	};

	CHECK(zetMetricGroupGetProperties_(group, &properties) == ZE_RESULT_SUCCESS);
	return properties;
}

#endif /* GPUOA_IGDMD_TESTS_LEVEL_ZERO_H */
