// SPDX-License-Identifier: MIT
/* names.c - checks of names and UUIDs in definitions */
#include "definitions/language/names.h"

#include <string.h>

#include "base/chars.h"

/* Returns whether a name is that of a hardware counter, such as "A12" or "PEC3". */
static bool is_counter_name(const char *name)
{
	static const char *const banks[] = { "A", "B", "C", "PEC", "PERFCNT" };

	for (size_t i = 0; i < sizeof(banks) / sizeof(banks[0]); i++) {
		const size_t length = strlen(banks[i]);
		const char *digits = name + length;

		if (!strncmp(name, banks[i], length) && *digits &&
		    !digits[strspn(digits, "0123456789")])
			return true;
	}
	return false;
}

const char *symbol_meaning(const char *name)
{
	static const char *const words[] = { "TIMESTAMP", "CLOCK", "REPORT_ID", "CONTEXT_ID",
					     "QueryMode" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(name, words[i]))
			return "this name has a meaning of its own in equations";
	return is_counter_name(name) ? "this name is one of a hardware counter" : NULL;
}

bool symbol_is_valid(const char *symbol)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz0123456789_";

	return *symbol >= 'A' && *symbol <= 'Z' && !symbol[strspn(symbol, letters)];
}

bool symbol_is_free(const char *symbol)
{
	return symbol_is_valid(symbol) && !symbol_meaning(symbol);
}

bool uuid_is_valid(const char *uuid)
{
	for (size_t i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		char c = uuid[i];

		if (dash ? c != '-' : !(is_digit(c) || (c >= 'a' && c <= 'f')))
			return false;
	}
	return !uuid[36];
}
