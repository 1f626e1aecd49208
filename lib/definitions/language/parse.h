/* SPDX-License-Identifier: MIT */
/* parse.h - parser for metric definitions */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSE_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSE_H

#include "definitions/language/definition.h"

/* Version of the language. Files of newer versions ("language 2") are rejected. */
#define LANGUAGE_VERSION 1

/*
 * Parse a definition; all objects are allocated from @arena. @identity: identifies the file; all 0
 * if the text is not from a file. Returns 0, -EINVAL with the reason in @diagnostic, or -ENOMEM.
 */
int definition_parse(const char *file, const char *text, size_t size,
		     const struct source_file *identity, struct arena *arena,
		     struct definition **definition, struct diagnostic *diagnostic);

/*
 * Parse a definition from a file, as definition_parse() does. Also returns errors of reading the
 * file.
 */
int definition_parse_file(const char *path, struct arena *arena, struct definition **definition,
			  struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSE_H */
