// SPDX-License-Identifier: MIT
/* layout.c - what a pool needs: sizes, numbers of commands, how long a query may take. */
#include "query/layout.h"

#include "query/emit.h"

#define LINE 64 /* bytes: alignment of reports */

static uint32_t round_up(uint32_t size)
{
	return (size + LINE - 1) / LINE * LINE;
}

static uint32_t registers_of(const struct gpuoa_query_pool *pool)
{
	const struct query_hardware *hardware = pool->hardware;
	uint32_t registers = 0;

	if (hardware->perfcnt)
		registers |= GPUOA_QUERY_REGISTER_PERFCNT;
	if (hardware->frequency.reg)
		registers |= GPUOA_QUERY_REGISTER_FREQUENCY;
	if (hardware->status)
		registers |= GPUOA_QUERY_REGISTER_STATUS;
	if (hardware->a36)
		registers |= GPUOA_QUERY_REGISTER_A36_A37;
	return registers & ~pool->options.leave_out;
}

/* The calculator sees a counter in the notes as if it were in the report. */
static void add_counter(struct gpuoa_query_pool *pool, enum counter_bank bank, uint8_t index,
			uint8_t bits, size_t note)
{
	struct report_range *range = pool->format.ranges;

	while (range->count)
		range++;
	*range = (struct report_range){
		.bank = bank,
		.first = index,
		.count = 1,
		.field = { .bits = bits, .offset = (uint16_t)(pool->notes_offset + note) },
	};
}

static void add_counters(struct gpuoa_query_pool *pool)
{
	const uint32_t registers = pool->desc.registers;

	for (uint8_t i = 0; registers & GPUOA_QUERY_REGISTER_PERFCNT && i < QUERY_PERFCNT_COUNT;
	     i++)
		add_counter(pool, BANK_PERFCNT, i, QUERY_PERFCNT_BITS,
			    offsetof(struct query_notes, perfcnt[i]));
	for (uint8_t i = 0; registers & GPUOA_QUERY_REGISTER_A36_A37 && i < QUERY_A36_COUNT; i++)
		add_counter(pool, BANK_A, 36 + i, 32, offsetof(struct query_notes, a36[i]));
}

void query_lay_out(struct gpuoa_query_pool *pool, const struct report_format *format)
{
	struct gpuoa_query_desc *desc = &pool->desc;

	pool->notes_offset = round_up(format->size);
	pool->format = *format;
	pool->format.size = (uint16_t)(pool->notes_offset + sizeof(struct query_notes));
	desc->registers = registers_of(pool);
	add_counters(pool);
	desc->alignment = LINE;
	desc->end_offset = pool->format.size;
	desc->slot_size = 2 * desc->end_offset;
	desc->memory_size = (uint64_t)desc->slot_size * pool->options.count;
	desc->begin_dwords = (uint32_t)query_emit_begin(pool, 0, 0, NULL);
	desc->end_dwords = (uint32_t)query_emit_end(pool, 0, 0, NULL);
}

/* What no GPU exceeds, for those of which nothing is known */
#define EUS_MAX 4096
#define FREQUENCY_MAX 5000000000ull

/* As the kernel has it: in each clock, a counter gets two events from each EU at most. */
#define EVENTS_OF_EU 2

static uint64_t known_or(const struct gpuoa_constants *constants, const char *name,
			 uint64_t unknown)
{
	uint64_t value;

	return gpuoa_constants_get(constants, name, &value) || !value ? unknown : value;
}

/* Ticks in which something that counts @rate a second fills @bits. */
static uint64_t ticks_to_fill(uint32_t bits, uint64_t rate, uint64_t ticks_per_second)
{
	const unsigned __int128 ticks = ((unsigned __int128)ticks_per_second << bits) / rate;

	return bits >= 64 || ticks > UINT64_MAX ? UINT64_MAX : (uint64_t)ticks;
}

void query_measure(struct gpuoa_query_pool *pool, const struct gpuoa_constants *constants)
{
	const struct program *program = pool->calc->program;
	const uint64_t hz = known_or(constants, "GpuMaxFrequency", FREQUENCY_MAX);
	const uint64_t eus = known_or(constants, "EuCoresTotalCount", EUS_MAX);
	uint64_t longest = UINT64_MAX;

	for (uint32_t i = 0; i < program->input_count; i++) {
		const struct program_input *input = &program->inputs[i];
		uint64_t rate = hz * eus * EVENTS_OF_EU, ticks;

		if (input->absolute)
			continue;
		if (input->source == SOURCE_CLOCK)
			rate = hz;
		else if (input->source == SOURCE_TIMESTAMP)
			rate = pool->timestamp_frequency;
		/* The command streamer's timestamp, by which that is seen, may be half as fast. */
		ticks = ticks_to_fill(input->field.bits - (input->source == SOURCE_TIMESTAMP),
				      rate ? rate : hz, pool->timestamp_frequency);
		if (ticks < longest)
			longest = ticks;
	}
	pool->desc.longest_ticks = longest;
}
