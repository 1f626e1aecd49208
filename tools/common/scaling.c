// SPDX-License-Identifier: MIT
/*
 * scaling.c - levels of metrics
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/scaling.h"

#define STACK 128 /* size of the evaluation stack; real equations need only a few values */
#define DEPTH 16 /* maximum depth of metrics whose equations use other metrics */

/*
 * Return the exponent n such that under constant load a metric grows with the n-th power of the
 * interval's length: 1 for counts, 0 for ratios.
 */
static int degree_of(const struct gpuoa_metric *metric, int depth);

static int degree_of_operands(enum gpuoa_operation operation, int left, int right)
{
	switch (operation) {
	case GPUOA_OPERATION_MULTIPLY:
		return left + right;
	case GPUOA_OPERATION_DIVIDE:
		return left - right;
	case GPUOA_OPERATION_ADD:
	case GPUOA_OPERATION_SUBTRACT:
	case GPUOA_OPERATION_MINIMUM:
	case GPUOA_OPERATION_MAXIMUM:
		return left > right ? left : right;
	case GPUOA_OPERATION_SHIFT_LEFT:
	case GPUOA_OPERATION_SHIFT_RIGHT:
		return left;
	default:
		return 0;
	}
}

static int degree_of_operand(const struct gpuoa_equation_element *element,
			     const struct gpuoa_set *set, int depth)
{
	switch (element->kind) {
	case GPUOA_ELEMENT_COUNTER:
	case GPUOA_ELEMENT_TIMESTAMP:
	case GPUOA_ELEMENT_CLOCK:
		return 1;
	case GPUOA_ELEMENT_METRIC:
		return degree_of(gpuoa_set_get_metric(set, element->index), depth + 1);
	default:
		return 0;
	}
}

static int degree_of(const struct gpuoa_metric *metric, int depth)
{
	struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	struct gpuoa_equation_element element;
	struct gpuoa_metric_desc desc;
	int stack[STACK] = { 0 };
	size_t n = 0;

	if (depth > DEPTH)
		return 0;
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	while (gpuoa_equation_next(&equation, &element, sizeof(element))) {
		if (element.kind == GPUOA_ELEMENT_OPERATOR && n >= 2) {
			n--;
			stack[n - 1] =
				degree_of_operands(element.operation, stack[n - 1], stack[n]);
		} else if (n < STACK) {
			stack[n++] = degree_of_operand(&element, desc.set, depth);
		}
	}
	return stack[0];
}

bool metric_is_count(const struct gpuoa_metric *metric)
{
	struct gpuoa_metric_desc desc;
	struct gpuoa_measure_desc units;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	gpuoa_measure_describe(desc.units, &units, sizeof(units));
	return !units.relative && degree_of(metric, 0) == 1;
}

const char *scaling_units(const char *units)
{
	if (!strcmp(units, "gbps"))
		return "GB/s";
	return strcmp(units, "hz") ? units : "Hz";
}

struct scaling scaling_of(const struct column *column)
{
	struct gpuoa_measure_desc units;
	struct scaling scaling = { .factor = 1 };
	const char *name;

	gpuoa_measure_describe(column->units, &units, sizeof(units));
	scaling.relative = units.relative;
	scaling.rate = column->metric && metric_is_count(column->metric);
	scaling.is_word = !*units.symbol;
	if (!units.relative)
		scaling.factor = units.scale;
	name = units.relative ? "%" : scaling.is_word ? column->units : units.symbol;
	if (scaling.is_word && !strcmp(name, "number"))
		name = "";
	snprintf(scaling.unit, sizeof(scaling.unit), "%s%s", name, scaling.rate ? "/s" : "");
	return scaling;
}

double scaling_value(const struct scaling *scaling, double value, double seconds)
{
	value *= scaling->factor;
	if (!scaling->rate)
		return value;
	return seconds > 0 ? value / seconds : 0;
}

static double value_at(enum gpuoa_value_type type, const void *values, size_t index)
{
	if (type == GPUOA_TYPE_FLOAT)
		return ((const float *)values)[index];
	return ((const uint64_t *)values)[index];
}

double scaling_column_value(const struct column *column, const void *values, size_t index)
{
	return value_at(column->type, values, index);
}

double scaling_integral(enum gpuoa_value_type type, const void *values,
			const struct gpuoa_interval *intervals, size_t count)
{
	double integral = 0;

	for (size_t i = 0; i < count; i++)
		integral += value_at(type, values, i) * (intervals[i].end - intervals[i].begin);
	return integral;
}

/* Return the power of 1000 by which to divide, so that one to three digits are before the point. */
static int thousands(double magnitude)
{
	int power = 0;

	while (magnitude >= 999.5 && power < 6) {
		magnitude /= 1000;
		power++;
	}
	while (magnitude > 0 && magnitude < 0.9995 && power > -4) {
		magnitude *= 1000;
		power--;
	}
	return magnitude ? power : 0;
}

static int decimals(double magnitude)
{
	if (magnitude < 9.995)
		return 2;
	return magnitude < 99.95 ? 1 : 0;
}

static const char *prefix_of(int power)
{
	static const char *const prefixes[] = {
		"p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"
	};

	return prefixes[power + 4];
}

/* Format a value with a prefix such as k or M. Percentages have no prefix. */
static const char *digits(double value, bool relative, const char **prefix, char text[SCALING_TEXT])
{
	const int power = relative ? 0 : thousands(fabs(value));
	const double shown = value / pow(1000, power);

	*prefix = prefix_of(power);
	if (!isfinite(value))
		snprintf(text, SCALING_TEXT, "-");
	else if (!value)
		snprintf(text, SCALING_TEXT, "0");
	else if (relative && fabs(value) < 0.005)
		snprintf(text, SCALING_TEXT, "%.0e", value);
	else
		snprintf(text, SCALING_TEXT, "%.*f", decimals(fabs(shown)), shown);
	return text;
}

const char *scaling_text(double value, const struct scaling *scaling, char text[SCALING_TEXT])
{
	const char *prefix;

	digits(value, scaling->relative, &prefix, text);
	strncat(text, prefix, SCALING_TEXT - strlen(text) - 1);
	return text;
}

const char *scaling_text_unit(double value, const struct scaling *scaling, char text[SCALING_LONG])
{
	char number[SCALING_TEXT];
	const char *prefix;

	digits(value, scaling->relative, &prefix, number);
	if (!*scaling->unit)
		snprintf(text, SCALING_LONG, "%s%s%s", number, *prefix ? " " : "", prefix);
	else
		snprintf(text, SCALING_LONG, "%s %s%s%s", number, prefix,
			 scaling->is_word && *prefix ? " " : "", scaling->unit);
	return text;
}

const char *scaling_text_seconds(double seconds, char text[SCALING_LONG])
{
	static const struct scaling duration = { .unit = "s" };

	return scaling_text_unit(seconds, &duration, text);
}
