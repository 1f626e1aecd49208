// SPDX-License-Identifier: MIT
/*
 * vgpu.c - client of the control interface of gpuoa-vgpu, for tests in its guest
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vgpu.h"

static char *read_answer(FILE *port)
{
	char line[1024], *text = NULL;
	size_t size;
	FILE *answer = open_memstream(&text, &size);

	if (!answer)
		return NULL;
	while (fgets(line, sizeof(line), port) && *line != '\n')
		fputs(line, answer);
	fclose(answer);

	return text;
}

char *vgpu_ask(const char *question)
{
	const char *path = getenv("GPUOA_VGPU");
	FILE *port = path ? fopen(path, "r+") : NULL;
	char *answer;

	if (!port)
		return NULL;
	setvbuf(port, NULL, _IOLBF, 0);
	fprintf(port, "%s\n", question);
	fflush(port);
	answer = read_answer(port);
	fclose(port);

	return answer;
}

int64_t vgpu_number(const char *answer, const char *name)
{
	size_t n = strlen(name);

	for (; answer && *answer; answer = strchr(answer, '\n'), answer += !!answer)
		if (!strncmp(answer, name, n) && answer[n] == ' ')
			return strtoll(answer + n, NULL, 0);

	return -1;
}

bool vgpu_request(const char *request)
{
	char *answer = vgpu_ask(request);
	bool done = answer && strncmp(answer, "error", 5);

	if (!done)
		printf("# %s: %s", request, answer ?: "no answer\n");
	free(answer);

	return done;
}

uint64_t vgpu_timestamp(void)
{
	char *answer = vgpu_ask("timestamp");
	uint64_t ticks = answer ? strtoull(answer, NULL, 0) : 0;

	free(answer);

	return ticks;
}
