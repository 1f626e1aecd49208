/* SPDX-License-Identifier: MIT */
/* lexer.h - splits a metric definition into words, numbers, strings and signs */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_LEXER_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_LEXER_H

#include "base/complaint.h"
#include "definitions/language/definition.h"

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_INTEGER,
	TOKEN_REAL,
	TOKEN_STRING,
	TOKEN_SIGN,
};

struct token {
	enum token_kind kind;
	struct location location;
	/* position of the token in the source; for a string, after its opening quote */
	const char *text;
	size_t length;
	uint64_t integer;
	double real;
};

struct lexer {
	const char *cursor;
	const char *end;
	const char *last_end; /* end of the previous token */
	struct location location; /* location of the cursor */
	struct token token; /* the current token */
	struct diagnostic *diagnostic;
	bool failed; /* an error has been stored in .diagnostic; later errors are ignored */
};

/* Initialize a lexer, and read the first token. */
void lexer_init(struct lexer *lexer, const struct source_file *file, const char *text, size_t size,
		struct diagnostic *diagnostic);

/* Read the next token. Returns false after an error. */
bool lexer_next(struct lexer *lexer);

/*
 * Read the next token like lexer_next(), but accept hexadecimal numbers without "0x", as in lists
 * of registers: "253a4" becomes a TOKEN_INTEGER.
 */
bool lexer_next_hex(struct lexer *lexer);

/* Returns whether the current token is this word or sign. */
bool lexer_is(const struct lexer *lexer, const char *text);

/* Report an error at @location. Returns false. */
bool lexer_fail(struct lexer *lexer, struct location location, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Report an error: the token is not what is expected here, as described by @what. Returns false. */
bool lexer_expected(struct lexer *lexer, const char *what);

/*
 * Description of the location @other for a message about @here: "line 3" or, in a different file,
 * "file.oa:3".
 */
struct place {
	char text[256];
};
struct place lexer_place(struct location other, struct location here);

/* Store the message "file:line:column: message"; @file is used if the location has no file. */
void diagnostic_set(struct diagnostic *diagnostic, const char *file, struct location location,
		    const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Copy the diagnostic to the caller's error message; if it is empty, write @name and the text of
 * errno -@err.
 */
void diagnostic_complain(const struct complaint *complaint, int err, const char *name,
			 struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_LEXER_H */
