// SPDX-License-Identifier: GPL-2.0-only
/*
 * guc_test.c - the model of the GuC in user space: messages in registers and rings, scheduling,
 * frequencies, engine activity and page faults, with a driver and engines that the test plays.
 */
#include "vgpu/model/guc.h"
#include "tap.h"

/*
 * Size of the GGTT, which is one array in this test, and the addresses in it at which the test's
 * driver places its structures
 */
#define GGTT_SIZE SZ_1M
#define TO_GUC_DESCRIPTOR 0x1000
#define TO_HOST_DESCRIPTOR 0x1040
#define TO_GUC 0x2000
#define TO_HOST 0x3000
#define RING_DWORDS 64
#define SLPC 0x4000
#define ACTIVITY 0x6000
#define ACTIVITY_ENGINES 0x8000
#define QUEUE_DESCRIPTOR 0xa000
#define QUEUE 0xb000
#define QUEUE_SIZE 64
#define IMAGE(n) (0x20000 + (n) * 0x4000)

#define HEAD 0
#define TAIL 1
#define STATUS 2

/* Answers and events */
#define SUCCESS 0xf0000000
#define FAILURE 0xe0000000
#define EVENT 0x90000000
#define FAST 0x20000000

#define MODE_DONE 0x1002
#define CONTEXT_RESET 0x1008
#define DEREGISTER_DONE 0x4600
#define CAT_ERROR 0x6000
#define PAGE_FAULT 0x6002

static u32 ggtt[GGTT_SIZE / sizeof(u32)];
static u64 time_ns;
static unsigned int interrupts, submissions, resets, complaints;
static u32 mhz;
static u64 on_engine[SIM_GUC_N_ENGINES];
static bool stubborn;
static int faulted_engine;
static bool fault_failed;

static u32 *dword(u32 address)
{
	return &ggtt[address / sizeof(u32)];
}

static u32 *ops_memory(struct sim_guc *guc, u32 address)
{
	return address < GGTT_SIZE ? dword(address) : NULL;
}

static u64 ops_now(struct sim_guc *guc)
{
	return time_ns;
}

static u32 ops_ticks(struct sim_guc *guc)
{
	return time_ns / 100;
}

static void ops_interrupt(struct sim_guc *guc)
{
	interrupts++;
}

static bool ops_is_idle(struct sim_guc *guc, unsigned int engine)
{
	return !on_engine[engine];
}

static void ops_submit(struct sim_guc *guc, unsigned int engine, u64 descriptor)
{
	on_engine[engine] = descriptor;
	submissions++;
}

static bool ops_preempt(struct sim_guc *guc, unsigned int engine)
{
	if (stubborn)
		return false;
	on_engine[engine] = 0;
	return true;
}

static void ops_reset(struct sim_guc *guc, unsigned int engine)
{
	on_engine[engine] = 0;
	resets++;
}

static void ops_fault_done(struct sim_guc *guc, unsigned int engine, bool failed)
{
	faulted_engine = engine;
	fault_failed = failed;
}

static void ops_set_frequency(struct sim_guc *guc, u32 value)
{
	mhz = value;
}

static void ops_log(struct sim_guc *guc, const char *what, u32 value)
{
	complaints++;
}

static const struct sim_guc_ops ops = {
	.memory = ops_memory,
	.now = ops_now,
	.ticks = ops_ticks,
	.interrupt = ops_interrupt,
	.is_idle = ops_is_idle,
	.submit = ops_submit,
	.preempt = ops_preempt,
	.reset = ops_reset,
	.fault_done = ops_fault_done,
	.set_frequency = ops_set_frequency,
	.log = ops_log,
};

/* The test's engines: a render, a copy and two video engines */
static const struct sim_guc_engine_id engines[] = {
	{ 0, 0, 0 }, { 3, 0, 0 }, { 1, 0, 0 }, { 1, 1, 2 },
};

static const u32 hwconfig[] = { 1, 1, 2, 15, 1, 8, 0 };
static const struct sim_guc_config config = {
	.engines = engines,
	.n_engines = ARRAY_SIZE(engines),
	.min_mhz = 300,
	.max_mhz = 1800,
	.tick_hz = 19200000,
	.hwconfig = hwconfig,
};

static struct sim_guc *guc_create(void)
{
	struct sim_guc *guc = kvcalloc(1, sizeof(*guc), GFP_KERNEL);

	if (!guc)
		abort();
	memset(ggtt, 0, sizeof(ggtt));
	memset(on_engine, 0, sizeof(on_engine));
	time_ns = NSEC_PER_SEC;
	interrupts = 0;
	submissions = 0;
	resets = 0;
	complaints = 0;
	mhz = 0;
	stubborn = false;
	faulted_engine = -1;
	sim_guc_init(guc, &ops, &config);

	return guc;
}

static void guc_free(struct sim_guc *guc)
{
	sim_guc_reset(guc);
	kvfree(guc);
}

/* Send a message in registers; return the first dword of the answer. */
static u32 in_registers(struct sim_guc *guc, u32 a, u32 b, u32 c, u32 d)
{
	u32 flags[SIM_GUC_N_FLAGS] = { a, b, c, d };

	sim_guc_notify(guc, flags);
	return flags[0];
}

/* Load the firmware and set up the rings, as drivers do. */
static struct sim_guc *guc_start_with(u32 features)
{
	static const u32 rings[][2] = {
		{ 0x0902, TO_GUC }, { 0x0903, TO_GUC_DESCRIPTOR }, { 0x0904, 4 * RING_DWORDS },
		{ 0x0905, TO_HOST }, { 0x0906, TO_HOST_DESCRIPTOR }, { 0x0907, 4 * RING_DWORDS },
	};
	struct sim_guc *guc = guc_create();
	unsigned int i;

	sim_guc_load(guc, features);
	for (i = 0; i < ARRAY_SIZE(rings); i++)
		CHECK(in_registers(guc, 0x0508, rings[i][0] << 16 | 1, rings[i][1], 0) ==
		      (SUCCESS | 1));
	CHECK(in_registers(guc, 0x4509, 1, 0, 0) == SUCCESS);

	return guc;
}

static struct sim_guc *guc_start(void)
{
	return guc_start_with(0);
}

static void put(u32 value)
{
	u32 *tail = dword(TO_GUC_DESCRIPTOR) + TAIL;

	*dword(TO_GUC + *tail * sizeof(u32)) = value;
	*tail = (*tail + 1) % RING_DWORDS;
}

/* Send a message in the ring. */
static void send_dwords(struct sim_guc *guc, u32 fence, const u32 *message, unsigned int n)
{
	u32 no_flags[SIM_GUC_N_FLAGS] = {};
	unsigned int i;

	put(fence << 16 | n);
	for (i = 0; i < n; i++)
		put(message[i]);
	sim_guc_notify(guc, no_flags);
}

#define SEND(guc, ...)                                               \
	do {                                                         \
		const u32 message_[] = { __VA_ARGS__ };              \
		send_dwords(guc, 7, message_, ARRAY_SIZE(message_)); \
	} while (0)

static bool is_empty(void)
{
	return dword(TO_HOST_DESCRIPTOR)[HEAD] == dword(TO_HOST_DESCRIPTOR)[TAIL];
}

static u32 take_dword(void)
{
	u32 *head = dword(TO_HOST_DESCRIPTOR) + HEAD;
	u32 value = *dword(TO_HOST + *head * sizeof(u32));

	*head = (*head + 1) % RING_DWORDS;
	return value;
}

/* Check that the next message from the GuC has these dwords after its first one, the fence. */
static bool received(u32 fence, const u32 *expected, unsigned int n)
{
	bool good = !is_empty() && take_dword() == (fence << 16 | n);
	unsigned int i;

	for (i = 0; i < n && good; i++)
		good = take_dword() == expected[i];

	return good;
}

#define RECEIVED(fence, ...)                                         \
	({                                                           \
		const u32 expected_[] = { __VA_ARGS__ };             \
		received(fence, expected_, ARRAY_SIZE(expected_));   \
	})

static void register_context(struct sim_guc *guc, u32 id, u32 class, u32 mask, u32 image)
{
	SEND(guc, FAST | 0x4502, 0, id, class, mask, 0, 0, 0, 0, 0, image | 0x19, 0);
}

static void enable(struct sim_guc *guc, u32 id)
{
	SEND(guc, FAST | 0x1001, id, 1);
	CHECK(RECEIVED(0, EVENT | MODE_DONE, id, 1));
}

/* Add a command to the context's ring. */
static void add_work(u32 image)
{
	*dword(image + 0x1000 + 7 * 4) += 8;
}

static void schedule(struct sim_guc *guc, u32 id)
{
	SEND(guc, FAST | 0x1000, id);
	sim_guc_run(guc);
}

/* Let the engine execute all commands of its context. */
static void finish(struct sim_guc *guc, unsigned int engine)
{
	u32 image = on_engine[engine] & 0xfffff000;

	*dword(image + 0x1000 + 5 * 4) = *dword(image + 0x1000 + 7 * 4);
	on_engine[engine] = 0;
	sim_guc_run(guc);
}

static u32 id_on(unsigned int engine)
{
	return on_engine[engine] >> 39;
}

static void guc_is_idle_without_firmware(void)
{
	struct sim_guc *guc = guc_create();

	CHECK(sim_guc_status(guc) == BIT(0));
	CHECK(in_registers(guc, 0x4509, 1, 0, 0) == 0x4509);
	CHECK(!sim_guc_run(guc));
	sim_guc_load(guc, 0);
	CHECK(sim_guc_status(guc) >> 8 == 0x8001f0);
	CHECK(!sim_guc_schedules(guc));
	guc_free(guc);
}

static void driver_may_submit_contexts_itself(void)
{
	struct sim_guc *guc = guc_start();

	CHECK(sim_guc_schedules(guc));
	guc_free(guc);
	guc = guc_start_with(BIT(14)); /* GUC_CTL_DISABLE_SCHEDULER */
	CHECK(!sim_guc_schedules(guc) && !sim_guc_run(guc));
	in_registers(guc, 0x4000, IMAGE(0), 0, 0);
	CHECK(guc->huc_loaded);
	guc_free(guc);
}

static void unknown_and_short_messages_are_rejected(void)
{
	struct sim_guc *guc = guc_start();

	CHECK(in_registers(guc, 0x7777, 0, 0, 0) == (FAILURE | 0x30));
	SEND(guc, 0x7777);
	CHECK(RECEIVED(7, FAILURE | 0x30));
	SEND(guc, 0x1001, 5);
	CHECK(RECEIVED(7, FAILURE | 0x102));
	SEND(guc, 0x4502, 0, 5, 0, 1);
	CHECK(RECEIVED(7, FAILURE | 0x102));
	/*
	 * A message that registers ten parallel contexts, but has the descriptor of one only, is
	 * rejected.
	 */
	SEND(guc, 0x4601, 0, 5, 1, 1, 0, 0, 0, 0, 0, 10, IMAGE(0), 0);
	CHECK(RECEIVED(7, FAILURE | 0x102));
	SEND(guc, 0x1000, 5);
	CHECK(RECEIVED(7, FAILURE | 0x60));
	CHECK(complaints == 7);
	guc_free(guc);
}

static void fast_requests_are_not_answered(void)
{
	struct sim_guc *guc = guc_start();

	SEND(guc, FAST | 0x7777);
	CHECK(is_empty());
	SEND(guc, 0x3004, 1);
	CHECK(RECEIVED(7, SUCCESS));
	CHECK(interrupts == 1);
	CHECK(sim_guc_allows_rc6(guc));
	guc_free(guc);
}

static void messages_wrap_in_both_rings(void)
{
	struct sim_guc *guc = guc_start();
	unsigned int i;

	for (i = 0; i < 100; i++) {
		SEND(guc, 0x3004, i % 2);
		CHECK(RECEIVED(7, SUCCESS));
		CHECK(sim_guc_allows_rc6(guc) == i % 2);
	}
	CHECK(dword(TO_GUC_DESCRIPTOR)[HEAD] == 300 % RING_DWORDS);
	guc_free(guc);
}

/* As xe writes them if a message does not fit before the end of the ring. */
static void zeros_at_the_end_of_the_ring_are_skipped(void)
{
	struct sim_guc *guc = guc_start();
	unsigned int i;

	for (i = 0; i < 2; i++) {
		SEND(guc, 0x3004, 1);
		CHECK(RECEIVED(7, SUCCESS));
	}
	for (i = dword(TO_GUC_DESCRIPTOR)[TAIL]; i < RING_DWORDS; i++)
		put(0);
	CHECK(dword(TO_GUC_DESCRIPTOR)[TAIL] == 0);
	SEND(guc, 0x3004, 0);
	CHECK(RECEIVED(7, SUCCESS));
	CHECK(!sim_guc_allows_rc6(guc));
	CHECK(dword(TO_GUC_DESCRIPTOR)[STATUS] == 0);
	CHECK(dword(TO_GUC_DESCRIPTOR)[HEAD] == 3);
	guc_free(guc);
}

static void invalid_rings_set_status_and_are_not_read(void)
{
	struct sim_guc *guc = guc_start();
	u32 no_flags[SIM_GUC_N_FLAGS] = {};

	dword(TO_GUC_DESCRIPTOR)[TAIL] = RING_DWORDS;
	sim_guc_notify(guc, no_flags);
	CHECK(dword(TO_GUC_DESCRIPTOR)[STATUS] == BIT(0));
	guc_free(guc);

	/*
	 * The header announces ten dwords, but only one was written: the GuC reports a broken ring.
	 */
	guc = guc_start();
	put(7 << 16 | 10);
	put(0x3004);
	sim_guc_notify(guc, no_flags);
	CHECK(dword(TO_GUC_DESCRIPTOR)[STATUS] == BIT(1));
	CHECK(dword(TO_GUC_DESCRIPTOR)[HEAD] == 0);
	sim_guc_notify(guc, no_flags);
	CHECK(is_empty());
	guc_free(guc);

	/* If the driver reads no answers, the ring becomes full, and the GuC reports that. */
	guc = guc_start();
	while (guc->n_sent < RING_DWORDS && !dword(TO_HOST_DESCRIPTOR)[STATUS])
		SEND(guc, 0x3004, 1);
	CHECK(guc->n_sent == (RING_DWORDS - 1) / 2);
	CHECK(dword(TO_HOST_DESCRIPTOR)[STATUS] == BIT(0));
	guc_free(guc);
}

static void hwconfig_is_copied_as_far_as_it_fits(void)
{
	struct sim_guc *guc = guc_start();

	CHECK(in_registers(guc, 0x4100, 0, 0, 0) == (SUCCESS | 24));
	CHECK(in_registers(guc, 0x4100, SLPC, 0, 8) == (SUCCESS | 24));
	CHECK(dword(SLPC)[0] == 1 && dword(SLPC)[1] == 1 && dword(SLPC)[2] == 0);
	CHECK(in_registers(guc, 0x4100, SLPC, 0, 4096) == (SUCCESS | 24));
	CHECK(dword(SLPC)[2] == 2 && dword(SLPC)[5] == 8);
	guc_free(guc);
}

static void context_runs_when_enabled_and_scheduled(void)
{
	struct sim_guc *guc = guc_start();

	register_context(guc, 4096, 0, 1, IMAGE(0));
	add_work(IMAGE(0));
	schedule(guc, 4096);
	CHECK(submissions == 0);
	enable(guc, 4096);
	sim_guc_run(guc);
	CHECK(submissions == 1);
	CHECK(id_on(0) == 4097);
	CHECK((u32)on_engine[0] == (IMAGE(0) | 0x19));
	CHECK(sim_guc_is_busy(guc));

	/* If a running context gets more work, it is submitted again. */
	add_work(IMAGE(0));
	schedule(guc, 4096);
	CHECK(submissions == 2);
	finish(guc, 0);
	CHECK(!sim_guc_is_busy(guc));
	CHECK(submissions == 2);
	guc_free(guc);
}

static void context_runs_on_its_engines_only(void)
{
	struct sim_guc *guc = guc_start();

	register_context(guc, 1, 1, BIT(1), IMAGE(0));
	enable(guc, 1);
	add_work(IMAGE(0));
	schedule(guc, 1);
	CHECK(!on_engine[0] && !on_engine[1] && !on_engine[2] && id_on(3) == 2);
	/* A context for logical instances 0 and 1 gets the first free one. */
	register_context(guc, 2, 1, BIT(0) | BIT(1), IMAGE(1));
	enable(guc, 2);
	add_work(IMAGE(1));
	schedule(guc, 2);
	CHECK(id_on(2) == 3);
	guc_free(guc);
}

static void set_policy(struct sim_guc *guc, u32 id, u32 key, u32 value)
{
	SEND(guc, 0x100b, id, key << 16 | 1, value);
	CHECK(RECEIVED(7, SUCCESS));
}

static void two_contexts(struct sim_guc *guc)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		register_context(guc, i, 0, 1, IMAGE(i));
		enable(guc, i);
		add_work(IMAGE(i));
	}
}

static void contexts_take_turns_after_their_quantum(void)
{
	struct sim_guc *guc = guc_start();

	two_contexts(guc);
	set_policy(guc, 0, 0x2001, 5000);
	set_policy(guc, 1, 0x2001, 5000);
	schedule(guc, 0);
	schedule(guc, 1);
	CHECK(id_on(0) == 1);
	time_ns += 4 * NSEC_PER_MSEC;
	sim_guc_run(guc);
	CHECK(id_on(0) == 1);
	time_ns += 2 * NSEC_PER_MSEC;
	sim_guc_run(guc);
	CHECK(id_on(0) == 2);
	time_ns += 6 * NSEC_PER_MSEC;
	sim_guc_run(guc);
	CHECK(id_on(0) == 1);
	guc_free(guc);
}

static void priority_preempts_and_is_not_preempted(void)
{
	struct sim_guc *guc = guc_start();

	two_contexts(guc);
	set_policy(guc, 1, 0x2003, 0);
	schedule(guc, 0);
	CHECK(id_on(0) == 1);
	schedule(guc, 1);
	CHECK(id_on(0) == 2);
	set_policy(guc, 1, 0x2001, 1);
	time_ns += NSEC_PER_SEC;
	sim_guc_run(guc);
	CHECK(id_on(0) == 2);
	finish(guc, 0);
	CHECK(id_on(0) == 1);
	guc_free(guc);
}

static void hung_context_is_reset_after_its_timeout(void)
{
	struct sim_guc *guc = guc_start();

	two_contexts(guc);
	set_policy(guc, 0, 0x2002, 2000);
	set_policy(guc, 1, 0x2003, 0);
	schedule(guc, 0);
	stubborn = true;
	schedule(guc, 1);
	CHECK(id_on(0) == 1);
	time_ns += NSEC_PER_MSEC;
	sim_guc_run(guc);
	CHECK(resets == 0);
	time_ns += NSEC_PER_MSEC;
	sim_guc_run(guc);
	CHECK(resets == 1);
	CHECK(id_on(0) == 2);
	CHECK(RECEIVED(0, EVENT | CONTEXT_RESET, 0));
	CHECK(is_empty());
	guc_free(guc);
}

static void disable_completes_after_context_left_engine(void)
{
	struct sim_guc *guc = guc_start();

	two_contexts(guc);
	set_policy(guc, 0, 0x2002, 1);
	schedule(guc, 0);
	stubborn = true;
	SEND(guc, FAST | 0x1001, 0, 0);
	sim_guc_run(guc);
	CHECK(is_empty());
	time_ns += 2 * NSEC_PER_MSEC;
	sim_guc_run(guc);
	/* The reset of the context is reported before its end. */
	CHECK(RECEIVED(0, EVENT | CONTEXT_RESET, 0));
	CHECK(RECEIVED(0, EVENT | MODE_DONE, 0, 0));
	/* A context that is on no engine ends at once. */
	SEND(guc, FAST | 0x1001, 1, 0);
	CHECK(RECEIVED(0, EVENT | MODE_DONE, 1, 0));
	schedule(guc, 1);
	CHECK(!on_engine[0]);
	SEND(guc, FAST | 0x4503, 1);
	CHECK(RECEIVED(0, EVENT | DEREGISTER_DONE, 1));
	SEND(guc, 0x1000, 1);
	CHECK(RECEIVED(7, FAILURE | 0x60));
	guc_free(guc);
}

static void access_error_is_reported_and_resets_the_engine(void)
{
	struct sim_guc *guc = guc_start();

	two_contexts(guc);
	schedule(guc, 0);
	sim_guc_engine_failed(guc, 0);
	sim_guc_run(guc);
	CHECK(RECEIVED(0, EVENT | CAT_ERROR, 0));
	CHECK(RECEIVED(0, EVENT | CONTEXT_RESET, 0));
	CHECK(resets == 1);
	CHECK(!sim_guc_is_busy(guc));
	guc_free(guc);
}

static void parallel_contexts_read_tails_from_their_queue(void)
{
	struct sim_guc *guc = guc_start();
	u32 *queue = dword(QUEUE);

	SEND(guc, FAST | 0x4601, 0, 8, 1, 1, QUEUE_DESCRIPTOR, 0, QUEUE, 0, QUEUE_SIZE, 2, IMAGE(0),
	     0, IMAGE(1), 0);
	enable(guc, 8);
	queue[0] = 4 << 16 | 5;
	queue[2] = 3 << 18;
	queue[4] = 5;
	dword(QUEUE_DESCRIPTOR)[TAIL] = 20;
	schedule(guc, 8);
	CHECK(dword(QUEUE_DESCRIPTOR)[HEAD] == 20);
	CHECK(*dword(IMAGE(0) + 0x1000 + 7 * 4) == 3 * 8);
	CHECK(*dword(IMAGE(1) + 0x1000 + 7 * 4) == 5 * 8);
	CHECK(id_on(2) == 9 && id_on(3) == 10);
	/* The end of the parallel contexts is reported once, after both have left their engines. */
	SEND(guc, FAST | 0x1001, 8, 0);
	sim_guc_run(guc);
	CHECK(RECEIVED(0, EVENT | MODE_DONE, 8, 0));
	CHECK(is_empty());
	/* An item that extends beyond the tail is not consumed. */
	queue[5] = 9 << 16 | 5;
	dword(QUEUE_DESCRIPTOR)[TAIL] = 24;
	schedule(guc, 8);
	CHECK(dword(QUEUE_DESCRIPTOR)[HEAD] == 20);
	guc_free(guc);
}

static void driver_answers_page_faults(void)
{
	const struct sim_guc_fault fault = { .engine = 3, .asid = 0x123, .address = 0x1234567890 };
	struct sim_guc *guc = guc_start();

	sim_guc_page_fault(guc, &fault);
	CHECK(RECEIVED(0, EVENT | PAGE_FAULT, 3U << 28 | 1 << 25 | 2 << 19, 0x123 << 12, 0x34567000,
		       0x12));
	SEND(guc, FAST | 0x6003, BIT(0), 3 << 16);
	CHECK(faulted_engine == 3 && !fault_failed);
	SEND(guc, FAST | 0x6003, BIT(0) | BIT(1), 1 << 16);
	CHECK(faulted_engine == 1 && fault_failed);
	SEND(guc, 0x6003, BIT(0), 9 << 16);
	CHECK(RECEIVED(7, FAILURE | 0x60));
	CHECK(faulted_engine == 1);
	guc_free(guc);
}

static void frequencies_are_set_by_driver(void)
{
	struct sim_guc *guc = guc_start();

	SEND(guc, 0x3003, 0 << 8 | 2, SLPC, 0);
	CHECK(RECEIVED(7, SUCCESS));
	CHECK(dword(SLPC)[1] == 3);
	CHECK(mhz == 300);
	CHECK(dword(SLPC)[33] == (18U << 24 | 108 << 16 | 18 << 8 | 108));
	SEND(guc, 0x3003, 6 << 8 | 2, 6, 900);
	CHECK(RECEIVED(7, SUCCESS));
	CHECK(mhz == 900);
	SEND(guc, 0x3003, 6 << 8 | 2, 7, 99999);
	CHECK(RECEIVED(7, SUCCESS));
	CHECK(dword(SLPC)[33] == (54U << 24 | 108 << 16 | 54 << 8 | 108));
	/* The driver can forbid RC6, and permit it again. */
	SEND(guc, 0x3004, 1);
	CHECK(RECEIVED(7, SUCCESS));
	SEND(guc, 0x3003, 6 << 8 | 2, 21, 1);
	CHECK(RECEIVED(7, SUCCESS));
	CHECK(!sim_guc_allows_rc6(guc));
	SEND(guc, 0x3003, 7 << 8 | 1, 21);
	CHECK(RECEIVED(7, SUCCESS));
	CHECK(sim_guc_allows_rc6(guc));
	guc_free(guc);
}

static void activity_is_counted_in_ticks(void)
{
	struct sim_guc *guc = guc_start();
	u32 *record = dword(ACTIVITY_ENGINES), before;

	SEND(guc, 0x550c, ACTIVITY, 0, ACTIVITY_ENGINES, 0);
	CHECK(RECEIVED(7, SUCCESS));
	CHECK(dword(ACTIVITY)[0] == config.tick_hz);
	before = dword(ACTIVITY)[2];
	two_contexts(guc);
	schedule(guc, 0);
	CHECK(record[1] == NSEC_PER_SEC / 100);
	time_ns += NSEC_PER_MSEC;
	finish(guc, 0);
	CHECK(record[1] == 0);
	CHECK(record[2] == NSEC_PER_MSEC / 100);
	CHECK(record[0] >> 16 == 0x8000);
	CHECK(dword(ACTIVITY)[2] == before + 2);
	guc_free(guc);
}

static void soft_reset_drops_contexts_and_keeps_firmware(void)
{
	struct sim_guc *guc = guc_start();

	two_contexts(guc);
	in_registers(guc, 0x4000, IMAGE(0), 0, 0);
	CHECK(in_registers(guc, 0x5507, 0, 0, 0) == SUCCESS);
	CHECK(guc->loaded && guc->huc_loaded && !guc->contexts);
	CHECK(!sim_guc_schedules(guc));
	sim_guc_reset(guc);
	CHECK(!guc->loaded && !guc->huc_loaded);
	guc_free(guc);
}

static void semaphore_wait_is_released_while_disabling(void)
{
	struct sim_guc *guc = guc_start();

	two_contexts(guc);
	CHECK(!sim_guc_releases(guc, 0, IMAGE(0) + 0x540));
	schedule(guc, 0);
	CHECK(sim_guc_releases(guc, 0, IMAGE(0) + 0x540));
	CHECK(!sim_guc_releases(guc, 0, IMAGE(1) + 0x540));
	CHECK(!sim_guc_releases(guc, 1, IMAGE(0) + 0x540));
	guc_free(guc);
}

static void unmapped_rings_are_not_read(void)
{
	struct sim_guc *guc = guc_start();
	u32 no_flags[SIM_GUC_N_FLAGS] = {};

	in_registers(guc, 0x0508, 0x0902 << 16 | 1, 0xfffff000, 0);
	in_registers(guc, 0x0508, 0x0906 << 16 | 1, 0xfffff000, 0);
	dword(TO_GUC_DESCRIPTOR)[TAIL] = 4;
	sim_guc_notify(guc, no_flags);
	CHECK(complaints > 0);
	CHECK(dword(TO_GUC_DESCRIPTOR)[HEAD] == 0);
	guc_free(guc);
}

int main(void)
{
	RUN(guc_is_idle_without_firmware);
	RUN(driver_may_submit_contexts_itself);
	RUN(unknown_and_short_messages_are_rejected);
	RUN(fast_requests_are_not_answered);
	RUN(messages_wrap_in_both_rings);
	RUN(zeros_at_the_end_of_the_ring_are_skipped);
	RUN(invalid_rings_set_status_and_are_not_read);
	RUN(hwconfig_is_copied_as_far_as_it_fits);
	RUN(context_runs_when_enabled_and_scheduled);
	RUN(context_runs_on_its_engines_only);
	RUN(contexts_take_turns_after_their_quantum);
	RUN(priority_preempts_and_is_not_preempted);
	RUN(hung_context_is_reset_after_its_timeout);
	RUN(disable_completes_after_context_left_engine);
	RUN(access_error_is_reported_and_resets_the_engine);
	RUN(parallel_contexts_read_tails_from_their_queue);
	RUN(driver_answers_page_faults);
	RUN(frequencies_are_set_by_driver);
	RUN(activity_is_counted_in_ticks);
	RUN(soft_reset_drops_contexts_and_keeps_firmware);
	RUN(semaphore_wait_is_released_while_disabling);
	RUN(unmapped_rings_are_not_read);
	return tap_end();
}
