// SPDX-License-Identifier: MIT
/* emit.c - the commands that begin and end a query, and checks that they are requested in order */
#include "extra/query/emit.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/sized.h"
#include "gpuoa-query.h"
#include "uapi/gpuoa.h"

/* A command buffer. */
struct commands {
	uint32_t *dwords; /* NULL: only count the dwords */
	size_t count;
	uint8_t address_dwords;
	bool ggtt; /* memory addresses are those of the global GTT */
	bool compute; /* run on a compute engine */
};

/*
 * Encodings of commands, as in the programmer's reference manuals and in the kernel's
 * intel_gpu_commands.h. Bits 7:0 of the first dword are the number of dwords that follow the second
 * one.
 */
#define MI_STORE_DATA_IMM 0x10000002u
#define MI_STORE_REGISTER_MEM 0x12000001u
#define MI_REPORT_PERF_COUNT 0x14000001u
#define PIPE_CONTROL 0x7a000003u

#define MI_GLOBAL_GTT (1u << 22)
#define REPORT_GLOBAL_GTT (1u << 0) /* a bit of the address */

/* Second dword of PIPE_CONTROL */
#define PIPE_DEPTH_FLUSH (1u << 0)
#define PIPE_DC_FLUSH (1u << 5)
#define PIPE_FLUSH_ENABLE (1u << 7)
#define PIPE_RENDER_FLUSH (1u << 12)
#define PIPE_WRITE_VALUE (1u << 14)
#define PIPE_WRITE_TIMESTAMP (3u << 14)
#define PIPE_CS_STALL (1u << 20)
#define PIPE_GLOBAL_GTT (1u << 24)

/* Compute engines have no pixel pipeline to flush. */
#define PIPE_FLUSH_COMPUTE (PIPE_CS_STALL | PIPE_FLUSH_ENABLE | PIPE_DC_FLUSH)
#define PIPE_FLUSH_RENDER (PIPE_FLUSH_COMPUTE | PIPE_RENDER_FLUSH | PIPE_DEPTH_FLUSH)

static void put(struct commands *commands, uint32_t dword)
{
	if (commands->dwords)
		commands->dwords[commands->count] = dword;
	commands->count++;
}

static void put_address(struct commands *commands, uint64_t address)
{
	put(commands, (uint32_t)address);
	if (commands->address_dwords > 1)
		put(commands, (uint32_t)(address >> 32));
}

/*
 * Write the first dword of a command. The length in it must be adjusted, because the opcodes above
 * are for addresses of one dword.
 */
static void put_header(struct commands *commands, uint32_t header)
{
	put(commands, header + commands->address_dwords - 1);
}

static void flush(struct commands *commands, uint32_t operation, uint64_t address, uint32_t value)
{
	put_header(commands, PIPE_CONTROL);
	put(commands, operation | (commands->compute ? PIPE_FLUSH_COMPUTE : PIPE_FLUSH_RENDER) |
			      (commands->ggtt ? PIPE_GLOBAL_GTT : 0));
	put_address(commands, address);
	put(commands, value);
	put(commands, 0); /* upper half of the value */
}

/*
 * Write a command that waits for preceding work, flushes caches, and then writes the timestamp to
 * @address.
 */
static void command_flush_timestamp(struct commands *commands, uint64_t address)
{
	flush(commands, PIPE_WRITE_TIMESTAMP, address, 0);
}

static void command_flush_value(struct commands *commands, uint64_t address, uint32_t value)
{
	flush(commands, PIPE_WRITE_VALUE, address, value);
}

/* Write a command that writes a report with this id. @address must be a multiple of 64. */
static void command_report(struct commands *commands, uint64_t address, uint32_t id)
{
	put_header(commands, MI_REPORT_PERF_COUNT);
	put_address(commands, address | (commands->ggtt ? REPORT_GLOBAL_GTT : 0));
	put(commands, id);
}

/*
 * Write a command that stores a value. On Haswell, addresses have one dword, and a reserved dword
 * precedes them.
 */
static void command_store(struct commands *commands, uint64_t address, uint32_t value)
{
	put(commands, MI_STORE_DATA_IMM | (commands->ggtt ? MI_GLOBAL_GTT : 0));
	if (commands->address_dwords == 1)
		put(commands, 0);
	put_address(commands, address);
	put(commands, value);
}

static void command_store_register(struct commands *commands, uint64_t address, uint32_t reg)
{
	put_header(commands, MI_STORE_REGISTER_MEM | (commands->ggtt ? MI_GLOBAL_GTT : 0));
	put(commands, reg);
	put_address(commands, address);
}

static struct commands commands_begin(const struct gpuoa_query_pool *pool, uint32_t *dwords)
{
	return (struct commands){
		.dwords = dwords,
		.address_dwords = pool->hardware->address_dwords,
		.ggtt = pool->options.ggtt,
		.compute = pool->options.mode == GPUOA_QUERY_COMPUTE && pool->hardware->has_compute,
	};
}

#define NOTE(pool, snapshot, name) \
	((snapshot) + (pool)->notes_offset + offsetof(struct query_notes, name))

static void emit_registers(const struct gpuoa_query_pool *pool, struct commands *commands,
			   uint64_t snapshot)
{
	const struct query_hardware *hardware = pool->hardware;
	const uint32_t registers = pool->desc.registers;
	const size_t perfcnt_dwords = QUERY_PERFCNT_COUNT * sizeof(uint64_t) / sizeof(uint32_t);

	for (uint32_t i = 0; registers & GPUOA_QUERY_REGISTER_PERFCNT && i < perfcnt_dwords; i++)
		command_store_register(commands, NOTE(pool, snapshot, perfcnt) + 4ull * i,
				       hardware->perfcnt + 4 * i);
	for (uint32_t i = 0; registers & GPUOA_QUERY_REGISTER_A36_A37 && i < QUERY_A36_COUNT; i++)
		command_store_register(commands, NOTE(pool, snapshot, a36[i]),
				       hardware->a36 + QUERY_A36_STRIDE * i);
	if (registers & GPUOA_QUERY_REGISTER_FREQUENCY)
		command_store_register(commands, NOTE(pool, snapshot, frequency),
				       hardware->frequency.reg);
	if (registers & GPUOA_QUERY_REGISTER_STATUS)
		command_store_register(commands, NOTE(pool, snapshot, status), hardware->status);
}

/*
 * Write the commands that begin a query. The report is last, so that it does not count the other
 * commands.
 */
size_t query_emit_begin(const struct gpuoa_query_pool *pool, uint64_t address, uint32_t id,
			uint32_t *dwords)
{
	struct commands commands = commands_begin(pool, dwords);

	command_flush_timestamp(&commands, NOTE(pool, address, ticks));
	emit_registers(pool, &commands, address);
	command_store(&commands, NOTE(pool, address, tag), id);
	command_report(&commands, address, id);
	return commands.count;
}

/*
 * Write the commands that end a query. The tag is last: the command streamer waits for all earlier
 * writes before it writes the tag.
 */
size_t query_emit_end(const struct gpuoa_query_pool *pool, uint64_t address, uint32_t id,
		      uint32_t *dwords)
{
	struct commands commands = commands_begin(pool, dwords);
	const uint64_t snapshot = address + pool->desc.end_offset;

	command_flush_timestamp(&commands, NOTE(pool, snapshot, ticks));
	command_report(&commands, snapshot, id);
	emit_registers(pool, &commands, snapshot);
	command_flush_value(&commands, NOTE(pool, snapshot, tag), id);
	return commands.count;
}

static int check_room(size_t room, size_t needed, const struct complaint *complaint)
{
	if (room < needed)
		return COMPLAIN(complaint, -ENOSPC, "%zu dwords are needed, and there are %zu",
				needed, room);
	return 0;
}

static uint64_t query_address(const struct gpuoa_query_pool *pool, uint32_t query)
{
	return pool->address + (uint64_t)query * pool->desc.slot_size;
}

static int check_programmed(const struct gpuoa_query_pool *pool, const struct complaint *complaint)
{
	if (!pool->programmed)
		return 0;
	if (!(pool->programmed->state & 1))
		return COMPLAIN(complaint, -ESHUTDOWN,
				"no query can begin: the stream of the pool is disabled or closed; "
				"enable it, or open a pool of another one");
	if (pool->programmed->set != pool->set)
		return COMPLAIN(complaint, -ESTALE,
				"no query of %s can begin: the stream of the pool measures another "
				"set now; open a pool for that",
				table_string(&pool->set->symbol));
	return 0;
}

int gpuoa_query_begin(struct gpuoa_query_pool *pool, uint32_t query, uint32_t *dwords, size_t room,
		      char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	int err = query_check(pool, query, &complaint);
	struct query *state;

	if (err)
		return err;
	state = &pool->queries[query];
	if (state->state != QUERY_IDLE)
		return COMPLAIN(&complaint, -EALREADY, "query %u has been %s: reset it", query,
				state->state == QUERY_BEGUN ? "begun" : "ended");
	err = check_room(room, pool->desc.begin_dwords, &complaint);
	if (!err)
		err = check_programmed(pool, &complaint);
	if (err)
		return err;
	state->programmed = pool->programmed ? pool->programmed->state : 0;
	/* Ids of begin reports are odd, those of end reports are even; 0 is never used. */
	state->id = pool->last_id + 1;
	pool->last_id = state->id + 1 < UINT32_MAX - 1 ? state->id + 1 : 0;
	state->state = QUERY_BEGUN;
	return (int)query_emit_begin(pool, query_address(pool, query), state->id, dwords);
}

int gpuoa_query_end(struct gpuoa_query_pool *pool, uint32_t query, uint32_t *dwords, size_t room,
		    char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	int err = query_check(pool, query, &complaint);
	struct query *state;

	if (err)
		return err;
	state = &pool->queries[query];
	if (state->state == QUERY_IDLE)
		return COMPLAIN(&complaint, -EPROTO, "query %u has not been begun", query);
	if (state->state == QUERY_ENDED)
		return COMPLAIN(&complaint, -EALREADY, "query %u has been ended: reset it", query);
	err = check_room(room, pool->desc.end_dwords, &complaint);
	if (err)
		return err;
	state->state = QUERY_ENDED;
	return (int)query_emit_end(pool, query_address(pool, query), state->id + 1, dwords);
}

static void clear_snapshot(const struct gpuoa_query_pool *pool, char *report)
{
	struct query_notes *notes = (void *)(report + pool->notes_offset);

	memset(report, 0, pool->notes_offset);
	memset(notes, QUERY_UNWRITTEN, sizeof(*notes));
	notes->tag = 0;
}

int gpuoa_query_reset(struct gpuoa_query_pool *pool, uint32_t first, uint32_t count, char *error,
		      size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);

	if (first > pool->options.count || count > pool->options.count - first)
		return COMPLAIN(&complaint, -ERANGE, "the pool has %u queries, not %llu",
				pool->options.count, (unsigned long long)first + count);
	for (uint32_t query = first; query < first + count; query++) {
		char *memory = query_memory(pool, query);

		clear_snapshot(pool, memory);
		clear_snapshot(pool, memory + pool->desc.end_offset);
		pool->queries[query] = (struct query){ .state = QUERY_IDLE };
	}
	return 0;
}

#define MI_NOOP 0
/* Command that writes one register; its operands are the register's offset and the value. */
#define MI_LOAD_REGISTER_IMM (0x22 << 23 | 1)

int gpuoa_marker_commands(const struct gpuoa_unit_desc *unit, size_t size, uint32_t value,
			  uint32_t *dwords, size_t room)
{
	const struct complaint complaint = { 0 };
	struct gpuoa_unit_desc known;
	const int err = sized_take_desc(&known, sizeof(known), unit, size, "fields of the unit",
					&complaint);

	if (err)
		return err;
	if (!(known.features & GPUOA_UNIT_MARKERS))
		return -EOPNOTSUPP;
	if (room < GPUOA_MARKER_DWORDS)
		return -ENOBUFS;
	dwords[0] = MI_LOAD_REGISTER_IMM;
	dwords[1] = GPUOA_TRIGGER_REGISTER;
	dwords[2] = value;
	/* Pad the commands, because batches must have an even number of dwords. */
	dwords[3] = MI_NOOP;
	return GPUOA_MARKER_DWORDS;
}

uint64_t gpuoa_ticks_rescale(uint64_t ticks, uint64_t from_frequency, uint64_t to_frequency)
{
	unsigned __int128 scaled;

	if (!from_frequency)
		return 0;
	scaled = (unsigned __int128)ticks * to_frequency / from_frequency;
	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}
