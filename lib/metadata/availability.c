// SPDX-License-Identifier: MIT
/* availability.c - availability of sets and metrics on a GPU, with the reason if not available */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpuoa.h"
#include "metadata/evaluate.h"
#include "table/table.h"

/* Output buffer for a message; text that does not fit is dropped. */
struct line {
	char *text;
	size_t size;
	size_t length;
};

#define ADD(line, ...)                                                                             \
	do {                                                                                       \
		int added = snprintf((line)->text + (line)->length, (line)->size - (line)->length, \
				     __VA_ARGS__);                                                 \
		(line)->length += added > 0 ? (size_t)added : 0;                                   \
		if ((line)->length >= (line)->size)                                                \
			(line)->length = (line)->size - 1;                                         \
	} while (0)

/* Returns whether the condition uses this constant earlier, so that it has been printed already. */
static bool is_repeated(const uint32_t *code, const uint32_t *word)
{
	for (const uint32_t *other = code + 1; other < word; other += code_words(code_op(*other)))
		if (*other == *word)
			return true;
	return false;
}

static void add_constant(struct line *line, const struct gpuoa_constants *constants,
			 uint32_t number)
{
	const char *name = platform_constant_name(constants->platform, number);
	const struct constant_value *value = &constants->values[number];
	enum gpuoa_constant_kind kind = rule_constant_kind(value->rule);

	if (!value->given)
		ADD(line, "%s has no value", name);
	else if (kind == GPUOA_CONSTANT_MASK)
		ADD(line, "%s is 0x%" PRIx64, name, value->value);
	else
		ADD(line, "%s is %" PRIu64, name, value->value);
}

/* Print why a condition is not met: "needs CONDITION, and A is 1, and B has no value". */
static void explain(struct line *line, const char *condition, const uint32_t *code,
		    const struct gpuoa_constants *constants, int available)
{
	const uint32_t *end = code + 1 + code_length(code);

	ADD(line, "needs %s", condition);
	if (!constants)
		ADD(line, ", and no constants are given");
	for (const uint32_t *word = code + 1; constants && word < end;
	     word += code_words(code_op(*word))) {
		uint32_t number = code_argument(*word);

		if (code_op(*word) != CODE_CONSTANT || is_repeated(code, word))
			continue;
		if (available == -ENOENT && constants->values[number].given)
			continue;
		ADD(line, ", and ");
		add_constant(line, constants, number);
	}
}

static int decide(const char *condition, const uint32_t *code,
		  const struct gpuoa_constants *constants, struct line *line)
{
	int available = code ? evaluate_condition(code, constants) : 1;

	if (available <= 0 && line->size)
		explain(line, condition, code, constants, available);
	return available;
}

/*
 * Report that the constants are of another platform. If its name is the same, one platform is built
 * in, and the other one is of user definitions.
 */
static int foreign(const struct gpuoa_constants *constants, const struct gpuoa_platform *platform,
		   struct line *line)
{
	const char *name = table_string(&platform->name);
	const char *other = table_string(&constants->platform->name);

	if (line->size)
		ADD(line, "the constants are those of %s%s, not of %s",
		    strcmp(name, other) ? "" : "another platform called ", other, name);
	return -EINVAL;
}

static struct line line_begin(char *reason, size_t size)
{
	if (size)
		reason[0] = '\0';
	return (struct line){ .text = reason, .size = size };
}

int gpuoa_set_available(const struct gpuoa_set *set, const char *domain,
			const struct gpuoa_constants *constants, char *reason, size_t size)
{
	const char *own = table_string(&set->unit);
	struct line line = line_begin(reason, size);

	if (!constants_fit(constants, set_platform(set)))
		return foreign(constants, set_platform(set), &line);
	if (!domain || !*domain || !strcmp(domain, own))
		return decide(table_string(&set->availability_text),
			      table_follow(&set->availability), constants, &line);
	if (size)
		ADD(&line, "is for unit %s, not for unit %s", own, domain);
	return 0;
}

int gpuoa_metric_available(const struct gpuoa_metric *metric,
			   const struct gpuoa_constants *constants, char *reason, size_t size)
{
	const struct table_metric *definition = metric_definition(metric);
	const struct gpuoa_platform *platform = set_platform(metric_set(metric));
	struct line line = line_begin(reason, size);

	if (!constants_fit(constants, platform))
		return foreign(constants, platform, &line);
	if (definition->query_only && (!constants || !constants->query_mode)) {
		if (size)
			ADD(&line, "only begin/end queries have it");
		return 0;
	}
	return decide(table_string(&definition->availability), table_follow(&metric->availability),
		      constants, &line);
}
