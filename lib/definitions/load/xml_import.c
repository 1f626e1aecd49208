// SPDX-License-Identifier: MIT
/*
 * xml_import.c - converts XML elements of Mesa and igt-gpu-tools to definitions
 *
 * A counter in these files belongs to one set, and becomes a metric of that set only. Attributes
 * without equivalent in our language (underscore_name, version, ...) are ignored.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "definitions/language/lexer.h"
#include "definitions/language/names.h"
#include "definitions/language/postfix.h"
#include "definitions/load/xml.h"
#include "gpu/platforms.h"
#include "gpu/rules.h"
#include "report/format.h"
#include "table/table.h"
#include "table/words.h"

#define IMPORT_FAIL(import, location, ...) \
	(diagnostic_set((import)->diagnostic, (import)->file, location, __VA_ARGS__), false)

static void *import_alloc(struct xml_import *import, size_t size)
{
	void *memory = arena_alloc(import->arena, size);

	if (!memory)
		import->no_memory = true;
	return memory;
}

static bool copy(struct xml_import *import, const char *from, const char **to)
{
	*to = arena_string(import->arena, from, strlen(from));
	if (!*to)
		import->no_memory = true;
	return *to;
}

/* attributes */

/* Return the value of an attribute; NULL if the element does not have it, or if it is empty. */
static const struct xml_attribute *find(const struct xml_tag *tag, const char *name)
{
	for (size_t i = 0; i < tag->count; i++)
		if (!strcmp(tag->attributes[i].name, name) && *tag->attributes[i].value)
			return &tag->attributes[i];
	return NULL;
}

static const struct xml_attribute *require(struct xml_import *import, const struct xml_tag *tag,
					   const char *name, const char *what)
{
	const struct xml_attribute *attribute = find(tag, name);

	if (!attribute)
		(void)IMPORT_FAIL(import, tag->location, "expected %s: %s=\"...\"", what, name);
	return attribute;
}

/* Copy a text, converted to the form that our language allows; "" if there is none. */
static bool copy_text(struct xml_import *import, const struct xml_tag *tag, const char *name,
		      const char **to)
{
	const struct xml_attribute *attribute = find(tag, name);
	const size_t length = attribute ? strlen(attribute->value) : 0;
	char *text = import_alloc(import, length + 1);

	if (!text)
		return false;
	*to = text;
	for (size_t i = 0; i < length; i++) {
		const char c = attribute->value[i];

		text[i] = c == '"' ? '\'' : (unsigned char)c < ' ' ? ' ' : c;
	}
	return true;
}

/* Copy a symbol. It must also be valid in our language, because equations refer to it. */
static bool copy_symbol(struct xml_import *import, const struct xml_tag *tag, const char *what,
			const char **to)
{
	const struct xml_attribute *attribute = require(import, tag, "symbol_name", what);

	if (!attribute)
		return false;
	if (!symbol_is_free(attribute->value))
		return IMPORT_FAIL(
			import, attribute->location,
			"expected %s (a capital letter, then letters, digits and '_'; no hardware counter), found '%.40s'",
			what, attribute->value);
	return copy(import, attribute->value, to);
}

/* Store an equation, which is parsed at the end of the set. */
static bool copy_attribute(struct xml_import *import, const struct xml_tag *tag, const char *name,
			   struct xml_attribute *to)
{
	const struct xml_attribute *attribute = find(tag, name);

	if (!attribute)
		return true;
	to->location = attribute->location;
	return copy(import, attribute->value, &to->value);
}

/* A word that these files use, and the value that it stands for */
struct alias {
	const char *word;
	uint32_t value;
};

#define ALIASES(array) array, sizeof(array) / sizeof((array)[0])

/* Translate one word. */
static bool take_alias(struct xml_import *import, const struct xml_attribute *attribute,
		       const struct alias *aliases, size_t count, const char *what, uint32_t *value)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(aliases[i].word, attribute->value)) {
			*value = aliases[i].value;
			return true;
		}
	}
	return IMPORT_FAIL(import, attribute->location, "expected %s, found '%.40s'", what,
			   attribute->value);
}

/*
 * Convert space-separated words to a bit mask; 0 if there is no such attribute. Unknown words are
 * ignored.
 */
static uint32_t take_mask(const struct xml_tag *tag, const char *name, enum word_kind kind)
{
	const struct xml_attribute *attribute = find(tag, name);
	const char *text = attribute ? attribute->value : "";
	uint32_t mask = 0, bit;

	while (*(text += strspn(text, " \t\r\n"))) {
		const size_t length = strcspn(text, " \t\r\n");

		if (word_find_any_case(kind, text, length, &bit))
			mask |= bit;
		text += length;
	}
	return mask;
}

/* sets */

/* Names that these files use for report formats. */
static const struct alias format_aliases[] = {
	{ "256B_GENERIC_NOA16", GPUOA_REPORT_A24U40_A14U32_B8_C8 },
	{ "128B_MPEC8_NOA16", GPUOA_REPORT_MPEC8U32_B8_C8 },
	{ "192B_MPEC8LL_NOA16", GPUOA_REPORT_MPEC8U64_B8_C8 },
	{ "576B_PEC64LL", GPUOA_REPORT_PEC64U64 },
	{ "640B_PEC64LL_NOA16", GPUOA_REPORT_PEC64U64_B8_C8 },
	{ "128B_MERT_PEC8", GPUOA_REPORT_MERT_PEC8 },
};

/*
 * Return the report format of a platform's generation, or 0 if the generation has several or the
 * platform is unknown. Files of older GPUs do not name the format, because there was only one.
 */
static uint32_t format_of(const char *platform)
{
	const unsigned int generation = gpu_generation(platform);

	if (generation < GENERATION_HASWELL || generation >= GENERATION_XE2)
		return 0;
	if (generation == GENERATION_HASWELL)
		return GPUOA_REPORT_A45_B8_C8;
	return generation < GENERATION_12_5 ? GPUOA_REPORT_A32U40_A4U32_B8_C8 :
					      GPUOA_REPORT_A24U40_A14U32_B8_C8;
}

static bool take_format(struct xml_import *import, const struct xml_tag *tag, const char *platform,
			uint32_t *format)
{
	const struct xml_attribute *attribute = find(tag, "oa_format");
	const struct report_format *known;

	if (attribute) {
		known = format_find(attribute->value);
		*format = known ? known->id : 0;
		return known || take_alias(import, attribute, ALIASES(format_aliases),
					   "the name of a report format", format);
	}
	*format = format_of(platform);
	return *format ||
	       IMPORT_FAIL(
		       import, tag->location,
		       "expected the name of a report format, oa_format=\"...\": none is known for chipset '%.40s'",
		       platform);
}

/* Return the unit of a set. The files do not name it, but each unit has distinct report formats. */
static const char *unit_of(uint32_t format)
{
	switch (format) {
	case GPUOA_REPORT_MPEC8U32_B8_C8:
	case GPUOA_REPORT_MPEC8U64_B8_C8:
		return "OAM0";
	case GPUOA_REPORT_MERT_PEC8:
		return "OAMERT";
	default:
		return "OA";
	}
}

/* Copy a UUID, in lower case as in the kernel and in our files. */
static bool take_uuid(struct xml_import *import, const struct xml_tag *tag, const char **uuid)
{
	const struct xml_attribute *attribute =
		require(import, tag, "hw_config_guid", "the set's UUID");
	char *lower;

	if (!attribute)
		return false;
	lower = arena_string(import->arena, attribute->value, strlen(attribute->value));
	if (!lower) {
		import->no_memory = true;
		return false;
	}
	for (char *c = lower; *c; c++)
		if (*c >= 'A' && *c <= 'F')
			*c += 'a' - 'A';
	if (!uuid_is_valid(lower))
		return IMPORT_FAIL(import, attribute->location,
				   "a UUID has 8-4-4-4-12 hexadecimal digits, found '%.40s'",
				   attribute->value);
	*uuid = lower;
	return true;
}

/* Use the chipset's name in lower case as name of the platform. */
static bool take_platform(struct xml_import *import, const struct xml_tag *tag, char **name,
			  const char **title)
{
	const struct xml_attribute *attribute =
		require(import, tag, "chipset", "the chipset's name");

	if (!attribute)
		return false;
	for (const char *c = attribute->value; *c; c++)
		if (!isascii(*c) || !(isalnum(*c) || *c == '_') || isdigit(*attribute->value))
			return IMPORT_FAIL(
				import, attribute->location,
				"expected the chipset's name (letters, digits and '_'), found '%.40s'",
				attribute->value);
	*name = arena_string(import->arena, attribute->value, strlen(attribute->value));
	if (!*name || !copy(import, attribute->value, title)) {
		import->no_memory = true;
		return false;
	}
	for (char *c = *name; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
	return true;
}

static bool new_chipset(struct xml_import *import, const struct xml_tag *tag, const char *name,
			const char *title)
{
	struct definition_list *list = import->list;
	struct xml_chipset *chipset = &import->chipsets[list->count];
	struct definition *definition;

	if (list->count == XML_CHIPSETS_MAX)
		return IMPORT_FAIL(import, tag->location, "a file has %d chipsets at most",
				   XML_CHIPSETS_MAX);
	definition = import_alloc(import, sizeof(*definition));
	if (!definition)
		return false;
	definition->file = import->file;
	definition->location = tag->location;
	definition->name = name;
	definition->title = title;
	list->items[list->count++] = definition;
	*chipset = (struct xml_chipset){
		.definition = definition,
		.set_tail = &definition->sets,
		.constant_tail = &definition->constants,
	};
	import->chipset = chipset;
	return true;
}

/* Find the chipset to which the set belongs. */
static bool choose_chipset(struct xml_import *import, const struct xml_tag *tag)
{
	const char *title;
	char *name;

	if (!take_platform(import, tag, &name, &title))
		return false;
	for (size_t i = 0; i < import->list->count; i++) {
		import->chipset = &import->chipsets[i];
		if (!strcmp(import->list->items[i]->name, name))
			return true;
	}
	return new_chipset(import, tag, name, title);
}

static bool begin_set(struct xml_import *import, const struct xml_tag *tag)
{
	struct set_definition *set = import_alloc(import, sizeof(*set));
	struct xml_chipset *chipset;

	if (!set || !choose_chipset(import, tag))
		return false;
	chipset = import->chipset;
	if (chipset->set_count++ == TABLE_INDEX_MAX)
		return IMPORT_FAIL(import, tag->location, "a chipset has %d sets at most",
				   TABLE_INDEX_MAX);
	set->location = tag->location;
	set->apis = take_mask(tag, "mdapi_supported_apis", WORD_API);
	if (!copy_symbol(import, tag, "the set's symbol", &set->symbol) ||
	    !copy_text(import, tag, "name", &set->name) || !take_uuid(import, tag, &set->uuid) ||
	    !take_format(import, tag, chipset->definition->name, &set->format))
		return false;
	set->unit = unit_of(set->format);
	*chipset->set_tail = set;
	chipset->set_tail = &set->next;
	import->set = set;
	import->use_tail = &set->uses;
	import->use_count = 0;
	name_map_clear(&import->uses);
	import->register_tail = &set->registers;
	import->counters = NULL;
	import->counter_tail = &import->counters;
	return true;
}

/* counters */

static bool take_type(struct xml_import *import, const struct xml_tag *tag,
		      struct attributes *attributes)
{
	static const struct alias types[] = {
		{ "uint64", GPUOA_TYPE_UINT64 }, { "uint32", GPUOA_TYPE_UINT64 },
		{ "bool32", GPUOA_TYPE_UINT64 }, { "float", GPUOA_TYPE_FLOAT },
		{ "double", GPUOA_TYPE_FLOAT },
	};
	const struct xml_attribute *type = require(import, tag, "data_type", "the counter's type");
	const struct xml_attribute *semantic =
		type ? require(import, tag, "semantic_type", "the counter's kind of value") : NULL;
	uint32_t value;

	if (!semantic ||
	    !take_alias(import, type, ALIASES(types), "a type (uint64, float)", &value))
		return false;
	attributes->type = value;
	if (!word_find(WORD_SEMANTIC, semantic->value, strlen(semantic->value), &value))
		return IMPORT_FAIL(
			import, semantic->location,
			"expected a semantic (duration, event, throughput, ratio, timestamp, flag, raw), found '%.40s'",
			semantic->value);
	attributes->semantic = value;
	return true;
}

static void take_usage(const struct xml_tag *tag, struct attributes *attributes)
{
	attributes->usage = take_mask(tag, "mdapi_usage_flags", WORD_USAGE);
	for (uint32_t tier = 1; tier <= 4; tier++) {
		const uint32_t bit = GPUOA_USAGE_TIER_1 << (tier - 1);

		if (attributes->tier) /* the best of several */
			attributes->usage &= ~bit;
		else if (attributes->usage & bit)
			attributes->tier = tier;
	}
}

static bool take_watermark(struct xml_import *import, const struct xml_tag *tag, const char *name,
			   double *value)
{
	const struct xml_attribute *attribute = require(import, tag, name, "both watermarks");
	struct expression number;

	if (!attribute)
		return false;
	if (postfix_read_number(attribute->value, &number))
		return IMPORT_FAIL(import, attribute->location, "expected a number, found '%.40s'",
				   attribute->value);
	*value = number.kind == EXPRESSION_REAL ? number.real : (double)number.integer;
	return true;
}

static bool take_watermarks(struct xml_import *import, const struct xml_tag *tag,
			    struct attributes *attributes)
{
	if (!find(tag, "low_watermark") && !find(tag, "high_watermark"))
		return true;
	attributes->given |= ATTRIBUTE_WATERMARKS;
	return take_watermark(import, tag, "low_watermark", &attributes->low) &&
	       take_watermark(import, tag, "high_watermark", &attributes->high);
}

static bool take_counter(struct xml_import *import, const struct xml_tag *tag,
			 struct metric_use *use)
{
	struct attributes *attributes = &use->changes;

	attributes->given = ATTRIBUTES_COMPLETE;
	attributes->apis = take_mask(tag, "mdapi_supported_apis", WORD_API);
	take_usage(tag, attributes);
	return copy_symbol(import, tag, "the counter's symbol", &use->symbol) &&
	       copy_text(import, tag, "name", &attributes->name) &&
	       copy_text(import, tag, "description", &attributes->description) &&
	       copy_text(import, tag, "mdapi_group", &attributes->group) &&
	       copy_text(import, tag, "units", &attributes->units) &&
	       copy_text(import, tag, "mdapi_hw_unit_type", &attributes->hw_unit) &&
	       take_type(import, tag, attributes) && take_watermarks(import, tag, attributes);
}

static bool begin_counter(struct xml_import *import, const struct xml_tag *tag)
{
	struct xml_counter *counter = import_alloc(import, sizeof(*counter));
	struct metric_use *use = import_alloc(import, sizeof(*use));

	if (!counter || !use)
		return false;
	use->location = tag->location;
	use->is_whole = true;
	counter->use = use;
	if (!take_counter(import, tag, use) ||
	    !require(import, tag, "equation", "the counter's equation") ||
	    !copy_attribute(import, tag, "equation", &counter->equation) ||
	    !copy_attribute(import, tag, "max_equation", &counter->max) ||
	    !copy_attribute(import, tag, "availability", &counter->availability))
		return false;
	if (import->use_count++ == TABLE_INDEX_MAX)
		return IMPORT_FAIL(import, tag->location, "a set has %d counters at most",
				   TABLE_INDEX_MAX);
	/* The compiler reports duplicate names. */
	if (!name_map_add(&import->uses, use->symbol, use)) {
		import->no_memory = true;
		return false;
	}
	*import->use_tail = use;
	import->use_tail = &use->next;
	*import->counter_tail = counter;
	import->counter_tail = &counter->next;
	return true;
}

/* names and equations */

/* Declare a constant, unless it is declared already. */
static int add_constant(struct xml_import *import, const char *name)
{
	struct xml_chipset *chipset = import->chipset;
	struct constant_definition *constant;

	if (name_map_find(&chipset->constants, name))
		return 0;
	constant = import_alloc(import, sizeof(*constant));
	if (!constant || !name_map_add(&chipset->constants, name, constant))
		return -ENOMEM;
	constant->location = import->set->location;
	constant->name = name;
	constant->description = "";
	*chipset->constant_tail = constant;
	chipset->constant_tail = &constant->next;
	return 0;
}

/*
 * Returns whether a name is that of a constant. The files do not declare constants. Only known
 * names are accepted, so that a misspelled name is an error. Mesa has one more constant, which no
 * unit reports: users of its metrics must set it.
 */
static bool is_constant(const char *name)
{
	return rule_find(name).kind != RULE_UNKNOWN ||
	       !strcmp(name, "EuDualSubslicesSlice0123Count");
}

static int resolve(void *context, const char *name, enum gpuoa_value_type *type)
{
	struct xml_import *import = context;
	const struct metric_use *use = name_map_find(&import->uses, name);

	if (use) {
		*type = use->changes.type;
		return 0;
	}
	*type = GPUOA_TYPE_UINT64;
	return is_constant(name) ? add_constant(import, name) : -ENOENT;
}

static bool read_equation(struct xml_import *import, const struct xml_attribute *attribute,
			  bool condition, struct equation *equation)
{
	const struct postfix postfix = {
		.condition = condition,
		.file = import->file,
		.arena = import->arena,
		.diagnostic = import->diagnostic,
		.resolve = resolve,
		.context = import,
	};
	int err;

	if (!attribute->value)
		return true;
	err = postfix_read(&postfix, attribute->value, attribute->location, equation);
	import->no_memory |= err == -ENOMEM;
	return !err;
}

/* The set is complete and its names are known, so that its equations can be parsed. */
static bool end_set(struct xml_import *import)
{
	struct xml_counter *counter = import->counters;

	if (!counter)
		return IMPORT_FAIL(import, import->set->location, "set %s lacks counters",
				   import->set->symbol);
	for (; counter; counter = counter->next) {
		struct attributes *attributes = &counter->use->changes;

		if (!read_equation(import, &counter->equation, false, &attributes->equation) ||
		    !read_equation(import, &counter->max, false, &attributes->max) ||
		    !read_equation(import, &counter->availability, true, &attributes->availability))
			return false;
	}
	return true;
}

/* registers */

static bool begin_registers(struct xml_import *import, const struct xml_tag *tag)
{
	static const struct alias kinds[] = {
		{ "NOA", GPUOA_REGISTER_MUX },
		{ "OA", GPUOA_REGISTER_BOOLEAN },
		{ "FLEX", GPUOA_REGISTER_FLEX },
	};
	const struct xml_attribute *type = require(import, tag, "type", "the registers' type");
	const struct xml_attribute *availability = find(tag, "availability");
	struct register_list *list = import_alloc(import, sizeof(*list));
	uint32_t kind;

	if (!type || !list ||
	    !take_alias(import, type, ALIASES(kinds), "a type of registers (NOA, OA, FLEX)", &kind))
		return false;
	list->kind = kind;
	list->location = tag->location;
	*import->register_tail = list;
	import->register_tail = &list->next;
	import->registers = list;
	import->register_room = 0;
	return !availability || read_equation(import, availability, true, &list->condition);
}

static bool take_dword(struct xml_import *import, const struct xml_tag *tag, const char *name,
		       const char *what, uint32_t *value)
{
	const struct xml_attribute *attribute = require(import, tag, name, what);
	struct expression number;

	if (!attribute)
		return false;
	if (postfix_read_number(attribute->value, &number) || number.kind != EXPRESSION_INTEGER ||
	    number.integer > UINT32_MAX)
		return IMPORT_FAIL(import, attribute->location,
				   "expected %s, 32 bits, found '%.40s'", what, attribute->value);
	*value = number.integer;
	return true;
}

static bool begin_register(struct xml_import *import, const struct xml_tag *tag)
{
	struct register_list *list = import->registers;

	if (list->count == import->register_room) {
		uint32_t room = list->count ? 2 * list->count : 16;
		struct gpuoa_reg *more = import_alloc(import, room * sizeof(*more));

		if (!more)
			return false;
		if (list->count)
			memcpy(more, list->registers, list->count * sizeof(*more));
		list->registers = more;
		import->register_room = room;
	}
	return take_dword(import, tag, "address", "the register's address",
			  &list->registers[list->count].address) &&
	       take_dword(import, tag, "value", "the register's value",
			  &list->registers[list->count++].value);
}

bool xml_import_init(struct xml_import *import)
{
	import->list->items = import_alloc(import, XML_CHIPSETS_MAX * sizeof(*import->list->items));
	return import->list->items;
}

void xml_import_fini(struct xml_import *import)
{
	for (size_t i = 0; i < import->list->count; i++)
		name_map_free(&import->chipsets[i].constants);
	name_map_free(&import->uses);
}

bool xml_begin(struct xml_import *import, enum xml_element element, const struct xml_tag *tag)
{
	switch (element) {
	case XML_SET:
		return begin_set(import, tag);
	case XML_COUNTER:
		return begin_counter(import, tag);
	case XML_REGISTER_CONFIG:
		return begin_registers(import, tag);
	case XML_REGISTER:
		return begin_register(import, tag);
	default:
		return true;
	}
}

bool xml_end(struct xml_import *import, enum xml_element element)
{
	return element != XML_SET || end_set(import);
}
