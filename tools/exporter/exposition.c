// SPDX-License-Identifier: MIT
/*
 * exposition.c - collectors as text that Prometheus reads
 *
 * Samples of a family stand together, whichever unit they are of: of each metric of a unit, the
 * units before are asked whether they have had that family.
 */
#include "exporter/exposition.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "exporter/names.h"

struct writer {
	FILE *file;
	enum exposition_format format;
	const struct collector *collectors;
	size_t count;
};

/* Of label values and help texts: \ and newline are escaped, and " in labels. */
static void put_escaped(FILE *file, const char *text, bool label)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", file);
		else if (*text == '\\' || (label && *text == '"'))
			fprintf(file, "\\%c", *text);
		else
			fputc(*text, file);
	}
}

/* In Prometheus' own format, the name of a counter has _total everywhere. */
static void put_heads(const struct writer *writer, const struct family *family, const char *help)
{
	const bool openmetrics = writer->format == EXPOSITION_OPENMETRICS;
	const char *total = family->counter && !openmetrics ? "_total" : "";

	fprintf(writer->file, "# HELP %s%s ", family->name, total);
	/* OpenMetrics has " escaped, too. */
	put_escaped(writer->file, help, openmetrics);
	fprintf(writer->file, "\n# TYPE %s%s %s\n", family->name, total,
		family->counter ? "counter" : "gauge");
	if (openmetrics && *family->unit)
		fprintf(writer->file, "# UNIT %s %s\n", family->name, family->unit);
}

static void put_label(FILE *file, const char *separator, const char *name, const char *value)
{
	fprintf(file, "%s%s=\"", separator, name);
	put_escaped(file, value, true);
	fputc('"', file);
}

/* Name and labels of a sample; its value comes behind. */
static void put_sample(const struct writer *writer, const struct family *family,
		       const struct collector *collector, const char *label, const char *value)
{
	fprintf(writer->file, "%s%s{", family->name, family->counter ? "_total" : "");
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

/* Which of a metric's families has this name? NULL: none. */
static const struct family *named(const struct family *families, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(families[i].name, name))
			return &families[i];
	return NULL;
}

/* The metric of a unit, of those before @end, that makes the family; SIZE_MAX: none. */
static size_t find_metric(const struct collector *collector, size_t end, const char *name,
			  struct family *found)
{
	for (size_t i = 0; i < end; i++) {
		struct family families[2];
		const size_t count =
			family_of_metric(gpuoa_set_get_metric(collector->what, i), families);
		const struct family *family =
			collector->available[i] ? named(families, count, name) : NULL;

		if (!family)
			continue;
		*found = *family;
		return i;
	}
	return SIZE_MAX;
}

static size_t metric_count(const struct collector *collector)
{
	return collector->sums ? collector->set.metric_count : 0;
}

static bool was_written(const struct writer *writer, size_t unit, size_t metric, const char *name)
{
	struct family family;

	for (size_t i = 0; i < unit; i++)
		if (find_metric(&writer->collectors[i], metric_count(&writer->collectors[i]), name,
				&family) != SIZE_MAX)
			return true;
	return find_metric(&writer->collectors[unit], metric, name, &family) != SIZE_MAX;
}

static void put_value(const struct writer *writer, const struct collector *collector, size_t metric,
		      const struct family *family)
{
	struct gpuoa_metric_desc desc;

	if (!family->counter && !collector->has_values)
		return;
	gpuoa_metric_describe(gpuoa_set_get_metric(collector->what, metric), &desc, sizeof(desc));
	put_sample(writer, family, collector, "set", collector->set.symbol);
	put_number(writer, family->scale * (family->counter ?
						    collector->sums[metric] :
						    gpuoa_value_to_double(
							    desc.type, collector->values[metric])));
}

/* All samples of a family, of this unit and of those behind it. */
static void put_family(const struct writer *writer, size_t unit, size_t metric,
		       const struct family *family)
{
	struct gpuoa_metric_desc desc;
	char help[512];

	gpuoa_metric_describe(gpuoa_set_get_metric(writer->collectors[unit].what, metric), &desc,
			      sizeof(desc));
	snprintf(help, sizeof(help), "%s%s%s%s", family->integral ? "Seconds that make up: " : "",
		 desc.name, *desc.description ? ". " : ".", desc.description);
	put_heads(writer, family, help);
	for (size_t i = unit; i < writer->count; i++) {
		const struct collector *collector = &writer->collectors[i];
		struct family own;
		const size_t found =
			find_metric(collector, metric_count(collector), family->name, &own);

		if (found != SIZE_MAX && own.counter == family->counter)
			put_value(writer, collector, found, &own);
	}
}

static void put_metrics(const struct writer *writer)
{
	for (size_t unit = 0; unit < writer->count; unit++) {
		const struct collector *collector = &writer->collectors[unit];

		for (size_t i = 0; i < metric_count(collector); i++) {
			struct family families[2];
			const size_t count = family_of_metric(
				gpuoa_set_get_metric(collector->what, i), families);

			for (size_t f = 0; f < count && collector->available[i]; f++)
				if (!was_written(writer, unit, i, families[f].name))
					put_family(writer, unit, i, &families[f]);
		}
	}
}

static void put_own(const struct writer *writer)
{
	const struct family up = { .name = "gpuoa_unit_up", .unit = "" },
			    info = { .name = "gpuoa_unit_info", .unit = "" },
			    build = { .name = "gpuoa_build_info", .unit = "" },
			    reports = { .name = "gpuoa_reports", .unit = "", .counter = true },
			    gaps = { .name = "gpuoa_gaps", .unit = "", .counter = true },
			    lost = { .name = "gpuoa_reports_lost", .unit = "", .counter = true },
			    unknown = { .name = "gpuoa_losses_uncounted",
					.unit = "",
					.counter = true },
			    covered = { .name = "gpuoa_measured_seconds",
					.unit = "seconds",
					.counter = true };
	const struct collector *const end = writer->collectors + writer->count;
	const struct collector *c;

	put_heads(writer, &build, "Version of gpuoa, and of its metric definitions.");
	fprintf(writer->file, "gpuoa_build_info{version=\"%s\",metrics=\"%s\"} 1\n",
		gpuoa_version(), gpuoa_metadata_revision());
	put_heads(writer, &up, "Is the OA unit being measured?");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &up, c, NULL, NULL);
		put_number(writer, c->source != NULL);
	}
	put_heads(writer, &info, "Which platform an OA unit is of.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &info, c, "platform", c->desc.platform);
		put_number(writer, 1);
	}
	put_heads(writer, &covered, "GPU time in which all was counted.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &covered, c, NULL, NULL);
		put_number(writer, collector_seconds(c, c->covered_total));
	}
	put_heads(writer, &reports, "Reports of the OA unit that were read.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &reports, c, NULL, NULL);
		put_number(writer, c->reports);
	}
	put_heads(writer, &gaps, "Places where reports do not follow each other.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &gaps, c, NULL, NULL);
		put_number(writer, c->gaps);
	}
	put_heads(writer, &lost, "Reports that were lost, by where.");
	for (c = writer->collectors; c < end; c++) {
		put_sample(writer, &lost, c, "where", "buffer");
		put_number(writer, c->losses.overflow);
		put_sample(writer, &lost, c, "where", "hardware");
		put_number(writer, c->losses.hardware);
		put_sample(writer, &lost, c, "where", "ring");
		put_number(writer, c->losses.ring);
	}
	put_heads(writer, &unknown, "Losses of which nobody knows how many reports they were.");
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
