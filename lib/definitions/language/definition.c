// SPDX-License-Identifier: MIT
/* definition.c - attributes of metrics */
#include "definitions/language/definition.h"

void attributes_apply(struct attributes *attributes, const struct attributes *changes)
{
	uint32_t given = changes->given;

	attributes->given |= given;
	if (given & ATTRIBUTE_NAME)
		attributes->name = changes->name;
	if (given & ATTRIBUTE_DESCRIPTION)
		attributes->description = changes->description;
	if (given & ATTRIBUTE_GROUP)
		attributes->group = changes->group;
	if (given & ATTRIBUTE_EQUATION)
		attributes->equation = changes->equation;
	if (given & ATTRIBUTE_MAX)
		attributes->max = changes->max;
	if (given & ATTRIBUTE_AVAILABILITY)
		attributes->availability = changes->availability;
	if (given & ATTRIBUTE_VALUE) {
		attributes->type = changes->type;
		attributes->units = changes->units;
		attributes->semantic = changes->semantic;
	}
	if (given & ATTRIBUTE_HW_UNIT)
		attributes->hw_unit = changes->hw_unit;
	if (given & ATTRIBUTE_USAGE) {
		attributes->usage = changes->usage;
		attributes->tier = changes->tier;
	}
	if (given & ATTRIBUTE_APIS)
		attributes->apis = changes->apis;
	if (given & ATTRIBUTE_WATERMARKS) {
		attributes->low = changes->low;
		attributes->high = changes->high;
	}
	if (given & ATTRIBUTE_ALIAS)
		attributes->alias = changes->alias;
}
