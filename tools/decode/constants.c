// SPDX-License-Identifier: MIT
/*
 * constants.c - constants of a GPU that is not in this machine: given by -c, or assumed
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decode/constants.h"
#include "common/lookup.h"

/*
 * Unknown constants are not an error: a mistyped one is noticed as missing, and a file of constants
 * may serve several platforms.
 */
static void ignore_constant(const struct tool *tool, const struct gpuoa_platform *platform,
			    const struct gpuoa_constants *constants, const char *name)
{
	struct suggestion suggestion = suggest_begin(name);
	const size_t count = gpuoa_constants_count(constants);
	uint64_t value;
	/* A constant used by another platform's equations is not mistyped. */
	const bool known = gpuoa_constants_get(constants, name, &value) != -ENOENT;

	for (size_t i = 0; !known && i < count; i++)
		suggest_offer(&suggestion, gpuoa_constants_name(constants, i));
	note(tool, "-c: no metric of %s uses the constant '%s'" SUGGEST_FORMAT "Ignored",
	     gpuoa_platform_title(platform), name, SUGGEST_ARGS(suggestion));
}

static int set_constant(const struct tool *tool, const struct gpuoa_platform *platform,
			struct gpuoa_constants *constants, char *assignment)
{
	char *equals = strchr(assignment, '=');
	uint64_t value;
	int err;

	if (!equals || !parse_number(equals + 1, &value))
		return usage(tool, "-c: cannot read '%s'; give CONSTANT=NUMBER", assignment);
	*equals = '\0';
	err = gpuoa_constants_set(constants, assignment, value);
	if (err == -EINVAL)
		return usage(tool, "-c: %s cannot be %" PRIu64, assignment, value);
	if (err)
		ignore_constant(tool, platform, constants, assignment);
	return EXIT_OK;
}

#define TEXT_SIZE 65536

static int read_constants(struct gpuoa_constants *constants, const char *path)
{
	static char text[TEXT_SIZE];
	FILE *file = fopen(path, "re");
	char error[256];
	size_t length;
	bool failed;

	if (!file)
		return fail("%s: %s", path, strerror(errno));
	length = fread(text, 1, sizeof(text), file);
	failed = ferror(file);
	fclose(file);
	if (failed)
		return fail("%s: cannot read the file", path);
	if (length == sizeof(text) || memchr(text, '\0', length))
		return fail("%s: not a list of constants", path);
	text[length] = '\0';
	if (gpuoa_constants_parse(constants, text, error, sizeof(error)))
		return fail("%s:%s", path, error);
	return EXIT_OK;
}

int constants_from_user(const struct tool *tool, const struct gpuoa_platform *platform,
			char *const *arguments, size_t count, struct gpuoa_constants **constants)
{
	int ret = EXIT_OK;

	if (gpuoa_constants_new(platform, constants))
		return fail("out of memory");
	for (size_t i = 0; i < count && !ret; i++)
		ret = arguments[i][0] == '@' ?
			      read_constants(*constants, arguments[i] + 1) :
			      set_constant(tool, platform, *constants, arguments[i]);
	if (ret)
		gpuoa_constants_free(*constants);
	return ret;
}

/* This constant is always needed, even if no equation of the set uses it. */
static const char timestamp_frequency[] = "GpuTimestampFrequency";

/* Return a constant that the set needs and @given does not have; NULL: none. */
static const char *missing_constant(const struct gpuoa_set *set,
				    const struct gpuoa_constants *given)
{
	uint64_t value;

	if (gpuoa_constants_get(given, timestamp_frequency, &value))
		return timestamp_frequency;
	return gpuoa_calc_missing_constant(set, given, NULL, 0);
}

static enum gpuoa_constant_kind kind_of(const struct gpuoa_constants *constants, const char *name)
{
	struct gpuoa_constant_desc desc;

	for (size_t i = 0; !gpuoa_constants_describe(constants, i, &desc, sizeof(desc)); i++)
		if (!strcmp(desc.name, name))
			return desc.kind;
	return GPUOA_CONSTANT_NUMBER;
}

static void add_assumed(char *list, size_t size, const char *name, enum gpuoa_constant_kind kind,
			uint64_t value)
{
	const size_t length = strlen(list);

	/* Do not list flags: there are dozens, and they follow from the other constants. */
	if (kind == GPUOA_CONSTANT_FLAG)
		return;
	snprintf(list + length, size - length,
		 kind == GPUOA_CONSTANT_MASK ? " %s=0x%" PRIx64 : " %s=%" PRIu64, name, value);
}

/* Copy the constants that are missing in @given from @assumed, and list them. */
static void list_assumed(const struct gpuoa_set *set, struct gpuoa_constants *given,
			 const struct gpuoa_constants *assumed, char *list, size_t size)
{
	const char *name;
	uint64_t value;

	list[0] = '\0';
	while ((name = missing_constant(set, given)) &&
	       !gpuoa_constants_get(assumed, name, &value) &&
	       !gpuoa_constants_set(given, name, value))
		add_assumed(list, size, name, kind_of(assumed, name), value);
}

int constants_assume(const struct tool *tool, const struct gpuoa_set *set,
		     struct gpuoa_constants *constants)
{
	struct gpuoa_constants *given;
	char list[1024];

	if (!missing_constant(set, constants))
		return EXIT_OK;
	if (gpuoa_constants_copy(constants, &given))
		return fail("out of memory");
	if (!gpuoa_constants_assume(constants)) {
		list_assumed(set, given, constants, list, sizeof(list));
		note(tool, "assuming %s, with%s; correct it with -c",
		     gpuoa_constants_part(constants), list);
	}
	gpuoa_constants_free(given);
	return EXIT_OK;
}
