// SPDX-License-Identifier: MIT
/* hook.c - find the kernels that a command loads, by libgpuoa-ze.so */
#include "stalls/hook.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library is in the directory of this program. */
static bool find_library(char path[PATH_MAX])
{
	static const char name[] = "libgpuoa-ze.so";
	const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof(name));
	char *slash;

	if (length < 0)
		return false;
	path[length] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return false;
	strcpy(slash + 1, name);
	/* Both characters separate the libraries of LD_PRELOAD. */
	return !access(path, R_OK) && !strpbrk(path, " :");
}

int hook_begin(struct hook *hook, bool stacks)
{
	const char *others = getenv("LD_PRELOAD"), *parent = getenv("TMPDIR");
	char library[PATH_MAX], *list;
	size_t size;

	*hook = (struct hook){ .stacks = stacks };
	if (!find_library(library))
		return stacks ? fail("-g: cannot find libgpuoa-ze.so, which is installed "
				     "alongside gpuoa-stalls") :
				EXIT_OK;
	/* The command can change its directory, so the path must be absolute. */
	if ((size_t)snprintf(hook->directory, sizeof(hook->directory), "%s/gpuoa-XXXXXX",
			     parent && *parent == '/' ? parent : "/tmp") >=
		    sizeof(hook->directory) ||
	    !mkdtemp(hook->directory)) {
		*hook->directory = '\0';
		return fail("cannot create a directory for the kernels of the command: %s",
			    strerror(errno));
	}
	size = strlen(library) + (others ? strlen(others) : 0) + 2;
	list = malloc(size);
	if (!list)
		return fail("out of memory");
	/* A sanitizer has to stay the first library. */
	snprintf(list, size, "%s%s%s", others ? others : "", others && *others ? ":" : "", library);
	setenv("LD_PRELOAD", list, 1);
	setenv("GPUOA_ZE_DIR", hook->directory, 1);
	if (stacks)
		setenv("GPUOA_ZE_STACKS", "1", 1);
	free(list);
	return EXIT_OK;
}

static bool has_suffix(const char *name, const char *suffix)
{
	const size_t length = strlen(name), end = strlen(suffix);

	return length > end && !strcmp(name + length - end, suffix);
}

void hook_read(const struct hook *hook, struct kernels *kernels)
{
	DIR *directory = *hook->directory ? opendir(hook->directory) : NULL;
	const struct dirent *entry;
	char path[sizeof(hook->directory) + NAME_MAX + 2];
	const size_t before = kernels->load_count;

	while (directory && (entry = readdir(directory))) {
		snprintf(path, sizeof(path), "%s/%s", hook->directory, entry->d_name);
		/* An error was printed; the kernels before it are used. */
		if (has_suffix(entry->d_name, ".csv"))
			kernels_read(kernels, path);
	}
	/* The path does not outlive the list. */
	for (size_t i = before; i < kernels->load_count; i++)
		kernels->loads[i].origin = hook->directory;
	if (directory)
		closedir(directory);
}

void hook_end(struct hook *hook)
{
	DIR *directory = *hook->directory ? opendir(hook->directory) : NULL;
	const int fd = directory ? dirfd(directory) : -1;
	const struct dirent *entry;

	while (fd >= 0 && (entry = readdir(directory)))
		if (has_suffix(entry->d_name, ".csv") || has_suffix(entry->d_name, ".zebin") ||
		    has_suffix(entry->d_name, ".stacks") || has_suffix(entry->d_name, ".counts"))
			unlinkat(fd, entry->d_name, 0);
	if (directory)
		closedir(directory);
	if (*hook->directory)
		rmdir(hook->directory);
	*hook->directory = '\0';
}
