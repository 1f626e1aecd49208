/* SPDX-License-Identifier: MIT */
/* functions.h - names of the functions of programs, by address */
#ifndef GPUOA_TOOLS_STALLS_FUNCTIONS_H
#define GPUOA_TOOLS_STALLS_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

struct function {
	uint64_t address;
	uint64_t size; /* 0: up to the next one */
	const char *name;
};

/* Functions of a file, sorted by address. A zero-initialized struct is empty. */
struct functions {
	struct function *list;
	size_t count;
	char *text; /* that contains the names */
};

/*
 * Read the functions of an ELF file: its table of symbols, or that of its debug file below
 * /usr/lib/debug, or the dynamic symbols of the file. On failure, and if the file has none, the
 * list is empty. It is also empty if gpuoa was built without elfutils.
 */
#ifdef HAVE_ELFUTILS
void functions_read_elf(struct functions *functions, const char *path);
#else
static inline void functions_read_elf(struct functions *functions, const char *path)
{
	(void)path;
	*functions = (struct functions){ .list = NULL };
}
#endif

/*
 * Read the functions of code that a process generated, from a file in the format of perf
 * (perf-PID.map). The file must belong to this user or to root. On failure, the list is empty.
 */
void functions_read_map(struct functions *functions, const char *path);

/* Sort a list that was read, and keep the largest function of each address. */
void functions_sort(struct functions *functions);

/* Return the name of the function at an address; NULL: there is none. */
const char *functions_find(const struct functions *functions, uint64_t address);

void functions_free(struct functions *functions);

#endif /* GPUOA_TOOLS_STALLS_FUNCTIONS_H */
