/* SPDX-License-Identifier: MIT */
/*
 * rawdata_format.h - records in samples that are not the kernel's, but the library's own
 *
 * Documentation/recordings.rst describes them. Their types are those that uapi/gpuoa.h leaves to
 * programs.
 */
#ifndef GPUOA_LIB_SOURCE_RAWDATA_FORMAT_H
#define GPUOA_LIB_SOURCE_RAWDATA_FORMAT_H

#include "uapi/gpuoa.h"

#define TEXT_RECORD (GPUOA_RECORD_PROGRAM + 1)

/* A piece of a text, padded to 8 bytes; the pieces of one kind come in order. */
struct text_record {
	struct gpuoa_record record;
	uint32_t kind; /* enum rawdata_text_kind */
	uint32_t size; /* of this piece, bytes */
	uint64_t offset; /* of this piece in the text */
	uint64_t total; /* size of the text */
};

#define CONTEXT_RECORD (GPUOA_RECORD_PROGRAM + 2)

#define CONTEXT_RECORD_GONE (1U << 0)

/* Whose a context is. */
struct context_record {
	struct gpuoa_record record;
	uint32_t id; /* as reports have it */
	uint32_t flags; /* CONTEXT_RECORD_* */
	uint32_t process;
	uint32_t handle;
	uint64_t client;
	char program[16];
};

#endif /* GPUOA_LIB_SOURCE_RAWDATA_FORMAT_H */
