/* SPDX-License-Identifier: MIT */
/*
 * unit_find.h - finds the OA units of this machine in sysfs, and the one that a name means
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_UNIT_FIND_H
#define GPUOA_LIB_SOURCE_STREAM_UNIT_FIND_H

#include <stddef.h>

#define UNIT_NAME_SIZE 16

/* A unit by any of its names (see gpuoa_unit_open()). -ENOENT, -ENODEV. */
int unit_find(const char *name, char unit[UNIT_NAME_SIZE]);

/* Name of the device that a unit belongs to; "" if there is none. */
void unit_find_parent(const char *unit, char *parent, size_t size);

/* The CPU that a unit's events must be opened on, or a negative errno. */
int unit_find_cpu(const char *unit);

#endif /* GPUOA_LIB_SOURCE_STREAM_UNIT_FIND_H */
