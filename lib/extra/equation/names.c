// SPDX-License-Identifier: MIT
/* names.c - names of the parts of equations */
#include "gpuoa-equation.h"
#include "table/words.h"

const char *gpuoa_element_kind_name(enum gpuoa_element_kind kind)
{
	return word_of(WORD_ELEMENT, kind);
}

const char *gpuoa_operation_name(enum gpuoa_operation operation)
{
	return word_of(WORD_OPERATION, operation);
}
