// SPDX-License-Identifier: MIT
/*
 * bound.c - a process with a file in its memory, for tests of gpuoa stalls record --zebin: prints
 * its process ID, the address and the size, and waits until standard input is closed
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct stat status;
	void *memory;
	char byte;

	if (fd < 0 || fstat(fd, &status))
		return 1;
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (memory == MAP_FAILED)
		return 1;
	printf("%d %p %ld\n", (int)getpid(), memory, (long)status.st_size);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
