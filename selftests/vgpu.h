/* SPDX-License-Identifier: MIT */
/*
 * vgpu.h - client of the control interface of gpuoa-vgpu, for tests in its guest
 */
#ifndef SELFTESTS_VGPU_H
#define SELFTESTS_VGPU_H

#include <stdbool.h>
#include <stdint.h>

/* Query the virtual GPU. Return the answer, to be freed, or NULL. */
char *vgpu_ask(const char *question);
/* Return the number in the line "NAME NUMBER" of an answer, or -1. */
int64_t vgpu_number(const char *answer, const char *name);
/* Send a request without a result. Print a failure. */
bool vgpu_request(const char *request);
/* Return the GPU's timestamp in ticks. */
uint64_t vgpu_timestamp(void);

#endif /* SELFTESTS_VGPU_H */
