/* SPDX-License-Identifier: MIT */
/*
 * xe.h - what the tests of the xe face have in common: a client of xe, as programs have one, and
 * questions to the simulator.
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

/* A property of a stream */
struct xe_property {
	uint32_t property;
	uint64_t value;
};

/* Path of the render node of GPU number @gpu, and the directory of its card in sysfs; 0 or -errno
 */
int xe_find(unsigned int gpu, char *node, char *card, size_t size);
int xe_open(unsigned int gpu);
/* Answer of a query, to be freed; NULL and errno */
void *xe_query(int fd, uint32_t query, uint32_t *size);

/* The result of the operation, or -errno */
int xe_observe(int fd, uint64_t op, const void *param);
int xe_add_config(int fd, const char *uuid, const uint32_t *regs, uint32_t n);
int xe_remove_config(int fd, uint64_t id);
/* The chain begins at the first of @n; NULL: as xe_stream_open() and xe_stream_config() */
int xe_stream_open(int fd, const struct xe_property *properties, unsigned int n);
int xe_stream_config(int stream, const struct xe_property *properties, unsigned int n);
/* A stream of unit @unit with configuration @set and a timer; disabled: it is not running */
int xe_stream_simple(int fd, uint32_t unit, int set, int exponent, int disabled);
/* Read whole reports until there are @bytes, or nothing comes: bytes, or -errno */
int xe_read_all(int stream, void *to, size_t bytes);

/* Write to, and read a number from, a file of GPU @gpu in debugfs */
int xe_sim_set(unsigned int gpu, const char *file, const char *value);
uint64_t xe_sim_get(unsigned int gpu, const char *file);
/* What a counter of @unit ("" or "oamg/") counted between two timestamps; UINT64_MAX: not known */
uint64_t xe_truth(unsigned int gpu, const char *unit, uint64_t from, uint64_t to,
		  const char *counter);

#endif /* SELFTESTS_XE_H */
