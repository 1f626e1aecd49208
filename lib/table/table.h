/* SPDX-License-Identifier: MIT */
/*
 * table.h - the compiled metric definitions: one block of read-only memory
 *
 * Records refer to each other by relative distance, so the block needs no relocation. It is either
 * constant data of the library or memory filled by a run-time compilation. The opaque types of
 * gpuoa.h are records of this block.
 */
#ifndef GPUOA_LIB_TABLE_TABLE_H
#define GPUOA_LIB_TABLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* A reference to another record: its distance in bytes from the link itself; 0: none. */
struct table_link {
	int32_t distance;
};

static inline const void *table_follow(const struct table_link *link)
{
	return link->distance ? (const char *)link + link->distance : NULL;
}

static inline const char *table_string(const struct table_link *link)
{
	const char *string = table_follow(link);

	return string ? string : "";
}

/*
 * Open-addressing hash table of names. A slot contains the index of a name plus one, or 0 if it is
 * free.
 */
struct table_index {
	/*
	 * number of slots minus one. The number of slots is a power of two, and less than half of
	 * them are used.
	 */
	uint32_t mask;
	uint16_t slots[];
};

/* Maximum number of names in an index. */
#define TABLE_INDEX_MAX 32767

struct table_root {
	uint32_t size; /* size of the whole block in bytes */
	uint32_t platform_count;
	struct table_link platforms; /* struct gpuoa_platform[] */
};

struct gpuoa_platform {
	struct table_link name;
	struct table_link title;
	uint32_t set_count;
	struct table_link sets; /* struct gpuoa_set[] */
	/* struct table_index of symbols; each refers to the first set with that symbol */
	struct table_link set_symbols;
	struct table_link set_uuids; /* struct table_index */
	uint32_t constant_count;
	struct table_link constants; /* struct table_constant[] */
	struct table_link constant_names; /* struct table_index */
	/* number of sets at the beginning of .sets that come from the built-in platform */
	uint32_t inherited;
};

struct table_constant {
	struct table_link name;
	struct table_link description;
};

struct gpuoa_set {
	struct table_link platform;
	struct table_link symbol;
	struct table_link name;
	struct table_link uuid;
	uint32_t apis;
	uint32_t format;
	uint32_t metric_count;
	struct table_link metrics; /* struct gpuoa_metric[] */
	struct table_link metric_symbols; /* struct table_index */
	uint32_t info_count;
	struct table_link infos; /* struct gpuoa_info[] */
	uint32_t domain; /* number of the domain; sets of the same unit have the same number */
	uint32_t register_count; /* total over all lists */
	uint32_t register_list_count;
	struct table_link register_lists; /* struct table_registers[] */
	struct table_link unit;
	struct table_link availability_text;
	struct table_link availability; /* code.h */
	struct table_link remark;
	/* struct gpuoa_set: the next set with the same symbol, for another unit or condition */
	struct table_link same_symbol;
};

struct table_registers {
	uint32_t kind; /* enum gpuoa_register_kind */
	struct table_link condition; /* code.h */
	struct table_link condition_text;
	uint32_t count;
	struct table_link registers; /* struct gpuoa_reg[] */
};

/* The properties of a metric, which metrics of several sets can share */
struct table_metric {
	struct table_link symbol;
	struct table_link name;
	struct table_link description;
	struct table_link group;
	struct table_link units;
	struct table_link hw_unit;
	struct table_link equation;
	struct table_link max;
	struct table_link availability;
	struct table_link alias;
	uint32_t apis;
	uint16_t usage;
	uint8_t type;
	uint8_t semantic;
	uint8_t tier;
	uint8_t query_only;
	uint8_t has_watermarks;
	uint8_t reserved;
	double low;
	double high;
};

/* A metric of a set. Compiled equations refer to it by its index in the set. */
struct gpuoa_metric {
	struct table_link set;
	struct table_link definition; /* struct table_metric */
	struct table_link equation; /* code.h */
	struct table_link max;
	struct table_link availability;
};

struct gpuoa_info {
	struct table_link symbol;
	struct table_link name;
	struct table_link description;
	struct table_link units;
	uint32_t semantic;
	struct table_link equation; /* code.h */
	struct table_link equation_text;
};

/*
 * Find the element of @owner that is named @name. Returns its index, or -1. @key: returns the name
 * of an element
 */
long table_index_find(const struct table_index *index, const char *name,
		      const char *(*key)(const void *owner, size_t number), const void *owner);

/*
 * The definitions that are compiled into the library: a struct table_root and its data (tables.S)
 */
extern const uint64_t table_data[] __attribute__((visibility("hidden")));

static inline const struct table_root *table_builtin(void)
{
	return (const struct table_root *)table_data;
}

static inline const struct table_metric *metric_definition(const struct gpuoa_metric *metric)
{
	return table_follow(&metric->definition);
}

static inline const struct gpuoa_metric *set_metrics(const struct gpuoa_set *set)
{
	return table_follow(&set->metrics);
}

static inline const struct gpuoa_set *metric_set(const struct gpuoa_metric *metric)
{
	return table_follow(&metric->set);
}

/* Index in its set. */
static inline uint32_t metric_index(const struct gpuoa_metric *metric)
{
	return (uint32_t)(metric - set_metrics(metric_set(metric)));
}

static inline const struct gpuoa_platform *set_platform(const struct gpuoa_set *set)
{
	return table_follow(&set->platform);
}

static inline const struct gpuoa_set *platform_sets(const struct gpuoa_platform *platform)
{
	return table_follow(&platform->sets);
}

/* Index in its platform. */
static inline uint32_t set_index(const struct gpuoa_set *set)
{
	return (uint32_t)(set - platform_sets(set_platform(set)));
}

static inline const struct gpuoa_info *set_infos(const struct gpuoa_set *set)
{
	return table_follow(&set->infos);
}

#endif /* GPUOA_LIB_TABLE_TABLE_H */
