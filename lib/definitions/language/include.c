// SPDX-License-Identifier: MIT
/* include.c - parsing of included files */
#include "definitions/language/include.h"

#include <string.h>

#include "definitions/language/source_file.h"

#define DEPTH_MAX 8
#define FILES_MAX 64

/* Return the path in the token, relative to the directory of the current file. */
static char *included_path(struct parser *parser)
{
	const struct token *token = &parser->lexer.token;
	const char *from = token->location.file->path, *slash = strrchr(from, '/');
	size_t directory = slash && token->text[0] != '/' ? slash - from + 1 : 0;
	char *path = parser_alloc(parser, directory + token->length + 1);

	if (path) {
		memcpy(path, from, directory);
		memcpy(path + directory, token->text, token->length);
	}
	return path;
}

static struct source_file *find_source(const struct parser *parser,
				       const struct source_file *identity)
{
	struct source_file *source = parser->definition->sources;

	while (source && (source->device != identity->device || source->inode != identity->inode))
		source = source->next;
	return source;
}

static bool begin_source(struct parser *parser, struct source_file *source, const char *text,
			 size_t size)
{
	if (++parser->depth > DEPTH_MAX)
		return lexer_fail(&parser->lexer, source->included,
				  "files include each other more than %d deep", DEPTH_MAX);
	if (++parser->files > FILES_MAX)
		return lexer_fail(&parser->lexer, source->included,
				  "more than %d files are included", FILES_MAX);
	source->next = parser->definition->sources;
	parser->definition->sources = source;
	source->open = true;
	lexer_init(&parser->lexer, source, text, size, parser->lexer.diagnostic);
	if (parser_is(parser, "platform"))
		return parser_fail(parser, "a platform's own file can't be included");
	return true;
}

bool include_begin(struct parser *parser, struct included *included)
{
	struct source_file *source = parser_alloc(parser, sizeof(*source)), *known;
	size_t size = 0;
	int err;

	*included = (struct included){ 0 };
	if (!source || !parser_next(parser))
		return false;
	if (parser->lexer.token.kind != TOKEN_STRING)
		return parser_expected(parser, "a file's name in quotes");
	source->included = parser->lexer.token.location;
	source->path = included_path(parser);
	if (!source->path)
		return false;
	err = source_file_read(source->path, &included->text, &size, source);
	if (err)
		return lexer_fail(&parser->lexer, source->included, "%s: %s", source->path,
				  source_file_error(err));
	known = find_source(parser, source);
	if (known && known->open)
		return lexer_fail(&parser->lexer, source->included, "%s includes itself",
				  source->path);
	included->outer = parser->lexer;
	if (known)
		return true;
	included->source = source;
	return begin_source(parser, source, included->text, size);
}

bool include_end(struct parser *parser, struct included *included)
{
	if (included->source) {
		included->source->open = false;
		parser->depth--;
		parser->lexer = included->outer;
	}
	return parser_next(parser);
}
