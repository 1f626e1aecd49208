// SPDX-License-Identifier: MIT
/*
 * delta.c - delta functions: parse them, and apply them to the raw values at the ends of an
 * interval
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "gpuoa-equation.h"

#define BITS_MAX 64

static int parse_bits(const char *text, uint32_t *bits)
{
	uint32_t value = 0;

	text += strspn(text, " ");
	if (!*text)
		return -EINVAL;
	for (; is_digit(*text) && value <= BITS_MAX; text++)
		value = value * 10 + (uint32_t)(*text - '0');
	if (*text || !value || value > BITS_MAX)
		return -EINVAL;
	*bits = value;
	return 0;
}

int gpuoa_delta_parse(const char *text, uint32_t timestamp_bits, struct gpuoa_delta *delta)
{
	static const struct {
		const char *word;
		enum gpuoa_delta_kind kind;
	} words[] = {
		{ "", GPUOA_DELTA_NONE },     { "OR", GPUOA_DELTA_OR },
		{ "XOR", GPUOA_DELTA_XOR },   { "PREV", GPUOA_DELTA_PREVIOUS },
		{ "LAST", GPUOA_DELTA_LAST }, { "NS_TIME", GPUOA_DELTA_TIME },
	};
	static const char bits[] = "DELTA";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i].word) != 0)
			continue;
		delta->kind = words[i].kind;
		delta->bits = words[i].kind == GPUOA_DELTA_TIME ? timestamp_bits : 0;
		return 0;
	}
	if (strncmp(text, bits, strlen(bits)) != 0 || parse_bits(text + strlen(bits), &delta->bits))
		return -EINVAL;
	delta->kind = GPUOA_DELTA_BITS;
	return 0;
}

uint64_t gpuoa_delta_value(struct gpuoa_delta delta, uint64_t previous, uint64_t last)
{
	switch (delta.kind) {
	case GPUOA_DELTA_BITS:
	case GPUOA_DELTA_TIME:
		if (!delta.bits || delta.bits > BITS_MAX)
			return 0;
		return (last - previous) & (UINT64_MAX >> (BITS_MAX - delta.bits));
	case GPUOA_DELTA_OR:
		return (last | previous) != 0;
	case GPUOA_DELTA_XOR:
		return last != previous;
	case GPUOA_DELTA_PREVIOUS:
		return previous;
	case GPUOA_DELTA_LAST:
		return last;
	default:
		return 0;
	}
}
