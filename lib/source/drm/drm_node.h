/* SPDX-License-Identifier: MIT */
/*
 * drm_node.h - the DRM nodes of GPUs, in /sys/class/drm and /dev/dri
 */
#ifndef GPUOA_LIB_SOURCE_DRM_DRM_NODE_H
#define GPUOA_LIB_SOURCE_DRM_DRM_NODE_H

#include <stddef.h>

#define DRM_CARD_SIZE 16

/* Room for the path of a node below /dev/dri. */
#define DRM_NODE_SIZE 32

/*
 * Card nodes ("card0") of GPUs that @driver drives and that have metrics to offer, in the order of
 * their numbers. @root: "" or where a test has its own /sys. Returns how many, which may be more
 * than @max.
 */
int drm_cards(const char *root, const char *driver, char (*cards)[DRM_CARD_SIZE], size_t max);

/* Name of the device that a card node is of; "": there is none. */
void drm_card_parent(const char *root, const char *card, char *parent, size_t size);

/* Path of the node that is opened: the GPU's render node, or its card node if it has none. */
void drm_card_node(const char *card, char *path, size_t size);

/* ioctl(2) again and again while it is interrupted. Its result, or -errno */
int drm_ioctl(int fd, unsigned long request, void *argument);

#endif /* GPUOA_LIB_SOURCE_DRM_DRM_NODE_H */
