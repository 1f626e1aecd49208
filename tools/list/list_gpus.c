// SPDX-License-Identifier: MIT
/*
 * list_gpus.c - the list of GPUs, including unsupported ones
 */
#include <stdlib.h>
#include <string.h>

#include "gpuoa-device.h"
#include "list/list.h"
#include "common/flag_names.h"

static const char *const types[] = {
	[GPUOA_DEVICE_TYPE_UNKNOWN] = "",
	[GPUOA_DEVICE_INTEGRATED] = "integrated",
	[GPUOA_DEVICE_DISCRETE] = "discrete",
};

static void print_gpu(struct output *output, const struct gpuoa_device_desc *gpu)
{
	char units[GPUOA_DEVICE_UNITS * sizeof(gpu->units[0])] = "";

	for (uint32_t i = 0; i < gpu->unit_count; i++)
		flag_names_append(units, sizeof(units), gpu->units[i]);
	const struct field fields[] = {
		FIELD_OF_TEXT("name", "GPU", gpu->name),
		FIELD_OF_TEXT("driver", "DRIVER", gpu->driver),
		FIELD_OF_TEXT("platform", "PLATFORM", gpu->platform),
		FIELD_OF_TEXT("title", "TITLE", gpu->title),
		FIELD_OF_TEXT("type", NULL, types[gpu->type]),
		FIELD_OF_TEXT("card", NULL, gpu->card),
		FIELD_OF_TEXT("render", "NODE", gpu->render),
		FIELD_OF_NUMBER("vendor_id", NULL, gpu->vendor_id),
		FIELD_OF_NUMBER("device_id", NULL, gpu->device_id),
		FIELD_OF_NUMBER("subvendor_id", NULL, gpu->subvendor_id),
		FIELD_OF_NUMBER("subdevice_id", NULL, gpu->subdevice_id),
		FIELD_OF_NUMBER("revision", NULL, gpu->revision),
		FIELD_OF_NUMBER("tile_count", NULL, gpu->tile_count),
		FIELD_OF_WORDS("oa_units", "DEVICES", units),
		FIELD_OF_TEXT("reason", "NOT AVAILABLE", gpu->reason),
	};
	output_record(output, fields, FIELD_COUNT(fields));
}

int list_gpus(const struct tool *tool)
{
	int count = gpuoa_device_list(NULL, sizeof(struct gpuoa_device_desc), 0);
	struct gpuoa_device_desc *gpus = calloc(count > 0 ? count : 1, sizeof(*gpus));
	struct output output;
	int now;

	if (!gpus || count < 0)
		goto err_memory;
	/* Ignore a GPU added since the first call. */
	now = gpuoa_device_list(gpus, sizeof(*gpus), count);
	if (now < 0)
		goto err_memory;
	output_begin(&output, tool->format);
	for (int i = 0; i < count && i < now; i++)
		if (!tool->device || !strcmp(tool->device, gpus[i].name))
			print_gpu(&output, &gpus[i]);
	output_end(&output);
	free(gpus);
	return EXIT_OK;

err_memory:
	free(gpus);
	return fail("out of memory");
}
