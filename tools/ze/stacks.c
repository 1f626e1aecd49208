// SPDX-License-Identifier: MIT
/*
 * stacks.c - record from where a program launches its kernels
 *
 * Each process writes two files. PID-NUMBER.stacks has a block of text for each stack of a kernel,
 * the innermost frame first: an offset in an ELF file and its path, or only an address of code that
 * is in no file:
 *
 *   stack SLOT KERNEL-ADDRESS
 *    0x4f2c /usr/bin/program
 *    0x7f3210001234
 *
 * PID-NUMBER.counts is mapped and has the number of launches and of thread groups by slot, so that
 * they are there if the process is killed. Its last entry is that of launches without a slot.
 *
 * Frames are found by the unwind tables of the program, so it needs no frame pointers. Code that a
 * program generates, as Python does with -X perf, has no tables: from there on, frame pointers are
 * followed.
 */
#define _GNU_SOURCE /* dl_iterate_phdr, pthread_getattr_np, O_CLOEXEC */
#include "ze/stacks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include "common/launch_stacks.h"

#define FRAMES_MAX 256
#define ATTEMPTS_MAX 10000

/* ---- kernels by handle ---- */

struct kernel {
	struct kernel *next;
	const void *handle;
	uint64_t address;
};

#define BUCKETS 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *output;
static struct kernel *kernels[BUCKETS];

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

void stacks_begin(const char *directory)
{
	output = directory;
}

void stacks_add_kernel(const void *handle, uint64_t address)
{
	struct kernel **bucket = &kernels[mix(0, (uintptr_t)handle) % BUCKETS], *kernel;

	if (!output)
		return;
	pthread_mutex_lock(&lock);
	for (kernel = *bucket; kernel && kernel->handle != handle;)
		kernel = kernel->next;
	if (!kernel && (kernel = malloc(sizeof(*kernel)))) {
		*kernel = (struct kernel){ .next = *bucket, .handle = handle };
		*bucket = kernel;
	}
	if (kernel)
		kernel->address = address;
	pthread_mutex_unlock(&lock);
}

/* Returns 0 if the address of a kernel is not known. */
static uint64_t address_of(const void *handle)
{
	uint64_t address = 0;

	pthread_mutex_lock(&lock);
	for (const struct kernel *at = kernels[mix(0, (uintptr_t)handle) % BUCKETS]; at;
	     at = at->next)
		if (at->handle == handle)
			address = at->address;
	pthread_mutex_unlock(&lock);
	return address;
}

/* ---- unwinding ---- */

struct stack {
	uintptr_t caller; /* the first frame; 0: it was found */
	uintptr_t frames[FRAMES_MAX]; /* addresses in calls, the innermost first */
	unsigned int count;
	/* of the last frame */
	uintptr_t address; /* 0: the program's stack ends */
	uintptr_t stack_pointer;
	uintptr_t frame_pointer;
};

/* A return address can be that of the next function: the call precedes it. */
static bool add_frame(struct stack *stack, uintptr_t return_address)
{
	if (stack->count == FRAMES_MAX)
		return false;
	stack->frames[stack->count++] = return_address - 1;
	return true;
}

#ifdef __x86_64__
#define FRAME_POINTER 6 /* rbp in DWARF */
#endif

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *data)
{
	struct stack *stack = data;

	stack->address = _Unwind_GetIP(context);
#ifdef FRAME_POINTER
	stack->stack_pointer = _Unwind_GetCFA(context);
	stack->frame_pointer = _Unwind_GetGR(context, FRAME_POINTER);
#endif
	if (stack->address == stack->caller)
		stack->caller = 0;
	if (stack->caller || !stack->address)
		return _URC_NO_REASON;
	return add_frame(stack, stack->address) ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

#ifdef FRAME_POINTER
/* End of the stack of this thread; 0: unknown */
static uintptr_t stack_end(void)
{
	static __thread uintptr_t end;
	pthread_attr_t attributes;
	void *begin;
	size_t size;

	if (end || pthread_getattr_np(pthread_self(), &attributes))
		return end;
	if (!pthread_attr_getstack(&attributes, &begin, &size))
		end = (uintptr_t)begin + size;
	pthread_attr_destroy(&attributes);
	return end;
}

static void follow_frame_pointers(struct stack *stack)
{
	const uintptr_t end = stack_end();
	uintptr_t at = stack->stack_pointer, frame = stack->frame_pointer;

	while (frame >= at && frame % sizeof(frame) == 0 && end >= 2 * sizeof(frame) &&
	       frame <= end - 2 * sizeof(frame)) {
		const uintptr_t *const saved = (const uintptr_t *)frame;

		if (!saved[1] || !add_frame(stack, saved[1]))
			return;
		at = frame + 2 * sizeof(frame);
		frame = saved[0];
	}
}
#endif

static void unwind(struct stack *stack, const void *caller)
{
	stack->caller = (uintptr_t)caller;
	stack->count = 0;
	_Unwind_Backtrace(take_frame, stack);
	if (!stack->count) {
		add_frame(stack, (uintptr_t)caller);
		return;
	}
#ifdef FRAME_POINTER
	/* At the outermost function, the tables end with the address 0. */
	if (stack->address && stack->count < FRAMES_MAX)
		follow_frame_pointers(stack);
#endif
}

/* ---- files ---- */

static pid_t owner; /* of the files: a child process has others */
static int stacks_fd = -1;
static struct stacks_count *counts; /* NULL: the files cannot be written */
static uint64_t hashes[STACKS_SLOTS]; /* 0: free */
static unsigned int used;

static int create(char path[PATH_MAX], const char *suffix, int number)
{
	const int length =
		snprintf(path, PATH_MAX, "%s/%d-%d.%s", output, (int)getpid(), number, suffix);

	if (length >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static struct stacks_count *map_counts(int number)
{
	void *memory = MAP_FAILED;
	char path[PATH_MAX];
	const int fd = create(path, "counts", number);

	if (fd < 0)
		return NULL;
	if (!ftruncate(fd, STACKS_COUNTS_SIZE))
		memory = mmap(NULL, STACKS_COUNTS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return memory == MAP_FAILED ? NULL : memory;
}

/* Create the files of this process. A program that it executed before can have some. */
static void open_files(void)
{
	char path[PATH_MAX];
	int number = 0;

	owner = getpid();
	counts = NULL; /* those of a parent process stay mapped */
	if (stacks_fd >= 0)
		close(stacks_fd);
	memset(hashes, 0, sizeof(hashes));
	used = 0;
	do
		stacks_fd = create(path, "stacks", ++number);
	while (stacks_fd < 0 && errno == EEXIST && number < ATTEMPTS_MAX);
	if (stacks_fd >= 0)
		counts = map_counts(number);
}

/* ---- writing ---- */

struct place {
	uintptr_t address;
	uintptr_t offset;
	const char *path; /* NULL: in no file */
};

struct places {
	struct place places[FRAMES_MAX];
	unsigned int count;
	char program[PATH_MAX];
};

/* Find the addresses that are in an object. The first object is the program, which has no name. */
static int take_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct places *places = data;
	const char *path = *info->dlpi_name ? info->dlpi_name : places->program;

	(void)size;
	for (int k = 0; k < info->dlpi_phnum; k++) {
		const ElfW(Phdr) *const header = &info->dlpi_phdr[k];

		for (unsigned int i = 0; header->p_type == PT_LOAD && i < places->count; i++) {
			struct place *place = &places->places[i];
			const uintptr_t offset = place->address - info->dlpi_addr;

			if (offset - header->p_vaddr < header->p_memsz) {
				place->offset = offset;
				place->path = path;
			}
		}
	}
	return 0;
}

/* Write a stack, by one write, because the process can be killed. */
static bool write_stack(const struct stack *stack, unsigned int slot, uint64_t address)
{
	struct places *places = calloc(1, sizeof(*places));
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	bool good = places && file;

	if (good) {
		places->count = stack->count;
		for (unsigned int i = 0; i < stack->count; i++)
			places->places[i].address = stack->frames[i];
		if (readlink("/proc/self/exe", places->program, PATH_MAX - 1) < 0)
			strcpy(places->program, "?");
		dl_iterate_phdr(take_object, places);
		fprintf(file, "stack %u 0x%" PRIx64 "\n", slot, address);
		for (unsigned int i = 0; i < stack->count; i++) {
			const struct place *place = &places->places[i];

			/* A path with a newline would end the line. */
			if (place->path && !strchr(place->path, '\n'))
				fprintf(file, " 0x%" PRIxPTR " %s\n", place->offset, place->path);
			else
				fprintf(file, " 0x%" PRIxPTR "\n", place->address);
		}
	}
	if (file)
		good = !fclose(file) && good;
	free(places);
	if (good)
		good = write(stacks_fd, text, size) == (ssize_t)size;
	free(text);
	return good;
}

/* Return the slot of a stack of a kernel; the last entry: there is none. */
static unsigned int find_slot(const struct stack *stack, uint64_t address)
{
	uint64_t hash = mix(0, address);
	unsigned int slot;

	for (unsigned int i = 0; i < stack->count; i++)
		hash = mix(hash, stack->frames[i]);
	hash |= !hash;
	for (slot = hash % STACKS_SLOTS; hashes[slot]; slot = (slot + 1) % STACKS_SLOTS)
		if (hashes[slot] == hash)
			return slot;
	if (used == STACKS_MAX || !write_stack(stack, slot, address))
		return STACKS_SLOTS;
	used++;
	hashes[slot] = hash;
	return slot;
}

void stacks_add_launch(const void *kernel, uint64_t groups, const void *caller)
{
	const uint64_t address = output ? address_of(kernel) : 0;
	struct stack stack;

	if (!address)
		return;
	unwind(&stack, caller);
	pthread_mutex_lock(&lock);
	if (owner != getpid())
		open_files();
	if (counts) {
		struct stacks_count *count = &counts[find_slot(&stack, address)];

		count->launches++;
		count->groups += groups;
		count->unknown += !groups;
	}
	pthread_mutex_unlock(&lock);
}
