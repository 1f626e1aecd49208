// SPDX-License-Identifier: MIT
/*
 * context_owners_test.c - Test the owners of contexts in a recording: those that the recorder
 * queries, and recordings that have a very large number of contexts.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>

#include "fixture.h"
#include "gpuoa-stream.h"
#include "recording.h"
#include "reader/rawdata_format.h"
#include "reader/recording/owners.h"
#include "reader/recording/perfdata_writer.h"
#include "reader/stream/unit.h"
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
	CHECK(gpuoa_reader_context(reader, 0, &owner, sizeof(owner)) == -ENOENT);
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

/* ---- owners that the recorder queries ------------------------------------------------------- */

#define DWORDS (TEST_REPORT_SIZE / 4)
#define TIMER (1 << 19)
#define VALID (1 << 16) /* the context id is valid */
#define ASKED_MAX 1024 /* number of contexts that are queried until owners_ask_again() */

/* A stream for which this test takes the place of the kernel, and a file for owners */
static struct {
	struct gpuoa_unit unit;
	struct stream stream;
	struct sample_layout layout;
	struct perfdata_writer writer;
	struct metadata_target target;
	struct owners_asked asked;
	char path[32];
	int fd;
	/* queries, and the error that they return */
	uint32_t queried[2 * ASKED_MAX];
	uint32_t queries;
	int error;
	struct gpuoa_context_owner owner;
} now;

static int query_owner(struct gpuoa_unit *unit, uint32_t id, struct gpuoa_context_owner *owner)
{
	(void)unit;
	if (CHECK(now.queries < 2 * ASKED_MAX))
		now.queried[now.queries++] = id;
	*owner = now.owner;
	return now.error;
}

static const struct backend owner_backend = { .context = query_owner };

static void begin_queries(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("sklgt2");
	const struct perfdata_writer_event event = { test_attr(TEST_SAMPLE_TYPE), ID, "gpuoa0//" };

	memset(&now, 0, sizeof(now));
	now.fd = memfd_create("owners", MFD_CLOEXEC);
	snprintf(now.path, sizeof(now.path), "/proc/self/fd/%d", now.fd);
	now.unit.backend = &owner_backend;
	now.stream.unit = &now.unit;
	now.stream.set = gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL);
	now.stream.reader.desc.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8;
	now.stream.reader.desc.report_size = TEST_REPORT_SIZE;
	now.layout = sample_layout(&event.attr);
	now.target = (struct metadata_target){ &now.writer, &now.layout, ID, 0 };
	CHECK(now.stream.set && !perfdata_create(&now.writer, now.path, &event, 1));
}

static void end_queries(void)
{
	CHECK(!perfdata_finish(&now.writer));
	close(now.fd);
}

/* Look at reports of these contexts. */
static int look(const uint32_t *contexts, size_t count)
{
	static uint32_t reports[2 * ASKED_MAX][DWORDS];

	for (size_t i = 0; i < count; i++) {
		memset(reports[i], 0, sizeof(reports[i]));
		reports[i][0] = TIMER | VALID;
		reports[i][2] = contexts[i];
	}
	return owners_look(&now.asked, &now.stream, &now.target, reports, count);
}

/* Check which contexts were queried, and forget them. */
static void check_queries(const uint32_t *contexts, uint32_t count)
{
	CHECK(now.queries == count);
	for (uint32_t i = 0; i < count && i < now.queries; i++)
		if (!CHECK(now.queried[i] == contexts[i]))
			printf("# %#x, not %#x\n", now.queried[i], contexts[i]);
	now.queries = 0;
}

static void each_context_is_queried_once(void)
{
	static const uint32_t first[] = { 0, 0, 7, 0, 7, 9, 9, 0xffbfffff }, second[] = { 9, 7, 8 };
	uint32_t reports[2][DWORDS] = { { TIMER, 0, 5 }, { TIMER | VALID, 0, 5 } };

	begin_queries();
	CHECK(!look(first, 0));
	check_queries(NULL, 0);
	CHECK(!look(first, 8));
	check_queries((const uint32_t[]){ 0, 7, 9, 0xffbfffff }, 4);
	CHECK(!look(first, 8));
	check_queries(NULL, 0);
	CHECK(!look(second, 3));
	check_queries((const uint32_t[]){ 8 }, 1);
	/* An id that is not valid is no context. */
	CHECK(!owners_look(&now.asked, &now.stream, &now.target, reports, 1));
	check_queries(NULL, 0);
	CHECK(!owners_look(&now.asked, &now.stream, &now.target, reports, 2));
	check_queries((const uint32_t[]){ 5 }, 1);
	/* Ids may be used again. */
	owners_ask_again(&now.asked);
	CHECK(!look(first, 4));
	check_queries((const uint32_t[]){ 0, 7 }, 2);
	owners_ask_again(&now.asked);
	CHECK(!look(first + 2, 2));
	check_queries((const uint32_t[]){ 7, 0 }, 2);
	end_queries();
}

static void queries_are_limited(void)
{
	uint32_t contexts[ASKED_MAX + 10];
	uint64_t state = 1;

	begin_queries();
	/* Skylake has no bit 22 in its contexts. */
	for (uint32_t i = 0; i < ASKED_MAX + 10; i++)
		contexts[i] = (uint32_t)fixture_random(&state) & ~(UINT32_C(1) << 22);
	CHECK(!look(contexts, ASKED_MAX + 10));
	check_queries(contexts, ASKED_MAX);
	CHECK(!look(contexts, ASKED_MAX + 10));
	check_queries(NULL, 0);
	owners_ask_again(&now.asked);
	CHECK(!look(contexts + 5, ASKED_MAX));
	check_queries(contexts + 5, ASKED_MAX);
	CHECK(!look(contexts, ASKED_MAX + 10));
	check_queries(NULL, 0);
	end_queries();
}

/* Return the slot of a context in an empty hash set. */
static size_t slot_of_context(uint32_t context)
{
	size_t slot = 0;

	owners_ask_again(&now.asked);
	CHECK(!look(&context, 1));
	now.queries = 0;
	while (slot < OWNERS_ASKED_SLOTS && !now.asked.slots[slot])
		slot++;
	return slot;
}

/* The search for a free slot also ends if one half of the slots, all even ones, are used. */
static void contexts_are_found_in_a_set_without_even_slots(void)
{
	static bool used[OWNERS_ASKED_SLOTS];
	uint32_t contexts[ASKED_MAX + 1], count = 0;

	begin_queries();
	now.error = -ENOENT;
	for (uint32_t i = 1; count <= ASKED_MAX && i < 1 << 16; i++) {
		const size_t slot = slot_of_context(i);

		if (slot % 2 || (used[slot] && count < ASKED_MAX))
			continue;
		used[slot] = true;
		contexts[count++] = i;
	}
	REQUIRE(count == ASKED_MAX + 1);
	owners_ask_again(&now.asked);
	CHECK(!look(contexts, ASKED_MAX + 1));
	check_queries(contexts, ASKED_MAX);
	CHECK(!look(contexts, ASKED_MAX + 1));
	check_queries(NULL, 0);
	end_queries();
}

static void queries_end_after_an_error(void)
{
	static const uint32_t contexts[] = { 1, 2, 3 };

	begin_queries();
	/* A context may not exist any more. */
	now.error = -ENOENT;
	CHECK(!look(contexts, 2));
	check_queries(contexts, 2);
	now.error = -EACCES;
	CHECK(!look(contexts, 3));
	check_queries(contexts + 2, 1);
	now.error = 0;
	owners_ask_again(&now.asked);
	CHECK(!look(contexts, 3));
	check_queries(NULL, 0);
	end_queries();
	/* The file cannot be written. */
	begin_queries();
	const int fd = now.writer.fd;

	now.writer.fd = -1;
	CHECK(look(contexts, 3) == -EBADF);
	check_queries(contexts, 1);
	now.writer.fd = fd;
	end_queries();
}

static void streams_without_owners_are_not_queried(void)
{
	static const struct backend none = { .context = NULL };
	static const uint32_t contexts[] = { 1, 2 };
	const struct gpuoa_set *set;

	begin_queries();
	set = now.stream.set;
	now.stream.set = NULL;
	CHECK(!look(contexts, 2));
	now.stream.set = set;
	now.unit.backend = &none;
	CHECK(!look(contexts, 2));
	now.unit.backend = &owner_backend;
	now.stream.reader.desc.format = 9999;
	CHECK(!look(contexts, 2));
	/* The reports of Haswell have no context. */
	now.stream.reader.desc.format = GPUOA_FORMAT_A45_B8_C8;
	CHECK(!look(contexts, 2));
	check_queries(NULL, 0);
	now.stream.reader.desc.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8;
	CHECK(!look(contexts, 2));
	check_queries(contexts, 2);
	end_queries();
}

static void recorded_owners_are_those_queried(void)
{
	static const struct gpuoa_context_owner owners[] = {
		{ 12, 3, UINT64_C(1) << 40, "123456789012345", false },
		{ UINT32_MAX, UINT32_MAX - 1, UINT64_MAX, "", true },
	};
	static const uint32_t contexts[] = { 0x12340020, 0x12350020 };
	struct gpuoa_context_owner found;
	struct gpuoa_reader *reader;
	struct bytes description = { 0 };

	begin_queries();
	put_first_sample(&description, ID);
	CHECK(!perfdata_add(&now.writer, &(struct iovec){ description.data, description.size }, 1));
	for (size_t i = 0; i < 2; i++) {
		now.owner = owners[i];
		CHECK(!look(contexts + i, 1));
	}
	CHECK(!perfdata_commit(&now.writer));
	if (CHECK(!gpuoa_file_open(now.path, &reader, NULL, 0))) {
		for (size_t i = 0; i < 2; i++) {
			memset(&found, 0x55, sizeof(found));
			CHECK(!gpuoa_reader_context(reader, contexts[i], &found, sizeof(found)));
			CHECK(found.process == owners[i].process &&
			      found.handle == owners[i].handle &&
			      found.client == owners[i].client && found.gone == owners[i].gone);
			CHECK_STRING(found.program, owners[i].program);
		}
		CHECK(gpuoa_reader_context(reader, 0x20, &found, sizeof(found)) == -ENOENT);
		gpuoa_reader_close(reader);
	}
	clear(&description);
	end_queries();
}

int main(void)
{
	RUN(reader_context_finds_10000_owners);
	RUN(recording_without_contexts_has_no_owners);
	RUN(first_owners_are_kept_above_limit);
	RUN(each_context_is_queried_once);
	RUN(queries_are_limited);
	RUN(contexts_are_found_in_a_set_without_even_slots);
	RUN(queries_end_after_an_error);
	RUN(streams_without_owners_are_not_queried);
	RUN(recorded_owners_are_those_queried);
	return tap_end();
}
