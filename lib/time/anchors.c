// SPDX-License-Identifier: MIT
/*
 * anchors.c - convert between two clocks by interpolation between anchors
 *
 * A time that is not that of an anchor is on a line through two anchors. The error bound of a
 * conversion has three parts: the errors of both anchors, the drift of the clocks (DRIFT_PPM of the
 * time to the nearer anchor) and, beyond the anchors, the error of the rate. All arithmetic uses
 * 128-bit integers, because products of two 64-bit times must fit.
 */
#include "time/anchors.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/nsec.h"

typedef __int128 wide;

#define PPM 1000000

/*
 * Upper bound by which the rate of a crystal changes between two anchors, including NTP's routine
 * adjustments of CLOCK_MONOTONIC
 */
#define DRIFT_PPM 2

/*
 * Upper bound by which a rate differs from the nominal one: it includes the tolerance of a crystal,
 * and CLOCK_MONOTONIC being slewed.
 */
#define NOMINAL_PPM 500

/* Maximum time over which the current rate is measured */
#define BASE_NS (60 * (wide)NSEC_PER_SEC)

/*
 * Number of anchors before and after a new one that are checked, because it may have made them
 * redundant
 */
#define NEAR 2

/* Maximum number of anchors. There is typically one per second. */
#define ANCHORS_MAX 65536

static wide absolute(wide value)
{
	return value < 0 ? -value : value;
}

/* Convert ticks to ns at the nominal rate. */
static wide nominal_ns(const struct anchors *anchors, wide ticks)
{
	return ticks * (wide)NSEC_PER_SEC / (wide)anchors->frequency;
}

static wide parts_per_million(wide value, uint32_t ppm)
{
	return (absolute(value) * ppm + PPM - 1) / PPM;
}

void anchors_fini(struct anchors *anchors)
{
	free(anchors->list);
}

/* Return the index of the first anchor with an x (@on_y: y) of at least @value. */
static size_t lower_bound(const struct anchors *anchors, bool on_y, uint64_t value)
{
	size_t low = 0, high = anchors->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct anchor *anchor = &anchors->list[middle];

		if ((on_y ? anchor->y : anchor->x) < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* True if anchors @a and @b determine the rate more precisely than @c and @d. */
static bool is_better_base(const struct anchor *a, const struct anchor *b, const struct anchor *c,
			   const struct anchor *d)
{
	const wide errors = (wide)a->error + b->error, others = (wide)c->error + d->error;

	return errors * absolute((wide)d->y - c->y) < others * absolute((wide)b->y - a->y);
}

/*
 * Search from anchor @end in direction @step, at most BASE_NS away. Return the index of the anchor
 * that, together with @end, yields the best rate.
 */
static size_t best_base(const struct anchors *anchors, size_t end, int step)
{
	const struct anchor *list = anchors->list;
	size_t best = end + step, at = best;

	while (at < anchors->count && absolute((wide)list[at].y - list[end].y) <= BASE_NS) {
		if (is_better_base(&list[at], &list[end], &list[best], &list[end]))
			best = at;
		at += step; /* Below 0, the index wraps to a huge number, which ends the loop. */
	}
	return best;
}

static void choose_bases(struct anchors *anchors)
{
	if (anchors->count < 2)
		return;
	anchors->base = best_base(anchors, anchors->count - 1, -1);
	anchors->base_ahead = best_base(anchors, 0, 1);
}

/* A line that converts times: through two anchors, or through one anchor with the nominal rate */
struct line {
	const struct anchor *from; /* origin of the line */
	wide dx; /* number of ticks that take .dy ns, above 0 */
	wide dy; /* ns that @dx ticks take */
	wide rate_error; /* error of .dy in ns; -1: the rate is the nominal one */
	wide jump; /* number of ns by which a clock was stepped between the two anchors */
	/* the other anchor if the converted time is between both; else NULL */
	const struct anchor *to;
};

static struct line nominal_line(const struct anchors *anchors, const struct anchor *from)
{
	return (struct line){
		.from = from,
		.dx = anchors->frequency,
		.dy = NSEC_PER_SEC,
		.rate_error = -1,
	};
}

/*
 * Return the line through two anchors. @inside: the time to convert is between them. If a clock was
 * stepped, the rate between the anchors is meaningless, and the nominal rate is used.
 */
static struct line line_of(const struct anchors *anchors, const struct anchor *from,
			   const struct anchor *other, bool inside)
{
	const struct anchor *a = from < other ? from : other, *b = from < other ? other : from;
	struct line line = nominal_line(anchors, from);
	const wide dx = (wide)b->x - a->x, dy = (wide)b->y - a->y;
	const wide error = (wide)a->error + b->error;
	const wide nominal = nominal_ns(anchors, dx);
	const wide off = absolute(dy - nominal) - error - parts_per_million(nominal, NOMINAL_PPM);

	line.to = inside ? other : NULL;
	line.jump = off > 0 ? absolute(dy - nominal) : 0;
	if (dy <= 0 || (line.jump && !inside))
		return line;
	line.dx = dx;
	line.dy = dy;
	line.rate_error = error;
	return line;
}

/*
 * Return the error bound in ns of the conversion of a time that is @ns after @line->from (before it
 * if @ns is negative).
 */
static wide line_error(const struct line *line, wide ns)
{
	const wide distance = absolute(ns);
	wide left;

	if (line->to) {
		left = absolute((wide)line->to->y - line->from->y) - distance;
		if (left < 0)
			left = 0;
		return (line->from->error > line->to->error ? line->from->error : line->to->error) +
		       line->jump + parts_per_million(distance < left ? distance : left, DRIFT_PPM);
	}
	if (line->rate_error < 0)
		return line->from->error + parts_per_million(distance, NOMINAL_PPM);
	return line->from->error + (distance * line->rate_error + line->dy - 1) / line->dy +
	       parts_per_million(distance, DRIFT_PPM);
}

/* Return the line for times between list[@at - 1] and list[@at]. */
static struct line line_at(const struct anchors *anchors, size_t at)
{
	const struct anchor *list = anchors->list;

	if (anchors->count == 1)
		return nominal_line(anchors, list);
	if (!at)
		return line_of(anchors, &list[0], &list[anchors->base_ahead], false);
	if (at == anchors->count)
		return line_of(anchors, &list[at - 1], &list[anchors->base], false);
	return line_of(anchors, &list[at - 1], &list[at], true);
}

/*
 * Return the more precise of two lines: near an anchor with a large error, the nominal rate from
 * the other anchor may be better.
 */
static struct line best_line(const struct anchors *anchors, const struct line *line, wide ns)
{
	const struct anchor *other = line->to ? line->to : line->from;
	const struct anchor *better = other->error < line->from->error ? other : line->from;
	const struct line nominal = nominal_line(anchors, better);
	const wide from_better = line->from->y + ns - better->y;

	return !line->jump && line_error(&nominal, from_better) < line_error(line, ns) ? nominal :
											 *line;
}

/* Divide, rounding toward negative infinity. */
static wide divide(wide dividend, wide divisor)
{
	const wide quotient = dividend / divisor;

	return quotient - (dividend % divisor < 0);
}

static uint64_t clamp(wide value)
{
	return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static int give(wide found, uint64_t *value)
{
	if (found < 0 || found > UINT64_MAX)
		return -ERANGE;
	*value = (uint64_t)found;
	return 0;
}

int anchors_to_y(const struct anchors *anchors, uint64_t x, uint64_t *value, uint64_t *error)
{
	struct line line = line_at(anchors, lower_bound(anchors, false, x));
	wide ns = divide(((wide)x - line.from->x) * line.dy, line.dx);

	line = best_line(anchors, &line, ns);
	ns = divide(((wide)x - line.from->x) * line.dy, line.dx);
	*error = clamp(line_error(&line, ns));
	return give(line.from->y + ns, value);
}

int anchors_to_x(const struct anchors *anchors, uint64_t y, uint64_t *value, uint64_t *error)
{
	struct line line = line_at(anchors, lower_bound(anchors, true, y));
	wide ns;

	line = best_line(anchors, &line, (wide)y - line.from->y);
	ns = (wide)y - line.from->y;
	/* Round the error up, and add one tick, because the current tick is not over. */
	*error = clamp(line_error(&line, ns) * (wide)anchors->frequency / NSEC_PER_SEC + 1);
	return give(line.from->x + divide(ns * line.dx, line.dy), value);
}

const struct anchor *anchors_base(const struct anchors *anchors, const struct anchor **last)
{
	if (anchors->count < 2)
		return NULL;
	*last = &anchors->list[anchors->count - 1];
	return &anchors->list[anchors->base];
}

static void remove_at(struct anchors *anchors, size_t at)
{
	anchors->count--;
	memmove(&anchors->list[at], &anchors->list[at + 1],
		(anchors->count - at) * sizeof(*anchors->list));
}

/*
 * True if an anchor is redundant: the other anchors yield its time at least as precisely, and do
 * not contradict it.
 */
static bool is_idle(const struct anchors *anchors, const struct anchor *anchor)
{
	uint64_t y, error;

	if (anchors->count < 2 || anchors_to_y(anchors, anchor->x, &y, &error))
		return false;
	return error <= anchor->error &&
	       absolute((wide)y - anchor->y) <= (wide)error + anchor->error;
}

/* Remove list[@at] if the anchors around it have made it redundant. */
static void drop_if_idle(struct anchors *anchors, size_t at)
{
	const struct anchor anchor = anchors->list[at];

	if (anchors->count < 3)
		return;
	remove_at(anchors, at);
	choose_bases(anchors);
	if (is_idle(anchors, &anchor))
		return;
	memmove(&anchors->list[at + 1], &anchors->list[at],
		(anchors->count - at) * sizeof(*anchors->list));
	anchors->list[at] = anchor;
	anchors->count++;
}

/* Remove every second anchor of the older half of the list. */
static void thin_out(struct anchors *anchors)
{
	const size_t half = anchors->count / 2;
	size_t to = 0;

	for (size_t from = 0; from < anchors->count; from++)
		if (from >= half || from % 2 == 0)
			anchors->list[to++] = anchors->list[from];
	anchors->count = to;
}

static int make_room(struct anchors *anchors)
{
	struct anchor *list;
	size_t room;

	if (anchors->count == ANCHORS_MAX)
		thin_out(anchors);
	if (anchors->count < anchors->room)
		return 0;
	room = anchors->room ? 2 * anchors->room : 16;
	list = reallocarray(anchors->list, room, sizeof(*list));
	if (!list)
		return -ENOMEM;
	anchors->list = list;
	anchors->room = room;
	return 0;
}

int anchors_add(struct anchors *anchors, struct anchor anchor)
{
	size_t at = lower_bound(anchors, false, anchor.x);
	int err;

	if (at < anchors->count && anchors->list[at].x == anchor.x) {
		if (anchor.error < anchors->list[at].error)
			anchors->list[at] = anchor;
		return 0;
	}
	if (is_idle(anchors, &anchor))
		return 0;
	err = make_room(anchors);
	if (err)
		return err;
	at = lower_bound(anchors, false, anchor.x);
	memmove(&anchors->list[at + 1], &anchors->list[at],
		(anchors->count - at) * sizeof(*anchors->list));
	anchors->list[at] = anchor;
	anchors->count++;
	/*
	 * Go from higher to lower indexes, so that a removal does not change indexes that are still
	 * to be checked.
	 */
	for (size_t near = at + NEAR < anchors->count ? at + NEAR : anchors->count - 1;; near--) {
		if (near != at)
			drop_if_idle(anchors, near);
		if (!near || near + NEAR == at)
			break;
	}
	choose_bases(anchors);
	return 0;
}
