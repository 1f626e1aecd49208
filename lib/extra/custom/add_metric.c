// SPDX-License-Identifier: MIT
/* add_metric.c - add metrics defined by equations */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/sized.h"
#include "definitions/language/names.h"
#include "definitions/language/postfix.h"
#include "definitions/load/from_table.h"
#include "extra/custom/custom.h"
#include "table/table.h"
#include "table/words.h"

#define TIERS (GPUOA_USAGE_TIER_1 | GPUOA_USAGE_TIER_2 | GPUOA_USAGE_TIER_3 | GPUOA_USAGE_TIER_4)

/* State of adding a metric: the request and its checked attributes. */
struct addition {
	struct gpuoa_custom *custom;
	const struct complaint *complaint;
	const struct gpuoa_metric_desc *desc;
	struct attributes attributes;
};

static int take_text(const struct addition *at, const char *given, const char *otherwise,
		     const char *what, const char **text)
{
	const char *choice = given && *given ? given : otherwise;
	int err = custom_check_text(choice, what, at->complaint);

	if (err)
		return err;
	*text = custom_string(at->custom, choice);
	return *text ? 0 : -ENOMEM;
}

static int take_texts(struct addition *at)
{
	const struct gpuoa_metric_desc *desc = at->desc;
	struct attributes *a = &at->attributes;
	const struct {
		const char *given;
		const char *otherwise;
		const char *what;
		const char **text;
	} texts[] = {
		{ desc->name, desc->symbol, "the name", &a->name },
		{ desc->description, "", "the description", &a->description },
		{ desc->group, "", "the group", &a->group },
		{ desc->units, "", "the units", &a->units },
		{ desc->hw_unit, "gpu", "the hardware unit", &a->hw_unit },
		{ desc->alias, "", "the alias", &a->alias },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int err = take_text(at, texts[i].given, texts[i].otherwise, texts[i].what,
				    texts[i].text);

		if (err)
			return err;
	}
	return 0;
}

static int take_equation(const struct addition *at, const char *text, const char *what,
			 struct equation *equation)
{
	char of[256];

	snprintf(of, sizeof(of), "%s of %s", what, at->desc->symbol);
	return custom_equation(at->custom, text, of, equation, at->complaint);
}

static int take_equations(struct addition *at)
{
	struct attributes *a = &at->attributes;
	int err = take_equation(at, at->desc->equation, "equation", &a->equation);

	if (!err)
		err = take_equation(at, at->desc->max, "maximum", &a->max);
	if (!err)
		err = take_equation(at, at->desc->availability, "condition", &a->availability);
	return err;
}

/* True if each bit of the mask has a name. */
static bool mask_is_known(enum word_kind kind, uint32_t mask)
{
	for (uint32_t bit = 1; bit; bit <<= 1)
		if (mask & bit && !word_of(kind, bit))
			return false;
	return true;
}

static int take_usage(struct addition *at)
{
	const struct gpuoa_metric_desc *desc = at->desc;
	uint32_t usage = desc->usage, tier = 0;

	if (desc->tier > 4)
		return COMPLAIN(at->complaint, -EINVAL, "tiers are 1 to 4");
	if (desc->tier)
		usage |= GPUOA_USAGE_TIER_1 << (desc->tier - 1);
	if (!mask_is_known(WORD_USAGE, usage))
		return COMPLAIN(at->complaint, -EINVAL, "the mask of usages has unknown bits");
	if ((usage & TIERS) & ((usage & TIERS) - 1))
		return COMPLAIN(at->complaint, -EINVAL, "a metric has one tier at most");
	while (usage & TIERS && !(usage & GPUOA_USAGE_TIER_1 << tier))
		tier++;
	at->attributes.usage = usage;
	at->attributes.tier = usage & TIERS ? tier + 1 : 0;
	return 0;
}

/*
 * Returns whether a watermark can be written in definitions, in which numbers have at most 15
 * digits and are not negative.
 */
static bool mark_is_writable(double mark)
{
	struct expression number;
	char text[DECIMAL_SIZE];

	if (!(mark >= 0 && mark < 1e15))
		return false;
	decimal_print_number(text, mark);
	if (postfix_read_number(text, &number))
		return false;
	return mark == (number.kind == EXPRESSION_REAL ? number.real : (double)number.integer);
}

static int take_watermarks(struct addition *at)
{
	const struct gpuoa_metric_desc *desc = at->desc;

	if (!desc->has_watermarks)
		return 0;
	if (!mark_is_writable(desc->low) || !mark_is_writable(desc->high) || desc->low > desc->high)
		return COMPLAIN(at->complaint, -EINVAL,
				"watermarks are numbers from 0 on, of 15 digits at most, the lower "
				"one first");
	at->attributes.given |= ATTRIBUTE_WATERMARKS;
	at->attributes.low = desc->low;
	at->attributes.high = desc->high;
	return 0;
}

static int take_numbers(struct addition *at)
{
	const struct gpuoa_metric_desc *desc = at->desc;
	struct attributes *a = &at->attributes;
	int err = take_usage(at);

	if (err)
		return err;
	if (!word_of(WORD_TYPE, desc->type))
		return COMPLAIN(at->complaint, -EINVAL, "%d is no type of values", (int)desc->type);
	if (!word_of(WORD_SEMANTIC, desc->semantic))
		return COMPLAIN(at->complaint, -EINVAL, "%d is no kind of values",
				(int)desc->semantic);
	if (!mask_is_known(WORD_API, desc->apis))
		return COMPLAIN(at->complaint, -EINVAL, "the mask of APIs has unknown bits");
	a->type = desc->type;
	a->semantic = desc->semantic;
	a->apis = desc->apis;
	return take_watermarks(at);
}

static bool is_constant(const struct gpuoa_platform *platform, const char *symbol)
{
	const struct table_constant *constants = table_follow(&platform->constants);

	for (uint32_t i = 0; i < platform->constant_count; i++)
		if (!strcmp(table_string(&constants[i].name), symbol))
			return true;
	return false;
}

static int check_symbol(const struct addition *at, const char *set)
{
	const struct gpuoa_metric_desc *desc = at->desc;
	struct custom_set *found = NULL;

	if (!desc->symbol || !symbol_is_free(desc->symbol))
		return COMPLAIN(
			at->complaint, -EINVAL,
			"a metric's symbol begins with a capital letter, has letters, digits and "
			"'_' only, and is no hardware counter");
	if (!desc->equation || !*desc->equation)
		return COMPLAIN(at->complaint, -EINVAL, "%s lacks an equation", desc->symbol);
	if (!desc->units || !*desc->units)
		return COMPLAIN(at->complaint, -EINVAL, "%s lacks units", desc->symbol);
	if (is_constant(at->custom->platform, desc->symbol))
		return COMPLAIN(at->complaint, -EEXIST, "%s is a constant of %s", desc->symbol,
				gpuoa_platform_name(at->custom->platform));
	while ((found = custom_find(at->custom, found, set)))
		if (custom_find_use(found, desc->symbol))
			return COMPLAIN(at->complaint, -EEXIST, "%s has a metric %s already", set,
					desc->symbol);
	return 0;
}

static int append_use(const struct addition *at, struct custom_set *set)
{
	struct metric_use *use = arena_alloc(&at->custom->arena, sizeof(*use));
	struct metric_use **tail = &set->definition->uses;

	if (!use)
		return -ENOMEM;
	use->symbol = custom_string(at->custom, at->desc->symbol);
	if (!use->symbol)
		return -ENOMEM;
	use->is_whole = true;
	use->changes = at->attributes;
	while (*tail)
		tail = &(*tail)->next;
	*tail = use;
	return 0;
}

/* Copy a set of the platform to the builder, where the copy replaces it. */
static int take_over(struct gpuoa_custom *custom, const struct gpuoa_set *base)
{
	const struct source_file source = { .path = gpuoa_platform_name(custom->platform) };
	struct from_table from = {
		.arena = &custom->arena,
		.source = &source,
		.diagnostic = &custom->diagnostic,
	};
	struct custom_set *set = arena_alloc(&custom->arena, sizeof(*set));

	if (!set)
		return -ENOMEM;
	set->definition = from_table_set(&from, base);
	if (!set->definition)
		return -ENOMEM;
	custom_append(custom, set);
	return 0;
}

/* Copy all sets of the platform with this symbol and domain; each of them is for different GPUs. */
static int take_over_all(const struct addition *at, const char *name)
{
	const struct gpuoa_platform *platform = at->custom->platform;
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, name, NULL, NULL);
	const struct gpuoa_set *sets = platform_sets(platform);
	int err = 0;

	if (!set)
		return COMPLAIN(at->complaint, -ENOENT, "%s has no set %s",
				gpuoa_platform_name(platform), name);
	for (uint32_t i = 0; i < platform->set_count && !err; i++)
		if (sets[i].domain == set->domain &&
		    !strcmp(table_string(&sets[i].symbol), table_string(&set->symbol)))
			err = take_over(at->custom, &sets[i]);
	return err;
}

static int add(struct addition *at, const char *set)
{
	struct custom_set *found = NULL;
	int err = custom_find(at->custom, NULL, set) ? 0 : take_over_all(at, set);

	if (!err)
		err = check_symbol(at, set);
	if (!err)
		err = take_texts(at);
	if (!err)
		err = take_numbers(at);
	if (!err)
		err = take_equations(at);
	while (!err && (found = custom_find(at->custom, found, set)))
		err = append_use(at, found);
	return err;
}

int gpuoa_custom_add_metric(struct gpuoa_custom *custom, const char *set,
			    const struct gpuoa_metric_desc *desc, size_t size, char *error,
			    size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_metric_desc known;
	struct addition at = {
		.custom = custom,
		.complaint = &complaint,
		.desc = &known,
		.attributes.given = ATTRIBUTES_COMPLETE,
	};

	int err = sized_take_desc(&known, sizeof(known), desc, size, "fields of the metric",
				  &complaint);

	return complaint_end(&complaint, err ? err : add(&at, set));
}
