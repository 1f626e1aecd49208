// SPDX-License-Identifier: MIT
/* fuzz_zebin.c - Read ELF files of GPU kernels: all kernels, lines and addresses. */
#include <errno.h>
#include <string.h>

#include "exercise.h"
#include "gpuoa-symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void exercise_kernel(const struct gpuoa_symbols *symbols, uint32_t index)
{
	struct gpuoa_kernel_desc desc;
	struct gpuoa_code_line line;
	volatile uint8_t byte;

	MUST(!gpuoa_symbols_describe_kernel(symbols, index, &desc, sizeof(desc)));
	MUST(gpuoa_symbols_find_kernel(symbols, desc.name) >= 0);
	for (uint64_t offset = 0; offset < desc.size; offset += 8) {
		const int err =
			gpuoa_symbols_find_line(symbols, index, offset, &line, sizeof(line));

		byte = ((const uint8_t *)desc.code)[offset];
		(void)byte;
		MUST(line.function);
		MUST(err ? err == -ENODATA && !line.file : line.file && line.line);
		if (!err)
			MUST(offset >= line.offset && offset - line.offset < line.size &&
			     line.offset + line.size <= desc.size);
	}
	MUST(gpuoa_symbols_find_line(symbols, index, desc.size, &line, sizeof(line)) == -ERANGE);
}

static void exercise_map(const struct gpuoa_symbols *symbols, uint32_t count)
{
	struct gpuoa_code_location location;
	struct gpuoa_code_map *map;
	char error[256];

	MUST(!gpuoa_code_map_new(32, &map));
	for (uint32_t i = 0; i < count; i++) {
		struct gpuoa_code_load load = { .pid = i % 3, .symbols = symbols };
		struct gpuoa_kernel_desc desc;

		gpuoa_symbols_describe_kernel(symbols, i, &desc, sizeof(desc));
		load.kernel = desc.name;
		load.address = desc.address ? desc.address : 0x1000 + 64 * i;
		if (gpuoa_code_map_add(map, &load, sizeof(load), error, sizeof(error)))
			continue;
		MUST(!gpuoa_code_map_find(map, i % 3, load.address, 0, &location,
					  sizeof(location)));
		MUST(location.match_count && location.kernel);
	}
	gpuoa_code_map_free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gpuoa_symbols_desc desc;
	struct gpuoa_symbols *symbols;
	char error[256] = "";
	const int err = gpuoa_symbols_open(data, size, &symbols, error, sizeof(error));

	MUST(!err || ((err == -EINVAL || err == -ENODATA) && *error && !strchr(error, '\n')));
	if (err)
		return 0;
	gpuoa_symbols_describe(symbols, &desc, sizeof(desc));
	MUST(desc.kernel_count && desc.bad_unit_count <= desc.unit_count);
	for (uint32_t i = 0; i < desc.kernel_count; i++)
		exercise_kernel(symbols, i);
	exercise_map(symbols, desc.kernel_count);
	gpuoa_symbols_close(symbols);
	return 0;
}
