// SPDX-License-Identifier: MIT
/*
 * context_owners_test.c - Test the owners of contexts in a recording that has a very large number
 * of contexts.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>

#include "gpuoa-stream.h"
#include "recording.h"
#include "reader/rawdata_format.h"
#include "tap.h"

#define ID 7
#define CONTEXTS 10000
#define OF_A_SAMPLE 500
#define LIMIT 65536 /* maximum number of contexts whose owner is stored */

/* The low bits of all context ids are equal, as with i915 and xe. */
static uint32_t id_of(uint32_t number)
{
	return number << 12 | 0x20;
}

static void put_context(struct bytes *payload, uint32_t number, uint32_t process)
{
	struct context_record record = {
		.record = { CONTEXT_RECORD, sizeof(record) },
		.id = id_of(number),
		.process = process,
		.client = number,
	};

	snprintf(record.program, sizeof(record.program), "program%u", process);
	put(payload, &record, sizeof(record));
}

static void put_contexts(struct recording *recording, uint32_t count, uint32_t first_process)
{
	struct bytes payload = { 0 };

	for (uint32_t i = 0; i < count; i += OF_A_SAMPLE) {
		put_head(&payload);
		for (uint32_t k = i; k < i + OF_A_SAMPLE && k < count; k++)
			put_context(&payload, k, first_process + k);
		put_sample(&recording->records, ID, 0, &payload);
		clear(&payload);
	}
}

/*
 * Write a recording with @count contexts. The ids of @again of them are used again by another
 * process.
 */
static struct gpuoa_reader *record(uint32_t count, uint32_t again)
{
	struct recording recording = { 0 };
	struct gpuoa_reader *reader;
	struct bytes payload = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_head(&payload);
	put_stream(&payload);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	put_contexts(&recording, count, 1000);
	put_contexts(&recording, again, 500000);
	reader = open_laid_out(&recording);
	CHECK(reader);
	return reader;
}

static bool is_of(struct gpuoa_reader *reader, uint32_t number, uint32_t process)
{
	struct gpuoa_context_owner owner;
	char program[16];

	snprintf(program, sizeof(program), "program%u", process);
	return !gpuoa_reader_context(reader, id_of(number), &owner, sizeof(owner)) &&
	       owner.process == process && owner.client == number &&
	       !strcmp(owner.program, program);
}

static void reader_context_finds_10000_owners(void)
{
	struct gpuoa_reader *reader = record(CONTEXTS, 100);
	struct gpuoa_context_owner owner;
	uint32_t right = 0;

	REQUIRE(reader);
	for (uint32_t i = 0; i < CONTEXTS; i++)
		right += is_of(reader, i, (i < 100 ? 500000 : 1000) + i);
	CHECK(right == CONTEXTS);
	CHECK(gpuoa_reader_context(reader, id_of(CONTEXTS), &owner, sizeof(owner)) == -ENOENT);
	gpuoa_reader_close(reader);
}

static void recording_without_contexts_has_no_owners(void)
{
	struct gpuoa_reader *reader = record(0, 0);
	struct gpuoa_context_owner owner;

	REQUIRE(reader);
	CHECK(gpuoa_reader_context(reader, 0, &owner, sizeof(owner)) == -ENOENT);
	gpuoa_reader_close(reader);
}

/* A damaged file must not exhaust the memory, nor the CPU by quadratic run time. */
static void first_owners_are_kept_above_limit(void)
{
	struct gpuoa_reader *reader = record(3 * LIMIT, 0);
	uint32_t right = 0;

	REQUIRE(reader);
	for (uint32_t i = 0; i < 3 * LIMIT; i++)
		right += is_of(reader, i, 1000 + i);
	CHECK(right == LIMIT);
	gpuoa_reader_close(reader);
}

int main(void)
{
	RUN(reader_context_finds_10000_owners);
	RUN(recording_without_contexts_has_no_owners);
	RUN(first_owners_are_kept_above_limit);
	return tap_end();
}
