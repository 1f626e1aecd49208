/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * env.h - user-space version of model/env.h: the kernel names that the model uses, on top of libc.
 *
 * Supports GCC and clang, on 64-bit machines only.
 */
#ifndef _SIM_HOST_ENV_H
#define _SIM_HOST_ENV_H

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/sizes.h>
#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#define U8_MAX UINT8_MAX
#define U16_MAX UINT16_MAX
#define U32_MAX UINT32_MAX
#define U64_MAX (~0ULL)
#define S64_MAX ((s64)(U64_MAX >> 1))

/* linux/bitfield.h, for constant masks */
#define FIELD_PREP(mask, value) \
	((typeof(mask))(value) << __builtin_ctzll(mask) & (mask))
#define FIELD_GET(mask, value) ((typeof(mask))(((value) & (mask)) >> __builtin_ctzll(mask)))

/* linux/bitops.h */
static inline unsigned int hweight8(u8 value)
{
	return __builtin_popcount(value);
}

static inline unsigned int hweight64(u64 value)
{
	return __builtin_popcountll(value);
}

/* linux/build_bug.h, linux/compiler.h, asm/barrier.h */
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) __atomic_store_n(&(x), value, __ATOMIC_RELAXED)
/* A reader that sees a later write also sees the earlier ones. */
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)

/* linux/kernel.h, linux/minmax.h */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define IS_ALIGNED(x, a) (((x) & ((typeof(x))(a) - 1)) == 0)
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define lower_32_bits(n) ((u32)(n))
#define upper_32_bits(n) ((u32)((u64)(n) >> 32))
#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - offsetof(type, member)))
#define min(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define clamp_t(type, value, low, high) min(max((type)(value), (type)(low)), (type)(high))

/* linux/math64.h */
static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *remainder)
{
	*remainder = dividend % divisor;

	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *remainder)
{
	*remainder = dividend % divisor;

	return dividend / divisor;
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 divisor)
{
	return (__uint128_t)a * b / divisor;
}

/* linux/time64.h, linux/units.h */
#define MSEC_PER_SEC 1000L
#define USEC_PER_SEC 1000000L
#define NSEC_PER_USEC 1000L
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_SEC 1000000000L
#define HZ_PER_MHZ 1000000UL

/* linux/slab.h, linux/mm.h */
#define GFP_KERNEL 0

static inline void *kvcalloc(size_t n, size_t size, int flags)
{
	(void)flags;

	return calloc(n, size);
}

static inline void kvfree(void *memory)
{
	free(memory);
}

/* linux/spinlock.h, linux/lockdep.h: there are no interrupts in user space */
#define raw_spinlock_t pthread_mutex_t

#define raw_spin_lock_init(lock) pthread_mutex_init(lock, NULL)
#define raw_spin_lock_irqsave(lock, flags) ((flags) = 0, pthread_mutex_lock(lock))
#define raw_spin_unlock_irqrestore(lock, flags) ((void)(flags), pthread_mutex_unlock(lock))
#define lockdep_assert_held(lock) ((void)(lock))

/* linux/seq_file.h */
struct seq_file {
	FILE *file;
};

#define seq_printf(m, ...) fprintf((m)->file, __VA_ARGS__)
#define seq_putc(m, c) fputc(c, (m)->file)

#endif /* _SIM_HOST_ENV_H */
