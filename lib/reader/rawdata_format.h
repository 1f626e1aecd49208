/* SPDX-License-Identifier: MIT */
/*
 * rawdata_format.h - the library's own record types in samples, in addition to those of the kernel
 *
 * Documentation/reference/recordings.rst describes them. Their types are in the range that
 * uapi/gpuoa.h reserves for programs.
 */
#ifndef GPUOA_LIB_READER_RAWDATA_FORMAT_H
#define GPUOA_LIB_READER_RAWDATA_FORMAT_H

#include "uapi/gpuoa.h"

#define TEXT_RECORD (GPUOA_RECORD_PROGRAM + 1)

/* One part of a text, padded to a multiple of 8 bytes; the parts of a text are stored in order. */
struct text_record {
	struct gpuoa_record record;
	uint32_t kind; /* enum rawdata_text_kind */
	uint32_t size; /* size of this part in bytes */
	uint64_t offset; /* offset of this part in the text */
	uint64_t total; /* size of the whole text */
};

#define CONTEXT_RECORD (GPUOA_RECORD_PROGRAM + 2)

#define CONTEXT_RECORD_GONE (1U << 0)

/* The owner of a context. */
struct context_record {
	struct gpuoa_record record;
	uint32_t id; /* id as in reports */
	uint32_t flags; /* mask of CONTEXT_RECORD_* */
	uint32_t process;
	uint32_t handle;
	uint64_t client;
	char program[16];
};

#endif /* GPUOA_LIB_READER_RAWDATA_FORMAT_H */
