// SPDX-License-Identifier: MIT
/*
 * suggest.c - "did you mean": the name closest to a mistyped one
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/suggest.h"

#define NAME_MAX_LENGTH 64

static size_t min3(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Return the Levenshtein distance, ignoring case. */
static size_t distance(const char *a, const char *b)
{
	const size_t a_length = strlen(a), b_length = strlen(b);
	size_t row[NAME_MAX_LENGTH + 1];

	if (b_length > NAME_MAX_LENGTH)
		return a_length + b_length;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 0; i < a_length; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < b_length; j++) {
			const bool differ = tolower((unsigned char)a[i]) !=
					    tolower((unsigned char)b[j]);
			const size_t here = min3(row[j] + 1, row[j + 1] + 1, diagonal + differ);

			diagonal = row[j + 1];
			row[j + 1] = here;
		}
	}
	return row[b_length];
}

struct suggestion suggest_begin(const char *wanted)
{
	return (struct suggestion){ .wanted = wanted, .distance = strlen(wanted) / 3 + 2 };
}

void suggest_offer(struct suggestion *suggestion, const char *name)
{
	const size_t length = strlen(suggestion->wanted);
	/* A prefix of a name counts as one wrong letter. */
	const size_t d = length >= 3 && !strncasecmp(name, suggestion->wanted, length) ?
				 1 :
				 distance(suggestion->wanted, name);

	if (d >= suggestion->distance)
		return;
	suggestion->distance = d;
	suggestion->best = name;
}
