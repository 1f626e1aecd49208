// SPDX-License-Identifier: MIT
/*
 * emulated_ring_test.c - Test the ring that is written for streams which are no perf events: the
 * layout of samples, wraps, and samples that have to wait for space.
 */
#include "reader/stream/emulated_ring.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define RING 256
#define FD 5
#define SAMPLE 64 /* bytes, of a sample with a payload of 12 bytes */

static struct {
	struct emulated_ring emulated;
	struct perf_event_mmap_page page;
	uint8_t data[RING];
	uint32_t next; /* number of the next sample */
	int samples; /* number of samples that pump() writes */
	unsigned int pumps, frees;
	uint64_t room; /* after the last sample */
} test;

/* Write a sample with its number, and its complement in another piece. */
static void put_sample(struct emulated_ring *emulated)
{
	uint32_t number = test.next++;
	uint64_t other = ~(uint64_t)number;
	const struct iovec pieces[] = { { &number, sizeof(number) }, { &other, sizeof(other) } };

	emulated_sample(emulated, pieces, 2);
}

static void pump_samples(struct emulated_ring *emulated)
{
	CHECK(emulated->page == &test.page && emulated->data == test.data);
	test.pumps++;
	for (int i = 0; i < test.samples; i++)
		put_sample(emulated);
	test.room = emulated_room(emulated);
}

static void count_free(struct emulated_ring *emulated)
{
	CHECK(emulated == &test.emulated);
	test.frees++;
}

static const struct emulated_ring_ops ops = { .pump = pump_samples, .free = count_free };

static void begin(uint64_t position)
{
	memset(&test, 0, sizeof(test));
	test.page.data_head = test.page.data_tail = position;
	emulated_init(&test.emulated, &ops, FD);
}

static void end(void)
{
	emulated_free(&test.emulated);
	CHECK(test.frees == 1);
}

static void pump(int samples)
{
	test.samples = samples;
	emulated_pump(&test.emulated, &test.page, test.data, RING);
}

static uint64_t used(void)
{
	return test.page.data_head - test.page.data_tail;
}

/* Check that the oldest sample in the ring is that of this number, and release its space. */
static void check_sample(uint32_t number)
{
	uint8_t bytes[SAMPLE];
	struct perf_event_header header;
	uint64_t id, time, complement;
	uint32_t raw_size, found;

	REQUIRE(used() >= SAMPLE);
	for (size_t i = 0; i < SAMPLE; i++)
		bytes[i] = test.data[(test.page.data_tail + i) % RING];
	memcpy(&header, bytes, sizeof(header));
	memcpy(&id, bytes + 8, sizeof(id));
	memcpy(&time, bytes + 32, sizeof(time));
	memcpy(&raw_size, bytes + 48, sizeof(raw_size));
	memcpy(&found, bytes + 52, sizeof(found));
	memcpy(&complement, bytes + 56, sizeof(complement));
	CHECK(header.type == PERF_RECORD_SAMPLE && header.size == SAMPLE);
	CHECK(id == (EMULATED_ID | FD) && time && raw_size == 12);
	if (!CHECK(found == number && complement == ~(uint64_t)number))
		printf("# sample %u, not %u\n", (unsigned int)found, (unsigned int)number);
	test.page.data_tail += SAMPLE;
}

static int keep(size_t size)
{
	int err;

	pthread_mutex_lock(&test.emulated.lock);
	err = emulated_keep(&test.emulated, size);
	pthread_mutex_unlock(&test.emulated.lock);
	return err;
}

static void samples_are_those_of_perf(void)
{
	const struct perf_event_attr attr = emulated_attr(7);

	CHECK(attr.type == 7 && attr.size == sizeof(attr) && attr.sample_period == 1);
	CHECK(attr.sample_type == EMULATED_SAMPLE_TYPE && attr.sample_id_all && attr.disabled);
	CHECK(attr.use_clockid && attr.clockid == CLOCK_MONOTONIC);
	/* A sample may begin and wrap anywhere. */
	for (uint64_t position = 0; position < 2 * RING; position += 8) {
		begin(5 * RING + position);
		pump(1);
		CHECK(used() == SAMPLE && test.room == RING - SAMPLE);
		check_sample(0);
		CHECK(!used());
		end();
	}
	emulated_free(NULL);
}

static void ring_is_filled_completely(void)
{
	begin(8);
	pump(4);
	CHECK(used() == RING && test.room == 0 && !emulated_has_rest(&test.emulated));
	check_sample(0);
	pump(1);
	CHECK(used() == RING && test.pumps == 2);
	for (uint32_t i = 1; i <= 4; i++)
		check_sample(i);
	end();
}

static void samples_that_are_kept_wait_for_space(void)
{
	begin(0);
	CHECK(!keep(4 * SAMPLE));
	pump(7);
	/* Four are in the ring, and three in the buffer. */
	CHECK(used() == RING && test.room == SAMPLE && emulated_has_rest(&test.emulated));
	pthread_mutex_lock(&test.emulated.lock);
	emulated_end_keeping(&test.emulated);
	pthread_mutex_unlock(&test.emulated.lock);
	/* Nothing newer comes before them. */
	pump(1);
	CHECK(test.pumps == 1);
	check_sample(0);
	check_sample(1);
	pump(1);
	CHECK(used() == RING && test.pumps == 1 && emulated_has_rest(&test.emulated));
	check_sample(2);
	/* The last one leaves the buffer, which is freed. */
	pump(0);
	CHECK(used() == RING && !emulated_has_rest(&test.emulated) && test.pumps == 2);
	CHECK(!test.emulated.rest.data && !test.emulated.rest.capacity && !test.room);
	for (uint32_t i = 3; i <= 6; i++)
		check_sample(i);
	pump(1);
	check_sample(7);
	end();
}

/* While samples are kept, the buffer is used again when it has become empty. */
static void buffer_is_reused_while_keeping(void)
{
	begin(0);
	CHECK(!keep(2 * SAMPLE));
	pump(6);
	CHECK(test.room == 0 && emulated_has_rest(&test.emulated));
	for (uint32_t i = 0; i < 4; i++)
		check_sample(i);
	/* Both are written to the ring before the new ones. */
	pump(3);
	CHECK(used() == RING && test.room == SAMPLE && emulated_has_rest(&test.emulated));
	for (uint32_t i = 4; i < 8; i++)
		check_sample(i);
	/* A new sample waits for an older one even if the ring has space for it. */
	pump(0);
	CHECK(used() == SAMPLE && !emulated_has_rest(&test.emulated) && test.room == 2 * SAMPLE);
	check_sample(8);
	end();
}

static void order_is_kept_if_part_waits(void)
{
	begin(0);
	CHECK(!keep(8 * SAMPLE));
	pump(6);
	check_sample(0);
	/* One of two moves; the new sample comes after the other. */
	pump(1);
	CHECK(used() == RING && emulated_has_rest(&test.emulated));
	for (uint32_t i = 1; i < 5; i++)
		check_sample(i);
	pump(0);
	check_sample(5);
	check_sample(6);
	CHECK(!used() && !emulated_has_rest(&test.emulated));
	end();
}

/* A second buffer has the samples of the first one that still wait. */
static void waiting_samples_move_to_a_new_buffer(void)
{
	begin(0);
	CHECK(!keep(3 * SAMPLE));
	pump(7);
	check_sample(0);
	pump(0); /* sample 4 moves to the ring; 5 and 6 wait */
	CHECK(!keep(2 * SAMPLE));
	CHECK(emulated_has_rest(&test.emulated) && test.emulated.rest.capacity == 4 * SAMPLE);
	CHECK(test.emulated.rest.size == 2 * SAMPLE && !test.emulated.rest.at);
	pump(2);
	CHECK(test.room == 0);
	for (uint32_t i = 1; i < 5; i++)
		check_sample(i);
	pump(0);
	for (uint32_t i = 5; i < 9; i++)
		check_sample(i);
	CHECK(!used());
	/* An empty buffer is freed at once. */
	pthread_mutex_lock(&test.emulated.lock);
	emulated_end_keeping(&test.emulated);
	pthread_mutex_unlock(&test.emulated.lock);
	CHECK(!test.emulated.rest.data && !test.emulated.keeping);
	end();
}

int main(void)
{
	RUN(samples_are_those_of_perf);
	RUN(ring_is_filled_completely);
	RUN(samples_that_are_kept_wait_for_space);
	RUN(buffer_is_reused_while_keeping);
	RUN(order_is_kept_if_part_waits);
	RUN(waiting_samples_move_to_a_new_buffer);
	return tap_end();
}
