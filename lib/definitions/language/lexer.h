/* SPDX-License-Identifier: MIT */
/* lexer.h - splits a metric definition into words, numbers, strings and signs. */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_LEXER_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_LEXER_H

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
	const char *text; /* in the source; a string without its quotes */
	size_t length;
	uint64_t integer;
	double real;
};

struct lexer {
	const char *cursor;
	const char *end;
	const char *last_end; /* where the token before .token ended */
	struct location location; /* of the cursor */
	struct token token; /* the one that is looked at */
	struct diagnostic *diagnostic;
	bool failed; /* the diagnostic is set; only the first one counts */
};

/* Start at the first token. */
void lexer_init(struct lexer *lexer, const struct source_file *file, const char *text, size_t size,
		struct diagnostic *diagnostic);

/* Go to the next token. False after an error. */
bool lexer_next(struct lexer *lexer);

/*
 * Go to the next token, which may be a hexadecimal number without "0x", as in lists of registers:
 * "253a4" becomes a TOKEN_INTEGER. Other tokens are read as by lexer_next().
 */
bool lexer_next_hex(struct lexer *lexer);

/* Is the token this word or sign? */
bool lexer_is(const struct lexer *lexer, const char *text);

/* Report an error at @location. Returns false. */
bool lexer_fail(struct lexer *lexer, struct location location, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Report that the token is not what should stand here. Returns false. */
bool lexer_expected(struct lexer *lexer, const char *what);

/* Where @other is, for a message about something at @here: "line 3" or "file.oa:3". */
struct place {
	char text[256];
};
struct place lexer_place(struct location other, struct location here);

/* Write "file:line:column: message"; @file counts if the location has none of its own. */
void diagnostic_set(struct diagnostic *diagnostic, const char *file, struct location location,
		    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_LEXER_H */
