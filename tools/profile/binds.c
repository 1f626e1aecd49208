// SPDX-License-Identifier: MIT
/* binds.c - find the kernels of all processes, by the tracepoint of xe that reports their memory */
#include "profile/binds.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"

#define EVENT "events/xe/xe_vma_bind/enable"

/* ---- kernels ---- */

#define WORD sizeof(uint64_t)
/*
 * Of these first words of a kernel, this number must be equal before the others are compared: the
 * loader relocates kernels, so some words differ.
 */
#define FIRST_WORDS 8
#define FIRST_EQUAL 6
/* Of these words, at least one is equal then. */
#define INDEXED_WORDS (FIRST_WORDS - FIRST_EQUAL + 1)
#define EQUAL_PERCENT 90
#define BUCKETS 65536

/* A kernel */
struct bind_code {
	const uint8_t *code;
	uint64_t size;
	const char *name;
	size_t file; /* number in the list of kernels */
	uint32_t next[INDEXED_WORDS]; /* number of the next entry with the same hash; 0: none */
	uint8_t at[INDEXED_WORDS]; /* number of the word among the first ones */
};

static uint32_t bucket_of(uint64_t word, unsigned int at)
{
	return (uint32_t)(((word + at) * UINT64_C(0x9e3779b97f4a7c15)) >> 48) % BUCKETS;
}

static uint64_t word_at(const uint8_t *code, unsigned int at)
{
	uint64_t word;

	memcpy(&word, code + at * WORD, WORD);
	return word;
}

/*
 * Add a kernel to the index, by its first words that are not 0: memory that is 0 shall match none.
 * A kernel is in the lists of INDEXED_WORDS words; entry k of it has the number
 * INDEXED_WORDS * kernel + k + 1.
 */
static bool index_code(struct binds *binds, struct bind_code *code)
{
	const uint32_t number = (uint32_t)(code - binds->codes);
	unsigned int count = 0;

	for (unsigned int at = 0; at < FIRST_WORDS && count < INDEXED_WORDS; at++)
		if (word_at(code->code, at))
			code->at[count++] = (uint8_t)at;
	if (count < INDEXED_WORDS)
		return false;
	for (unsigned int k = 0; k < INDEXED_WORDS; k++) {
		uint32_t *bucket =
			&binds->buckets[bucket_of(word_at(code->code, code->at[k]), code->at[k])];

		code->next[k] = *bucket;
		*bucket = number * INDEXED_WORDS + k + 1;
	}
	return true;
}

/* Add a kernel, if it is long enough to be found. */
static void add_code(struct binds *binds, const struct gpuoa_kernel_desc *desc, size_t file)
{
	struct bind_code *code;

	if (!desc->code || desc->size < FIRST_WORDS * WORD ||
	    binds->code_count >= UINT32_MAX / INDEXED_WORDS - 1)
		return;
	if (binds->code_count == binds->code_room) {
		binds->code_room = binds->code_room ? 2 * binds->code_room : 64;
		code = reallocarray(binds->codes, binds->code_room, sizeof(*code));
		if (!code)
			die_of_memory();
		binds->codes = code;
	}
	code = &binds->codes[binds->code_count];
	*code = (struct bind_code){
		.code = desc->code,
		.size = desc->size,
		.name = desc->name,
		.file = file,
	};
	if (index_code(binds, code))
		binds->code_count++;
}

/* Add the kernels of the files from number @first on. */
static void add_codes(struct binds *binds, const struct kernels *kernels, size_t first)
{
	binds->buckets = calloc(BUCKETS, sizeof(*binds->buckets));
	if (!binds->buckets)
		die_of_memory();
	for (size_t i = first; i < kernels->file_count; i++) {
		const struct gpuoa_symbols *symbols = kernels->files[i].symbols;
		struct gpuoa_kernel_desc desc;

		for (uint32_t k = 0;
		     symbols && !gpuoa_symbols_describe_kernel(symbols, k, &desc, sizeof(desc));
		     k++)
			add_code(binds, &desc, i + 1);
	}
}

/* The directory in which the compute runtime stores the kernels that it compiles. */
static bool find_cache(char *path, size_t size)
{
	static const char name[] = "neo_compiler_cache";
	const char *given = getenv("NEO_CACHE_DIR"), *parent = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	int length;

	if (given && *given)
		length = snprintf(path, size, "%s", given);
	else if (parent && *parent)
		length = snprintf(path, size, "%s/%s", parent, name);
	else
		length = snprintf(path, size, "%s/.cache/%s", home ? home : "", name);
	return (size_t)length < size && !access(path, R_OK | X_OK);
}

int binds_read_files(struct binds *binds, const struct tool *tool, struct kernels *kernels,
		     const char *const *names, size_t count, bool cache)
{
	const size_t first = kernels->file_count;
	char path[PATH_MAX];
	int ret = EXIT_OK;

	for (size_t i = 0; i < count && !ret; i++)
		ret = kernels_add_files(kernels, tool, names[i]);
	if (!ret && cache)
		ret = find_cache(path, sizeof(path)) ? kernels_add_files(kernels, tool, path) :
						       fail("--cache: cannot read %s", path);
	if (!ret && (count || cache))
		add_codes(binds, kernels, first);
	return ret;
}

/* ---- tracing ---- */

/* The directory of tracefs; GPUOA_TRACEFS names another one, for tests. */
static const char *tracefs(void)
{
	const char *other = getenv("GPUOA_TRACEFS");

	if (other)
		return other;
	return access("/sys/kernel/tracing/instances", F_OK) ? "/sys/kernel/debug/tracing" :
							       "/sys/kernel/tracing";
}

/* Open a file of the instance. Returns a file descriptor or a negative errno. */
static int open_file(const struct binds *binds, const char *name, int flags)
{
	char path[sizeof(binds->instance) + 64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", binds->instance, name);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int enable(const struct binds *binds)
{
	const int fd = open_file(binds, EVENT, O_WRONLY);
	int err = 0;

	if (fd < 0)
		return fd;
	if (write(fd, "1", 1) != 1)
		err = -errno;
	close(fd);
	return err;
}

int binds_begin(struct binds *binds)
{
	int err = 0;

	snprintf(binds->instance, sizeof(binds->instance), "%s/instances/gpuoa-%d", tracefs(),
		 (int)getpid());
	if (mkdir(binds->instance, 0700) && errno != EEXIST)
		err = -errno;
	if (err) {
		print_error("%s: cannot trace: %s; run as root, with tracefs mounted",
			    binds->instance, strerror(-err));
		*binds->instance = '\0';
		return EXIT_FAILED;
	}
	err = enable(binds);
	if (!err) {
		binds->pipe = open_file(binds, "trace_pipe", O_RDONLY | O_NONBLOCK);
		err = binds->pipe < 0 ? binds->pipe : 0;
	}
	if (!err)
		return EXIT_OK;
	if (err == -ENOENT)
		print_error("cannot trace the memory of processes: xe has no event xe_vma_bind");
	else
		print_error("%s: cannot trace: %s", binds->instance, strerror(-err));
	rmdir(binds->instance);
	*binds->instance = '\0';
	return EXIT_FAILED;
}

void binds_end(struct binds *binds)
{
	if (*binds->instance) {
		close(binds->pipe);
		rmdir(binds->instance);
	}
	free(binds->list);
	free(binds->codes);
	free(binds->buckets);
	*binds = (struct binds){ .pipe = -1 };
}

static bool take_hex(const char *fields, const char *name, uint64_t *value)
{
	const char *at = strstr(fields, name);
	char *end;

	if (!at)
		return false;
	at += strlen(name);
	*value = strtoull(at, &end, 16);
	return end != at;
}

/* "program-1234    [001] .....   640.1: xe_vma_bind: dev=..., start=0x1, end=0x2, userptr=0x3" */
bool binds_parse(const char *line, struct bind *bind)
{
	const char *fields = strstr(line, ": xe_vma_bind: "), *at, *digits;
	uint64_t end;

	*bind = (struct bind){ .pid = 0 };
	if (!fields || !take_hex(fields, " start=", &bind->gpu) ||
	    !take_hex(fields, " end=", &end) || !take_hex(fields, " userptr=", &bind->process))
		return false;
	/* The name of a program can have any character: find the CPU backwards. */
	for (at = fields; at > line && *at != '['; at--)
		;
	while (at > line && at[-1] == ' ')
		at--;
	for (digits = at; digits > line && digits[-1] >= '0' && digits[-1] <= '9'; digits--)
		;
	if (digits == at || digits == line || digits[-1] != '-')
		return false;
	bind->pid = (uint32_t)strtoul(digits, NULL, 10);
	bind->size = end - bind->gpu + 1; /* xe prints the last byte */
	return bind->process && end > bind->gpu;
}

static void add(struct binds *binds, const struct bind *bind)
{
	struct bind *list = binds->list;

	if (binds->count == binds->room) {
		binds->room = binds->room ? 2 * binds->room : 64;
		list = realloc(list, binds->room * sizeof(*list));
		if (!list)
			die_of_memory();
		binds->list = list;
	}
	binds->list[binds->count++] = *bind;
}

static void take_lines(struct binds *binds, char *text)
{
	char *line = text, *end;
	uint64_t overwritten;
	struct bind bind;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (binds_parse(line, &bind))
			add(binds, &bind);
		else if (sscanf(line, "CPU:%*u [LOST %" SCNu64 " EVENTS]", &overwritten) == 1)
			binds->overwritten += overwritten;
	}
	binds->partial_length = strlen(line);
	if (binds->partial_length >= sizeof(binds->partial))
		binds->partial_length = 0;
	memcpy(binds->partial, line, binds->partial_length);
}

#define READ_SIZE 8192

static void read_pipe(struct binds *binds)
{
	char text[sizeof(binds->partial) + READ_SIZE + 1];
	ssize_t count;

	while (true) {
		memcpy(text, binds->partial, binds->partial_length);
		count = read(binds->pipe, text + binds->partial_length, READ_SIZE);
		if (count <= 0)
			return;
		text[binds->partial_length + (size_t)count] = '\0';
		take_lines(binds, text);
	}
}

/* ---- searching ---- */

#define CODE_ALIGNMENT 64
/* Larger buffers are data. */
#define SIZE_MAX_SEARCHED (UINT64_C(16) << 20)

static uint64_t count_equal(const uint8_t *one, const uint8_t *other, uint64_t words)
{
	uint64_t equal = 0;

	for (uint64_t i = 0; i < words; i++)
		equal += !memcmp(one + i * WORD, other + i * WORD, WORD);
	return equal;
}

/* Return the percentage of equal words of a kernel and memory; 0: they differ. */
static uint64_t compare_code(const struct bind_code *code, const uint8_t *memory, uint64_t size)
{
	const uint64_t words = code->size / WORD;
	uint64_t equal;

	if (code->size > size || count_equal(memory, code->code, FIRST_WORDS) < FIRST_EQUAL)
		return 0;
	equal = count_equal(memory, code->code, words);
	return equal * 100 >= words * EQUAL_PERCENT ? equal * 100 / words : 0;
}

/*
 * Find the kernel that memory begins with. Variants of a kernel can be similar: the most similar
 * one is returned, and of those the longest. Returns NULL if there is none.
 */
static const struct bind_code *find_code(const struct binds *binds, const uint8_t *memory,
					 uint64_t size)
{
	const struct bind_code *best = NULL;
	uint64_t best_percent = 0;

	for (unsigned int at = 0; at < FIRST_WORDS; at++) {
		const uint64_t word = word_at(memory, at);
		uint32_t entry = word ? binds->buckets[bucket_of(word, at)] : 0;

		while (entry) {
			const struct bind_code *code = &binds->codes[(entry - 1) / INDEXED_WORDS];
			const uint64_t percent = compare_code(code, memory, size);

			if (percent > best_percent ||
			    (percent && percent == best_percent && code->size > best->size)) {
				best = code;
				best_percent = percent;
			}
			entry = code->next[(entry - 1) % INDEXED_WORDS];
		}
	}
	return best;
}

static bool search_memory(const struct binds *binds, struct kernels *kernels,
			  const struct bind *bind, const uint8_t *memory)
{
	bool found = false;

	for (uint64_t at = 0; at + FIRST_WORDS * WORD <= bind->size; at += CODE_ALIGNMENT) {
		const struct bind_code *code = find_code(binds, memory + at, bind->size - at);

		if (!code)
			continue;
		kernels_add(kernels, bind->pid, bind->gpu + at, code->name, code->file);
		found = true;
	}
	return found;
}

/* The tracepoint reports threads. Returns 0 if the process has ended. */
static uint32_t process_of(uint32_t thread)
{
	char path[64], line[256];
	uint32_t process = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", thread);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Tgid: %" SCNu32, &process) == 1)
			break;
	if (file)
		fclose(file);
	return process;
}

/* Returns 1 if a kernel was found, 0 if none was, -ESRCH if the process has ended. */
static int search(const struct binds *binds, struct kernels *kernels, struct bind *bind)
{
	const uint32_t process = process_of(bind->pid);
	uint8_t *memory = NULL;
	char path[64];
	int fd, found = 0;

	if (!process)
		return -ESRCH;
	bind->pid = process;
	if (bind->size > SIZE_MAX_SEARCHED)
		return 0;
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/mem", process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		memory = malloc(bind->size);
	if (memory && pread(fd, memory, bind->size, (off_t)bind->process) == (ssize_t)bind->size)
		found = search_memory(binds, kernels, bind, memory);
	free(memory);
	if (fd >= 0)
		close(fd);
	return found;
}

#define ATTEMPTS_MAX 8
#define FIRST_DELAY_NS (20 * NSEC_PER_MSEC)

/*
 * Memory can be bound before a kernel is copied there, so it is searched several times, with delays
 * that double.
 */
void binds_search(struct binds *binds, struct kernels *kernels, bool last)
{
	size_t kept = 0;
	uint64_t now;

	if (!*binds->instance)
		return;
	read_pipe(binds);
	now = now_ns();
	for (size_t i = 0; i < binds->count; i++) {
		struct bind bind = binds->list[i];
		int found;

		if (!last && bind.due_ns > now) {
			binds->list[kept++] = bind;
			continue;
		}
		found = search(binds, kernels, &bind);
		binds->lost += found == -ESRCH && !bind.attempts;
		bind.due_ns = now + (FIRST_DELAY_NS << bind.attempts);
		if (!found && ++bind.attempts < ATTEMPTS_MAX)
			binds->list[kept++] = bind;
	}
	binds->count = kept;
}
