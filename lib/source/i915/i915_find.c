// SPDX-License-Identifier: MIT
/*
 * i915_find.c - finds the GPUs of which i915 offers the OA unit, and the one
 * that a name means
 */
#include "source/i915/i915_find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/stream/drm_node.h"

#define PREFIX "i915:"
#define CARD "card"

int i915_list_below(const char *root, char (*names)[UNIT_NAME_SIZE], size_t max)
{
	const int n = drm_cards(root, "i915", NULL, 0);
	char(*cards)[DRM_CARD_SIZE] = calloc((size_t)n + 1, sizeof(*cards));
	int count;

	if (!cards)
		return -ENOMEM;
	count = drm_cards(root, "i915", cards, (size_t)n);
	for (int i = 0; i < n && i < count && (size_t)i < max; i++)
		snprintf(names[i], UNIT_NAME_SIZE, PREFIX "%.10s", cards[i] + strlen(CARD));
	free(cards);
	return count;
}

int i915_list(char (*names)[UNIT_NAME_SIZE], size_t max)
{
	return i915_list_below("", names, max);
}

void i915_card(const char *unit, char *card, size_t size)
{
	snprintf(card, size, CARD "%s", unit + strlen(PREFIX));
}

void i915_parent_below(const char *root, const char *unit, char *parent, size_t size)
{
	char card[32];

	i915_card(unit, card, sizeof(card));
	drm_card_parent(root, card, parent, size);
}

void i915_find_parent(const char *unit, char *parent, size_t size)
{
	i915_parent_below("", unit, parent, size);
}

void i915_node(const char *unit, char *path, size_t size)
{
	char card[32];

	i915_card(unit, card, sizeof(card));
	drm_card_node(card, path, size);
}

/* Does @name mean this unit: by its own name, a node of its GPU or that one's
 * address? */
static bool is_called(const char *unit, const char *name)
{
	char card[32];

	if (!strcmp(unit, name))
		return true;
	i915_card(unit, card, sizeof(card));
	return drm_card_is_called(card, name);
}

int i915_find(const char *name, char unit[UNIT_NAME_SIZE])
{
	const int count = i915_list(NULL, 0);
	char(*names)[UNIT_NAME_SIZE];
	int err = -ENOENT, n;

	if (count <= 0)
		return -ENODEV;
	names = calloc((size_t)count, sizeof(*names));
	if (!names)
		return -ENOMEM;
	n = i915_list(names, (size_t)count);
	for (int i = 0; i < n && i < count && err; i++) {
		if (name && !is_called(names[i], name))
			continue;
		memcpy(unit, names[i], UNIT_NAME_SIZE);
		err = 0;
	}
	free(names);
	return err;
}
