/* SPDX-License-Identifier: MIT */
/* source_file.h - reads a definition file into memory */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_SOURCE_FILE_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_SOURCE_FILE_H

#include <stddef.h>

#include "definitions/language/definition.h"

/* Maximum size of a file. The largest file of the vendor has 3 MiB. */
#define SOURCE_SIZE_MAX (16 << 20)

/*
 * Read @path into memory, to be released with free(). Returns 0, an error of open(2) or read(2),
 * -ESPIPE if it is not a regular file, or -EFBIG.
 */
int source_file_read(const char *path, char **text, size_t *size, struct source_file *identity);

/* Describe an error of source_file_read(). Returns a static string. */
const char *source_file_error(int err);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_SOURCE_FILE_H */
