// SPDX-License-Identifier: MIT
/*
 * ring_test.c - Test reading of perf's ring buffer. The test writes its memory as the kernel would.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "payload.h"
#include "reader/stream/ring.h"
#include "tap.h"

static size_t page_size;
static void *mapping;

/* Create a buffer of one page. Its contents begin at @position of the endless stream of bytes. */
static struct ring begin(uint64_t position)
{
	struct perf_event_mmap_page *page;
	struct ring ring = { 0 };

	mapping = aligned_alloc(page_size, 2 * page_size);
	memset(mapping, 0, 2 * page_size);
	page = mapping;
	page->data_head = page->data_tail = position;
	CHECK(!ring_init(&ring, mapping, 2 * page_size));
	return ring;
}

static void end(struct ring *ring)
{
	ring_fini(ring);
	free(mapping);
}

/* Write a record of @size bytes as the kernel does. Each byte of its payload is @fill. */
static void produce(struct ring *ring, uint16_t size, uint8_t fill)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = size };
	uint8_t *data = (uint8_t *)mapping + page_size;
	uint64_t head = ring->page->data_head;

	for (size_t i = 0; i < size; i++, head++)
		data[head % page_size] = i < sizeof(header) ? ((uint8_t *)&header)[i] : fill;
	ring->page->data_head = head;
}

static bool is_filled(const struct perf_event_header *record, uint8_t fill)
{
	const uint8_t *bytes = (const uint8_t *)record;

	for (size_t i = sizeof(*record); i < record->size; i++)
		if (bytes[i] != fill)
			return false;
	return true;
}

static void empty_ring_has_no_record(void)
{
	struct ring ring = begin(0);
	const struct perf_event_header *record;

	CHECK(ring_next(&ring, &record) == 0);
	CHECK(ring_fill(&ring) == 0);
	end(&ring);
}

static void records_are_returned_in_order(void)
{
	struct ring ring = begin(0);
	const struct perf_event_header *record;

	produce(&ring, 64, 1);
	produce(&ring, 128, 2);
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK(record->size == 64 && is_filled(record, 1));
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK(record->size == 128 && is_filled(record, 2));
	CHECK(ring_next(&ring, &record) == 0);
	end(&ring);
}

static void tail_moves_only_after_release(void)
{
	struct ring ring = begin(0);
	const struct perf_event_header *record;

	produce(&ring, 64, 1);
	CHECK(ring_next(&ring, &record) == 1);
	CHECK(ring.page->data_tail == 0 && ring_fill(&ring) == 64);
	ring_release(&ring);
	CHECK(ring.page->data_tail == 64 && ring_fill(&ring) == 0);
	end(&ring);
}

static void wrapping_record_is_contiguous(void)
{
	/*
	 * Test each position at which a record of 64 bytes wraps at the end of the buffer, late in
	 * the stream.
	 */
	for (size_t before_end = 8; before_end < 64; before_end += 8) {
		struct ring ring = begin(7 * 65536 - before_end);
		const struct perf_event_header *record;

		produce(&ring, 64, 0x5a);
		REQUIRE(ring_next(&ring, &record) == 1);
		CHECK(record->size == 64 && record->type == PERF_RECORD_SAMPLE);
		CHECK(is_filled(record, 0x5a));
		end(&ring);
	}
}

static int taken(const struct ring *ring, struct iovec pieces[2])
{
	return ring_pieces(ring, ring->page->data_tail, ring->at, pieces);
}

static void full_ring_is_read_completely(void)
{
	struct ring ring = begin(104);
	const struct perf_event_header *record;
	struct iovec pieces[2];

	produce(&ring, page_size / 2, 1);
	produce(&ring, page_size / 2, 2);
	REQUIRE(ring_next(&ring, &record) == 1);
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK(is_filled(record, 2));
	CHECK(taken(&ring, pieces) == 2);
	CHECK(pieces[0].iov_len == page_size - 104 && pieces[1].iov_len == 104);
	end(&ring);
}

static void consumed_records_are_one_or_two_iovecs(void)
{
	struct ring ring = begin(0);
	const struct perf_event_header *record;
	struct iovec pieces[2];

	CHECK(taken(&ring, pieces) == 0);
	produce(&ring, 64, 1);
	ring_next(&ring, &record);
	CHECK(taken(&ring, pieces) == 1);
	CHECK(pieces[0].iov_len == 64);
	end(&ring);
}

static void rewind_returns_same_records(void)
{
	struct ring ring = begin(0);
	const struct perf_event_header *record;

	produce(&ring, 64, 1);
	produce(&ring, 64, 2);
	ring_next(&ring, &record);
	ring_release(&ring);
	ring_next(&ring, &record);
	ring_rewind(&ring);
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK(is_filled(record, 2));
	end(&ring);
}

/* A record is only copied if it wraps. */
static void record_at_the_end_is_not_copied(void)
{
	struct ring ring = begin(page_size - 64);
	const struct perf_event_header *record;
	struct iovec pieces[2];

	produce(&ring, 64, 3);
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK((const uint8_t *)record == ring.data + page_size - 64 && is_filled(record, 3));
	CHECK(taken(&ring, pieces) == 1 && pieces[0].iov_len == 64 && !pieces[1].iov_len);
	CHECK(pieces[0].iov_base == record);
	produce(&ring, 8, 0);
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK((const uint8_t *)record == ring.data && record->size == 8);
	CHECK(taken(&ring, pieces) == 2 && pieces[1].iov_len == 8);
	CHECK(pieces[1].iov_base == record);
	end(&ring);
}

/* A copy of the ring reads on, and then the ring continues where it was. */
static void look_ahead_changes_neither_position_nor_records(void)
{
	struct ring ring = begin(page_size - 32), saved;
	const struct perf_event_header *first, *record;

	produce(&ring, 64, 1);
	produce(&ring, (uint16_t)(page_size - 64), 2);
	REQUIRE(ring_next(&ring, &first) == 1);
	CHECK(!ring_look_ahead(&ring, &saved));
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK(is_filled(record, 2) && ring.page->data_tail == page_size - 32);
	ring.page->data_tail += 64;
	produce(&ring, 64, 3);
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK(is_filled(record, 3) && record != first);
	CHECK(is_filled(first, 1)); /* which is a copy */
	ring_look_back(&ring, &saved);
	REQUIRE(ring_next(&ring, &record) == 1);
	CHECK(is_filled(record, 2));
	end(&ring);
}

static void sizes_are_rounded_to_powers_of_two(void)
{
	const size_t most = SIZE_MAX / 4 + 1;

	CHECK(ring_round(0) == page_size && ring_round(1) == page_size);
	CHECK(ring_round(page_size) == page_size && ring_round(page_size + 1) == 2 * page_size);
	CHECK(ring_round(3 * page_size) == 4 * page_size);
	CHECK(ring_round(most / 2) == most / 2 && ring_round(most / 2 + 1) == most);
	CHECK(ring_round(most) == most && ring_round(SIZE_MAX) == most);
}

static void ring_of_a_file_is_mapped(void)
{
	const int file = memfd_create("ring", MFD_CLOEXEC);
	struct perf_event_mmap_page page = { .data_tail = 24, .data_head = 24 };
	unsigned char resident[3];
	struct ring ring;
	void *at;

	memset(&ring, 0, sizeof(ring));
	REQUIRE(file >= 0 && !ftruncate(file, 3 * (off_t)page_size));
	CHECK(pwrite(file, &page, sizeof(page), 0) == sizeof(page));
	CHECK(pwrite(file, "data", 4, (off_t)page_size) == 4);
	REQUIRE(!ring_map(&ring, file, page_size + 1));
	CHECK(ring.size == 2 * page_size && ring.mapped == 3 * page_size && ring.at == 24);
	CHECK(!memcmp(ring.data, "data", 4) && ring_fill(&ring) == 0);
	ring.page->data_head = 32; /* shared with the file */
	CHECK(pread(file, &page, sizeof(page), 0) == sizeof(page) && page.data_head == 32);
	at = ring.page;
	ring_unmap(&ring);
	CHECK(mincore(at, 3 * page_size, resident) < 0 && errno == ENOMEM);
	CHECK(!ring.straight);
	CHECK(ring_map(&ring, -1, page_size) == -EBADF);
	CHECK(ring_map(&ring, file, SIZE_MAX / 4) == -ENOMEM);
	CHECK(ring_map(&ring, file, SIZE_MAX) == -ENOMEM);
	close(file);
}

static void corrupt_size_returns_eio(void)
{
	static const uint16_t sizes[] = { 0, 7, 65, 65535 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct ring ring = begin(0);
		const struct perf_event_header *record;

		produce(&ring, 64, 1);
		((struct perf_event_header *)ring.data)->size = sizes[i];
		CHECK(ring_next(&ring, &record) == -EIO);
		end(&ring);
	}
}

static void corrupt_head_returns_eio(void)
{
	struct ring ring = begin(0);
	const struct perf_event_header *record;

	/* The first record has 8 bytes. */
	((struct perf_event_header *)ring.data)->size = 8;
	ring.page->data_head = 10 * page_size;
	CHECK(ring_next(&ring, &record) == -EIO);
	ring.page->data_head = page_size + 1;
	CHECK(ring_next(&ring, &record) == -EIO);
	ring.page->data_head = 7;
	CHECK(ring_next(&ring, &record) == -EIO);
	ring.page->data_head = 1;
	CHECK(ring_next(&ring, &record) == -EIO);
	ring.page->data_head = 8;
	CHECK(ring_next(&ring, &record) == 1);
	CHECK(ring_next(&ring, &record) == 0);
	end(&ring);
}

int main(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	RUN(empty_ring_has_no_record);
	RUN(records_are_returned_in_order);
	RUN(tail_moves_only_after_release);
	RUN(wrapping_record_is_contiguous);
	RUN(full_ring_is_read_completely);
	RUN(consumed_records_are_one_or_two_iovecs);
	RUN(rewind_returns_same_records);
	RUN(record_at_the_end_is_not_copied);
	RUN(look_ahead_changes_neither_position_nor_records);
	RUN(sizes_are_rounded_to_powers_of_two);
	RUN(ring_of_a_file_is_mapped);
	RUN(corrupt_size_returns_eio);
	RUN(corrupt_head_returns_eio);
	return tap_end();
}
