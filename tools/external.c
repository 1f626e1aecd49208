// SPDX-License-Identifier: MIT
/*
 * external.c - subcommands that are separate programs, because they need more libraries than gpuoa
 *
 * gpuoa-top is in the directory GPUOA_LIBEXEC ("" or ending with /), relative to that of gpuoa, so
 * that both can be moved together.
 */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "external.h"

/* The library that each program needs, and its packages */
static const struct {
	const char *command;
	const char *library;
	const char *packages;
} programs[] = {
	{ "top", "ncurses", "libncurses-dev (Debian), ncurses-devel (Fedora) or ncurses (Arch)" },
	{ "plot", "cairo", "libcairo2-dev (Debian), cairo-devel (Fedora) or cairo (Arch)" },
	{ "exporter", "libmicrohttpd",
	  "libmicrohttpd-dev (Debian), libmicrohttpd-devel (Fedora) or libmicrohttpd (Arch)" },
};

/* Return the path of a program. The caller frees it; NULL: no memory, or no /proc. */
static char *path_of(const char *command)
{
	char self[PATH_MAX], *slash, *path;
	const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length < 0)
		return NULL;
	self[length] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	if (asprintf(&path, "%s/" GPUOA_LIBEXEC "gpuoa-%s", self, command) < 0)
		return NULL;
	return path;
}

/* Write the global options to @arguments: at most 2 + 2 * DEFINITIONS_MAX + 2. */
static size_t global_options(const struct tool *tool, char **arguments)
{
	static char device[] = "-d", definitions[] = "-D", json[] = "--json", csv[] = "--csv",
		    quiet[] = "-q";
	size_t n = 0;

	if (tool->device) {
		arguments[n++] = device;
		arguments[n++] = (char *)tool->device;
	}
	for (size_t i = 0; i < tool->definition_count; i++) {
		arguments[n++] = definitions;
		arguments[n++] = (char *)tool->definition_paths[i];
	}
	if (tool->format != OUTPUT_TABLE)
		arguments[n++] = tool->format == OUTPUT_JSON ? json : csv;
	if (tool->quiet)
		arguments[n++] = quiet;
	return n;
}

static int explain(const char *command, const char *path)
{
	if (errno != ENOENT)
		return fail("cannot execute %s: %s", path, strerror(errno));
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (!strcmp(programs[i].command, command))
			return fail("gpuoa %s: not built: needs %s; install %s, and make again",
				    command, programs[i].library, programs[i].packages);
	return fail("gpuoa %s: not installed: there is no %s; make install again", command, path);
}

int external_run(const struct tool *tool, int argc, char **argv)
{
	char *path = path_of(tool->command);
	char **arguments = calloc((size_t)argc + 2 * DEFINITIONS_MAX + 8, sizeof(*arguments));
	int ret = EXIT_FAILED;
	size_t n = 0;

	if (path && arguments) {
		arguments[n++] = path;
		n += global_options(tool, arguments + n);
		for (int i = 1; i < argc; i++)
			arguments[n++] = argv[i];
		execv(path, arguments);
		ret = explain(tool->command, path);
	} else {
		ret = fail("gpuoa %s: cannot find the program: %s; /proc must be mounted",
			   tool->command, strerror(errno));
	}
	free(arguments);
	free(path);
	return ret;
}
