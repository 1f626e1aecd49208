// SPDX-License-Identifier: MIT
/* facts.c - Parser of platforms.facts, the reference description of all platforms' metrics */
#include "facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "lib/tests/platforms.facts"

/* Maximum number of lines of each kind */
#define EQUATIONS_MAX 16384
#define KINDS_MAX 4096
#define METRICS_MAX 65536
#define SETS_MAX 4096
#define PLATFORMS_MAX 64

struct event_reader {
	struct facts *facts;
	size_t line;
	size_t equations;
	size_t kinds;
	size_t metrics;
	size_t sets;
};

static void give_up(const struct event_reader *events, const char *what)
{
	printf("Bail out! %s:%zu: %s\n", FILE_NAME, events->line, what);
	exit(1);
}

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory) {
		printf("Bail out! no memory\n");
		exit(1);
	}
	return memory;
}

static char *read_file(void)
{
	FILE *file = fopen(FILE_NAME, "r");
	char *text;
	long size;

	if (!file || fseek(file, 0, SEEK_END)) {
		printf("Bail out! %s: run from the top of the tree\n", FILE_NAME);
		exit(1);
	}
	size = ftell(file);
	rewind(file);
	text = room(size + 1, 1);
	if (fread(text, 1, size, file) != (size_t)size) {
		printf("Bail out! %s: cannot be read\n", FILE_NAME);
		exit(1);
	}
	fclose(file);
	return text;
}

/* Return the next index; fail if there are already @max entries. */
static size_t next(const struct event_reader *events, size_t *count, size_t max)
{
	if (*count == max)
		give_up(events, "too many of these");
	return (*count)++;
}

/* Parse an index between 1 and @count. */
static size_t number(const struct event_reader *events, const char *text, size_t count)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || value > count)
		give_up(events, "not a number of something above");
	return value;
}

static const char *equation(const struct event_reader *events, const char *text)
{
	return events->facts->equations[number(events, text, events->equations)];
}

static void split(const struct event_reader *events, char *rest, const char **fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fields[i] = strsep(&rest, "\t");
	if (!fields[count - 1] || rest)
		give_up(events, "a wrong number of fields");
}

static void read_equation(struct event_reader *events, char *rest)
{
	size_t index = next(events, &events->equations, EQUATIONS_MAX - 1) + 1;

	events->facts->equations[index] = rest;
}

static void read_kind(struct event_reader *events, char *rest)
{
	const char *fields[9];

	split(events, rest, fields, 9);
	events->facts->kinds[next(events, &events->kinds, KINDS_MAX)] = (struct facts_kind){
		.type = fields[0],
		.units = fields[1],
		.semantic = fields[2],
		.usage = fields[3],
		.apis = fields[4],
		.part = fields[5],
		.low = fields[6],
		.high = fields[7],
		.group = fields[8],
	};
}

static void read_metric(struct event_reader *events, char *rest)
{
	const char *fields[6];
	size_t kind;

	split(events, rest, fields, 6);
	kind = number(events, fields[2], events->kinds);
	if (!kind)
		give_up(events, "a metric of no kind");
	events->facts->metrics[next(events, &events->metrics, METRICS_MAX)] = (struct facts_metric){
		.symbol = fields[0],
		.name = fields[1],
		.kind = &events->facts->kinds[kind - 1],
		.equation = equation(events, fields[3]),
		.max = equation(events, fields[4]),
		.availability = equation(events, fields[5]),
	};
}

static void read_platform(struct event_reader *events, char *rest)
{
	size_t index = next(events, &events->facts->platform_count, PLATFORMS_MAX);

	events->facts->platforms[index] = (struct facts_platform){
		.name = rest,
		.sets = &events->facts->sets[events->sets],
	};
}

static void read_set(struct event_reader *events, char *rest)
{
	const char *fields[7];

	if (!events->facts->platform_count)
		give_up(events, "a set of no platform");
	split(events, rest, fields, 7);
	events->facts->sets[next(events, &events->sets, SETS_MAX)] = (struct facts_set){
		.symbol = fields[0],
		.name = fields[1],
		.uuid = fields[2],
		.format = fields[3],
		.apis = fields[4],
		.unit = fields[5],
		.availability = equation(events, fields[6]),
	};
	events->facts->platforms[events->facts->platform_count - 1].set_count++;
}

static struct facts_set *last_set(const struct event_reader *events)
{
	if (!events->sets)
		give_up(events, "it belongs to no set");
	return &events->facts->sets[events->sets - 1];
}

static void read_registers(struct event_reader *events, const char *list, char *rest)
{
	struct facts_set *set = last_set(events);
	size_t index = next(events, &set->register_lists, FACTS_REGISTERS_MAX);
	const char *availability = strsep(&rest, " ");
	const char *count = strsep(&rest, " ");

	if (!rest)
		give_up(events, "a wrong number of fields");
	set->registers[index] = (struct facts_registers){
		.list = list,
		.availability = equation(events, availability),
		.count = strtoul(count, NULL, 10),
		.hash = strtoull(rest, NULL, 16),
	};
}

/* Use metrics "3-7", or "3". */
static void use_range(const struct event_reader *events, struct facts_set *set, char *range)
{
	const char *first = strsep(&range, "-");
	size_t from = number(events, first, events->metrics);
	size_t to = range ? number(events, range, events->metrics) : from;

	if (!from)
		give_up(events, "metrics are numbered from 1 on");
	for (; from <= to; from++)
		set->metrics[next(events, &set->metric_count, FACTS_METRICS_MAX)] =
			&events->facts->metrics[from - 1];
}

static void read_use(struct event_reader *events, char *rest)
{
	struct facts_set *set = last_set(events);
	char *range;

	while ((range = strsep(&rest, " ")))
		use_range(events, set, range);
}

static void read_line(struct event_reader *events, char *line)
{
	char *rest = line;
	const char *word = strsep(&rest, " ");

	if (word[0] == '#' || word[0] == '\0')
		return;
	if (!rest)
		give_up(events, "a word alone");
	if (!strcmp(word, "equation"))
		read_equation(events, rest);
	else if (!strcmp(word, "kind"))
		read_kind(events, rest);
	else if (!strcmp(word, "metric"))
		read_metric(events, rest);
	else if (!strcmp(word, "platform"))
		read_platform(events, rest);
	else if (!strcmp(word, "set"))
		read_set(events, rest);
	else if (!strcmp(word, "use"))
		read_use(events, rest);
	else if (!strcmp(word, "noa") || !strcmp(word, "oa") || !strcmp(word, "flex") ||
		 !strcmp(word, "mert"))
		read_registers(events, word, rest);
	else
		give_up(events, "an unknown word");
}

void facts_read(struct facts *facts)
{
	struct event_reader events = { .facts = facts };
	char *rest, *line;

	*facts = (struct facts){
		.text = read_file(),
		.equations = room(EQUATIONS_MAX, sizeof(*facts->equations)),
		.kinds = room(KINDS_MAX, sizeof(*facts->kinds)),
		.metrics = room(METRICS_MAX, sizeof(*facts->metrics)),
		.sets = room(SETS_MAX, sizeof(*facts->sets)),
		.platforms = room(PLATFORMS_MAX, sizeof(*facts->platforms)),
	};
	facts->equations[0] = "";
	rest = facts->text;
	while ((line = strsep(&rest, "\n"))) {
		events.line++;
		read_line(&events, line);
	}
}

void facts_free(struct facts *facts)
{
	free(facts->platforms);
	free(facts->sets);
	free(facts->metrics);
	free(facts->kinds);
	free(facts->equations);
	free(facts->text);
}

const struct facts_platform *facts_find(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->platform_count; i++)
		if (!strcmp(facts->platforms[i].name, name))
			return &facts->platforms[i];
	return NULL;
}

uint64_t facts_hash(uint64_t hash, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		hash = (hash ^ (word >> 8 * i & 255)) * 0x100000001b3ull;
	return hash;
}
