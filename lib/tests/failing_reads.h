/* SPDX-License-Identifier: MIT */
/* failing_reads.h - pread(2) for tests: counts bytes, and fails or returns less on request */
#ifndef GPUOA_LIB_TESTS_FAILING_READS_H
#define GPUOA_LIB_TESTS_FAILING_READS_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	size_t bytes; /* that were read */
	size_t most; /* maximum size of a read at .from or later; 0: no limit */
	off_t from;
	unsigned int fail_at; /* number of the call that fails, counted from 1; 0: none */
	off_t end; /* the file was truncated here in the meantime; 0: it was not */
} reads;

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
	ssize_t n;

	if (reads.fail_at && !--reads.fail_at) {
		errno = EIO;
		return -1;
	}
	if (reads.end && offset >= reads.end)
		return 0;
	if (reads.end && size > (size_t)(reads.end - offset))
		size = (size_t)(reads.end - offset);
	if (reads.most && offset >= reads.from && size > reads.most)
		size = reads.most;
	n = syscall(SYS_pread64, fd, to, size, offset);
	reads.bytes += n > 0 ? (size_t)n : 0;
	return n;
}

#endif /* GPUOA_LIB_TESTS_FAILING_READS_H */
