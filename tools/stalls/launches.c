// SPDX-License-Identifier: MIT
/* launches.c - from where the command launches its kernels, as libgpuoa-ze.so recorded it */
#include "stalls/launches.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/launch_stacks.h"
#include "profile/file.h"
#include "profile/profile.h"
#include "stalls/functions.h"

#define FILE_MAX (UINT32_C(1) << 30)
#define FRAMES_MAX 256

struct named_functions {
	struct named_functions *next;
	char *path;
	struct functions functions;
};

struct writer {
	const struct tool *tool;
	struct gpuoa_stall_recorder *recorder;
	struct named_functions *files; /* that were read */
	char *(*demangle)(const char *name, char *buffer, size_t *length, int *status);
	void *library; /* of demangle() */
	size_t count; /* stacks that were written */
	uint64_t lost; /* launches without a stack */
};

/* Return the functions of a file, which is read once; NULL: out of memory. */
static const struct functions *functions_of(struct writer *writer, const char *path, bool is_map)
{
	struct named_functions *file;

	for (file = writer->files; file; file = file->next)
		if (!strcmp(file->path, path))
			return &file->functions;
	file = calloc(1, sizeof(*file));
	if (file)
		file->path = strdup(path);
	if (!file || !file->path) {
		free(file);
		return NULL;
	}
	if (is_map)
		functions_read_map(&file->functions, path);
	else
		functions_read_elf(&file->functions, path);
	file->next = writer->files;
	writer->files = file;
	return &file->functions;
}

/* ---- names ---- */

/*
 * Names of C++ are demangled by its library, if it is installed: this program has no other use of
 * it.
 */
static void find_demangle(struct writer *writer)
{
	writer->library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	if (writer->library)
		writer->demangle =
			(__typeof__(writer->demangle))dlsym(writer->library, "__cxa_demangle");
}

/* Return an allocated name, without newlines; NULL: out of memory. */
static char *copy_name(const struct writer *writer, const char *name)
{
	int status = -1;
	char *copy = NULL;

	if (writer->demangle && !strncmp(name, "_Z", 2))
		copy = writer->demangle(name, NULL, NULL, &status);
	if (!copy)
		copy = strdup(name);
	for (char *c = copy; c && *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '?';
	return copy;
}

/* Return the name of a frame, " 0xOFFSET PATH" or " 0xADDRESS", as copy_name() does. */
static char *name_frame(struct writer *writer, uint32_t pid, const char *line)
{
	const struct functions *functions;
	char path[PATH_MAX], *end;
	const uint64_t address = strtoull(line, &end, 16);
	const char *name = NULL;

	if (*end == ' ')
		snprintf(path, sizeof(path), "%s", end + 1);
	else
		snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", pid);
	functions = functions_of(writer, path, *end != ' ');
	if (functions)
		name = functions_find(functions, address);
	if (name)
		return copy_name(writer, name);
	if (*end != ' ')
		return strdup("[unknown]");
	snprintf(path, sizeof(path), "[%s]", profile_base_name(end + 1));
	return copy_name(writer, path);
}

/* ---- stacks ---- */

struct text {
	char bytes[GPUOA_STALL_STACK_MAX + 1];
	size_t at; /* the text begins here: the innermost frame is the last one */
};

static bool prepend(struct text *text, const char *name)
{
	const size_t length = strlen(name) + 1;

	if (length > text->at)
		return false;
	text->at -= length;
	memcpy(text->bytes + text->at, name, length - 1);
	text->bytes[text->at + length - 1] = '\n';
	return true;
}

static const char cut_off[] = "[cut off]";

/* Write a stack. @lines: its frames, the innermost first */
static int write_stack(struct writer *writer, uint32_t pid, uint64_t address,
		       const struct stacks_count *count, char *const *lines, size_t line_count)
{
	struct text text = { .at = GPUOA_STALL_STACK_MAX };
	struct gpuoa_stall_launch launch = {
		.address = address,
		.pid = pid,
		.count = count->launches,
		/* The rest of the launches would be too small. */
		.groups = count->unknown ? 0 : count->groups,
	};
	int err;

	if (!count->launches || !line_count)
		return 0;
	for (size_t i = 0; i < line_count; i++) {
		char *name = name_frame(writer, pid, lines[i]);
		const bool fits = name && text.at > sizeof(cut_off) + strlen(name) &&
				  prepend(&text, name);

		free(name);
		if (!name)
			return -ENOMEM;
		if (!fits) {
			prepend(&text, cut_off);
			break;
		}
	}
	text.bytes[GPUOA_STALL_STACK_MAX] = '\0';
	launch.stack = text.bytes + text.at;
	err = gpuoa_stall_recorder_add_launch(writer->recorder, &launch, sizeof(launch));
	writer->count += !err;
	return err;
}

/* Write the stacks of a process. The last block is incomplete if the process was killed. */
static int write_stacks(struct writer *writer, uint32_t pid, char *text,
			const struct stacks_count *counts)
{
	char *lines[FRAMES_MAX], *line = text, *end;
	size_t count = 0;
	uint64_t slot = STACKS_SLOTS, address = 0;
	int err = 0;

	for (; !err && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (*line == ' ') {
			if (count < FRAMES_MAX)
				lines[count++] = line + 1;
			continue;
		}
		if (slot < STACKS_SLOTS)
			err = write_stack(writer, pid, address, &counts[slot], lines, count);
		count = 0;
		slot = STACKS_SLOTS;
		if (sscanf(line, "stack %" SCNu64 " 0x%" SCNx64, &slot, &address) != 2)
			slot = STACKS_SLOTS;
	}
	if (!err && slot < STACKS_SLOTS)
		err = write_stack(writer, pid, address, &counts[slot], lines, count);
	return err;
}

/* Write the stacks of PID-NUMBER.stacks. */
static int write_file(struct writer *writer, const char *directory, const char *name)
{
	struct stacks_count *counts = NULL;
	void *text = NULL, *data = NULL;
	const char *dot = strrchr(name, '.');
	char path[PATH_MAX];
	size_t size;
	int err;

	if (!dot || strcmp(dot, ".stacks"))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	err = file_read(path, FILE_MAX, &text, &size);
	snprintf(path, sizeof(path), "%s/%.*s.counts", directory, (int)(dot - name), name);
	if (!err)
		err = file_read(path, FILE_MAX, &data, &size);
	if (!err && size == STACKS_COUNTS_SIZE) {
		counts = data;
		writer->lost += counts[STACKS_SLOTS].launches;
		err = write_stacks(writer, (uint32_t)strtoul(name, NULL, 10), text, counts);
	} else if (err != -ENOMEM) {
		/* The process ended before it had written both. */
		err = 0;
	}
	free(text);
	free(data);
	return err;
}

int launches_write(const char *directory, const struct tool *tool,
		   struct gpuoa_stall_recorder *recorder, size_t *count)
{
	struct writer writer = { .tool = tool, .recorder = recorder };
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	int err = 0;

	find_demangle(&writer);
	while (dir && !err && (entry = readdir(dir)))
		err = write_file(&writer, directory, entry->d_name);
	if (dir)
		closedir(dir);
	if (writer.lost)
		note(tool,
		     "%" PRIu64 " launches of kernels have no stack: a process has more than %d "
		     "different ones",
		     writer.lost, STACKS_MAX);
	*count = writer.count;
	while (writer.files) {
		struct named_functions *file = writer.files;

		writer.files = file->next;
		functions_free(&file->functions);
		free(file->path);
		free(file);
	}
	if (writer.library)
		dlclose(writer.library);
	return err;
}
