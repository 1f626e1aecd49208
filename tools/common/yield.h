/* SPDX-License-Identifier: MIT */
/*
 * yield.h - request an OA unit from gpuoa exporter
 *
 * The i915 and xe drivers serve one program at a time, so a permanent service would lock out
 * profilers. The exporter listens on a socket, and releases a unit for as long as the program that
 * requested it keeps its connection open, at most until it exits.
 */
#ifndef GPUOA_YIELD_H
#define GPUOA_YIELD_H

#include "gpuoa-stream.h"

/*
 * Address: an abstract UNIX socket of type SOCK_SEQPACKET. A request is the name of a unit; the
 * reply is one byte, sent after the unit is released.
 */
#define YIELD_ADDRESS "gpuoa-exporter"
#define YIELD_ALL_UNITS "*"
#define YIELD_GRANTED 'y'
#define YIELD_DENIED 'n'

/*
 * Request a unit, or YIELD_ALL_UNITS, and wait until it is released.
 *
 * Returns a file descriptor that keeps the unit released until it is closed, -ECONNREFUSED if no
 * exporter runs, -EPERM if it does not yield to this user, or another negative errno.
 */
int yield_request(const char *unit);

/* Text of a note with the unit's name */
#define YIELD_NOTE "%s: gpuoa exporter releases it until this program ends"

/*
 * Open a stream as gpuoa_stream_open() does. If the unit is in use, request it from the exporter
 * and try again.
 *
 * @yield: -1, or the file of an earlier request; after a new one, the file that keeps the unit
 * released
 *
 * If the exporter uses the unit and does not release it, @error has the remedy.
 */
int yield_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		      struct gpuoa_stream_options *options, struct gpuoa_reader **reader,
		      int *yield, char *error, size_t error_size);

#endif /* GPUOA_YIELD_H */
