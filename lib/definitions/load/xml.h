/* SPDX-License-Identifier: MIT */
/* xml.h - elements and state of the XML import */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_XML_H
#define GPUOA_LIB_DEFINITIONS_LOAD_XML_H

#include "base/name_map.h"
#include "definitions/load/import.h"

/* Elements of the file, outermost first. */
enum xml_element {
	XML_DOCUMENT,
	XML_METRICS,
	XML_SET,
	XML_COUNTER,
	XML_REGISTER_CONFIG,
	XML_REGISTER,
};

struct xml_attribute {
	const char *name;
	const char *value;
	struct location location; /* location of the value */
};

#define XML_ATTRIBUTES_MAX 32

/* An element of the file. It is valid only during the callback. */
struct xml_tag {
	struct location location;
	struct xml_attribute attributes[XML_ATTRIBUTES_MAX];
	size_t count;
};

/*
 * A counter of a set that is being read. Its equations are parsed at the end of the set, because
 * they may use counters that follow.
 */
struct xml_counter {
	struct xml_counter *next;
	struct metric_use *use;
	struct xml_attribute equation, max, availability;
};

#define XML_CHIPSETS_MAX 64

/* The definition of a chipset. The sets of a chipset can be anywhere in the file. */
struct xml_chipset {
	struct definition *definition;
	struct set_definition **set_tail;
	uint32_t set_count;
	struct constant_definition **constant_tail;
	struct name_map constants; /* by name: struct constant_definition */
};

/* State of an import. */
struct xml_import {
	const char *file;
	struct arena *arena;
	struct diagnostic *diagnostic;
	struct definition_list *list;
	struct xml_chipset chipsets[XML_CHIPSETS_MAX]; /* in the order of @list */
	bool no_memory;
	/* of the current set: */
	struct xml_chipset *chipset;
	struct set_definition *set;
	struct metric_use **use_tail;
	uint32_t use_count;
	struct name_map uses; /* maps the symbol of a counter to its struct metric_use */
	struct register_list **register_tail;
	struct xml_counter *counters;
	struct xml_counter **counter_tail;
	/* of the current register list: */
	struct register_list *registers;
	uint32_t register_room;
};

/* Initialize an import. @import->file, .arena, .diagnostic and .list must be set. */
bool xml_import_init(struct xml_import *import);

/* Free memory that is not in the arena. */
void xml_import_fini(struct xml_import *import);

/* Process the begin or the end of an element. Returns false after an error. */
bool xml_begin(struct xml_import *import, enum xml_element element, const struct xml_tag *tag);
bool xml_end(struct xml_import *import, enum xml_element element);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_XML_H */
