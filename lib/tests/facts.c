// SPDX-License-Identifier: MIT
/* facts.c - Parser of platforms.facts, the reference description of all platforms' metrics */
#include "facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "lib/tests/platforms.facts"

/* Maximum number of lines of each kind */
#define EQUATIONS_MAX 4096
#define KINDS_MAX 2048
#define METRICS_MAX 16384
#define SETS_MAX 2048
#define PLATFORMS_MAX 64

struct reader {
	struct facts *facts;
	size_t line;
	size_t equations;
	size_t kinds;
	size_t metrics;
	size_t sets;
};

static void give_up(const struct reader *reader, const char *what)
{
	printf("Bail out! %s:%zu: %s\n", FILE_NAME, reader->line, what);
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
static size_t next(const struct reader *reader, size_t *count, size_t max)
{
	if (*count == max)
		give_up(reader, "too many of these");
	return (*count)++;
}

/* Parse an index between 1 and @count. */
static size_t number(const struct reader *reader, const char *text, size_t count)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || value > count)
		give_up(reader, "not a number of something above");
	return value;
}

static const char *equation(const struct reader *reader, const char *text)
{
	return reader->facts->equations[number(reader, text, reader->equations)];
}

static void split(const struct reader *reader, char *rest, const char **fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fields[i] = strsep(&rest, "\t");
	if (!fields[count - 1] || rest)
		give_up(reader, "a wrong number of fields");
}

static void read_equation(struct reader *reader, char *rest)
{
	size_t index = next(reader, &reader->equations, EQUATIONS_MAX - 1) + 1;

	reader->facts->equations[index] = rest;
}

static void read_kind(struct reader *reader, char *rest)
{
	const char *fields[9];

	split(reader, rest, fields, 9);
	reader->facts->kinds[next(reader, &reader->kinds, KINDS_MAX)] = (struct facts_kind){
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

static void read_metric(struct reader *reader, char *rest)
{
	const char *fields[6];
	size_t kind;

	split(reader, rest, fields, 6);
	kind = number(reader, fields[2], reader->kinds);
	if (!kind)
		give_up(reader, "a metric of no kind");
	reader->facts->metrics[next(reader, &reader->metrics, METRICS_MAX)] = (struct facts_metric){
		.symbol = fields[0],
		.name = fields[1],
		.kind = &reader->facts->kinds[kind - 1],
		.equation = equation(reader, fields[3]),
		.max = equation(reader, fields[4]),
		.availability = equation(reader, fields[5]),
	};
}

static void read_platform(struct reader *reader, char *rest)
{
	size_t index = next(reader, &reader->facts->platform_count, PLATFORMS_MAX);

	reader->facts->platforms[index] = (struct facts_platform){
		.name = rest,
		.sets = &reader->facts->sets[reader->sets],
	};
}

static void read_set(struct reader *reader, char *rest)
{
	const char *fields[7];

	if (!reader->facts->platform_count)
		give_up(reader, "a set of no platform");
	split(reader, rest, fields, 7);
	reader->facts->sets[next(reader, &reader->sets, SETS_MAX)] = (struct facts_set){
		.symbol = fields[0],
		.name = fields[1],
		.uuid = fields[2],
		.format = fields[3],
		.apis = fields[4],
		.unit = fields[5],
		.availability = equation(reader, fields[6]),
	};
	reader->facts->platforms[reader->facts->platform_count - 1].set_count++;
}

static struct facts_set *last_set(const struct reader *reader)
{
	if (!reader->sets)
		give_up(reader, "it belongs to no set");
	return &reader->facts->sets[reader->sets - 1];
}

static void read_registers(struct reader *reader, const char *list, char *rest)
{
	struct facts_set *set = last_set(reader);
	size_t index = next(reader, &set->register_lists, FACTS_REGISTERS_MAX);
	const char *availability = strsep(&rest, " ");
	const char *count = strsep(&rest, " ");

	if (!rest)
		give_up(reader, "a wrong number of fields");
	set->registers[index] = (struct facts_registers){
		.list = list,
		.availability = equation(reader, availability),
		.count = strtoul(count, NULL, 10),
		.hash = strtoull(rest, NULL, 16),
	};
}

/* Use metrics "3-7", or "3". */
static void use_range(const struct reader *reader, struct facts_set *set, char *range)
{
	const char *first = strsep(&range, "-");
	size_t from = number(reader, first, reader->metrics);
	size_t to = range ? number(reader, range, reader->metrics) : from;

	if (!from)
		give_up(reader, "metrics are numbered from 1 on");
	for (; from <= to; from++)
		set->metrics[next(reader, &set->metric_count, FACTS_METRICS_MAX)] =
			&reader->facts->metrics[from - 1];
}

static void read_use(struct reader *reader, char *rest)
{
	struct facts_set *set = last_set(reader);
	char *range;

	while ((range = strsep(&rest, " ")))
		use_range(reader, set, range);
}

static void read_line(struct reader *reader, char *line)
{
	char *rest = line;
	const char *word = strsep(&rest, " ");

	if (word[0] == '#' || word[0] == '\0')
		return;
	if (!rest)
		give_up(reader, "a word alone");
	if (!strcmp(word, "equation"))
		read_equation(reader, rest);
	else if (!strcmp(word, "kind"))
		read_kind(reader, rest);
	else if (!strcmp(word, "metric"))
		read_metric(reader, rest);
	else if (!strcmp(word, "platform"))
		read_platform(reader, rest);
	else if (!strcmp(word, "set"))
		read_set(reader, rest);
	else if (!strcmp(word, "use"))
		read_use(reader, rest);
	else if (!strcmp(word, "noa") || !strcmp(word, "oa") || !strcmp(word, "flex") ||
		 !strcmp(word, "mert"))
		read_registers(reader, word, rest);
	else
		give_up(reader, "an unknown word");
}

void facts_read(struct facts *facts)
{
	struct reader reader = { .facts = facts };
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
		reader.line++;
		read_line(&reader, line);
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
