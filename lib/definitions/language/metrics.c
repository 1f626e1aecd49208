// SPDX-License-Identifier: MIT
/* metrics.c - parser for statements about metrics */
#include "definitions/language/metrics.h"
#include "definitions/language/clauses.h"

static bool require(struct parser *parser, const struct metric_definition *metric,
		    uint32_t attribute, const char *what)
{
	if (metric->attributes.given & attribute)
		return true;
	return lexer_fail(&parser->lexer, metric->location, "%s lacks %s", metric->symbol, what);
}

/* Check that the clauses of a metric end at the next statement. */
static bool end_of_clauses(struct parser *parser)
{
	return parser_at_statement(parser) ||
	       parser_expected(parser, "an operator, a clause or the next statement");
}

bool parse_metric(struct parser *parser, const struct attributes *defaults,
		  struct metric_definition ***tail)
{
	struct metric_definition *metric = parser_alloc(parser, sizeof(*metric));
	struct attributes own = { 0 };

	if (!metric || !parser_next(parser))
		return false;
	metric->location = parser->lexer.token.location;
	metric->attributes.hw_unit = "gpu";
	attributes_apply(&metric->attributes, defaults);
	if (!parse_new_symbol(parser, &metric->symbol, "the metric's symbol") ||
	    !parse_string(parser, &own.name, "the metric's name in quotes"))
		return false;
	own.given = ATTRIBUTE_NAME;
	if (!parse_clauses(parser, &own) || !end_of_clauses(parser))
		return false;
	attributes_apply(&metric->attributes, &own);
	if (!require(parser, metric, ATTRIBUTE_EQUATION, "an equation") ||
	    !require(parser, metric, ATTRIBUTE_VALUE, "a type, units and a semantic"))
		return false;
	**tail = metric;
	*tail = &metric->next;
	return true;
}

bool parse_shared_metric(struct parser *parser, const struct attributes *defaults)
{
	struct metric_definition **place = parser->tails.metrics, *metric;

	if (!parse_metric(parser, defaults, &parser->tails.metrics))
		return false;
	metric = *place;
	parser->no_memory |= !name_map_add(&parser->metrics, metric->symbol, metric);
	return !parser->no_memory;
}

/*
 * Add a metric to the list of those that a statement changes, at its head. The last element refers
 * to itself, so that every element has a link that is not NULL.
 */
static bool parse_changed_metric(struct parser *parser, struct metric_definition **changed)
{
	struct location location = parser->lexer.token.location;
	struct metric_definition *metric;
	const char *symbol = NULL;

	if (!parse_symbol(parser, &symbol, "a metric's symbol"))
		return false;
	metric = (void *)name_map_find(&parser->metrics, symbol);
	if (!metric)
		return lexer_fail(&parser->lexer, location,
				  "there is no metric '%s' before this line", symbol);
	if (metric->changed || metric == *changed)
		return lexer_fail(&parser->lexer, location, "%s is here twice", symbol);
	metric->changed = *changed ? *changed : metric;
	*changed = metric;
	return true;
}

bool parse_change(struct parser *parser)
{
	struct metric_definition *changed = NULL;
	struct attributes changes = { 0 };

	if (!parser_next(parser))
		return false;
	do {
		if (!parse_changed_metric(parser, &changed))
			return false;
	} while (parser_at_symbol(parser));
	if (!parse_clauses(parser, &changes) || !end_of_clauses(parser))
		return false;
	while (changed) {
		struct metric_definition *metric = changed;

		attributes_apply(&metric->attributes, &changes);
		changed = metric->changed == metric ? NULL : metric->changed;
		metric->changed = NULL;
	}
	return true;
}

bool parse_group(struct parser *parser, struct attributes *defaults)
{
	*defaults = (struct attributes){ .given = ATTRIBUTE_GROUP };
	return parser_next(parser) &&
	       parse_string(parser, &defaults->group, "the group's path in quotes") &&
	       parse_clauses(parser, defaults);
}
