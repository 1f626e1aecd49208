/* SPDX-License-Identifier: MIT */
/* drm_node.h - DRM nodes of GPUs in /sys/class/drm and /dev/dri */
#ifndef GPUOA_LIB_READER_DRM_DRM_NODE_H
#define GPUOA_LIB_READER_DRM_DRM_NODE_H

#include <stddef.h>

#define DRM_CARD_SIZE 16

/* Size of a path of a node below /dev/dri. */
#define DRM_NODE_SIZE 32

/*
 * List card nodes ("card0") of GPUs with metrics and driver @driver, by number. @root: "", or a
 * directory in which a test has its own /sys. Returns the number of nodes, which may exceed @max.
 */
int drm_cards(const char *root, const char *driver, char (*cards)[DRM_CARD_SIZE], size_t max);

/* Get the device name of a card node; "" if there is none. */
void drm_card_parent(const char *root, const char *card, char *parent, size_t size);

/* Get the path of the node to open: the GPU's render node, or its card node if it has none. */
void drm_card_node(const char *card, char *path, size_t size);

/* Call ioctl(2), again if it is interrupted. Returns its result, or -errno */
int drm_ioctl(int fd, unsigned long request, void *argument);

#endif /* GPUOA_LIB_READER_DRM_DRM_NODE_H */
