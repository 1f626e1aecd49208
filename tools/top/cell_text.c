// SPDX-License-Identifier: MIT
/*
 * cell_text.c - text of values, bars and sparklines in Unicode or ASCII, and the ring buffer of
 * past values
 */
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top/cell_text.h"

void history_add(struct history *history, double value)
{
	history->values[history->count++ % HISTORY_LENGTH] = (float)value;
}

double history_at(const struct history *history, size_t age)
{
	if (age >= history->count || age >= HISTORY_LENGTH)
		return NAN;
	return (double)history->values[(history->count - 1 - age) % HISTORY_LENGTH];
}

double history_peak(const struct history *history, size_t count)
{
	double peak = 0;

	for (size_t age = 0; age < count; age++)
		peak = fmax(peak, history_at(history, age)); /* fmax() ignores NAN */
	return peak;
}

#define LEVELS 7 /* number of levels of a sparkline; an eighth level would touch the line above */

static const char *const low_blocks[LEVELS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇" };
static const char *const low_ascii[LEVELS] = { "_", ".", "-", "=", "+", "*", "#" };

bool text_has_blocks(void)
{
	const char *term = getenv("TERM");

	return !strcmp(nl_langinfo(CODESET), "UTF-8") && term && strcmp(term, "linux") != 0;
}

/* Format a number with three digits and a prefix. */
static void text_of_number(char *text, size_t size, double value, const char *unit)
{
	static const char *const large[] = { "", "k", "M", "G", "T", "P", "E" };
	static const char *const small[] = { "", "m", "u", "n" };
	const bool fine = *unit == 's'; /* only seconds can have the prefixes m, u and n */
	const char *prefix = "";
	size_t power = 0;

	while (fabs(value) >= 999.5 && power + 1 < sizeof(large) / sizeof(large[0])) {
		value /= 1000;
		prefix = large[++power];
	}
	while (fine && value && fabs(value) < 0.9995 &&
	       power + 1 < sizeof(small) / sizeof(small[0])) {
		value *= 1000;
		prefix = small[++power];
	}
	if (!value)
		snprintf(text, size, "0 %s", unit);
	else
		snprintf(text, size, "%.*f %s%s",
			 fabs(value) < 9.995 ? 2 :
			 fabs(value) < 99.95 ? 1 :
					       0,
			 value, prefix, unit);
}

void text_of_value(char *text, size_t size, double value, const struct gpuoa_measure_desc *units,
		   bool rate)
{
	char unit[16];

	if (isnan(value)) {
		snprintf(text, size, "-");
		return;
	}
	if (units->relative) {
		snprintf(text, size, "%.1f %%", value);
		return;
	}
	snprintf(unit, sizeof(unit), "%s%s", units->symbol, rate ? "/s" : "");
	text_of_number(text, size, value * units->scale, unit);
}

static double clamp(double fraction)
{
	return fraction > 0 ? fmin(fraction, 1) : 0; /* NAN becomes 0 */
}

void text_of_bar(char *text, double fraction, size_t width, bool blocks)
{
	const size_t halves = (size_t)lround(clamp(fraction) * (double)width * 2);
	char *end = text;

	for (size_t i = 0; i < halves / 2; i++)
		end = stpcpy(end, blocks ? "━" : "#");
	/* A value above 0 always has a visible bar. */
	if (halves % 2 || (!halves && fraction > 0))
		end = stpcpy(end, blocks ? "╸" : "=");
	*end = '\0';
}

void text_of_history(char *text, const struct history *history, double most, size_t width,
		     bool blocks)
{
	char *end = text;

	for (size_t i = 0; i < width; i++) {
		const double value = history_at(history, width - 1 - i);
		size_t level;

		if (isnan(value)) {
			*end++ = ' ';
			continue;
		}
		level = (size_t)lround(clamp(most > 0 ? value / most : 0) * (LEVELS - 1));
		end = stpcpy(end, blocks ? low_blocks[level] : low_ascii[level]);
	}
	*end = '\0';
}
