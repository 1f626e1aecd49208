// SPDX-License-Identifier: MIT
/*
 * quantity.c - parsing of numbers with or without a unit
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/quantity.h"

bool parse_number(const char *text, uint64_t *number)
{
	bool hexadecimal;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	errno = 0;
	*number = strtoull(text, &end, hexadecimal ? 16 : 10);
	return !errno && !*end;
}

/*
 * Parse a decimal number, possibly with a fraction, without exponent. Returns the text after it, or
 * NULL.
 */
static const char *parse_decimal(const char *text, double *number)
{
	const size_t whole = strspn(text, "0123456789");
	size_t length = whole;
	char *end;

	if (text[length] == '.')
		length += 1 + strspn(text + length + 1, "0123456789");
	if (!whole && length < 2)
		return NULL;
	*number = strtod(text, &end);
	return end == text + length ? end : NULL;
}

bool parse_duration(const char *text, uint64_t unit_ns, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },	       { "us", NSEC_PER_USEC },	     { "ms", NSEC_PER_MSEC },
		{ "s", NSEC_PER_SEC }, { "min", 60 * NSEC_PER_SEC }, { "h", 3600 * NSEC_PER_SEC },
	};
	const char *rest;
	double number;

	/* Parse whole numbers exactly; a double has only 53 bits. */
	if (unit_ns == 1 && parse_number(text, ns))
		return true;
	rest = parse_decimal(text, &number);
	if (!rest)
		return false;
	for (size_t i = 0; *rest && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(rest, units[i].name))
			continue;
		unit_ns = units[i].ns;
		rest = "";
	}
	number *= unit_ns;
	if (*rest || !(number < 0x1p63))
		return false;
	*ns = (uint64_t)(number + 0.5);
	return true;
}

bool parse_frequency(const char *text, double *hz)
{
	static const char prefixes[] = "kMG";
	const char *rest = parse_decimal(text, hz), *prefix;

	if (!rest)
		return false;
	prefix = *rest ? strchr(prefixes, *rest) : NULL;
	for (long i = 0; prefix && i <= prefix - prefixes; i++)
		*hz *= 1000;
	rest += prefix ? 1 : 0;
	return *hz > 0 && (!*rest || !strcmp(rest, "Hz"));
}
