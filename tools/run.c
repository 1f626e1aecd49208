// SPDX-License-Identifier: MIT
/*
 * run.c - gpuoa run: run a program that was written for Intel's interfaces, with libgpuoa instead
 * of Intel's libraries
 */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/child.h"
#include "common/tool.h"

static const char help[] =
	"Usage: gpuoa run [--] PROGRAM [ARGUMENT...]\n"
	"\n"
	"Runs a program that gets its metrics from Level Zero or from Intel's Metrics Discovery API,\n"
	"with gpuoa's libigdmd.so.1 and libigdml.so.1 in place of Intel's:\n"
	"\n"
	"  gpuoa run -- unitrace --metric-query ./app\n"
	"\n"
	"It sets ZET_ENABLE_METRICS=1, and puts the directory of the libraries before those of\n"
	"LD_LIBRARY_PATH. GPUOA_LOG=1 prints the reason of each error of the libraries.\n";

/*
 * Directories of the libraries, relative to the directory of gpuoa: in the build tree, and
 * installed
 */
static const char *const places[] = { "../frontend/igdmd", GPUOA_FRONTEND };

/* Returns the directory of the libraries, which the caller frees; NULL: there is none. */
static char *find_libraries(void)
{
	char self[PATH_MAX], path[2 * PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length < 0)
		return NULL;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s/libigdmd.so.1", self, places[i]);
		if (access(path, R_OK))
			continue;
		*strrchr(path, '/') = '\0';
		return realpath(path, NULL);
	}
	return NULL;
}

static int set_environment(const char *libraries)
{
	const char *before = getenv("LD_LIBRARY_PATH");
	char *paths;
	int err;

	if (asprintf(&paths, "%s%s%s", libraries, before && *before ? ":" : "",
		     before ? before : "") < 0)
		return -ENOMEM;
	err = setenv("LD_LIBRARY_PATH", paths, 1) || setenv("ZET_ENABLE_METRICS", "1", 1) ? -errno :
											    0;
	free(paths);
	return err;
}

int cmd_run(struct tool *tool, int argc, char **argv)
{
	char *libraries;
	int exit_code, err;

	tool->help = help;
	if (tool_options(tool, argc, argv, "+", NULL, NULL, NULL, &exit_code) == TOOL_EXIT)
		return exit_code;
	if (optind == argc)
		return usage(tool, "which program?");
	exit_code = child_check(argv + optind);
	if (exit_code)
		return exit_code;
	libraries = find_libraries();
	if (!libraries)
		return fail("gpuoa run: there is no libigdmd.so.1; install the package "
			    "libgpuoa-igdmd, or make install again");
	err = set_environment(libraries);
	free(libraries);
	if (err)
		return fail("gpuoa run: cannot set the environment: %s", strerror(-err));
	execvp(argv[optind], argv + optind);
	return fail("cannot execute %s: %s", argv[optind], strerror(errno));
}
