// SPDX-License-Identifier: MIT
/* include.c - reads the files that a definition includes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "definitions/language/parser.h"

#define DEPTH_MAX 8
#define FILES_MAX 64

/* Exactly @size bytes. */
static int read_all(int fd, char *text, size_t size)
{
	while (size) {
		ssize_t got = read(fd, text, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		text += got;
		size -= got;
	}
	return 0;
}

static int read_open(int fd, char **text, size_t *size, struct source_file *identity)
{
	struct stat stat;
	int err;

	if (fstat(fd, &stat))
		return -errno;
	if (!S_ISREG(stat.st_mode))
		return -EINVAL;
	if (stat.st_size > SOURCE_SIZE_MAX)
		return -EFBIG;
	*size = stat.st_size;
	*text = malloc(*size + 1);
	if (!*text)
		return -ENOMEM;
	err = read_all(fd, *text, *size);
	if (err)
		free(*text);
	identity->device = stat.st_dev;
	identity->inode = stat.st_ino;
	return err;
}

int source_file_read(const char *path, char **text, size_t *size, struct source_file *identity)
{
	/* Do not block if this is a named pipe that nobody writes to. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;

	if (fd < 0)
		return -errno;
	err = read_open(fd, text, size, identity);
	close(fd);
	return err;
}

/* The token's path, seen from the directory of the file that it stands in. */
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

/* The statements of @source, then on with the file that includes it. */
static bool parse_source(struct parser *parser, struct source_file *source, const char *text,
			 size_t size)
{
	struct lexer outer = parser->lexer;

	if (++parser->depth > DEPTH_MAX)
		return lexer_fail(&parser->lexer, source->included,
				  "files include each other more than %d deep", DEPTH_MAX);
	if (++parser->files > FILES_MAX)
		return lexer_fail(&parser->lexer, source->included,
				  "more than %d files are included", FILES_MAX);
	source->next = parser->definition->sources;
	parser->definition->sources = source;
	source->open = true;
	lexer_init(&parser->lexer, source, text, size, outer.diagnostic);
	if (parser_is(parser, "platform"))
		return parser_fail(parser, "a platform's own file can't be included");
	if (!parse_statements(parser))
		return false;
	source->open = false;
	parser->depth--;
	parser->lexer = outer;
	return true;
}

bool parse_include(struct parser *parser)
{
	struct source_file *source = parser_alloc(parser, sizeof(*source)), *known;
	bool good = false;
	char *text = NULL;
	size_t size = 0;
	int err;

	if (!source || !parser_next(parser))
		return false;
	if (parser->lexer.token.kind != TOKEN_STRING)
		return parser_expected(parser, "a file's name in quotes");
	source->included = parser->lexer.token.location;
	source->path = included_path(parser);
	if (!source->path)
		return false;
	err = source_file_read(source->path, &text, &size, source);
	if (err)
		return lexer_fail(&parser->lexer, source->included, "%s: %s", source->path,
				  strerror(-err));
	known = find_source(parser, source);
	if (!known)
		good = parse_source(parser, source, text, size);
	else if (known->open)
		lexer_fail(&parser->lexer, source->included, "%s includes itself", source->path);
	free(text);
	return (known ? !known->open : good) && parser_next(parser);
}
