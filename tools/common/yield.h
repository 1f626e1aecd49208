/* SPDX-License-Identifier: MIT */
/*
 * yield.h - request that gpuoa exporter releases an OA unit
 *
 * The i915 and xe drivers serve one program at a time, so a permanent service would keep profilers
 * from measuring. Therefore, the exporter listens on a socket. It releases a unit to a program that
 * requests it, until the program closes its connection or exits.
 */
#ifndef GPUOA_YIELD_H
#define GPUOA_YIELD_H

#include "gpuoa-stream.h"

/*
 * Address of the exporter's socket: an abstract UNIX socket of type SOCK_SEQPACKET. A request is
 * the name of a unit. The reply is one byte, which is sent after the unit is released.
 */
#define YIELD_ADDRESS "gpuoa-exporter"
#define YIELD_ALL_UNITS "*"
#define YIELD_GRANTED 'y'
#define YIELD_DENIED 'n'

/*
 * Request a unit, or YIELD_ALL_UNITS, and wait until it is released. Returns a file descriptor that
 * keeps the unit released until it is closed; -ECONNREFUSED if no exporter runs; -EPERM if the
 * exporter does not serve this user; or another negative errno.
 */
int yield_request(const char *unit);

/* Format of a note that a unit was released; its argument is the unit's name */
#define YIELD_NOTE "%s: gpuoa exporter releases it until this program ends"

/*
 * Open a stream as gpuoa_stream_open() does. If the unit is in use, request it from the exporter
 * and try again. If the exporter uses the unit and does not release it, @error contains the remedy.
 *
 * @yield: -1, or the file descriptor of an earlier request; after a new request, receives its file
 * descriptor, which keeps the unit released
 */
int yield_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		      struct gpuoa_stream_options *options, struct gpuoa_reader **reader,
		      int *yield, char *error, size_t error_size);

#endif /* GPUOA_YIELD_H */
