/* SPDX-License-Identifier: MIT */
/* switch.h - enable and disable the streams of a tracer, optionally without waiting */
#ifndef GPUOA_LIB_EXTRA_TRACER_SWITCH_H
#define GPUOA_LIB_EXTRA_TRACER_SWITCH_H

#include <pthread.h>
#include <stdint.h>

#include "gpuoa.h"

/*
 * Programming the hardware takes time, and the system calls wait for it. Callers that do not want
 * to wait use a thread, which is started on first use.
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
	bool ran; /* streams were on, and the end of their data has not been reported */
	uint64_t calls; /* number of calls of switch_set() */
	int err; /* error of the thread's last switch, not yet reported */
};

/* A snapshot of the state, taken before reading. */
struct switch_state {
	bool on;
	bool at_rest; /* off, and not about to be switched on */
	bool ran;
	uint64_t calls;
};

/* Initialize for @count disabled readers, which the caller keeps. Returns 0 or a negative errno. */
int switch_init(struct tracer_switch *sw, struct gpuoa_reader **readers, uint32_t count);

/* Stop the thread. The readers are not accessed after this returns. */
void switch_fini(struct tracer_switch *sw);

/* Enable or disable the streams; @wait: return when done. Returns 0 or a negative errno. */
int switch_set(struct tracer_switch *sw, bool on, bool wait);

struct switch_state switch_state(struct tracer_switch *sw);

/* Everything was read as of @state: returns true, once, if that is the end of the data. */
bool switch_take_end(struct tracer_switch *sw, const struct switch_state *state);

/* Returns and clears the error of an asynchronous switch, or 0. */
int switch_take_error(struct tracer_switch *sw);

#endif /* GPUOA_LIB_EXTRA_TRACER_SWITCH_H */
