/* SPDX-License-Identifier: MIT */
/*
 * xml.h - shared by the files of the XML import: elements, and the state of the import.
 */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_XML_H
#define GPUOA_LIB_DEFINITIONS_LOAD_XML_H

#include "base/name_map.h"
#include "definitions/load/import.h"

/* The elements that there are, each with its place. */
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
	struct location location; /* of the value */
};

#define XML_ATTRIBUTES_MAX 32

/* An element, valid while it is handed over. */
struct xml_tag {
	struct location location;
	struct xml_attribute attributes[XML_ATTRIBUTES_MAX];
	size_t count;
};

/*
 * A counter whose set is not complete yet. Its equations are read at the end of the set, since they
 * may refer to later counters.
 */
struct xml_counter {
	struct xml_counter *next;
	struct metric_use *use;
	struct xml_attribute equation, max, availability;
};

#define XML_CHIPSETS_MAX 64

/* The definition of one chipset, whose sets may stand anywhere in the file. */
struct xml_chipset {
	struct definition *definition;
	struct set_definition **set_tail;
	uint32_t set_count;
	struct constant_definition **constant_tail;
	struct name_map constants; /* struct constant_definition */
};

/* The state of an import. */
struct xml_import {
	const char *file;
	struct arena *arena;
	struct diagnostic *diagnostic;
	struct definition_list *list;
	struct xml_chipset chipsets[XML_CHIPSETS_MAX]; /* as in @list */
	bool no_memory;
	/* of the set in work: */
	struct xml_chipset *chipset;
	struct set_definition *set;
	struct metric_use **use_tail;
	uint32_t use_count;
	struct name_map uses; /* struct metric_use: the counters so far */
	struct register_list **register_tail;
	struct xml_counter *counters;
	struct xml_counter **counter_tail;
	/* of the register list in work: */
	struct register_list *registers;
	uint32_t register_room;
};

/* Begin with @import->file, .arena, .diagnostic and .list filled in. */
bool xml_import_init(struct xml_import *import);

/* Give back what is not in the arena. */
void xml_import_fini(struct xml_import *import);

/* Take an element; false after an error. */
bool xml_begin(struct xml_import *import, enum xml_element element, const struct xml_tag *tag);
bool xml_end(struct xml_import *import, enum xml_element element);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_XML_H */
