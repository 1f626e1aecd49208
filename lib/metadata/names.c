// SPDX-License-Identifier: MIT
/* names.c - public names of enumeration values; versions */

#include "gpuoa.h"
#include "table/words.h"

const char *gpuoa_version(void)
{
	return GPUOA_VERSION;
}

const char *gpuoa_metadata_revision(void)
{
	return GPUOA_METADATA_REVISION;
}

const char *gpuoa_api_name(enum gpuoa_api api)
{
	return word_of(WORD_API, api);
}

const char *gpuoa_category_name(enum gpuoa_category category)
{
	return word_of(WORD_CATEGORY, category);
}

const char *gpuoa_sampling_name(enum gpuoa_sampling sampling)
{
	return word_of(WORD_SAMPLING, sampling);
}

const char *gpuoa_register_kind_name(enum gpuoa_register_kind kind)
{
	return word_of(WORD_REGISTERS, kind);
}

const char *gpuoa_type_name(enum gpuoa_value_type type)
{
	return word_of(WORD_TYPE, type);
}

const char *gpuoa_semantic_name(enum gpuoa_semantic semantic)
{
	return word_of(WORD_SEMANTIC, semantic);
}

const char *gpuoa_usage_name(enum gpuoa_usage usage)
{
	return word_of(WORD_USAGE, usage);
}

const char *gpuoa_watermark_level_name(enum gpuoa_watermark_level mark)
{
	return word_of(WORD_MARK, mark);
}

const char *gpuoa_quantity_name(enum gpuoa_quantity quantity)
{
	return word_of(WORD_QUANTITY, quantity);
}

const char *gpuoa_info_kind_name(enum gpuoa_info_kind kind)
{
	return word_of(WORD_INFO, kind);
}

const char *gpuoa_constant_kind_name(enum gpuoa_constant_kind kind)
{
	return word_of(WORD_CONSTANT, kind);
}

const char *gpuoa_provenance_name(enum gpuoa_provenance origin)
{
	return word_of(WORD_ORIGIN, origin);
}

const char *gpuoa_field_name(enum gpuoa_field field)
{
	return word_of(WORD_FIELD, field);
}

const char *gpuoa_reason_name(enum gpuoa_reason reason)
{
	return word_of(WORD_REASON, reason);
}

const char *gpuoa_delivery_name(enum gpuoa_delivery delivery)
{
	return word_of(WORD_DELIVERY, delivery);
}

const char *gpuoa_engine_kind_name(enum gpuoa_engine_kind kind)
{
	return word_of(WORD_ENGINE, kind);
}
