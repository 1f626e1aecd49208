/* SPDX-License-Identifier: MIT */
/* mdapi_operators.h - operators of MDAPI, made of those that equations of our own have. */
#ifndef GPUOA_LIB_CUSTOM_MDAPI_OPERATORS_H
#define GPUOA_LIB_CUSTOM_MDAPI_OPERATORS_H

#include "custom/mdapi.h"

/* Is the word an operator? */
struct mdapi_operation;
const struct mdapi_operation *mdapi_find_operation(const char *word);

/* Take the operands of an operator from the stack, and put there what it makes of them. */
bool mdapi_apply(struct mdapi_reader *reader, const struct mdapi_operation *operation);

#endif /* GPUOA_LIB_CUSTOM_MDAPI_OPERATORS_H */
