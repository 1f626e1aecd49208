// SPDX-License-Identifier: MIT
/* custom.c - user-defined sets and metrics: lookup, removal, texts and equations */
#include "extra/custom/custom.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "definitions/language/infix.h"

int gpuoa_custom_new(const struct gpuoa_platform *platform, struct gpuoa_custom **custom)
{
	struct gpuoa_custom *new = calloc(1, sizeof(*new));

	if (!new)
		return -ENOMEM;
	new->platform = platform;
	new->definition.file = gpuoa_platform_name(platform);
	new->definition.name = gpuoa_platform_name(platform);
	new->definition.title = gpuoa_platform_title(platform);
	if (prototypes_find(platform, &new->arena, &new->prototypes)) {
		gpuoa_custom_free(new);
		return -ENOMEM;
	}
	*custom = new;
	return 0;
}

void gpuoa_custom_free(struct gpuoa_custom *custom)
{
	if (!custom)
		return;
	arena_free(&custom->arena);
	free(custom);
}

const char *custom_string(struct gpuoa_custom *custom, const char *text)
{
	return arena_string(&custom->arena, text, strlen(text));
}

int custom_check_text(const char *text, const char *what, const struct complaint *complaint)
{
	if (utf8_find_invalid(text, strlen(text)))
		return COMPLAIN(complaint, -EINVAL, "%s is not UTF-8", what);
	for (const char *c = text; *c; c++)
		if (*c == '"' || (unsigned char)*c < ' ' || *c == 0x7f)
			return COMPLAIN(complaint, -EINVAL,
					"%s has a quote or a control character in it", what);
	return 0;
}

static bool is_meant(const struct set_definition *set, const char *name)
{
	const char *slash = strchr(name, '/');
	const size_t unit = slash ? (size_t)(slash - name) : 0;

	if (!slash)
		return !strcmp(set->symbol, name);
	return strlen(set->unit) == unit && !memcmp(set->unit, name, unit) &&
	       !strcmp(set->symbol, slash + 1);
}

struct custom_set *custom_find(const struct gpuoa_custom *custom, const struct custom_set *after,
			       const char *name)
{
	struct custom_set *set = after ? after->next : custom->sets;

	while (set && !is_meant(set->definition, name))
		set = set->next;
	return set;
}

void custom_append(struct gpuoa_custom *custom, struct custom_set *set)
{
	struct custom_set **tail = &custom->sets;

	while (*tail)
		tail = &(*tail)->next;
	*tail = set;
}

struct metric_use *custom_find_use(const struct custom_set *set, const char *symbol)
{
	struct metric_use *use = set->definition->uses;

	while (use && strcmp(use->symbol, symbol))
		use = use->next;
	return use;
}

/* The whole text must be an equation. */
static bool read_equation(struct parser *parser, const struct source_file *source, const char *text,
			  struct equation *equation, struct diagnostic *diagnostic)
{
	lexer_init(&parser->lexer, source, text, strlen(text), diagnostic);
	return parse_equation(parser, equation) &&
	       (parser->lexer.token.kind == TOKEN_END ||
		parser_expected(parser, "an operator or the end of the equation"));
}

int custom_equation(struct gpuoa_custom *custom, const char *text, const char *what,
		    struct equation *equation, const struct complaint *complaint)
{
	struct parser parser = { .arena = &custom->arena };
	struct source_file *source;
	const char *copy;

	*equation = (struct equation){ 0 };
	if (!text || !*text)
		return 0;
	source = arena_alloc(&custom->arena, sizeof(*source));
	copy = custom_string(custom, text);
	if (!source || !copy)
		return -ENOMEM;
	source->path = custom_string(custom, what);
	if (!source->path)
		return -ENOMEM;
	custom->diagnostic.text[0] = '\0';
	if (read_equation(&parser, source, copy, equation, &custom->diagnostic))
		return 0;
	if (parser.no_memory)
		return -ENOMEM;
	diagnostic_complain(complaint, -EINVAL, what, &custom->diagnostic);
	return -EINVAL;
}

void custom_displace(struct gpuoa_custom *custom, const struct custom_set *set,
		     const struct metric_use *use)
{
	for (struct instance *i = custom->instances; i; i = i->next) {
		if (i->set != set || (use && i->use != use))
			continue;
		i->set = NULL;
		i->use = NULL;
	}
}

static void remove_set(struct gpuoa_custom *custom, const struct custom_set *set)
{
	struct custom_set **link = &custom->sets;

	while (*link != set)
		link = &(*link)->next;
	*link = set->next;
}

static bool remove_use(const struct custom_set *set, const char *symbol)
{
	struct metric_use **link = &set->definition->uses;

	while (*link && strcmp((*link)->symbol, symbol))
		link = &(*link)->next;
	if (!*link)
		return false;
	*link = (*link)->next;
	return true;
}

int gpuoa_custom_remove(struct gpuoa_custom *custom, const char *set, const char *metric)
{
	struct custom_set *found = custom_find(custom, NULL, set), *next;
	bool there = found, removed = false;

	for (; found; found = next) {
		next = custom_find(custom, found, set);
		custom_displace(custom, found, metric ? custom_find_use(found, metric) : NULL);
		if (!metric)
			remove_set(custom, found);
		removed |= !metric || remove_use(found, metric);
	}
	return removed ? 0 : there ? -ENODATA : -ENOENT;
}
