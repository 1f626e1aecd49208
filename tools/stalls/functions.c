// SPDX-License-Identifier: MIT
/* functions.c - names of the functions of programs, by address */
#include "stalls/functions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/file.h"

#define MAP_SIZE_MAX (UINT32_C(1) << 28)

/* Larger functions are first at the same address: the other ones are labels in them. */
static int compare(const void *a, const void *b)
{
	const struct function *one = a, *other = b;

	if (one->address != other->address)
		return one->address < other->address ? -1 : 1;
	return one->size > other->size ? -1 : one->size < other->size;
}

void functions_sort(struct functions *functions)
{
	size_t kept = 0;

	if (functions->count)
		qsort(functions->list, functions->count, sizeof(*functions->list), compare);
	for (size_t i = 0; i < functions->count; i++)
		if (!kept || functions->list[kept - 1].address != functions->list[i].address)
			functions->list[kept++] = functions->list[i];
	functions->count = kept;
}

/* ---- generated code ---- */

/* Parse "START SIZE NAME", the numbers in hexadecimal. */
static bool parse_line(char *line, struct function *function)
{
	char *end, *name;

	function->address = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return false;
	function->size = strtoull(end, &name, 16);
	if (name == end || *name != ' ' || !name[1])
		return false;
	function->name = name + 1;
	return true;
}

static bool is_trusted(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISREG(status.st_mode) &&
	       (!status.st_uid || status.st_uid == geteuid());
}

void functions_read_map(struct functions *functions, const char *path)
{
	size_t size, room = 0;
	char *line, *save;
	void *text;

	*functions = (struct functions){ .list = NULL };
	if (!is_trusted(path) || file_read(path, MAP_SIZE_MAX, &text, &size))
		return;
	functions->text = text;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (functions->count == room) {
			const size_t more = room ? 2 * room : 1024;
			struct function *grown =
				realloc(functions->list, more * sizeof(*functions->list));

			if (!grown)
				break;
			functions->list = grown;
			room = more;
		}
		functions->count += parse_line(line, &functions->list[functions->count]);
	}
	functions_sort(functions);
}

/* ---- all ---- */

const char *functions_find(const struct functions *functions, uint64_t address)
{
	size_t low = 0, high = functions->count;
	const struct function *function;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (functions->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	function = &functions->list[low - 1];
	return !function->size || address - function->address < function->size ? function->name :
										 NULL;
}

void functions_free(struct functions *functions)
{
	free(functions->list);
	free(functions->text);
	*functions = (struct functions){ .list = NULL };
}
