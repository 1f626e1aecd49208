/* SPDX-License-Identifier: MIT */
/*
 * private.h - functions of libgpuoa for libgpuoa-extra alone
 *
 * In addition to public functions, libgpuoa-extra uses a few functions of libgpuoa that no other
 * program may call. Each is declared with GPUOA_PRIVATE(its name), listed in the node
 * LIBGPUOA_PRIVATE of lib/libgpuoa.map, and exported as gpuoa_private_<name>. The node's name ends
 * with the whole version of the library, so the dynamic linker rejects a libgpuoa-extra of another
 * version: these functions and their structs may change at any time.
 */
#ifndef GPUOA_LIB_BASE_PRIVATE_H
#define GPUOA_LIB_BASE_PRIVATE_H

#define GPUOA_PRIVATE(name) __asm__("gpuoa_private_" #name) __attribute__((visibility("default")))

#endif /* GPUOA_LIB_BASE_PRIVATE_H */
