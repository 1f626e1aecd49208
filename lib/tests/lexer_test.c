// SPDX-License-Identifier: MIT
/* lexer_test.c - Check the tokens of metric definitions: kinds, values, positions and errors. */
#include "definitions/language/lexer.h"

#include <stdio.h>
#include <string.h>

#include "tap.h"

static const struct source_file source = { .path = "f" };
static struct diagnostic diagnostic;
static struct lexer lexer;

static void begin(const char *text)
{
	diagnostic.text[0] = '\0';
	lexer_init(&lexer, &source, text, strlen(text), &diagnostic);
}

/* Check all tokens of a text: "w" word, "i" integer, "r" real, "s" string, "+" sign */
static void check_kinds(const char *text, const char *kinds)
{
	static const char letters[] = { [TOKEN_WORD] = 'w',
					[TOKEN_INTEGER] = 'i',
					[TOKEN_REAL] = 'r',
					[TOKEN_STRING] = 's',
					[TOKEN_SIGN] = '+' };
	size_t count = 0;

	begin(text);
	for (; !lexer.failed && lexer.token.kind != TOKEN_END; lexer_next(&lexer), count++)
		if (!CHECK(count < strlen(kinds) && letters[lexer.token.kind] == kinds[count]))
			printf("# '%s', token %zu\n", text, count);
	if (!CHECK(!lexer.failed && count == strlen(kinds)))
		printf("# '%s': %s\n", text, diagnostic.text);
	/* The end stays. */
	CHECK(lexer_next(&lexer) && lexer.token.kind == TOKEN_END && !lexer.token.length);
}

static void check_error(const char *text, const char *expected)
{
	begin(text);
	while (!lexer.failed && lexer.token.kind != TOKEN_END)
		lexer_next(&lexer);
	CHECK(lexer.failed && !lexer_next(&lexer));
	CHECK_STRING(diagnostic.text, expected);
}

static void text_is_split_into_tokens(void)
{
	check_kinds("", "");
	check_kinds(" \t\r\n", "");
	check_kinds("a _b C9 z_Z", "wwww");
	check_kinds("A9/B", "w+w");
	check_kinds("0 9 10", "iii");
	check_kinds("1.5 0.25", "rr");
	check_kinds("\"\" \"a b\"", "ss");
	check_kinds("a\"b\"c", "wsw");
	check_kinds("+-*/&<>(){},=", "+++++++++++++");
	check_kinds("//<<>><=>===!=", "+++++++");
	check_kinds("/ / < < = =", "++++++");
	check_kinds("<<<", "++");
	check_kinds("===", "++");
	check_kinds("a#b \"c\nd", "ww");
	check_kinds("#", "");
	check_kinds("# a", "");
	check_kinds("1,2", "i+i");
	check_kinds("f(x)", "w+w+");
}

static void check_integer(const char *text, uint64_t expected)
{
	begin(text);
	if (!CHECK(lexer.token.kind == TOKEN_INTEGER && lexer.token.integer == expected))
		printf("# '%s': %s\n", text, diagnostic.text);
	CHECK(lexer.token.length == strlen(text));
}

static void check_real(const char *text, double expected)
{
	begin(text);
	if (!CHECK(lexer.token.kind == TOKEN_REAL && lexer.token.real == expected))
		printf("# '%s': %s\n", text, diagnostic.text);
	CHECK(lexer.token.length == strlen(text));
}

static void numbers_have_their_values(void)
{
	check_integer("0", 0);
	check_integer("1234567890", 1234567890);
	check_integer("007", 7);
	check_integer("18446744073709551615", UINT64_MAX);
	check_integer("0x0", 0);
	check_integer("0x0123456789abcdef", 0x0123456789abcdef);
	check_integer("0xFEDCBA9876543210", 0xfedcba9876543210);
	check_integer("0xffffffffffffffff", UINT64_MAX);
	check_real("0.0", 0);
	check_real("1.5", 1.5);
	check_real("0.1", 0.1);
	check_real("10.25", 10.25);
	check_real("123456789.012345", 123456789.012345);
	check_real("1.23456789012345", 1.23456789012345);
	check_real("0.12345678901234", 0.12345678901234);
	begin("a 1.5 2");
	CHECK(lexer_next(&lexer) && lexer.token.kind == TOKEN_REAL);
	CHECK(lexer_next(&lexer) && lexer.token.kind == TOKEN_INTEGER);
}

static void wrong_numbers_are_rejected(void)
{
	check_error("18446744073709551616", "f:1:1: this number needs more than 64 bits");
	check_error("99999999999999999999", "f:1:1: this number needs more than 64 bits");
	check_error("0x10000000000000000", "f:1:1: this number needs more than 64 bits");
	check_error("1.234567890123456", "f:1:1: a fractional number has 15 digits at most");
	check_error("  1234567890123456.5", "f:1:3: a fractional number has 15 digits at most");
	check_error("1a", "f:1:1: expected a number, found '1a...'");
	check_error("12_", "f:1:1: expected a number, found '12_...'");
	check_error("0x", "f:1:1: expected a number, found '0x...'");
	check_error("0xg", "f:1:1: expected a number, found '0x...'");
	check_error("0x1g", "f:1:1: expected a number, found '0x1g...'");
	check_error("0X1", "f:1:1: expected a number, found '0X...'");
	check_error("1.", "f:1:2: '.' has no meaning here");
	check_error(".5", "f:1:1: '.' has no meaning here");
	check_error("1.x", "f:1:2: '.' has no meaning here");
}

static void other_characters_are_rejected(void)
{
	for (int c = 1; c < 0x80; c++) {
		char text[] = { (char)c, '\0' }, expected[64];

		if (strchr(" \t\r\n#\"+-*/&<>=(){},_", c) || (c >= '0' && c <= '9') ||
		    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
			continue;
		if (c > ' ' && c < 0x7f)
			snprintf(expected, sizeof(expected), "f:1:1: '%c' has no meaning here", c);
		else
			snprintf(expected, sizeof(expected),
				 "f:1:1: byte 0x%02x has no meaning here", (unsigned int)c);
		check_error(text, expected);
	}
	/* A character of two bytes is good in strings and comments only. */
	check_kinds("\"\xc3\xa9\" # \xc3\xa9", "s");
	check_error("\xc3\xa9", "f:1:1: byte 0xc3 has no meaning here");
	check_error("a\n # \xc3", "f:2:4: byte 0xc3 is not UTF-8");
	/* A NUL is no end. */
	diagnostic.text[0] = '\0';
	lexer_init(&lexer, &source, "a\0b", 3, &diagnostic);
	CHECK(lexer.token.kind == TOKEN_WORD && !lexer_next(&lexer));
	CHECK_STRING(diagnostic.text, "f:1:2: byte 0x00 has no meaning here");
	lexer_init(&lexer, &source, "\"a\0b\"", 5, &diagnostic);
	CHECK_STRING(diagnostic.text, "f:1:1: control character in this string");
	lexer_init(&lexer, &source, "#a\0b\n7", 6, &diagnostic);
	CHECK(lexer.token.kind == TOKEN_INTEGER && lexer.token.integer == 7);
}

static void strings_end_in_their_line(void)
{
	begin("\"a b\" c");
	CHECK(lexer.token.kind == TOKEN_STRING && lexer.token.length == 3);
	CHECK(!memcmp(lexer.token.text, "a b", 3));
	CHECK(lexer_next(&lexer) && lexer_is(&lexer, "c"));
	check_error(" \"a\nb\"",
		    "f:1:2: expected '\"' at the end of this string, before the end of "
		    "the line");
	check_error("\"a", "f:1:1: expected '\"' at the end of this string, before the end of the "
			   "line");
	check_error("\"", "f:1:1: expected '\"' at the end of this string, before the end of the "
			  "line");
	check_error("\"a\tb\"", "f:1:1: control character in this string");
	check_error("\"\x1f\"", "f:1:1: control character in this string");
	check_kinds("\" ~\x7f\"", "s");
}

static void tokens_have_positions(void)
{
	static const struct {
		unsigned int line, column;
	} places[] = { { 1, 1 }, { 1, 4 }, { 2, 2 }, { 4, 1 }, { 4, 5 }, { 4, 7 } };

	begin("ab cd # e\n\t5\n\n\"ab\"<<1");
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		CHECK(lexer.token.location.line == places[i].line &&
		      lexer.token.location.column == places[i].column);
		CHECK(lexer.token.location.file == &source);
		CHECK(lexer_next(&lexer));
	}
	CHECK(lexer.token.kind == TOKEN_END);
	CHECK(lexer.token.location.line == 4 && lexer.token.location.column == 8);
	/* A byte order mark has no column. */
	begin("\xef\xbb\xbf"
	      "a");
	CHECK(lexer_is(&lexer, "a") && lexer.token.location.column == 1);
}

static void words_and_signs_are_compared_whole(void)
{
	begin("word");
	CHECK(lexer_is(&lexer, "word") && !lexer_is(&lexer, "wor") && !lexer_is(&lexer, "words"));
	CHECK(!lexer_is(&lexer, "ward") && !lexer_is(&lexer, ""));
	begin("<=");
	CHECK(lexer_is(&lexer, "<=") && !lexer_is(&lexer, "<"));
	begin("\"word\"");
	CHECK(!lexer_is(&lexer, "word"));
	begin("12");
	CHECK(!lexer_is(&lexer, "12"));
}

static void registers_are_hexadecimal(void)
{
	begin("{ 253a4 FFFFFFFFFFFFFFFF 10 g1 1g = \"s\" 10000000000000000");
	CHECK(lexer_next_hex(&lexer) && lexer.token.kind == TOKEN_INTEGER);
	CHECK(lexer.token.integer == 0x253a4 && lexer.token.length == 5);
	CHECK(lexer_next_hex(&lexer) && lexer.token.integer == UINT64_MAX);
	CHECK(lexer_next_hex(&lexer) && lexer.token.integer == 0x10);
	CHECK(lexer_next_hex(&lexer) && lexer_is(&lexer, "g1"));
	CHECK(lexer_next_hex(&lexer) && lexer_is(&lexer, "1g"));
	CHECK(lexer_next_hex(&lexer) && lexer_is(&lexer, "="));
	CHECK(lexer_next_hex(&lexer) && lexer.token.kind == TOKEN_STRING);
	CHECK(!lexer_next_hex(&lexer));
	CHECK_STRING(diagnostic.text, "f:1:41: this number needs more than 64 bits");
	CHECK(!lexer_next_hex(&lexer));
}

static void expectation_quotes_the_token(void)
{
	static const char word[] = "a234567890123456789012345678901234567890b";

	begin("");
	CHECK(!lexer_expected(&lexer, "a word"));
	CHECK_STRING(diagnostic.text, "f:1:1: expected a word, found the end of the file");
	begin("\"x\"");
	CHECK(!lexer_expected(&lexer, "a word"));
	CHECK_STRING(diagnostic.text, "f:1:1: expected a word, found \"x\"");
	/* 40 characters are quoted at most. */
	begin(word);
	CHECK(!lexer_expected(&lexer, "a number"));
	CHECK_STRING(diagnostic.text,
		     "f:1:1: expected a number, found 'a234567890123456789012345678901234567890'");
	begin(word + 1);
	/* Only the first error is kept. */
	CHECK(!lexer_fail(&lexer, lexer.token.location, "%s", "another"));
	CHECK(strcmp(diagnostic.text, "f:1:1: another"));
}

static void places_name_other_files(void)
{
	static const struct source_file other = { .path = "g" };

	CHECK_STRING(lexer_place((struct location){ 3, 1, &source },
				 (struct location){ 9, 1, &source })
			     .text,
		     "line 3");
	CHECK_STRING(lexer_place((struct location){ 3, 1, &other },
				 (struct location){ 9, 1, &source })
			     .text,
		     "g:3");
	CHECK_STRING(lexer_place((struct location){ 3, 1, NULL },
				 (struct location){ 9, 1, &source })
			     .text,
		     "line 3");
}

/* A message about an included file has the files that include it. */
static void messages_have_the_including_files(void)
{
	static const struct source_file outer = { .path = "out", .included = { 7, 2, &source } };
	static const struct source_file inner = { .path = "in", .included = { 5, 1, &outer } };

	diagnostic_set(&diagnostic, "g", (struct location){ 1, 2, NULL }, "text %d", 5);
	CHECK_STRING(diagnostic.text, "g:1:2: text 5");
	diagnostic_set(&diagnostic, "g", (struct location){ 1, 2, &source }, "text");
	CHECK_STRING(diagnostic.text, "f:1:2: text");
	diagnostic_set(&diagnostic, "g", (struct location){ 1, 2, &inner }, "text");
	CHECK_STRING(diagnostic.text, "in:1:2: text (included from out:5:1 from f:7:2)");
}

/* Control characters do not get to a terminal. */
static void complaints_have_no_control_characters(void)
{
	char text[64];
	const struct complaint complaint = complaint_begin(text, sizeof(text));

	strcpy(diagnostic.text, "a\x1b[0m\x1f \x7f~");
	diagnostic_complain(&complaint, -22, "name", &diagnostic);
	CHECK_STRING(text, "a?[0m? ?~");
	diagnostic_complain(&complaint, -12, "name", &diagnostic);
	CHECK_STRING(text, "name: Cannot allocate memory");
	diagnostic.text[0] = '\0';
	diagnostic_complain(&complaint, -22, "name", &diagnostic);
	CHECK_STRING(text, "name: Invalid argument");
}

int main(void)
{
	RUN(text_is_split_into_tokens);
	RUN(numbers_have_their_values);
	RUN(wrong_numbers_are_rejected);
	RUN(other_characters_are_rejected);
	RUN(strings_end_in_their_line);
	RUN(tokens_have_positions);
	RUN(words_and_signs_are_compared_whole);
	RUN(registers_are_hexadecimal);
	RUN(expectation_quotes_the_token);
	RUN(places_name_other_files);
	RUN(messages_have_the_including_files);
	RUN(complaints_have_no_control_characters);
	return tap_end();
}
