/* SPDX-License-Identifier: MIT */
/*
 * facts.h - Reference description of all platforms' metrics, from platforms.facts
 *
 * The parser shares no code with the library, so that it can be compared with the library.
 */
#ifndef GPUOA_LIB_TESTS_FACTS_H
#define GPUOA_LIB_TESTS_FACTS_H

#include <stddef.h>
#include <stdint.h>

#define FACTS_METRICS_MAX 96 /* per set */
#define FACTS_REGISTERS_MAX 12 /* lists per set */

/* Strings are stored as in the file, where "-" means none. */
struct facts_kind {
	const char *type;
	const char *units;
	const char *semantic;
	const char *usage;
	const char *apis;
	const char *part;
	const char *low;
	const char *high;
	const char *group;
};

/* An equation is "" if the metric has none. */
struct facts_metric {
	const char *symbol;
	const char *name;
	const struct facts_kind *kind;
	const char *equation;
	const char *max;
	const char *availability;
};

struct facts_registers {
	const char *list; /* "noa", "oa", "flex", "mert" */
	const char *availability;
	size_t count;
	uint64_t hash;
};

struct facts_set {
	const char *symbol;
	const char *name;
	const char *uuid; /* "-": none from the vendor */
	const char *format;
	const char *apis;
	const char *unit; /* "OA", "OAM0", ... */
	const char *availability;
	struct facts_registers registers[FACTS_REGISTERS_MAX];
	size_t register_lists;
	const struct facts_metric *metrics[FACTS_METRICS_MAX];
	size_t metric_count;
};

struct facts_platform {
	const char *name;
	struct facts_set *sets;
	size_t set_count;
};

struct facts {
	struct facts_platform *platforms;
	size_t platform_count;
	char *text;
	const char **equations;
	struct facts_kind *kinds;
	struct facts_metric *metrics;
	struct facts_set *sets;
};

/* Read platforms.facts; the test must run in the top directory of the tree. Exits on errors. */
void facts_read(struct facts *facts);
void facts_free(struct facts *facts);

/* Find a platform; NULL: there is none of this name. */
const struct facts_platform *facts_find(const struct facts *facts, const char *name);

/* Update the FNV-1a hash of 32-bit words. The initial value is FACTS_HASH. */
#define FACTS_HASH 0xcbf29ce484222325ull
uint64_t facts_hash(uint64_t hash, uint32_t word);

#endif /* GPUOA_LIB_TESTS_FACTS_H */
