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

#endif /* GPUOA_YIELD_H */
