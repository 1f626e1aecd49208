// SPDX-License-Identifier: MIT
/*
 * xe_find.c - finds the OA units that xe offers, and the one that a name means
 */
#include "source/xe/xe_find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/stream/drm_node.h"
#include "source/xe/xe_query.h"

#define PREFIX "xe:"
#define CARD "card"
#define CARDS_MAX 64

/* Units of a GPU: xe alone can tell. Whoever may not ask it is told of the
 * first. */
static int count_units(const char *card)
{
	char node[32];
	int fd, count;

	drm_card_node(card, node, sizeof(node));
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return 1;
	count = xe_query_units(fd);
	close(fd);
	return count < 0 ? 1 : count;
}

static void name_unit(char name[UNIT_NAME_SIZE], const char *card, int index)
{
	if (index)
		snprintf(name, UNIT_NAME_SIZE, PREFIX "%.6s.%d", card + strlen(CARD), index & 0xff);
	else
		snprintf(name, UNIT_NAME_SIZE, PREFIX "%.6s", card + strlen(CARD));
}

int xe_list(char (*names)[UNIT_NAME_SIZE], size_t max)
{
	char cards[CARDS_MAX][DRM_CARD_SIZE];
	const int n = drm_cards("", "xe", cards, CARDS_MAX);
	size_t count = 0;

	for (int i = 0; i < n && i < CARDS_MAX; i++) {
		const int units = count_units(cards[i]);

		for (int j = 0; j < units; j++, count++)
			if (count < max)
				name_unit(names[count], cards[i], j);
	}
	return (int)count;
}

void xe_place(const char *unit, char *card, size_t size, uint32_t *index)
{
	const char *number = unit + strlen(PREFIX);
	const char *dot = strchr(number, '.');

	snprintf(card, size, CARD "%.*s", dot ? (int)(dot - number) : (int)strlen(number), number);
	*index = dot ? (uint32_t)strtoul(dot + 1, NULL, 10) : 0;
}

void xe_node(const char *unit, char *path, size_t size)
{
	uint32_t index;
	char card[32];

	xe_place(unit, card, sizeof(card), &index);
	drm_card_node(card, path, size);
}

void xe_find_parent(const char *unit, char *parent, size_t size)
{
	uint32_t index;
	char card[32];

	xe_place(unit, card, sizeof(card), &index);
	drm_card_parent("", card, parent, size);
}

/* By its own name; its GPU's means the first. */
static bool is_called(const char *unit, const char *name)
{
	uint32_t index;
	char card[32];

	if (!strcmp(unit, name))
		return true;
	xe_place(unit, card, sizeof(card), &index);
	return !index && drm_card_is_called(card, name);
}

int xe_find(const char *name, char unit[UNIT_NAME_SIZE])
{
	const int count = xe_list(NULL, 0);
	char(*names)[UNIT_NAME_SIZE];
	int err = -ENOENT, n;

	if (count <= 0)
		return -ENODEV;
	names = calloc((size_t)count, sizeof(*names));
	if (!names)
		return -ENOMEM;
	n = xe_list(names, (size_t)count);
	for (int i = 0; i < n && i < count && err; i++) {
		if (name && !is_called(names[i], name))
			continue;
		memcpy(unit, names[i], UNIT_NAME_SIZE);
		err = 0;
	}
	free(names);
	return err;
}
