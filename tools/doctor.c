// SPDX-License-Identifier: MIT
/*
 * doctor.c - gpuoa doctor: explain why this process cannot measure, and how to change that
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/lookup.h"
#include "gpuoa-device.h"
#include "common/tool.h"
#include "program.h"

static const char help[] =
	"Usage: gpuoa doctor\n"
	"\n"
	"Checks the requirements of sampling, and prints remedies: a GPU and its driver (i915, xe or\n"
	"gpuoa.ko), device nodes, rights, sysctls, EU stall sampling. The exit status is 1 if something is 'denied', else 0.\n";

#define REMEDY "         -> " /* begins the line of a remedy */

static const char *const verdicts[] = {
	[GPUOA_ACCESS_GRANTED] = "ok",
	[GPUOA_ACCESS_LIMITED] = "limited",
	[GPUOA_ACCESS_DENIED] = "denied",
};

static void print_check(struct output *output, const char *topic, const char *verdict,
			const char *found, const char *remedy)
{
	const struct field fields[] = {
		FIELD_OF_TEXT("topic", NULL, topic),
		FIELD_OF_TEXT("verdict", NULL, verdict),
		FIELD_OF_TEXT("found", NULL, found),
		FIELD_OF_TEXT("remedy", NULL, remedy),
	};

	if (output->format != OUTPUT_TABLE) {
		output_record(output, fields, FIELD_COUNT(fields));
		return;
	}
	printf("%-8s %s\n", verdict, found);
	if (*remedy)
		printf(REMEDY "%s\n", remedy);
}

/* ---- EU stalls: checked by another program, because this one does not use libgpuoa-extra ---- */

static _Noreturn void run_stalls(const char *path, const char *device, int output)
{
	dup2(output, STDOUT_FILENO);
	if (device)
		execl(path, "gpuoa-stalls", "-d", device, "check", (char *)NULL);
	else
		execl(path, "gpuoa-stalls", "check", (char *)NULL);
	_exit(EXIT_FAILED);
}

/* Read the output of gpuoa stalls check. Returns false if there is none. */
static bool ask_stalls(const char *device, char *text, size_t size)
{
	char *path = program_path("stalls");
	ssize_t count, length = 0;
	int pipes[2];
	pid_t pid;

	if (!path || access(path, X_OK) || pipe(pipes)) {
		free(path);
		return false;
	}
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(pipes[0]);
		run_stalls(path, device, pipes[1]);
	}
	close(pipes[1]);
	free(path);
	while (length + 1 < (ssize_t)size &&
	       (count = read(pipes[0], text + length, size - 1 - (size_t)length)) > 0)
		length += count;
	text[length] = '\0';
	close(pipes[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return length;
}

#define VERDICT_WIDTH 8

static void print_stalls(struct output *output, const struct tool *tool)
{
	char text[2048], *found, *remedy;

	if (!ask_stalls(tool->device, text, sizeof(text)) || strlen(text) < VERDICT_WIDTH + 2)
		return;
	found = text + VERDICT_WIDTH + 1;
	text[strcspn(text, " ")] = '\0';
	/* Without EU stall sampling, there is no remedy, and nothing else is affected. */
	if (output->format == OUTPUT_TABLE && tool->quiet && strcmp(text, "limited"))
		return;
	remedy = strstr(found, "\n" REMEDY);
	found[strcspn(found, "\n")] = '\0';
	if (remedy) {
		remedy += strlen("\n" REMEDY);
		remedy[strcspn(remedy, "\n")] = '\0';
	}
	print_check(output, "eu_stalls", text, found, remedy ? remedy : "");
}

static int print_all(const struct tool *tool, const struct gpuoa_access *access, int count)
{
	struct output output;
	int exit_code = EXIT_OK;

	output_begin(&output, tool->format);
	for (int i = 0; i < count; i++) {
		if (access[i].verdict == GPUOA_ACCESS_DENIED)
			exit_code = EXIT_FAILED;
		if (tool->format != OUTPUT_TABLE || !tool->quiet ||
		    access[i].verdict != GPUOA_ACCESS_GRANTED)
			print_check(&output, gpuoa_access_topic_name(access[i].topic),
				    verdicts[access[i].verdict], access[i].found, access[i].remedy);
	}
	print_stalls(&output, tool);
	output_end(&output);
	return exit_code;
}

int cmd_doctor(struct tool *tool, int argc, char **argv)
{
	struct gpuoa_access access[ACCESS_CHECKS_MAX];
	int exit_code, count;

	tool->help = help;
	if (tool_options(tool, argc, argv, "", NULL, NULL, NULL, &exit_code) == TOOL_EXIT)
		return exit_code;
	if (optind < argc)
		return usage(tool, "%s: unexpected", argv[optind]);
	count = gpuoa_check_access(tool->device, access, sizeof(access[0]), ACCESS_CHECKS_MAX);
	if (count < 0)
		return fail("%s: no such OA unit; see 'gpuoa list devices'", tool->device);
	return print_all(tool, access, count < ACCESS_CHECKS_MAX ? count : ACCESS_CHECKS_MAX);
}
