/* SPDX-License-Identifier: MIT */
/*
 * switch.h - enables and disables the streams of a tracer, also without waiting for that
 */
#ifndef GPUOA_LIB_TRACER_SWITCH_H
#define GPUOA_LIB_TRACER_SWITCH_H

#include <pthread.h>
#include <stdint.h>

#include "gpuoa.h"

/*
 * Programming the hardware may take a while, and the kernel waits for it. So whoever does not want
 * to wait has it done by a thread, which is started when it is needed for the first time.
 */
struct tracer_switch {
	struct gpuoa_source **sources;
	uint32_t count;
	int event; /* eventfd: readable when a switch is complete */

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread;
	bool stop; /* the thread shall end */
	bool wanted; /* how it shall be, */
	bool on; /*   how it is */
	bool busy; /* somebody is switching */
	bool told; /* the event is readable */
	bool ran; /* it was on, and the end of the data was not told yet */
	uint64_t calls; /* of switch_set() */
	int err; /* of the last switch by the thread, if nobody was told */
};

/* What a reader has to know before it reads. */
struct switch_state {
	bool on;
	bool at_rest; /* neither on nor to be switched on */
	bool ran;
	uint64_t calls;
};

/* @sources: @count of them, disabled; they stay the caller's. 0 or a negative errno. */
int switch_init(struct tracer_switch *sw, struct gpuoa_source **sources, uint32_t count);

/* The sources are not touched any more when this returns. */
void switch_fini(struct tracer_switch *sw);

/* 0, or a negative errno. @wait: return when it is done. */
int switch_set(struct tracer_switch *sw, bool on, bool wait);

struct switch_state switch_state(struct tracer_switch *sw);

/* Everything was read as of @state: is that the end of the data? True once. */
bool switch_take_end(struct tracer_switch *sw, const struct switch_state *state);

/* The error of a switch of which nobody was told, or 0. */
int switch_take_error(struct tracer_switch *sw);

#endif /* GPUOA_LIB_TRACER_SWITCH_H */
