/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-merge.h - read several readers as one, in time order
 *
 * Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_MERGE_H
#define GPUOA_MERGE_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- merging: several readers in time order ------------------------------------------------- */

/** struct gpuoa_merge - Several readers that are read as one, in time order. */
struct gpuoa_merge;

/**
 * struct gpuoa_merge_run - Consecutive reports of one reader that are older than the next reports
 * of all other readers.
 */
struct gpuoa_merge_run {
	uint32_t reader; /* index of the reader in the list of gpuoa_merge_open(), from 0 */
	uint32_t count; /* number of reports; 0: the run has only a status */
	const void *reports; /* the reports, which are valid until the next call */
	/*
	 * Gaps, losses, damaged data and clock pair of this reader since its previous run. .end is
	 * set when all readers of the merge have ended.
	 */
	struct gpuoa_read_status status;
};

/**
 * gpuoa_merge_open() - Read several readers in time order.
 * @readers: @count readers of any units and GPUs, which must outlive the merge. Meanwhile only the
 *   merge may read them
 * @merge: result; close with gpuoa_merge_close()
 *
 * Units of one GPU (the same parent) have one clock. Different GPUs are aligned by clock pairs, to
 * within their errors. Reports of a reader without any clock pair are returned as they are read.
 * Recordings must be of the same machine and boot.
 *
 * Return: 0, or:
 * -EINVAL: no readers; one is NULL, duplicate, in an unknown format, or without clock frequency
 * -E2BIG: more than 65,536 readers
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_merge_open(struct gpuoa_reader *const *readers, uint32_t count,
			       struct gpuoa_merge **merge, char *error, size_t error_size);

GPUOA_API void gpuoa_merge_close(struct gpuoa_merge *merge);

/**
 * gpuoa_merge_next() - Get the next run.
 * @flush: do not wait for readers without data, although older reports may still arrive there; use
 *   it for streams that are disabled or slow
 * @size: sizeof(*run)
 *
 * A run can be returned only if every reader has reports or has ended.
 *
 * Return: 1 with a run; 0 if there is none now, or a negative errno of gpuoa_reader_peek() of
 * reader run->reader. After 0, wait for that reader by gpuoa_reader_wait(), unless run->status.end
 * is set: then all readers have ended. After -ENODEV that reader has ended, and the others
 * continue.
 */
GPUOA_API int gpuoa_merge_next(struct gpuoa_merge *merge, bool flush, struct gpuoa_merge_run *run,
			       size_t size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_MERGE_H */
