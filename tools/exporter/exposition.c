// SPDX-License-Identifier: MIT
/*
 * exposition.c - write the text formats of Prometheus
 *
 * All samples of a family are written together: when the first unit that has the family is written,
 * the samples of all other units follow.
 */
#include "exporter/exposition.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/quote.h"

struct writer {
	FILE *file;
	enum exposition_format format;
	const struct collector *collectors;
	size_t count;
};

/*
 * Write a label value or a help text. Backslash and newline are escaped, and in labels also the
 * character ". Prometheus rejects invalid UTF-8, so invalid bytes become U+FFFD.
 */
static void put_escaped(FILE *file, const char *text, bool label)
{
	while (*text) {
		const size_t length = utf8_length(text);

		if (*text == '\n')
			fputs("\\n", file);
		else if (*text == '\\' || (label && *text == '"'))
			fprintf(file, "\\%c", *text);
		else if (length)
			fwrite(text, 1, length, file);
		else
			fputs(UTF8_REPLACEMENT, file);
		text += length ? length : 1;
	}
}

/*
 * Write the lines HELP, TYPE and UNIT of a family. In the older Prometheus format, the name of a
 * counter has the suffix _total in these lines also.
 */
static void put_heads(const struct writer *writer, const struct family *family, const char *help)
{
	const bool openmetrics = writer->format == EXPOSITION_OPENMETRICS;
	const char *total = family_is_counter(family) && !openmetrics ? "_total" : "";

	fprintf(writer->file, "# HELP %s%s ", family->name, total);
	/* In OpenMetrics, the character " is escaped in help texts also. */
	put_escaped(writer->file, help, openmetrics);
	fprintf(writer->file, "\n# TYPE %s%s %s\n", family->name, total,
		family_is_counter(family) ? "counter" : "gauge");
	if (openmetrics && *family->unit)
		fprintf(writer->file, "# UNIT %s %s\n", family->name, family->unit);
}

static void put_label(FILE *file, const char *separator, const char *name, const char *value)
{
	fprintf(file, "%s%s=\"", separator, name);
	put_escaped(file, value, true);
	fputc('"', file);
}

/* Write the name and the labels of a sample. The caller then writes the value. */
static void put_sample(const struct writer *writer, const struct family *family,
		       const struct collector *collector, const char *label, const char *value)
{
	fprintf(writer->file, "%s%s{", family->name, family_is_counter(family) ? "_total" : "");
	put_label(writer->file, "", "unit", collector->name);
	put_label(writer->file, ",", "gpu", collector->desc.parent);
	if (label)
		put_label(writer->file, ",", label, value);
	fputs("} ", writer->file);
}

static void put_number(const struct writer *writer, double number)
{
	if (number == floor(number) && fabs(number) < 1e15)
		fprintf(writer->file, "%.0f\n", number);
	else
		fprintf(writer->file, "%.15g\n", number);
}

/* Find a series of a family among the first @end series of a unit; NULL: there is none. */
static const struct series *find_series(const struct collector *collector, size_t end,
					const struct family *family)
{
	for (size_t i = 0; i < end; i++)
		if (!strcmp(collector->series[i].family.name, family->name))
			return &collector->series[i];
	return NULL;
}

static bool was_written(const struct writer *writer, size_t unit, size_t number)
{
	const struct family *family = &writer->collectors[unit].series[number].family;

	for (size_t i = 0; i < unit; i++)
		if (find_series(&writer->collectors[i], writer->collectors[i].series_count, family))
			return true;
	return find_series(&writer->collectors[unit], number, family);
}

static void put_series(const struct writer *writer, const struct collector *collector,
		       const struct series *series)
{
	if (!family_is_counter(&series->family) && !collector->has_values)
		return;
	put_sample(writer, &series->family, collector, series->is_role ? NULL : "set",
		   collector->set.symbol);
	put_number(writer, collector_value(collector, series));
}

/* Write all samples of a family: those of this unit and of all later units. */
static void put_family(const struct writer *writer, size_t unit, const struct series *series)
{
	const struct family *family = &series->family;
	struct gpuoa_metric_desc desc;
	char help[512];

	gpuoa_metric_describe(gpuoa_set_get_metric(writer->collectors[unit].tallied,
						   series->metric),
			      &desc, sizeof(desc));
	snprintf(help, sizeof(help), "%s%s%s%s",
		 family->kind == FAMILY_INTEGRAL ? "Integral over time, in seconds, of: " : "",
		 desc.name, *desc.description ? ". " : ".", desc.description);
	put_heads(writer, family, family->help ? family->help : help);
	for (size_t i = unit; i < writer->count; i++) {
		const struct collector *collector = &writer->collectors[i];
		const struct series *own = find_series(collector, collector->series_count, family);

		if (own && family_is_counter(&own->family) == family_is_counter(family))
			put_series(writer, collector, own);
	}
}

static void put_metrics(const struct writer *writer)
{
	for (size_t unit = 0; unit < writer->count; unit++)
		for (size_t i = 0; i < writer->collectors[unit].series_count; i++)
			if (!was_written(writer, unit, i))
				put_family(writer, unit, &writer->collectors[unit].series[i]);
}

static void put_own(const struct writer *writer)
{
	const struct family up = { .name = "gpuoa_unit_up", .unit = "" },
			    yielded = { .name = "gpuoa_unit_yielded", .unit = "" },
			    info = { .name = "gpuoa_unit_info", .unit = "" },
			    build = { .name = "gpuoa_build_info", .unit = "" },
			    reports = { .name = "gpuoa_reports", .unit = "", .kind = FAMILY_SUM },
			    gaps = { .name = "gpuoa_gaps", .unit = "", .kind = FAMILY_SUM },
			    lost = { .name = "gpuoa_reports_lost", .unit = "", .kind = FAMILY_SUM },
			    unknown = { .name = "gpuoa_losses_uncounted",
					.unit = "",
					.kind = FAMILY_SUM },
			    covered = { .name = "gpuoa_measured_seconds",
					.unit = "seconds",
					.kind = FAMILY_SUM };
	const struct collector *const end = writer->collectors + writer->count;
	const struct collector *c;

	put_heads(writer, &build, "Version of gpuoa, and of its metric definitions.");
	fprintf(writer->file, "gpuoa_build_info{version=\"%s\",metrics=\"%s\"} 1\n",
		gpuoa_version(), gpuoa_metadata_revision());
	put_heads(writer, &up, "Whether the OA unit is being measured.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &up, c, NULL, NULL);
		put_number(writer, c->reader || c->resting);
	}
	put_heads(writer, &yielded,
		  "Whether the OA unit is released to a program that requested it.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &yielded, c, NULL, NULL);
		put_number(writer, c->yielded);
	}
	put_heads(writer, &info, "Platform of an OA unit.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &info, c, "platform", c->desc.platform);
		put_number(writer, 1);
	}
	put_heads(writer, &covered, "GPU time covered by reports.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &covered, c, NULL, NULL);
		put_number(writer, collector_seconds(c, c->covered_total));
	}
	put_heads(writer, &reports, "Reports read from the OA unit.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &reports, c, NULL, NULL);
		put_number(writer, c->reports);
	}
	put_heads(writer, &gaps, "Gaps in the sequence of reports.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &gaps, c, NULL, NULL);
		put_number(writer, c->gaps);
	}
	put_heads(writer, &lost, "Lost reports, by where they were lost.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &lost, c, "where", "buffer");
		put_number(writer, c->losses.overflow);
		put_sample(writer, &lost, c, "where", "hardware");
		put_number(writer, c->losses.hardware);
		put_sample(writer, &lost, c, "where", "ring");
		put_number(writer, c->losses.ring);
	}
	put_heads(writer, &unknown, "Losses of an unknown number of reports.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &unknown, c, NULL, NULL);
		put_number(writer, c->losses.unknown);
	}
}

void exposition_write(FILE *file, enum exposition_format format, const struct collector *collectors,
		      size_t count)
{
	const struct writer writer = { file, format, collectors, count };

	put_own(&writer);
	put_metrics(&writer);
	if (format == EXPOSITION_OPENMETRICS)
		fputs("# EOF\n", file);
}
