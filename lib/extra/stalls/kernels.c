// SPDX-License-Identifier: MIT
/* kernels.c - read kernels, their ELF files and their launches from recordings of EU stalls */
#include "extra/stalls/kernels.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Copy the @size bytes before the data of a record. Returns false if the record is smaller. */
static bool take_head(void *head, size_t size, const void *record)
{
	struct gpuoa_record known;

	memcpy(&known, record, sizeof(known));
	if (known.size < size)
		return false;
	memcpy(head, record, size);
	return true;
}

/* Begin a file. The number is that of the next one. */
static int add_file(struct stall_kernels *kernels, const struct file_record *head)
{
	struct stall_elf *files;

	if (head->number != kernels->file_count + 1 || !head->whole || head->whole > STALL_FILE_MAX)
		return -EBADMSG;
	files = realloc(kernels->files, head->number * sizeof(*files));
	if (!files)
		return -ENOMEM;
	kernels->files = files;
	files[kernels->file_count++] = (struct stall_elf){ .whole = head->whole };
	return 0;
}

/* Allocate memory for bytes that the recording contains, not for those that it only promises. */
static int reserve(struct stall_elf *file, uint64_t size)
{
	uint64_t room = 2 * file->room;
	uint8_t *data;

	if (size <= file->room)
		return 0;
	if (room < size)
		room = size;
	data = realloc(file->data, room);
	if (!data)
		return -ENOMEM;
	file->data = data;
	file->room = room;
	return 0;
}

int stall_kernels_take_file(struct stall_kernels *kernels, const void *record)
{
	struct stall_elf *file;
	struct file_record head;
	int err;

	if (!take_head(&head, sizeof(head), record) || !head.size ||
	    head.size > head.record.size - sizeof(head))
		return -EBADMSG;
	err = head.offset ? 0 : add_file(kernels, &head);
	if (err)
		return err;
	if (!kernels->file_count || head.number != kernels->file_count)
		return -EBADMSG;
	file = &kernels->files[head.number - 1];
	if (head.whole != file->whole || head.offset != file->size ||
	    head.size > file->whole - file->size)
		return -EBADMSG;
	err = reserve(file, file->size + head.size);
	if (err)
		return err;
	memcpy(file->data + file->size, (const uint8_t *)record + sizeof(head), head.size);
	file->size += head.size;
	return 0;
}

/* Make room for one more entry of an array. Returns the array, or NULL if out of memory. */
static void *grow(void *array, uint32_t count, uint32_t *room, size_t entry_size)
{
	const uint32_t more = *room ? 2 * *room : 16;
	void *grown;

	if (count < *room)
		return array;
	grown = more > *room ? realloc(array, more * entry_size) : NULL;
	if (grown)
		*room = more;
	return grown;
}

int stall_kernels_take_kernel(struct stall_kernels *kernels, const void *record)
{
	const char *text = (const char *)record + sizeof(struct kernel_record);
	struct gpuoa_stall_kernel *grown, *kernel;
	struct kernel_record head;

	if (!take_head(&head, sizeof(head), record) || head.length > GPUOA_STALL_NAME_MAX ||
	    head.length > head.record.size - sizeof(head) || memchr(text, '\0', head.length))
		return -EBADMSG;
	grown = grow(kernels->kernels, kernels->kernel_count, &kernels->kernel_room,
		     sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	kernels->kernels = grown;
	kernel = &kernels->kernels[kernels->kernel_count];
	*kernel = (struct gpuoa_stall_kernel){
		.pid = head.pid,
		.file = head.file,
		.address = head.address,
		.size = head.size,
		.name = head.length ? arena_string(&kernels->names, text, head.length) : NULL,
	};
	if (head.length && !kernel->name)
		return -ENOMEM;
	kernels->kernel_count++;
	return 0;
}

int stall_kernels_take_launch(struct stall_kernels *kernels, const void *record)
{
	const char *text = (const char *)record + sizeof(struct launch_record);
	struct gpuoa_stall_launch *grown, *launch;
	struct launch_record head;

	if (!take_head(&head, sizeof(head), record) || !head.length ||
	    head.length > GPUOA_STALL_STACK_MAX || head.length > head.record.size - sizeof(head) ||
	    memchr(text, '\0', head.length))
		return -EBADMSG;
	grown = grow(kernels->launches, kernels->launch_count, &kernels->launch_room,
		     sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	kernels->launches = grown;
	launch = &kernels->launches[kernels->launch_count];
	*launch = (struct gpuoa_stall_launch){
		.address = head.address,
		.count = head.count,
		.groups = head.groups,
		.stack = arena_string(&kernels->names, text, head.length),
		.pid = head.pid,
	};
	if (!launch->stack)
		return -ENOMEM;
	kernels->launch_count++;
	return 0;
}

void stall_kernels_free(struct stall_kernels *kernels)
{
	for (uint32_t i = 0; i < kernels->file_count; i++)
		free(kernels->files[i].data);
	free(kernels->files);
	free(kernels->kernels);
	free(kernels->launches);
	arena_free(&kernels->names);
}
