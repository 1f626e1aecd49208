/* SPDX-License-Identifier: MIT */
/* switch.h - enable and disable the streams of a tracer, optionally without waiting */
#ifndef GPUOA_LIB_EXTRA_TRACER_SWITCH_H
#define GPUOA_LIB_EXTRA_TRACER_SWITCH_H

#include <pthread.h>
#include <stdint.h>

#include "gpuoa.h"

/*
 * State of the switch. Programming the hardware takes time, and the system calls wait for it. For
 * callers that do not want to wait, a thread makes the system calls; it is started on first use.
 */
struct tracer_switch {
	struct gpuoa_reader **readers;
	uint32_t count;
	int event; /* eventfd: readable when a switch is complete */

	pthread_mutex_t lock; /* protects the members below */
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread;
	bool stop; /* the thread must exit */
	bool wanted; /* requested state */
	bool on; /* actual state */
	bool busy; /* a switch is in progress */
	bool told; /* the event is readable */
	/* the streams have been enabled, and the end of their data has not been reported */
	bool ran;
	uint64_t calls; /* number of calls of switch_set() */
	int err; /* error of the last switch by the thread, not yet reported */
};

/* A copy of the state, taken before the streams are read */
struct switch_state {
	bool on;
	bool at_rest; /* the streams are disabled, and no request to enable them is pending */
	bool ran;
	uint64_t calls;
};

/*
 * Initialize a switch for @count disabled readers; the caller keeps ownership of these. Returns 0
 * or a negative errno.
 */
int switch_init(struct tracer_switch *sw, struct gpuoa_reader **readers, uint32_t count);

/* Stop the thread. After this returns, the readers are not accessed any more. */
void switch_fini(struct tracer_switch *sw);

/*
 * Enable or disable the streams. @wait: return after the streams have been switched. Returns 0 or a
 * negative errno.
 */
int switch_set(struct tracer_switch *sw, bool on, bool wait);

struct switch_state switch_state(struct tracer_switch *sw);

/*
 * Returns true, once, if the data has ended. Call this after everything that was available at the
 * time of @state has been read.
 */
bool switch_take_end(struct tracer_switch *sw, const struct switch_state *state);

/* Returns and clears the error of the last switch by the thread; 0 if there is none. */
int switch_take_error(struct tracer_switch *sw);

#endif /* GPUOA_LIB_EXTRA_TRACER_SWITCH_H */
