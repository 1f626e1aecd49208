/* SPDX-License-Identifier: MIT */
/* kernels.h - kernels, their ELF files and their launches in recordings of EU stalls */
#ifndef GPUOA_LIB_EXTRA_STALLS_KERNELS_H
#define GPUOA_LIB_EXTRA_STALLS_KERNELS_H

#include "base/arena.h"
#include "gpuoa-stalls.h"
#include "uapi/gpuoa.h"

/* Part of an ELF file. The parts of a file are consecutive records. */
struct file_record {
	struct gpuoa_record record;
	uint32_t number; /* of the file, from 1 */
	uint32_t size; /* bytes of this part, which follow, padded to a multiple of 8 */
	uint64_t offset; /* of this part */
	uint64_t whole; /* bytes of the file */
};

struct kernel_record {
	struct gpuoa_record record;
	uint32_t pid;
	uint32_t file; /* number; 0: none */
	uint64_t address;
	uint64_t size;
	uint64_t length; /* of the name, which follows with a NUL, padded; 0: no name */
};

struct launch_record {
	struct gpuoa_record record;
	uint64_t address;
	uint64_t count;
	uint64_t groups;
	uint32_t pid;
	uint32_t length; /* of the stack, which follows with a NUL, padded */
};

#define STALL_FILE_PART 24576 /* maximum bytes of a part, a multiple of 8 */
#define STALL_FILE_MAX (UINT32_C(1) << 30)

/* An ELF file that was read, or is being read */
struct stall_elf {
	uint8_t *data;
	uint64_t size; /* bytes read */
	uint64_t whole; /* bytes of the file */
	uint64_t room;
};

/* Kernels that were read. A zero-initialized struct is empty. */
struct stall_kernels {
	struct stall_elf *files; /* files[0] has number 1 */
	uint32_t file_count;
	struct gpuoa_stall_kernel *kernels;
	uint32_t kernel_count;
	uint32_t kernel_room;
	struct gpuoa_stall_launch *launches;
	uint32_t launch_count;
	uint32_t launch_room;
	struct arena names; /* and stacks */
};

/* Take a record of .record.size bytes. Return 0, -EBADMSG or -ENOMEM. */
int stall_kernels_take_file(struct stall_kernels *kernels, const void *record);
int stall_kernels_take_kernel(struct stall_kernels *kernels, const void *record);
int stall_kernels_take_launch(struct stall_kernels *kernels, const void *record);
void stall_kernels_free(struct stall_kernels *kernels);

#endif /* GPUOA_LIB_EXTRA_STALLS_KERNELS_H */
