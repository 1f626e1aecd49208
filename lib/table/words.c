// SPDX-License-Identifier: MIT
/* words.c - names of enumeration values in definitions and in output; lookup of records by name */
#include "table/words.h"

#include <string.h>

#include "base/hash.h"
#include "gpuoa.h"
#include "table/table.h"

/* A name and its value. Names are stored in the records, so that the table needs no relocation. */
static const struct word {
	uint16_t kind; /* enum word_kind */
	uint16_t value;
	char text[16];
} words[] = {
	{ WORD_API, GPUOA_API_IO, "io" },
	{ WORD_API, GPUOA_API_BB, "bb" },
	{ WORD_API, GPUOA_API_OGL, "ogl" },
	{ WORD_API, GPUOA_API_OGL4, "ogl4" },
	{ WORD_API, GPUOA_API_OCL, "ocl" },
	{ WORD_API, GPUOA_API_VK, "vk" },
	{ WORD_API, GPUOA_API_MEDIA, "media" },
	{ WORD_USAGE, GPUOA_USAGE_OVERVIEW, "overview" },
	{ WORD_USAGE, GPUOA_USAGE_INDICATE, "indicate" },
	{ WORD_USAGE, GPUOA_USAGE_CORRELATE, "correlate" },
	{ WORD_USAGE, GPUOA_USAGE_SYSTEM, "system" },
	{ WORD_USAGE, GPUOA_USAGE_FRAME, "frame" },
	{ WORD_USAGE, GPUOA_USAGE_BATCH, "batch" },
	{ WORD_USAGE, GPUOA_USAGE_DRAW, "draw" },
	{ WORD_USAGE, GPUOA_USAGE_GLASS_JAW, "glassjaw" },
	{ WORD_USAGE, GPUOA_USAGE_TIER_1, "tier1" },
	{ WORD_USAGE, GPUOA_USAGE_TIER_2, "tier2" },
	{ WORD_USAGE, GPUOA_USAGE_TIER_3, "tier3" },
	{ WORD_USAGE, GPUOA_USAGE_TIER_4, "tier4" },
	{ WORD_SEMANTIC, GPUOA_SEMANTIC_DURATION, "duration" },
	{ WORD_SEMANTIC, GPUOA_SEMANTIC_EVENT, "event" },
	{ WORD_SEMANTIC, GPUOA_SEMANTIC_THROUGHPUT, "throughput" },
	{ WORD_SEMANTIC, GPUOA_SEMANTIC_RATIO, "ratio" },
	{ WORD_SEMANTIC, GPUOA_SEMANTIC_TIMESTAMP, "timestamp" },
	{ WORD_SEMANTIC, GPUOA_SEMANTIC_FLAG, "flag" },
	{ WORD_SEMANTIC, GPUOA_SEMANTIC_RAW, "raw" },
	{ WORD_TYPE, GPUOA_TYPE_UINT64, "uint64" },
	{ WORD_TYPE, GPUOA_TYPE_FLOAT, "float" },
	{ WORD_REGISTERS, GPUOA_REGISTER_MUX, "mux" },
	{ WORD_REGISTERS, GPUOA_REGISTER_BOOLEAN, "boolean" },
	{ WORD_REGISTERS, GPUOA_REGISTER_FLEX, "flex" },
	{ WORD_CATEGORY, GPUOA_CATEGORY_GENERIC, "generic" },
	{ WORD_CATEGORY, GPUOA_CATEGORY_RENDER, "render" },
	{ WORD_CATEGORY, GPUOA_CATEGORY_COMPUTE, "compute" },
	{ WORD_CATEGORY, GPUOA_CATEGORY_MEDIA, "media" },
	{ WORD_SAMPLING, GPUOA_SAMPLING_TIMER, "timer" },
	{ WORD_SAMPLING, GPUOA_SAMPLING_QUERY, "query" },
	{ WORD_SAMPLING, GPUOA_SAMPLING_TRIGGER, "trigger" },
	{ WORD_SAMPLING, GPUOA_SAMPLING_TRACER, "tracer" },
	{ WORD_SAMPLING, GPUOA_SAMPLING_EU_STALL, "eu stall" },
	{ WORD_QUANTITY, GPUOA_QUANTITY_COUNT, "count" },
	{ WORD_QUANTITY, GPUOA_QUANTITY_RATIO, "ratio" },
	{ WORD_QUANTITY, GPUOA_QUANTITY_TIME, "time" },
	{ WORD_QUANTITY, GPUOA_QUANTITY_FREQUENCY, "frequency" },
	{ WORD_QUANTITY, GPUOA_QUANTITY_DATA, "data" },
	{ WORD_QUANTITY, GPUOA_QUANTITY_BANDWIDTH, "bandwidth" },
	{ WORD_CONSTANT, GPUOA_CONSTANT_NUMBER, "number" },
	{ WORD_CONSTANT, GPUOA_CONSTANT_COUNT, "count" },
	{ WORD_CONSTANT, GPUOA_CONSTANT_MASK, "mask" },
	{ WORD_CONSTANT, GPUOA_CONSTANT_FREQUENCY, "frequency" },
	{ WORD_CONSTANT, GPUOA_CONSTANT_FLAG, "flag" },
	{ WORD_ORIGIN, GPUOA_PROVENANCE_NONE, "none" },
	{ WORD_ORIGIN, GPUOA_PROVENANCE_GIVEN, "given" },
	{ WORD_ORIGIN, GPUOA_PROVENANCE_DERIVED, "derived" },
	{ WORD_ORIGIN, GPUOA_PROVENANCE_ASSUMED, "assumed" },
	{ WORD_MARK, GPUOA_WATERMARK_NONE, "none" },
	{ WORD_MARK, GPUOA_WATERMARK_LOW, "low" },
	{ WORD_MARK, GPUOA_WATERMARK_MEDIUM, "medium" },
	{ WORD_MARK, GPUOA_WATERMARK_HIGH, "high" },
	{ WORD_INFO, GPUOA_INFO_VALUE, "value" },
	{ WORD_INFO, GPUOA_INFO_FLAG, "flag" },
	{ WORD_INFO, GPUOA_INFO_TIMESTAMP, "timestamp" },
	{ WORD_INFO, GPUOA_INFO_REPORT_REASON, "report_reason" },
	{ WORD_INFO, GPUOA_INFO_CONTEXT_ID, "context_id" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_INTEGER, "integer" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_REAL, "real" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_COUNTER, "counter" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_TIMESTAMP, "timestamp" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_CLOCK, "clock" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_REPORT_ID, "report_id" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_CONTEXT_ID, "context_id" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_CONSTANT, "constant" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_METRIC, "metric" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_QUERY_MODE, "query_mode" },
	{ WORD_ELEMENT, GPUOA_ELEMENT_OPERATOR, "operator" },
	{ WORD_OPERATION, GPUOA_OPERATION_ADD, "add" },
	{ WORD_OPERATION, GPUOA_OPERATION_SUBTRACT, "subtract" },
	{ WORD_OPERATION, GPUOA_OPERATION_MULTIPLY, "multiply" },
	{ WORD_OPERATION, GPUOA_OPERATION_DIVIDE, "divide" },
	{ WORD_OPERATION, GPUOA_OPERATION_MINIMUM, "minimum" },
	{ WORD_OPERATION, GPUOA_OPERATION_MAXIMUM, "maximum" },
	{ WORD_OPERATION, GPUOA_OPERATION_BIT_AND, "bit_and" },
	{ WORD_OPERATION, GPUOA_OPERATION_SHIFT_LEFT, "shift_left" },
	{ WORD_OPERATION, GPUOA_OPERATION_SHIFT_RIGHT, "shift_right" },
	{ WORD_OPERATION, GPUOA_OPERATION_EQUAL, "equal" },
	{ WORD_OPERATION, GPUOA_OPERATION_NOT_EQUAL, "not_equal" },
	{ WORD_OPERATION, GPUOA_OPERATION_LESS, "less" },
	{ WORD_OPERATION, GPUOA_OPERATION_LESS_EQUAL, "less_equal" },
	{ WORD_OPERATION, GPUOA_OPERATION_GREATER, "greater" },
	{ WORD_OPERATION, GPUOA_OPERATION_GREATER_EQUAL, "greater_equal" },
	{ WORD_OPERATION, GPUOA_OPERATION_AND, "and" },
	{ WORD_OPERATION, GPUOA_OPERATION_OR, "or" },
	{ WORD_FIELD, GPUOA_FIELD_REPORT_ID, "report_id" },
	{ WORD_FIELD, GPUOA_FIELD_TIMESTAMP, "timestamp" },
	{ WORD_FIELD, GPUOA_FIELD_CONTEXT_ID, "context_id" },
	{ WORD_FIELD, GPUOA_FIELD_CLOCK, "clock" },
	{ WORD_FIELD, GPUOA_FIELD_COUNTER_A, "counter_a" },
	{ WORD_FIELD, GPUOA_FIELD_COUNTER_B, "counter_b" },
	{ WORD_FIELD, GPUOA_FIELD_COUNTER_C, "counter_c" },
	{ WORD_FIELD, GPUOA_FIELD_COUNTER_PEC, "counter_pec" },
	{ WORD_REASON, GPUOA_REASON_TIMER, "timer" },
	{ WORD_REASON, GPUOA_REASON_TRIGGER_1, "trigger_1" },
	{ WORD_REASON, GPUOA_REASON_TRIGGER_2, "trigger_2" },
	{ WORD_REASON, GPUOA_REASON_CONTEXT_SWITCH, "context_switch" },
	{ WORD_REASON, GPUOA_REASON_IDLE, "idle" },
	{ WORD_REASON, GPUOA_REASON_CLOCK, "clock" },
	{ WORD_REASON, GPUOA_REASON_MMIO, "mmio" },
	{ WORD_DELIVERY, GPUOA_DELIVERY_DEFAULT, "default" },
	{ WORD_DELIVERY, GPUOA_DELIVERY_RAW, "raw" },
	{ WORD_DELIVERY, GPUOA_DELIVERY_AUX, "aux" },
	{ WORD_DELIVERY, GPUOA_DELIVERY_PREFER_AUX, "prefer_aux" },
	{ WORD_ENGINE, GPUOA_ENGINE_RENDER, "rcs" },
	{ WORD_ENGINE, GPUOA_ENGINE_COPY, "bcs" },
	{ WORD_ENGINE, GPUOA_ENGINE_VIDEO, "vcs" },
	{ WORD_ENGINE, GPUOA_ENGINE_VIDEO_ENHANCE, "vecs" },
	{ WORD_ENGINE, GPUOA_ENGINE_COMPUTE, "ccs" },
	{ WORD_QUERY_MODE, GPUOA_QUERY_NONE, "none" },
	{ WORD_QUERY_MODE, GPUOA_QUERY_RENDER, "render" },
	{ WORD_QUERY_MODE, GPUOA_QUERY_COMPUTE, "compute" },
	{ WORD_QUERY_MODE, GPUOA_QUERY_GLOBAL, "global" },
};

#define WORD_COUNT (sizeof(words) / sizeof(words[0]))

const char *word_of(enum word_kind kind, uint32_t value)
{
	for (size_t i = 0; i < WORD_COUNT; i++)
		if (words[i].kind == kind && words[i].value == value)
			return words[i].text;
	return NULL;
}

static char small_letter(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool word_find(enum word_kind kind, const char *word, size_t length, uint32_t *value)
{
	for (size_t i = 0; i < WORD_COUNT; i++) {
		if (words[i].kind != kind || strlen(words[i].text) != length ||
		    memcmp(words[i].text, word, length))
			continue;
		*value = words[i].value;
		return true;
	}
	return false;
}

bool word_find_any_case(enum word_kind kind, const char *word, size_t length, uint32_t *value)
{
	char small[sizeof(words[0].text)];

	if (length > sizeof(small))
		return false;
	for (size_t i = 0; i < length; i++)
		small[i] = small_letter(word[i]);
	return word_find(kind, small, length, value);
}

long table_index_find(const struct table_index *index, const char *name,
		      const char *(*key)(const void *owner, size_t number), const void *owner)
{
	for (uint32_t i = hash_string(name) & index->mask; index->slots[i];
	     i = (i + 1) & index->mask)
		if (!strcmp(key(owner, index->slots[i] - 1), name))
			return index->slots[i] - 1;
	return -1;
}
