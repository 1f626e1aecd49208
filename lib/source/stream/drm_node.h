/* SPDX-License-Identifier: MIT */
/*
 * drm_node.h - the DRM nodes of GPUs, in /sys/class/drm and /dev/dri
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_DRM_NODE_H
#define GPUOA_LIB_SOURCE_STREAM_DRM_NODE_H

#include <stdbool.h>
#include <stddef.h>

#define DRM_CARD_SIZE 16

/*
 * Card nodes ("card0") of GPUs that @driver drives and that have metrics to
 * offer, in the order of their numbers. @root: "" or where a test has its own
 * /sys. Returns how many, which may be more than @max.
 */
int drm_cards(const char *root, const char *driver, char (*cards)[DRM_CARD_SIZE], size_t max);

/* Name of the device that a card node is of; "": there is none. */
void drm_card_parent(const char *root, const char *card, char *parent, size_t size);

/* Path of the node that is opened: the GPU's render node, or its card node if
 * it has none. */
void drm_card_node(const char *card, char *path, size_t size);

/* Does @name mean the GPU of a card node: by one of its nodes or its address?
 */
bool drm_card_is_called(const char *card, const char *name);

#endif /* GPUOA_LIB_SOURCE_STREAM_DRM_NODE_H */
