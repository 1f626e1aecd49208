// SPDX-License-Identifier: MIT
/* lexer.c - splits a metric definition into words, numbers, strings and signs */
#include "definitions/language/lexer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "base/utf8.h"

/* Append to an error message, and truncate it if it becomes too long. */
static void diagnostic_add(struct diagnostic *diagnostic, const char *format, va_list args)
{
	size_t length = strlen(diagnostic->text);

	vsnprintf(diagnostic->text + length, sizeof(diagnostic->text) - length, format, args);
}

__attribute__((format(printf, 2, 3))) static void diagnostic_print(struct diagnostic *diagnostic,
								   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnostic_add(diagnostic, format, args);
	va_end(args);
}

static void diagnostic_vset(struct diagnostic *diagnostic, const char *file,
			    struct location location, const char *format, va_list args)
{
	const struct source_file *source = location.file;

	diagnostic->text[0] = '\0';
	diagnostic_print(diagnostic, "%s:%u:%u: ", source ? source->path : file, location.line,
			 location.column);
	diagnostic_add(diagnostic, format, args);
	if (!source || !source->included.line)
		return;
	diagnostic_print(diagnostic, " (included");
	for (; source->included.line; source = source->included.file)
		diagnostic_print(diagnostic, " from %s:%u:%u", source->included.file->path,
				 source->included.line, source->included.column);
	diagnostic_print(diagnostic, ")");
}

void diagnostic_set(struct diagnostic *diagnostic, const char *file, struct location location,
		    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnostic_vset(diagnostic, file, location, format, args);
	va_end(args);
}

struct place lexer_place(struct location other, struct location here)
{
	struct place place;

	if (other.file && other.file != here.file)
		snprintf(place.text, sizeof(place.text), "%s:%u", other.file->path, other.line);
	else
		snprintf(place.text, sizeof(place.text), "line %u", other.line);
	return place;
}

bool lexer_fail(struct lexer *lexer, struct location location, const char *format, ...)
{
	va_list args;

	if (lexer->failed)
		return false;
	lexer->failed = true;
	va_start(args, format);
	diagnostic_vset(lexer->diagnostic, NULL, location, format, args);
	va_end(args);
	return false;
}

bool lexer_expected(struct lexer *lexer, const char *what)
{
	const struct token *token = &lexer->token;
	int length = token->length > 40 ? 40 : (int)token->length;

	switch (token->kind) {
	case TOKEN_END:
		return lexer_fail(lexer, token->location, "expected %s, found the end of the file",
				  what);
	case TOKEN_STRING:
		return lexer_fail(lexer, token->location, "expected %s, found \"%.*s\"", what,
				  length, token->text);
	default:
		return lexer_fail(lexer, token->location, "expected %s, found '%.*s'", what, length,
				  token->text);
	}
}

bool lexer_is(const struct lexer *lexer, const char *text)
{
	const struct token *token = &lexer->token;

	return (token->kind == TOKEN_WORD || token->kind == TOKEN_SIGN) &&
	       token->length == strlen(text) && !memcmp(token->text, text, token->length);
}

static int peek(const struct lexer *lexer, size_t ahead)
{
	return ahead < (size_t)(lexer->end - lexer->cursor) ? (unsigned char)lexer->cursor[ahead] :
							      -1;
}

static void advance(struct lexer *lexer, size_t count)
{
	while (count--) {
		if (*lexer->cursor++ == '\n') {
			lexer->location.line++;
			lexer->location.column = 1;
		} else {
			lexer->location.column++;
		}
	}
}

static bool is_hex(int c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_word(int c)
{
	return is_digit(c) || is_letter(c) || c == '_';
}

static void skip_space(struct lexer *lexer)
{
	for (;;) {
		int c = peek(lexer, 0);

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			advance(lexer, 1);
		} else if (c == '#') {
			while (peek(lexer, 0) >= 0 && peek(lexer, 0) != '\n')
				advance(lexer, 1);
		} else {
			return;
		}
	}
}

static void take(struct lexer *lexer, enum token_kind kind, size_t length)
{
	lexer->token.kind = kind;
	lexer->token.text = lexer->cursor;
	lexer->token.length = length;
	advance(lexer, length);
}

static bool take_string(struct lexer *lexer)
{
	size_t length = 1;

	for (;; length++) {
		int c = peek(lexer, length);

		if (c == '"')
			break;
		if (c == '\n' || c < 0)
			return lexer_fail(
				lexer, lexer->token.location,
				"expected '\"' at the end of this string, before the end of the line");
		if (c < ' ')
			return lexer_fail(lexer, lexer->token.location,
					  "control character in this string");
	}
	take(lexer, TOKEN_STRING, length + 1);
	lexer->token.text++;
	lexer->token.length -= 2;
	return true;
}

static bool take_digits(struct lexer *lexer, size_t skip, size_t length, unsigned int base)
{
	uint64_t value = 0;

	for (size_t i = skip; i < length; i++) {
		int c = peek(lexer, i) | 0x20;
		unsigned int digit = is_digit(peek(lexer, i)) ? peek(lexer, i) - '0' : c - 'a' + 10;

		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return lexer_fail(lexer, lexer->token.location,
					  "this number needs more than 64 bits");
	}
	take(lexer, TOKEN_INTEGER, length);
	lexer->token.integer = value;
	return true;
}

/*
 * Read a number with a decimal point. Its value is exact: an integer below 2^53, divided by a power
 * of ten.
 */
static bool take_real(struct lexer *lexer, size_t point)
{
	size_t length = point + 1;
	double mantissa = 0, scale = 1;

	while (is_digit(peek(lexer, length)))
		length++;
	if (length > 16)
		return lexer_fail(lexer, lexer->token.location,
				  "a fractional number has 15 digits at most");
	for (size_t i = 0; i < length; i++) {
		if (i == point)
			continue;
		mantissa = mantissa * 10 + (peek(lexer, i) - '0');
		if (i > point)
			scale *= 10;
	}
	take(lexer, TOKEN_REAL, length);
	lexer->token.real = mantissa / scale;
	return true;
}

static bool take_number(struct lexer *lexer)
{
	bool hex = peek(lexer, 0) == '0' && peek(lexer, 1) == 'x' && is_hex(peek(lexer, 2));
	size_t skip = hex ? 2 : 0, length = skip;

	while (hex ? is_hex(peek(lexer, length)) : is_digit(peek(lexer, length)))
		length++;
	if (!hex && peek(lexer, length) == '.' && is_digit(peek(lexer, length + 1)))
		return take_real(lexer, length);
	if (is_word(peek(lexer, length)))
		return lexer_fail(lexer, lexer->token.location,
				  "expected a number, found '%.*s%c...'", (int)length,
				  lexer->cursor, peek(lexer, length));
	return take_digits(lexer, skip, length, hex ? 16 : 10);
}

static bool begin_token(struct lexer *lexer)
{
	if (lexer->failed)
		return false;
	lexer->last_end = lexer->cursor;
	skip_space(lexer);
	lexer->token.location = lexer->location;
	return true;
}

static bool read_token(struct lexer *lexer)
{
	static const char signs[][3] = { "//", "<<", ">>", "<=", ">=", "==", "!=" };
	int c = peek(lexer, 0);
	size_t length = 0;

	if (c < 0) {
		take(lexer, TOKEN_END, 0);
		return true;
	}
	if (c == '"')
		return take_string(lexer);
	if (is_digit(c))
		return take_number(lexer);
	while (is_word(peek(lexer, length)))
		length++;
	if (length) {
		take(lexer, TOKEN_WORD, length);
		return true;
	}
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (c == signs[i][0] && peek(lexer, 1) == signs[i][1]) {
			take(lexer, TOKEN_SIGN, 2);
			return true;
		}
	}
	if (!c || !strchr("+-*/&<>=(){},", c))
		return lexer_fail(lexer, lexer->token.location,
				  c > ' ' && c < 0x7f ? "'%c' has no meaning here" :
							"byte 0x%02x has no meaning here",
				  c);
	take(lexer, TOKEN_SIGN, 1);
	return true;
}

bool lexer_next(struct lexer *lexer)
{
	return begin_token(lexer) && read_token(lexer);
}

bool lexer_next_hex(struct lexer *lexer)
{
	size_t length = 0;

	if (!begin_token(lexer))
		return false;
	while (is_word(peek(lexer, length)))
		length++;
	for (size_t i = 0; i < length; i++) {
		if (!is_hex(peek(lexer, i))) {
			take(lexer, TOKEN_WORD, length);
			return true;
		}
	}
	return length ? take_digits(lexer, 0, length, 16) : read_token(lexer);
}

/*
 * Check that the whole text is UTF-8, including comments, because its strings are copied to the
 * tables.
 */
static bool check_encoding(struct lexer *lexer)
{
	const char *invalid =
		utf8_find_invalid(lexer->cursor, (size_t)(lexer->end - lexer->cursor));
	struct lexer at = *lexer;

	if (!invalid)
		return true;
	advance(&at, (size_t)(invalid - at.cursor));
	return lexer_fail(lexer, at.location, "byte 0x%02x is not UTF-8", (unsigned char)*invalid);
}

void lexer_init(struct lexer *lexer, const struct source_file *file, const char *text, size_t size,
		struct diagnostic *diagnostic)
{
	*lexer = (struct lexer){
		.cursor = text,
		.end = text + size,
		.location = { 1, 1, file },
		.diagnostic = diagnostic,
	};
	lexer->cursor += utf8_mark(text, size);
	if (check_encoding(lexer))
		lexer_next(lexer);
}

/*
 * Replace control characters in messages, because messages quote the file and may be printed to a
 * terminal.
 */
void diagnostic_complain(const struct complaint *complaint, int err, const char *name,
			 struct diagnostic *diagnostic)
{
	for (char *c = diagnostic->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	if (*diagnostic->text && err != -ENOMEM)
		complaint_print(complaint, "%s", diagnostic->text);
	else
		complaint_print(complaint, "%s: %s", name, strerror(-err));
}
