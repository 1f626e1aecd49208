// SPDX-License-Identifier: MIT
/* compiler.c - shared by the compiler's files: indices of names, equations */
#include "definitions/compiler/compiler.h"

#include <stdlib.h>

#include "base/hash.h"

size_t compile_index(struct blob *blob, const char *const *names, uint32_t count)
{
	uint32_t slots = 2;
	struct table_index *index;
	size_t size, offset;

	while (slots <= 2 * count)
		slots *= 2;
	size = sizeof(*index) + slots * sizeof(index->slots[0]);
	index = calloc(1, size);
	if (!index) {
		blob->failed = true;
		return 0;
	}
	index->mask = slots - 1;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t slot;

		if (!names[i])
			continue;
		slot = hash_string(names[i]) & index->mask;
		while (index->slots[slot])
			slot = (slot + 1) & index->mask;
		index->slots[slot] = i + 1;
	}
	offset = blob_pool(blob, index, size, _Alignof(uint32_t));
	free(index);
	return offset;
}

bool compile_equation(struct compiler *compiler, const struct equation *equation,
		      enum equation_role role, size_t link)
{
	struct emitter *emitter = &compiler->emitter;

	if (!equation->root)
		return true;
	emitter->role = role;
	if (!emit_equation(emitter, equation))
		return false;
	blob_link(compiler->blob, link,
		  blob_pool(compiler->blob, emitter->words,
			    (1 + emitter->length) * sizeof(uint32_t), _Alignof(uint32_t)));
	return true;
}
