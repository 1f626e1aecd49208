// SPDX-License-Identifier: MIT
/*
 * axis.c - time axis with grid and marks
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "plot/axis.h"

#define DISTANCE 110 /* minimum distance of grid lines, in pixels */

double axis_nice(double value)
{
	static const double factors[] = { 1, 2, 2.5, 5, 10 };
	const double power = pow(10, floor(log10(value)));

	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++)
		if (factors[i] * power >= value * 0.999999)
			return factors[i] * power;
	return 10 * power;
}

/* Return the number of decimals that a step needs. */
static int decimals_of(double step)
{
	int decimals = 0;

	while (decimals < 3 && fabs(step - round(step)) > 1e-6) {
		step *= 10;
		decimals++;
	}
	return decimals;
}

/* Format a time with as many digits as the grid step needs. */
static void time_text(double seconds, double step, char text[SCALING_TEXT])
{
	static const char *const units[] = { "s", "ms", "us", "ns" };
	const int power = step >= 0.05 ? 0 : step >= 5e-5 ? 1 : step >= 5e-8 ? 2 : 3;
	const double scale = pow(1000, power);

	snprintf(text, SCALING_TEXT, "%.*f %s", decimals_of(step * scale), seconds * scale,
		 units[power]);
}

void axis_draw(const struct picture *picture, double top, double bottom)
{
	const double length = picture->end - picture->begin;
	const double pixels = fmax(picture->right - picture->left, DISTANCE);
	const double step = axis_nice(length * DISTANCE / pixels);
	cairo_t *cairo = picture->cairo;
	char text[SCALING_TEXT];

	cairo_set_line_width(cairo, 1);
	for (int i = 0; i * step <= length; i++) {
		const double x = canvas_x(picture, picture->begin + i * step);

		theme_use(cairo, picture->theme->grid, 1);
		cairo_move_to(cairo, round(x) + 0.5, top);
		cairo_line_to(cairo, round(x) + 0.5, bottom);
		cairo_stroke(cairo);
		time_text(i * step, step, text);
		theme_use(cairo, picture->theme->faint, 1);
		canvas_text(picture, x, top - 5, 10.5, i ? 0.5 : 0, DISTANCE, text);
	}
}

void axis_marks(const struct picture *picture, const struct timeseries *unit, double y, double top,
		double bottom)
{
	static const double dashes[] = { 4, 3 };
	cairo_t *cairo = picture->cairo;
	double free_from = 0;
	char text[SCALING_TEXT];

	cairo_save(cairo);
	theme_use(cairo, picture->theme->mark, 1);
	cairo_set_line_width(cairo, 1);
	cairo_set_dash(cairo, dashes, 2, 0);
	/* The first span is the one before the first mark. */
	for (size_t i = 1; i < unit->marks.count; i++) {
		const double seconds = timeseries_seconds(unit, unit->marks.list[i].begin);
		const double x = round(canvas_x(picture, seconds)) + 0.5;

		if (x < picture->left || x > picture->right)
			continue;
		cairo_move_to(cairo, x, y - 10);
		cairo_line_to(cairo, x, y);
		cairo_move_to(cairo, x, top);
		cairo_line_to(cairo, x, bottom);
		cairo_stroke(cairo);
		/* Leave out a value that would overlap the previous one. */
		if (x < free_from)
			continue;
		snprintf(text, sizeof(text), "%" PRIu64, unit->marks.values[i]);
		free_from = x + 10 + canvas_text(picture, x + 4, y - 1, 10.5, 0, DISTANCE, text);
	}
	cairo_restore(cairo);
}
