// SPDX-License-Identifier: MIT
/* parser.c - parser steps: tokens, names, strings */
#include "definitions/language/parser.h"
#include "definitions/language/names.h"

void *parser_alloc(struct parser *parser, size_t size)
{
	void *memory = arena_alloc(parser->arena, size);

	if (!memory)
		parser->no_memory = true;
	return memory;
}

const char *parser_text(struct parser *parser)
{
	const char *text =
		arena_string(parser->arena, parser->lexer.token.text, parser->lexer.token.length);

	if (!text)
		parser->no_memory = true;
	return text;
}

bool parser_word(const struct parser *parser, enum word_kind kind, uint32_t *value)
{
	const struct token *token = &parser->lexer.token;

	if (token->kind != TOKEN_WORD)
		return false;
	/* Find names of APIs regardless of case, because definitions have them in capitals. */
	return kind == WORD_API ? word_find_any_case(kind, token->text, token->length, value) :
				  word_find(kind, token->text, token->length, value);
}

const struct keyword *parser_keyword(const struct parser *parser, const struct keyword *keywords,
				     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (parser->lexer.token.kind == TOKEN_WORD &&
		    lexer_is(&parser->lexer, keywords[i].word))
			return &keywords[i];
	return NULL;
}

bool parser_at_symbol(const struct parser *parser)
{
	const struct token *token = &parser->lexer.token;

	return token->kind == TOKEN_WORD && token->text[0] >= 'A' && token->text[0] <= 'Z';
}

bool parse_symbol(struct parser *parser, const char **symbol, const char *what)
{
	if (!parser_at_symbol(parser))
		return parser_expected(parser, what);
	*symbol = parser_text(parser);
	return *symbol && parser_next(parser);
}

bool parse_string(struct parser *parser, const char **string, const char *what)
{
	if (parser->lexer.token.kind != TOKEN_STRING)
		return parser_expected(parser, what);
	*string = parser_text(parser);
	return *string && parser_next(parser);
}

bool parser_define(struct parser *parser, struct name_map *names, const char *name,
		   const void *value, struct location location, const char *kind)
{
	size_t before = names->count;

	if (!name_map_add(names, name, value)) {
		parser->no_memory = true;
		return false;
	}
	if (names->count != before)
		return true;
	return lexer_fail(&parser->lexer, location, "there is %s %s already", kind, name);
}

bool parse_new_symbol(struct parser *parser, const char **symbol, const char *what)
{
	const struct location location = parser->lexer.token.location;
	const char *meaning;

	if (!parse_symbol(parser, symbol, what))
		return false;
	meaning = symbol_meaning(*symbol);
	return !meaning || lexer_fail(&parser->lexer, location, "%s", meaning);
}

static const struct keyword statements[] = {
	{ "include", 0 },   { "constant", 0 }, { "info", 0 },	  { "group", 0 },
	{ "metric", 0 },    { "change", 0 },   { "describe", 0 }, { "bundle", 0 },
	{ "registers", 0 }, { "template", 0 }, { "set", 0 },
};

bool parser_at_statement(const struct parser *parser)
{
	return parser->lexer.token.kind == TOKEN_END ||
	       parser_keyword(parser, KEYWORDS(statements));
}
