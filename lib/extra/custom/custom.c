// SPDX-License-Identifier: MIT
/* custom.c - user-defined sets and metrics: lookup, removal, texts, equations, options, UUIDs */
#define _GNU_SOURCE /* asprintf() */
#include "extra/custom/custom.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/complaint.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "definitions/language/infix.h"
#include "extra/custom/prototypes.h"
#include "extra/custom/uuid.h"
#include "gpuoa-custom.h"

/* Add the bytes of a word to a hash. */
static uint64_t hash_word(uint64_t hash, uint32_t word)
{
	for (int i = 0; i < 4; i++, word >>= 8)
		hash = hash64_byte(hash, word & 0xff);
	return hash;
}

static uint64_t hash_set(const struct set_definition *set, uint64_t hash)
{
	hash = hash_word(hash, set->format);
	for (const struct register_list *list = set->registers; list; list = list->next) {
		hash = hash_word(hash, list->kind);
		for (const char *c = list->condition.text; c && *c; c++)
			hash = hash_word(hash, (unsigned char)*c);
		for (uint32_t i = 0; i < list->count; i++) {
			hash = hash_word(hash, list->registers[i].address);
			hash = hash_word(hash, list->registers[i].value);
		}
	}
	return hash;
}

const char *custom_uuid(struct gpuoa_custom *custom, const struct set_definition *set)
{
	const uint64_t high = hash_set(set, HASH64_BEGIN);
	const uint64_t low = hash_set(set, high);
	char text[37];

	snprintf(text, sizeof(text), "%08" PRIx32 "-%04x-8%03x-%04x-%012" PRIx64,
		 (uint32_t)(high >> 32), (unsigned int)(high >> 16) & 0xffff,
		 (unsigned int)high & 0xfff, 0x8000 | ((unsigned int)(low >> 48) & 0x3fff),
		 low & UINT64_C(0xffffffffffff));
	return custom_string(custom, text);
}

static const struct gpuoa_option_choice threads[] = {
	{ 0, "all", "of all stages" },	    { 1, "vs", "of vertex shaders" },
	{ 2, "hs", "of hull shaders" },	    { 3, "ds", "of domain shaders" },
	{ 4, "gs", "of geometry shaders" }, { 5, "ps", "of pixel shaders" },
	{ 6, "cs", "of compute shaders" },
};

static const struct gpuoa_option_choice rows[] = {
	{ 0, "all", "of all rows" },
	{ 1, "row0", "of the first row of each subslice" },
	{ 2, "row1", "of the second row of each subslice" },
};

static const struct gpuoa_option_choice eus[] = {
	{ 0, "all", "of all EUs" },
	{ 1, "eu0", "of the first of four EUs" },
	{ 2, "eu1", "of the second of four EUs" },
	{ 3, "eu2", "of the third of four EUs" },
	{ 4, "eu3", "of the fourth of four EUs" },
};

static const struct gpuoa_option_choice instructions[] = {
	{ 0, "all", "of all instructions" },
	{ 1, "hybrid", "of hybrid instructions" },
	{ 2, "ternary", "of instructions with three operands" },
	{ 3, "binary", "of instructions with two operands" },
	{ 4, "move", "of moves" },
};

static const struct gpuoa_option_choice flags[] = {
	{ 0, "no", "as it is" },
	{ 1, "yes", "normalized" },
};

#define CHOICES(array) .choices = array, .choice_count = sizeof(array) / sizeof((array)[0])

static const struct gpuoa_option_desc descs[] = {
	{ .option = GPUOA_OPTION_THREADS,
	  .symbol = "threads",
	  .description = "Whose threads count.",
	  CHOICES(threads) },
	{ .option = GPUOA_OPTION_ROW,
	  .symbol = "row",
	  .description = "The row of EUs that counts.",
	  CHOICES(rows) },
	{ .option = GPUOA_OPTION_EU,
	  .symbol = "eu",
	  .description = "The EU of each four that counts.",
	  CHOICES(eus) },
	{ .option = GPUOA_OPTION_INSTRUCTIONS,
	  .symbol = "instructions",
	  .description = "The kind of instructions that counts.",
	  CHOICES(instructions) },
	{ .option = GPUOA_OPTION_DISAGGREGATION,
	  .symbol = "disaggregation",
	  /* prototypes_set_parts() adds the choices */
	  .description = "The part of the GPU that counts." },
	{ .option = GPUOA_OPTION_UTILIZATION,
	  .symbol = "utilization",
	  .description = "Percent of the most that the units that count could do.",
	  CHOICES(flags),
	  .normalization = true },
	{ .option = GPUOA_OPTION_AVERAGE,
	  .symbol = "average",
	  .description = "Of one of the units that count, on average.",
	  CHOICES(flags),
	  .normalization = true },
	{ .option = GPUOA_OPTION_RATE,
	  .symbol = "rate",
	  .description = "Per nanosecond; of bytes, 10^9 bytes a second.",
	  CHOICES(flags),
	  .normalization = true },
	{ .option = GPUOA_OPTION_BYTE,
	  .symbol = "byte",
	  .description = "In bytes, of which each event moves 64.",
	  CHOICES(flags),
	  .normalization = true },
};

const struct gpuoa_option_desc *option_desc(enum gpuoa_option option)
{
	return (size_t)option < sizeof(descs) / sizeof(descs[0]) ? &descs[option] : NULL;
}

const struct gpuoa_option_desc *prototype_find_option(const struct prototypes *prototypes,
						      const struct prototype *prototype,
						      enum gpuoa_option option)
{
	return option == GPUOA_OPTION_DISAGGREGATION && prototype->part != PART_NONE ?
		       &prototypes->parts[prototype->part] :
		       option_desc(option);
}

const struct gpuoa_option_desc *prototype_option(const struct prototypes *prototypes,
						 const struct prototype *prototype, size_t index)
{
	for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++)
		if (prototype->options & 1u << descs[i].option && !index--)
			return prototype_find_option(prototypes, prototype, descs[i].option);
	return NULL;
}

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		const ssize_t written = write(fd, text, size);

		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			text += written;
			size -= (size_t)written;
		}
	}
	return 0;
}

/* Write the text to @temporary, then rename it to @path. */
static int replace_file(const char *path, const char *temporary, const char *text, size_t size)
{
	const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, text, size);
	if (!err && fsync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(temporary, path))
		err = -errno;
	if (err)
		unlink(temporary);
	return err;
}

/* Write to a device or a pipe, which must not be replaced. */
static int write_special(const char *path, const char *text, size_t size)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, text, size);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

static int save_text(const char *path, const char *text, size_t size)
{
	/* The file that links lead to is replaced, instead of a link. */
	char *target = realpath(path, NULL), *temporary;
	const char *name = target ? target : path;
	struct stat status;
	int err = -ENOMEM;

	if (target && !stat(target, &status) && !S_ISREG(status.st_mode)) {
		err = write_special(target, text, size);
	} else if (asprintf(&temporary, "%s.%ld", name, (long)getpid()) >= 0) {
		err = replace_file(name, temporary, text, size);
		free(temporary);
	}
	free(target);
	return err;
}

int gpuoa_platform_save(const struct gpuoa_platform *platform, const char *path, char *error,
			size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	const size_t size = gpuoa_platform_text(platform, NULL, 0);
	char *text = malloc(size + 1);
	int err = -ENOMEM;

	if (text) {
		gpuoa_platform_text(platform, text, size + 1);
		err = save_text(path, text, size);
	}
	free(text);
	return err ? COMPLAIN(&complaint, err, "%s: %s", path, strerror(-err)) : 0;
}

int gpuoa_custom_new(const struct gpuoa_platform *platform, struct gpuoa_custom **custom)
{
	struct gpuoa_custom *new = calloc(1, sizeof(*new));

	if (!new)
		return -ENOMEM;
	new->platform = platform;
	new->definition.file = gpuoa_platform_name(platform);
	new->definition.name = gpuoa_platform_name(platform);
	new->definition.title = gpuoa_platform_title(platform);
	if (prototypes_find(platform, &new->arena, &new->prototypes)) {
		gpuoa_custom_free(new);
		return -ENOMEM;
	}
	*custom = new;
	return 0;
}

void gpuoa_custom_free(struct gpuoa_custom *custom)
{
	if (!custom)
		return;
	arena_free(&custom->arena);
	free(custom);
}

const char *custom_string(struct gpuoa_custom *custom, const char *text)
{
	return arena_string(&custom->arena, text, strlen(text));
}

int custom_check_text(const char *text, const char *what, const struct complaint *complaint)
{
	if (utf8_find_invalid(text, strlen(text)))
		return COMPLAIN(complaint, -EINVAL, "%s is not UTF-8", what);
	for (const char *c = text; *c; c++)
		if (*c == '"' || (unsigned char)*c < ' ' || *c == 0x7f)
			return COMPLAIN(complaint, -EINVAL,
					"%s has a quote or a control character in it", what);
	return 0;
}

static bool is_meant(const struct set_definition *set, const char *name)
{
	const char *slash = strchr(name, '/');
	const size_t unit = slash ? (size_t)(slash - name) : 0;

	if (!slash)
		return !strcmp(set->symbol, name);
	return strlen(set->unit) == unit && !memcmp(set->unit, name, unit) &&
	       !strcmp(set->symbol, slash + 1);
}

struct custom_set *custom_find(const struct gpuoa_custom *custom, const struct custom_set *after,
			       const char *name)
{
	struct custom_set *set = after ? after->next : custom->sets;

	while (set && !is_meant(set->definition, name))
		set = set->next;
	return set;
}

void custom_append(struct gpuoa_custom *custom, struct custom_set *set)
{
	struct custom_set **tail = &custom->sets;

	while (*tail)
		tail = &(*tail)->next;
	*tail = set;
}

struct metric_use *custom_find_use(const struct custom_set *set, const char *symbol)
{
	struct metric_use *use = set->definition->uses;

	while (use && strcmp(use->symbol, symbol))
		use = use->next;
	return use;
}

/* Parse an equation, which must be the whole text. */
static bool read_equation(struct parser *parser, const struct source_file *source, const char *text,
			  struct equation *equation, struct diagnostic *diagnostic)
{
	lexer_init(&parser->lexer, source, text, strlen(text), diagnostic);
	return parse_equation(parser, equation) &&
	       (parser->lexer.token.kind == TOKEN_END ||
		parser_expected(parser, "an operator or the end of the equation"));
}

int custom_equation(struct gpuoa_custom *custom, const char *text, const char *what,
		    struct equation *equation, const struct complaint *complaint)
{
	struct parser parser = { .arena = &custom->arena };
	struct source_file *source;
	const char *copy;

	*equation = (struct equation){ 0 };
	if (!text || !*text)
		return 0;
	source = arena_alloc(&custom->arena, sizeof(*source));
	copy = custom_string(custom, text);
	if (!source || !copy)
		return -ENOMEM;
	source->path = custom_string(custom, what);
	if (!source->path)
		return -ENOMEM;
	custom->diagnostic.text[0] = '\0';
	if (read_equation(&parser, source, copy, equation, &custom->diagnostic))
		return 0;
	if (parser.no_memory)
		return -ENOMEM;
	diagnostic_complain(complaint, -EINVAL, what, &custom->diagnostic);
	return -EINVAL;
}

void custom_displace(struct gpuoa_custom *custom, const struct custom_set *set,
		     const struct metric_use *use)
{
	for (struct instance *i = custom->instances; i; i = i->next) {
		if (i->set != set || (use && i->use != use))
			continue;
		i->set = NULL;
		i->use = NULL;
	}
}

static void remove_set(struct gpuoa_custom *custom, const struct custom_set *set)
{
	struct custom_set **link = &custom->sets;

	while (*link != set)
		link = &(*link)->next;
	*link = set->next;
}

static void remove_use(const struct custom_set *set, const struct metric_use *use)
{
	struct metric_use **link = &set->definition->uses;

	while (*link != use)
		link = &(*link)->next;
	*link = use->next;
}

int gpuoa_custom_remove(struct gpuoa_custom *custom, const char *set, const char *metric)
{
	struct custom_set *found = custom_find(custom, NULL, set), *next;
	bool there = found, removed = false;

	for (; found; found = next) {
		const struct metric_use *use = metric ? custom_find_use(found, metric) : NULL;

		next = custom_find(custom, found, set);
		if (metric && !use)
			continue;
		custom_displace(custom, found, use);
		if (use)
			remove_use(found, use);
		else
			remove_set(custom, found);
		removed = true;
	}
	return removed ? 0 : there ? -ENODATA : -ENOENT;
}
