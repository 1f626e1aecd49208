// SPDX-License-Identifier: MIT
/*
 * live.c - main loop of the live view: streams, timers and keys
 */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "top/draw.h"
#include "top/screen.h"
#include "top/text.h"

#define NSEC_PER_MSEC 1000000LL
#define NSEC_PER_SEC 1000000000LL
#define LOOK_MS 1000 /* interval between scans for new units */
#define FIRST_MS 250
#define SILENCES_MAX \
	100 /* number of empty reads of a readable terminal after which it is considered closed */

static volatile sig_atomic_t asked_to_end;

static void on_signal(int signal)
{
	(void)signal;
	asked_to_end = 1;
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec * NSEC_PER_SEC + now.tv_nsec) / NSEC_PER_MSEC;
}

/* Handle all pending keys. Returns false if there were none. */
static bool take_keys(struct top *top)
{
	bool any = false;
	int key;

	while ((key = screen_key()) >= 0) {
		top_key(top, key);
		any = true;
	}
	return any;
}

static void tick(struct top *top)
{
	for (size_t i = 0; i < top->watches->count; i++)
		watch_tick(top->watches->list[i], !top->paused);
}

static int64_t earlier(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

/* Do what is due now. Returns whether anything was. */
static bool run_due(struct top *top, int64_t *due, int64_t *look)
{
	const int64_t now = now_ms();
	const bool looks = now >= *look, ticks = now >= *due;

	if (looks) {
		watches_look(top->watches);
		*look = now + LOOK_MS;
	}
	if (ticks) {
		tick(top);
		*due += top->interval_ms;
		if (*due <= now)
			*due = now + top->interval_ms;
	}
	return looks || ticks;
}

static void run(struct top *top)
{
	/* Show first values soon, even if the interval is long. */
	int64_t due = now_ms() + earlier(top->interval_ms, FIRST_MS), look = now_ms() + LOOK_MS;
	unsigned int silences = 0;
	bool changed = true;

	while (!top->done && !asked_to_end && silences < SILENCES_MAX) {
		int64_t left;
		bool readable;

		if (changed)
			draw(top);
		left = earlier(due, look) - now_ms();
		readable = watches_wait(top->watches, STDIN_FILENO, left > 0 ? (int)left : 0);
		watches_drain(top->watches);
		changed = take_keys(top);
		silences = readable && !changed ? silences + 1 : 0;
		due = earlier(due, now_ms() + top->interval_ms);
		changed |= run_due(top, &due, &look);
	}
}

int top_run(struct watches *watches, unsigned int interval_ms, bool contexts)
{
	struct top top = {
		.watches = watches,
		.view = contexts ? VIEW_CONTEXTS : VIEW_METRICS,
		.interval_ms = interval_ms,
		.metric = TOP_NOTHING,
		.blocks = text_has_blocks(),
	};
	const int ret = screen_open();

	if (ret)
		return ret;
	catch_signals();
	run(&top);
	screen_close();
	return EXIT_OK;
}
