// SPDX-License-Identifier: MIT
/*
 * igdml.c - libigdml.so.1, which Level Zero's driver requires in addition to libigdmd.so.1
 *
 * Intel's Metrics Library makes the commands of begin/end queries. The driver looks for its two
 * functions before it provides any metrics, and calls them for the first query. The sets of gpuoa's
 * libigdmd.so.1 have no queries, so creating a context always fails.
 */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* Results of the library's functions */
enum igdml_result {
	IGDML_INCORRECT_OBJECT = 5,
	IGDML_NOT_SUPPORTED = 8,
	IGDML_NULL_POINTER = 10,
};

/* API and generation of the caller, passed by value */
struct igdml_client {
	uint32_t api;
	uint32_t generation;
};

struct igdml_handle {
	void *data;
};

EXPORT uint32_t ContextCreate_1_0(struct igdml_client client, void *create_data,
				  struct igdml_handle *handle);
EXPORT uint32_t ContextCreate_1_0(struct igdml_client client, void *create_data,
				  struct igdml_handle *handle)
{
	(void)client;
	if (!create_data || !handle)
		return IGDML_NULL_POINTER;
	handle->data = (void *)0;
	return IGDML_NOT_SUPPORTED;
}

EXPORT uint32_t ContextDelete_1_0(struct igdml_handle handle);
EXPORT uint32_t ContextDelete_1_0(struct igdml_handle handle)
{
	return handle.data ? IGDML_INCORRECT_OBJECT : IGDML_NULL_POINTER;
}
