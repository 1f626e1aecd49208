// SPDX-License-Identifier: MIT
/*
 * keys.c - handling of keys
 */
#include <ctype.h>
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "top/top.h"

#define KEY_ESCAPE 27
#define KEY_DELETE 127
#define KEY_CTRL_L ('l' & 0x1f)

static const unsigned int intervals[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };

#define INTERVAL_COUNT (sizeof(intervals) / sizeof(intervals[0]))

static void show_unit(struct top *top, size_t unit)
{
	top->unit = unit;
	top->metric = TOP_NOTHING;
	top->first = 0;
}

static void next_unit(struct top *top, bool back)
{
	const size_t count = top->watches->count;

	if (count)
		show_unit(top, (top->unit + (back ? count - 1 : 1)) % count);
}

static void change_interval(struct top *top, bool longer)
{
	size_t i = 0;

	if (longer) {
		while (i + 1 < INTERVAL_COUNT && intervals[i] <= top->interval_ms)
			i++;
	} else {
		for (i = INTERVAL_COUNT - 1; i && intervals[i] >= top->interval_ms; i--)
			;
	}
	top->interval_ms = intervals[i];
}

/* Return the position of the selected metric in the table; -1: no metric is selected. */
static long find_selected(const struct top *top, const size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (order[i] == top->metric)
			return (long)i;
	return -1;
}

static void select_metric(struct top *top, long step)
{
	const struct watch *watch = top_watch(top);
	size_t *order, count;
	long place;

	if (!watch || !watch->metric_count)
		return;
	order = calloc(watch->metric_count, sizeof(*order));
	if (!order)
		return;
	count = top_order(top, watch, order);
	place = find_selected(top, order, count) + step;
	if (place < 0)
		place = 0;
	if (place >= (long)count)
		place = (long)count - 1;
	if (count) {
		top->metric = order[place];
		if ((size_t)place < top->first)
			top->first = (size_t)place;
		if (top->rows && (size_t)place >= top->first + top->rows)
			top->first = (size_t)place - top->rows + 1;
	}
	free(order);
}

static void open_view(struct top *top, enum view view)
{
	if (top->view != VIEW_SETS && top->view != VIEW_HELP)
		top->back = top->view;
	top->view = view;
	top->filter[0] = '\0';
	top->choice = 0;
}

static void take_choice(struct top *top)
{
	struct watch *watch = top_watch(top);
	const struct gpuoa_set *set = top_choice(top, top->choice);

	top->view = top->back;
	if (!watch || !set)
		return;
	show_unit(top, top->unit);
	if (set != watch->set || watch->state != WATCH_LIVE)
		watch_set(watch, set);
}

/* Handle a key in the list of sets. Letters are appended to the filter. */
static void key_of_sets(struct top *top, int key)
{
	const size_t length = strlen(top->filter);
	size_t step = 1;

	switch (key) {
	case KEY_ESCAPE:
		top->view = top->back;
		return;
	case '\n':
	case '\r':
	case KEY_ENTER:
		take_choice(top);
		return;
	case KEY_NPAGE:
		step = top->rows;
		/* fall through */
	case KEY_DOWN:
		while (step-- && top_choice(top, top->choice + 1))
			top->choice++;
		return;
	case KEY_PPAGE:
		step = top->rows;
		/* fall through */
	case KEY_UP:
		top->choice -= step < top->choice ? step : top->choice;
		return;
	case KEY_BACKSPACE:
	case KEY_DELETE:
	case '\b':
		if (length)
			top->filter[length - 1] = '\0';
		break;
	default:
		if (key < 0x80 && isprint(key) && length + 1 < sizeof(top->filter)) {
			top->filter[length] = (char)key;
			top->filter[length + 1] = '\0';
		}
	}
	top->choice = 0;
}

static void key_of_metrics(struct top *top, int key)
{
	switch (key) {
	case KEY_DOWN:
	case 'j':
		select_metric(top, 1);
		return;
	case KEY_UP:
	case 'k':
		select_metric(top, -1);
		return;
	case KEY_NPAGE:
		select_metric(top, (long)top->rows);
		return;
	case KEY_PPAGE:
		select_metric(top, -(long)top->rows);
		return;
	case KEY_HOME:
		select_metric(top, -(long)UINT16_MAX);
		return;
	case KEY_END:
		select_metric(top, UINT16_MAX);
		return;
	case 'o':
		top->order = (top->order + 1) % ORDER_COUNT;
		top->first = 0;
		return;
	default:
		top->metric = TOP_NOTHING;
		top->first = 0;
	}
}

static void key_of_all(struct top *top, int key)
{
	switch (key) {
	case '\t':
	case KEY_RIGHT:
		next_unit(top, false);
		return;
	case KEY_BTAB:
	case KEY_LEFT:
		next_unit(top, true);
		return;
	case 's':
		open_view(top, VIEW_SETS);
		return;
	case 'c':
		top->view = top->view == VIEW_CONTEXTS ? VIEW_METRICS : VIEW_CONTEXTS;
		return;
	case 'e':
		top->view = top->view == VIEW_STALLS ? VIEW_METRICS : VIEW_STALLS;
		return;
	case ' ':
	case 'p':
		top->paused = !top->paused;
		return;
	case '+':
		change_interval(top, true);
		return;
	case '-':
		change_interval(top, false);
		return;
	default:
		key_of_metrics(top, key);
	}
}

void top_key(struct top *top, int key)
{
	if (key == KEY_CTRL_L) {
		clearok(curscr, TRUE);
	} else if (key == KEY_RESIZE) {
		/* Everything is redrawn anyway. */
	} else if (top->view == VIEW_SETS) {
		key_of_sets(top, key);
	} else if (key == 'q') {
		top->done = true;
	} else if (top->view == VIEW_HELP) {
		top->view = top->back;
	} else if (key == '?' || key == 'h') {
		open_view(top, VIEW_HELP);
	} else {
		key_of_all(top, key);
	}
}
