/* SPDX-License-Identifier: MIT */
/* second.h - a second process that uses the GPU while the test does */
#ifndef GPUOA_IGDMD_TESTS_SECOND_H
#define GPUOA_IGDMD_TESTS_SECOND_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct second {
	pid_t pid;
	int ends[2]; /* pipe */
};

/* Create a process that will call @function. Returns false on failure. */
static inline bool second_begin(struct second *second, bool (*function)(int fd), int fd)
{
	char byte;

	if (pipe(second->ends))
		return false;
	fflush(stdout);
	second->pid = fork();
	if (!second->pid) {
		/* It must not wait for itself if the first process exits without second_run(). */
		close(second->ends[1]);
		_exit(read(second->ends[0], &byte, 1) == 1 && function(fd) ? 0 : 1);
	}
	return second->pid > 0;
}

/* Let the process call its function. Returns the result of the function. */
static inline bool second_run(struct second *second)
{
	int status = -1;
	const bool told = write(second->ends[1], "", 1) == 1;

	close(second->ends[0]);
	close(second->ends[1]);
	return waitpid(second->pid, &status, 0) == second->pid && told && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

/* In the second process: return true if a message names the first one. */
static inline bool names_first(const char *message, const char *program)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", (int)getppid());
	return strstr(message, program) && strstr(message, number);
}

#endif /* GPUOA_IGDMD_TESTS_SECOND_H */
