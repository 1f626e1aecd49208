// SPDX-License-Identifier: MIT
/* describe.c - descriptions of families of metrics */
#include "definitions/language/describe.h"

#include <string.h>

#include "base/chars.h"
#include "definitions/language/clauses.h"

/* Maximum number of digit runs in a symbol that can match "{}"; further ones are literal. */
#define RUNS_MAX 6

struct runs {
	uint32_t count;
	struct {
		const char *begin;
		size_t length;
	} runs[RUNS_MAX];
};

static struct runs find_runs(const char *symbol)
{
	struct runs runs = { 0 };

	while (*symbol && runs.count < RUNS_MAX) {
		size_t length = strspn(symbol, "0123456789");

		if (length) {
			runs.runs[runs.count].begin = symbol;
			runs.runs[runs.count++].length = length;
		}
		symbol += length ? length : 1;
	}
	return runs;
}

/* Print the symbol with "{}" in place of the digit runs in @mask. */
static void write_pattern(const char *symbol, const struct runs *runs, uint32_t mask, char *pattern)
{
	for (uint32_t i = 0; i < runs->count; i++) {
		const char *begin = runs->runs[i].begin;

		if (!(mask & 1u << i))
			continue;
		memcpy(pattern, symbol, begin - symbol);
		pattern += begin - symbol;
		*pattern++ = '{';
		*pattern++ = '}';
		symbol = begin + runs->runs[i].length;
	}
	strcpy(pattern, symbol);
}

static size_t digits_in(const struct runs *runs, uint32_t mask)
{
	size_t digits = 0;

	for (uint32_t i = 0; i < runs->count; i++)
		if (mask & 1u << i)
			digits += runs->runs[i].length;
	return digits;
}

/*
 * Find the matching description with the most literal characters. @mask: result: digit runs that
 * match "{}".
 */
static const struct family_description *find_description(struct parser *parser, const char *symbol,
							 const struct runs *runs, uint32_t *mask)
{
	const struct family_description *best = NULL;
	char *pattern = parser_alloc(parser, strlen(symbol) + 2 * RUNS_MAX + 1);

	if (!pattern)
		return NULL;
	for (uint32_t m = 0; m < 1u << runs->count; m++) {
		const struct family_description *found;

		write_pattern(symbol, runs, m, pattern);
		found = name_map_find(&parser->descriptions, pattern);
		if (found && (!best || digits_in(runs, m) < digits_in(runs, *mask))) {
			best = found;
			*mask = m;
		}
	}
	return best;
}

/* Return the digits for {number}: the number-th run in @mask. */
static const char *digits_of(const struct runs *runs, uint32_t mask, uint32_t number,
			     size_t *length)
{
	for (uint32_t i = 0; i < runs->count; i++) {
		if (!(mask & 1u << i) || --number)
			continue;
		*length = runs->runs[i].length;
		return runs->runs[i].begin;
	}
	*length = 0;
	return "";
}

/* Print @text with digits for {1}, {2} to @out, or only compute the length. Returns the length. */
static size_t fill_in(const char *text, const struct runs *runs, uint32_t mask, char *out)
{
	size_t total = 0;

	while (*text) {
		const char *piece = text;
		size_t length = strcspn(text, "{"), skip = length;

		if (!length) {
			piece = digits_of(runs, mask, text[1] - '0', &length);
			skip = 3;
		}
		if (out)
			memcpy(out + total, piece, length);
		total += length;
		text += skip;
	}
	return total;
}

static bool describe_metric(struct parser *parser, struct metric_definition *metric)
{
	struct attributes *a = &metric->attributes;
	struct runs runs = find_runs(metric->symbol);
	const struct family_description *family;
	uint32_t mask = 0;
	char *text;

	if (a->given & ATTRIBUTE_DESCRIPTION)
		return true;
	family = find_description(parser, metric->symbol, &runs, &mask);
	if (!family)
		return !parser->no_memory;
	text = parser_alloc(parser, fill_in(family->text, &runs, mask, NULL) + 1);
	if (!text)
		return false;
	fill_in(family->text, &runs, mask, text);
	a->description = text;
	a->given |= ATTRIBUTE_DESCRIPTION;
	return true;
}

bool describe_families(struct parser *parser)
{
	struct metric_definition *metric;

	for (metric = parser->definition->metrics; metric; metric = metric->next)
		if (!describe_metric(parser, metric))
			return false;
	for (metric = parser->definition->infos; metric; metric = metric->next)
		if (!describe_metric(parser, metric))
			return false;
	return true;
}

/* Check for letters, digits, '_', and "{}" not adjacent to a digit. Counts the "{}". */
static bool check_pattern(struct parser *parser, const char *pattern, struct location location,
			  uint32_t *holes)
{
	*holes = 0;
	for (const char *p = pattern; *p; p++) {
		if (*p == '{' && p[1] == '}') {
			if ((p > pattern && is_digit(p[-1])) || is_digit(p[2]))
				return lexer_fail(
					&parser->lexer, location,
					"{} stands for all digits: none can be beside it");
			++*holes;
			p++;
		} else if (!is_digit(*p) && *p != '_' && !is_letter(*p)) {
			return lexer_fail(&parser->lexer, location,
					  "a pattern has letters, digits, '_' and {} only");
		}
	}
	if (*holes > RUNS_MAX)
		return lexer_fail(&parser->lexer, location, "a pattern has %d times {} at most",
				  RUNS_MAX);
	return *pattern || lexer_fail(&parser->lexer, location, "this pattern is empty");
}

/* Check that each '{' begins one of {1}..{holes}. */
static bool check_text(struct parser *parser, const char *text, struct location location,
		       uint32_t holes)
{
	for (text = strchr(text, '{'); text; text = strchr(text + 1, '{')) {
		if (!holes)
			return lexer_fail(&parser->lexer, location,
					  "'{' has no meaning here, for the pattern has no {}");
		if (text[1] < '1' || (uint32_t)(text[1] - '0') > holes || text[2] != '}')
			return lexer_fail(&parser->lexer, location,
					  "'{' must begin one of {1} .. {%u} here", holes);
	}
	return true;
}

bool parse_describe(struct parser *parser)
{
	struct family_description *family = parser_alloc(parser, sizeof(*family));
	struct location text;
	uint32_t holes;

	if (!family || !parser_next(parser))
		return false;
	family->location = parser->lexer.token.location;
	if (!parse_string(parser, &family->pattern, "a pattern of symbols in quotes") ||
	    !check_pattern(parser, family->pattern, family->location, &holes))
		return false;
	text = parser->lexer.token.location;
	if (!parse_description(parser, &family->text) ||
	    !check_text(parser, family->text, text, holes) ||
	    !parser_define(parser, &parser->descriptions, family->pattern, family, family->location,
			   "a description of"))
		return false;
	*parser->tails.descriptions = family;
	parser->tails.descriptions = &family->next;
	return true;
}
