// SPDX-License-Identifier: MIT
/* gpu_name.c - names of GPUs that users may give */
#include "extra/device/gpu_name.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/*
 * Returns whether @name is the path @node of a device node, such as "/dev/dri/card0", or its last
 * component.
 */
static bool is_node(const char *name, const char *node)
{
	return *node && (!strcmp(name, node) || !strcmp(name, strrchr(node, '/') + 1));
}

bool gpu_is_called(const struct gpuoa_device_desc *gpu, const char *name)
{
	struct stat st;

	if (!strcmp(name, gpu->name) || is_node(name, gpu->card) || is_node(name, gpu->render))
		return true;
	for (uint32_t i = 0; i < gpu->unit_count; i++)
		if (!strcmp(name, gpu->units[i]) ||
		    (!strncmp(name, "/dev/", 5) && !strcmp(name + 5, gpu->units[i])))
			return true;
	if (!strchr(name, '/') || stat(name, &st) || !S_ISCHR(st.st_mode))
		return false;
	return (*gpu->card && major(st.st_rdev) == gpu->card_major &&
		minor(st.st_rdev) == gpu->card_minor) ||
	       (*gpu->render && major(st.st_rdev) == gpu->render_major &&
		minor(st.st_rdev) == gpu->render_minor);
}
