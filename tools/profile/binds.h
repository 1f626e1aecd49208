/* SPDX-License-Identifier: MIT */
/*
 * binds.h - find the kernels of all processes, by the tracepoint of xe that reports their memory
 *
 * The compute runtime copies kernels into memory of the process that it binds to the GPU, on
 * integrated GPUs. The tracepoint xe_vma_bind reports the GPU address and the address in the
 * process. The memory is compared with the kernels of given files, and of those in the compute
 * runtime's cache.
 */
#ifndef GPUOA_TOOLS_PROFILE_BINDS_H
#define GPUOA_TOOLS_PROFILE_BINDS_H

#include "profile/kernels.h"

#define BINDS_FILES_MAX 64

/* Memory of a process that the GPU can access */
struct bind {
	uint32_t pid;
	uint64_t gpu; /* address */
	uint64_t process; /* address in the process */
	uint64_t size;
	unsigned int attempts; /* number of times that it was searched */
	uint64_t due_ns; /* when it is searched next, CLOCK_MONOTONIC */
};

/* Zero-initialize. */
struct binds {
	char instance[128]; /* directory in tracefs; "": tracing is off */
	int pipe;
	char partial[1024]; /* begin of a line that was not read completely */
	size_t partial_length;
	struct bind *list; /* those that are still searched */
	size_t count;
	size_t room;
	struct bind_code *codes; /* the kernels that are searched for */
	size_t code_count;
	size_t code_room;
	uint32_t *buckets; /* of codes, by their first words; see index_code() */
	uint64_t lost; /* binds of processes that ended before their memory was searched */
	uint64_t overwritten; /* binds that the trace buffer could not hold */
};

/*
 * Read files as kernels_add_files() does. @cache: also those in the cache of the compute runtime.
 * Returns an exit code; prints any error.
 */
int binds_read_files(struct binds *binds, const struct tool *tool, struct kernels *kernels,
		     const char *const *names, size_t count, bool cache);

/* Begin to trace. Returns an exit code; prints any error. */
int binds_begin(struct binds *binds);

/* Read new binds, and search those that are due. @last: search all. Found kernels are added. */
void binds_search(struct binds *binds, struct kernels *kernels, bool last);

/* Stop to trace, and free the memory. */
void binds_end(struct binds *binds);

/*
 * Parse a line of trace_pipe. Returns false if it is no bind of memory of a process. @bind: .pid is
 * that of the thread
 */
bool binds_parse(const char *line, struct bind *bind);

#endif /* GPUOA_TOOLS_PROFILE_BINDS_H */
