// SPDX-License-Identifier: MIT
/* uses.c - parser for lists of metrics in sets and bundles */
#include "definitions/language/uses.h"
#include "definitions/language/clauses.h"

/*
 * Parse the definition of a metric in a list: metric Symbol "Name" clauses. Only this list has the
 * metric.
 */
static bool parse_own_metric(struct parser *parser, struct metric_use *use, struct attributes *own)
{
	use->is_whole = true;
	own->given = ATTRIBUTE_NAME;
	return parser_next_at(parser, &use->location) &&
	       parse_new_symbol(parser, &use->symbol, "the metric's symbol") &&
	       parse_string(parser, &own->name, "the metric's name in quotes") &&
	       parse_clauses(parser, own) && require_value(parser, use->symbol, own, use->location);
}

/* Parse a reference in a list: Metric clauses, or: bundle Name clauses */
static bool parse_listed(struct parser *parser, struct metric_use *use, struct attributes *own)
{
	use->is_bundle = parser_is(parser, "bundle");
	use->location = parser->lexer.token.location;
	return (!use->is_bundle || parser_next_at(parser, &use->location)) &&
	       parse_symbol(parser, &use->symbol,
			    use->is_bundle ? "a bundle's name" :
					     "a metric's symbol, a clause or '}'") &&
	       parse_clauses(parser, own);
}

bool parse_uses(struct parser *parser, const struct attributes *changes, struct metric_use ***tail)
{
	static const struct attributes defaults = {
		.given = ATTRIBUTE_HW_UNIT,
		.hw_unit = "gpu",
	};

	if (!parser_expect(parser, "{", "'{' and a list of metrics"))
		return false;
	while (!parser_is(parser, "}")) {
		struct metric_use *use = parser_alloc(parser, sizeof(*use));
		struct attributes own = { 0 };

		if (!use)
			return false;
		if (!(parser_is(parser, "metric") ? parse_own_metric(parser, use, &own) :
						    parse_listed(parser, use, &own)))
			return false;
		if (use->is_whole)
			use->changes = defaults;
		if (changes)
			attributes_apply(&use->changes, changes);
		attributes_apply(&use->changes, &own);
		**tail = use;
		*tail = &use->next;
	}
	return parser_next(parser);
}

bool parse_bundle(struct parser *parser)
{
	struct bundle_definition *bundle = parser_alloc(parser, sizeof(*bundle));
	struct metric_use **uses;

	if (!bundle)
		return false;
	uses = &bundle->uses;
	if (!parser_next_at(parser, &bundle->location) ||
	    !parse_symbol(parser, &bundle->name, "the bundle's name") ||
	    !parse_uses(parser, NULL, &uses))
		return false;
	/*
	 * Reject an empty bundle: if each use of a bundle adds at least one metric, the limit of
	 * metrics also limits nested bundles.
	 */
	if (!bundle->uses)
		return lexer_fail(&parser->lexer, bundle->location, "bundle %s is empty",
				  bundle->name);
	bundle->number = parser->bundles++;
	*parser->tails.bundles = bundle;
	parser->tails.bundles = &bundle->next;
	return true;
}
