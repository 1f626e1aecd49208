/* SPDX-License-Identifier: MIT */
/*
 * xe.h - client of xe's uAPI, for tests of the stock driver
 */
#ifndef SELFTESTS_XE_H
#define SELFTESTS_XE_H

#include <stddef.h>
#include <stdint.h>

#include "third_party/drm/xe_drm.h"

#define XE_UUID "a3c2b1f0-5d4e-4c3b-8a29-180716253445"
#define XE_PEC64U64 0x00010105 /* type PEC, select 1, wide counters */
#define XE_MPEC8U64 0x00000104 /* type OAM_MPEC, select 1 */

/* A property of a stream, DRM_XE_OA_PROPERTY_* */
struct xe_property {
	uint32_t property;
	uint64_t value;
};

/*
 * Get the path of the render node of the first GPU that xe drives, or NULL. The number of the node
 * changes if xe is bound while programs use the old one. The string is valid until the next call.
 */
const char *xe_node(void);
/* Open the render node. Returns the file descriptor or -errno. */
int xe_open(void);
/* Query the device. Return the answer, which the caller frees, or NULL with errno. */
void *xe_query(int fd, uint32_t query, uint32_t *size);

/* Create a buffer in system memory, and map it. Return 0 and MAP_FAILED on error. */
uint32_t xe_create(int fd, uint64_t size);
void *xe_map(int fd, uint32_t buffer, size_t size);
/* Bind a part of a buffer to an address of the GPU. Returns 0 or -errno. */
int xe_bind(int fd, uint32_t vm, uint32_t buffer, uint64_t offset, uint64_t at, uint64_t size);
/* Create a buffer, bind it to an address of the GPU, and map it. Returns MAP_FAILED on error. */
void *xe_create_at(int fd, uint32_t vm, uint64_t at, size_t size);
/* Create an exec queue for one engine. Returns 0 or -errno. */
int xe_create_queue(int fd, uint32_t vm, struct drm_xe_engine_class_instance engine,
		    uint32_t *queue);
/*
 * Submit a batch, which begins after syncobj @after is signalled; 0: at once. Returns a syncobj
 * that it signals at its end, or -errno.
 */
int xe_submit(int fd, uint32_t queue, uint64_t batch, uint32_t after);
/*
 * Wait until a syncobj is signalled, and destroy it. The timeout suits an emulated guest on a busy
 * machine. Returns 0 or -errno.
 */
int xe_wait(int fd, uint32_t syncobj);

/*
 * Submit a batch to a long-running exec queue, which signals no syncobj: it writes @value to the
 * address @fence of the GPU at its end. Returns 0 or -errno.
 */
int xe_submit_fenced(int fd, uint32_t queue, uint64_t batch, uint64_t fence, uint64_t value);
/* Wait until a fence has a value. @fence: the same in the process. Returns 0 or -errno. */
int xe_wait_fence(int fd, uint32_t queue, const void *fence, uint64_t value, int64_t timeout_ns);

/* Add and remove a configuration. They return the id or 0, or -errno. */
int xe_add_config(int fd, const char *uuid, const uint32_t *regs, uint32_t n);
int xe_remove_config(int fd, uint64_t id);
/*
 * Open a stream with @n properties, which are passed as a chain. Returns the result of the ioctl,
 * or -errno.
 */
int xe_stream_open(int fd, const struct xe_property *properties, unsigned int n);

#endif /* SELFTESTS_XE_H */
