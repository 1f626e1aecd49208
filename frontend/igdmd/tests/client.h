/* SPDX-License-Identifier: MIT */
/* client.h - calls of the Metrics Discovery interfaces, as programs make them */
#ifndef GPUOA_IGDMD_TESTS_CLIENT_H
#define GPUOA_IGDMD_TESTS_CLIENT_H

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mdapi.h"

#define CALL(object, method, ...) (object)->table->method(object, ##__VA_ARGS__)

static inline struct mdapi_set_params_1_0 *params_of(struct mdapi_set *set)
{
	return &CALL(set, get_params)->base;
}

/* Find a set by its symbol. Returns NULL if the group does not have it. */
static inline struct mdapi_set *find_set(struct mdapi_group *group, const char *symbol)
{
	for (uint32_t i = 0; i < CALL(group, get_params)->set_count; i++) {
		struct mdapi_set *set = CALL(group, get_set, i);

		if (!strcmp(params_of(set)->symbol, symbol))
			return set;
	}
	return NULL;
}

/*
 * Load a library of the front end by name. It is in the directory above that of the test program.
 * Prints the reason and returns NULL on failure.
 */
static inline void *load_library(const char *name)
{
	char path[PATH_MAX + 32] = "", self[PATH_MAX] = "";
	void *library;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return NULL;
	snprintf(path, sizeof(path), "%s/../%s", dirname(self), name);
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		printf("# %s\n", dlerror());
	return library;
}

#endif /* GPUOA_IGDMD_TESTS_CLIENT_H */
