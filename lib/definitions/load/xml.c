// SPDX-License-Identifier: MIT
/*
 * xml.c - reads XML with expat, and passes its elements to the import
 *
 * The files are flat: <metrics> of <set>s of <counter>s and <register_config>s of <register>s, with
 * all data in attributes. Other elements are rejected. So are document type declarations: without
 * them, entities cannot expand.
 */
#include "definitions/load/xml.h"

#include <errno.h>
#include <expat.h>
#include <string.h>

#include "definitions/language/lexer.h"

/* From Expat 2.9 on, all machines have 64-bit positions, and the old functions are deprecated. */
#if XML_MAJOR_VERSION * 1000 + XML_MINOR_VERSION < 2009
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#define XML_GetCurrentColumnNumber64 XML_GetCurrentColumnNumber
#define XML_GetCurrentByteIndex64 XML_GetCurrentByteIndex
#define XML_GetCurrentByteCount64 XML_GetCurrentByteCount
#endif

struct xml {
	XML_Parser parser;
	const char *text;
	size_t size;
	struct xml_import import;
	enum xml_element current;
	bool failed;
	struct xml_tag tag;
};

static const struct element {
	const char *name;
	enum xml_element parent;
	const char *expected; /* expected child element */
} elements[] = {
	[XML_DOCUMENT] = { "", XML_DOCUMENT, "<metrics>" },
	[XML_METRICS] = { "metrics", XML_DOCUMENT, "<set>" },
	[XML_SET] = { "set", XML_METRICS, "<counter> or <register_config>" },
	[XML_COUNTER] = { "counter", XML_SET, "</counter>" },
	[XML_REGISTER_CONFIG] = { "register_config", XML_SET, "<register>" },
	[XML_REGISTER] = { "register", XML_REGISTER_CONFIG, "</register>" },
};

#define ELEMENT_COUNT (sizeof(elements) / sizeof(elements[0]))

static struct location here(const struct xml *xml)
{
	return (struct location){
		.line = XML_GetCurrentLineNumber64(xml->parser),
		.column = XML_GetCurrentColumnNumber64(xml->parser) + 1,
	};
}

/* Stop the parser after an error, which is already in the diagnostic. */
static void stop(struct xml *xml)
{
	xml->failed = true;
	XML_StopParser(xml->parser, XML_FALSE);
}

#define XML_FAIL(xml, ...)                                                                     \
	(diagnostic_set((xml)->import.diagnostic, (xml)->import.file, here(xml), __VA_ARGS__), \
	 stop(xml))

/* locations of attributes */

static void step(struct location *location, char c)
{
	if (c == '\n') {
		location->line++;
		location->column = 1;
	} else if ((c & 0xc0) != 0x80) { /* do not count continuation bytes of UTF-8 */
		location->column++;
	}
}

/*
 * Find the locations of an element's attributes: expat only reports that of the element. The
 * attributes follow in order and in quotes, which expat has checked. In UTF-16, attributes get the
 * location of their element.
 */
static void locate_attributes(const struct xml *xml, struct xml_tag *tag)
{
	const int64_t begin = XML_GetCurrentByteIndex64(xml->parser);
	int64_t length = XML_GetCurrentByteCount64(xml->parser); /* 0: unknown */
	struct location location = tag->location;
	size_t found = 0;
	char quote = 0;

	for (size_t i = 0; i < tag->count; i++)
		tag->attributes[i].location = tag->location;
	/* UTF-16 has a byte 0 before or after '<'. */
	if (length < 2 || xml->text[begin] != '<' || !xml->text[begin + 1])
		return;
	for (const char *c = xml->text + begin; length-- && found < tag->count; c++) {
		step(&location, *c);
		if (!quote && (*c == '"' || *c == '\'')) {
			quote = *c;
			tag->attributes[found++].location = location;
		} else if (*c == quote) {
			quote = 0;
		}
	}
}

/* events */

static enum xml_element find_element(const struct xml *xml, const char *name)
{
	for (size_t i = 1; i < ELEMENT_COUNT; i++)
		if (elements[i].parent == xml->current && !strcmp(elements[i].name, name))
			return i;
	return XML_DOCUMENT;
}

static void on_begin(void *context, const XML_Char *name, const XML_Char **attributes)
{
	struct xml *xml = context;
	enum xml_element element = find_element(xml, name);
	struct xml_tag *tag = &xml->tag;

	if (xml->failed)
		return;
	if (element == XML_DOCUMENT) {
		XML_FAIL(xml, "expected %s, found <%.40s>", elements[xml->current].expected, name);
		return;
	}
	tag->location = here(xml);
	for (tag->count = 0; attributes[2 * tag->count]; tag->count++) {
		if (tag->count == XML_ATTRIBUTES_MAX) {
			XML_FAIL(xml, "<%s> has more than %d attributes", name, XML_ATTRIBUTES_MAX);
			return;
		}
		tag->attributes[tag->count].name = attributes[2 * tag->count];
		tag->attributes[tag->count].value = attributes[2 * tag->count + 1];
	}
	locate_attributes(xml, tag);
	xml->current = element;
	if (!xml_begin(&xml->import, element, tag))
		stop(xml);
}

static void on_end(void *context, const XML_Char *name)
{
	struct xml *xml = context;

	(void)name;
	if (xml->failed)
		return;
	if (xml->current == XML_METRICS && !xml->import.list->count)
		XML_FAIL(xml, "expected <set>, found the end of <metrics>");
	else if (!xml_end(&xml->import, xml->current))
		stop(xml);
	xml->current = elements[xml->current].parent;
}

static void on_text(void *context, const XML_Char *text, int length)
{
	struct xml *xml = context;

	for (int i = 0; i < length && !xml->failed; i++)
		if (!strchr(" \t\r\n", text[i]))
			XML_FAIL(xml, "expected %s, found text", elements[xml->current].expected);
}

static void on_doctype(void *context, const XML_Char *name, const XML_Char *system,
		       const XML_Char *public, int internal)
{
	struct xml *xml = context;

	(void)system;
	(void)public;
	(void)internal;
	if (!xml->failed)
		XML_FAIL(xml,
			 "expected <metrics>, found a declaration of the document type '%.40s'",
			 name);
}

/* end of a document */

static int parse(struct xml *xml)
{
	XML_SetUserData(xml->parser, xml);
	XML_SetElementHandler(xml->parser, on_begin, on_end);
	XML_SetCharacterDataHandler(xml->parser, on_text);
	XML_SetStartDoctypeDeclHandler(xml->parser, on_doctype);
	if (XML_Parse(xml->parser, xml->text, xml->size, XML_TRUE) == XML_STATUS_OK)
		return 0;
	if (xml->import.no_memory || XML_GetErrorCode(xml->parser) == XML_ERROR_NO_MEMORY)
		return -ENOMEM;
	if (!xml->failed)
		diagnostic_set(xml->import.diagnostic, xml->import.file, here(xml), "%s",
			       XML_ErrorString(XML_GetErrorCode(xml->parser)));
	return -EINVAL;
}

int xml_import(const char *file, const char *text, size_t size, struct arena *arena,
	       struct definition_list *list, struct diagnostic *diagnostic)
{
	struct xml xml = {
		.text = text,
		.size = size,
		.import = {
			.file = arena_string(arena, file, strlen(file)),
			.arena = arena,
			.diagnostic = diagnostic,
			.list = list,
		},
	};
	int err;

	xml.parser = XML_ParserCreate(NULL);
	err = xml.parser && xml.import.file && xml_import_init(&xml.import) ? parse(&xml) : -ENOMEM;
	xml_import_fini(&xml.import);
	XML_ParserFree(xml.parser);
	return err;
}
