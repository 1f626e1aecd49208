/* SPDX-License-Identifier: MIT */
/*
 * xml.h - what the files of the XML import share: elements as they come, and what is made of them.
 */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_XML_H
#define GPUOA_LIB_DEFINITIONS_LOAD_XML_H

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

/* A counter until its set is complete: equations may refer to what comes later. */
struct xml_counter {
	struct xml_counter *next;
	struct metric_use *use;
	struct xml_attribute equation, max, availability;
};

/* What becomes of the elements. */
struct xml_import {
	const char *file;
	struct arena *arena;
	struct diagnostic *diagnostic;
	struct definition_list *list;
	bool no_memory;
	/* of the set in work: */
	struct definition *definition;
	struct set_definition *set;
	struct metric_use **use_tail;
	struct register_list **register_tail;
	struct xml_counter *counters;
	struct xml_counter **counter_tail;
	/* of the register list in work: */
	struct register_list *registers;
	uint32_t register_room;
};

/* Take an element; false after an error. */
bool xml_begin(struct xml_import *import, enum xml_element element, const struct xml_tag *tag);
bool xml_end(struct xml_import *import, enum xml_element element);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_XML_H */
