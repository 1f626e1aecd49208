// SPDX-License-Identifier: MIT
/*
 * reference_metrics.c - Print the expected values of a set's metrics between two timestamps, for
 * scripts that compare them with the output of gpuoa: reference_metrics UNIT SET BEGIN END
 *
 * The counts are those of the virtual GPU itself, for the counters that are programmed now. The
 * metrics are derived from them as in gpus_reference.c, by platforms.facts and the evaluator of
 * rpn.c, which share no code with the library. Prints "SYMBOL VALUE" for each available metric; the
 * value of a float has a decimal point.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "rpn.h"
#include "sim_unit.h"
#include "unit_constants.h"

#define UNITS_MAX 32

static void fail(const char *object, const char *reason)
{
	fprintf(stderr, "reference_metrics: %s: %s\n", object, reason);
	exit(1);
}

static const struct facts_set *find_set(const struct facts *facts, const struct sim_unit *unit,
					const char *symbol, struct rpn_constants *constants)
{
	const struct facts_platform *platform = facts_find(facts, unit->desc.platform);

	for (size_t i = 0; i < platform->set_count; i++)
		if (!strcmp(platform->sets[i].symbol, symbol) &&
		    rpn_holds(platform->sets[i].availability, constants))
			return &platform->sets[i];
	fail(symbol, "no such set");
	return NULL;
}

static void print_metrics(const struct sim_unit *unit, const char *symbol, uint64_t begin,
			  uint64_t end)
{
	static struct rpn_constants constants;
	static struct rpn_set set;
	uint64_t counts[RAW_FIELDS_MAX];
	const struct facts_set *found;
	struct facts facts;

	facts_read(&facts);
	unit_constants(&unit->info, gpuoa_unit_constants(unit->unit), &constants);
	found = find_set(&facts, unit, symbol, &constants);
	rpn_open(&set, found, raw_format(found->format), &constants);
	rpn_choose(&set, &constants);
	if (!sim_unit_reference(unit, set.format, begin, end, counts))
		fail(unit->desc.name, "the virtual GPU does not know this time");
	rpn_evaluate(&set, &constants, counts, rpn_total);
	for (size_t i = 0; i < found->metric_count; i++) {
		const struct facts_metric *metric = found->metrics[i];

		if (!set.available[i])
			continue;
		if (metric->kind->type[0] == 'f')
			printf("%s %#.17g\n", metric->symbol, rpn_number(set.values[i]));
		else
			printf("%s %" PRIu64 "\n", metric->symbol, rpn_integer(set.values[i]));
	}
	rpn_close(&set);
	facts_free(&facts);
}

int main(int argc, char **argv)
{
	static struct sim_unit units[UNITS_MAX];
	size_t count, i;

	if (argc != 5) {
		fprintf(stderr, "usage: reference_metrics UNIT SET BEGIN END\n");
		return 2;
	}
	count = sim_units_open(units, UNITS_MAX);
	for (i = 0; i < count && strcmp(units[i].desc.name, argv[1]); i++)
		;
	if (i == count)
		fail(argv[1], "no such unit of a virtual GPU");
	print_metrics(&units[i], argv[2], strtoull(argv[3], NULL, 0), strtoull(argv[4], NULL, 0));
	sim_units_close(units, count);
	return 0;
}
