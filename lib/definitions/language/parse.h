/* SPDX-License-Identifier: MIT */
/* parse.h - reads a metric definition */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSE_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSE_H

#include "definitions/language/definition.h"

/* A file may say which version of the language it is of: "language 1". Newer ones are refused. */
#define LANGUAGE_VERSION 1

/*
 * Read a definition. Everything that it points to is in @arena. @identity says which file it is,
 * all 0 if it is none. -EINVAL: @diagnostic says what is wrong; -ENOMEM.
 */
int definition_parse(const char *file, const char *text, size_t size,
		     const struct source_file *identity, struct arena *arena,
		     struct definition **definition, struct diagnostic *diagnostic);

/* Likewise of a file; -errno also if it can't be read. */
int definition_parse_file(const char *path, struct arena *arena, struct definition **definition,
			  struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSE_H */
