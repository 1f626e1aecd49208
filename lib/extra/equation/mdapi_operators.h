/* SPDX-License-Identifier: MIT */
/* mdapi_operators.h - translate MDAPI operators to operators of this library's equations */
#ifndef GPUOA_LIB_EXTRA_EQUATION_MDAPI_OPERATORS_H
#define GPUOA_LIB_EXTRA_EQUATION_MDAPI_OPERATORS_H

#include "extra/equation/mdapi.h"

/* Returns the operator with this name, or NULL. */
struct mdapi_operation;
const struct mdapi_operation *mdapi_find_operation(const char *word);

/* Replace the operands on the stack by the result of the operator. Returns false on error. */
bool mdapi_apply(struct mdapi_reader *reader, const struct mdapi_operation *operation);

#endif /* GPUOA_LIB_EXTRA_EQUATION_MDAPI_OPERATORS_H */
