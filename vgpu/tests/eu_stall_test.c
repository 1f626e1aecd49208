// SPDX-License-Identifier: GPL-2.0-only
/*
 * eu_stall_test.c - the model of EU stall sampling in user space: registers, buffers, records and
 * samples, with kernels and a driver that the test plays.
 */
#include "vgpu/model/eu_stall.h"
#include "tap.h"

#define CORES 4
#define EUS 8
#define PART SZ_256K
#define LINES (PART / 64)
#define BUFFER 0x10000
#define GGTT_SIZE (BUFFER + CORES * PART)

#define BASE 0xe520
#define REPORT 0xe528
#define REPORT1 0xe52c
#define CTRL 0xe53c
#define DROP BIT(1)
#define ENABLE BIT(1)

/* Instructions: opcode, SWSB, compacted; of a branch, dword 3 is the distance in bytes. */
#define MOV 0x61
#define SYNC 0x01
#define WHILE 0x27
#define SEND 0x31
#define MATH 0x38
#define SWSB(value) ((u32)(value) << 8)
#define COMPACTED BIT(29)
#define EOT BIT(2)

static struct sim_eu_stall unit;
static u8 *ggtt;
static u32 code[1024];
static unsigned int code_dwords;

static u32 *ops_memory(struct sim_eu_stall *u, u32 address)
{
	return address < GGTT_SIZE ? (u32 *)(ggtt + address) : NULL;
}

static const u32 *ops_code(struct sim_eu_stall *u, u64 offset)
{
	return offset / 4 < code_dwords ? &code[offset / 4] : NULL;
}

static const struct sim_eu_stall_ops ops = { ops_memory, ops_code };

static void instruction(u32 low, u32 high, u32 jump)
{
	code[code_dwords++] = low;
	code[code_dwords++] = high;
	if (low & COMPACTED)
		return;
	code[code_dwords++] = 0;
	code[code_dwords++] = jump;
}

static void begin(void)
{
	memset(&unit, 0, sizeof(unit));
	free(ggtt);
	ggtt = calloc(1, GGTT_SIZE);
	code_dwords = 0;
	sim_eu_stall_init(&unit, &ops, CORES, EUS);
}

/* A kernel of six instructions, of which three are a loop */
static void make_kernel(void)
{
	code_dwords = 16;
	instruction(MOV, 0, 0); /* at 0x40 */
	instruction(MATH, 0, 0); /* 0x50 */
	instruction(MOV | SWSB(0x83) | COMPACTED, 0, 0); /* 0x60 */
	instruction(WHILE | SWSB(1), 0, (u32)-0x18); /* 0x68, to 0x50 */
	instruction(SYNC, 0, 0); /* 0x78 */
	instruction(SEND, EOT, 0); /* 0x88 */
}

static void enable(u32 rate)
{
	sim_eu_stall_write(&unit, CTRL, SIM_STALL_ALL_CORES, 7 << 16 | rate);
	sim_eu_stall_write(&unit, BASE, SIM_STALL_ALL_CORES, BUFFER | 1 << 3 | ENABLE);
}

static u32 write_pointer(unsigned int core)
{
	return sim_eu_stall_read(&unit, REPORT, core) >> 2;
}

static u64 field(const u8 *record, unsigned int bit, unsigned int bits)
{
	u64 value = 0;
	unsigned int i;

	for (i = 0; i < bits; i++)
		value |= (u64)(record[(bit + i) / 8] >> (bit + i) % 8 & 1) << i;
	return value;
}

/* Read the records of a core as a driver does, and add them up: by 8 bytes of the address. */
static u64 seen[1024][SIM_N_STALLS];
static u64 n_seen;

static void drain(unsigned int core)
{
	u32 read = sim_eu_stall_read(&unit, REPORT1, core) >> 2, write = write_pointer(core);
	unsigned int r;

	for (; read != write; read = (read + 1) % (2 * LINES)) {
		const u8 *record = ggtt + BUFFER + core * PART + read % LINES * 64;
		u32 ip = field(record, 0, 29);

		CHECK(field(record, 112, 1) == 1);
		CHECK(ip < 1024);
		for (r = 0; r < SIM_N_STALLS; r++)
			seen[ip % 1024][r] += field(record, 29 + 8 * r, 8);
		n_seen++;
	}
	sim_eu_stall_write(&unit, REPORT1, core, 0xfffc0000 | read << 2);
}

static void drain_all(void)
{
	unsigned int core;

	for (core = 0; core < CORES; core++)
		drain(core);
}

static u64 total_of(const u64 *counts)
{
	unsigned int r;
	u64 total = 0;

	for (r = 0; r < SIM_N_STALLS; r++)
		total += counts[r];
	return total;
}

static const struct sim_stall_sum *sum_at(u32 ip)
{
	unsigned int i;

	for (i = 0; i < SIM_STALL_TABLE; i++)
		if (unit.sums[i].used && unit.sums[i].ip == ip)
			return &unit.sums[i];
	return NULL;
}

/* The reference equals what the driver has read. */
static void check_reference(void)
{
	u64 records = 0;
	unsigned int i;

	for (i = 0; i < SIM_STALL_TABLE; i++)
		if (unit.sums[i].used)
			CHECK(!memcmp(unit.sums[i].written, seen[unit.sums[i].ip],
				      sizeof(seen[0])));
	for (i = 0; i < CORES; i++)
		records += unit.cores[i].written;
	CHECK(records == n_seen);
}

static void forget(void)
{
	memset(seen, 0, sizeof(seen));
	n_seen = 0;
}

/* ---- tests ---- */

static void records_equal_the_reference_at_each_period(void)
{
	u32 rate;
	u64 clocks;

	for (rate = 1; rate <= 7; rate++) {
		begin();
		forget();
		make_kernel();
		enable(rate);
		sim_eu_stall_begin(&unit, 0x40, 100, 50000000);
		for (clocks = 0; clocks < 50000000; clocks += 123457) {
			sim_eu_stall_advance(&unit, clocks);
			drain_all();
		}
		sim_eu_stall_end(&unit, 50000000);
		drain_all();
		check_reference();
		CHECK(n_seen > 100);
		/* Each EU gives a sample per period, apart from rounding of each count. */
		{
			u64 samples = 0, expected = 50000000 / (251 * rate) * EUS * CORES;
			unsigned int i;

			for (i = 0; i < 1024; i++)
				samples += total_of(seen[i]);
			CHECK(samples <= expected + 1000 && samples + 1000 >= expected);
		}
	}
}

static void reasons_follow_from_the_instruction(void)
{
	u64 once;

	begin();
	make_kernel();
	enable(1);
	sim_eu_stall_begin(&unit, 0x40, 100, 10000000);
	sim_eu_stall_end(&unit, 10000000);
	REQUIRE(sum_at(8) && sum_at(10) && sum_at(12) && sum_at(13) && sum_at(15) && sum_at(17));
	CHECK(!sum_at(9) && !sum_at(19));
	CHECK(sum_at(8)->written[SIM_STALL_INST_FETCH]);
	CHECK(!sum_at(10)->written[SIM_STALL_INST_FETCH]);
	CHECK(sum_at(10)->written[SIM_STALL_PIPE] && !sum_at(8)->written[SIM_STALL_PIPE]);
	CHECK(sum_at(12)->written[SIM_STALL_SBID] && !sum_at(13)->written[SIM_STALL_SBID]);
	CHECK(sum_at(13)->written[SIM_STALL_CONTROL] && sum_at(13)->written[SIM_STALL_DIST_ACC]);
	CHECK(sum_at(15)->written[SIM_STALL_SYNC] && !sum_at(17)->written[SIM_STALL_SYNC]);
	CHECK(sum_at(17)->written[SIM_STALL_SEND] && sum_at(17)->written[SIM_STALL_TDR]);
	/* Active time is proportional to the number of executions: 8 times in the loop. */
	once = sum_at(8)->written[SIM_STALL_ACTIVE];
	CHECK(sum_at(12)->written[SIM_STALL_ACTIVE] / 8 - once + 2 <= 4);
}

static void full_buffer_drops_and_reports_it(void)
{
	unsigned int core;
	u64 dropped = 0, lost = 0, i;

	begin();
	forget();
	make_kernel();
	enable(1);
	for (i = 0; i < 400; i++) {
		sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
		sim_eu_stall_end(&unit, 2000000);
	}
	for (core = 0; core < CORES; core++) {
		CHECK(write_pointer(core) == LINES);
		CHECK(sim_eu_stall_read(&unit, REPORT, core) & DROP);
		CHECK(unit.cores[core].written == LINES && unit.cores[core].dropped > 0);
		dropped += unit.cores[core].dropped;
	}
	for (i = 0; i < SIM_STALL_TABLE; i++)
		lost += total_of(unit.sums[i].dropped);
	CHECK(lost >= dropped);
	drain_all();
	check_reference();
	/* Writing 0 clears the bit, without a change of the pointer; writing 1 does not set it. */
	sim_eu_stall_write(&unit, REPORT, 1, DROP << 16);
	CHECK(!(sim_eu_stall_read(&unit, REPORT, 1) & DROP) && write_pointer(1) == LINES);
	CHECK(sim_eu_stall_read(&unit, REPORT, 2) & DROP);
	sim_eu_stall_write(&unit, REPORT, 1, DROP << 16 | DROP);
	CHECK(!(sim_eu_stall_read(&unit, REPORT, 1) & DROP));
	/* There is room again, beyond the end of the buffer. */
	sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
	sim_eu_stall_end(&unit, 2000000);
	CHECK(write_pointer(1) > LINES);
	CHECK(!(sim_eu_stall_read(&unit, REPORT, 1) & DROP));
	drain_all();
	check_reference();
}

static void lost_records_are_counted_exactly(void)
{
	u64 written, dropped;
	unsigned int i;

	begin();
	forget();
	make_kernel();
	enable(1);
	unit.lose = 5;
	sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
	sim_eu_stall_end(&unit, 2000000);
	for (i = 0, written = 0, dropped = 0; i < CORES; i++) {
		written += unit.cores[i].written;
		dropped += unit.cores[i].dropped;
	}
	CHECK(dropped == 5 && written > 5 && !unit.lose);
	CHECK(sim_eu_stall_read(&unit, REPORT, 0) & DROP);
	drain_all();
	check_reference();
}

static void nothing_is_sampled_unless_enabled(void)
{
	u64 half;

	begin();
	forget();
	make_kernel();
	sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
	sim_eu_stall_flush(&unit, 1000000);
	enable(1);
	sim_eu_stall_end(&unit, 2000000);
	drain_all();
	check_reference();
	half = total_of(sum_at(12)->written);
	/* Without the time before the unit was enabled, there are half as many samples. */
	sim_eu_stall_clear(&unit);
	forget();
	sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
	sim_eu_stall_end(&unit, 2000000);
	CHECK(total_of(sum_at(12)->written) / 2 - half + 20 <= 40);
	sim_eu_stall_clear(&unit);
	unit.paused = true;
	sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
	sim_eu_stall_end(&unit, 2000000);
	CHECK(!sum_at(12));
	unit.paused = false;
	sim_eu_stall_write(&unit, BASE, SIM_STALL_ALL_CORES, 0);
	sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
	sim_eu_stall_end(&unit, 2000000);
	CHECK(!sum_at(12));
}

static void few_groups_occupy_few_cores(void)
{
	begin();
	make_kernel();
	enable(1);
	sim_eu_stall_begin(&unit, 0x40, 2, 2000000);
	sim_eu_stall_end(&unit, 2000000);
	CHECK(unit.cores[1].written && !unit.cores[2].written);
}

static void reset_clears_all_registers(void)
{
	unsigned int core;

	begin();
	make_kernel();
	enable(3);
	sim_eu_stall_begin(&unit, 0x40, 100, 20000000);
	sim_eu_stall_advance(&unit, 10000000);
	CHECK(write_pointer(0));
	sim_eu_stall_reset(&unit);
	for (core = 0; core < CORES; core++)
		CHECK(!sim_eu_stall_read(&unit, BASE, core) &&
		      !sim_eu_stall_read(&unit, REPORT, core) &&
		      !sim_eu_stall_read(&unit, REPORT1, core) &&
		      !sim_eu_stall_read(&unit, CTRL, core));
	sim_eu_stall_end(&unit, 20000000);
	CHECK(!write_pointer(0));
}

static void registers_belong_to_one_core_unless_all_are_written(void)
{
	begin();
	sim_eu_stall_write(&unit, REPORT1, 2, 0xfffc0000 | 5 << 2);
	CHECK(sim_eu_stall_read(&unit, REPORT1, 2) == 5 << 2);
	CHECK(!sim_eu_stall_read(&unit, REPORT1, 1));
	CHECK(!sim_eu_stall_read(&unit, REPORT1, CORES));
	sim_eu_stall_write(&unit, REPORT1, SIM_STALL_ALL_CORES, 0xfffc0000 | 6 << 2);
	CHECK(sim_eu_stall_read(&unit, REPORT1, 0) == 6 << 2);
	CHECK(sim_eu_stall_read(&unit, REPORT1, 3) == 6 << 2);
	/* The write pointer is read-only. */
	sim_eu_stall_write(&unit, REPORT, 0, 0xffffffff);
	CHECK(!sim_eu_stall_read(&unit, REPORT, 0));
}

static void kernel_without_code_gives_no_samples(void)
{
	begin();
	enable(1);
	sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
	sim_eu_stall_end(&unit, 2000000);
	CHECK(!unit.cores[0].written && !unit.n_instructions && unit.kernels == 1);
	/* Nor does a GPU without the units. */
	begin();
	sim_eu_stall_init(&unit, &ops, 0, EUS);
	make_kernel();
	sim_eu_stall_begin(&unit, 0x40, 100, 2000000);
	CHECK(!unit.running);
}

int main(void)
{
	RUN(records_equal_the_reference_at_each_period);
	RUN(reasons_follow_from_the_instruction);
	RUN(full_buffer_drops_and_reports_it);
	RUN(lost_records_are_counted_exactly);
	RUN(nothing_is_sampled_unless_enabled);
	RUN(few_groups_occupy_few_cores);
	RUN(reset_clears_all_registers);
	RUN(registers_belong_to_one_core_unless_all_are_written);
	RUN(kernel_without_code_gives_no_samples);
	free(ggtt);
	return tap_end();
}
