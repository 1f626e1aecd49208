/* SPDX-License-Identifier: MIT */
/*
 * xe.h - client of xe's uAPI, for the tests of the stock driver and of the emulated device, and
 * access to the simulator's debugfs files
 */
#ifndef SELFTESTS_XE_H
#define SELFTESTS_XE_H

#include <stddef.h>
#include <stdint.h>

#include "third_party/drm/xe_drm.h"

#define XE_UUID "a3c2b1f0-5d4e-4c3b-8a29-180716253445"
#define XE_PEC64U64 0x00010105 /* type PEC, select 1, wide counters */
#define XE_MPEC8U64 0x00000104 /* type OAM_MPEC, select 1 */
#define XE_REPORT_OAG 576
#define XE_REPORT_OAM 192

/* A property of a stream, DRM_XE_OA_PROPERTY_* */
struct xe_property {
	uint32_t property;
	uint64_t value;
};

/*
 * Get the render node and the sysfs directory of the card of GPU number @gpu, in buffers of @size
 * bytes each. Returns 0 or -errno.
 */
int xe_find(unsigned int gpu, char *node, char *card, size_t size);
int xe_open(unsigned int gpu);
/* Query the device. Return the answer, which the caller frees, or NULL with errno. */
void *xe_query(int fd, uint32_t query, uint32_t *size);

/* Create a buffer in system memory, and map it. Return 0 and MAP_FAILED on error. */
uint32_t xe_create(int fd, uint64_t size);
void *xe_map(int fd, uint32_t buffer, size_t size);
/* Create an exec queue for one engine. Returns 0 or -errno. */
int xe_create_queue(int fd, uint32_t vm, struct drm_xe_engine_class_instance engine,
		    uint32_t *queue);

/* Call DRM_IOCTL_XE_OBSERVATION. These functions return the operation's result, or -errno. */
int xe_observe(int fd, uint64_t op, const void *param);
int xe_add_config(int fd, const char *uuid, const uint32_t *regs, uint32_t n);
int xe_remove_config(int fd, uint64_t id);
/*
 * Open a stream, or change its configuration, with @n properties, which are passed as a chain. Both
 * functions return the result of the ioctl, or -errno.
 */
int xe_stream_open(int fd, const struct xe_property *properties, unsigned int n);
int xe_stream_config(int stream, const struct xe_property *properties, unsigned int n);
/* Open a stream of @unit with configuration @set and timer reports, stopped if @disabled is set. */
int xe_stream_simple(int fd, uint32_t unit, int set, int exponent, int disabled);
/* Read until @bytes are read or read() fails. Returns the number of bytes, or -errno if it is 0. */
int xe_read_all(int stream, void *to, size_t bytes);

/* Write to, or read a number from, a debugfs file of GPU @gpu. */
int xe_sim_set(unsigned int gpu, const char *file, const char *value);
uint64_t xe_sim_get(unsigned int gpu, const char *file);
/*
 * Returns the reference value of a counter of @unit ("" or "oamg/") between two timestamps, or
 * UINT64_MAX if it is unknown.
 */
uint64_t xe_reference(unsigned int gpu, const char *unit, uint64_t from, uint64_t to,
		      const char *counter);

#endif /* SELFTESTS_XE_H */
