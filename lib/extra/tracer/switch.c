// SPDX-License-Identifier: MIT
/* switch.c - enable and disable the streams of a tracer, optionally without waiting */
#include "extra/tracer/switch.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

int switch_init(struct tracer_switch *sw, struct gpuoa_reader **readers, uint32_t count)
{
	*sw = (struct tracer_switch){
		.readers = readers,
		.count = count,
		.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
	};
	if (sw->event < 0)
		return -errno;
	pthread_mutex_init(&sw->lock, NULL);
	pthread_cond_init(&sw->changed, NULL);
	return 0;
}

void switch_fini(struct tracer_switch *sw)
{
	pthread_mutex_lock(&sw->lock);
	sw->stop = true;
	pthread_cond_broadcast(&sw->changed);
	pthread_mutex_unlock(&sw->lock);
	if (sw->has_thread)
		pthread_join(sw->thread, NULL);
	pthread_cond_destroy(&sw->changed);
	pthread_mutex_destroy(&sw->lock);
	close(sw->event);
}

/* Enable all readers; on error, none of them. */
static int enable_all(struct tracer_switch *sw)
{
	for (uint32_t i = 0; i < sw->count; i++) {
		const int err = gpuoa_reader_enable(sw->readers[i]);

		if (!err)
			continue;
		while (i--)
			gpuoa_reader_disable(sw->readers[i]);
		return err;
	}
	return 0;
}

/* Disable all readers, even if some of them fail. Returns the first error. */
static int disable_all(struct tracer_switch *sw)
{
	int first = 0;

	for (uint32_t i = 0; i < sw->count; i++) {
		const int err = gpuoa_reader_disable(sw->readers[i]);

		if (!first)
			first = err;
	}
	return first;
}

/*
 * Enable or disable the streams until .on equals .wanted. The caller holds the lock, which is
 * released during system calls.
 */
static int settle(struct tracer_switch *sw)
{
	int err = 0;

	while (!err && sw->wanted != sw->on) {
		const bool on = sw->wanted;

		sw->busy = true;
		pthread_mutex_unlock(&sw->lock);
		err = on ? enable_all(sw) : disable_all(sw);
		pthread_mutex_lock(&sw->lock);
		sw->busy = false;
		sw->on = on && !err;
		sw->ran |= sw->on;
		if (err)
			sw->wanted = sw->on;
		sw->told = !eventfd_write(sw->event, 1);
		pthread_cond_broadcast(&sw->changed);
	}
	return err;
}

static void *run(void *context)
{
	struct tracer_switch *sw = context;

	pthread_mutex_lock(&sw->lock);
	while (!sw->stop) {
		if (sw->busy || sw->wanted == sw->on)
			pthread_cond_wait(&sw->changed, &sw->lock);
		else
			sw->err = settle(sw);
	}
	pthread_mutex_unlock(&sw->lock);
	return NULL;
}

/* Start the thread. It blocks all signals, so that they go to the application's threads. */
static int start_thread(struct tracer_switch *sw)
{
	sigset_t all, before;
	int err;

	if (sw->has_thread)
		return 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&sw->thread, NULL, run, sw);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	sw->has_thread = !err;
	return -err;
}

static int set_and_wait(struct tracer_switch *sw, bool on)
{
	while (sw->busy)
		pthread_cond_wait(&sw->changed, &sw->lock);
	sw->wanted = on;
	sw->err = 0;
	return settle(sw);
}

static int set_later(struct tracer_switch *sw, bool on)
{
	const int err = start_thread(sw);

	if (err)
		return err;
	sw->wanted = on;
	pthread_cond_broadcast(&sw->changed);
	return 0;
}

int switch_set(struct tracer_switch *sw, bool on, bool wait)
{
	int err;

	pthread_mutex_lock(&sw->lock);
	sw->calls++;
	err = wait ? set_and_wait(sw, on) : set_later(sw, on);
	pthread_mutex_unlock(&sw->lock);
	return err;
}

struct switch_state switch_state(struct tracer_switch *sw)
{
	struct switch_state state;
	eventfd_t count;

	pthread_mutex_lock(&sw->lock);
	if (sw->told)
		sw->told = eventfd_read(sw->event, &count) != 0;
	state = (struct switch_state){
		.on = sw->on,
		.at_rest = !sw->on && !sw->wanted && !sw->busy,
		.ran = sw->ran,
		.calls = sw->calls,
	};
	pthread_mutex_unlock(&sw->lock);
	return state;
}

bool switch_take_end(struct tracer_switch *sw, const struct switch_state *state)
{
	bool end;

	if (!state->at_rest || !state->ran)
		return false;
	pthread_mutex_lock(&sw->lock);
	end = sw->ran && sw->calls == state->calls;
	if (end)
		sw->ran = false;
	pthread_mutex_unlock(&sw->lock);
	return end;
}

int switch_take_error(struct tracer_switch *sw)
{
	int err;

	pthread_mutex_lock(&sw->lock);
	err = sw->err;
	sw->err = 0;
	pthread_mutex_unlock(&sw->lock);
	return err;
}
